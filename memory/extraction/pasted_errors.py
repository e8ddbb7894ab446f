"""The identifying line of a pasted error: what a stack trace, a build log or a JSON answer says went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.conversation import LazyPattern
from memory.extraction.text import LineKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.extraction.clauses import Clause

MOST_LINES = 3
"""Identifying lines taken from one message at most (measured: people mean one to three failures at a time)."""

_SURE = 2

_STRONG = LazyPattern(
    r"\b[A-Za-z_.]{0,60}(?:Error|Exception|[a-z]Warning)\b(?:\s?\[\w{1,20}\])?:\s?\S|(?:error|ERROR|fatal|FATAL"
    r"|panic)(?:(?<=\A.....)|(?<=[\s\]].....))(?:\[\w{1,12}\]|\s\w{1,12}\d{1,6})?\]?:?\s\S|(?:^|\s)[×✗✖❌]\s?\S"
    r"|\bFailed to\b|\bUncaught\b|\bModule not found\b|npm ERR! (?!A complete|code|path|errno|syscall)"
)
_WEAK = LazyPattern(
    r"\b(?:WARN(?:ING)?|[Ww]arning)\b|\b[Ff]ailed\b|\b[Cc]annot\b|\bnot found\b|\brefused\b|\bdenied\b"
    r"|is not defined|ERR_[A-Z]|\bUnable to\b|\bNo module named\b|not available"
)
_MESSAGE_FIELD = LazyPattern(r"\s{0,40}\{?\s{0,8}\"(?:message|detail|error|errMsg|reason|msg)\":\s{0,3}\"[^\"]{6,}")
_BOILERPLATE = LazyPattern(
    r"re-?run |full stack trace|full debug logging|for more information|\[help \d\]|possible solutions|read the followi"
    r"ng|could not compile|aborting due|complete log of this run|after correcting|build failed, waiting|some problems w"
    r"ere encountered|previous errors?\b|^test result: |a new release of|to update, run|throw new |console\.(?:error"
    r"|log)|\bcatch\b|raise \w+\(|logger\.|except \w+|new error\(|download the react devtools|never (?:used|read"
    r"|constructed)|deprecated|could not read \d project|has \d{1,3} errors?\b|compiled with|^failed to compile\.?$"
    r"|^\W*err_\w+$|^\s{0,8}>?\s?\d{1,6}\s{1,3}[│|]|seterror|^\W{0,3}warning\W{0,3}$|\b(?:process|command|script|job"
    r"|step|program) (?:completed|exited|failed|finished|ended)\b.{0,12}\b(?:code|status):? \d{1,3}\W{0,3}$"
    r"|^\s{0,40}error\??: [a-z]\w{0,30}(?:\[.{0,40}\])?(?: \| \w{1,20})? ?=(?!=)"
)
"""In lower case: turns of phrase of lines that say nothing of their own."""
_STATEMENT = LazyPattern(r"[;{(]\s{0,3}$|=>")
_VOLATILE = LazyPattern(r"\d+")
_ERROR, _CODE = LineKind.ERROR, LineKind.CODE


def identifying_lines(clauses: Sequence[Clause]) -> tuple[int, ...]:
    """Return the indexes of the pasted lines that name what failed: the strongest few, each once, in order."""
    best: dict[str, tuple[int, int]] = {}
    enough = 0
    for index, clause in enumerate(clauses):
        kind = clause.kind
        if kind is not _ERROR and (kind is not _CODE or '"' not in clause.text[:60]):
            continue
        key = _VOLATILE.sub("", clause.text)[-80:]
        if key in best:
            continue
        if strength := _strength(clause):
            best[key] = (strength, index)
            enough += strength >= _SURE
        if enough == MOST_LINES:
            break  # only these are taken: weaker ones give way to them, later ones come too late
    top = max((strength for strength, _ in best.values()), default=0)
    chosen = [index for strength, index in best.values() if strength >= min(top, _SURE)]
    return tuple(sorted(chosen)[:MOST_LINES])


def _strength(clause: Clause) -> int:
    """3 for a named failure, 2 for a message field, 1 for a warning, 0 for anything else."""
    text = clause.text[:600]
    if clause.kind is _CODE:
        strength = 2 if not clause.fenced and _MESSAGE_FIELD.match(text) else 0
    elif clause.fenced and _STATEMENT.search(text):
        strength = 0
    elif _STRONG.search(text):
        strength = 3
    else:
        strength = 1 if _WEAK.search(text) else 0
    return 0 if strength and _BOILERPLATE.search(text.lower()) else strength
