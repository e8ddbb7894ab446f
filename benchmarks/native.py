"""Native: where an agent compacted itself with a model, its summary and ours at the same size.

Claude Code marks its summaries (`isCompactSummary`), Codex writes compaction items. What stood before the summary is
compacted to the size of the summary; both are held against what the agent went on to use. The agent re-reads some
files after compacting, which is not counted, and what it did next was shaped by its own summary.

Few sessions hold such a place, so a second table stands beside: ordinary cuts of all sessions at 3,000 tokens, the
size that agents' own summaries have (median 3,100 in 19 of them). There is no summary of a model to compare with there;
it says what each system makes of so little room.

usage: python -m benchmarks.native [--sessions DIR]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.fidelity import FEWEST_NAMES, FEWEST_RUNS, Question, question_at
from benchmarks.figures import Figures, mean, spread, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import cuts_of
from benchmarks.systems import Compacted, System, baselines, our_system
from benchmarks.texts import copied_after, needed_after, runs_in, size_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchmarks.sessions import Session
    from benchmarks.texts import Message

NATIVE = "the agent's own (model)"
Row = list[Any]
"""Recall, share of runs or None, tokens after and before."""
_LEAST = 500
SMALL = 3000
"""Tokens of an agent's own summary."""
_OFTEN = 10


@dataclass(frozen=True)
class Handover:
    """One compaction that an agent made: what stood before, its summary, what was needed after."""

    prefix: list[Message]
    summary: Message
    names: list[str]
    runs: set[int]


def handovers(session: Session) -> Iterator[Handover]:
    """Yield the compactions of a session that are large enough to say something."""
    start = 0
    messages = session.messages
    for i, message in enumerate(messages):
        if not message.get("isCompactSummary") or i <= 10 or i + 4 >= len(messages):
            continue
        prefix = messages[start:i]
        whole = [*prefix, *messages[i + 1 :]]
        start = i
        names = needed_after(whole, len(prefix))
        if len(names) >= FEWEST_NAMES and size_of([message]) >= _LEAST:
            yield Handover(prefix, message, names, copied_after(whole, len(prefix)))


def _scores(names: Sequence[str], wanted: set[int], done: Compacted) -> Row:
    context = "\n".join(text_of(m) for m in done.messages)
    recall = sum(name in context for name in names) / len(names)
    copy = len(wanted & runs_in(context)) / len(wanted) if len(wanted) >= FEWEST_RUNS else None
    return [recall, copy, size_of(done.messages)]


def measure(sessions: Iterable[Session], system: System | None = None) -> list[Row]:
    """Return what a system keeps where agents compacted, at the size of their summaries; by default what those keep."""
    rows = []
    for session in sessions:
        for one in handovers(session):
            own = Compacted([one.summary], 0.0)
            done = system.compact(one.prefix, size_of([one.summary])) if system else own
            rows.append([*_scores(one.names, one.runs, done), size_of(one.prefix)])
    return rows


def measure_small(options: Options, system: System) -> list[Row]:
    """Return what a system keeps at ordinary cuts at the size of an agent's own summary."""
    return [
        [*_scores(one.names, one.runs, system.compact(one.prefix, SMALL)), one.before] for one in _ordinary(options)
    ]


@cache
def _ordinary(options: Options) -> tuple[Question, ...]:
    """Return one cut a session, behind at least ten times as much as is kept, or twice where no session is so long."""
    for times in (_OFTEN, 2):
        cuts = [(s, cut) for s in options.load() for cut in cuts_of(s.messages, 1, times * SMALL)]
        found = tuple(q for s, cut in cuts if len((q := question_at(s, cut, SMALL)).names) >= FEWEST_NAMES)
        if found:
            return found
    return ()


def of_system(options: Options, system: System) -> dict[str, list[Row]]:
    """Measure one system in both ways."""
    return {"own": measure(options.load(), system), "small": measure_small(options, system)}


def summed(rows: Sequence[Row]) -> Figures:
    """Return the measures of one system."""
    return {
        "n": len(rows),
        "recall": mean(r[0] for r in rows),
        "copy": mean(r[1] for r in rows if r[1] is not None),
        "n_copy": sum(r[1] is not None for r in rows),
        "tokens": spread(r[2] for r in rows)["median"],
        "tokens_before": spread(r[3] for r in rows)["median"],
    }


def run(options: Options, systems: Sequence[System]) -> dict[str, dict[str, Figures]]:
    """Measure the sessions of the options; return what goes into `results.json`."""
    return result(options, {system.name: of_system(options, system) for system in systems})


def result(options: Options, rows_of: Mapping[str, Mapping[str, Sequence[Row]]]) -> dict[str, dict[str, Figures]]:
    """Sum up what systems keep, by name; return what goes into `results.json`."""
    found: dict[str, dict[str, Figures]] = {}
    own = measure(options.load())
    if own:
        found["own"] = {NATIVE: summed(own)} | {n: summed(each["own"]) for n, each in rows_of.items()}
    else:
        print("no agent compacted itself in these sessions")
    if any(each["small"] for each in rows_of.values()):
        found["small"] = {name: summed(each["small"]) for name, each in rows_of.items()}
    columns = ("n", "recall", "copy", "n_copy", "tokens", "tokens_before")
    for rows in found.values():
        print(table(["system", *columns], [[name, *(row[c] for c in columns)] for name, row in rows.items()]))
    return found


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "native", run(options, [our_system(), *baselines()]))


if __name__ == "__main__":
    main()
