"""Native: where an agent compacted itself with a model, its summary and ours at the same size.

Claude Code marks its summaries (`isCompactSummary`), Codex writes compaction items. What stood before the summary is
compacted to the size of the summary; both are held against what the agent went on to use. The agent re-reads some
files after compacting, which is not counted, and what it did next was shaped by its own summary.

usage: python -m benchmarks.native [--sessions DIR]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.figures import Figures, mean, spread, table
from benchmarks.options import Options, parse_options, save
from benchmarks.systems import Compacted, System, baselines, our_system
from benchmarks.texts import copied_after, needed_after, runs_in, size_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.sessions import Session
    from benchmarks.texts import Message

NATIVE = "the agent's own (model)"
_FEWEST_NAMES = 5
_FEWEST_RUNS = 10
_LEAST = 500


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
        if len(names) >= _FEWEST_NAMES and size_of([message]) >= _LEAST:
            yield Handover(prefix, message, names, copied_after(whole, len(prefix)))


def _scores(handover: Handover, done: Compacted) -> tuple[float, float | None, int, float]:
    context = "\n".join(text_of(m) for m in done.messages)
    recall = sum(name in context for name in handover.names) / len(handover.names)
    runs = handover.runs
    copy = len(runs & runs_in(context)) / len(runs) if len(runs) >= _FEWEST_RUNS else None
    return recall, copy, size_of(done.messages), done.seconds


def measure(sessions: Iterable[Session], systems: Sequence[System]) -> dict[str, Figures]:
    """Return the measures of the agents' summaries and of systems at their size."""
    scores: dict[str, list[tuple[float, float | None, int, float]]] = {}
    before = []
    for session in sessions:
        for handover in handovers(session):
            budget = size_of([handover.summary])
            before.append(size_of(handover.prefix))
            scores.setdefault(NATIVE, []).append(_scores(handover, Compacted([handover.summary], 0.0)))
            for system in systems:
                done = system.compact(handover.prefix, budget)
                scores.setdefault(system.name, []).append(_scores(handover, done))
    return {
        name: {
            "n": len(rows),
            "recall": mean(r[0] for r in rows),
            "copy": mean(r[1] for r in rows if r[1] is not None),
            "n_copy": sum(r[1] is not None for r in rows),
            "tokens": spread(r[2] for r in rows)["median"],
            "tokens_before": spread(before)["median"],
        }
        for name, rows in scores.items()
    }


def run(options: Options, systems: Sequence[System]) -> dict[str, Figures]:
    """Measure the sessions of the options; return what goes into `results.json`."""
    found = measure(options.load(), systems)
    if not found:
        print("no agent compacted itself in these sessions")
        return found
    columns = ("n", "recall", "copy", "n_copy", "tokens", "tokens_before")
    print(table(["system", *columns], [[name, *(row[c] for c in columns)] for name, row in found.items()]))
    return found


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "native", run(options, [our_system(), *baselines()]))


if __name__ == "__main__":
    main()
