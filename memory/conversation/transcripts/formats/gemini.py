"""Gemini conversations: sessions of Gemini CLI (`type`, `content`, `toolCalls`) and `contents` of its API (`parts`).

Both become Anthropic messages; calls without an id get one, and a result takes the id of the call it answers.

Source: session files of Gemini CLI, and the reference of `generateContent`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory.conversation.transcripts.values import call_block, mapping, objects, result_block, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.values import Records, Values

    Calls = list[tuple[str, str]]


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    kind = record.get("type")
    notice = kind in ("gemini", "info", "error", "warning") or (kind == "user" and "content" in record)
    return "parts" in record or (notice and "role" not in record)


def read(records: Records) -> Values:
    """Yield the conversation; notices of the client (`info`, `error`, `warning`) are left out."""
    open_calls: Calls = []
    for number, record in records:
        records.findings.note(record.get("sessionId"), record.get("cwd"))
        in_parts = isinstance(record.get("parts"), list)
        said = _content(record, number, open_calls) if in_parts else _entry(record, number)
        extras = {"timestamp": record["timestamp"]} if "timestamp" in record else {}
        for role, content in said:
            if content:
                yield number, {"role": role, "content": content, **extras}, None


def _entry(record: Mapping[str, Any], number: int) -> Iterator[tuple[str, Any]]:
    """Read one entry of a session file: what was typed, or a reply together with its calls and their results."""
    words = _text(record.get("content"))
    if record.get("type") == "user":
        yield "user", words
    if record.get("type") != "gemini":
        return
    blocks: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for thought in objects(record.get("thoughts")):
        shown = [str(thought[key]) for key in ("subject", "description") if thought.get(key)]
        if shown:
            blocks.append({"type": "thinking", "thinking": "\n".join(shown)})
    if words:
        blocks.append({"type": "text", "text": words})
    for at, call in enumerate(objects(record.get("toolCalls"))):
        call_id = text(call.get("id")) or f"call_{number}_{at}"
        blocks.append(call_block(call_id, call.get("name"), mapping(call.get("args"))))
        if call.get("result") is not None:
            failed = call.get("status") == "error"
            results.append(result_block(call_id, _response(call["result"]), failed=failed))
    yield "assistant", blocks
    yield "user", results


def _content(record: Mapping[str, Any], number: int, open_calls: Calls) -> Iterator[tuple[str, Any]]:
    """Read one content of the API: its texts, calls and results in one message."""
    blocks: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for at, part in enumerate(objects(record.get("parts"))):
        call, answer = part.get("functionCall"), part.get("functionResponse")
        if isinstance(call, dict):
            call_id = text(call.get("id")) or f"call_{number}_{at}"
            open_calls.append((call_id, str(call.get("name"))))
            blocks.append(call_block(call_id, call.get("name"), mapping(call.get("args"))))
        elif isinstance(answer, dict):
            results.append(result_block(_answered_call(answer, open_calls), _response([part])))
        elif part.get("text"):
            kind = "thinking" if part.get("thought") is True else "text"
            blocks.append({"type": kind, kind: str(part["text"])})
        elif part and "text" not in part:
            blocks.append({"type": f"gemini_{next(iter(part))}", "part": part})
    yield "assistant" if record.get("role") == "model" else "user", [*results, *blocks]


def _answered_call(answer: Mapping[str, Any], open_calls: Calls) -> str:
    """Return the id of the call that an answer belongs to: its own, or the oldest open call of that name."""
    own, name = text(answer.get("id")), str(answer.get("name"))
    for found in open_calls:
        if found[0] == own or (own is None and found[1] == name):
            open_calls.remove(found)
            return found[0]
    return own or f"call_{name}"


def _response(result: Any) -> str:
    """Read what a tool gave back: the output of its function responses, or JSON where there is more to it."""
    texts: list[str] = []
    for part in objects(result):
        response = mapping(part.get("functionResponse")).get("response")
        if response is not None:
            is_lone = isinstance(response, dict) and len(response) == 1
            texts.append(_text(next(iter(response.values())) if is_lone else response))
        elif part.get("text"):
            texts.append(str(part["text"]))
    return "\n".join(texts) if texts or isinstance(result, list) else _text(result)


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(part, dict) and "text" in part for part in value):
        return "\n".join(str(part["text"]) for part in value)
    return json.dumps(value, ensure_ascii=False)
