"""What stands around the messages of an API request and is sent with every one: instructions and tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.conversation.tokens import TokenCounter

_INSTRUCTIONS = ("system", "instructions", "system_instruction", "systemInstruction")
_TOOLS = ("tools", "functions")


def frame_instructions(frame: Mapping[str, Any]) -> str:
    """Return the instructions of a request's frame as one text: a string, blocks of text, or Gemini's parts."""
    said = next((frame[key] for key in _INSTRUCTIONS if frame.get(key)), "")
    if isinstance(said, dict):
        said = said.get("parts") or [said]
    blocks = said if isinstance(said, list) else [said]
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def count_frame(frame: Mapping[str, Any], count: TokenCounter) -> int:
    """Return the tokens of a request's instructions and tools; 0 where a file gives none.

    Tools are counted as the JSON they are; providers write them out in their own ways, some tokens shorter or longer.
    """
    held = [frame_instructions(frame)]
    held += [json.dumps(frame[key], ensure_ascii=False) for key in _TOOLS if frame.get(key)]
    return sum(count(text) for text in held if text)
