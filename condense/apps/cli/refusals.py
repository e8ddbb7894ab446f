"""Why a command stops: one line for stderr and an exit code."""

from __future__ import annotations

import re

from condense.errors import CondenseFailure
from memory.errors import MemoryFailure

EXIT_UNREACHED = 1
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141
"""128 and the number of the signal, as shells report SIGINT and SIGPIPE."""

EXPECTED = (MemoryFailure, CondenseFailure, OSError, UnicodeError, ValueError, RecursionError, MemoryError)
"""What bad input, a bad disk or a bad setting raises: told in one line, never as a traceback."""

LONGEST = 600
"""Characters of a message; longer ones are cut (chosen: a handful of terminal lines)."""


class Refusal(Exception):  # noqa: N818  # not an error of the program: an answer to the caller
    """A command that cannot be done.

    Args:
        reason: what is wrong, with the file, and what would be right.
        code: the exit code.
    """

    def __init__(self, reason: str, code: int = EXIT_REFUSED) -> None:
        self.reason = reason
        self.code = code
        super().__init__(reason)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """Make a text fit for one line of a terminal: no line ends, no control characters, not endless."""
    flat = _CONTROL.sub("", " ".join(text.split()))
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def reason_of(error: BaseException) -> str:
    """Say in one line why something failed."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return one_line(f"{where}{error.strerror}")
    if isinstance(error, RecursionError):
        return "the input is nested too deeply"
    if isinstance(error, MemoryError):
        return "the input needs more memory than there is"
    return one_line(str(error)) or type(error).__name__
