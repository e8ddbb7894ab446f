"""Telling what kind of output a text is: by the call that it answers, else by its own lines."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from condense.reducing.documents import NUMBERED
from condense.reducing.outputs import NO_HINT, OutputKind, ToolHint
from condense.shell_rows import Purpose
from condense.tool_names import ToolAction

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAMPLE = 60
"""Lines looked at from the front, and as many from the end."""


_ENDED = re.compile(
    r"make(?:\[\d+\])?: \*\*\* |npm ERR! code|error\[E\d{4}\]|error: could not compile|ERROR: failed to solve"
    r"|\[?(?:INFO|ERROR)?\]? ?BUILD (?:FAILED|FAILURE|SUCCESS)|ninja: build stopped|Build FAILED\."
)
"""Lines that only a build ends with: one is enough."""


@cache
def _signs() -> tuple[tuple[OutputKind, re.Pattern[str], float], ...]:
    """Patterns of single lines, and the share of sampled lines that must match for the kind to be taken."""
    return (
        (
            OutputKind.DIFF,
            re.compile(r"diff --git |@@ -\d+,?\d* \+\d+|\*\*\* (?:Begin Patch|Update File)|\+\+\+ b/"),
            0.01,
        ),
        (
            OutputKind.TEST_RUN,
            re.compile(
                r"={3,} .*(?:test session starts|passed|failed|FAILURES|short test summary)|test result: "
                r"|--- (?:FAIL|PASS): "
                r"|Tests?:? {1,8}\d+ (?:passed|failed)|Tests run: \d+|\s*\d+ (?:passing|failing)\b|Test Suites: "
                r"|FAILED \S+::"
                r"|Ran \d+ tests? in|running \d+ tests?$|\d+ passed\b.* in [\d.]+s|not ok \d+|TAP version"
            ),
            0.01,
        ),
        (OutputKind.BUILD, _ENDED, 0.0),
        (
            OutputKind.LOG,
            re.compile(
                r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d"
                r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)[\s:\]|]|\[\w+\] \[(?:INFO|DEBUG)"
            ),
            0.35,
        ),
        (
            OutputKind.GREP,
            re.compile(r"(?:[A-Za-z]:)?[^\s:]{1,200}\.\w{1,8}[:-]\d{1,7}[:-]|Found \d+ match"),
            0.5,
        ),
        (
            OutputKind.BUILD,
            re.compile(
                r"\s+Compiling \w|> Task :|\[INFO\] |Step \d+/\d+|make(?:\[\d+\])?: |error TS\d+"
                r"|#\d+ (?:\[|sha256|\d+\.\d|DONE|CACHED|transferring|ERROR)|npm (?:warn|ERR!|notice|http|info)"
                r"|\S+\(\d+,\d+\): error|Collecting \w|Requirement already|added \d+ packages|Building wheel"
                r"|\S+:\d+:\d+: (?:error|warning)|Get:\d+ http|vite v|webpack |(?:cc|gcc|g\+\+|clang\S{0,3}|ar|ld) -"
                r"|(?:CC|CXX|LD|AR) {1,9}\S|\[ {0,2}\d+%\] (?:Building|Linking|Built)"
            ),
            0.12,
        ),
        (OutputKind.TABLE, re.compile(r"\s*[|│┃].*[|│┃]\s*$|\+[-+=]{5,}\+|[-─━ ]{2,}[-─━+┼|]{6,}$"), 0.6),
        (
            OutputKind.HTML,
            re.compile(
                r"\s*(?:<!DOCTYPE|</?(?:html|head|body|div|span|p|a|ul|li|script|meta|table|tr|td)\b)",
                re.IGNORECASE,
            ),
            0.4,
        ),
        (
            OutputKind.LISTING,
            re.compile(
                r"[-dl][rwxsStT-]{9}|\s*[│├└]|total \d+$"
                r"|(?:[A-Za-z]:)?[\w./\\@+~ ()\[\]-]{0,200}[\w)\]-](?:\.\w{1,10}|/)$"
                r"|d?-?[ar-]{4,6}\s+\d"
            ),
            0.7,
        ),
        (OutputKind.FILE, NUMBERED, 0.8),
    )


_DOCUMENTS = (OutputKind.JSON, OutputKind.HTML, OutputKind.TABLE, OutputKind.DIFF)
"""What a page from the network may be; any other is read like a file: words of trouble in it are its subject."""


def detect_kind(text: str, hint: ToolHint = NO_HINT) -> OutputKind:
    """Return what kind of output a text is.

    Args:
        text: the output; its first and last lines are looked at.
        hint: what is known about the call.
    """
    lines = [line[:300] for line in _sample(text)]
    by_text = _by_text(lines, text)
    if hint.action is ToolAction.FETCH:
        return by_text if by_text in _DOCUMENTS else OutputKind.FILE
    if hint.action is ToolAction.READ and not hint.failed:
        return _of_file(hint.path, by_text)
    if hint.purpose is Purpose.TEST:
        return OutputKind.TEST_RUN
    if hint.purpose in (Purpose.BUILD, Purpose.CHECK, Purpose.INSTALL):
        return OutputKind.BUILD
    if by_text in (OutputKind.DIFF, OutputKind.JSON):
        return by_text
    if hint.action is ToolAction.SEARCH:
        return OutputKind.GREP
    if hint.action is ToolAction.LIST:
        return OutputKind.LISTING
    return by_text


def _of_file(path: str, by_text: OutputKind) -> OutputKind:
    ending = path.rsplit(".", 1)[-1].lower()
    if ending in ("html", "htm", "svg", "xml", "vue"):
        return OutputKind.HTML if by_text is OutputKind.HTML else OutputKind.FILE
    if ending in ("json", "jsonl", "ndjson"):
        return OutputKind.JSON if by_text is OutputKind.JSON else OutputKind.FILE
    if ending in ("log", "out"):
        return by_text if by_text in (OutputKind.TEST_RUN, OutputKind.BUILD) else OutputKind.LOG
    if ending in ("diff", "patch"):
        return OutputKind.DIFF
    return OutputKind.FILE


def _sample(text: str) -> list[str]:
    head = text[:20_000].split("\n")[:_SAMPLE]
    if len(text) <= 20_000 and text.count("\n") < 2 * _SAMPLE:  # noqa: PLR2004  # all of it
        return [line for line in text.split("\n") if line.strip()]
    return [line for line in [*head, *text[-20_000:].split("\n")[-_SAMPLE:]] if line.strip()]


_CODE_LINE = re.compile(
    r"\s*(?:import |from .+ import|[\w.]{1,60} [-+*|]?= \S|(?:if|for|while|with|elif|else|try)\b.{0,200}:$"
    r"|def |class |function |const |let |var |return\b|if ?\(|for ?\(|#include"
    r"|package |use |pub |fn "
    r"|export |public |private |}|\)|//|/\*|[\w\"'$./-]{1,80}:(?: |$)|- [\w\"'$./-]{1,80}:(?: |$)"
    r"|[.#@:\w][^{;]{0,200}\{$|[^;{]{1,200};$)"
)
"""Lines of source code, settings (YAML, TOML) and style sheets."""


def _by_text(lines: Sequence[str], text: str) -> OutputKind:
    if not lines:
        return OutputKind.PLAIN
    if _is_json(text):
        return OutputKind.JSON
    for kind, pattern, share in _signs():
        hits = sum(1 for line in lines if pattern.match(line))
        if hits and hits >= share * len(lines):
            return kind
    code = sum(1 for line in lines if _CODE_LINE.match(line))
    return OutputKind.FILE if code >= 0.4 * len(lines) else OutputKind.PLAIN


def _is_json(text: str) -> bool:
    head, tail = text[:200].lstrip(), text[-200:].rstrip()
    if head[:1] == "{":
        return tail[-1:] == "}" and bool(re.match(r"\{\s*(?:\"|\})", head))
    return head[:1] == "[" and tail[-1:] == "]" and bool(re.match(r"\[\s*[\[{\"\d\]tfn-]", head))
