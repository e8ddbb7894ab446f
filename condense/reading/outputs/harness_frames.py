"""What harnesses put around an output: headers, environment blocks, prompts; and outputs wrapped in JSON.

These lines say how the tool ran, not what it found. Exit codes matter, the rest hardly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from memory.conversation import PartKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import Part

STATE, STATE_ENDS = "<environment_details>", "</environment_details>"
"""Where Cline, Roo and their like add what they know to what a person says, and to results."""
NEW_OUTPUT = "### New Output"
"""Where they say, among that, what programs that still run have printed."""
_BLOCKS = (
    (STATE, STATE_ENDS, 0.0),
    ("<system-reminder>", "</system-reminder>", 0.0),
    ("<feedback>", "</feedback>", 1.0),
    ("<user_message>", "</user_message>", 1.0),
)
"""Blocks inside an output: opening, closing, weight of their lines. What a person answered must stay."""

_HEADERS: tuple[tuple[re.Pattern[str], float], ...] = (
    (
        re.compile(
            r"(?:Chunk ID: \w{1,20}|Wall time:? [\d.]{1,12} .{1,20}|Original token count: \d+|Output:"
            r"|Script completed)\s?"
        ),
        0.0,
    ),
    (re.compile(r"(?:Process exited with code|Exit code:?|Status Code:|\[exit code:) ?0\]?\s?"), 0.6),
    (
        re.compile(r"(?:Process exited with code|Exit code:?|Status Code:|\[exit code:) ?-?\d{1,12}\]?\s?"),
        1.0,
    ),
    (re.compile(r"Process running with session ID \d+\s?"), 0.6),
    (re.compile(r"\(Open file: .{1,400}\)"), 0.2),
    (
        re.compile(
            r"\(Current directory: .{1,400}\)|bash-\$ ?|\[result-id: \w{1,10}\]|</?(?:files?|file_write_result)>"
        ),
        0.0,
    ),
    (re.compile(r"<notice>.{0,400}|</notice>|<i>You do not need to re-read.{0,200}"), 0.0),
    (
        re.compile(r"Total output lines: \d+|Warning: truncated output.{0,80}|\[Output truncated.{0,80}\]?"),
        0.4,
    ),
)
_FIRST = frozenset("CWOSPE(b[<T")
_LONGEST_HEADER = 420


_ECHO = re.compile(r"\s{0,9}\[[\w.-]{2,60}(?: for |\(|\] Result:)")
"""How the results of these clients begin."""


def is_echoed(text: str) -> bool:
    """Tell whether a result begins as those of Cline, Roo and their like do."""
    return _ECHO.match(text) is not None


def clients_state(part: Part) -> str:
    """Return the state with which Cline, Roo and their like end a text of the user role, or a result; "" without one.

    What a file that was shown holds of the kind, and an example with text behind it, is nobody's state.
    """
    text = part.text.rstrip()
    if not text.endswith(STATE_ENDS) or (part.kind is PartKind.TOOL_RESULT and not is_echoed(text)):
        return ""
    return text[text.rfind(STATE) + len(STATE) : -len(STATE_ENDS)] if STATE in text else ""


def frame_weights(lines: Sequence[str]) -> dict[int, float]:
    """Return weights for the lines that a harness added, by line number from 0; all other lines are missing."""
    found: dict[int, float] = {}
    closing, inside = "", 0.0
    running = False
    for i, line in enumerate(lines):
        if closing:
            running = line.startswith(NEW_OUTPUT) or (running and not line.startswith(("# ", "## ", "</")))
            if not running or line.startswith(NEW_OUTPUT):
                found[i] = inside if line.strip() else 0.0
            if closing in line:
                closing = ""
            continue
        if not line or line[0] not in _FIRST or len(line) > _LONGEST_HEADER:
            continue
        for opening, end, weight in _BLOCKS:
            if line.startswith(opening):
                found[i] = inside = weight
                closing = "" if end in line else end
                break
        else:
            for pattern, worth in _HEADERS:
                if pattern.fullmatch(line):
                    found[i] = worth
                    break
    return found


def says_nothing(text: str) -> bool:
    """Tell whether an output holds nothing but what a harness added."""
    lines = output_text(text).splitlines()
    framed = frame_weights(lines)
    return not any(line.strip() and i not in framed for i, line in enumerate(lines))


@dataclass(frozen=True, slots=True)
class Wrapped:
    """An output that came as a JSON object with the real text in its `output` field (older Codex).

    Attributes:
        body: the text inside.
        value: the whole object.
    """

    body: str
    value: Mapping[str, Any]

    def with_body(self, body: str) -> str:
        """Return the same object with another text inside, as JSON without blanks."""
        return orjson.dumps({**self.value, "output": body}).decode()


def unwrap(text: str) -> Wrapped | None:
    """Return the text inside an output wrapped in JSON; None where it is not wrapped.

    Args:
        text: a whole tool output.
    """
    if not text.startswith('{"output":'):
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    body = value.get("output")
    return Wrapped(body, value) if isinstance(body, str) else None


def output_text(text: str) -> str:
    """Return the text of an output as a person would see it: unwrapped where it is wrapped, itself otherwise."""
    wrapped = unwrap(text)
    return text if wrapped is None else wrapped.body
