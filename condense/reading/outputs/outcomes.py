"""How a call ended, read off its output: exit codes, refusals, errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.outputs.harness_frames import unframed
from condense.reading.outputs.outcome_signs import (
    EXIT_CODE,
    FIRST_ERROR,
    GREETING,
    LAST_WORDS,
    NAMED_ERROR,
    NOT_STARTED,
    OPENING,
    POINTING,
    PROBLEM,
    PROTOCOL_ERROR,
    REFUSED,
    REFUSED_FIRST,
    RUNNING,
    SAID_NO,
    SHELL_ERROR,
    SHELL_LINE,
    TOLD_ERROR,
    TOOL_ERROR,
)
from condense.reading.outputs.outcome_values import UNKNOWN, Outcome
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.text import without_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = 3000
"""Characters looked at from either end for exit codes."""

_MOST_ERROR = 400
_FEW_LINES = 15
_FOOTER = 4
"""Lines that a harness may put below an output; chosen."""
_TRACEBACK = "Traceback (most recent call last)"
_UNREAD = (
    "<tool_use_error>",
    "<error>",
    "Error: File",
    "File does not",
    '{"status":"error"',
    '{"status": "error"',
)
"""How the reply of a tool that reads begins where there is nothing read."""
_INTRODUCED = 8
"""Lines after one that introduces an error in which the error itself is looked for; chosen."""


_REPORTED = "New problems detected after saving"
"""What Roo and Cline write into the result of an edit, before what the editor complains of."""


def running_session(text: str) -> str | None:
    """Return the id of the session that an output says is still running."""
    m = RUNNING.search(text[:_ENDS])
    return m[1] if m and m[1] else None


def read_outcome(
    text: str, *, is_error: bool, action: ToolAction, exit_code: int | None = None, looks: bool = False
) -> Outcome:
    """Return how a call ended.

    Args:
        text: the output.
        is_error: the form flags it as failed.
        action: what the call did; outputs of edits are messages, those of commands are anything.
        exit_code: where it is known from elsewhere (see `envelope_exit_code`).
        looks: the call is a command that only looks; errors that it shows are not its own.
    """
    text = without_codes(text)
    text = GREETING.sub("", text[:_ENDS]) + text[_ENDS:]
    if exit_code is not None:
        return _ended(exit_code, text, is_error=is_error, looks=looks)
    if not text.strip():
        return Outcome(failed=is_error) if is_error or action is not ToolAction.RUN else UNKNOWN
    ends = text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    if _is_refused(text):
        return Outcome(failed=True, error="", refused=True)
    code = _code(ends) if action is ToolAction.RUN or is_error else None
    if code is not None:
        return _ended(code, text, is_error=is_error, looks=looks)
    if RUNNING.search(ends):
        return Outcome(running=True)
    if is_error:
        return Outcome(
            failed=True,
            error=error_line(text, guess=not looks)
            or (_shell_error(ends, looks=True) if looks else _first_line(text)),
        )
    if action is ToolAction.RUN:
        return _ran(text, ends, looks=looks)
    if action is ToolAction.READ and not text.lstrip().startswith(_UNREAD):
        return Outcome(failed=False)
    if found := PROTOCOL_ERROR.search(ends):
        return Outcome(failed=True, error=found[0])
    return _replied(text[:_ENDS], action)


def _ended(code: int, text: str, *, is_error: bool, looks: bool) -> Outcome:
    """How a command with an exit code ended; a search without a match, or an answer of no, is no failure."""
    if looks and code == 1 and not unframed(text.splitlines()):
        return Outcome(code)
    failed = code != 0 or is_error
    error = error_line(text, guess=not looks) if failed else ""
    return Outcome(
        code, failed, error or (_shell_error(text[-_ENDS:], looks=True) if failed and looks else "")
    )


def _is_refused(text: str) -> bool:
    """Whether the person refused the call: a short output says so, or a long one begins with it (files may follow)."""
    if len(text) < _ENDS:
        return REFUSED.search(text) is not None
    return REFUSED_FIRST.match(text[:_ENDS]) is not None


def _ran(text: str, ends: str, *, looks: bool) -> Outcome:
    """How a command without an exit code ended."""
    if NOT_STARTED.match(text):
        return Outcome(failed=True, error=_first_line(text))
    told = _shell_error(ends, looks=looks)
    if told:
        return Outcome(failed=True, error=told)
    if looks:
        return UNKNOWN
    first = _first_line(text)
    if FIRST_ERROR.match(first):
        return Outcome(failed=True, error=first)
    if _TRACEBACK in ends and _ends_in_traceback(ends):
        return Outcome(failed=True, error=error_line(text))
    if TOLD_ERROR.search(ends):
        return Outcome(failed=True, error=error_line(text))
    return UNKNOWN


def _shell_error(ends: str, *, looks: bool) -> str:
    """What a shell itself says went wrong; "" where it says nothing.

    What a look shows may say the same: of one, a shell's words are its own only with the number of its line, and above
    or below all else.
    """
    shown = unframed(ends.splitlines()) if looks else []
    for found in SHELL_ERROR.finditer(ends):
        line = found[0].strip()
        said = SHELL_LINE.match(line) if looks else None
        if said is None or (any(said.groups()) and line in (shown[0], shown[-1])):
            return line[:_MOST_ERROR]
    return ""


def _ends_in_traceback(ends: str) -> bool:
    """Whether the last traceback of an output is where the program ended: little stands below its exception."""
    below = ends[ends.rfind(_TRACEBACK) :].split("\n")[1:]
    told = next((i for i, line in enumerate(below) if line.strip() and not line[0].isspace()), None)
    return told is not None and sum(1 for line in below[told + 1 :] if line.strip()) <= _FOOTER


def _replied(text: str, action: ToolAction) -> Outcome:
    """What a tool that is no command says of itself."""
    body = re.sub(r"^\[[^\]\n]{1,300}\] Result:\s{0,3}", "", text)
    if TOOL_ERROR.match(body):
        told = body.lstrip().removeprefix("<error_details>")
        own = error_line(body) if len(told) == len(body.lstrip()) else ""
        return Outcome(failed=True, error=own or _first_line(told))
    if action is ToolAction.OTHER and SAID_NO.match(body):
        named = NAMED_ERROR.search(text)
        return Outcome(failed=True, error=named[0][:_MOST_ERROR] if named else error_line(text))
    at = text.find(_REPORTED) if action is not ToolAction.OTHER else -1
    found = PROBLEM.search(text, at) if at >= 0 else None
    if found is None:
        return Outcome(failed=False)
    return Outcome(
        failed=False,
        problems=found["problem"].strip()[:_MOST_ERROR],
        problems_in=(found["file"] or "").strip(),
    )


def _code(ends: str) -> int | None:
    head = EXIT_CODE.search(ends[:600])
    found = [head] if head else list(LAST_WORDS.finditer(ends[-600:]))
    return int(found[-1][1]) if found else None


def error_line(text: str, *, guess: bool = True) -> str:
    """Return the line of an output that names the error, verbatim (at most 400 characters); "" where none does.

    The exception at the end of the last Python traceback, else the first strong error line, else the first line that
    mentions trouble (where that only introduces it, "parse error:", the one that follows); of a short output (15 lines)
    that does none of it, the last line that no harness wrote, where it says something, unless `guess` is off.
    """
    if len(text) > 4 * _ENDS:
        text = f"{text[: 2 * _ENDS]}\n{text[-2 * _ENDS :]}"
    sheet = Sheet(text)
    trace = max((i for i, line in enumerate(sheet.lines) if _TRACEBACK in line), default=len(sheet.lines))
    for line in sheet.lines[trace + 1 :]:
        if not line[:1].isspace() and any(map(str.isalpha, line)):
            return line.strip()[:_MOST_ERROR]
    strong = [
        i
        for i, weight in sheet.trouble.items()
        if weight >= 1.0 and not EXIT_CODE.search(sheet.lines[i][:200])
    ]
    mentioned = [i for i, weight in sheet.trouble.items() if weight >= 0.6]  # noqa: PLR2004  # a mention of an error
    if strong or mentioned:
        first = min(strong or mentioned)
        said = _before_category(sheet.lines, first)
        if said is not None:
            return sheet.lines[said].strip()[:_MOST_ERROR]
        near = sorted(i for i in {*strong, *mentioned} if first <= i <= first + _INTRODUCED)
        told = next((i for i in near if not OPENING.search(sheet.lines[i])), first)
        return sheet.lines[told].strip()[:_MOST_ERROR]
    if not guess:
        return ""
    full = unframed(sheet.lines)
    told = bool(full) and len(full) <= _FEW_LINES and _SAYS.search(full[-1]) is not None
    return full[-1][:_MOST_ERROR] if told else ""


_SAYS = re.compile(
    r"(?:(?:^|[\s\"'(])[^\W\d_]{2,40}[,:;.'\")]{0,3}(?=\s|$).{0,200}?){3}|[\u3040-\u30ff\u3400-\u9fff]{3}"
)
"""A line with three plain words: no path, no figures, no rule."""

MOST_PRINTED = 3
"""Errors that are taken of what a program which runs on has printed, the last of those that differ; chosen."""
LONGEST_PRINTED = 200
"""Characters of each; chosen."""
_DIGITS = str.maketrans("", "", "0123456789")


def printed_errors(text: str) -> tuple[str, ...]:
    """Return the strong error lines of what a program that runs on has printed, those that differ, verbatim; linear."""
    sheet = Sheet(without_codes(text))
    found: dict[str, str] = {}
    for i in sorted(i for i, weight in sheet.trouble.items() if weight >= 1.0):
        line = sheet.lines[i].strip()
        found.pop(line.translate(_DIGITS), None)
        found[line.translate(_DIGITS)] = line[:LONGEST_PRINTED]
    return tuple(found.values())[-MOST_PRINTED:]


def _before_category(lines: Sequence[str], at: int) -> int | None:
    """Index of what PowerShell says above the category of an error; None where a line is no such category."""
    if not lines[at].lstrip().startswith(("+ CategoryInfo", "+ FullyQualifiedErrorId")):
        return None
    above = range(at - 1, -1, -1)
    last = next((i for i in above if lines[i].strip() and not POINTING.match(lines[i])), None)
    if last is None:
        return None
    wrapped = range(last, max(-1, last - _INTRODUCED), -1)  # the console breaks what it says into its width
    said = next((i for i in wrapped if " : " in lines[i]), last)
    if said < last and _NAMES_ONLY.search(
        lines[said]
    ):  # broken right behind the name: the file, then the cause
        return next((i for i in range(said + 1, last + 1) if not _PATH_FIRST.match(lines[i])), said)
    return said


_NAMES_ONLY = re.compile(r" : \w{0,12}\s*$")
_PATH_FIRST = re.compile(r"\s*\S*[\\/]")


def _first_line(text: str) -> str:
    return next((line.strip()[:_MOST_ERROR] for line in text.split("\n") if line.strip()), "")
