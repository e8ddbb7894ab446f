"""One line of memory from a conversation, and from what overflows of one; a model writes it, "无需记录" means none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condense.errors import SummarizerError
from condense.reading import language_of
from condense.summarizing.cleaning import defused, unwrapped
from condense.summarizing.dialogue import Line, dialogue, format_messages_for_summary, id_of
from condense.summarizing.driving import adrive, drive
from condense.summarizing.prompts import fenced, prompt
from condense.summarizing.requests import Purpose, SummaryRequest
from condense.verifying import reject_reason
from memory.conversation import Role, make_text, parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.summarizing.requests import AsyncSummarizer, Flow, Summarizer
    from memory.conversation import Message

NOTHING = "无需记录"
"""What the model answers where nothing is worth remembering; as documented."""
TEMPERATURE = 0.3
CHARACTER_LIMIT = 2_000
"""As documented."""
LEAST_OVERFLOW = 3
"""Fewer messages than these are not worth a line; as documented."""
ANSWER_TOKENS = 4_096
AUTO_OVERFLOW = "auto-overflow"
"""The source under which an overflow's line is kept; as documented."""


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """The outcome.

    Attributes:
        text: one line, items separated by "；"; None where there is nothing to remember or it went wrong.
        cost: US dollars, None where unknown.
        error: what went wrong, or None.
    """

    text: str | None
    cost: float | None = 0.0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Overflow:
    """What became of the messages that no longer fit.

    Attributes:
        line: the outcome; its text is None where there was nothing to do.
        last_summarized_msg_id: up to where messages are done with; give it to the next call.
        messages: how many went into the line.
    """

    line: MemoryLine
    last_summarized_msg_id: str | None
    messages: int = 0


def memory_line(
    messages: Sequence[Message | Mapping[str, Any]],
    llm: Summarizer,
    previous_summary: str = "",
    char_limit: int = CHARACTER_LIMIT,
) -> MemoryLine:
    """Make one line of memory of a conversation.

    Args:
        messages: the conversation; only what was said counts, greetings do not, 300 characters a message, 4000 in all.
        llm: the summariser.
        previous_summary: an earlier line, into which the new one is merged.
        char_limit: characters of the line.
    """
    return drive(line_flow(messages, previous_summary, char_limit), llm)


async def amemory_line(
    messages: Sequence[Message | Mapping[str, Any]],
    llm: AsyncSummarizer | Summarizer,
    previous_summary: str = "",
    char_limit: int = CHARACTER_LIMIT,
) -> MemoryLine:
    """Do the same with an async summariser."""
    return await adrive(line_flow(messages, previous_summary, char_limit), llm)


def overflow_line(
    messages: Sequence[Message | Mapping[str, Any]],
    llm: Summarizer,
    max_history: int,
    last_summarized_msg_id: str | None = None,
) -> Overflow:
    """Make one line of memory of the messages that overflow a session and were not summarised before.

    Args:
        messages: all messages of the session, oldest first.
        llm: the summariser.
        max_history: how many of the newest fit.
        last_summarized_msg_id: what the last call returned.
    """
    return drive(overflow_flow(messages, max_history, last_summarized_msg_id), llm)


async def aoverflow_line(
    messages: Sequence[Message | Mapping[str, Any]],
    llm: AsyncSummarizer | Summarizer,
    max_history: int,
    last_summarized_msg_id: str | None = None,
) -> Overflow:
    """Do the same with an async summariser."""
    return await adrive(overflow_flow(messages, max_history, last_summarized_msg_id), llm)


def line_flow(
    messages: Sequence[Message | Mapping[str, Any]],
    previous: str = "",
    char_limit: int = CHARACTER_LIMIT,
    purpose: Purpose = Purpose.LINE,
) -> Flow[MemoryLine]:
    """Ask for one line; see `memory_line`."""
    language = language_of(line.text for line in dialogue(messages) if line.role is Role.USER)
    written = format_messages_for_summary(messages, language=language)
    if not written:
        return MemoryLine(None)
    told = [prompt("notes/memory_line", language, limit=char_limit)]
    if purpose is Purpose.OVERFLOW:
        told.insert(0, prompt("notes/overflow", language))
    if previous.strip():
        told.append(prompt("notes/memory_merge", language, previous=fenced("previous-summary", previous)))
    told.append(prompt("security", language))
    transcript = prompt("transcript", language, which="", transcript=fenced("transcript", written))
    request = SummaryRequest(purpose, "\n\n".join(told), transcript, ANSWER_TOKENS, TEMPERATURE)
    try:
        answer = yield request
    except SummarizerError as error:
        return MemoryLine(None, None, error.reason)
    text = _one_line(defused(unwrapped(answer.text)), char_limit)
    if not text or text.strip(' 。.!！"“”') == NOTHING:
        return MemoryLine(None, answer.cost)
    parsed = parse_messages(messages)
    earlier = [make_text(parsed[0].form, Role.USER, previous)] if previous.strip() else []
    reason = reject_reason(text, [*parsed, *earlier])
    return MemoryLine(None if reason else text, answer.cost, reason)


def overflow_flow(
    messages: Sequence[Message | Mapping[str, Any]], max_history: int, last_id: str | None
) -> Flow[Overflow]:
    """Ask for the line of what overflows; see `overflow_line`."""
    parsed = parse_messages(messages)
    ids = [id_of(message) for message in parsed]
    start = ids.index(last_id) + 1 if last_id in ids else 0
    stop = max(0, len(parsed) - max(0, max_history))
    fresh = parsed[start:stop]
    said: tuple[Line, ...] = dialogue(fresh)
    if len(said) < LEAST_OVERFLOW:
        return Overflow(MemoryLine(None), last_id)
    line = yield from line_flow(fresh, purpose=Purpose.OVERFLOW)
    if line.error is not None:
        return Overflow(line, last_id)
    return Overflow(line, ids[stop - 1], len(said))


def _one_line(text: str, most: int) -> str:
    items = [re.sub(r"\A(?:[-*•]\s{1,9}|#{1,6}\s{1,9})", "", line.strip()) for line in text.split("\n")]
    flat = "；".join(item.strip("；; ") for item in items if item).replace("|", "/")
    if len(flat) <= most:
        return flat
    cut = flat[:most]
    return cut[: cut.rfind("；")] if "；" in cut else cut
