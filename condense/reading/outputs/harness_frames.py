"""What clients put around an output: headers, state blocks, and what running programs printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.conversation import PartKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation import Part

STATE, STATE_ENDS, NEW_OUTPUT = "<environment_details>", "</environment_details>", "### New Output"
"""Where Cline, Roo and their like add what they know to texts and results; in it, what running programs printed."""
_BLOCKS = (
    (STATE, STATE_ENDS, 0.0),
    ("<system-reminder>", "</system-reminder>", 0.0),
    ("<feedback>", "</feedback>", 1.0),
    ("<user_message>", "</user_message>", 1.0),
)
"""Blocks inside an output: opening, closing, weight of their lines. What a person answered must stay."""
_CODE = r"(?:Process exited with code|Exit code:?|Status Code:|\[exit code:) ?"
_HEADER = re.compile(
    r"(?P<nothing>(?:Chunk ID: \w{1,20}|Wall time:? [\d.]{1,12} .{1,20}|Original token count: \d+|Output:"
    r"|Script completed)\s?|\(Current directory: .{1,400}\)|bash-\$ ?|\[result-id: \w{1,10}\]"
    r"|</?(?:files?|file_write_result)>|<notice>.{0,400}|</notice>|<i>You do not need to re-read.{0,200})"
    rf"|(?P<ended>{_CODE}0\]?\s?|Process running with session ID \d+\s?|\(Open file: .{{1,400}}\)"
    r"|Total output lines: \d+|Warning: truncated output.{0,80}|\[Output truncated.{0,80}\]?)"
    rf"|(?P<failed>{_CODE}-?\d{{1,12}}\]?\s?)"
)
_HEADER_WEIGHTS = {"nothing": 0.0, "ended": 0.5, "failed": 1.0}
_LONGEST_HEADER = 420
_ECHO = re.compile(r"\s{0,9}\[[\w.-]{2,60}(?: for |\(|\] Result:)")
_PROGRAM = re.compile(
    r"^#{2,3} Original command: `(?P<command>[^`]{1,2000})`[^\n]{0,20}\n(?:#{2,3} Working Directory: [^\n]{1,400}\n)?"
    rf"{re.escape(NEW_OUTPUT)}[^\n]{{0,20}}\n",
    re.MULTILINE,
)
_PRINTED_ENDS = re.compile(
    r"^(?:# (?:VSCode|Actively|Inactive|Recently|Current|Review|Git|Context|Browser|Detected)\b"
    r"|## (?:Terminal \d|Original command)|### (?:Working Directory|Original command|New Output))",
    re.MULTILINE,
)


def clients_state(part: Part) -> str:
    """Return the state with which Cline, Roo and their like end a text of the user role, or a result; "" without one.

    What a file that was shown holds of the kind, and an example with text behind it, is nobody's state.
    """
    text = part.text.rstrip()
    if not text.endswith(STATE_ENDS) or (part.kind is PartKind.TOOL_RESULT and not _ECHO.match(text)):
        return ""
    _, opened, state = text.rpartition(STATE)
    return state.removesuffix(STATE_ENDS) if opened else ""


def printed_since(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the command and the new output of each program that runs on, of the state that a client adds; linear."""
    state = clients_state(part) if NEW_OUTPUT in part.text else ""
    for program in _PROGRAM.finditer(state):
        end = _PRINTED_ENDS.search(state, program.end())
        yield program["command"], state[program.end() : end.start() if end else len(state)].rstrip("\n")


def frame_weights(lines: Sequence[str]) -> dict[int, float]:
    """Return weights for the lines that a client added, by line number from 0; all other lines are missing."""
    found: dict[int, float] = {}
    closing, inside, printed = "", 0.0, False
    for i, line in enumerate(lines):
        if closing:
            heading = line.startswith(NEW_OUTPUT)
            printed = heading or (printed and not line.startswith(("# ", "## ", "</")))
            if heading or not printed:
                found[i] = inside if line.strip() else 0.0
            closing = "" if closing in line else closing
        elif block := next((block for block in _BLOCKS if line.startswith(block[0])), None):
            found[i] = inside = block[2]
            closing = "" if block[1] in line else block[1]
        elif len(line) <= _LONGEST_HEADER and (header := _HEADER.fullmatch(line)):
            found[i] = _HEADER_WEIGHTS[header.lastgroup or ""]
    return found


def unframed(lines: Sequence[str]) -> list[str]:
    """The lines that no client added, stripped, without blank ones."""
    framed = frame_weights(lines)
    return [line.strip() for i, line in enumerate(lines) if line.strip() and i not in framed]
