"""Marks of summaries, ours and those that agents make, and the handles of archived originals."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

from memory.conversation import Role, is_typed

if TYPE_CHECKING:
    from memory.conversation import Message

OPENING = "<holdfast-context"
CLOSING = "</holdfast-context>"

HANDLE_DIGITS, HANDLE = 12, re.compile(r"hf_[0-9a-f]{12}")
"""Hexadecimal digits of a handle, and how it is written."""


def is_context_block(message: Message) -> bool:
    """Say whether a message is a compaction of ours, by itself or in the words that an agent puts around summaries."""
    if _begins(message, OPENING):
        return True
    framed = message.role is Role.USER and _begins(message, SUMMARY_STARTS)
    return framed and f"\n{OPENING}" in message.parts[0].text and not is_typed(message)


def _begins(message: Message, starts: str | tuple[str, ...]) -> bool:
    return any(part.text.lstrip().startswith(starts) for part in message.parts[:1])


SUMMARY_STARTS = (
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
    "This continues an earlier session. Its condensed record follows",
    "这是先前会话的继续。以下是其压缩记录",
    "<conversation_summary>",
    "<state_snapshot>",
    "<summary>",
)
"""How summaries begin that carry no flag: Claude Code's, Codex's, our handoff's, Gemini CLI's, the commonest tag."""


def is_agent_summary(message: Message) -> bool:
    """Say whether a message is what an agent made of the conversation before it, when it compacted itself."""
    return message.meta.is_compact_summary or (message.role is Role.USER and _begins(message, SUMMARY_STARTS))


def handle_of(digest: str) -> str:
    """The short name of an archived original: "hf_" and the first digits of its digest."""
    return "hf_" + digest[:HANDLE_DIGITS]


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


def content_handle(content: bytes) -> str:
    """Name a content by its bytes."""
    return handle_of(_digest(content))
