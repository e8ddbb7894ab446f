"""Tell what asks for a compaction, by its words, and pack a summary into an item of Codex."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BLOB: Final = "holdfast1."
"""How a summary begins that went to Codex as an encrypted item."""
ASKED: Final = "Your task is to create a detailed summary of"
OPENINGS: Final = (
    "CRITICAL: Respond with TEXT ONLY",
    "CRITICAL: This is a summarization-only request",
    ASKED,
)
"""How a compaction prompt begins."""
TALK: Final = 3
"""Answers from which a request without tools, of a client that is not known, goes on with a conversation; chosen."""
_FOCUS = re.compile(
    r"\n\s*Additional Instructions:\s*\n(.*?)(?:\n\s*REMINDER: Do NOT call any tools|\Z)", re.DOTALL
)


def may_ask(raw: bytes, headers: Mapping[str, str], *, of_codex: bool) -> bool:
    """Tell by a quick look at a body whether it may ask for a compaction, or hold a summary that only we can read."""
    if of_codex:
        told = '"compaction"' in headers.get("x-codex-turn-metadata", "")
        return told or b"compaction_trigger" in raw or BLOB.encode() in raw
    kind = headers.get("x-claude-code-request-class", "")
    if kind == "main":  # its client says so; then no body is searched
        return False
    return kind == "compaction" or ASKED.encode() in raw or OPENINGS[1].encode() in raw


def read_json(raw: bytes) -> Any:
    """Read JSON as clients write it: half of a surrogate pair, as a cut text ends with, becomes "?".

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        clean = json.dumps(json.loads(raw), ensure_ascii=False).encode("utf-8", "replace")
        return orjson.loads(clean)


def sealed(text: str) -> str:
    """Pack a summary into what Codex takes for an encrypted item; nothing in it is secret to its owner."""
    return BLOB + base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"))).decode()


def opened(content: object) -> str | None:
    """Read what `sealed` packed; None where somebody else made it."""
    if not isinstance(content, str) or not content.startswith(BLOB):
        return None
    try:
        packed = base64.urlsafe_b64decode(content.removeprefix(BLOB))
        return zlib.decompress(packed).decode("utf-8", "surrogatepass")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return None


def opens(text: str) -> bool:
    """Tell whether a text begins as a compaction prompt does."""
    return text.lstrip().startswith(OPENINGS)


def opened_item(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return one of our sealed summaries as the message of a user; any other item as it is."""
    text = opened(item.get("encrypted_content")) if item.get("type") == "compaction" else None
    if text is None:
        return item
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def without_prompt(history: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], str] | None:
    """Take the compaction prompt out of the last message of the user, with what was to be kept; None without one."""
    at = next((i for i in reversed(range(len(history))) if history[i].get("role") == "user"), None)
    if at is None:
        return None
    content = history[at].get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list) or not blocks or not isinstance(blocks[-1], dict):
        return None
    text = blocks[-1].get("text")
    if blocks[-1].get("type") not in {"text", "input_text"} or not isinstance(text, str) or not opens(text):
        return None
    if ASKED not in text and not text.lstrip().startswith(OPENINGS[1]):
        return None
    focus = _FOCUS.search(text)
    rest = [{**history[at], "content": blocks[:-1]}] if blocks[:-1] else []
    return [*history[:at], *rest, *history[at + 1 :]], focus[1].strip() if focus else ""


def texts_of(content: object) -> str:
    """Join the text of a content: a string, or blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(b.get("text")) for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str))


def talks(call: Any, *, known: bool = False) -> bool:
    """Whether a `Call` goes on with a conversation; a known client asks for titles and the like without tools."""
    answers = sum(message.get("role") == "assistant" for message in call.history)
    return bool(call.body.get("tools")) or (not known and answers >= TALK)
