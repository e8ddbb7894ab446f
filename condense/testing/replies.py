"""What a scripted server replies, and how the three protocols write it down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the server.

    Attributes:
        text: what the model says.
        call: (name, arguments) of a tool call it makes instead.
        status: HTTP status; from 400 on an error of the protocol's own shape.
        message: the error's text.
        headers: further headers: `{"retry-after": "0.01"}`.
        body: sent as it is, in place of all of this: invalid JSON, say.
        delay: seconds before anything is sent.
        cut_after: the connection is cut after so many bytes of the body.
        input_tokens, output_tokens: usage.
        number: of the reply, for the ids in it; the server counts.
        stop: Anthropic's stop reason ("max_tokens", "refusal"), translated for the others.
    """

    text: str = ""
    call: tuple[str, Mapping[str, Any]] | None = None
    status: int = 200
    message: str = "scripted error"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    cut_after: int | None = None
    input_tokens: int = 1_000
    output_tokens: int = 100
    stop: str = "end_turn"
    number: int = 1


ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def reply_body(reply: Reply, path: str, request: Mapping[str, Any]) -> tuple[bytes, str]:
    """Write a reply for the protocol of a path; returns body and content type."""
    if reply.body is not None:
        return reply.body, "application/json"
    anthropic = "/messages" in path
    if reply.status >= 400:  # noqa: PLR2004  # HTTP errors begin there
        kind = ERROR_TYPES.get(reply.status, "api_error")
        error: dict[str, Any] = {"type": kind, "message": reply.message}
        body = {"type": "error", "error": error} if anthropic else {"error": {**error, "code": None, "param": None}}
        return orjson.dumps(body), "application/json"
    write = _anthropic if anthropic else _responses if "/responses" in path else _chat
    whole, events = write(reply, str(request.get("model", "model")))
    if not request.get("stream"):
        return orjson.dumps(whole), "application/json"
    lines = b"".join(
        (f"event: {name}\n".encode() if name else b"") + b"data: " + orjson.dumps(event) + b"\n\n"
        for name, event in events
    )
    return lines + (b"" if anthropic or "/responses" in path else b"data: [DONE]\n\n"), "text/event-stream"


Events = list[tuple[str, dict[str, Any]]]


def _pieces(text: str, size: int = 40) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _anthropic(reply: Reply, model: str) -> tuple[dict[str, Any], Events]:
    usage = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
    block: dict[str, Any] = {"type": "text", "text": reply.text}
    stop = reply.stop
    if reply.call is not None:
        block = {
            "type": "tool_use",
            "id": f"toolu_{reply.number}",
            "name": reply.call[0],
            "input": dict(reply.call[1]),
        }
        stop = "tool_use"
    whole = {
        "id": f"msg_{reply.number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }
    empty = {**block, "text": ""} if reply.call is None else {**block, "input": {}}
    events: Events = [
        ("message_start", {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}),
    ]
    if reply.call is None:
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(reply.text)]
    else:
        deltas = [{"type": "input_json_delta", "partial_json": orjson.dumps(dict(reply.call[1])).decode()}]
    events += [("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": d}) for d in deltas]
    end = {"stop_reason": stop, "stop_sequence": None}
    events += [
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {"type": "message_delta", "delta": end, "usage": usage}),
        ("message_stop", {"type": "message_stop"}),
    ]
    return whole, events


def _chat(reply: Reply, model: str) -> tuple[dict[str, Any], Events]:
    usage = {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    finish = {"max_tokens": "length", "refusal": "content_filter"}.get(reply.stop, "stop")
    if reply.call is not None:
        function = {"name": reply.call[0], "arguments": orjson.dumps(dict(reply.call[1])).decode()}
        call = {"index": 0, "id": f"call_{reply.number}", "type": "function", "function": function}
        message, finish = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    head = {"id": "chatcmpl_1", "created": 1, "model": model}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}

    def chunk(choices: list[dict[str, Any]], **more: Any) -> tuple[str, dict[str, Any]]:
        return "", {**head, "object": "chat.completion.chunk", "choices": choices, **more}

    events: Events = []
    if reply.call is None:
        deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in _pieces(reply.text))]
        events += [chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
    else:
        events.append(chunk([{"index": 0, "delta": message, "finish_reason": None}]))
    events += [chunk([{"index": 0, "delta": {}, "finish_reason": finish}]), chunk([], usage=usage)]
    return whole, events


def _responses(reply: Reply, model: str) -> tuple[dict[str, Any], Events]:
    usage = {
        "input_tokens": reply.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": reply.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }
    if reply.call is None:
        text = {"type": "output_text", "text": reply.text, "annotations": []}
        item: dict[str, Any] = {
            "type": "message",
            "id": f"msg_{reply.number}",
            "role": "assistant",
            "content": [text],
        }
    else:
        arguments = orjson.dumps(dict(reply.call[1])).decode()
        item = {
            "type": "function_call",
            "id": f"fc_{reply.number}",
            "call_id": f"call_{reply.number}",
            "name": reply.call[0],
        }
        item["arguments"] = arguments
    item["status"] = "completed"
    status = "incomplete" if reply.stop == "max_tokens" else "completed"
    whole: dict[str, Any] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": model,
        "output": [item],
        "usage": usage,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "error": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
    ]
    if reply.call is None:
        place = {"item_id": f"msg_{reply.number}", "output_index": 0, "content_index": 0}
        events += [
            {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
            for piece in _pieces(reply.text)
        ]
    events += [
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": f"response.{status}", "response": whole},
    ]
    return whole, [(e["type"], {**e, "sequence_number": n}) for n, e in enumerate(events)]
