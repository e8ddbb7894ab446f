"""Weights for what commands print while they run: test runs, builds and checks, logs."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from condense.reducing.markers import lines_behind
from condense.reducing.sheets import LOOK, Sheet, has_words
from condense.reducing.traces import weigh_traces

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILING = 0.98
SUMMARY = 1.0
"""Weights are chosen; their order is what counts: summaries and exit codes, failing names, errors, their
surroundings, the ordinary, the routine."""


@cache
def _failing() -> re.Pattern[str]:
    return re.compile(
        r"\s{0,8}(?:FAILED|ERROR|FAIL:?|ERROR:)\s\S|\s{0,12}(?:✕|✗|×|✘|❌)\s|\s{0,8}--- FAIL"
        r"|.{1,200}\s\.\.\.\s(?:FAILED|FAIL|ERROR)\s?$"
        r"|\s{0,4}not ok \d|\s{0,4}●\s\S|\[ERROR\]\s{1,4}\w.{0,200}:\d|\s{1,6}\d{1,4}\)\s\S"
        r"|.{1,160}\s(?:FAILED|failed)\s{0,3}$"
        r"|test .{1,200} \.\.\. FAILED|\s{0,8}Failed\s\w.{0,160}\[|_{3,40} .{1,160} _{3,40}$|\[  FAILED  \]"
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"\s{0,8}(?:PASS(?:ED)?|ok)\b|\s{0,12}(?:✓|✔|√)\s|\s{0,8}--- PASS|=== (?:RUN|CONT|PAUSE)"
        r"|.{1,200}\s\.\.\.\s(?:ok|PASSED)\s?$"
        r"|.{1,200}\s(?:PASSED|SKIPPED|XFAIL)\s{0,4}(?:\[\s{0,3}\d{1,3}%\])?\s{0,3}$|\s{0,4}Passed\s\w"
        r"|\[ {7}OK \]|\[ RUN {6}\]"
        r"|[\w./\\-]{1,160}\s?[.sxX]{1,120}\s{0,8}(?:\[\s{0,3}\d{1,3}%\])?\s{0,3}$"
        r"|[.sxF]{1,120}\s{0,4}(?:\[\s{0,3}\d{1,3}%\])?$"
    )


_ASSERTION = re.compile(
    r"E {2,12}\S|>\s{2,12}\S|\s{0,12}(?:Expected|Received|expected|received|actual|Actual|left|right|got"
    r"|want)\b.{0,6}[:=]|"
    r"\s{0,12}(?:assert|AssertionError|Assertion)|\s{0,8}[-+] (?:Expected|Received)|\s{0,6}thread '.{1,80}' panicked"
)
_PYTEST_HEAD = re.compile(r"(?:platform |rootdir:|configfile:|plugins:|cachedir:|asyncio:|testpaths:)")
_NAME_ERROR = re.compile(r"FAILED|ERROR")


def weigh_test_run(sheet: Sheet) -> list[float]:
    """Summary and failing names first, then assertions and places, then their surroundings; passing tests last."""
    failing, passing = _failing(), _passing()
    weights = weigh_run(sheet, base=0.16)
    for i, line in enumerate(sheet.lines):
        head = line[:LOOK]
        if not head.strip():
            continue
        if failing.match(head) and not (head[0] == " " and "passed" in head):
            weights[i] = max(weights[i], FAILING)
        elif _ASSERTION.match(head):
            weights[i] = max(weights[i], 0.95 if head[0] in "E>" else 0.8)
        elif i in sheet.closing and weights[i] >= SUMMARY:
            continue
        elif _PYTEST_HEAD.match(head):
            weights[i] = 0.05
        elif i not in sheet.trouble and passing.match(head):
            weights[i] = 0.06
    return weights


_ROUTINE = (
    "download", "compiling ", "collecting ", "requirement already", "using cached", "installing collected", "fetching ",
    "resolving ", "checking ", "http fetch", "preparing metadata", "extracting", "pulling", "cached", "progress",
    "unpacking", "selecting previously", "get:", "hit:", "setting up ", "building wheel", "reading package", "transfer",
    "waiting", "verifying", "npm notice", "sha256:", "下载", "正在",
)  # fmt: skip
_BAR = re.compile(r"\d{1,3}(?:\.\d+)?%|[━█▓░#=]{6,}|\[=*>? *\]|eta \d|\b\d+(?:\.\d+)?\s?[kMG]i?B/s")
_STEP = re.compile(
    r"(?:Step \d+/\d+|#\d+ \[|\[\d+/\d+\]|> Task |\[INFO\] (?:---|Building|Reactor)|={3,} |-{2,} |\+ \w"
    r"|\$ |> \S+@\S+ )"
)
_MAKE = re.compile(r"(?:make(?:\[\d+\])?: \*\*\*|ninja: |collect2:|ld:|ld\.\w+:)")


def weigh_build(sheet: Sheet) -> list[float]:
    """Errors with their places, the outcome, warnings; steps; routine messages and progress bars last."""
    weights = weigh_run(sheet, base=0.25)
    routine = sheet.lines_with(_ROUTINE)
    for i, line in enumerate(sheet.lines):
        if weights[i] >= 0.9:  # noqa: PLR2004  # errors and outcomes stay as they are
            continue
        head = line[:LOOK]
        if _MAKE.match(head):
            weights[i] = max(weights[i], 0.95)
        elif i in routine and i not in sheet.trouble:
            weights[i] = min(weights[i], 0.06)
        elif _BAR.search(head[:200]) and i not in sheet.closing:
            weights[i] = min(weights[i], 0.04)
        elif _STEP.match(head):
            weights[i] = max(weights[i], 0.35)
    _lift_headings(sheet, weights)
    return weights


def _lift_headings(sheet: Sheet, weights: list[float]) -> None:
    """Lift the line that indented problems stand under (linters print the file once, then its problems)."""
    heading = -1
    for i, line in enumerate(sheet.lines):
        if not line.strip():
            heading = -1
        elif not line[0].isspace():
            heading = i
        elif heading >= 0 and i in sheet.trouble:
            weights[heading] = max(weights[heading], min(0.93, weights[i]))


_LOCATED = re.compile(r"\s{1,8}\d{1,7}:\d{1,5}\s")
"""A problem that says where it is in the file above it."""


def files_above(sheet: Sheet) -> dict[int, int]:
    """For each problem that stands indented under the file it is in (eslint, stylelint), the line of that file."""
    above: dict[int, int] = {}
    heading = -1
    for i, line in enumerate(sheet.lines):
        if not line.strip():
            heading = -1
        elif not line[0].isspace():
            heading = heading if lines_behind(line) else i
        elif heading >= 0 and _LOCATED.match(line):
            above[i] = heading
    return above


_LEVEL = re.compile(
    r"\b(?:(FATAL|ERROR|CRIT(?:ICAL)?|SEVERE|ERR|E)|(WARN(?:ING)?|W)|(INFO|NOTICE|I)|(DEBUG|TRACE|VERBOSE|D|V))\b"
)


def weigh_log(sheet: Sheet) -> list[float]:
    """By level, and each shape of line once: repeats of a shape count little, its last one a little more."""
    weights = weigh_run(sheet, base=0.25)
    for i, line in enumerate(sheet.lines):
        m = _LEVEL.search(line[:80])
        if m is None:
            continue
        if m[1] and len(m[1]) > 1:
            weights[i] = max(weights[i], 0.95)
        elif m[2] and len(m[2]) > 1:
            weights[i] = max(weights[i], 0.6)
        elif m[4] and i not in sheet.trouble:
            weights[i] = min(weights[i], 0.08)
    return weights


def weigh_run(sheet: Sheet, base: float = 0.3) -> list[float]:
    """The common part: trouble, outcomes, tracebacks, places, beginning and end, repeats of a shape."""
    lines = sheet.lines
    trouble, closing = sheet.trouble, sheet.closing
    weights = [0.0] * len(lines)
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        if not has_words(line):
            weights[i] = 0.02
            continue
        strength = trouble.get(i, 0.0)
        if i in closing:
            weights[i] = SUMMARY
        elif strength >= 1.0:
            weights[i] = 0.95
        elif strength:
            weights[i] = strength if sheet.is_located(i) else strength * 0.9
        else:
            weights[i] = base
    lower_repeats(sheet, weights)
    weigh_traces(lines, weights)
    _lift_ends(lines, weights)
    return weights


def lower_repeats(sheet: Sheet, weights: list[float]) -> None:
    """Lower lines whose shape came before: the second and later ones to a fifth, the last of a shape to a half.

    Errors and outcomes of one shape stay at 0.9 or above; a line that says word for word the same again does
    not.
    """
    seen: dict[str, list[int]] = {}
    said: set[str] = set()
    for i, weight in enumerate(weights):
        if weight <= 0.05:  # noqa: PLR2004  # what is routine already cannot sink
            continue
        seen.setdefault(sheet.shape(i), []).append(i)
        if weight >= 0.5:  # noqa: PLR2004  # told once is told
            line = sheet.lines[i].strip()
            if line in said:
                weights[i] = 0.4
            said.add(line)
    for places in seen.values():
        if len(places) < 3:  # noqa: PLR2004  # a pair is no repetition
            continue
        for n, i in enumerate(places):
            if n == 0:
                continue
            if weights[i] >= 0.9:  # noqa: PLR2004  # errors and outcomes
                weights[i] = max(0.9, weights[i] - 0.005 * n)
            else:
                weights[i] *= 0.5 if n == len(places) - 1 else 0.2


def _lift_ends(lines: Sequence[str], weights: list[float]) -> None:
    """Lift the first lines (what ran) and the last ones (how it ended)."""
    full = [i for i in range(min(len(lines), 40)) if lines[i].strip()][:2]
    last = [i for i in range(len(lines) - 1, max(-1, len(lines) - 40), -1) if lines[i].strip()][:3]
    for i in full:
        weights[i] = max(weights[i], 0.5)
    for i in last:
        weights[i] = max(weights[i], 0.6)
