"""Clauses that matter only for what was said before: "actually use 4000", "forget the dark theme", "请用英文回答".

Weighed alone they are no memories; they are offered as tentative candidates, kept only if they retire something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import LazyPattern, redact
from memory.entries import Candidate, MemoryPriority, MemoryType
from memory.extraction.clauses import clauses_of
from memory.extraction.slots import retracted_in, slots_in
from memory.extraction.technologies import technologies_in
from memory.extraction.text import LineKind
from memory.extraction.turns.bare_answers import NUMBER, bare_answers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_TEXT, LONGEST_CLAUSE = 2000, 160
"""Characters of a typed text that is read for corrections, and of a clause that may be one: they are short."""
TAG = "correction"
"""The tag of a memory that was kept because it changed another."""
BARE = "answer"  # the tag of an answer without its question
ORDER = "order"  # the tag of what is only an order: it lifts bans of the moment, and is no memory
_ASKING = LazyPattern(
    r"[?？]\s*\Z|[吗呢]\W*\Z|要不要|是不是|能不能|可不可以|为什么|怎么|如何|什么"
    r"|\A\W*(?:should|can|could|may|would|why|what|how|which|where|when|who|is|are|does|did|will|has|have)\b"
    r"|\b(?:if|maybe|perhaps)\b|如果|要是|可能|也许",
    re.IGNORECASE | re.ASCII,
)
_BIDDING = LazyPattern(
    r"\A\W*(?:(?:ok|okay|no|actually|please|sorry|wait|then|and|so|now|well)\b\W*){0,3}"
    r"(?:use|set|switch|change|make|go with|let'?s|answer|reply|respond|speak|write|put|move|run|call|name|rename)\b"
    r"|\b(?:actually|instead|from now on|switch(?:ed)? to|changed my mind|second thought)\b"
    r"|\A\W*(?:请|把|将|用|改|换|还是|以后|现在|统一|都用)|改为|改成|换成|改用|设为",
    re.IGNORECASE | re.ASCII,
)
_ORDER = LazyPattern(
    r"\A\W{0,3}(?:(?:ok(?:ay)?|now|then|please|and|so|go ahead and|just)\W{1,3}){0,3}"
    r"(?!(?:do|don|not?|never|i|it|the|a)\b)"
    r"([a-z]{3,12}(?: [\w./-]{1,20}){0,4}?)(?: (?:it|them|that|this|now|please)){0,2}\W{0,3}\Z"
    r"|\A(?:好的?|那|现在|[请請])?[，,]?([^，。！？\s不别別没沒]{2,8}?)吧?[。！!]?\Z",
    re.IGNORECASE,
)
_BACK = (
    r"(?:(?:no|nope|wait|sorry|scratch that|i mean|actually|edit|correction|oops)\b"
    r"|不[对對是]|[错錯]了|算了|哦不|更正)"
)
_TAKING_BACK = LazyPattern(rf"\W{{0,3}}{_BACK}", re.IGNORECASE)
_ONLY_THAT = LazyPattern(rf"\W{{0,3}}(?:{_BACK}\W{{0,3}}){{1,3}}", re.IGNORECASE)


def takes_back(text: str) -> bool:
    """Tell whether a text begins as somebody does who corrects what he just said: "no, 8081"."""
    return _TAKING_BACK.match(text) is not None


class Correction(NamedTuple):
    """A clause that may change what is remembered; `value`: a bare number for a question it does not name."""

    candidate: Candidate
    value: str = ""


def corrections_in(text: str, known: Sequence[Candidate]) -> tuple[Correction, ...]:
    """Return the clauses of a typed text that may correct something, in order; of those `known` only bare answers.

    A text that is longer than `LONGEST_TEXT` has none.
    """
    if len(text) > LONGEST_TEXT:
        return ()
    found: list[Correction] = []
    opened = -1  # where a clause begins that does nothing but take back
    heads: tuple[tuple[int, int], ...] = ()  # the clause before that
    for clause in clauses_of(text):
        start = opened if opened >= 0 else clause.start
        said, before = text[start : clause.end], heads
        opened = start if _ONLY_THAT.fullmatch(said) else -1
        heads = heads if opened >= 0 else ((start, clause.end),)
        hears = clause.force is not None and clause.force.told
        if clause.fenced or hears or clause.own or clause.kind not in _SPOKEN or len(said) > LONGEST_CLAUSE:
            continue
        if _ASKING.search(said):
            continue
        bare = {slot.name: slot for slot in bare_answers_in(said)}
        number = bare.pop(NUMBER, None)
        value, slots = number.value if number else "", tuple(bare.values())
        if not (value or slots) and any(clause.start < one.end and one.start < clause.end for one in known):
            continue
        slots = slots or (slots_in(said) if _BIDDING.search(said) else ())
        terms = retracted_in(said)
        order = _ORDER.match(said) if not (value or slots or terms) else None
        if order:  # it is done now, and no more forbidden for the moment
            terms = (f"not {' '.join((order[1] or order[2]).casefold().split())}",)
        if value or slots or terms:
            corrected = before if (value or slots) and takes_back(said) else ()  # what it says nothing without
            candidate = Candidate(
                content=redact(" ".join((*(text[slice(*span)] for span in corrected), said))),
                start=start,
                end=clause.end,
                type=MemoryType.CONFIGURATION if value or slots else MemoryType.TECHNICAL_DECISION,
                priority=MemoryPriority.HIGH,
                tags=(TAG, ORDER) if order else (BARE, TAG) if bare or number else (TAG,),
                related_tech=technologies_in(said),
                slots=slots,
                retracts=terms,
                confidence=0.6,
                heads=corrected,
            )
            found.append(Correction(candidate, value))
    return tuple(found)


_SPOKEN = (LineKind.PROSE, LineKind.ITEM)
