"""What a sentence points at that stands before it: "Staging is 10.1.4.9. Never deploy there" is one rule.

A pronoun behind at most one word of content points out of its sentence. What it points at is taken to be the sentence
before, and the one before that where that sentence is a remark ("Took me a day.").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.conversation import LazyPattern
from memory.extraction.text import LineKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.extraction.clauses import Clause

MOST_BEFORE, SHORTEST_BEFORE, LONGEST_BEFORE = 2, 8, 240
"""Sentences that are taken along, at most, and characters of them, at least ("Good.") and at most (chosen)."""
REMARK = 34
"""Width up to which a sentence is a remark (chosen; a Chinese character is two wide)."""

_LEAD = (
    r"(?:(?:please|so|and|but|ok|okay|just|also|then|now|ever|never|always|don['’]?t|do|does|not|no|must|should|can|may"
    r"|might|will|would|we|you|i|nobody|anybody|is|are|be|to|the|a|let|from on|only|again|in|of|for|with|by|without|any"
    r"|at|on|work|that['’]s|it['’]s|how|what|want|all|half|new|more|than)\W{1,3}){0,9}"
)
_NOTHING_ELSE = (
    r"(?!\W{0,2}(?:project|repo|file|folder|app|branch|task|session|time|way|code|function|class|page|one|year|week"
    r"|module|issue|bug|error|problem|table)\b)"
)
_POINTS = LazyPattern(
    rf"(?i)\A\W*{_LEAD}(?:[a-z][\w-]{{1,14}}\W{{1,2}}{_LEAD}){{0,1}}"
    r"(?:there|that|it|them|they|these|those|this|she|he|her|him"
    r"|the (?:first|second|third|last|latter|former)(?: (?:one|two))?|ones? (?:of|like) (?:that|this|these|those|them))"
    rf"(?![\w-]|['’](?!s\b)| (?:is|are) (?:no|a|an|any)\b){_NOTHING_ELSE}"
    r"|\A[^，,。；;]{0,7}?(?:[它他她]们?(?!山)|[这這那](?:样|樣|么|麼|种|種|里|裡|儿|边|邊|段|几|一点|个来)|此类"
    r"|前者|后者|前[两兩]个|后面那个|最后一个)|\A[^、。]{0,8}(?:そこ|それ|これら|あれ|その)"
    r"|\A\W*(?:\w+\W+){0,2}(?:(?:ahí|eso|así|ça|cela|dort|dahin|daran)\b|(?:его|её|их|туда|там)\b)"
)
_SPECIFIC = LazyPattern(r"\d|\w[./]\w|`")  # a sentence that names something is no remark
_SPOKEN = (LineKind.PROSE, LineKind.ITEM)


def _width(text: str) -> int:
    return sum(2 if sign > "\u2e80" else 1 for sign in text)


def points_back(text: str) -> bool:
    """Tell whether a sentence says nothing without the one before."""
    return _POINTS.search(text) is not None


def pointed_at(clauses: Sequence[Clause], at: int) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences that a clause points back at, in order; none for most."""
    clause = clauses[at]
    if clause.heads or clause.cut or clause.kind not in _SPOKEN or not points_back(clause.text):
        return ()
    found: list[tuple[int, int]] = []
    for before in reversed(clauses[max(0, at - MOST_BEFORE) : at]):
        if before.line != clause.line or before.kind not in _SPOKEN or before.fenced or before.heads or before.cut:
            break
        if clause.start - before.start > LONGEST_BEFORE:
            break
        found.insert(0, (before.start, before.end))
        if not points_back(before.text) and (_SPECIFIC.search(before.text) or _width(before.text) > REMARK):
            break
    said = clause.start - found[0][0] if found else 0
    return tuple(found) if said > SHORTEST_BEFORE else ()
