"""What starting costs: processor time, and what is loaded for it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"},
    },
}
LOADED = """
import sys
from condense.apps.cli import main
code = main(sys.argv[1:])
print(*sorted({name.split(".")[0] for name in sys.modules}), *sys.modules, file=sys.stderr)
sys.exit(code)
"""


def run(*words, given="", home=None):
    return subprocess.run(
        [sys.executable, *words],
        input=given,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOLDFAST_HOME": str(home or ROOT)},
    )


def processor_seconds(*words, given="", home=None) -> float:
    """Time of the second of two runs: the first one compiles."""
    run("-m", "condense.apps.cli", *words, given=given, home=home)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("-m", "condense.apps.cli", *words, given=given, home=home)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.timing
def test_the_version_is_told_at_once():
    assert processor_seconds("--version") < 0.3


@pytest.mark.timing
def test_a_client_of_the_mcp_server_is_answered_within_a_second(tmp_path):
    assert processor_seconds("mcp", given=json.dumps(HELLO) + "\n", home=tmp_path) < 1


def test_the_version_loads_nothing_of_others():
    loaded = run("-c", LOADED, "--version").stderr.split()
    assert not {"typer", "rich", "click", "pydantic", "mcp", "qdrant_client", "regex", "tiktoken"} & set(loaded)


def test_serving_by_stdio_loads_neither_the_sdk_nor_the_compaction(tmp_path):
    loaded = run("-c", LOADED, "mcp", given=json.dumps(HELLO) + "\n", home=tmp_path).stderr.split()
    assert not {
        "mcp",
        "anyio",
        "rich",
        "qdrant_client",
        "condense.compaction.condenser",
        "memory.engine",
    } & set(loaded)


@pytest.mark.parametrize("words", [["report", "--help"], ["memory", "--help"], ["mcp", "--help"], ["--help"]])
def test_help_of_a_command_stands_though_others_are_not_loaded(words):
    told = run("-m", "condense.apps.cli", *words).stdout
    assert "Usage: holdfast" in told
    assert ("notes" in told and "report" in told and "mcp" in told) == (words == ["--help"])


@pytest.mark.parametrize("name", ["memory.py", "memory/__init__.py"])
@pytest.mark.parametrize(
    "words", [["-c", "from condense import Condenser"], ["-m", "condense.apps.cli", "--version"]]
)
def test_a_module_of_somebody_elses_that_stands_before_ours_is_named(name, words, tmp_path):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("raise SystemExit('never run')", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(*words, home=tmp_path)
    last = failed.value.stderr.splitlines()[-1]
    assert last.startswith("ImportError: condense needs the package memory it came with")
    assert str(file.resolve()) in last


def test_notes_in_a_folder_named_memory_stand_in_nobodys_way(tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("notes", encoding="utf-8")
    assert run("-c", "from condense import Condenser; Condenser()", home=tmp_path).stderr == ""
