"""Verified: facts of each kind that a compaction retained, left recoverable, lost, or made up.

The facts (paths, identifiers, numbers, error lines, rules, requests, ...) are those of `verifying.verifying`, our own
verifier, for every system alike: messages that stayed as they were are what is kept, everything else is the summary.
Recoverable counts handles, which only systems with an archive have, and files that are named and can be read again.

usage: python -m benchmarks.verified [--sessions DIR] [--quick]
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.figures import share, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import cuts_of
from benchmarks.systems import System, baselines, our_system
from benchmarks.texts import text_of
from condense.verifying import verify
from memory import ConversationMemory
from memory.conversation import parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.texts import Message

_BUDGET = 8000
_SMALL_BUDGET = 4000
_STATES = ("retained", "recoverable", "lost", "invented", "unsupported")
_SESSIONS = 8
"""Sessions that are read, evenly over those that are large enough (chosen: verifying takes its time)."""


def count_facts(prefix: Sequence[Message], out: Sequence[Message]) -> Counter[tuple[str, str]]:
    """Return how many facts of a prefix stand how in what a system made of it, by (kind, state)."""
    known = {_key(message) for message in prefix}
    kept = [message for message in out if _key(message) in known]
    made = "\n".join(text_of(message) for message in out if _key(message) not in known)
    memory = ConversationMemory("benchmark")
    memory.extract_memories(prefix)
    handles = {m.digest[:12] for m in parse_messages(prefix)}
    found = verify(
        made,
        prefix,
        memories=memory.get_all_memories(),
        recoverable=[f"hf_{handle}" for handle in handles],
        kept=kept,
    )
    counts: Counter[tuple[str, str]] = Counter()
    for row in found.rows():
        for state, number in zip(_STATES, row[1:], strict=True):
            counts[str(row[0]), state] += number
    return counts


def _key(message: Message) -> str:
    return json.dumps([message["role"], message["content"]], sort_keys=True)


@cache
def prefixes_of(options: Options) -> tuple[tuple[list[Message], ...], int]:
    """Return what is compacted, a session each, and the tokens it is compacted to."""
    sessions = options.load()
    budget = _BUDGET if sum(s.tokens > 3 * _BUDGET for s in sessions) > 2 else _SMALL_BUDGET
    cuts = [(s.messages, cut) for s in sessions for cut in cuts_of(s.messages, 1, 2 * budget)]
    step = -(-len(cuts) // _SESSIONS) if len(cuts) > _SESSIONS else 1
    return tuple(messages[:cut] for messages, cut in cuts[::step]), budget


def of_system(options: Options, system: System) -> list[list[object]]:
    """Count the facts that one system keeps; return rows of kind, state, number."""
    prefixes, budget = prefixes_of(options)
    counts: Counter[tuple[str, str]] = Counter()
    for prefix in prefixes:
        done = system.compact(prefix, budget)
        if not done.error:
            counts += count_facts(prefix, done.messages)
    return [[kind, state, number] for (kind, state), number in sorted(counts.items())]


def run(options: Options, systems: Sequence[System]) -> dict[str, object]:
    """Verify the sessions of the options; return what goes into `results.json`."""
    return result(options, {system.name: of_system(options, system) for system in systems})


def result(options: Options, rows_of: Mapping[str, Sequence[Sequence[Any]]]) -> dict[str, object]:
    """Sum up the facts of systems, by name; return what goes into `results.json`."""
    chosen, budget = prefixes_of(options)
    found: dict[str, dict[str, dict[str, float | int | None]]] = {}
    for name, each in rows_of.items():
        counts: Counter[tuple[str, str]] = Counter()
        for kind, state, number in each:
            counts[kind, state] += number
        found[name] = {kind: _row(counts, kind) for kind in sorted({kind for kind, _ in counts})}
    rows: list[list[object]] = [
        [name, kind, row["facts"], *(row[s] for s in _STATES)]
        for name, kinds in found.items()
        for kind, row in kinds.items()
    ]
    print(f"{len(chosen)} sessions, budget {budget}; shares of the facts, numbers of inventions")
    print(table(["system", "kind", "facts", *_STATES], rows))
    return {"budget": budget, "sessions": len(chosen), "systems": found}


def _row(counts: Counter[tuple[str, str]], kind: str) -> dict[str, float | int | None]:
    facts = sum(counts[kind, state] for state in _STATES[:3])
    row: dict[str, float | int | None] = {"facts": facts}
    row |= {state: share(counts[kind, state], facts) for state in _STATES[:3]}
    return row | {state: counts[kind, state] for state in _STATES[3:]}


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "verified", run(options, [our_system(), *baselines()]))


if __name__ == "__main__":
    main()
