"""Sessions of many megabytes: what every command needs of the machine's memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SIZE = 24
"""Megabytes of the session."""
MOST = 3 * SIZE + 150
"""Megabytes a command may need, as the README says."""
MEASURED = """
import re, sys
from condense.apps.cli import main
code = main(sys.argv[1:])
print(code, re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""


def exchange(n: int, k: int) -> list[dict]:
    """A call and its result, which Claude Code writes twice."""
    path = f"/home/you/shop/src/part_{n}_{k}.py"
    listing = "\n".join(
        f"{i:>6}→    parcel_{n}_{i} = depot.order(voucher_{k}_{i}, tariff={i * n})  # what the parcel {i} costs"
        for i in range(1, 301)
    )
    call = {"type": "tool_use", "id": f"toolu_{n}_{k}", "name": "Read", "input": {"file_path": path}}
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": listing}
    return [
        {"type": "assistant", "message": {"id": call["id"], "role": "assistant", "content": [call]}},
        {
            "type": "user",
            "message": {"role": "user", "content": [result]},
            "toolUseResult": {"type": "text", "file": {"filePath": path, "content": listing}},
        },
    ]


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("large") / "session.jsonl"
    (file.parent / ".git").mkdir()
    (file.parent / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    parent, number = None, 0
    with file.open("w", encoding="utf-8") as opened:
        while opened.tell() < SIZE * 1_000_000:
            ask = f"Look at part {number}. Use port {3000 + number} and never touch folder {number}."
            rows = [{"type": "user", "message": {"role": "user", "content": ask}}]
            rows += [row for k in range(8) for row in exchange(number, k)]
            for at, row in enumerate(rows):
                row |= {"parentUuid": parent, "uuid": f"u{number}-{at}", "cwd": str(file.parent)}
                opened.write(json.dumps(row, ensure_ascii=False) + "\n")
                parent = row["uuid"]
            number += 1
    return file


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "words",
    [
        "report FILE",
        "condense FILE -o OUT",
        "memories FILE",
        "score FILE --json",
        "verify NOTES --source FILE",
        "memory save FILE",
    ],
)
def test_a_command_needs_three_times_the_file_and_a_little_at_most(words, large, tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("The page of parcel_3_7 listens on port 3003.\n", encoding="utf-8")
    given = {"FILE": str(large), "OUT": str(tmp_path / "out.json"), "NOTES": str(notes)}
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *(given.get(word, word) for word in words.split())],
        capture_output=True,
        text=True,
        check=True,
        timeout=280,
        cwd=large.parent,
        env={**os.environ, "HOLDFAST_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)},
    )
    code, kilobytes = map(int, re.search(r"(\d+) (\d+)\n\Z", done.stderr).groups())
    assert code in ((0, 1) if words.startswith("verify") else (0,)), done.stderr
    assert kilobytes / 1024 < MOST
