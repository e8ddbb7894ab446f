"""The exit code in the envelope that older Codex puts around an output.

`Part.text` is the output itself; the envelope, `{"output": "...", "metadata": {"exit_code": 0}}`, stands only in the
message as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from memory.conversation import Message

_STARTS = ('{"output":', '{"metadata":')


def envelope_exit_code(message: Message, index: int) -> int | None:
    """Return the exit code that the envelope around a result says; None where there is no envelope.

    Args:
        message: the message that brings the result.
        index: the result's part.
    """
    text = _raw_text(message.raw, index)
    if not text.startswith(_STARTS):
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    metadata = value.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _raw_text(raw: Mapping[str, Any], index: int) -> str:
    """The text of a result as it came: a block of a list, or the message's own `content` or `output`."""
    content = raw.get("content", raw.get("output"))
    if isinstance(content, list) and index < len(content) and isinstance(content[index], Mapping):
        block = content[index]
        content = block.get("content", block.get("text"))
    if isinstance(content, list) and content and isinstance(content[0], Mapping):
        content = content[0].get("text")
    return content if isinstance(content, str) else ""
