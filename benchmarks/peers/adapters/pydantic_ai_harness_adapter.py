"""pydantic-ai-harness: `TieredCompaction` of its strategies that need no model.

`laddered`: results are cleared in steps (the newest 40, 20, ... 1 calls keep theirs), inputs stay, then the window
slides: the best that could be made of it by hand. `readme`: the tiers as its README stacks them, less the summary.
`pinned`: the ladder with every message of the person pinned.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.test import TestModel
from pydantic_ai_harness.compaction import (
    ClampOversizedMessages,
    ClearToolResults,
    DeduplicateFileReads,
    SlidingWindowCompaction,
    TieredCompaction,
    compact_now,
    pin,
)
from serving import blocks_of, count_tokens, result_text, serve, size_of

_PAIRS = (40, 30, 20, 15, 10, 7, 5, 3, 2, 1)
_TAILS = (0.9, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1)
_NEWEST = (8, 4, 2, 1)
_READING = frozenset({"read", "read_file", "view", "view_file", "open_file", "cat"})


def _parse(messages: list[dict[str, Any]]) -> list[ModelMessage]:
    names: dict[str, str] = {}
    out: list[ModelMessage] = []
    for message in messages:
        parts: list[Any] = []
        for block in blocks_of(message):
            match block.get("type"):
                case "text" if message["role"] == "assistant":
                    parts.append(TextPart(block.get("text") or ""))
                case "text":
                    parts.append(UserPromptPart(block.get("text") or ""))
                case "thinking":
                    parts.append(ThinkingPart(block.get("thinking") or "", signature=block.get("signature")))
                case "tool_use":
                    name = block.get("name") or "tool"
                    names[block.get("id") or ""] = name
                    given = block.get("input")
                    args = given if isinstance(given, dict) else {"input": given}
                    parts.append(ToolCallPart(name, args, tool_call_id=block.get("id") or ""))
                case "tool_result":
                    call = block.get("tool_use_id") or ""
                    parts.append(ToolReturnPart(names.get(call, "tool"), result_text(block), tool_call_id=call))
        made = ModelResponse(parts) if message["role"] == "assistant" else ModelRequest(parts)
        out.append(made)
    return out


def _write(messages: list[ModelMessage]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for message in messages:
        blocks: list[dict[str, Any]] = []
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                given = part.args if isinstance(part.args, dict) else json.loads(part.args or "{}")
                blocks.append({"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": given})
            elif isinstance(part, ToolReturnPart):
                text = part.content if isinstance(part.content, str) else part.model_response_str()
                blocks.append({"type": "tool_result", "tool_use_id": part.tool_call_id, "content": text})
            elif isinstance(part, ThinkingPart):
                blocks.append({"type": "thinking", "thinking": part.content, "signature": part.signature})
            else:
                blocks.append({"type": "text", "text": _text(part.content)})
        role = "assistant" if isinstance(message, ModelResponse) else "user"
        out.append({"role": role, "content": blocks})
    return out


def _text(content: Any) -> str:
    """The text of a prompt; pinned ones are lists."""
    if isinstance(content, str):
        return content
    return "\n".join(item if isinstance(item, str) else str(getattr(item, "content", item)) for item in content)


def _file_of(call: ToolCallPart) -> str | None:
    if call.tool_name.lower() not in _READING:
        return None
    args = call.args_as_dict()
    path = args.get("file_path") or args.get("path") or args.get("target_file")
    return str(path) if path else None


def _cleared(pairs: int) -> ClearToolResults[None]:
    return ClearToolResults(max_tokens=1, keep_pairs=pairs, tokenizer=count_tokens)


def _slid(tokens: int) -> SlidingWindowCompaction[None]:
    return SlidingWindowCompaction(max_tokens=1, keep_tokens=tokens, tokenizer=count_tokens)


def _run(tiers: list[Any], parsed: list[ModelMessage], budget: int) -> list[dict[str, Any]]:
    """Run a ladder; its own estimate leaves things out that the benchmark counts, so ask for less until it fits."""
    target, out = budget, _write(parsed)
    for _ in range(4):
        strategy = TieredCompaction(tiers=tiers, target_tokens=target, tokenizer=count_tokens)
        out = _write(asyncio.run(compact_now(strategy, parsed, model=TestModel(), tokenizer=count_tokens)))
        size = size_of(out)
        if size <= budget:
            break
        target = int(target * budget / size * 0.98)
    return out


def _ladder(budget: int) -> list[Any]:
    return [
        DeduplicateFileReads(file_key=_file_of, tokenizer=count_tokens),
        *(_cleared(pairs) for pairs in _PAIRS),
        ClampOversizedMessages(
            max_part_tokens=1000, keep_head_chars=1000, keep_tail_chars=1000, tokenizer=count_tokens
        ),
        *(_slid(int(share * budget)) for share in _TAILS),
        *(SlidingWindowCompaction(max_tokens=1, keep_messages=n, tokenizer=count_tokens) for n in _NEWEST),
    ]


def _laddered(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    return _run(_ladder(budget), _parse(messages), budget)


def _readme(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    tiers = [_cleared(3), DeduplicateFileReads(file_key=_file_of), _slid(int(0.8 * budget))]
    return _run(tiers, _parse(messages), budget)


def _pinned(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    parsed = [_with_pins(m) if isinstance(m, ModelRequest) else m for m in _parse(messages)]
    return _run(_ladder(budget), parsed, budget)


def _with_pins(message: ModelRequest) -> ModelRequest:
    parts = [
        pin(p.content) if isinstance(p, UserPromptPart) and isinstance(p.content, str) else p for p in message.parts
    ]
    return replace(message, parts=parts)


if __name__ == "__main__":
    serve(
        {"laddered": _laddered, "readme": _readme, "pinned": _pinned},
        ["pydantic-ai-harness", "pydantic-ai-slim"],
    )
