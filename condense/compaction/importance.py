"""How important each message is, 0 to 100, with reasons; and each unit, by its most important message.

    scores = score_all_messages(messages)
    scores[0].score, scores[0].band, scores[0].reasons

Every signal of the table in `importance_signals` adds its weight; the sum is cut to 0..100.
The documented bands: from 90 must be kept, from 70 kept first, from 40 may be compressed, below that may be dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

from condense.compaction.importance_signals import (
    DECISION_WORDS,
    ERROR_WORDS,
    MEASURED,
    MEMORY_WORDS,
    SETTING_WORDS,
    Reading,
)
from condense.ledger import brief_at
from condense.reading import is_agent_summary, is_context_block
from memory.conversation import (
    Message,
    count_message,
    default_counter,
    message_text,
    parse_messages,
    typed_text,
)
from memory.extraction import technologies_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from condense.compaction.importance_signals import Signal
    from memory.conversation import TokenCounter


class Band(StrEnum):
    """What may be done with a message of some importance."""

    MUST_KEEP = "must_keep"
    KEEP_FIRST = "keep_first"
    MAY_COMPRESS = "may_compress"
    MAY_DROP = "may_drop"


BANDS: Final = ((90, Band.MUST_KEEP), (70, Band.KEEP_FIRST), (40, Band.MAY_COMPRESS), (0, Band.MAY_DROP))
"""Lowest score of each band, highest first (documented)."""
MEMORY_SCORE: Final = 80
"""From here every message is related to memory (documented)."""
HEAD, TAIL = 4_000, 1_000
"""Characters of a message's text that signals read: its beginning and its end, where tests say how it went (chosen)."""
REMEMBER_TOOLS: Final = frozenset({"remember", "memory_write", "save_memory", "update_memory"})
"""Tools by which an agent keeps a memory: ours, and those of Gemini CLI and Windsurf."""


@dataclass(frozen=True, slots=True)
class MessageImportanceScore:
    """How important one message is, and why.

    Attributes:
        message: the message.
        score: 0 to 100.
        reasons: one line a signal, with its points: "user message (+20)".
        is_user_message: a person typed it; a tool result in the user role is not one.
        token_count: tokens of the whole message.
        is_memory_related: the score is 80 or more, or it is a summary, a call of a remember tool, or a message of a
            person with a word of memory (must, remember, 必须, 记住, ...).
        memory_tags: for these, what they are about: "summary", "remember", and for a person's messages the types
            "user_instruction", "technical_decision", "configuration", "important_error" and the technologies named.
    """

    message: Message
    score: int
    reasons: tuple[str, ...]
    is_user_message: bool
    token_count: int
    is_memory_related: bool = False
    memory_tags: tuple[str, ...] = ()

    @property
    def band(self) -> Band:
        """What may be done with it."""
        return band_of(self.score)


class Stretch(Protocol):
    """Messages `start` to `end` (exclusive), such as a `condense.ledger.units.Unit`."""

    @property
    def start(self) -> int:
        """Index of the first message."""
        ...

    @property
    def end(self) -> int:
        """Index behind the last message."""
        ...


def band_of(score: int) -> Band:
    """Return the band of a score: 90 must keep, 70 keep first, 40 may compress, below may drop."""
    return next((band for least, band in BANDS if score >= least), Band.MAY_DROP)


def score_all_messages(
    messages: Sequence[Message | Mapping[str, Any]],
    count_tokens: TokenCounter | None = None,
    *,
    signals: Sequence[Signal] = MEASURED,
) -> tuple[MessageImportanceScore, ...]:
    """Score every message of a conversation, in order.

    Args:
        messages: in any form that `memory.conversation.wire.parse_messages` reads, or Message values.
        count_tokens: text -> tokens; by default exact where ranks are at hand, else estimated.
        signals: what counts: `MEASURED`, or `SEED` for the documented weights.

    Raises:
        WireError: a message fits no form.
    """
    parsed = parse_messages(messages)
    count = count_tokens or default_counter()
    scores = [_score(message, i, len(parsed), count, signals) for i, message in enumerate(parsed)]
    if not any(score.is_user_message for score in scores) and (at := brief_at(parsed)) is not None:
        least = BANDS[0][0] - scores[at].score
        if least > 0:
            reasons = (*scores[at].reasons, f"the task, as a program gave it ({least:+d})")
            scores[at] = replace(scores[at], score=BANDS[0][0], reasons=reasons)
    return tuple(scores)


