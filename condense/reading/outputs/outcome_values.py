"""How a call ended, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended, as far as its output says.

    Attributes:
        exit_code: of the command, None where unknown.
        failed: None where nothing tells.
        error: the line that names the error, verbatim, at most 400 characters; "" where none does.
        running: it had not ended when the output was taken.
        refused: the person refused the call.
        problems: the first problem that an editor reports after a file was saved, "" for none.
        problems_in: the file it is in, "" where the report names none.
    """

    exit_code: int | None = None
    failed: bool | None = None
    error: str = ""
    running: bool = False
    refused: bool = False
    problems: str = ""
    problems_in: str = ""


UNKNOWN = Outcome()


@dataclass(frozen=True, slots=True)
class TestTally:
    """What a test run counted.

    Attributes:
        passed, failed, errors, skipped: counts, None where the output does not say.
        failing: names of tests that failed, in order, at most 50.
    """

    __test__ = False  # not a test class of pytest's

    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    failing: tuple[str, ...] = ()
