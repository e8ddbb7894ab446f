"""Fidelity: a session is cut where the agent is about to act and its past compacted; what of it was still needed?

Measures, the mean over cuts where nothing else is said:

* recall: of the names that the agent itself brings up in its next 12 messages and could only know from before, how
  many still stand in the compacted context; distant: the same for names that the newest messages of the same size
  would not hold;
* copy, far copy: the same for runs of 8 word tokens that it repeats verbatim, over cuts with at least ten of them;
* user: typed messages of up to 2000 characters that are still there verbatim; rules: labelled quotes of critical and
  high priority (`--labels`);
* size: of the budget; over: by more than 5 %; broke: valid before, invalid after; left: invalid before and after;
* ms of processor time per 100,000 tokens, the median.

usage: python -m benchmarks.fidelity [--sessions DIR] [--budget 4000 8000 16000 32000] [--quick]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figures, mean, share, spread, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import Session, cuts_of
from benchmarks.systems import Compacted, System, baselines, keep_last, our_system
from benchmarks.texts import (
    Message,
    copied_after,
    needed_after,
    runs_in,
    size_of,
    text_of,
    typed_in,
)
from benchmarks.validity import violations_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FEWEST_NAMES = 5
FEWEST_RUNS = 10
LONGEST_TYPED = 2000
_OVER = 1.05
_PER = 100_000


@dataclass(frozen=True)
class Question:
    """One cut: what stood before it, and what was needed after it.

    Attributes:
        session: the session's name.
        language: of its person.
        budget: tokens to come down to.
        cut: index of the message that is about to come.
        prefix: what is compacted.
        names, distant: names needed, and those of them that are far back.
        runs, far_runs: the same for runs of words.
        typed: what a person typed, verbatim.
        rules: labelled quotes of it that bind.
    """

    session: str
    language: str
    budget: int
    cut: int
    prefix: list[Message]
    names: list[str]
    distant: list[str]
    runs: set[int]
    far_runs: set[int]
    typed: list[str]
    rules: list[str]

    @cached_property
    def before(self) -> int:
        """Tokens of the prefix."""
        return size_of(self.prefix)

    @cached_property
    def was_bad(self) -> bool:
        """The prefix itself is invalid."""
        return bool(violations_in(self.prefix))


@dataclass(frozen=True)
class Answer:
    """What one system kept at one cut; counts, never texts."""

    system: str
    session: str
    language: str
    budget: int
    cut: int
    before: int
    after: int
    seconds: float
    names: int
    names_kept: int
    distant: int
    distant_kept: int
    runs: int
    runs_kept: int
    far_runs: int
    far_runs_kept: int
    typed: int
    typed_kept: int
    rules: int
    rules_kept: int
    broke: bool
    left: bool
    error: str | None


def questions(
    sessions: Iterable[Session],
    budgets: Sequence[int],
    cuts: int,
    rules: Mapping[str, Sequence[str]] | None = None,
) -> Iterable[Question]:
    """Yield the cuts of sessions; those with fewer than five names needed ask nothing.

    Args:
        sessions: what is cut.
        budgets: tokens to come down to; a prefix is at least twice as large.
        cuts: how many a session and budget.
        rules: typed text -> quotes of it that bind.
    """
    for session in sessions:
        for budget in budgets:
            for cut in cuts_of(session.messages, cuts, 2 * budget):
                question = question_at(session, cut, budget, rules or {})
                if len(question.names) >= FEWEST_NAMES:
                    yield question


def question_at(session: Session, cut: int, budget: int, rules: Mapping[str, Sequence[str]] = {}) -> Question:
    """Return what is needed after a cut of a session."""
    prefix = session.messages[:cut]
    recent = "\n".join(text_of(message) for message in keep_last(prefix, budget))
    names = needed_after(session.messages, cut)
    runs = copied_after(session.messages, cut)
    said = [text for message in prefix for text in typed_in(message)]
    return Question(
        session=session.name,
        language=session.language,
        budget=budget,
        cut=cut,
        prefix=prefix,
        names=names,
        distant=[name for name in names if name not in recent],
        runs=runs,
        far_runs=runs - runs_in(recent),
        typed=[text for text in said if len(text) <= LONGEST_TYPED],
        rules=[quote for text in said for quote in rules.get(text.strip(), ())],
    )


def judge(question: Question, system: str, done: Compacted) -> Answer:
    """Hold what a system made of a cut's prefix against what was needed."""
    context = "\n".join(text_of(message) for message in done.messages)
    runs = runs_in(context)
    bad, was_bad = bool(violations_in(done.messages)), question.was_bad
    return Answer(
        system=system,
        session=question.session,
        language=question.language,
        budget=question.budget,
        cut=question.cut,
        before=question.before,
        after=size_of(done.messages),
        seconds=done.seconds,
        names=len(question.names),
        names_kept=sum(name in context for name in question.names),
        distant=len(question.distant),
        distant_kept=sum(name in context for name in question.distant),
        runs=len(question.runs),
        runs_kept=len(question.runs & runs),
        far_runs=len(question.far_runs),
        far_runs_kept=len(question.far_runs & runs),
        typed=len(question.typed),
        typed_kept=sum(text in context for text in question.typed),
        rules=len(question.rules),
        rules_kept=sum(quote in context for quote in question.rules),
        broke=bad and not was_bad,
        left=bad and was_bad,
        error=done.error,
    )


