"""One line of memory from a conversation, and from what overflows of one; a model writes it, "无需记录" means none.

Only the dialogue counts: what the person and the assistant said to each other.  Steps of the work (tool calls, their
results, thinking, what is said beside a call) never enter the memory of a conversation; nor do greetings.  The rules
are those documented for line memory (MessageAnalyzer).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condense.errors import SummarizerError
from condense.reading import language_of
from condense.summarizing.requests import Purpose, SummaryRequest, drive, fenced, prompt
from condense.summarizing.transcribing import defused, unwrapped
from condense.verifying import reject_reason
from memory.conversation import Message, PartKind, Role, make_text, parse_messages, typed_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.summarizing.requests import Flow, Summarizer

    Messages = Sequence[Message | Mapping[str, Any]]

SKIP_PREFIXES = (
    *"好的 知道了 明白 收到 谢谢 好 行 嗯 哦 ok 了解 可以 没问题 对 是的 没错 确实 哈哈 呵呵 嘻嘻 666 👍 🙏".split(),
    *"感谢 thanks thx yes no yep nope sure noted fine cool nice".split(),
    "got it",
)
LONGEST_GREETING = 8
"""Beginnings of messages that say nothing, and up to how many characters such a message is passed over."""
LONGEST_MESSAGE, LONGEST_DIALOGUE = 300, 4_000  # characters of one message, and of the whole
MESSAGE_THRESHOLD, CHARACTER_THRESHOLD = 20, 10_000
"""More messages or characters than these are worth a summary."""
KEEP_RECENT = 10  # newest messages that stay as they are
NOTHING = "无需记录"  # what the model answers where nothing is worth remembering
TEMPERATURE, CHARACTER_LIMIT = 0.3, 2_000
LEAST_OVERFLOW = 3  # fewer messages than these are not worth a line (all of these as documented)
ANSWER_TOKENS = 4_096
SPEAKERS = {
    "en": {Role.USER: "User: ", Role.ASSISTANT: "Assistant: "},
    "zh": {Role.USER: "用户: ", Role.ASSISTANT: "助手: "},
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said: by whom, and the words."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """The outcome; its text is None where there is nothing to remember or it went wrong."""

    text: str | None
    cost: float | None = 0.0  # US dollars, None where unknown
    error: str | None = None  # what went wrong, or None


@dataclass(frozen=True, slots=True)
class Overflow:
    """What became of the messages that no longer fit."""

    line: MemoryLine  # the outcome; its text is None where there was nothing to do
    last_summarized_msg_id: str | None  # up to where messages are done with; give it to the next call
    messages: int = 0  # how many went into the line


def dialogue(messages: Messages) -> tuple[Line, ...]:
    """Return what was said, in order; linear."""
    lines = []
    for message in parse_messages(messages):
        text = typed_text(message) if message.role is Role.USER else ""
        if message.role is Role.ASSISTANT and not message.calls:
            text = "\n".join(p.text for p in message.of_kind(PartKind.TEXT))
        if text.strip():
            lines.append(Line(message.role, text.strip()))
    return tuple(lines)


def is_greeting(text: str) -> bool:
    """Say whether a text says nothing: at most 8 characters that begin like an acknowledgement."""
    said = text.strip()
    return len(said) <= LONGEST_GREETING and said.lower().startswith(SKIP_PREFIXES)


def format_messages_for_summary(messages: Messages, max_chars: int = LONGEST_DIALOGUE, language: str = "zh") -> str:
    """Write a dialogue, a line each, without greetings; messages over 300 characters and (its oldest) whole are cut."""
    names = SPEAKERS["zh" if language == "zh" else "en"]
    kept: list[str] = []
    left = max_chars
    for said in reversed([line for line in dialogue(messages) if not is_greeting(line.text)]):
        flat = " ".join(said.text.split())
        line = names[said.role] + (flat if len(flat) <= LONGEST_MESSAGE else flat[:LONGEST_MESSAGE] + "…")
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def should_summarize(
    messages: Messages, message_threshold: int = MESSAGE_THRESHOLD, char_threshold: int = CHARACTER_THRESHOLD
) -> bool:
    """Say whether a dialogue is worth a summary: more messages or more characters than the thresholds."""
    lines = dialogue(messages)
    return len(lines) > message_threshold or sum(len(line.text) for line in lines) > char_threshold


def split_messages(messages: Sequence[Any], keep_recent: int = KEEP_RECENT) -> tuple[list[Any], list[Any]]:
    """Split messages into those to summarise and the newest ones, which stay."""
    cut = max(0, len(messages) - max(0, keep_recent))
    return list(messages[:cut]), list(messages[cut:])


def memory_line(
    messages: Messages, llm: Summarizer, previous_summary: str = "", char_limit: int = CHARACTER_LIMIT
) -> MemoryLine:
    """Make one line of memory of a conversation; `previous_summary` is an earlier line, which is merged in."""
    return drive(_line_flow(messages, previous_summary, char_limit, Purpose.LINE), llm)


def overflow_line(
    messages: Messages, llm: Summarizer, max_history: int, last_summarized_msg_id: str | None = None
) -> Overflow:
    """Make one line of what overflows a session (beyond `max_history`) and came after what the last call returned."""
    parsed = parse_messages(messages)
    ids = [_id_of(message) for message in parsed]
    start = ids.index(last_summarized_msg_id) + 1 if last_summarized_msg_id in ids else 0
    stop = max(0, len(parsed) - max(0, max_history))
    fresh = parsed[start:stop]
    said = len(dialogue(fresh))
    if said < LEAST_OVERFLOW:
        return Overflow(MemoryLine(None), last_summarized_msg_id)
    line = drive(_line_flow(fresh, "", CHARACTER_LIMIT, Purpose.OVERFLOW), llm)
    if line.error is not None:
        return Overflow(line, last_summarized_msg_id)
    return Overflow(line, ids[stop - 1], said)


def _id_of(message: Message) -> str:
    own = message.raw.get("id")
    return message.meta.uuid or (own if isinstance(own, str) and own else message.digest)


def _line_flow(messages: Messages, previous: str, char_limit: int, purpose: Purpose) -> Flow[MemoryLine]:
    language = language_of(line.text for line in dialogue(messages) if line.role is Role.USER)
    written = format_messages_for_summary(messages, language=language)
    if not written:
        return MemoryLine(None)
    told = [prompt("notes/overflow", language)] if purpose is Purpose.OVERFLOW else []
    told.append(prompt("notes/memory_line", language, limit=char_limit))
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


def _one_line(text: str, most: int) -> str:
    items = [re.sub(r"\A(?:[-*•]\s{1,9}|#{1,6}\s{1,9})", "", line.strip()) for line in text.split("\n")]
    flat = "；".join(item.strip("；; ") for item in items if item).replace("|", "/")
    if len(flat) <= most:
        return flat
    cut = flat[:most]
    return cut[: cut.rfind("；")] if "；" in cut else cut
