"""What every store of threads does, whatever it is made of."""

from __future__ import annotations

from math import cos, radians, sin

import pytest

from memory.entries import Thread, ThreadChunk, ThreadMessage, ThreadSummary, ThreadTopic
from memory.stores import InMemoryThreads, SqlStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request, tmp_path):
    if request.param == "memory":
        kept = InMemoryThreads()
    elif request.param == "sqlite":
        kept = SqlStore(tmp_path / "threads.db")
    else:
        kept = SqlStore(request.getfixturevalue("postgres_url"))
    yield kept
    kept.close()


def chunk(text, thread="a", **more):
    return ThreadChunk(thread, text, **more)


def said(number, text="Hello"):
    return ThreadMessage(f"m{number}", {"role": "user", "content": f"{text} {number}"})


def test_threads_are_listed_the_last_used_first(store):
    for thread, at in (("a", 10.0), ("b", 30.0), ("c", 20.0), ("a", 5.0)):
        store.touch_thread(thread, at)
    assert [t.thread_id for t in store.threads()] == ["b", "c", "a"]
    assert [t.thread_id for t in store.threads(limit=1, offset=1)] == ["c"]
    assert store.thread("a") == Thread("a", "", 10.0)
    assert store.thread("nobody") is None


def test_a_label_stays_when_a_thread_is_used_again(store):
    store.touch_thread("a", 1.0)
    assert store.label_thread("a", "会话 1")
    assert not store.label_thread("nobody", "x")
    store.touch_thread("a", 2.0)
    assert store.thread("a") == Thread("a", "会话 1", 2.0)


def test_messages_keep_their_order_and_their_ids_count_once(store):
    assert store.append_messages("a", [said(k) for k in range(5)]) == 5
    assert store.append_messages("a", [said(4, "Changed"), said(5)]) == 1
    held = store.messages("a")
    assert [m.id for m in held] == [f"m{k}" for k in range(6)]
    assert held[4].value["content"] == "Changed 4"
    assert store.messages("b") == ()


def test_removed_messages_are_gone(store):
    store.append_messages("a", [said(k) for k in range(5)])
    assert store.remove_messages("a", ["m0", "m1", "nothing"]) == 2
    assert [m.id for m in store.messages("a")] == ["m2", "m3", "m4"]


def test_odd_texts_come_back_as_they_were(store):
    odd = "a\x00b \ud800 \ue000 表 🎉"
    store.append_messages("a\ud800", [ThreadMessage("m\x00", {"role": "user", "content": odd})])
    assert store.messages("a\ud800")[0].value["content"] == odd
    store.put_chunks([chunk(odd, topics=("t\x00",))])
    assert store.chunks("a")[0].chunk == odd


def test_one_summary_a_thread(store):
    assert store.summary("a") is None
    store.put_summary(ThreadSummary("a", "First", 20, 1.0, "m19"))
    store.put_summary(ThreadSummary("a", "Second", 41, 2.0, "m40"))
    assert store.summary("a") == ThreadSummary("a", "Second", 41, 2.0, "m40")


def test_a_chunk_is_kept_once_and_gets_the_vector_it_lacked(store):
    assert store.put_chunks([chunk("We use PostgreSQL."), chunk("We use PostgreSQL.")]) == 1
    assert store.put_chunks([chunk("We use PostgreSQL.", vector=(1.0, 0.0))]) == 0
    assert store.put_chunks([chunk("We use PostgreSQL.", "b")]) == 1
    (held,) = store.chunks("a")
    assert held.vector == (1.0, 0.0)


def test_chunks_are_found_by_words_within_a_thread_and_across(store):
    store.put_chunks([chunk("The database is PostgreSQL on port 5433."), chunk("Buttons are green.")])
    store.put_chunks([chunk("The database of the other one is SQLite.", "b")])
    found = store.search_chunks("Which database?", thread_id="a")
    assert [hit.chunk.chunk for hit in found] == ["The database is PostgreSQL on port 5433."]
    assert found[0].matched
    assert 0 < found[0].score <= 1
    assert {hit.chunk.thread_id for hit in store.search_chunks("Which database?")} == {"a", "b"}
    assert store.search_chunks("zebra", thread_id="a") == ()
    assert store.search_chunks("database", thread_id="a", limit=0) == ()


def test_chinese_is_found_by_its_bigrams(store):
    store.put_chunks([chunk("数据库使用 PostgreSQL,端口 5433。"), chunk("按钮是绿色的。")])
    assert store.search_chunks("数据库端口是多少", thread_id="a")[0].chunk.chunk.startswith("数据库")


