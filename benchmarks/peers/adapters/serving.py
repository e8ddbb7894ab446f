"""The protocol between the benchmark and a peer's process: one JSON object a line, both ways.

An adapter runs in the peer's own environment and imports nothing of this project but this file, which needs only the
standard library. It announces `{"versions": {...}}`, then answers `{"variant", "messages", "budget"}` with
`{"messages", "seconds"}` or `{"error"}`. What the peer prints goes to standard error.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Compact = Callable[[list[dict[str, Any]], int], list[dict[str, Any]]]


def count_tokens(text: str) -> int:
    """Count as the benchmark does: UTF-8 bytes / 4, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def flat(value: Any) -> str:
    """Write a JSON value as the benchmark reads it."""
    if isinstance(value, dict):
        return "\n".join(f"{key}: {flat(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return "\n".join(flat(inner) for inner in value)
    return "" if value is None else str(value)


def blocks_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a message's content as blocks."""
    content = message.get("content") or []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b if isinstance(b, dict) else {"type": "text", "text": str(b)} for b in content]


def block_text(block: Mapping[str, Any]) -> str:
    """Return the text of a block as the benchmark counts it."""
    kind = block.get("type")
    if kind == "text":
        return block.get("text") or ""
    if kind == "thinking":
        return block.get("thinking") or ""
    if kind == "tool_use":
        return f"{block.get('name', '')} {flat(block.get('input'))}"
    if kind == "tool_result":
        return result_text(block)
    return ""


def result_text(block: Mapping[str, Any]) -> str:
    """Return the text of a tool result."""
    content = block.get("content")
    if isinstance(content, list):
        return "\n".join(block_text(b) if isinstance(b, dict) else str(b) for b in content)
    return "" if content is None else str(content)


def size_of(messages: Sequence[Mapping[str, Any]]) -> int:
    """Count the tokens of a conversation as the benchmark does."""
    return sum(count_tokens("\n".join(block_text(b) for b in blocks_of(m))) + 4 for m in messages)


def serve(variants: Mapping[str, Compact], packages: Sequence[str]) -> None:
    """Answer until standard input ends.

    Args:
        variants: ways to compact, by name; each is called once with what it is to compact, and timed.
        packages: whose versions are announced.
    """
    answers, sys.stdout = sys.stdout, sys.stderr
    versions = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    print(json.dumps({"versions": versions}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.process_time()
        try:
            out = variants[asked["variant"]](asked["messages"], asked["budget"])
            answer: dict[str, Any] = {"messages": out, "seconds": time.process_time() - start}
        except Exception as error:  # noqa: BLE001  # a peer may fail in any way; that is a result
            answer = {
                "error": f"{type(error).__name__}: {error}"[:300],
                "seconds": time.process_time() - start,
            }
        print(json.dumps(answer), file=answers, flush=True)
