"""Building conversations out of tool calls and their results, for these tests."""

from __future__ import annotations

from itertools import count

from memory.conversation.wire.parsing import parse_messages

_numbers = count(1)


def call(name, arguments, *, call_id=None):
    """An assistant message with one call."""
    block = {"type": "tool_use", "id": call_id or f"call-{next(_numbers)}", "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def result(of, text, *, is_error=False):
    """The user message that answers it."""
    block = {"type": "tool_result", "tool_use_id": of["content"][0]["id"], "content": text}
    if is_error:
        block["is_error"] = True
    return {"role": "user", "content": [block]}


def exchange(name, arguments, text="", *, is_error=False):
    """A call and its result."""
    asked = call(name, arguments)
    return [asked, result(asked, text, is_error=is_error)]


def conversation(*parts):
    """Messages out of lists of dicts."""
    return parse_messages([message for part in parts for message in part])
