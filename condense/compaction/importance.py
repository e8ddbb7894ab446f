"""How important each message is, 0 to 100, with reasons.

    scores = score_all_messages(messages)
    scores[0].score, scores[0].band, scores[0].reasons

Every signal adds its weight; the sum is cut to 0..100.  The documented bands: from 90 must be kept, from 70 kept first,
from 40 may be compressed, below that may be dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from condense.compaction.importance_signals import ERROR_WORDS, MEASURED, MEMORY_WORDS, Reading
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
    from collections.abc import Mapping, Sequence

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
_TAG_WORDS: Final = {
    "user_instruction": MEMORY_WORDS,
    "technical_decision": re.compile(
        r"\b(?:use|using|adopt|choose|go with|switch to|migrate to|instead of|prefer)\b"
        r"|使用|采用|选用|换成|改用|用的是",
        re.ASCII | re.IGNORECASE,
    ),
    "configuration": re.compile(
        r"\b(?:port|theme|color|style|config(?:ure|uration)?|setting|env(?:ironment)? var\w*|url|endpoint"
        r"|version|path|change \S.{0,60} to)\b"
        r"|localhost:\d|端口|主题|颜色|样式|配置|设置为?|改为|改成|环境变量|版本|路径|地址",
        re.ASCII | re.IGNORECASE,
    ),
    "important_error": ERROR_WORDS,
}


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
        return next((band for least, band in BANDS if self.score >= least), Band.MAY_DROP)


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
        index, total: its place in the conversation, from 0, and how many messages that has; without them its place does
            not count.
        count_tokens, signals: as for `score_all_messages`.

    Raises:
        ValueError: only one of `index` and `total` is given, or `index` is not within 0..total-1.
        WireError: the message fits no form.
    """
    if (index is None) != (total is None):
        raise ValueError(f"index is {index!r} and total is {total!r}; give both or neither")
    if index is not None and total is not None and not 0 <= index < total:
        raise ValueError(f"index is {index!r}; it should be 0 to {total - 1} for a total of {total!r}")
    return _score(parse_messages([message])[0], index, total, count_tokens or default_counter(), signals)


def _score(
    message: Message, index: int | None, total: int | None, count: TokenCounter, signals: Sequence[Signal]
) -> MessageImportanceScore:
    typed, text = typed_text(message), message_text(message)
    reading = Reading(
        message=message,
        index=index,
        total=total,
        typed=typed[: HEAD + TAIL],
        excerpt=text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}",
        is_summary=is_context_block(message) or is_agent_summary(message),
        tokens=count_message(message, count),
        typed_tokens=count(typed) if typed else 0,
    )
    points = 0
    reasons: list[str] = []
    for signal in signals:
        found = signal.found(reading)
        if found:
            items = found if isinstance(found, tuple) else ()
            added = signal.weight * max(1, len(items))
            points += added
            reasons.append(f"{signal.reason.format(', '.join(items))} ({added:+d})")
    score = min(max(points, 0), 100)
    tags = _tags(reading)
    is_related = (
        score >= MEMORY_SCORE or not {"remember", "summary"}.isdisjoint(tags) or "user_instruction" in tags
    )
    return MessageImportanceScore(
        message, score, tuple(reasons), bool(typed), reading.tokens, is_related, tags if is_related else ()
    )


def _tags(reading: Reading) -> tuple[str, ...]:
    """Say what a message is about, as far as memory is concerned."""
    tags = ["summary"] if reading.is_summary else []
    if any(call.name in REMEMBER_TOOLS for call in reading.message.calls):
        tags.append("remember")
    if reading.typed:
        tags += [name for name, words in _TAG_WORDS.items() if words.search(reading.typed)]
        tags += technologies_in(reading.typed)
    return tuple(dict.fromkeys(tags))
