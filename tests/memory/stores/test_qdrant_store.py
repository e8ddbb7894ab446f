"""Memories in Qdrant: by meaning and words, filtered, never mixed, and never a failed request."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from processes import started
from stored_memories import full, stored

from memory.entries.entry import MemoryPriority, MemoryStatus, MemoryType
from memory.entries.stored import MemoryFilter, MemoryScope
from memory.search.embeddings import HashingEmbedder
from memory.stores.in_memory import InMemoryStore
from memory.stores.qdrant.collections import prepare
from memory.stores.qdrant.places import open_qdrant
from memory.stores.qdrant.store import VectorMemoryStore
from memory.stores.sqlite.store import SqliteStore

ONE = MemoryFilter("p_one")
NOWHERE = "http://127.0.0.1:9"


def place_of(kind, folder):
    return ":memory:" if kind == "client" else f"edge:{folder / 'engine'}"


@pytest.fixture(params=["client", "engine"])
def client(request, tmp_path):
    made = open_qdrant(place_of(request.param, tmp_path))()
    yield made
    made.close()


@pytest.fixture(params=["client by words", "engine by meaning", "client beside a store"])
def store(request, tmp_path):
    kind, _, way = request.param.partition(" ")
    embedder = None if way == "by words" else HashingEmbedder(64)
    beside = SqliteStore(":memory:") if way == "beside a store" else None
    made = VectorMemoryStore(open_qdrant(place_of(kind, tmp_path)), embedder, beside=beside)
    yield made
    made.close()
    if beside is not None:
        beside.close()


def texts(hits):
    return [hit.memory.entry.content for hit in hits]


def test_a_memory_comes_back_with_every_field(store):
    store.put([full(), stored()])
    assert store.get("p_one", "full") == full()
    assert store.find(MemoryFilter("p_one", statuses=())) == (full(), stored())


def test_putting_again_replaces_and_keeps_the_place(store):
    store.put([stored("a", "first"), stored("b", "second")])
    store.put([stored("a", "third words")])
    assert [m.entry.content for m in store.find(ONE)] == ["third words", "second"]
    assert texts(store.search("third words", ONE))[0] == "third words"
    assert "first" not in texts(store.search("first", ONE))


def test_projects_see_nothing_of_each_other(store):
    store.put([stored("same", "the port is 3001"), stored("same", "the port is 4000", project="p_two")])
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    assert texts(store.search("port", MemoryFilter("p_two"))) == ["the port is 4000"]
    assert store.search("port", MemoryFilter("p_three")) == ()
    assert store.get("p_three", "same") is None


def test_filters_restrict_every_question(store):
    store.put(
        [
            stored("a", "the port is 3001", task_id="t1", type=MemoryType.CONFIGURATION),
            stored("b", "the port was closed", task_id="t2", priority=MemoryPriority.CRITICAL),
            stored("c", "the port of Hamburg", task_id="t2", status=MemoryStatus.SUPERSEDED),
        ]
    )
    for wanted, ids in (
        (MemoryFilter("p_one", ("t1",)), {"a"}),
        (MemoryFilter("p_one", types=(MemoryType.CONFIGURATION,)), {"a"}),
        (MemoryFilter("p_one", priorities=(MemoryPriority.CRITICAL,)), {"b"}),
        (MemoryFilter("p_one", statuses=()), {"a", "b", "c"}),
    ):
        assert {hit.memory.id for hit in store.search("port", wanted)} == ids
        assert {memory.id for memory in store.find(wanted)} == ids
    assert store.search("port quay harbour", MemoryFilter("p_one", minimum_score=0.9)) == ()


def test_the_best_answer_comes_first_with_its_score(store):
    store.put(
        [stored(str(n), text) for n, text in enumerate(("use tabs", "deploy on Fridays", "数据库用PostgreSQL"))]
    )
    (best, *_) = store.search("when do we deploy", ONE)
    assert best.memory.entry.content == "deploy on Fridays"
    assert 0 < best.score <= 1
    assert texts(store.search("数据库", ONE))[0] == "数据库用PostgreSQL"
    assert len(store.search("deploy tabs", ONE, limit=1)) == 1
    assert store.search("  ", ONE) == store.search("deploy", ONE, limit=0) == ()


def test_deleting_clearing_and_counting(store):
    store.put(
        [
            stored("a", task_id="t1"),
            stored("b", task_id="t2", scope=MemoryScope.TASK),
            stored("c", task_id="t2"),
        ]
    )
    assert store.delete("p_one", ["a", "absent"]) == 1
    assert store.get("p_one", "a") is None
    assert store.clear_task("p_one", "t2") == 1
    assert store.record_access("p_one", ["c", "absent"], 9999.0) == 1
    entry = store.get("p_one", "c").entry
    assert (entry.access_count, entry.last_accessed_at) == (2, 9999.0)
    counted = store.statistics(ONE)
    assert (counted.total_memories, counted.pending_memories) == (1, 1)
    assert set(counted.by_type) == {kind.value for kind in MemoryType}


def test_the_documented_names(store):
    entry = stored("a", "the cache is Redis").entry
    store.store_memory(entry, project="p_one")
    store.store_memory(stored("b", "the cache is cold").entry)
    assert store.search_similar_memories("cache", 5, project="p_one") == (entry,)
    assert store.search_similar_memories("cache", task_id=entry.task_id)[0].id == "b"
    assert store.get_project_memories("p_one") == (entry,)


def test_secrets_reach_neither_payload_nor_vector(store):
    store.put([stored("a", "the password is hunter2-Zx91!q")])
    assert "hunter2" not in store.find(ONE)[0].entry.content
    assert store.search("hunter2", ONE) == () or "hunter2" not in str(store.search("hunter2", ONE))


def test_odd_names_are_kept_apart(store):
    for name in ("\ud800", "\x00x", "' OR 1=1", "名"):
        store.put([stored(name, f"port of {name}", project="p" + name, task_id=name)])
        assert store.get("p" + name, name).entry.task_id == name
        assert len(store.find(MemoryFilter("p" + name, (name,)))) == 1


@pytest.mark.parametrize("kind", ["", "edge:"])
def test_a_folder_keeps_memories(kind, tmp_path):
    connect = open_qdrant(f"{kind}{tmp_path / 'q'}")
    for content in ("use tabs", "deploy on Fridays"):
        store = VectorMemoryStore(connect, HashingEmbedder(64))
        store.put([stored(content, content)])
        store.close()
    store = VectorMemoryStore(connect, HashingEmbedder(64))
    assert [m.entry.content for m in store.find(ONE)] == ["use tabs", "deploy on Fridays"]
    store.close()


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from memory.search.embeddings import HashingEmbedder
from memory.stores import VectorMemoryStore, open_qdrant
from stored_memories import stored

store = VectorMemoryStore(open_qdrant(sys.argv[1]), HashingEmbedder(64))
for number in range(10_000):
    store.put([stored(f"m{number}", f"service {number} listens on port {number}")])
    print(f"m{number}", flush=True)
"""


