"""What the environment opens: PostgreSQL or SQLite; without their packages a store in memory, said once."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from condense.adapters.threads import ThreadMemory
from memory.entries import ThreadMessage
from memory.errors import StoreError

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_700_000_000.0
GIVEN = [
    ThreadMessage(f"m{i}", {"role": role, "content": f"{role} {i}: the port is {5_000 + i}"})
    for i, role in enumerate(["user", "assistant", "assistant"] * 67)
]


def test_without_a_database_threads_are_in_a_sqlite_file_and_a_restart_keeps_everything(
    tmp_path, monkeypatch, caplog
):
    pytest.importorskip("sqlalchemy")
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    with caplog.at_level(logging.WARNING, "holdfast"):
        memory = ThreadMemory.from_environment({}, clock=lambda: NOW)
        memory.touch("a")
        memory.store.append_messages("a", GIVEN)
        done = memory.prune("a")
        memory.store.close()
    assert len(done.removable) == 21
    assert [r.getMessage().count("DATABASE_URL is not set") for r in caplog.records] == [1, 0]
    again = ThreadMemory.from_environment({}, clock=lambda: NOW)
    assert again.store.thread("a").last_active_at == NOW
    assert len(again.store.messages("a")) == 180
    assert again.store.summary("a") == done.summary
    assert "5003" in again.recall("a", "5003")
    assert again.prune("a").removable == ()
    assert dict(again.store.delete_thread("a"))["messages"] == 180
    assert again.known("a") == ("", ())
    again.store.close()


def test_a_database_that_cannot_be_opened_is_an_error_and_no_other_store(tmp_path):
    pytest.importorskip("sqlalchemy")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        ThreadMemory.from_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/file/threads.db"})


PROBE = """
import sys
sys.modules["sqlalchemy"] = None
from condense.adapters.threads import ThreadMemory
memory = ThreadMemory.from_environment({})
memory.touch("a")
print(type(memory.store).__name__, len(memory.store.threads()))
try:
    ThreadMemory.from_environment({"DATABASE_URL": "postgresql://db/threads"})
except ImportError:
    print("refused")
"""


def test_without_the_packages_threads_are_in_memory_unless_a_database_is_named(tmp_path):
    env = {**os.environ, "HOLDFAST_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=env, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["InMemoryThreads", "1", "refused"], done.stderr
    assert done.stderr.count("kept in memory, and lost at the end") == 1


def test_the_memory_tools_recall_what_was_pruned_where_a_database_is_named(tmp_path):
    pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path}/threads.db"
    memory = ThreadMemory.from_environment({"DATABASE_URL": url}, clock=lambda: NOW)
    memory.prune("a", GIVEN)
    memory.store.close()
    arguments = {"query": "5003", "thread_id": "a"}
    asked = [("initialize", {}), ("tools/call", {"name": "recall_thread", "arguments": arguments})]
    lines = [{"jsonrpc": "2.0", "id": i, "method": m, "params": p} for i, (m, p) in enumerate(asked)]
    env = {**os.environ, "HOLDFAST_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "DATABASE_URL": url}
    done = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", "mcp", "--workspace", str(tmp_path)],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env=env, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    answer = json.loads(done.stdout.splitlines()[1])["result"]
    assert "the port is 5003" in answer["content"][0]["text"], done.stderr
