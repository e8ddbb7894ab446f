"""Sessions for the tests of the command line, in every format that is read, of one plot; and how the command is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sessions import ClaudeCode, lines
from strategies import anthropic, openai_chat, openai_responses

ROOT = Path(__file__).resolve().parent.parent
ASKS = [
    "Please build the shop's price list. You must never touch the tests directory.",
    "Use port 8765 for the preview server.",
    "It fails with TypeError: unsupported operand, fix it.",
    "Actually use port 9000 instead.",
    "现在必须用中文写注释。",
    "Show me the result.",
]


def plot(steps: int = 4, length: int = 120) -> list:
    """Six asks, each followed by calls with long output."""
    return [
        (
            ("ask", ask),
            (
                "turn",
                [
                    (
                        False,
                        [(f"cat file_{k}_{n}.py", f"line {n} of file {k}: value = {n * k}\n" * length)],
                        "looking",
                    )
                    for n in range(steps)
                ],
            ),
        )
        for k, ask in enumerate(ASKS)
    ]


def claude_code(made: list) -> bytes:
    built = ClaudeCode()
    for value in anthropic(made, signed=False):
        if value["role"] == "user":
            built.user(value["content"])
        else:
            built.assistant(f"msg_{len(built.records)}", *value["content"])
    return built.data


def codex(made: list) -> bytes:
    head = {
        "id": "c-1",
        "timestamp": "2025-05-01T10:00:00.000Z",
        "cwd": "/home/you/shop",
        "cli_version": "0.1",
    }
    stamp = "2025-05-01T10:00:00.000Z"
    records = [{"timestamp": stamp, "type": "session_meta", "payload": head}]
    records += [{"timestamp": stamp, "type": "response_item", "payload": v} for v in openai_responses(made)]
    return lines(records)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


FORMATS = {
    "anthropic": lambda made: _json(anthropic(made)),
    "anthropic request": lambda made: _json({"model": "m", "system": "brief", "messages": anthropic(made)}),
    "openai-chat": lambda made: _json({"messages": openai_chat(made)}),
    "openai-responses": lambda made: _json(openai_responses(made)),
    "claude-code": claude_code,
    "codex": codex,
}


def holdfast(
    *arguments: str, home: Path, cwd: Path | None = None, given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", *arguments],
        input=given,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "HOLDFAST_HOME": str(home), "PYTHONPATH": str(ROOT), **environment},
        timeout=180,
        check=False,
    )