@cache
def asked(options: Options) -> tuple[Question, ...]:
    """Return the cuts of the sessions of some options; made once a process."""
    return tuple(questions(options.load(), options.budgets, options.cuts, options.rules()))


def of_system(options: Options, system: System) -> list[dict[str, object]]:
    """Let one system compact every cut; return its answers as plain values."""
    return [
        asdict(judge(question, system.name, system.compact(question.prefix, question.budget)))
        for question in asked(options)
    ]


def summed(answers: Sequence[Answer]) -> Figures:
    """Return the measures of one system over its answers."""
    far = [a for a in answers if a.distant]
    copying = [a for a in answers if a.runs >= FEWEST_RUNS]
    far_copying = [a for a in answers if a.far_runs >= FEWEST_RUNS]
    speed = spread(a.seconds / a.before * _PER * 1000 for a in answers if a.before)
    return {
        "n": len(answers),
        "recall": mean(a.names_kept / a.names for a in answers),
        "distant": mean(a.distant_kept / a.distant for a in far),
        "copy": mean(a.runs_kept / a.runs for a in copying),
        "far_copy": mean(a.far_runs_kept / a.far_runs for a in far_copying),
        "user": share(sum(a.typed_kept for a in answers), sum(a.typed for a in answers)),
        "rules": share(sum(a.rules_kept for a in answers), sum(a.rules for a in answers)),
        "n_rules": sum(a.rules for a in answers),
        "size": mean(a.after / a.budget for a in answers),
        "over": sum(a.after > _OVER * a.budget for a in answers),
        "broke": sum(a.broke for a in answers),
        "left": sum(a.left for a in answers),
        "errors": sum(a.error is not None for a in answers),
        "ms_per_100k": speed["median"],
        "ms_per_100k_q1": speed["q1"],
        "ms_per_100k_q3": speed["q3"],
    }


def by_budget(answers: Sequence[Answer]) -> dict[str, dict[str, Figures]]:
    """Return the measures by budget and system, languages together."""
    keys = dict.fromkeys((a.budget, a.system) for a in answers)
    found: dict[str, dict[str, Figures]] = {}
    for budget, system in sorted(keys, key=lambda key: key[0]):
        chosen = [a for a in answers if (a.budget, a.system) == (budget, system)]
        found.setdefault(str(budget), {})[system] = summed(chosen)
    return found


def by_language(answers: Sequence[Answer]) -> dict[str, dict[str, dict[str, Figures]]]:
    """Return the measures by language, budget and system."""
    languages = sorted({a.language for a in answers})
    return {one: by_budget([a for a in answers if a.language == one]) for one in languages}


_COLUMNS = (
    "recall",
    "distant",
    "copy",
    "far_copy",
    "user",
    "rules",
    "size",
    "over",
    "broke",
    "left",
    "errors",
)


def fidelity_table(found: Mapping[str, Mapping[str, Figures]]) -> str:
    """Write the measures for the terminal."""
    rows: list[list[object]] = [
        [name, int(budget), row["n"], *(row[c] for c in _COLUMNS), row["ms_per_100k"]]
        for budget, systems in found.items()
        for name, row in systems.items()
    ]
    return table(["system", "budget", "n", *_COLUMNS, "ms/100k"], rows)


def run(options: Options, systems: Sequence[System]) -> dict[str, object]:
    """Measure systems on the sessions of the options; return what goes into `results.json`."""
    return result({system.name: of_system(options, system) for system in systems})


def result(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, object]:
    """Sum up the answers of systems, by name; return what goes into `results.json`."""
    answers = [Answer(**row) for each in rows.values() for row in each]
    found = by_budget(answers)
    print(fidelity_table(found))
    return {"budgets": found, "languages": by_language(answers), "seconds_each": _times(answers)}


_TIMED = 6


def _times(answers: Sequence[Answer]) -> dict[str, list[list[int]]]:
    """Return (tokens, microseconds) a cut, of the systems with the best far recall, for a plot."""
    kept: Counter[str] = Counter()
    for answer in answers:
        kept[answer.system] += answer.distant_kept
    return {
        system: [[a.before, round(a.seconds * 1e6)] for a in answers if a.system == system]
        for system, _ in kept.most_common(_TIMED)
    }


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "fidelity", run(options, [our_system(), *baselines()]))


if __name__ == "__main__":
    main()