@pytest.mark.slow
def test_the_engine_keeps_what_a_killed_process_wrote_and_is_one_process_alone(tmp_path, caplog):
    place = f"edge:{tmp_path / 'q'}"
    command = [sys.executable, "-c", WRITER, place, str(Path(__file__).parents[2])]
    with started(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]) as other:
        written = [other.stdout.readline().strip() for _ in range(20)]
        with pytest.raises(RuntimeError, match="another process uses the folder"):
            open_qdrant(place)()
        with caplog.at_level(logging.WARNING, "holdfast.memory"):
            shut_out = VectorMemoryStore(open_qdrant(place), beside=InMemoryStore())
            shut_out.put([stored("mine", "use tabs")])
            assert texts(shut_out.search("tabs", ONE)) == ["use tabs"]
        assert len(caplog.records) == 1
        other.kill()
    store = VectorMemoryStore(open_qdrant(place), HashingEmbedder(64))
    assert set(written) <= {memory.id for memory in store.find(ONE)}
    assert texts(store.search("service 7 port 7", ONE, 1)) == ["service 7 listens on port 7"]
    store.close()


def test_without_the_engine_one_line_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "qdrant_edge", None)
    monkeypatch.delitem(sys.modules, "memory.stores.qdrant.edge_client", raising=False)
    with pytest.raises(ImportError, match=r"holdfast-context\[edge\]"):
        VectorMemoryStore(open_qdrant(f"edge:{tmp_path}"))


