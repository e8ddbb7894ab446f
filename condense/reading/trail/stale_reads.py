"""Which tool results still say something: stale and superseded reads, repeated commands, identical outputs.

The exchanges (a call with its result) are gone through from the newest to the oldest, once; for every file and every
command it is then known what came after. Nothing is removed here.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from condense.reading.calls import LAST_LINE, ToolAction, read_call
from condense.reading.outputs import read_outcome
from condense.reading.shell import looks_only, read_shell
from condense.reading.text import is_windows
from condense.reading.trail.file_folding import FileKeys
from memory.conversation import Part, PartKind, canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading.calls import LineRange, ToolRow, ToolUse
    from memory.conversation import Message

WORKING_SET = 8
"""The newest files touched that count as being worked on (chosen)."""
SMALLEST_DUPLICATE = 200
"""Characters from which identical outputs are called duplicates; short ones ("ok") say nothing twice (chosen)."""
_FILE_ACTIONS = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
_ASKING = (
    ToolAction.RUN, ToolAction.SEARCH, ToolAction.LIST, ToolAction.FETCH, ToolAction.READ, ToolAction.OTHER
)  # fmt: skip
_INCIDENTAL = frozenset(
    "description timeout timeout_ms yield_time_ms max_output_tokens justification explanation".split()
)
"""Arguments that say how or why a call is made, not what it asks."""


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


class _Touch(NamedTuple):
    """What an exchange does to a file. CREATE stands for a file written anew whose text is known from the call."""

    key: str
    action: ToolAction
    lines: LineRange | None


class _Exchange(NamedTuple):
    """A call with its result.

    `command` is the same when the same call is made again, "" where that means nothing; `shows_files`: the result is
    the text of the files read, and nothing else.
    """

    at: tuple[str, int]
    text: str
    touches: tuple[_Touch, ...]
    command: str
    shows_files: bool
    failed: bool


def lifecycle(
    messages: Sequence[Message], *, tools: Mapping[str, ToolRow] | None = None
) -> Mapping[tuple[str, int], ReadStatus]:
    """Return the state of every tool result that is paired with its call, by (message digest, part index).

    Args:
        messages: the conversation, in order.
        tools: rows of the user's own for tools that the built-in table does not know.

    Linear in the conversation. The newest read of a file that is being worked on (one of the eight files touched last)
    is FRESH even when it was edited since: the agent knows the text from that read and its own edits.
    """
    exchanges, renamed = _exchanges(messages, tools)
    touched = (touch.key for e in reversed(exchanges) if not e.failed for touch in reversed(e.touches))
    working = list(dict.fromkeys(renamed.get(key, key) for key in touched))[:WORKING_SET]
    later = _Later(frozenset(working), renamed)
    return dict(reversed([(e.at, later.judge(e)) for e in reversed(exchanges)]))


def _exchanges(
    messages: Sequence[Message], tools: Mapping[str, ToolRow] | None
) -> tuple[list[_Exchange], Mapping[str, str]]:
    """The exchanges in the order of their results, and the keys that files were given later, by the earlier ones."""
    keys = FileKeys()
    waiting: dict[str | None, Part] = {}
    found: list[_Exchange] = []
    for message in messages:
        for index, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                waiting[part.call_id] = part
            elif part.kind is PartKind.TOOL_RESULT and (call := waiting.pop(part.call_id, None)) is not None:
                found.append(_exchange(call, part, (message.digest, index), keys, tools))
    return found, keys.renamed


def _exchange(
    call: Part, result: Part, at: tuple[str, int], keys: FileKeys, tools: Mapping[str, ToolRow] | None
) -> _Exchange:
    uses = read_call(call.name or "", call.arguments, result=result.text, tools=tools)
    use = uses[0]
    looks = use.action is ToolAction.RUN and looks_only(use.subject, use.workdir)
    outcome = read_outcome(result.text, is_error=result.is_error, action=use.action, looks=looks)
    touched = [_touches(use, keys) for use in uses]
    touches = tuple(touch for own, _ in touched for touch in own)
    shows = any(touch.action is ToolAction.READ for touch in touches) and (
        all(only_shows for _, only_shows in touched)
        or all(
            use.action in (ToolAction.READ, ToolAction.EDIT) for use in uses
        )  # a line editor shows its file
    )
    asks = use.action in _ASKING and use.session is None
    command = f"{call.name} {use.workdir or ''} {_argument_text(call)}" if asks else ""
    return _Exchange(at, result.text, touches, command, shows, outcome.failed is True)


def _argument_text(call: Part) -> str:
    if isinstance(call.arguments, str) or call.arguments is None:
        return call.arguments or ""
    kept = {k: v for k, v in call.arguments.items() if k not in _INCIDENTAL}
    return canonical_json(kept).decode("utf-8", "replace")


def _touches(use: ToolUse, keys: FileKeys) -> tuple[list[_Touch], bool]:
    """The files that a use touches, and whether its output is nothing but the text of files read."""
    if use.action in _FILE_ACTIONS:
        action = _known(use.action, use.new)
        found = [_Touch(keys.key_of(path, use.workdir), action, use.lines) for path in use.paths]
        if use.moved_to:
            found.append(_Touch(keys.key_of(use.moved_to, use.workdir), ToolAction.CREATE, None))
        return found, use.action is ToolAction.READ
    if use.action is not ToolAction.RUN or use.session is not None or not use.subject.strip():
        return [], False
    reading = read_shell(use.subject, windows=True if is_windows(use.workdir) else None)
    done = [effect for effect in reading.effects if effect.action in _FILE_ACTIONS]
    found = [_Touch(keys.key_of(e.target, use.workdir), _known(e.action, e.text), e.lines) for e in done]
    return found, reading.shows_files


def _known(action: ToolAction, text: str) -> ToolAction:
    """A file written anew with a text that nobody sees counts as edited: what was read of it is not replaced."""
    return ToolAction.EDIT if action is ToolAction.CREATE and not text else action


@dataclass(slots=True)
class _FileLater:
    """What happens to one file later on: changes, the end of its text, and the lines read (disjoint, ascending)."""

    changed: bool = False
    gone: bool = False
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def read(self, lines: LineRange) -> None:
        """Note a read: the ranges it touches become one."""
        start, end = lines
        i = j = bisect_left(self._ends, start - 1)
        while j < len(self._starts) and self._starts[j] <= end + 1:
            start, end = min(start, self._starts[j]), max(end, self._ends[j])
            j += 1
        self._starts[i:j], self._ends[i:j] = [start], [end]

    def reads_again(self, lines: LineRange, *, whole: bool) -> bool:
        """All, or some, of the lines are read again later."""
        i = bisect_left(self._ends, lines[1] if whole else lines[0])
        return i < len(self._starts) and self._starts[i] <= (lines[0] if whole else lines[1])


class _Later:
    """Everything that comes later, while going backwards."""

    def __init__(self, working: frozenset[str], renamed: Mapping[str, str]) -> None:
        self._working, self._renamed = working, renamed
        self._files: dict[str, _FileLater] = {}
        self._commands: set[str] = set()
        self._texts: set[str] = set()

    def judge(self, exchange: _Exchange) -> ReadStatus:
        """Return the state of an exchange's result, and note the exchange for those before it."""
        states = [ReadStatus.FRESH]
        if exchange.shows_files and not exchange.failed:
            states = [self._of_file(t) for t in exchange.touches if t.action is ToolAction.READ]
        state = ReadStatus.FRESH if ReadStatus.FRESH in states else states[0]
        if state is ReadStatus.FRESH and exchange.text in self._texts:
            state = ReadStatus.DUPLICATE
        elif state is ReadStatus.FRESH and exchange.command in self._commands and not exchange.shows_files:
            state = ReadStatus.REPEATED
        self._note(exchange)
        return state

    def _of_file(self, touch: _Touch) -> ReadStatus:
        later = self._later(touch)
        lines = touch.lines or (1, LAST_LINE)
        if later.gone or (later.changed and later.reads_again(lines, whole=False)):
            return ReadStatus.STALE
        if later.changed:
            is_known = self._renamed.get(touch.key, touch.key) in self._working
            return ReadStatus.FRESH if is_known else ReadStatus.STALE
        return ReadStatus.SUPERSEDED if later.reads_again(lines, whole=True) else ReadStatus.FRESH

    def _later(self, touch: _Touch) -> _FileLater:
        return self._files.setdefault(self._renamed.get(touch.key, touch.key), _FileLater())

    def _note(self, exchange: _Exchange) -> None:
        if exchange.command:
            self._commands.add(exchange.command)
        if len(exchange.text) >= SMALLEST_DUPLICATE:
            self._texts.add(exchange.text)
        for touch in reversed(exchange.touches) if not exchange.failed else ():
            later = self._later(touch)
            if touch.action is not ToolAction.READ:
                later.changed = True
                later.gone = later.gone or touch.action is not ToolAction.EDIT
            elif exchange.shows_files and exchange.text.strip():
                later.read(touch.lines or (1, LAST_LINE))
