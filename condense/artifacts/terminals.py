"""What programs that run on have printed, as clients tell it beside what a person says, or beside a result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reducing.frames import NEW_OUTPUT, STATE, STATE_ENDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = re.compile(r"#{2,3} Original command: `(.{1,2000})`\s*")
_HEADING = ("# ", "## ", STATE_ENDS)


def printed_since(text: str) -> Iterator[tuple[str, str]]:
    """Yield the command and the new output of each program that runs on, of the last state in a text; linear.

    Args:
        text: of a message of the user role, or of a result.
    """
    at = text.rfind(STATE)
    if at < 0 or NEW_OUTPUT not in text[at:]:
        return
    command = ""
    output: list[str] | None = None
    for line in text[at:].split("\n"):
        named = _COMMAND.fullmatch(line)
        if output is not None and (named or line.startswith(_HEADING)):
            yield command, "\n".join(output)
            output = None
        if named:
            command = named[1]
        elif line.startswith(NEW_OUTPUT):
            output = []
        elif output is not None:
            output.append(line)
    if output is not None:
        yield command, "\n".join(output)
