"""The newest units, kept as the messages they were; only outputs too large for the room are reduced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from condense.ledger.units import UnitKind
from condense.reading import even_share, reduce_output
from memory.conversation import Message, PartKind, count_message, replace_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.ledger.history import History
    from memory.conversation import TokenCounter

NEWEST_SHARE, OLDER_SHARE = 0.8, 0.15
"""Share of the tail's room that one output of the newest unit, and of the units before it, may take; chosen."""
MARK, SMALL = 16, 200  # tokens of the handle of what was cut, and of an output that is never reduced; chosen


@dataclass(frozen=True, slots=True)
class Tail:
    """The kept end of a history."""

    start: int  # index of its first message; the history's length when nothing is kept
    reduced: Mapping[int, Message]  # messages of it whose outputs were cut, by index
    tokens: int  # as it will be sent
    sizes: Mapping[int, int]  # tokens of each of its messages, by index


def choose_tail(history: History, room: int, count: TokenCounter, language: str) -> Tail:
    """Keep as many of the newest units as the room allows, from a legal cut on.

    A unit that does not fit even reduced ends the tail, and so does an earlier ledger, of which there is one at most;
    the tail may be empty.
    """
    best = Tail(len(history.messages), {}, 0, {})
    first = max((unit.end for unit in history.units if unit.kind is UnitKind.CONTEXT), default=0)
    share = NEWEST_SHARE
    for cut in reversed([c for c in history.cuts if first <= c < len(history.messages)]):
        reduced, sizes = dict(best.reduced), dict(best.sizes)
        for i in range(cut, best.start):
            message, sizes[i] = _within(history, i, max(SMALL, int(room * share)), count, language)
            reduced |= {i: message} if message is not None else {}
        total = sum(sizes.values())
        if total > room:
            break
        best, share = Tail(cut, reduced, total, sizes), OLDER_SHARE
    return best


def widen_tail(history: History, tail: Tail, spare: int, count: TokenCounter, language: str) -> Tail:
    """Keep `spare` more tokens of the newest messages: first what was cut of them, up to the same size, then older."""
    if not tail.reduced:
        wider = choose_tail(history, tail.tokens + spare, count, language)
        return wider if wider.start <= tail.start else tail
    results = {i: [count(part.text) for part in history.messages[i].results] for i in tail.reduced}
    every = [size for own in results.values() for size in own]
    bare = sum(history.tokens[i] for i in results) - sum(every)
    room = spare + sum(tail.sizes[i] for i in results) - bare - MARK * len(every)
    limit = max(SMALL, even_share(every, room))
    reduced, sizes = dict(tail.reduced), dict(tail.sizes)
    for i in tail.reduced:
        message, size = _within(history, i, limit, count, language)
        if size > sizes[i]:
            del reduced[i]
            reduced |= {i: message} if message is not None else {}
            sizes[i] = size
    wider = Tail(tail.start, reduced, sum(sizes.values()), sizes)
    return wider if wider.tokens <= tail.tokens + spare else tail


def _within(
    history: History, index: int, limit: int, count: TokenCounter, language: str
) -> tuple[Message | None, int]:
    message, size = history.messages[index], history.tokens[index]
    changes = {}
    for k, part in enumerate(message.parts if size > limit else ()):
        if part.kind is PartKind.TOOL_RESULT and count(part.text) > limit:
            cut = reduce_output(part.text, budget_tokens=limit, count=count, language=language)
            changes[k] = replace(part, text=f"{cut}\n[{history.handle(index)}]")
    smaller = replace_parts(message, changes) if changes else message
    new_size = count_message(smaller, count) if changes else size
    return (smaller, new_size) if new_size < size else (None, size)
