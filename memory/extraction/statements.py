"""What the messages of a conversation say that may be kept: statements of people, and the agent's own requests.

Assistant text never becomes a memory of the person's, but a question stands before its answer; a call of `remember` or
`forget` that succeeded is taken as the agent's proposal. What counts is its result: a call that failed, or that nothing
answers, did nothing.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from memory.conversation import (
    MEMORY_TOOL,
    Message,
    PartKind,
    Role,
    TypedSpan,
    brings_results,
    detect_form,
    named_results,
    parse_message,
    parse_messages,
    question_of,
    redact,
    typed_spans,
)
from memory.entries import PROPOSED, Candidate, MemoryPriority, MemoryType, Source
from memory.errors import WireError
from memory.extraction.extracting import extract_candidates
from memory.extraction.proposing import Typed, settled
from memory.extraction.slots import slots_in
from memory.extraction.turns import answered, corrections_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import Part
    from memory.extraction.proposing import Proposal
    from memory.extraction.turns import Correction

MAX_CONTENT = 2000
"""Characters of a `remember` call that are kept, and that the tool takes (chosen: a memory is a few sentences)."""

_CONTENT_KEYS = ("content", "text", "memory", "query", "id")
_FAILED = re.compile(
    r"\b(?:error|exception|fail(?:ed|ure|s)?|denied|declined|rejected|refused|interrupted|cancel+ed|aborted|unable|invalid"
    r"|cannot|can't|couldn't|could not|did not|didn't|was not|isn't|is not|unknown|no such|timed out|not found"
    r"|doesn't want|no project)\b|错误|失败|拒绝|取消|无法|未能|エラー|失敗|ошибка|не удалось",
    re.IGNORECASE,
)
_READ = 200
BEFORE_LENGTH = 2000
"""Characters of the assistant's text before a typed message that extraction sees (chosen)."""
_BEFORE_REACH, _CALLS_REACH = 64, 16
"""Messages looked back over for that text (one long tool loop), and for the calls that the first results answer."""


class MemoryRequest(NamedTuple):
    """What one `remember` (or `forget`) call asked for: the trimmed words, with the index of the part that answers it.

    `type` and `priority` are None where the call names none that exists.
    """

    part: int
    forget: bool
    content: str
    type: MemoryType | None
    priority: MemoryPriority | None


class Statement(NamedTuple):
    """One thing said in a message: a candidate and where it was said; or, with None, what is to be forgotten.

    A `tentative` one counts only if it changes what is remembered; `value` is a bare number that answers something.
    """

    candidate: Candidate | None
    source: Source
    forget: str = ""
    tentative: bool = False
    value: str = ""


Said = tuple[TypedSpan | MemoryRequest, ...]
"""All of a message that statements come from."""


def said_in(message: Message) -> Said:
    """Return all of a message that statements come from; calls count by results that tell of no failure."""
    found: list[TypedSpan | MemoryRequest] = [*typed_spans(message)]
    for index, part in enumerate(message.parts):
        verb = MEMORY_TOOL.match(part.name) if part.kind is PartKind.TOOL_RESULT and part.name else None
        if verb is None or part.arguments is None or part.is_error:
            continue
        arguments = {"content": part.arguments} if isinstance(part.arguments, str) else part.arguments
        words = [arguments[key] for key in _CONTENT_KEYS if isinstance(arguments.get(key), str)]
        content = next((text.strip() for text in words if text.strip()), "")[:MAX_CONTENT]
        if content and not _FAILED.search(part.text.replace(content, "")[:_READ]):
            kind = next((one for one in MemoryType if one.value == arguments.get("type")), None)
            priority = next((one for one in MemoryPriority if one.value == arguments.get("priority")), None)
            found.append(MemoryRequest(index, verb["verb"] == "forget", content, kind, priority))
    return tuple(found)


def statements_in(
    said: Said,
    digest: str,
    before: str = "",
    *,
    told: Mapping[Typed, Sequence[Proposal]] = MappingProxyType({}),
) -> list[Statement]:
    """Return what `said_in` found, as statements of the message named by `digest`.

    Args:
        before: the end of the assistant's text before it.
        told: what a model proposes of the texts that it has read.
    """
    found: list[Statement] = []
    for one in said:
        if isinstance(one, TypedSpan):
            proposals = told.get(Typed(one.text, before))
            found += _typed(one, digest, before, proposals)
            continue
        source = Source(digest, one.part, 0, len(one.content))
        kept = None if one.forget else explicit_candidate(one.content, one.type, one.priority, by_agent=True)
        found.append(Statement(kept, source, one.content if one.forget else ""))
    return found


