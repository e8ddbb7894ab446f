"""What programs that run on have printed, as clients tell it beside what a person says, or beside a result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading.outputs.harness_frames import NEW_OUTPUT, clients_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation import Part

_PROGRAM = re.compile(
    r"^#{2,3} Original command: `(?P<command>[^`]{1,2000})`[^\n]{0,20}\n"
    r"(?:#{2,3} Working Directory: [^\n]{1,400}\n)?"
    rf"{re.escape(NEW_OUTPUT)}[^\n]{{0,20}}\n",
    re.MULTILINE,
)
_ENDS = re.compile(
    r"^(?:# (?:VSCode|Actively|Inactive|Recently|Current|Review|Git|Context|Browser|Detected)\b"
    r"|## (?:Terminal \d|Original command)|### (?:Working Directory|Original command|New Output))",
    re.MULTILINE,
)
"""The headings of clients; others are printed."""


def printed_since(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the command and the new output of each program that runs on, of the state that a client adds; linear."""
    state = clients_state(part) if NEW_OUTPUT in part.text else ""
    for program in _PROGRAM.finditer(state):
        end = _ENDS.search(state, program.end())
        yield program["command"], state[program.end() : end.start() if end else len(state)].rstrip("\n")
