"""Messages on the wire: Anthropic Messages, OpenAI Chat Completions, OpenAI Responses; read, made, changed.

`parse_messages` reads what an API request holds, `Message.raw` is what leaves again; `convert` moves a
conversation from one form to another.
"""

from __future__ import annotations

from memory.wire.converting import convert
from memory.wire.detecting import FormReading, detect_form
from memory.wire.parsing import (
    join_results,
    make_result,
    make_text,
    parse_message,
    parse_messages,
    raw_values,
    replace_parts,
)

__all__ = [
    "FormReading",
    "convert",
    "detect_form",
    "join_results",
    "make_result",
    "make_text",
    "parse_message",
    "parse_messages",
    "raw_values",
    "replace_parts",
]
