"""A machine for the panel to show: an invented home with the bundled session, its memories and compactions, and 5,000
memories more; the real server over it, in a process of its own.
"""

from __future__ import annotations

import gzip
import math
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from processes import started
from stored_memories import stored

from condense import Condenser
from condense.compaction import StoreArchive
from memory import ConversationMemory, PersistentMemoryManager
from memory.conversation import read_transcript
from memory.entries import MemoryPriority, MemoryStatus, MemoryType
from memory.projects import project_of
from memory.stores import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parent.parent
SESSION = "a5076886-8dfd-47d0-b8f0-2b54b3e74b02"
SAYINGS = (
    "Never push to main without a green run of the integration tests.",
    "The retry queue keeps at most 500 jobs; older ones go to the dead-letter table.",
    "Dates in reports are ISO 8601, in UTC.",
    "We decided on PostgreSQL 16 with pgvector rather than a vector store of its own.",
    "The invoices page crashed on a currency without subunits.",
    "金额必须保留四位小数。",
    "Keep the public interface of billing/client.py stable until version 3.",
    "Deploy from the release branch, on weekdays only.",
)
FILES = ("billing/client.py", "jobs/queue.py", "web/invoices.tsx", "reports/monthly.py", "deploy/release.sh")
TECHNOLOGIES = ("postgresql", "redis", "react", "docker", "pytest")


@dataclass(frozen=True)
class Machine:
    """Where everything lies, and whose memories they are."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def work(self) -> Path:
        return self.home / "billing"

    @property
    def kept(self) -> Path:
        return self.folder / "kept"

    @property
    def project(self) -> str:
        found = project_of(self.work)
        assert found is not None
        return found.key

    @property
    def environment(self) -> dict[str, str]:
        keep = {k: v for k, v in os.environ.items() if k in {"PATH", "LANG", "TMPDIR"}}
        return {
            **keep,
            "HOME": str(self.home),
            "HOLDFAST_HOME": str(self.kept),
            "PYTHONPATH": str(REPOSITORY),
        }

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        self.kept.mkdir(exist_ok=True)
        store = SqliteStore(self.kept / "memory.db")
        try:
            yield store
        finally:
            store.close()

    @property
    def session_file(self) -> Path:
        return self.home / ".claude" / "projects" / "-home-billing" / f"{SESSION}.jsonl"


def made_machine(folder: Path, memories: int = 5_000) -> Machine:
    """Lay out such a machine: a project, the session in it, memories, one compaction by the proxy, notes."""
    machine = Machine(folder)
    machine.session_file.parent.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(machine.work)], check=True, timeout=60)
    packed = REPOSITORY / "benchmarks" / "data" / "claude_code_session.jsonl.gz"
    text = (
        gzip.decompress(packed.read_bytes()).decode().replace("/tmp/holdfast-demo/holdfast", str(machine.work))  # noqa: S108  # where it was recorded
    )
    machine.session_file.write_text(text)
    with machine.store() as store:
        _fill(machine, store, memories)
    return machine


def _fill(machine: Machine, store: SqliteStore, memories: int) -> None:
    now = time.time()
    store.put(_made(machine.project, i, now) for i in range(memories))
    messages = read_transcript(machine.session_file).messages
    memory = ConversationMemory(SESSION)
    memory.extract_memories(messages, now=now - 600)
    PersistentMemoryManager(store, machine.project).save_task(memory, now=now - 600, title="What sessions cost")
    task = f"proxy/{SESSION}"
    condenser = Condenser(
        memory=ConversationMemory(SESSION),
        archive=StoreArchive(store, project=machine.project, task_id=task),
    )
    record = condenser.condense(messages, target=8_000).record
    assert record is not None
    store.put_record(None, task, record.id, record.to_json(), now - 300)


def _made(project: str, i: int, now: float):
    status = (
        MemoryStatus.PENDING
        if i % 700 == 3
        else MemoryStatus.SUPERSEDED
        if i % 23 == 11
        else MemoryStatus.PERSISTED
    )
    content = SAYINGS[i % len(SAYINGS)]
    return stored(
        f"made-{i}",
        content if i < len(SAYINGS) else f"{content} (case {i})",
        project=project,
        pinned=i == 6,
        task_id="task-of-old",
        type=list(MemoryType)[i % 6],
        priority=list(MemoryPriority)[i % 4],
        status=status,
        created_at=now - 3600 * (i * 0.4 + 2 + 30 * math.sin(i / 37)) if i > 100 else now - 3600 * (i * 0.4 + 2),
        last_accessed_at=now - 3600 * i * 0.2,
        access_count=i % 7,
        related_files=(FILES[i % 5],) if i % 3 == 0 else (),
        related_tech=(TECHNOLOGIES[i % 5],) if i % 4 == 0 else (),
        confidence=0.9,
    )


@contextmanager
def serving(machine: Machine) -> Iterator[str]:
    """The panel's address with its token, while its server runs."""
    command = [sys.executable, "-m", "condense.apps.cli", "panel", "--port", "0"]
    with started(
        command, limit=900, cwd=machine.work, env=machine.environment, stderr=subprocess.PIPE, text=True
    ) as server:
        line = server.stderr.readline()
        assert "http://" in line, line + server.stderr.read()
        try:
            yield line.split()[-1]
        finally:
            server.terminate()
            server.wait(10)
