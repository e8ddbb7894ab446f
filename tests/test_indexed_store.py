"""A project's memories with a vector index beside the store: found through it, true to the store."""

from __future__ import annotations

import pytest
from stored_memories import stored

from memory.embeddings import HashingEmbedder
from memory.project_memory import PersistentMemoryManager
from memory.stored import MemoryFilter
from memory.stores.indexed import IndexedStore
from memory.stores.qdrant import VectorMemoryStore, open_qdrant
from memory.stores.sqlite import SqliteStore

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


def test_what_another_process_wrote_is_found_at_the_first_search(store, tmp_path):
    other = SqliteStore(tmp_path / "store.db")
    other.put([stored("a", "the port is 3001")])
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    other.delete("p_one", ["a"])
    assert store.search("port", ONE) == ()
    other.close()


def test_without_qdrant_it_searches_the_store(tmp_path):
    truth = SqliteStore(tmp_path / "store.db")
    store = IndexedStore(truth, VectorMemoryStore(open_qdrant("http://127.0.0.1:9"), beside=truth))
    store.put([stored("a", "the port is 3001")])
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    assert store.clear_task("p_one", "task-1") == 0
    store.close()
