"""Session files of agents, written line by line as the agents write them; every text in them is our own."""

from __future__ import annotations

import json
from typing import Any


def lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


class ClaudeCode:
    """Builds the lines of a Claude Code session; each line follows the one before unless `parent` says otherwise."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.last: str | None = None

    def add(self, kind: str, *, parent: str | None = "", **fields: Any) -> str:
        uuid = f"u{len(self.records)}"
        self.records.append(
            {
                "parentUuid": self.last if parent == "" else parent,
                "isSidechain": False,
                "sessionId": "s-1",
                "cwd": "/home/you/shop",
                "type": kind,
                "uuid": uuid,
                "timestamp": f"2025-05-01T10:00:{len(self.records) % 60:02}.000Z",
                **fields,
            }
        )
        self.last = uuid
        return uuid

    def user(self, content: Any, **fields: Any) -> str:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, group: str, *blocks: dict[str, Any], **fields: Any) -> str:
        message = {
            "id": group,
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "content": list(blocks),
            "usage": {"output_tokens": 1},
        }
        return self.add("assistant", message=message, **fields)

    def result(self, call: str, text: str, **fields: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        return self.user([block], toolUseResult={"stdout": text}, **fields)

    @property
    def data(self) -> bytes:
        return lines(self.records)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"echo {name}"}}


def rollout(*payloads: dict[str, Any], kind: str = "response_item") -> list[dict[str, Any]]:
    return [{"timestamp": "2025-05-01T10:00:00.000Z", "type": kind, "payload": payload} for payload in payloads]


def typed_item(words: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}