def _typed(span: TypedSpan, digest: str, before: str, proposals: Sequence[Proposal] | None) -> list[Statement]:
    """Return what a typed text says, and what in it may correct something that is remembered."""
    candidates = extract_candidates(span.text, before=before)
    if proposals is not None:
        candidates = settled(candidates, proposals, span.text, explicit_candidate)
    candidates = answered(span.text, span.question or before, candidates, by_tool=bool(span.question))
    corrections = {one.candidate.start: one for one in corrections_in(span.text, candidates)}
    said = {candidate.start for candidate in candidates}
    offered = [(_corrected(candidate, corrections.get(candidate.start)), False) for candidate in candidates]
    offered += [(one.candidate, True) for at, one in corrections.items() if at not in said]
    found: list[Statement] = []
    for candidate, tentative in sorted(offered, key=lambda pair: pair[0].start):
        at = candidate.start
        heads = tuple((span.start + low, span.start + high) for low, high in candidate.heads)
        where = Source(digest, span.part, span.start + at, span.start + candidate.end, heads)
        found.append(Statement(candidate, where, "", tentative, corrections[at].value if at in corrections else ""))
    return found


def _corrected(candidate: Candidate, correction: Correction | None) -> Candidate:
    """Let what is kept anyway answer what it answers as a correction."""
    if correction is None:
        return candidate
    slots = {slot.name: slot for slot in (*candidate.slots, *correction.candidate.slots)}
    tags = tuple(sorted({*candidate.tags, *correction.candidate.tags}))
    told = correction.candidate
    kind = told.type if candidate.type is MemoryType.IMPORTANT_ERROR else candidate.type
    kept = (
        candidate
        if candidate.heads or not told.heads
        else candidate._replace(content=told.content, heads=told.heads)
    )
    return kept._replace(slots=tuple(slots.values()), tags=tags, type=kind)


def explicit_candidate(
    content: str, kind: MemoryType | None = None, priority: MemoryPriority | None = None, *, by_agent: bool = False
) -> Candidate:
    """Return the candidate of words that are to be remembered as a whole, redacted.

    Its type is `kind` or what extraction makes of them; its priority critical or high; `by_agent`: only a proposal.
    """
    content = redact(content)
    read = extract_candidates(content)
    tags = ("remembered", PROPOSED) if by_agent else ("remembered",)
    return Candidate(
        content=content,
        start=0,
        end=len(content),
        type=kind or (read[0].type if read else MemoryType.PROJECT_CONTEXT),
        priority=MemoryPriority.CRITICAL if priority is MemoryPriority.CRITICAL else MemoryPriority.HIGH,
        standing=any(found.standing for found in read),
        tags=tuple(sorted({*tags, *(tag for found in read for tag in found.tags)})),
        related_files=tuple(dict.fromkeys(name for found in read for name in found.related_files)),
        related_tech=tuple(dict.fromkeys(name for found in read for name in found.related_tech)),
        slots=tuple(slot for found in read for slot in found.slots) if read else slots_in(content),
        retracts=tuple(term for found in read for term in found.retracts),
        explicit=not by_agent,
    )


def read_leniently(values: Sequence[object], start: int = 0) -> list[Message | None]:
    """Read messages from one on, None for what is none; first results with the calls whose names they need."""
    first = start
    while 0 < first < len(values) and start - first < _CALLS_REACH and brings_results(values[first]):
        first -= 1
    return _read_all(values[first:] if first else values)[start - first :]


def _read_all(values: Sequence[object]) -> list[Message | None]:
    fit: Any = values
    try:
        return list(parse_messages(fit))
    except WireError:
        form = detect_form(value for value in fit if isinstance(value, (dict, Message)))
    found: list[Message | None] = []
    for value in fit:
        try:
            found.append(parse_message(value, form))
        except WireError:
            found.append(None)
    named = iter(named_results([message for message in found if message is not None]))
    return [None if message is None else next(named) for message in found]


def _said_by(part: Part) -> str:
    if part.kind is PartKind.TEXT:
        return part.text
    return question_of(part) if part.kind is PartKind.TOOL_CALL else ""


def text_before(values: Sequence[object], fresh: Sequence[Message | None], start: int, at: int) -> str:
    """Return the end of the assistant's text before message `at`; "" where a person spoke in between.

    `fresh` are the messages of the conversation `values` that were read, from `start` on.
    """
    for place in range(at - 1, max(-1, at - 1 - _BEFORE_REACH), -1):
        message = fresh[place - start] if place >= start else read_leniently(values[place : place + 1])[0]
        if message is not None and message.role is Role.ASSISTANT:
            text = "\n".join(said for part in message.parts if (said := _said_by(part)))
            if text.strip():
                return text[-BEFORE_LENGTH:]
        elif message is not None and typed_spans(message):
            return ""
    return ""
