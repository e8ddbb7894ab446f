"""An archive of sessions is taken in: each once, whatever was killed, broken or changed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import started

from condense.apps.backfill import Taken, backfill, session_files
from condense.apps.backfill.taking import MARKS, take
from memory import PersistentMemoryManager, SqliteStore
from memory.stores.in_memory import InMemoryStore

COMMAND = [sys.executable, "-m", "condense.apps.cli", "backfill"]


def session(place, rule, *, name="s", folder="/gone/shop", turns=1):
    lines = []
    for k in range(turns):
        said = {"role": "user", "content": rule if k == 0 else f"Write part {k} of it."}
        answered = {"role": "assistant", "content": [{"type": "text", "text": f"Part {k} is written."}]}
        for n, message in enumerate((said, answered)):
            common = {
                "sessionId": name,
                "cwd": folder,
                "uuid": f"{name}-{k}-{n}",
                "timestamp": "2026-01-01T00:00:00Z",
            }
            lines.append({"type": message["role"], "message": message, **common})
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return place


@pytest.fixture
def archive(tmp_path):
    for k in range(6):
        session(
            tmp_path / "archive" / f"team{k % 2}" / f"s{k}.jsonl",
            f"Never touch folder_{k}.",
            name=f"s{k}",
        )
    return tmp_path / "archive"


def run(archive, store, **more):
    return backfill(session_files([archive]), store, **{"workers": 1, "clock": lambda: 1.0, **more})


def rules(store):
    (project,) = _projects(store)
    found = PersistentMemoryManager(store, project, clock=lambda: 1.0).get_project_memories()
    return sorted(memory.entry.content for memory in found)


def _projects(store):
    return {memory.project for memory in store._memories.values() if memory.project}


def test_sessions_of_one_folder_share_a_project_and_count_once(archive):
    store = InMemoryStore()
    done = run(archive, store)
    assert (done.sessions, done.messages, done.skipped, len(done.projects)) == (6, 12, 0, 1)
    assert done.memories["new"] == 6
    again = run(archive, store)
    assert (again.sessions, again.skipped) == (0, 6)


def test_processes_read_as_one_does(archive, tmp_path):
    stores = [SqliteStore(tmp_path / f"{workers}.db") for workers in (1, 2)]
    done = [run(archive, store, workers=k) for k, store in enumerate(stores, 1)]
    assert done[0].memories == done[1].memories
    (project,) = done[0].projects
    held = [
        sorted(m.entry.content for m in PersistentMemoryManager(store, project).get_project_memories())
        for store in stores
    ]
    assert held[0] == held[1]
    assert len(held[0]) == 6


def test_what_was_said_later_takes_the_place_of_what_was_said_before(tmp_path):
    for k in (2, 0, 1):
        place = session(tmp_path / f"{'cab'[k]}.jsonl", f"Always use port {4000 + k}.", name=f"s{k}")
        os.utime(place, (1_000 + k, 1_000 + k))
    for workers in (1, 2):
        store = InMemoryStore()
        assert run(tmp_path, store, workers=workers).memories["superseded"] == 2
        assert rules(store) == ["Always use port 4002."]


def test_broken_and_empty_files_are_named_and_the_rest_goes_on(archive):
    (archive / "broken.jsonl").write_text("{not json", encoding="utf-8")
    (archive / "empty.json").write_text("[]", encoding="utf-8")
    (archive / "notes.txt").write_text("no session", encoding="utf-8")
    done = run(archive, InMemoryStore())
    assert done.sessions == 6
    assert sorted(Path(failure.file).name for failure in done.failures) == ["broken.jsonl", "empty.json"]
    assert all(failure.reason for failure in done.failures)


def test_a_session_that_has_grown_adds_what_is_new(tmp_path):
    store = InMemoryStore()
    place = session(tmp_path / "a.jsonl", "Always use port 4000.")
    assert run(tmp_path, store).memories["new"] == 1
    with place.open("a", encoding="utf-8") as file:
        message = {"role": "user", "content": "Never touch the migrations folder."}
        common = {"sessionId": "s", "cwd": "/gone/shop", "uuid": "later", "timestamp": "2026-01-02T00:00:00Z"}
        file.write(json.dumps({"type": "user", "message": message, **common}) + "\n")
    done = run(tmp_path, store)
    assert (done.sessions, done.memories["new"]) == (1, 1)
    assert len(rules(store)) == 2


def test_copies_count_once_and_a_named_project_takes_all(archive):
    copy = archive / "copy.jsonl"
    copy.write_bytes((archive / "team0" / "s0.jsonl").read_bytes())
    store = InMemoryStore()
    done = run(archive, store, project="p_0123456789abcdef")
    assert (done.sessions, done.skipped) == (6, 1)
    assert done.projects == {"p_0123456789abcdef"}


def test_a_failure_while_writing_leaves_the_file_for_the_next_run(archive):
    class Full(InMemoryStore):
        def put_record(self, project, task_id, record_id, content, now):
            if task_id == MARKS and len(self.records(None, MARKS)) == 3:
                raise OSError("the disk is full")
            super().put_record(project, task_id, record_id, content, now)

    store = Full()
    with pytest.raises(OSError, match="disk is full"):
        run(archive, store)
    assert len(store.records(None, MARKS)) == 3
    store.__class__ = InMemoryStore
    done = run(archive, store)
    assert (done.sessions, done.skipped) == (3, 3)
    assert len(rules(store)) == 6


def test_any_mapper_will_do(archive):
    def mapper(wanted):
        return [Taken(file, digest, failed="the cluster is gone") for file, digest in wanted]

    done = run(archive, InMemoryStore(), mapper=mapper)
    assert done.sessions == 0
    assert {failure.reason for failure in done.failures} == {"the cluster is gone"}
    assert take("nowhere.jsonl", "d").failed


def test_a_place_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere is not there"):
        list(session_files([tmp_path / "nowhere"]))


def test_killed_in_the_middle_it_goes_on_and_takes_nothing_twice(tmp_path):
    archive, home = tmp_path / "archive", tmp_path / "home"
    for k in range(60):
        session(archive / f"s{k}.jsonl", f"Never touch folder_{k}.", name=f"s{k}", turns=20)
    environment = {**os.environ, "HOLDFAST_HOME": str(home)}
    environment.pop("DATABASE_URL", None)
    command = [*COMMAND, str(archive), "--workers", "2"]
    with started(command, env=environment, stdout=subprocess.PIPE) as process:
        until = time.monotonic() + 60
        while time.monotonic() < until and _marks(home) < 5 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    before = _marks(home)
    done = subprocess.run(
        [*COMMAND, str(archive), "--workers", "2", "--json"],
        env=environment, capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["skipped"] == before
    assert told["sessions"] == 60 - before
    assert told["failures"] == []
    with SqliteStore(next(home.glob("*.db"))) as store:
        assert len(store.records(None, MARKS)) == 60


def _marks(home):
    place = next(home.glob("*.db"), None)
    if place is None:
        return 0
    with SqliteStore(place) as store:
        return len(store.records(None, MARKS))


def test_the_command_says_what_it_did_and_names_what_it_could_not_read(archive, tmp_path):
    (archive / "broken.jsonl").write_text("{not json", encoding="utf-8")
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path / "home")}
    environment.pop("DATABASE_URL", None)
    run_it = [*COMMAND, str(archive), "--store", f"sqlite:///{tmp_path}/kept.db", "--workers", "1"]
    done = subprocess.run(run_it, env=environment, capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout == "6 sessions of 1 project, 12 messages: 6 new; 0 files known, 1 left out\n"
    assert "broken.jsonl" in done.stderr
    (tmp_path / "empty").mkdir()
    broken, empty = archive / "broken.jsonl", tmp_path / "empty"
    refused = {
        "nowhere": "nowhere is not there",
        str(broken): f"nothing was taken of {broken}",
        str(empty): f"no session was found in {empty}",
    }
    for place, reason in refused.items():
        gone = subprocess.run(
            [*COMMAND, place], env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        assert gone.returncode == 2
        assert gone.stderr.splitlines()[-1] == f"holdfast: {reason}"
