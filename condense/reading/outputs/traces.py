"""Stack traces within an output: the message, its causes and the nearest frames weigh most.

Python prints the failing frame last, all others print it first; frames inside of libraries weigh little.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PYTHON = "Traceback (most recent call last)"
_FRAME = re.compile(
    r"\s{1,12}at\s\S|\s{0,4}from \S{1,200}:\d{1,6}:in|\s{1,6}\d{1,4}: 0?x?\S|\t\S{1,200}\.go:\d"
    r"|\s{2,8}in \S{1,200}:\d{1,6}|#\d{1,3}\s"
)
_LIBRARY = re.compile(
    r"node_modules|<frozen |[\\/][Ll]ib[\\/]|site-packages|internal/|java\.base|org\.junit|reflect|node:"
    r"|/lib/python|<anonymous>|sun\.|jdk\."
    r"|/rustc/|core::|std::|runtime/|System\.|Microsoft\."
)
_MORE = re.compile(r"\s{0,8}\.\.\. \d{1,5} (?:more|common)")
_CAUSE = re.compile(
    r"\s{0,8}(?:Caused by|Suppressed|During handling of|The above exception|Exception in thread)"
)
_LONGEST = 400
_NEAREST = 4
_CODE_MARKS = re.compile(r"\s{0,12}(?:\d{0,6} ?\||-->|\^|~{2,}|=\s(?:note|help)|\|)")


def weigh_traces(lines: Sequence[str], weights: list[float]) -> None:
    """Set the weights of stack traces and of the code shown under an error, in place; linear."""
    i, count = 0, len(lines)
    frames = 0
    while i < count:
        line = lines[i]
        if _PYTHON in line:
            i = _python_trace(lines, weights, i)
            frames = 0
            continue
        if line[:1] in " \t#" and _FRAME.match(line[:_LONGEST]):
            near = frames < _NEAREST
            library = _LIBRARY.search(line[:_LONGEST]) is not None
            weights[i] = 0.1 if library else (0.75 if near else 0.15)
            frames += not library
        elif _MORE.match(line[:80]):
            weights[i] = 0.05
        elif _CAUSE.match(line[:80]):
            weights[i] = max(weights[i], 0.93)
            frames = 0
        elif weights[i] >= 0.9:  # noqa: PLR2004  # an error: the code under it belongs to it
            frames = 0
            i = _shown_code(lines, weights, i + 1)
            continue
        i += 1


def _python_trace(lines: Sequence[str], weights: list[float], start: int) -> int:
    """Weigh one Python traceback; returns the line behind it."""
    margin = len(lines[start]) - len(lines[start].lstrip(" |+"))
    weights[start] = 0.8
    end = start + 1
    while end < len(lines) and end - start < _LONGEST:
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip(" |+")) <= margin:
            break
        end += 1
    own = 0
    for i in range(end - 1, start, -1):
        if not lines[i].strip():
            continue
        file_line = lines[i].lstrip(" |+").startswith("File ")
        library = file_line and _LIBRARY.search(lines[i]) is not None
        near = own < _NEAREST and not library
        weights[i] = (0.85 if near else 0.2) if file_line else (0.7 if near else 0.12)
        own += file_line and not library
    if end < len(lines) and lines[end].strip():
        weights[end] = max(weights[end], 0.97)
        return end + 1
    return end


def _shown_code(lines: Sequence[str], weights: list[float], start: int) -> int:
    """Lift the code that a compiler or linter shows under an error (rustc, tsc, eslint, clang); at most 12 lines."""
    i = start
    while i < len(lines) and i - start < 12:  # noqa: PLR2004  # more than a screenful is no quotation
        line = lines[i]
        if not line.strip() or not _CODE_MARKS.match(line[:80]):
            break
        weights[i] = max(weights[i], 0.72 if line.lstrip().startswith(("-->", "=")) or "^" in line else 0.5)
        i += 1
    return i