def test_chunks_are_found_by_meaning_and_other_lengths_by_words_alone(store):
    store.put_chunks(
        [
            chunk("alpha", vector=(1.0, 0.0, 0.0)),
            chunk("beta", vector=(0.0, 1.0, 0.0)),
            chunk("gamma", vector=(0.0, 1.0)),
            chunk("delta"),
        ]
    )
    found = store.search_chunks("nothing shared", thread_id="a", vector=(0.9, 0.1, 0.0), limit=2)
    assert [hit.chunk.chunk for hit in found] == ["alpha", "beta"]
    assert store.search_chunks("gamma", thread_id="a", vector=(0.0, 0.0, 1.0))[0].chunk.chunk == "gamma"


AT = {angle: (cos(radians(angle)), sin(radians(angle))) for angle in (0, 15, 20, 90)}


def test_a_question_asked_again_finds_the_same_and_what_was_kept_meanwhile(store):
    def asked(**more):
        found = store.search_chunks("zebra", thread_id="a", vector=AT[20], **more)
        return [(hit.chunk.chunk, round(hit.score, 5)) for hit in found]

    store.put_chunks([chunk("one", vector=AT[0]), chunk("two", vector=AT[90]), chunk("three")])
    store.put_chunks([chunk("elsewhere", "b", vector=AT[20])])
    first = asked()
    assert [text for text, _ in first] == ["one", "two"]
    assert asked() == asked() == first
    store.put_chunks([chunk("three", vector=AT[20])])  # the vector it lacked
    assert [text for text, _ in asked()] == ["three", "one", "two"]
    with store.writing():
        store.put_chunks([chunk("four", vector=AT[15])])
        assert [text for text, _ in asked(limit=2)] == ["three", "four"]
    assert [text for text, _ in asked()] == ["three", "four", "one", "two"]
    assert [text for text, _ in asked()] == ["three", "four", "one", "two"]


def test_a_topic_restricts_what_is_found(store):
    store.put_chunks(
        [
            chunk("Tables are named in the plural.", topics=("数据库设计",)),
            chunk("Tables of the page", topics=("ui",)),
        ]
    )
    found = store.search_chunks("tables", thread_id="a", topic="数据库设计")
    assert [hit.chunk.chunk for hit in found] == ["Tables are named in the plural."]


def test_topics_are_counted(store):
    store.count_topics("a", ["database", "ui"], 1.0)
    store.count_topics("a", ["database"], 3.0)
    assert store.topics("a") == (ThreadTopic("database", 2, 3.0), ThreadTopic("ui", 1, 1.0))
    assert store.topics("b") == ()


def test_a_deleted_thread_leaves_nothing_and_others_alone(store):
    for thread in "ab":
        store.touch_thread(thread, 1.0)
        store.append_messages(thread, [said(1), said(2)])
        store.put_summary(ThreadSummary(thread, "S"))
        store.put_chunks([chunk("One thing", thread)])
        store.count_topics(thread, ["x", "y"], 1.0)
    gone = store.delete_thread("a")
    expected = {"thread": 1, "messages": 2, "summary": 1, "chunks": 1, "topics": 2}
    assert gone | expected == gone
    assert (store.thread("a"), store.messages("a"), store.summary("a"), store.chunks("a"), store.topics("a")) == (
        None, (), None, (), (),
    )  # fmt: skip
    assert store.search_chunks("thing", thread_id="a") == ()
    assert len(store.messages("b")) == 2
    assert store.search_chunks("thing")[0].chunk.thread_id == "b"
    assert not any(store.delete_thread("a").values())


def test_a_failed_transaction_leaves_nothing(store):
    def fail():
        with store.writing():
            store.touch_thread("a", 1.0)
            store.append_messages("a", [said(1)])
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert store.threads() == ()
    assert store.messages("a") == ()


def test_secrets_do_not_stay_in_chunks_and_summaries(store):
    secret = "sk-ant-api03-" + "a1B2c3D4" * 8
    store.put_chunks([chunk(f"The key is {secret}.")])
    store.put_summary(ThreadSummary("a", f"The key is {secret}."))
    assert secret not in store.chunks("a")[0].chunk + store.summary("a").summary
    store.append_messages("a", [ThreadMessage("m1", {"role": "user", "content": f"The key is {secret}."})])
    assert secret in store.messages("a")[0].value["content"], "messages are sent again as they were"
