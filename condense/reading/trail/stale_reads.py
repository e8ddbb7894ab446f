"""Which tool results say nothing any more: stale and superseded reads, repeated commands, identical outputs.

Exchanges are gone through from the newest to the oldest: what came after is then known. Nothing is removed here.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from condense.reading.calls import LAST_LINE, ToolAction
from condense.reading.shell import read_shell
from condense.reading.text import is_windows
from condense.reading.trail.folding import FileKeys
from memory.conversation import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.reading.calls import LineRange
    from condense.reading.trail.trails import Exchange

WORKING_SET = 8  # the newest files touched that count as being worked on; chosen
SMALLEST_DUPLICATE = 200  # characters from which identical outputs are called duplicates; chosen
_FILE_ACTIONS = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
_ASKING = (
    ToolAction.RUN, ToolAction.SEARCH, ToolAction.LIST, ToolAction.FETCH, ToolAction.READ, ToolAction.OTHER
)  # fmt: skip
_INCIDENTAL = frozenset(
    "description timeout timeout_ms yield_time_ms max_output_tokens justification explanation".split()
)
"""Arguments that say how or why a call is made, not what it asks."""


class _Touch(NamedTuple):
    """What an exchange does to a file; CREATE: it is written anew, and its text is known from the call."""

    key: str
    action: ToolAction
    lines: LineRange


class _Asked(NamedTuple):
    """What was asked in an exchange."""

    exchange: Exchange
    touches: list[_Touch]  # none where the call failed
    command: str  # the same when the same call is made again; "" where that means nothing
    shows_files: bool  # the result is the text of the files read, and nothing else


class _Later:
    """What happens to one file later on: changes, the end of its text, and the lines read, as ranges apart."""

    def __init__(self) -> None:
        self.changed = self.gone = False
        self.ranges: list[LineRange] = []

    def read(self, lines: LineRange) -> None:
        """Note a read: the ranges it touches become one."""
        near = [r for r in self.ranges if r[0] <= lines[1] + 1 and lines[0] <= r[1] + 1]
        apart = [r for r in self.ranges if r not in near]
        self.ranges = [*apart, (min(r[0] for r in [lines, *near]), max(r[1] for r in [lines, *near]))]

    def outdates(self, lines: LineRange, *, is_known: bool) -> bool:
        """Say whether what was read of some lines has changed or was read again; of a known file edits are known."""
        if not self.changed:
            return any(r[0] <= lines[0] and lines[1] <= r[1] for r in self.ranges)
        return self.gone or not is_known or any(r[0] <= lines[1] and lines[0] <= r[1] for r in self.ranges)


def stale_results(exchanges: Iterable[Exchange]) -> set[tuple[str, int]]:
    """Return the tool results that a later one says again or a later change made untrue: message digest, part index.

    The newest read of a file that is being worked on (one of the eight files touched last) is none even when it was
    edited since: the agent knows the text from that read and its own edits. Linear in the conversation.
    """
    asked = _asked(exchanges)
    touched = dict.fromkeys(touch.key for e in reversed(asked) for touch in reversed(e.touches))
    working = list(touched)[:WORKING_SET]
    later: defaultdict[str, _Later] = defaultdict(_Later)
    commands: set[str] = set()
    texts: set[str] = set()
    stale = set()
    for e in reversed(asked):
        text = e.exchange.text
        reads = [t for t in e.touches if t.action is ToolAction.READ] if e.shows_files else []
        again = text in texts or (e.command in commands and not e.shows_files)
        if again or (reads and all(later[t.key].outdates(t.lines, is_known=t.key in working) for t in reads)):
            stale.add((e.exchange.at.message, e.exchange.at.part))
        commands |= {e.command} - {""}
        if len(text) >= SMALLEST_DUPLICATE:
            texts.add(text)
        for touch in reversed(e.touches):
            file = later[touch.key]
            if touch.action is not ToolAction.READ:
                file.changed, file.gone = True, file.gone or touch.action is not ToolAction.EDIT
            elif e.shows_files and text.strip():
                file.read(touch.lines)
    return stale


def _asked(exchanges: Iterable[Exchange]) -> list[_Asked]:
    keys = FileKeys()
    found = [_read(exchange, keys) for exchange in exchanges]
    renamed = keys.renamed
    return [e._replace(touches=[t._replace(key=renamed.get(t.key, t.key)) for t in e.touches]) for e in found]


def _read(exchange: Exchange, keys: FileKeys) -> _Asked:
    call, uses = exchange.call, exchange.uses
    first, shows = uses[0], True
    touches: list[_Touch] = []
    for use in uses:
        shown = use.action in (ToolAction.READ, ToolAction.EDIT)  # a line editor shows the file it edits
        done = [(path, use.action, use.new, use.lines) for path in use.paths if use.action in _FILE_ACTIONS]
        if use.moved_to and use.action in _FILE_ACTIONS:
            done.append((use.moved_to, ToolAction.CREATE, use.moved_to, None))
        if use.action is ToolAction.RUN and use.session is None and use.subject.strip():
            reading = read_shell(use.subject, windows=True if is_windows(use.workdir) else None)
            shown = reading.shows_files
            effects = [e for e in reading.effects if e.action in _FILE_ACTIONS]
            done = [(e.target, e.action, e.text, e.lines) for e in effects]
        shows = shows and shown
        for path, action, text, lines in done:
            unseen = action is ToolAction.CREATE and not text  # what was read of it is not replaced
            own = ToolAction.EDIT if unseen else action
            touches.append(_Touch(keys.key_of(path, use.workdir), own, lines or (1, LAST_LINE)))
    command = ""
    if first.action in _ASKING and first.session is None:
        given = call.arguments
        if isinstance(given, dict):
            asked = {k: v for k, v in given.items() if k not in _INCIDENTAL}
            given = canonical_json(asked).decode("utf-8", "replace")
        command = f"{call.name} {first.workdir or ''} {given or ''}"
    shows = shows and any(touch.action is ToolAction.READ for touch in touches)
    return _Asked(exchange, [] if exchange.failed else touches, command, shows)
