"""What a tool gave back, as text: read from a string or a list of blocks, and replaced there.

Codex puts the output of a command into an envelope, `{"output": "...", "metadata": {"exit_code": 0, ...}}` as a string,
or under a line `Exit code: 0`. What is read is the output itself, in its own lines, and whether the command failed,
whatever form the string travels in.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from memory.conversation.wire.fields import write_arguments, wrong
from memory.conversation.wire.media import medium_text

_TEXT_TYPES = ("text", "input_text", "output_text")  # no set: what is looked up may be unhashable
_ENVELOPE_STARTS = ('{"output":', '{"metadata":')
_FAILED = re.compile(r"Exit code: [ \t]*(?=[-0-9]{1,11}[ \t\r]*(?:\n|\Z))-*0*[1-9]")


def is_text(block: Any) -> bool:
    """Tell whether a block inside a tool result is text."""
    if isinstance(block, str):
        return True
    return isinstance(block, dict) and block.get("type") in _TEXT_TYPES and isinstance(block.get("text"), str)


def block_text(block: Any) -> str:
    """Read one block inside a tool result; what is no text is named in brackets."""
    if isinstance(block, str):
        return block
    if is_text(block):
        return str(block["text"])
    if not isinstance(block, dict):
        return ""
    name = block.get("tool_name") or block.get("title")
    return f"[{medium_text(block)}{f' {name}' if isinstance(name, str) else ''}]"


def blocks_text(content: str | list[Any] | None) -> str:
    """Read a text, or the texts of blocks joined by newlines; what is no text is named in brackets."""
    return "\n".join(map(block_text, content)) if isinstance(content, list) else content or ""


def read_result(content: Any, index: int | None = None, field: str = "content") -> tuple[str, bool]:
    """Read what a tool gave back, and whether its own words say that it failed.

    Args:
        content: a string, a list of blocks, or None.
        index, field: position of the message and place in it, for the error.

    Returns:
        The text (blocks joined by newlines, images named in brackets), and True for a non-zero exit code.

    Raises:
        WireError: it is neither a string, a list nor absent.
    """
    if content is not None and not isinstance(content, (str, list)):
        raise wrong(index, field, content, "a string or a list of blocks")
    envelope = _envelope(content)
    if envelope is not None:
        return envelope["output"], envelope["metadata"]["exit_code"] != 0
    text = blocks_text(content)
    return text, _FAILED.match(text) is not None


def _envelope(text: Any) -> dict[str, Any] | None:
    if not isinstance(text, str) or not text.startswith(_ENVELOPE_STARTS):
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if value.keys() != {"output", "metadata"} or not isinstance(value["output"], str):
        return None
    metadata = value["metadata"]
    known = isinstance(metadata, dict) and isinstance(metadata.get("exit_code"), int)
    return dict(value) if known else None


def with_text(content: Any, text: str) -> Any:
    """Put a new text in the place of the text of a tool result; images and the like in it stay.

    The lines that name those media in brackets leave the new text, for the media themselves are there. The envelope of
    a command that failed stays around the new text, that of any other goes.
    """
    if not isinstance(content, list):
        envelope = _envelope(content)
        failed = envelope is not None and envelope["metadata"]["exit_code"] != 0
        return write_arguments({**(envelope or {}), "output": text}) if failed else text
    lines = text.split("\n")
    for block in content:
        if not is_text(block) and (name := block_text(block)) in lines:
            lines.remove(name)
    changed = [block for block in content if not is_text(block)]
    if lines:
        first = next((at for at, block in enumerate(content) if is_text(block)), len(content))
        sample = content[first] if first < len(content) else None
        kind = sample["type"] if isinstance(sample, dict) else "text"
        changed.insert(first, {"type": kind, "text": "\n".join(lines)})
    return changed
