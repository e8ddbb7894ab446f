"""How our own output is marked, so that it is known again and never taken for a person's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.messages import Message

OPENING = "<holdfast-context"
CLOSING = "</holdfast-context>"


def is_context_block(message: Message) -> bool:
    """Say whether a message begins with a compaction of ours."""
    return any(part.text.lstrip().startswith(OPENING) for part in message.parts[:1])


def handle_of(digest: str) -> str:
    """The short name of an archived original: "hf_" and 12 hexadecimal characters (48 bits)."""
    return "hf_" + digest[:12]