def test_another_embedder_embeds_anew_and_mixes_nothing(client):
    for embedder in (None, HashingEmbedder(64), HashingEmbedder(32), HashingEmbedder(64)):
        store = VectorMemoryStore(lambda: client, embedder)
        number = len(store.find(ONE))
        store.put([stored(str(number), f"memory number {number}")])
        names = [c.name for c in client.get_collections().collections]
        assert len(names) == 1
        assert texts(store.search("memory number 0", ONE))[0] == "memory number 0"
        assert [m.id for m in store.find(ONE)] == [str(n) for n in range(number + 1)]
        if embedder is not None:
            (records, _) = client.scroll(names[0], with_vectors=True)
            assert {len(record.vector["meaning"]) for record in records} == {embedder.dimension}
            assert {record.payload["embedder"] for record in records} == {embedder.name}


def test_memories_kept_without_an_embedder_are_embedded_when_it_is_back(client):
    embedder = HashingEmbedder(64)

    class Broken(HashingEmbedder):
        def __call__(self, texts):
            raise ConnectionError("no model")

    store = VectorMemoryStore(lambda: client, Broken(64))
    store.put([stored("a", "the cache is Redis")])
    assert texts(store.search("redis", ONE)) == ["the cache is Redis"]
    name = prepare(client, "holdfast_memories", embedder)
    assert client.scroll(name)[0][0].payload["embedder"] == embedder.name


def test_without_qdrant_everything_works_by_keywords_and_one_warning_is_logged(caplog):
    with caplog.at_level(logging.WARNING, "holdfast.memory"):
        store = VectorMemoryStore(open_qdrant(NOWHERE), HashingEmbedder(64), retry_seconds=0.0)
        store.put([stored("a", "the port is 3001"), stored("b", "use tabs")])
        assert texts(store.search("port", ONE)) == ["the port is 3001"]
        assert store.get("p_one", "a").id == "a"
        assert store.record_access("p_one", ["a"], 1.0) == 1
        assert store.delete("p_one", ["b"]) == 1
        assert store.statistics(ONE).total_memories == 1
    assert len(caplog.records) == 1
    assert "found by keywords" in caplog.records[0].getMessage()


def test_what_was_written_while_qdrant_was_away_follows():
    client = open_qdrant(":memory:")()
    up = [False]

    def connect():
        if not up[0]:
            raise ConnectionError("away")
        return client

    store = VectorMemoryStore(connect, HashingEmbedder(64), beside=InMemoryStore(), retry_seconds=0.0)
    store.put([stored("a", "the port is 3001"), stored("b", "use tabs")])
    store.delete("p_one", ["b"])
    up[0] = True
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    (name,) = [c.name for c in client.get_collections().collections]
    assert client.count(name).count == 1


def test_a_failed_qdrant_is_left_alone_for_a_while():
    tries = []

    def connect():
        tries.append(1)
        raise ConnectionError("away")

    store = VectorMemoryStore(connect, retry_seconds=60.0)
    for _ in range(5):
        store.search("port", ONE)
    assert len(tries) == 1


def test_an_index_is_filled_again_from_the_store_beside():
    beside = SqliteStore(":memory:")
    beside.put([stored("a", "the port is 3001")])
    store = VectorMemoryStore(open_qdrant(":memory:"), HashingEmbedder(64), beside=beside)
    assert store.search("port", ONE) == ()
    assert store.synchronise(MemoryFilter("p_one", statuses=())) == 1
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    store.close()
