"""Which tool results still say something: stale and superseded reads, repeated commands, identical outputs.

The messages are gone through from the newest to the oldest, once; for every file and every command it is
then known what came after. Nothing is removed here: `lifecycle` gives each result its state and the reason,
a planner decides.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading.calls import LAST_LINE, ToolAction
from condense.reading.trail.exchanges import Exchange, ExchangeReader, Touch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading.calls import LineRange, ToolRow
    from condense.reading.trail.trails import Place
    from memory.conversation import Message

WORKING_SET = 8
"""The newest files touched that count as being worked on (chosen)."""

SMALLEST_DUPLICATE = 200
"""Characters from which identical outputs are called duplicates; short ones ("ok") say nothing twice (chosen)."""


class ReadStatus(StrEnum):
    """Where a tool result stands.

    FRESH: nothing newer says the same. STALE: a read of a file that was changed later and is not being
        worked on, or
    was read again since, rewritten or deleted. SUPERSEDED: the same lines were read again later. REPEATED:
    the same command ran again later. DUPLICATE: a later output says the same, character by character.
    """

    FRESH = "fresh"
    STALE = "stale"
    SUPERSEDED = "superseded"
    REPEATED = "repeated"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class ReadState:
    """The state of one tool result.

    Attributes:
        status: where it stands.
        reason: why, in words; "" for FRESH.
        by: the result or call that made it so, None for FRESH.
        edits_after: how often the files that it shows were changed since (FRESH reads may have some).
        same_as: an earlier result with the identical text; whoever appends this one could refer to it.
    """

    status: ReadStatus
    reason: str = ""
    by: Place | None = None
    edits_after: int = 0
    same_as: Place | None = None


def lifecycle(
    messages: Sequence[Message],
    *,
    tools: Mapping[str, ToolRow] | None = None,
    reader: ExchangeReader | None = None,
) -> Mapping[tuple[str, int], ReadState]:
    """Return the state of every tool result that is paired with its call, by (message digest, part index).

    Args:
        messages: the conversation, in order.
        tools: rows of the user's own for tools that the built-in table does not know.
        reader: reads on from where it stopped; by default from the start, with `tools`.

    Linear in the conversation. The newest read of a file that is being worked on (one of the eight files
    touched last) is FRESH even when it was edited since: the agent knows the text from that read and its own
    edits.
    """
    exchanges = (reader or ExchangeReader(tools)).read(messages)
    later = _Later(_working_set(exchanges))
    judged = [later.judge(exchange) for exchange in reversed(exchanges)]
    states: dict[tuple[str, int], ReadState] = {}
    first_seen: dict[str, Place] = {}
    for exchange, state in zip(exchanges, reversed(judged), strict=True):
        earlier = exchange.at
        if len(exchange.text) >= SMALLEST_DUPLICATE:
            earlier = first_seen.setdefault(exchange.text, exchange.at)
        known = state if earlier == exchange.at else replace(state, same_as=earlier)
        states[exchange.at.message, exchange.at.part] = known
    return states


def _working_set(exchanges: Sequence[Exchange]) -> frozenset[str]:
    """The files touched last."""
    newest: dict[str, None] = {}
    for exchange in reversed(exchanges):
        for touch in reversed(exchange.touches):
            if not exchange.failed:
                newest.setdefault(touch.key)
        if len(newest) >= WORKING_SET:
            break
    return frozenset(list(newest)[:WORKING_SET])


class _FileLater:
    """What happens to one file later on, seen from the newest message backwards."""

    __slots__ = ("_ends", "_starts", "changes", "gone", "last_change", "last_read")

    def __init__(self) -> None:
        self.changes = 0
        self.last_change: Place | None = None
        self.gone: tuple[Place, str] | None = None
        self.last_read: Place | None = None
        self._starts: list[int] = []  # lines read later: disjoint ranges, ascending
        self._ends: list[int] = []

    def read(self, lines: LineRange, at: Place) -> None:
        """Note a read: the ranges it touches become one."""
        self.last_read = at
        start, end = lines
        i = bisect_left(self._ends, start - 1)
        j = i
        while j < len(self._starts) and self._starts[j] <= end + 1:
            start, end = min(start, self._starts[j]), max(end, self._ends[j])
            j += 1
        self._starts[i:j] = [start]
        self._ends[i:j] = [end]

    def covers(self, lines: LineRange) -> bool:
        """All of the lines are read again later."""
        i = bisect_left(self._ends, lines[1])
        return i < len(self._starts) and self._starts[i] <= lines[0]

    def overlaps(self, lines: LineRange) -> bool:
        """Some of the lines are read again later."""
        i = bisect_left(self._ends, lines[0])
        return i < len(self._starts) and self._starts[i] <= lines[1]


_FRESH = ReadState(ReadStatus.FRESH)


class _Later:
    """Everything that comes later, while going backwards."""

    def __init__(self, working: frozenset[str]) -> None:
        self._working = working
        self._files: dict[str, _FileLater] = {}
        self._commands: dict[str, Place] = {}
        self._texts: dict[str, Place] = {}

    def judge(self, exchange: Exchange) -> ReadState:
        """Return the state of an exchange's result, and note the exchange for those before it."""
        state = self._as_read(exchange) if exchange.shows_files and not exchange.failed else _FRESH
        if state.status is ReadStatus.FRESH:
            state = self._as_output(exchange, state)
        self._note(exchange)
        return state

    def _as_read(self, exchange: Exchange) -> ReadState:
        states = [self._of_file(t) for t in exchange.touches if t.action is ToolAction.READ]
        edits = max((s.edits_after for s in states), default=0)
        fresh = [s for s in states if s.status is ReadStatus.FRESH]
        if not states or fresh:
            return replace(_FRESH, edits_after=edits)
        return replace(states[0], edits_after=edits)

    def _of_file(self, touch: Touch) -> ReadState:
        later = self._files.get(touch.key)
        if later is None:
            return _FRESH
        lines = touch.lines or (1, LAST_LINE)
        if later.gone is not None:
            place, what = later.gone
            return ReadState(ReadStatus.STALE, f"{touch.path} was {what} later", place, later.changes)
        again = later.covers(lines)
        if not later.changes:
            if again:
                return ReadState(ReadStatus.SUPERSEDED, f"{_lines(touch)} read again later", later.last_read)
            return _FRESH
        if again or later.overlaps(lines):
            reason = f"{touch.path} was edited later and read again"
            return ReadState(ReadStatus.STALE, reason, later.last_read, later.changes)
        if touch.key in self._working:
            return replace(_FRESH, edits_after=later.changes)
        return ReadState(ReadStatus.STALE, f"{touch.path} was edited later", later.last_change, later.changes)

    def _as_output(self, exchange: Exchange, state: ReadState) -> ReadState:
        same = self._texts.get(exchange.text) if len(exchange.text) >= SMALLEST_DUPLICATE else None
        if same is not None:
            return replace(state, status=ReadStatus.DUPLICATE, reason="a later output says the same", by=same)
        again = self._commands.get(exchange.command) if exchange.command else None
        if again is not None and not exchange.shows_files:
            return replace(
                state, status=ReadStatus.REPEATED, reason="the same call was made again later", by=again
            )
        return state

    def _note(self, exchange: Exchange) -> None:
        if exchange.command:
            self._commands[exchange.command] = exchange.at
        if len(exchange.text) >= SMALLEST_DUPLICATE:
            self._texts[exchange.text] = exchange.at
        if exchange.failed:
            return
        for touch in reversed(exchange.touches):
            later = self._files.setdefault(touch.key, _FileLater())
            if touch.action is ToolAction.READ:
                if exchange.shows_files and exchange.text.strip():
                    later.read(touch.lines or (1, LAST_LINE), exchange.at)
            elif touch.action in (ToolAction.CREATE, ToolAction.DELETE):
                what = "deleted" if touch.action is ToolAction.DELETE else "written anew"
                later.gone = (exchange.at, what)
                later.changes += 1
            else:
                later.changes += 1
                later.last_change = exchange.at


def _lines(touch: Touch) -> str:
    if touch.lines is None or touch.lines[1] >= LAST_LINE:
        return f"{touch.path} was"
    return f"lines {touch.lines[0]}-{touch.lines[1]} of {touch.path} were"
