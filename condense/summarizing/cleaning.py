"""Clean a model's answer: its wrappers off, our own marks defused, headings lowered, cut to a limit at a line's end."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

from condense.reading import PHRASES
from memory.conversation import redact

if TYPE_CHECKING:
    from memory.conversation import TokenCounter

_THOUGHTS = re.compile(r"\A\s{0,99}<(analysis|think|thinking|scratchpad)>.{0,200000}?</\1>", re.DOTALL)
_WRAPPED = re.compile(
    r"\A\s{0,99}<(summary|conversation_summary|state_snapshot)>\s{0,9}(.*?)\s{0,9}(?:</\1>\s{0,99})?\Z",
    re.DOTALL,
)
_FENCED = re.compile(r"\A```(?:markdown|md|text)?[ \t]{0,9}\n(.*)\n```\Z", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_OUR_TAG = re.compile(r"<(\s{0,9}/?\s{0,9}holdfast-context)", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}#{1,2}(?=\s|$)")
_CODE = re.compile(r"\s{0,3}(?:```|~~~)")


def unwrapped(text: str) -> str:
    """Take off what models put around a summary: thoughts, tags, one code fence; and characters no text needs."""
    text = text.replace("\r\n", "\n").encode("utf-8", "replace").decode("utf-8")
    text = _CONTROL.sub("", text)
    text = _THOUGHTS.sub("", text).strip()
    for pattern in (_WRAPPED, _FENCED):
        found = pattern.match(text)
        if found is not None:
            text = found[found.lastindex or 0].strip()
    return text


def defused(text: str) -> str:
    """Make a text fit to stand inside our block: no tag of ours in it, no heading that looks like ours, no secret.

    Its headings go three deep; one that is worded like ours loses what ours vouches for ("the user's words").
    """
    text = _OUR_TAG.sub(r"‹\1", redact(text))
    lines = text.split("\n")
    inside = False
    for i, line in enumerate(lines):
        if _CODE.match(line):
            inside = not inside
        elif line.strip().lstrip("#").strip() in _titles():
            lines[i] = re.sub(
                r"\s{0,3}[(（][^()（）]{1,200}[)）]\s{0,3}\Z", "", _HEADING.sub("###", line, count=1)
            )
        elif not inside and _HEADING.match(line):
            lines[i] = _HEADING.sub("###", line, count=1)
    return "\n".join(lines).strip()


@cache
def _titles() -> frozenset[str]:
    return frozenset(text for table in PHRASES.values() for text in table.values() if "{" not in text)


def cut_to(text: str, limit: int, count: TokenCounter) -> str:
    """Return the beginning of a text that is within a limit, whole lines where one fits; "" where nothing does."""
    if count(text) <= limit:
        return text
    lines = text.split("\n")
    for pieces, between, end in ((lines, "\n", "\n…"), (list(lines[0]), "", "…")):
        starts = range(1, len(pieces) + 1)
        kept = bisect_left(
            starts,
            x=True,
            key=lambda n: count(between.join(pieces[:n]) + end) > limit,
        )
        if kept:
            return between.join(pieces[:kept]) + end
    return ""
