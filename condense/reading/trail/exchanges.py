"""Calls paired with their results, and the files that each pair touches: the reading of a history by exchanges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction, read_call
from condense.reading.outputs import read_outcome
from condense.reading.shell import looks_only, read_shell
from condense.reading.text import is_windows
from condense.reading.trail.file_keys import FileKeys
from condense.reading.trail.trails import Place
from memory.conversation import Part, PartKind, canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading.calls import LineRange, ToolRow, ToolUse
    from memory.conversation import Message

_FILE_ACTIONS = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
_ASKING = (
    ToolAction.RUN, ToolAction.SEARCH, ToolAction.LIST, ToolAction.FETCH, ToolAction.READ, ToolAction.OTHER
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Touch:
    """What an exchange does to one file: the file's key, its path as written, the action, the lines of a READ.

    CREATE stands for a file written anew whose whole text is known from the call.
    """

    key: str
    path: str
    action: ToolAction
    lines: LineRange | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call with its result.

    Attributes:
        at: the result.
        text: the result's text.
        touches: files touched, in order.
        command: what is the same when the same call is made again; "" where that means nothing.
        shows_files: the result is the text of the files read, and nothing else.
        failed: the call is known to have failed.
    """

    at: Place
    text: str
    touches: tuple[Touch, ...]
    command: str
    shows_files: bool
    failed: bool


class ExchangeReader:
    """Pairs calls and results of a conversation that goes on: only what is new since the last time is read.

    Args:
        tools: rows of the user's own for tools that the built-in table does not know.
    """

    def __init__(self, tools: Mapping[str, ToolRow] | None = None) -> None:
        self._tools = tools
        self._reading = Lock()
        self._start()

    def _start(self) -> None:
        self._digests: list[str] = []
        self._keys = FileKeys()
        self._waiting: dict[str | None, Part] = {}
        self._found: list[Exchange] = []

    def read(self, messages: Sequence[Message]) -> list[Exchange]:
        """Return the exchanges in the order of their results; unpaired parts are left out; linear.

        Another conversation than the last time's is read whole.
        """
        digests = [message.digest for message in messages]
        with self._reading:
            if digests[: len(self._digests)] != self._digests:
                self._start()
            known = len(self._digests)
            self._digests = [""]  # no message's: should reading fail, all is read anew the next time
            for message in messages[known:]:
                self._take(message)
            self._digests = digests
            return [_with_current_keys(e, self._keys) for e in self._found]

    def _take(self, message: Message) -> None:
        for index, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                self._waiting[part.call_id] = part
            elif part.kind is PartKind.TOOL_RESULT:
                call = self._waiting.pop(part.call_id, None)
                if call is not None:
                    at = Place(message.digest, index)
                    self._found.append(_exchange(call, part, at, self._keys, self._tools))


def _exchange(
    call: Part, result: Part, at: Place, keys: FileKeys, tools: Mapping[str, ToolRow] | None
) -> Exchange:
    uses = read_call(call.name or "", call.arguments, result=result.text, tools=tools)
    use = uses[0]
    looks = use.action is ToolAction.RUN and looks_only(use.subject, use.workdir)
    outcome = read_outcome(result.text, is_error=result.is_error, action=use.action, looks=looks)
    touched = [_touches(use, keys) for use in uses]
    touches = tuple(touch for own, _ in touched for touch in own)
    reads = any(touch.action is ToolAction.READ for touch in touches)
    shows = all(only_shows for _, only_shows in touched) or all(
        use.action in (ToolAction.READ, ToolAction.EDIT)
        for use in uses  # a line editor shows the file it edits
    )
    command = ""
    if use.action in _ASKING and use.session is None:
        command = f"{call.name} {use.workdir or ''} {_argument_text(call)}"
    return Exchange(at, result.text, touches, command, shows and reads, outcome.failed is True)


def _argument_text(call: Part) -> str:
    if isinstance(call.arguments, str) or call.arguments is None:
        return call.arguments or ""
    kept = {k: v for k, v in call.arguments.items() if k not in _INCIDENTAL}
    return canonical_json(kept).decode("utf-8", "replace")


_INCIDENTAL = frozenset((
    "description", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "justification", "explanation"
))  # fmt: skip
"""Arguments that say how or why a call is made, not what it asks."""


def _touches(use: ToolUse, keys: FileKeys) -> tuple[list[Touch], bool]:
    """The files that a use touches, and whether its output is nothing but the text of files read."""
    if use.action in _FILE_ACTIONS:
        action = _known(use.action, use.new)
        found = [Touch(keys.key_of(p, use.workdir), p, action, use.lines) for p in use.paths]
        if use.moved_to:
            found.append(Touch(keys.key_of(use.moved_to, use.workdir), use.moved_to, ToolAction.CREATE, None))
        return found, use.action is ToolAction.READ
    if use.action is not ToolAction.RUN or use.session is not None or not use.subject.strip():
        return [], False
    reading = read_shell(use.subject, windows=True if is_windows(use.workdir) else None)
    found = [
        Touch(keys.key_of(e.target, use.workdir), e.target, _known(e.action, e.text), e.lines)
        for e in reading.effects
        if e.action in _FILE_ACTIONS
    ]
    return found, reading.shows_files


def _known(action: ToolAction, text: str) -> ToolAction:
    """A file written anew with a text that nobody sees counts as edited: what was read of it is not replaced."""
    return ToolAction.EDIT if action is ToolAction.CREATE and not text else action


def _with_current_keys(exchange: Exchange, keys: FileKeys) -> Exchange:
    if all(keys.current(t.key) == t.key for t in exchange.touches):
        return exchange
    return replace(exchange, touches=tuple(replace(t, key=keys.current(t.key)) for t in exchange.touches))
