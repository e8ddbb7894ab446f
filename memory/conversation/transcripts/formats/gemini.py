"""Gemini conversations: sessions of Gemini CLI (`type`, `content`, `toolCalls`) and `contents` of its API (`parts`).

Both become Anthropic messages; calls without an id get one, and a result takes the id of the call it answers.

Source: session files of Gemini CLI, and the reference of `generateContent`.
"""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.wire import parse_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.records import Records


def read(records: Records) -> Iterator[Message]:
    """Yield the conversation; notices of the client (`info`, `error`, `warning`) are left out."""
    open_calls: deque[tuple[str, str]] = deque()
    for number, record in records:
        records.findings.note(record.get("sessionId"), record.get("cwd"))
        if isinstance(record.get("parts"), list):
            values = list(_content(record, number, open_calls))
        else:
            values = list(_entry(record, number))
        extras = {"timestamp": record["timestamp"]} if "timestamp" in record else {}
        for value in values:
            if value["content"]:
                yield parse_message({**value, **extras}, Form.ANTHROPIC)


def _entry(record: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Read one entry of a session file: what was typed, or a reply together with its calls and their results."""
    kind = record.get("type")
    text = _text(record.get("content"))
    if kind == "user":
        yield {"role": "user", "content": text}
    if kind != "gemini":
        return
    blocks: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": thought} for thought in _thoughts(record)
    ]
    if text:
        blocks.append({"type": "text", "text": text})
    results: list[dict[str, Any]] = []
    for at, call in enumerate(_objects(record.get("toolCalls"))):
        call_id = _string(call.get("id")) or f"call_{number}_{at}"
        blocks.append(_call(call_id, call))
        if call.get("result") is not None:
            failed = call.get("status") == "error"
            results.append(_result(call_id, _response(call["result"]), failed=failed))
    yield {"role": "assistant", "content": blocks}
    yield {"role": "user", "content": results}


def _thoughts(record: Mapping[str, Any]) -> Iterator[str]:
    for thought in _objects(record.get("thoughts")):
        shown = [str(thought[key]) for key in ("subject", "description") if thought.get(key)]
        if shown:
            yield "\n".join(shown)


def _content(
    record: Mapping[str, Any], number: int, open_calls: deque[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    """Read one content of the API: its texts, calls and results in one message."""
    role = "assistant" if record.get("role") == "model" else "user"
    blocks: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for at, part in enumerate(_objects(record.get("parts"))):
        call = part.get("functionCall")
        answer = part.get("functionResponse")
        if isinstance(call, dict):
            call_id = _string(call.get("id")) or f"call_{number}_{at}"
            open_calls.append((call_id, str(call.get("name"))))
            blocks.append(_call(call_id, call))
        elif isinstance(answer, dict):
            results.append(_result(_answered_call(answer, open_calls), _response([part]), failed=False))
        elif part.get("text"):
            kind = "thinking" if part.get("thought") is True else "text"
            blocks.append({"type": kind, kind: str(part["text"])})
        elif part and "text" not in part:
            blocks.append({"type": f"gemini_{next(iter(part))}", "part": part})
    yield {"role": role, "content": [*results, *blocks]}


def _answered_call(answer: Mapping[str, Any], open_calls: deque[tuple[str, str]]) -> str:
    """Return the id of the call that an answer belongs to: its own, or the oldest open call of that name."""
    own = _string(answer.get("id"))
    name = str(answer.get("name"))
    for found in open_calls:
        if found[0] == own or (own is None and found[1] == name):
            open_calls.remove(found)
            return found[0]
    return own or f"call_{name}"


def _call(call_id: str, call: Mapping[str, Any]) -> dict[str, Any]:
    arguments = call.get("args")
    held = arguments if isinstance(arguments, dict) else {}
    return {"type": "tool_use", "id": call_id, "name": str(call.get("name")), "input": held}


def _result(call_id: str, text: str, *, failed: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id, "content": text}
    return {**value, "is_error": True} if failed else value


def _response(result: Any) -> str:
    """Read what a tool gave back: the output of its function responses, or JSON where there is more to it."""
    texts: list[str] = []
    for part in _objects(result):
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict) and len(response) == 1:
            texts.append(_text(next(iter(response.values()))))
        elif response is not None:
            texts.append(_text(response))
        elif part.get("text"):
            texts.append(str(part["text"]))
    return "\n".join(texts) if texts or isinstance(result, list) else _text(result)


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(part, dict) and "text" in part for part in value):
        return "\n".join(str(part["text"]) for part in value)
    return json.dumps(value, ensure_ascii=False)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
