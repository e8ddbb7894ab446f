"""How much each line of an output is worth keeping: one scale for what ran, another for what was only shown.

In what a command printed, errors, failing names and outcomes come first; in a file or page that was shown, words of
trouble are its subject, and definitions, headings and settings come first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from condense.reading.outputs.harness_frames import frame_weights
from condense.reading.outputs.markers import lines_behind
from condense.reading.outputs.traces import weigh_traces
from condense.reading.outputs.trouble_words import LOOK, Sheet, has_words

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILING = 0.98
SUMMARY = 1.0
"""Weights are chosen; their order is what counts: summaries and exit codes, failing names, errors, their
surroundings, the ordinary, the routine."""
_CODE_SHARE = 0.4
"""Share of lines of code from which a text counts as shown where nothing is known of the call; chosen."""


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
_ROUTINE = (
    "download", "compiling ", "collecting ", "requirement already", "using cached", "installing collected", "fetching ",
    "resolving ", "checking ", "http fetch", "preparing metadata", "extracting", "pulling", "cached", "progress",
    "unpacking", "selecting previously", "get:", "hit:", "setting up ", "building wheel", "reading package", "transfer",
    "waiting", "verifying", "npm notice", "sha256:", "下载", "正在",
)  # fmt: skip
_BAR = re.compile(r"\d{1,3}(?:\.\d+)?%|[━█▓░#=]{6,}|\[=*>? *\]|eta \d|\b\d+(?:\.\d+)?\s?[kMG]i?B/s")
_GENERATED = re.compile(
    r"(?:^|[\s/\\])(?:node_modules|\.git|__pycache__|\.venv|venv|dist|\.next|\.cache|\.mypy_cache"
    r"|\.pytest_cache|target/debug|"
    r"target/release|coverage|\.idea|\.gradle|vendor|bower_components)(?:[/\\]|$)|\.(?:pyc|class|o|map"
    r"|lock|min\.js)$|package-lock"
)
NUMBERED = re.compile(r"\s{0,8}\d{1,7}(?:\t|: ?|→| \| ?|\s{1,2})")
"""What editors and `cat -n` put before a line."""


@cache
def _defines() -> re.Pattern[str]:
    return re.compile(
        r"\s{0,16}(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w{1,9}\))?|"
        r"unsafe|override|virtual|sealed|partial|const|open|data|suspend|declare)\s{1,3}){0,5}"
        r"(?:def|class|interface|struct|enum|trait|type|namespace|fn|fun|func|function\*?|record|impl|module|package|"
        r"CREATE|create)\b"
        r"|\s{0,4}(?:export )?(?:const|let|var)\s\w{1,80}.{0,80}=>|\[{1,2}[\w.\"' -]{1,80}\]{1,2}\s{0,3}$|#{1,6}\s\S|"
        r"\s{1,12}(?:public|private|protected|internal)\s[\w<>\[\], ]{1,80}\("
    )


_SETTING = re.compile(r"\s{0,12}[\"']?[\w.$/@-]{1,80}[\"']?\s{0,3}[:=]\s{0,3}\S")
_TELLING = re.compile(r"\s{0,80}\"(?:errors?|message|msg|status|reason|detail)\"\s?:")
"""Keys of JSON whose values say how something went."""
_CONSTANT = re.compile(
    r"\s{0,8}(?:export |public |static |const |final ){0,4}[A-Z][A-Z0-9_]{2,60}\s{0,3}(?::.{1,60})?="
)
_HEADING = re.compile(
    r"\s{0,3}(?:#{1,6}\s\S|[A-Z][^.!?]{2,60}:$|\*\*[^*]{2,80}\*\*:?$|[一二三四五六七八九十]{1,3}[、.]|第.{1,4}[章节部])"
)
_ITEM = re.compile(r"\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s")
_CODE_LINE = re.compile(
    r"\s*(?:import |from .+ import|[\w.]{1,60} [-+*|]?= \S|(?:if|for|while|with|elif|else|try)\b.{0,200}:$"
    r"|def |class |function |const |let |var |return\b|raise |throw |if ?\(|for ?\(|#include"
    r"|package |use |pub |fn "
    r"|export |public |private |}|\)|//|/\*|[\w\"'$./-]{1,80}:(?: |$)|- [\w\"'$./-]{1,80}:(?: |$)"
    r"|[.#@:\w][^{;]{0,200}\{$|[^;{]{1,200};$)"
)


def line_weights(text: str, *, shown: bool | None = None) -> list[float]:
    """Return one weight a line, 0 (worth nothing) to 1 (must stay), for the lines between newlines.

    At least 0.9: errors, failing test names, summaries and outcomes, non-zero exit codes. 0: blanks, rules,
    what the harness added. Linear; some megabytes a second.

    Args:
        text: a tool output (see `frames.output_text` for outputs that came wrapped in JSON).
        shown: it is a file, page or listing that was shown rather than what a command printed; None finds out.
    """
    return weigh(Sheet(text), shown=shown)


def weigh(sheet: Sheet, *, shown: bool | None = None) -> list[float]:
    """Return the weights of the lines of a sheet, as `line_weights` does of a text."""
    if shown is None:
        full = [line for line in sheet.lines if line.strip()]
        shown = sum(1 for line in full if _CODE_LINE.match(line[:LOOK])) >= _CODE_SHARE * max(1, len(full))
    weights = _weigh_shown(sheet) if shown else _weigh_run(sheet)
    for i, weight in frame_weights(sheet.lines).items():
        weights[i] = weight
    return weights


def _weigh_shown(sheet: Sheet) -> list[float]:
    """Definitions, headings and constants first, then settings and the rest; braces and generated entries last."""
    defines = _defines()
    weights = []
    for line in sheet.lines:
        head = line[:LOOK]
        m = NUMBERED.match(head)
        body = head[m.end() :] if m else head
        if not has_words(body):
            weights.append(0.0 if not body.strip() else 0.02)
        elif defines.match(body) or _TELLING.match(body):
            weights.append(0.8)
        elif _CONSTANT.match(body):
            weights.append(0.55 if body[0].isspace() else 0.86)
        elif _GENERATED.search(body[:300]):
            weights.append(0.05)
        else:
            weights.append(0.4 if _SETTING.match(body) else 0.3)
    return weights


def _weigh_run(sheet: Sheet) -> list[float]:
    """Trouble, failing names, outcomes, traces; headings and items; passing tests and progress last."""
    lines = sheet.lines
    trouble, closing, routine = sheet.trouble, sheet.closing, sheet.lines_with(_ROUTINE)
    failing, passing = _failing(), _passing()
    weights = [0.0] * len(lines)
    after_blank = True
    for i, line in enumerate(lines):
        head = line[:LOOK]
        if not head.strip():
            after_blank = True
            continue
        strength = trouble.get(i, 0.0)
        if not has_words(head):
            weights[i] = 0.02
        elif i in closing:
            weights[i] = SUMMARY
        elif failing.match(head) and not (head[0] == " " and "passed" in head):
            weights[i] = FAILING
        elif strength >= 1.0 or _ASSERTION.match(head):
            weights[i] = 0.95 if strength >= 1.0 or head[0] in "E>" else 0.8
        elif strength:
            weights[i] = strength if sheet.is_located(i) else strength * 0.9
        elif i in routine or passing.match(head) or _BAR.search(head[:200]) or _GENERATED.search(head[:300]):
            weights[i] = 0.05
        elif _HEADING.match(head):
            weights[i] = 0.7
        else:
            weights[i] = 0.45 if after_blank else 0.3
        after_blank = False
    _lower_repeats(sheet, weights)
    weigh_traces(lines, weights)
    for i, heading in files_above(sheet).items():
        weights[heading] = max(weights[heading], min(0.93, weights[i]))
    _lift_ends(lines, weights)
    return weights


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


def _lower_repeats(sheet: Sheet, weights: list[float]) -> None:
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
