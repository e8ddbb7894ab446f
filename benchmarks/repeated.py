"""Repeated: a conversation that is compacted again and again; is it still valid, and what is left of the beginning?

A session grows until it is twice the budget, is compacted, grows on from what came out until it is twice the budget
again, and so on. After compactions 1, 2 and 5: validity, what of the typed messages so far is verbatim, and recall.

usage: python -m benchmarks.repeated [--sessions DIR] [--budget 8000] [--quick]
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from benchmarks.fidelity import FEWEST_NAMES, LONGEST_TYPED
from benchmarks.figures import Figures, mean, share, table
from benchmarks.options import Options, parse_options, save
from benchmarks.systems import System, baselines, our_system
from benchmarks.texts import MESSAGE_TOKENS, count_tokens, needed_after, size_of, text_of, typed_in
from benchmarks.validity import violations_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.sessions import Session
    from benchmarks.texts import Message

TIMES = (1, 2, 5)
_BUDGET = 8000
_QUICK_BUDGET = 2500
MOST_SESSIONS = 24
"""Sessions that are compacted again and again, evenly over those that are large enough (chosen)."""


@dataclass(frozen=True)
class Round:
    """One compaction of a conversation that may have been compacted before; counts only.

    `broke`: invalid, though the uncompacted history is not.
    """

    number: int
    broke: bool
    typed: int
    typed_kept: int
    names: int
    names_kept: int
    size: float
    failed: bool


def rounds(session: Session, system: System, budget: int) -> Iterator[Round]:
    """Yield the compactions of one session under one system."""
    held: list[Message] = []
    size = number = 0
    messages = session.messages
    for i, message in enumerate(messages):
        acts = message["role"] == "assistant" and i and messages[i - 1]["role"] == "user"
        if acts and size > 2 * budget:
            number += 1
            done = system.compact(held, budget)
            out = done.messages if not done.error else held
            yield _judged(session, i, number, out, budget, failed=done.error is not None)
            if number == max(TIMES):
                return
            held, size = list(out), size_of(out)
        held.append(message)
        size += count_tokens(text_of(message)) + MESSAGE_TOKENS


def _judged(session: Session, at: int, number: int, out: Sequence[Message], budget: int, *, failed: bool) -> Round:
    context = "\n".join(text_of(m) for m in out)
    said = [t for m in session.messages[:at] for t in typed_in(m) if len(t) <= LONGEST_TYPED]
    names = _needed(session, at)
    return Round(
        number=number,
        broke=bool(violations_in(out)) and not violations_in(session.messages[:at]),
        typed=len(said),
        typed_kept=sum(t in context for t in said),
        names=len(names),
        names_kept=sum(n in context for n in names),
        size=size_of(out) / budget,
        failed=failed,
    )


@lru_cache(maxsize=1024)
def _needed(session: Session, at: int) -> list[str]:
    return needed_after(session.messages, at)


def summed(found: Sequence[Round]) -> dict[str, Figures]:
    """Return the measures after each number of compactions."""
    table_: dict[str, Figures] = {}
    for number in TIMES:
        chosen = [r for r in found if r.number == number]
        table_[str(number)] = {
            "n": len(chosen),
            "broke": sum(r.broke for r in chosen),
            "failed": sum(r.failed for r in chosen),
            "user": share(sum(r.typed_kept for r in chosen), sum(r.typed for r in chosen)),
            "recall": mean(r.names_kept / r.names for r in chosen if r.names >= FEWEST_NAMES),
            "size": mean(r.size for r in chosen),
        }
    return table_


def budget_of(options: Options) -> int:
    """Return the tokens that the sessions of some options are compacted to."""
    return _BUDGET if sum(s.tokens > 4 * _BUDGET for s in options.load()) > 2 else _QUICK_BUDGET


def of_system(options: Options, system: System) -> list[dict[str, object]]:
    """Compact every session again and again with one system; return the rounds as plain values."""
    budget = budget_of(options)
    large = [s for s in options.load() if s.tokens > 2 * budget]
    chosen = large[:: -(-len(large) // MOST_SESSIONS)] if len(large) > MOST_SESSIONS else large
    return [asdict(r) for one in chosen for r in rounds(one, system, budget)]


def run(options: Options, systems: Sequence[System]) -> dict[str, object]:
    """Measure the sessions of the options; return what goes into `results.json`."""
    return result(options, {system.name: of_system(options, system) for system in systems})


def result(options: Options, rounds_of: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, object]:
    """Sum up the rounds of systems, by name; return what goes into `results.json`."""
    budget = budget_of(options)
    found = {name: summed([Round(**one) for one in each]) for name, each in rounds_of.items()}
    columns = ("n", "broke", "failed", "user", "recall", "size")
    rows: list[list[object]] = [
        [name, number, *(row[c] for c in columns)] for name, each in found.items() for number, row in each.items()
    ]
    print(f"budget {budget}")
    print(table(["system", "after", *columns], rows))
    return {"budget": budget, "systems": found}


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "repeated", run(options, [our_system(), *baselines()]))


if __name__ == "__main__":
    main()
