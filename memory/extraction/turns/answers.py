"""Answers to the agent's questions: "Which port should the API listen on?" - "4000" is a decision, "yes, run it" none.

An answer says nothing without its question, so both are kept, the question in front: `QUESTION → ANSWER`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.conversation import LazyPattern, redact
from memory.entries import ANSWERED, ASKED, Candidate, MemoryPriority, MemoryType, Slot
from memory.extraction.durable import DURABLE_ANSWER, DURABLE_CHOICE, DURABLE_VALUE, durable_answer
from memory.extraction.features import files_in
from memory.extraction.slots import slots_in
from memory.extraction.technologies import technologies_in
from memory.extraction.turns.bare_answers import NUMBER, bare_answers_in
from memory.extraction.turns.corrections import BARE

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_ANSWER, LONGEST_QUESTION, SHORT_QUESTION, NEAR = 160, 240, 30, 700
"""Characters of an answer, of a question that is kept, of one that is kept with the sentence before it, and of the
text before that a question is looked for in, from its end (chosen)."""

_SENTENCE = LazyPattern(r"[^.!?。！？\n]*(?:\.(?=\S)[^.!?。！？\n]*)*[.!?。！？]?")
_NO_ANSWER = LazyPattern(r"\n|[?？]\Z|\A[/@]|https?://")
_MARKUP = LazyPattern(r"[*_`#>]+|^\s*(?:[-•]|\d{1,2}[.)])\s+")
_YES = LazyPattern(
    r"\A\W*(?:yes|yep|yeah|sure|ok(?:ay)?|please do|do (?:it|that)|correct|agreed|好的?|可以|行|是的?|对|嗯|同意|要"
    r"|oui|ja|sí|si|sim|да|はい)\b",
    re.IGNORECASE,
)
_CHOICES = (
    LazyPattern(r"(?i)\A\W*(?:the |option )?(?:first|former|1|a)\b|前者|第一[个個种種]"),
    LazyPattern(r"(?i)\A\W*(?:the |option )?(?:second|latter|2|b)\b|后者|後者|第二[个個种種]"),
    LazyPattern(r"(?i)\A\W*(?:the |option )?(?:third|3|c)\b|第三[个個种種]"),
)


def question_in(before: str) -> str:
    """Return the last question of a text, with the sentence before it where it is short; "" where there is none."""
    found = [m.group().strip() for m in _SENTENCE.finditer(before[-NEAR:]) if m.group().strip()]
    asking = [at for at, sentence in enumerate(found) if sentence.endswith(("?", "？"))]
    if not asking:
        return ""
    at = asking[-1]
    said = found[at] if len(found[at]) > SHORT_QUESTION or at == 0 else f"{found[at - 1]} {found[at]}"
    return " ".join(_MARKUP.sub("", said).split())[-LONGEST_QUESTION:]


def answered(text: str, before: str, known: Sequence[Candidate], *, by_tool: bool = False) -> tuple[Candidate, ...]:
    """Return what an answer to what was said before it decides for good, in place of what is `known` of it.

    `by_tool`: a tool put the question, which is asked about what matters more often than at the end of a report.
    """
    said = text.strip()
    if not said or len(said) > LONGEST_ANSWER or len(known) > 1 or _NO_ANSWER.search(said):
        return tuple(known)
    question = question_in(before)
    if not question or any(one.explicit or one.heads for one in known):
        return tuple(known)
    chance = durable_answer(before[-NEAR:], said)
    slots = _slots(question, said)
    decides = chance >= (DURABLE_VALUE if slots else DURABLE_CHOICE if by_tool else DURABLE_ANSWER)
    if not decides and not (known and len(said) <= SHORT_QUESTION):
        return tuple(known)
    start = text.index(said)
    names = technologies_in(f"{question} {said}")
    kind = MemoryType.TECHNICAL_DECISION if technologies_in(said) or slots else MemoryType.USER_INSTRUCTION
    new = Candidate(
        content=said,
        start=start,
        end=start + len(said),
        type=kind,
        priority=MemoryPriority.HIGH,
        standing=decides,
        confidence=round(chance, 3),
    )
    one = known[0] if known else new
    return (
        one._replace(
            content=redact(f"{question}{ANSWERED}{said}"),
            start=start,
            end=start + len(said),
            tags=tuple(sorted({*one.tags, ASKED, *((BARE,) if slots else ())})),
            related_files=files_in(f"{question} {said}"),
            related_tech=names,
            slots=slots or one.slots,
        ),
    )


def _slots(question: str, said: str) -> tuple[Slot, ...]:
    """Return what an answer answers: a value it names, the option that it counts, or what it says yes to."""
    bare = {slot.name: slot for slot in bare_answers_in(f"ok, {said}")}
    number = bare.pop(NUMBER, None)
    if bare:
        return tuple(bare.values())
    if number and (stated := slots_in(f"{question.rstrip('?？ ')}: {number.value}")):
        return tuple(slot for slot in stated if slot.value == number.value)
    asked = [m.group() for m in _SENTENCE.finditer(question) if m.group().strip()][-1]
    options = technologies_in(asked)
    for at, choice in enumerate(_CHOICES):
        if at < len(options) and len(options) > 1 and choice.search(said):
            return slots_in(f"use {options[at]}")
    return slots_in(asked) if len(options) == 1 and _YES.match(said) else ()
