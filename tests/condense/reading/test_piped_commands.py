"""Exit code 0 behind a pipe is the last command's: it says nothing of the one before."""

from __future__ import annotations

import json

import pytest

from condense.reading import collect_artifacts
from memory.conversation import parse_messages


def outcome_of(command: str, printed: str):
    call = {
        "type": "function",
        "id": "c1",
        "function": {"name": "shell", "arguments": json.dumps({"command": command})},
    }
    shown = json.dumps({"output": printed, "metadata": {"exit_code": 0, "duration_seconds": 1}})
    messages = [
        {"role": "user", "content": "go on"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": shown},
    ]
    return collect_artifacts(parse_messages(messages)).commands[-1].outcome


@pytest.mark.parametrize(
    ("command", "printed", "failed"),
    [
        ("git push 2>&1 | tail -1", "error: failed to push some refs to 'harbour'", True),
        ("make boat 2>&1 | tail -3", "all planks are cut", None),
        ("make boat", "all planks are cut", False),
        ("set -o pipefail; make boat | tee log", "all planks are cut", False),
        ("make boat || echo none", "all planks are cut", False),
    ],
)
def test_what_a_pipe_hides_is_not_told_as_well(command: str, printed: str, failed: bool | None):
    assert outcome_of(command, printed).failed is failed