def calculate_message_importance(
    message: Message | Mapping[str, Any],
    *,
    index: int | None = None,
    total: int | None = None,
    count_tokens: TokenCounter | None = None,
    signals: Sequence[Signal] = MEASURED,
) -> MessageImportanceScore:
    """Score one message.

    Args:
        message: in any form, or a Message value.
        index: its place in the conversation, from 0; without it and `total` its place does not count.
        total: how many messages the conversation has.
        count_tokens: text -> tokens; by default exact where ranks are at hand, else estimated.
        signals: what counts: `MEASURED`, or `SEED` for the documented weights.

    Raises:
        ValueError: only one of `index` and `total` is given, or `index` is not within 0..total-1.
        WireError: the message fits no form.
    """
    if (index is None) != (total is None):
        raise ValueError(f"index is {index!r} and total is {total!r}; give both or neither")
    if index is not None and total is not None and not 0 <= index < total:
        raise ValueError(f"index is {index!r}; it should be 0 to {total - 1} for a total of {total!r}")
    parsed = message if isinstance(message, Message) else parse_messages([message])[0]
    return _score(parsed, index, total, count_tokens or default_counter(), signals)


def score_units(units: Iterable[Stretch], scores: Sequence[MessageImportanceScore]) -> tuple[int, ...]:
    """Score units: each is as important as its most important message, since its messages stay together; 0 if empty.

    A sum or mean would make a long turn of tool results outweigh, or drown, the one message that matters in it.
    """
    return tuple(max((s.score for s in scores[unit.start : unit.end]), default=0) for unit in units)


def _score(
    message: Message, index: int | None, total: int | None, count: TokenCounter, signals: Sequence[Signal]
) -> MessageImportanceScore:
    reading = _read(message, index, total, count)
    points = 0
    reasons: list[str] = []
    for signal in signals:
        found = signal.found(reading)
        if found:
            added = signal.weight * len(found)
            points += added
            reasons.append(f"{signal.reason.format(', '.join(found))} ({added:+d})")
    score = min(max(points, 0), 100)
    tags = _tags(reading)
    is_related = score >= MEMORY_SCORE or "remember" in tags or reading.is_summary
    is_related = is_related or (reading.is_user and MEMORY_WORDS.search(reading.typed) is not None)
    return MessageImportanceScore(
        message,
        score,
        tuple(reasons),
        reading.is_user,
        reading.tokens,
        is_related,
        tags if is_related else (),
    )


def _read(message: Message, index: int | None, total: int | None, count: TokenCounter) -> Reading:
    typed = typed_text(message)
    text = message_text(message)
    excerpt = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"
    is_summary = is_context_block(message) or is_agent_summary(message)
    return Reading(
        message=message,
        index=index,
        total=total,
        typed=typed[: HEAD + TAIL],
        excerpt=excerpt,
        is_user=bool(typed),
        is_summary=is_summary,
        tokens=count_message(message, count),
        typed_tokens=count(typed) if typed else 0,
    )


_TAG_WORDS: Final = (
    ("user_instruction", MEMORY_WORDS),
    ("technical_decision", DECISION_WORDS),
    ("configuration", SETTING_WORDS),
    ("important_error", ERROR_WORDS),
)


def _tags(reading: Reading) -> tuple[str, ...]:
    """Say what a message is about, as far as memory is concerned."""
    tags = ["summary"] if reading.is_summary else []
    if any(call.name in REMEMBER_TOOLS for call in reading.message.calls):
        tags.append("remember")
    if reading.is_user:
        tags += [name for name, words in _TAG_WORDS if words.search(reading.typed)]
        tags += technologies_in(reading.typed)
    return tuple(dict.fromkeys(tags))
