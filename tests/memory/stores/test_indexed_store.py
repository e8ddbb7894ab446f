"""A project's memories with a vector index beside the store: found through it, true to the store."""

from __future__ import annotations

import subprocess
import sys

import pytest
from processes import started
from stored_memories import stored

from memory.entries.stored import MemoryFilter
from memory.projects.project_memory import PersistentMemoryManager
from memory.search.embeddings import HashingEmbedder
from memory.stores.indexed import IndexedStore
from memory.stores.qdrant.places import open_qdrant
from memory.stores.qdrant.store import VectorMemoryStore
from memory.stores.sqlite.store import SqliteStore

ONE = MemoryFilter("p_one")


@pytest.fixture
def client():
    return open_qdrant(":memory:")()


@pytest.fixture
def store(tmp_path, client):
    truth = SqliteStore(tmp_path / "store.db")
    return IndexedStore(truth, VectorMemoryStore(lambda: client, HashingEmbedder(64), beside=truth))


def texts(hits):
    return [hit.memory.entry.content for hit in hits]


def test_a_project_works_over_it(store):
    project = PersistentMemoryManager(store, "p_one")
    kept = project.remember("Always deploy on Fridays", task_id="t", now=5.0)
    assert [hit.memory.id for hit in project.search("deploy", record=True, now=9.0)] == [kept.id]
    assert store.get("p_one", kept.id).entry.last_accessed_at == 9.0
    project.forget(kept.id)
    assert project.search("deploy") == ()


def test_what_is_rolled_back_is_not_found(store):
    def fail():
        with store.writing():
            store.put([stored("a", "the port is 3001")])
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert store.search("port", ONE) == ()
    with store.writing(), store.writing():
        store.put([stored("a", "the port is 4000")])
    assert texts(store.search("port", ONE)) == ["the port is 4000"]


WRITER = """
import sys
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.sqlite.store import SqliteStore

project = PersistentMemoryManager(SqliteStore(sys.argv[1]), "p_one")
for line in sys.stdin:
    what, _, words = line.strip().partition(" ")
    if what == "remember":
        print(project.remember(words, task_id="other", now=5.0).id, flush=True)
    else:
        name, _, words = words.partition(" ")
        {"edit": lambda: project.edit(name, words), "erase": lambda: project.forget(name, erase=True)}[what]()
        print(name, flush=True)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that writes to the same file."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "store.db")]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def tell(line):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield tell
        process.stdin.close()


def test_what_another_process_writes_is_found_from_then_on(store, other):
    store.put([stored("mine", "the cache is Redis")])
    assert texts(store.search("deploy on which day", ONE)) == []
    first = other("remember Always deploy on Fridays")
    assert texts(store.search("deploy on which day", ONE)) == ["Always deploy on Fridays"]
    other(f"edit {first} The invoices are printed by Zebra printers")
    assert texts(store.search("zebra printer", ONE)) == ["The invoices are printed by Zebra printers"]
    assert store.search("deploy", ONE) == ()
    other(f"erase {first}")
    assert store.search("zebra printer", ONE) == ()
    assert texts(store.search("redis", ONE)) == ["the cache is Redis"]


def test_the_index_is_told_of_foreign_writes_once(store, other, monkeypatch):
    store.put([stored(f"m{n}", f"service {n} is written in Go") for n in range(20)])
    store.search("service", ONE)
    told = []
    follow = store._index.follow
    monkeypatch.setattr(store._index, "follow", lambda names: told.append(list(names)) or follow(told[-1]))
    name = other("remember Always deploy on Fridays")
    for _ in range(3):
        store.search("deploy", ONE)
    assert told == [[("p_one", name)]]


def test_without_qdrant_it_searches_the_store(tmp_path):
    truth = SqliteStore(tmp_path / "store.db")
    store = IndexedStore(truth, VectorMemoryStore(open_qdrant("http://127.0.0.1:9"), beside=truth))
    store.put([stored("a", "the port is 3001")])
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    assert store.clear_task("p_one", "task-1") == 0
    store.close()
