"""The dialogue of a conversation: what the person and the assistant said to each other, without the work between.

Steps of the work (tool calls, their results, thinking, what is said beside a call) never enter the memory of a
conversation; nor do greetings. The rules are those documented for line memory (MessageAnalyzer).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation import Message, PartKind, Role, parse_messages, typed_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SKIP_PREFIXES = (
    *(
        "好的",
        "知道了",
        "明白",
        "收到",
        "谢谢",
        "好",
        "行",
        "嗯",
        "哦",
        "ok",
        "OK",
        "Ok",
        "嗯嗯",
        "哦哦",
        "好好",
    ),
    *(
        "了解",
        "可以",
        "没问题",
        "对",
        "是的",
        "没错",
        "确实",
        "哈哈",
        "呵呵",
        "嘻嘻",
        "666",
        "👍",
        "🙏",
        "感谢",
    ),
    *("thanks", "thx", "yes", "no", "yep", "nope", "sure", "got it", "noted", "fine", "cool", "nice"),
)
"""Beginnings of messages that say nothing; as documented."""
LONGEST_GREETING = 8
"""Characters up to which a message with such a beginning is passed over; as documented."""
LONGEST_MESSAGE = 300
"""Characters of one message; as documented."""
LONGEST_DIALOGUE = 4_000
"""Characters of the whole; as documented."""
MESSAGE_THRESHOLD = 20
CHARACTER_THRESHOLD = 10_000
"""More messages or characters than these are worth a summary; as documented."""
KEEP_RECENT = 10
"""Newest messages that stay as they are; as documented."""

_SPEAKERS = {
    "zh": {Role.USER: "用户", Role.ASSISTANT: "助手"},
    "en": {Role.USER: "User", Role.ASSISTANT: "Assistant"},
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said.

    Attributes:
        role: who said it.
        text: the words.
        id: names the message: its own id where it has one, else its digest.
    """

    role: Role
    text: str
    id: str


def dialogue(messages: Sequence[Message | Mapping[str, Any]]) -> tuple[Line, ...]:
    """Return what was said, in order; linear.

    Raises:
        WireError: a message that fits no form.
    """
    return tuple(line for m in parse_messages(messages) if (line := _line(m)) is not None)


def _line(message: Message) -> Line | None:
    if message.role is Role.USER:
        text = typed_text(message)
    elif message.role is Role.ASSISTANT and not message.calls:
        text = "\n".join(p.text for p in message.of_kind(PartKind.TEXT))
    else:
        return None
    return Line(message.role, text.strip(), id_of(message)) if text.strip() else None


def id_of(message: Message) -> str:
    """Name a message: the id its transcript or its sender gave it, else its digest."""
    own = message.raw.get("id")
    return message.meta.uuid or (own if isinstance(own, str) and own else message.digest)


def is_greeting(text: str) -> bool:
    """Say whether a text says nothing: at most 8 characters that begin like an acknowledgement."""
    said = text.strip()
    return len(said) <= LONGEST_GREETING and said.lower().startswith(tuple(p.lower() for p in SKIP_PREFIXES))


def format_messages_for_summary(
    messages: Sequence[Message | Mapping[str, Any]], max_chars: int = LONGEST_DIALOGUE, language: str = "zh"
) -> str:
    """Write a dialogue, a line each, without greetings; messages over 300 characters and the whole are cut.

    Of a dialogue that is too long the newest part stays.
    """
    names = _SPEAKERS["zh" if language == "zh" else "en"]
    lines = [
        f"{names[line.role]}: {_cut(line.text)}" for line in dialogue(messages) if not is_greeting(line.text)
    ]
    kept: list[str] = []
    left = max_chars
    for line in reversed(lines):
        if len(line) + 1 > left:
            break
        kept.append(line)
        left -= len(line) + 1
    return "\n".join(reversed(kept))


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_MESSAGE else flat[:LONGEST_MESSAGE] + "…"


def should_summarize(
    messages: Sequence[Message | Mapping[str, Any]],
    message_threshold: int = MESSAGE_THRESHOLD,
    char_threshold: int = CHARACTER_THRESHOLD,
) -> bool:
    """Say whether a dialogue is worth a summary: more messages or more characters than the thresholds."""
    lines = dialogue(messages)
    return len(lines) > message_threshold or sum(len(line.text) for line in lines) > char_threshold


def split_messages(messages: Sequence[Any], keep_recent: int = KEEP_RECENT) -> tuple[list[Any], list[Any]]:
    """Split messages into those to summarise and the newest ones, which stay."""
    cut = max(0, len(messages) - keep_recent)
    return list(messages[:cut]), list(messages[cut:])
