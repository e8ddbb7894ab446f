"""Heads of lists: which lines of a text stand under a head that denies, orders or conditions them.

"Do not use:" over two items: each item says the contrary of what is meant where it is read without its head.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memory.extraction.cues import find_cues, words_of
from memory.extraction.heads.binding_words import CASE, CONDITIONAL, TOLD, UNKNOWN, Force, force_of
from memory.extraction.heads.hearsay import is_told
from memory.extraction.heads.within_sentences import DOING, TURN, directs, is_neutral, is_open, waits
from memory.extraction.text import LineKind, is_sentence_like

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.extraction.heads.within_sentences import Span
    from memory.extraction.text import Line

LONGEST_HEAD, LONG_HEAD = 300, 130
"""Characters of a head, and of one that is taken whole: longer ones are paragraphs."""
MOST_UNMARKED, MOST_CODE, MOST_NESTED = 12, 5, 8
"""Lines without list markers that stand under one head, lines of code (more are a file), and heads over one line."""
_PROSE, _ITEM, _HEADING, _CODE = LineKind.PROSE, LineKind.ITEM, LineKind.HEADING, LineKind.CODE
_SPOKEN = (_PROSE, _ITEM, _HEADING)
_TYPED = (_CODE, LineKind.SETTING)
_FENCE_SIZE = 12
_COLONS, _COMMAS = (":", "："), (",", "，", "、")
_STOPS = (".", "!", "?", "。", "！", "？", ";", "；", ",", "，", "…")
_FULL_STOPS = frozenset((*_STOPS, *_COLONS)) - set(_COMMAS)
_BULLET = re.compile(r"[-*•+·・❌✗✘✖🚫⛔]\s{0,4}(?=\w)")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")
_SENTENCE = re.compile(r"[.!?](?=\s)[\s]{1,3}(?=\S)|[。！？](?=.)")
_PART = re.compile(r"(?<=[,，;；])\s{0,3}(?=\S)|\A")
_PLACE = re.compile(
    r"(?i:(?:in|on|for|within|under|im|in der|auf|für|bei|en|dans|pour|sur|para|em|no|na|в|на|для)\s)"
    r"|[在对對]|.{1,12}(?:では|で|には|の場合)[:：]?$"
)
_BARE = re.compile(
    r"(?i:\b(?:do(?:n['’]t|nt)?|not|never|always|use|avoid|must|forbidden|prohibited|verboten|niemals|nie|immer|interdits?|jamais"
    r"|toujours|prohibido|nunca|siempre|proibido|sempre|запрещено|никогда|всегда))$|不要|(?:事[项項]|禁止|必[须須]|使用|[做作])$"
)


_NEW = re.compile(
    r"(?i:also|please|pls|and|then|now|next|thanks|thank you|but|ok|so|can|could|let['’]s|i|we|bitte|jetzt|merci"
    r"|maintenant|gracias|ahora|obrigado|agora|спасибо|теперь|потом|пожалуйста)\b|[请請再]|然[后後]|另外|[现現]在|[还還]有|谢谢|次に|それから"
)

_HANGS = re.compile(  # what ends with one of these, or goes on with one of those, has not ended
    r"(?i:(?<![^\s(])(?:an?|the|and|but|n?or|of|into|without|except|unless|if|because|than|my|our|your|its|their|every"
    r"|(?<!a )must|should|(?<!or )not|(?:\A|(?<=you )|(?<=we ))(?:never|always))\Z)"
)
_LEANS = re.compile(
    r"(?i:(?<![^\s(])(?:in|on|at|to|for|with|by|from|only|is|are|be|as|der|die|das|ein|eine|und|mit|von|de|la|el)\Z)"
)
_HANGING = re.compile(
    r"(?:except|unless|without|n?or|than|which|because|(?:(?:and|but) )?not|(?:only|even) (?:if|when|for))\b"
)
_SUBJECT = re.compile(
    r"(?:the|an?|this|that|these|it|its|there|they|he|she|my|our|your|if|all|every|each|no|some)\b"
)
_WIDTH, _WIDTH_OF_TWO, _WIDEST = 32, 48, 120
"""Columns from which lines are wrapped for want of room, three and two of them, and up to which (chosen)."""


class Under(NamedTuple):
    """The heads over a line whose words it carries, the outermost first, and what they make of it together."""

    heads: tuple[Span, ...]
    force: Force


class Listing(NamedTuple):
    """The lists under binding heads of a text, by the indexes of lines.

    `under`: what stands over a line; `heads`: where in it a head begins that says nothing without its items; `ends`:
    where it ends with those that go on with it, which are `joined`.
    """

    under: dict[int, Under]
    heads: dict[int, int]
    ends: dict[int, int]
    joined: set[int]


@dataclass(slots=True)
class _Head:
    """A head whose list has not ended yet."""

    line: int
    span: Span
    force: Force | None
    rank: int
    indent: int
    marker: str
    colon: bool
    child: str = ""
    begun: bool = False
    unmarked: int = 0

    def says_nothing(self) -> bool:
        """Tell whether it is no memory without its items."""
        lists = self.colon or bool(self.child) or self.rank != _NESTED
        return lists and self.force is not None and (self.force.rules or self.force.conditions)


_BOLD, _LINE, _NESTED = 7, 8, 9


def listing_of(text: str, lines: Sequence[Line]) -> Listing:
    """Find what stands under binding heads; linear in the text."""
    found = Listing({}, {}, {}, set())
    stack: list[_Head] = []
    last, wrapped = -1, _wrapped(text, lines)
    for index, line in enumerate(lines):
        if line.kind is _CODE and _FENCE.match(text, line.start):
            continue
        if last >= 0 and (index in wrapped or _goes_on(text, lines, last, index, listed=last in found.under)):
            found.ends[last] = line.end
            found.joined.add(index)
            continue
        last = index
        said = line.kind in _SPOKEN or _is_item(text, line)
        if not said and not (stack and _is_short(stack[-1], lines, index)):
            continue  # pasted
        while stack and not _covers(stack[-1], text, lines, index):
            stack.pop()
        head = _head_at(text, lines, index, stack)
        binding = [one.force for one in stack if one.force is not None]
        if stack and not binding and directs(text[line.start : line.end]):
            binding = [CASE]
        if binding and (line.kind in _SPOKEN or any(force.rules for force in binding)):
            found.under[index] = Under(
                tuple(one.span for one in stack), Force(*map(any, zip(*binding, strict=True)))
            )
            for one in stack:
                if one.says_nothing() or (one.line in found.under and one.colon):
                    found.heads[one.line] = one.span[0]
            stack[-1].begun = stack[-1].begun or line.kind is _ITEM
        if head is not None and len(stack) < MOST_NESTED:
            stack.append(head)
            bare = head.rank < _LINE and _BARE.search(text[slice(*head.span)]) is not None
            if (head.colon or bare) and head.says_nothing():
                found.heads.setdefault(index, head.span[0])
    return found


def _is_item(text: str, line: Line) -> bool:
    bullet = None if line.kind in _SPOKEN else _BULLET.match(text, line.start, line.end)
    return line.kind is _ITEM or bullet is not None


def _adjoins(text: str, lines: Sequence[Line], index: int) -> bool:
    """Tell whether no blank line stands before a line."""
    return index > 0 and text.count("\n", lines[index - 1].end, lines[index].start) <= 1


def _wrapped(text: str, lines: Sequence[Line]) -> set[int]:
    """Find lines that go on with the sentence before: it hangs, or in no line of the paragraph was room for more."""
    found: set[int] = set()
    first = 0
    for index in range(1, len(lines) + 1):
        more = index < len(lines) and lines[first].kind in (_PROSE, _ITEM) and lines[index].kind is _PROSE
        if more and _adjoins(text, lines, index):
            continue
        if index - first == 1:
            first = index
            continue
        rows = lines[first:index]
        bodies = [text[row.start : row.end] for row in rows]
        widths = [len(body) + row.indent + len(row.marker) for row, body in zip(rows, bodies, strict=True)]
        ends = [width + len(body.split(maxsplit=1)[0]) for width, body in zip(widths, bodies[1:], strict=False)]
        listed = first > 0 and lines[first - 1].kind is _HEADING and not lines[first - 1].marker
        least = max(_WIDTH if rows[2:] else _WIDTH_OF_TWO, *widths)
        full = not listed and max(widths) == least and min(ends) >= least
        for at, (said, rest) in enumerate(pairwise(bodies), first + 1):
            filled = full or (rows[0].kind is _ITEM and lines[at].indent > rows[0].indent)
            leans = filled and _LEANS.search(said) and not _NEW.match(rest)
            if said[-1] in _FULL_STOPS or len(said) > _WIDEST or not (leans or rest[0].islower()):
                continue
            plain = filled and is_sentence_like(said) and not _begins(rest)
            if leans or plain or _HANGS.search(said) or _HANGING.match(rest):
                found.add(at)
        first = index
    return found


def _begins(rest: str) -> bool:
    """Tell whether a line in lower case begins something new: an order, a rule, a statement."""
    first = words_of(rest)[:1]
    orders = first and not DOING.isdisjoint(find_cues(first[0], first))
    return bool(orders or directs(rest) or _NEW.match(rest) or _SUBJECT.match(rest))


def _goes_on(text: str, lines: Sequence[Line], last: int, index: int, *, listed: bool) -> bool:
    """Tell whether a line goes on with an earlier one, directly below it and without a marker."""
    line, first, stop = lines[index], lines[last], text[lines[index - 1].end - 1]
    if line.kind is not _PROSE or not _adjoins(text, lines, index):
        return False
    if listed and first.kind is _ITEM and line.indent > first.indent:
        return stop not in _COLONS
    if stop not in _COMMAS or first.kind not in (_PROSE, _ITEM) or line.end - first.start > LONGEST_HEAD:
        return False
    said = text[first.start : first.end]
    head, colon, _ = said.replace("：", ":").partition(":")
    return listed or (force_of(head) is not None if colon else CONDITIONAL.match(said))


def _covers(head: _Head, text: str, lines: Sequence[Line], index: int) -> bool:
    line = lines[index]
    titled = head.rank < _LINE
    if head.rank == _NESTED:
        if line.indent > head.indent:
            return True
        if not head.child or line.kind is not _ITEM or _class_of(line.marker) != head.child:
            return False
        alike = head.child == _class_of(head.marker)
        return not alike or (_adjoins(text, lines, index) and text[line.end - 1] not in _COLONS)
    if line.kind is _HEADING and line.marker:
        return titled and _rank_of(line) > head.rank
    near = _adjoins(text, lines, index)
    if _is_item(text, line):
        return titled or (line.indent >= head.indent and (head.unmarked == 0 or near))
    if head.begun:
        return False
    if line.kind is _HEADING:
        return titled or near
    force = head.force
    if force is None or not (head.colon or titled) or not (force.rules or force.conditions):
        return False
    # without a marker: in the paragraph or the few lines of code below it
    covered = line.kind is not _PROSE or head.line == index - 1 or _is_alike(text, lines, index)
    head.unmarked += covered
    return covered and head.unmarked <= MOST_UNMARKED


def _is_alike(text: str, lines: Sequence[Line], index: int) -> bool:
    """Tell whether a line is one more of those above it, directly below them, and begins nothing new."""
    line, before = lines[index], lines[index - 1]
    if before.kind is not _PROSE or not _adjoins(text, lines, index) or _NEW.match(text, line.start):
        return False
    return text[before.end - 1] in _STOPS or text[line.end - 1] not in _STOPS


def _is_short(head: _Head, lines: Sequence[Line], index: int) -> bool:
    """Tell whether only a few lines of code stand below a rule that has no other items: commands, names, no file."""
    if head.begun or head.force is None or not head.force.rules or head.force.conditions:
        return False
    low = high = index
    while high < len(lines) and lines[high].kind not in _SPOKEN and high - index <= MOST_CODE:
        high += 1
    while low > head.line + 1 and lines[low - 1].kind not in _SPOKEN and high - low <= MOST_CODE:
        low -= 1
    block = [line for line in lines[low:high] if line.end - line.start > _FENCE_SIZE or not line.fenced]
    return low == head.line + 1 and len(block) <= MOST_CODE and all(line.kind in _TYPED for line in block)


def _rank_of(line: Line) -> int:
    return _BOLD if line.marker == "**" else line.marker.count("#") or _LINE


def _class_of(marker: str) -> str:
    """What tells one kind of list marker from another."""
    lead = marker.lstrip("(")[:1]
    if lead.isnumeric():
        return "1" if lead.isascii() else "一"
    return "a" if lead.isalpha() else lead


def _head_at(text: str, lines: Sequence[Line], index: int, stack: Sequence[_Head]) -> _Head | None:
    """Read a line as the head of what follows it; None where it is none."""
    line = lines[index]
    if line.kind not in _SPOKEN or line.fenced:
        return None
    following = lines[index + 1] if index + 1 < len(lines) else None
    listed = following is not None and _is_item(text, following)
    start, end = _last_sentence(text, line)
    said = text[start:end]
    if not any(map(str.isalnum, said)):
        return None
    colon = said.endswith(_COLONS)
    titled = line.kind is _HEADING and bool(line.marker)
    child = ""
    if line.kind is _ITEM:
        deeper = following is not None and following.indent > line.indent
        if listed and following is not None and following.indent == line.indent:
            child = _class_of(following.marker)
            if any(one.rank == _NESTED and _class_of(one.marker) == child for one in stack):
                child = ""
        other = bool(child) and child != _class_of(line.marker) and force_of(said) is not None
        if not (deeper or colon or other):
            return None
    elif not (colon or titled or listed):
        return None
    stopped = said.endswith(_STOPS) and not colon
    if end - start > LONGEST_HEAD or (stopped and not (listed and waits(said))):
        return None
    force = TOLD if colon and is_told(said, head=True) else force_of(said)
    if force is not None and not (colon or is_open(said, titled=titled, conditions=force.conditions)):
        force = None
    if force is None and colon and not is_neutral(said):
        force = UNKNOWN
    if force is None and not stack and not _PLACE.match(said):
        return None
    rank = _NESTED if line.kind is _ITEM else _rank_of(line) if titled else _LINE
    if child == _class_of(line.marker) and (force is None or not force.rules):
        child = ""  # a list goes on with its next item
    return _Head(index, (start, end), force, rank, line.indent, line.marker, colon, child)


def _last_sentence(text: str, line: Line) -> Span:
    """The last sentence of a line: what stands before it is no part of the head."""
    start, end = line.start, line.end
    for stop in _SENTENCE.finditer(text, start, end):
        start = stop.end()
    start = turn.end() if (turn := TURN.match(text, start, end)) else start
    said = text[start:end]
    if len(said) > LONG_HEAD:  # what it is about stands in its last part, or in the last that denies
        parts = [part.start() for part in _PART.finditer(said)]
        denying = [
            low
            for low, high in pairwise([*parts, len(said)])
            if (force := force_of(said[low:high].rstrip(",，;； "))) and force.negates
        ]
        at = max(denying, default=parts[-1])
        start, said = start + at, said[at:]
    return end - len(said.lstrip("*_ ")), start + len(said.rstrip("*_ "))
