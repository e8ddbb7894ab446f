"""Which tool results still say something: stale and superseded reads, repeated commands, identical outputs.

The exchanges are gone through from the newest to the oldest, once; for every file and every command it is then known
what came after. Nothing is removed here.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading.calls import LAST_LINE, ToolAction
from condense.reading.trail.exchanges import Exchange, ExchangeReader, Touch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading.calls import LineRange, ToolRow
    from memory.conversation import Message

WORKING_SET = 8
"""The newest files touched that count as being worked on (chosen)."""
SMALLEST_DUPLICATE = 200
"""Characters from which identical outputs are called duplicates; short ones ("ok") say nothing twice (chosen)."""


class ReadStatus(StrEnum):
    """Where a tool result stands.

    FRESH: nothing newer says the same. STALE: a read of a file that was changed later and is not being worked on, or
    was read again since, rewritten or deleted. SUPERSEDED: the same lines were read again later. REPEATED: the same
    command ran again later. DUPLICATE: a later output says the same, character by character.
    """

    FRESH = "fresh"
    STALE = "stale"
    SUPERSEDED = "superseded"
    REPEATED = "repeated"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class ReadState:
    """Where a tool result stands, and why, in words ("" for FRESH)."""

    status: ReadStatus
    reason: str = ""


_FRESH = ReadState(ReadStatus.FRESH)


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
    touched = (touch.key for e in reversed(exchanges) if not e.failed for touch in reversed(e.touches))
    later = _Later(frozenset(list(dict.fromkeys(touched))[:WORKING_SET]))
    states = [((e.at.message, e.at.part), later.judge(e)) for e in reversed(exchanges)]
    return dict(reversed(states))


@dataclass(slots=True)
class _FileLater:
    """What happens to one file later on: changes, how it is gone, and the lines read (disjoint ranges, ascending)."""

    changed: bool = False
    gone: str = ""
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def read(self, lines: LineRange) -> None:
        """Note a read: the ranges it touches become one."""
        start, end = lines
        i = j = bisect_left(self._ends, start - 1)
        while j < len(self._starts) and self._starts[j] <= end + 1:
            start, end = min(start, self._starts[j]), max(end, self._ends[j])
            j += 1
        self._starts[i:j] = [start]
        self._ends[i:j] = [end]

    def reads_again(self, lines: LineRange, *, whole: bool) -> bool:
        """All, or some, of the lines are read again later."""
        i = bisect_left(self._ends, lines[1] if whole else lines[0])
        return i < len(self._starts) and self._starts[i] <= (lines[0] if whole else lines[1])


class _Later:
    """Everything that comes later, while going backwards."""

    def __init__(self, working: frozenset[str]) -> None:
        self._working = working
        self._files: dict[str, _FileLater] = {}
        self._commands: set[str] = set()
        self._texts: set[str] = set()

    def judge(self, exchange: Exchange) -> ReadState:
        """Return the state of an exchange's result, and note the exchange for those before it."""
        state = _FRESH
        if exchange.shows_files and not exchange.failed:
            states = [self._of_file(touch) for touch in exchange.touches if touch.action is ToolAction.READ]
            state = states[0] if states and _FRESH not in states else _FRESH
        if state is _FRESH and exchange.text in self._texts:
            state = ReadState(ReadStatus.DUPLICATE, "a later output says the same")
        elif state is _FRESH and exchange.command in self._commands and not exchange.shows_files:
            state = ReadState(ReadStatus.REPEATED, "the same call was made again later")
        self._note(exchange)
        return state

    def _of_file(self, touch: Touch) -> ReadState:
        later = self._files.get(touch.key)
        if later is None:
            return _FRESH
        lines = touch.lines or (1, LAST_LINE)
        if later.gone:
            return ReadState(ReadStatus.STALE, f"{touch.path} was {later.gone} later")
        if later.changed and later.reads_again(lines, whole=False):
            return ReadState(ReadStatus.STALE, f"{touch.path} was edited later and read again")
        if later.changed:
            is_known = touch.key in self._working
            return _FRESH if is_known else ReadState(ReadStatus.STALE, f"{touch.path} was edited later")
        if not later.reads_again(lines, whole=True):
            return _FRESH
        is_whole = lines[1] >= LAST_LINE
        what = f"{touch.path} was" if is_whole else f"lines {lines[0]}-{lines[1]} of {touch.path} were"
        return ReadState(ReadStatus.SUPERSEDED, f"{what} read again later")

    def _note(self, exchange: Exchange) -> None:
        if exchange.command:
            self._commands.add(exchange.command)
        if len(exchange.text) >= SMALLEST_DUPLICATE:
            self._texts.add(exchange.text)
        for touch in reversed(exchange.touches) if not exchange.failed else ():
            later = self._files.setdefault(touch.key, _FileLater())
            if touch.action is ToolAction.READ:
                if exchange.shows_files and exchange.text.strip():
                    later.read(touch.lines or (1, LAST_LINE))
            else:
                later.changed = True
                if touch.action is not ToolAction.EDIT:
                    later.gone = "deleted" if touch.action is ToolAction.DELETE else "written anew"
