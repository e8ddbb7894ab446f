"""How much each line of an output is worth keeping: errors and outcomes of what ran, definitions of what was shown."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.reading.outputs.harness_frames import frame_weights
from condense.reading.outputs.long_lines import lines_behind
from condense.reading.outputs.trouble_words import LOOK, Sheet, has_words, is_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODE_SHARE = 0.4  # of lines, from which a text of an unknown call counts as shown; chosen
_FAILING = re.compile(
    r"\s{0,8}(?:FAILED|ERROR|FAIL:?|ERROR:|--- FAIL|●)\s?\S|\s{0,12}(?:✕|✗|×|✘|❌)\s|\s{0,4}not ok \d"
    r"|.{1,200}\s(?:\.\.\.\s)?(?:FAILED|FAIL|ERROR|failed)\s{0,3}$|\[ERROR\]\s{1,4}\w.{0,200}:\d"
    r"|\s{0,8}Failed\s\w.{0,160}\[|_{3,40} .{1,160} _{3,40}$|\[  FAILED  \]"
    r"|E {2,12}\S|>\s{2,12}\S|\s{0,6}thread '.{1,80}' panicked|\s{0,12}[Aa]ssert|\s{0,8}[-+] (?:Expected|Received)"
    r"|\s{0,12}(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|left|right|got|want)\b.{0,6}[:=]"
)
_ROUTINE = re.compile(
    r"\s{0,8}(?:PASS(?:ED)?|ok|--- PASS)\b|\s{0,12}(?:✓|✔|√)\s|=== (?:RUN|CONT|PAUSE)|\s{0,4}Passed\s\w|\[ {7}OK \]"
    r"|.{1,200}\s(?:\.\.\.\s)?(?:ok|PASSED|SKIPPED|XFAIL)\s{0,4}(?:\[\s{0,3}\d{1,3}%\])?\s{0,3}$|\[ RUN {6}\]"
    r"|(?:[\w./\\-]{1,160}\s?)?[.sxXF]{1,120}\s{0,8}(?:\[\s{0,3}\d{1,3}%\])?\s{0,3}$"
    r"|(?i:.{0,300}?(?:\b(?:download|compiling|collecting|requirement already|using cached|installing collected"
    r"|fetching|resolving|http fetch|extracting|pulling|unpacking|selecting previously|get:|hit:|setting up"
    r"|building wheel|npm notice|sha256:)|下载|正在|\d%|[━█▓░#=]{6}))"
)
_GENERATED = re.compile(
    r"(?:^|[\s/\\])(?:node_modules|\.git|__pycache__|\.?venv|dist|\.next|\.(?:\w+_)?cache|target/(?:debug|release)"
    r"|coverage|\.idea|\.gradle|vendor|bower_components)(?:[/\\]|$)|\.(?:pyc|class|o|map|lock|min\.js)$|package-lock"
)
_NUMBER = re.compile(r"\s{0,8}\d{1,7}(?:\t|: ?|→| \| ?|\s{1,2})")
_DEFINES = re.compile(
    r"\s{0,16}(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w{1,9}\))?"
    r"|unsafe|override|virtual|sealed|partial|const|open|data|suspend|declare)\s{1,3}){0,5}(?:(?:def|class|interface"
    r"|struct|enum|trait|type|namespace|fn|fun|func|function\*?|record|impl|module|package|CREATE|create)\b"
    r"|(?P<constant>[A-Z][A-Z0-9_]{2,60})\s{0,3}(?::.{1,60})?=)|\s{0,4}(?:export )?(?:const|let"
    r"|var)\s\w{1,80}.{0,80}=>|\[{1,2}[\w.\"' -]{1,80}\]{1,2}\s{0,3}$|#{1,6}\s\S|\s{1,12}(?:public|private|protected"
    r"|internal)\s[\w<>\[\], ]{1,80}\(|\s{0,80}\"(?:errors?|message|msg|status|reason|detail)\"\s?:"
)
_CODE_LINE = re.compile(
    r"\s*(?:import |from .+ import|[\w.]{1,60} [-+*|]?= \S|(?:if|for|while|with|elif|else|try)\b.{0,200}:$"
    r"|(?:def|class|function|const|let|var|raise|throw|package|use|pub|fn|export|public|private) |return\b|if ?\("
    r"|for ?\(|#include|}|\)|//|/\*|(?:- )?[\w\"'$./-]{1,80}:(?: |$)|[.#@:\w][^{;]{0,200}\{$|[^;{]{1,200};$)"
)
_LIBRARY = re.compile(
    r"node_modules|<frozen |[\\/][Ll]ib[\\/]|site-packages|internal/|java\.base|org\.junit|reflect|node:|/lib/python"
    r"|<anonymous>|sun\.|jdk\.|/rustc/|core::|std::|runtime/|System\.|Microsoft\."
)
_LOCATED = re.compile(r"\s{1,8}\d{1,7}:\d{1,5}\s")
_BEFORE, _BEHIND = 2, 3  # lines around an error that show its place; chosen


def weigh(sheet: Sheet, *, shown: bool | None = None) -> list[float]:
    """Return one weight a line, 0 (blanks, what a client added) to 1; at least 0.9 are errors, failing tests, outcomes.

    `shown`: it is a file, page or listing rather than what a command printed; None finds out. Linear.
    """
    if shown is None:
        full = [line for line in sheet.lines if line.strip()]
        shown = sum(1 for line in full if _CODE_LINE.match(line[:LOOK])) >= _CODE_SHARE * max(1, len(full))
    weights = [_weight_shown(line[:LOOK]) for line in sheet.lines] if shown else _weigh_run(sheet)
    for i, weight in frame_weights(sheet.lines).items():
        weights[i] = weight
    return weights


def _weight_shown(line: str) -> float:
    """Definitions and headings first; braces and generated entries last."""
    body = _NUMBER.sub("", line, count=1) if _NUMBER.match(line) else line
    if not has_words(body):
        return 0.02 if body.strip() else 0.0
    if defined := _DEFINES.match(body):
        return 0.85 if defined["constant"] else 0.8
    return 0.05 if _GENERATED.search(body[:300]) else 0.3


def _weigh_run(sheet: Sheet) -> list[float]:
    """Outcomes, failing names, trouble and where it is; passing tests and progress last."""
    weights = [0.0] * len(sheet.lines)
    for i, line in enumerate(sheet.lines):
        head, trouble = line[:LOOK], sheet.trouble.get(i, 0.0)
        if is_progress(head):
            continue
        if not has_words(head):
            weights[i] = 0.02 if head.strip() else 0.0
        elif i in sheet.closing:
            weights[i] = 1.0
        elif trouble >= 1.0 or _FAILING.match(head):
            weights[i] = 0.95
        elif trouble:
            weights[i] = trouble
        else:
            weights[i] = 0.05 if _ROUTINE.match(head) or _GENERATED.search(head[:300]) else 0.3
    _lower_repeats(sheet, weights)
    _lift_places(sheet.lines, weights)
    for i, heading in files_above(sheet).items():
        weights[heading] = max(weights[heading], min(0.93, weights[i]))
    full = [i for i, line in enumerate(sheet.lines) if line.strip()]
    for i in (*full[:2], *full[-3:]):  # what ran, and how it ended
        weights[i] = max(weights[i], 0.5 if i in full[:2] else 0.6)
    return weights


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
    """Lower lines whose shape came twice before; errors and outcomes of one shape stay at 0.9 or above."""
    shapes: Counter[str] = Counter()
    for i, weight in enumerate(weights):
        shape = sheet.shape(i)
        if shapes[shape] > 1:
            weights[i] = max(0.9, weight - 0.005 * shapes[shape]) if weight >= 0.9 else 0.2 * weight  # noqa: PLR2004
        shapes[shape] += 1


def _lift_places(lines: Sequence[str], weights: list[float]) -> None:
    """Lift what stands around an error: its frames, the code shown for it; frames inside of libraries sink."""
    errors = [i for i, weight in enumerate(weights) if weight >= 0.95]  # noqa: PLR2004  # not yet repeated
    for k in (k for i in errors for k in range(max(0, i - _BEFORE), min(len(lines), i + 1 + _BEHIND))):
        if has_words(lines[k]):
            weights[k] = max(weights[k], 0.72)
    for i, line in enumerate(lines):
        if weights[i] < 0.9 and _LIBRARY.search(line[:LOOK]):  # noqa: PLR2004  # no error itself
            weights[i] = min(weights[i], 0.1)
