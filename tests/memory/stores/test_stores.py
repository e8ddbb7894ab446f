"""What every store does, and that the one in memory and the one in a file agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from examples import examples
from hypothesis import HealthCheck, given, strategies as st
from postgres import POSTGRES
from stored_memories import full, stored

from memory.entries.entry import MemoryPriority, MemoryStatus, MemoryType, Slot
from memory.entries.stored import MemoryFilter, MemoryScope, StoredConversation, mark_of
from memory.errors import UnknownHandleError
from memory.stores.in_memory import InMemoryStore
from memory.stores.sql.store import SqlStore
from memory.stores.sqlite.store import SqliteStore

ONE = MemoryFilter("p_one")


@pytest.fixture(params=["memory", "file", "sqlite", POSTGRES])
def store(request, tmp_path):
    if request.param == "memory":
        made = InMemoryStore()
    elif request.param == "file":
        made = SqliteStore(tmp_path / "store.db")
    elif request.param == "sqlite":
        made = SqlStore(tmp_path / "threads.db")
    else:
        made = SqlStore(request.getfixturevalue("postgres_url"))
    yield made
    made.close()


def texts(hits):
    return [hit.memory.entry.content for hit in hits]


def test_a_memory_comes_back_with_every_field(store):
    store.put([full(), stored()])
    assert store.get("p_one", "full") == full()
    assert store.find(MemoryFilter("p_one", statuses=())) == (full(), stored())


def test_names_may_be_any_text(store):
    for name in ("\ud800", "", "\x00x", "' OR 1=1", "名", "\ue000", "a\x00b"):
        store.put([stored(name, f"port of {name}", project="p" + name, task_id=name)])
        assert store.get("p" + name, name).entry.task_id == name
        assert store.record_access("p" + name, [name], 1.0) == 1
        store.put_record("p" + name, name, name, name, 1.0)
        assert store.records("p" + name, name) == (name,)
        store.put_setting(name, name)
        assert store.settings()[name] == name
        assert store.delete("p" + name, [name]) == 1


def test_putting_again_replaces_and_keeps_the_place(store):
    store.put([stored("a", "first"), stored("b", "second")])
    store.put([stored("a", "third words")])
    assert [m.entry.content for m in store.find(ONE)] == ["third words", "second"]
    assert store.search("first", ONE) == ()
    assert texts(store.search("third", ONE)) == ["third words"]


def test_projects_see_nothing_of_each_other(store):
    store.put([stored("same", "the port is 3001"), stored("same", "the port is 4000", project="p_two")])
    assert texts(store.search("port", ONE)) == ["the port is 3001"]
    assert texts(store.search("port", MemoryFilter("p_two"))) == ["the port is 4000"]
    assert store.get("p_three", "same") is None
    assert store.search("port", MemoryFilter("p_three")) == ()
    assert store.delete("p_three", ["same"]) == 0
    assert store.delete("p_two", ["same"]) == 1
    assert store.get("p_one", "same") is not None


def test_outside_projects_a_question_names_its_task(store):
    with pytest.raises(ValueError, match="names no project and no task"):
        MemoryFilter(None)
    store.put([stored("a", "use tabs", project=None), stored("b", "use tabs", project=None, task_id="other")])
    assert [hit.memory.id for hit in store.search("tabs", MemoryFilter(None, tasks=("task-1",)))] == ["a"]


MEANT = [
    ("数据", "所有数据库操作都要写日志"),
    ("端口", "服务端口改为4000"),
    ("テスト", "コミット前に必ずテストを実行する"),
    ("database", "we keep everything in PostgreSQL"),
    ("which db", "Use MySQL for orders"),
    ("configuration", "it is configured in settings.toml"),
    ("user name", "call getUserName() instead"),
    ("user name", "rename user_name to login"),
    ("chat.py", "put the route into src/api/chat.py"),
    ("deployment", "deploy only from main"),
    ("登录", "the login form needs a captcha"),
    ("C++", "write it in C++"),
    ("log out", "登出后清除缓存"),
    ("résumé", "the resume page is slow"),
]
OTHERS = ["rename the widget", "周五开会", "the quick brown fox"]


def test_search_finds_what_is_meant(store):
    for number, (query, content) in enumerate(MEANT):
        project = f"p{number}"
        store.put([stored(f"m{n}", text, project=project) for n, text in enumerate([content, *OTHERS])])
        assert texts(store.search(query, MemoryFilter(project), 1)) == [content], query


def test_search_prefers_the_words_themselves_and_says_what_matched(store):
    store.put([stored("a", "use MySQL for orders"), stored("b", "the database is backed up at night")])
    first, second = store.search("database", ONE)
    assert (first.memory.id, second.memory.id) == ("b", "a")
    assert first.matched == ("database",)
    assert 0 < second.score < first.score <= 1


def test_search_filters(store):
    store.put(
        [
            stored("a", "port 1", priority=MemoryPriority.LOW),
            stored("b", "port 2", type=MemoryType.CONFIGURATION),
            stored("c", "port 3", status=MemoryStatus.SUPERSEDED),
            stored("d", "port 4", pinned=True),
            stored("e", "port 5", scope=MemoryScope.TASK, task_id="task-9"),
        ]
    )

    def found(**wanted):
        return sorted(hit.memory.id for hit in store.search("port", MemoryFilter("p_one", **wanted), 9))

    assert found() == ["a", "b", "d", "e"]
    assert found(priorities=(MemoryPriority.LOW,)) == ["a"]
    assert found(types=(MemoryType.CONFIGURATION,)) == ["b"]
    assert found(statuses=(MemoryStatus.SUPERSEDED,)) == ["c"]
    assert found(pinned=True) == ["d"]
    assert found(scope=MemoryScope.TASK) == ["e"]
    assert found(tasks=("task-9",)) == ["e"]
    assert found(minimum_score=1.0) == found()
    assert len(store.search("port", ONE, 2)) == 2
    assert store.search("port", ONE, 0) == ()
    assert store.search("", ONE) == store.search("?!", ONE) == ()


def test_search_takes_any_text(store):
    store.put([stored()])
    for query in ('"', "a AND", "NEAR(", "*", "words:", "x' OR 1=1 --", "\x00", "\ud800", "-"):
        assert len(store.search(query, ONE)) <= 1


def test_access_is_counted_and_time_never_runs_back(store):
    store.put([stored("a"), stored("b")])
    assert store.record_access("p_one", ["a", "a", "nobody"], 5000.0) == 1
    assert store.record_access("p_one", ["a"], 10.0) == 1
    used = store.get("p_one", "a").entry
    assert (used.access_count, used.last_accessed_at) == (3, 5000.0)


def test_clearing_a_task_leaves_what_the_project_shares(store):
    store.put(
        [
            stored("own", scope=MemoryScope.TASK),
            stored("shared"),
            stored("other", scope=MemoryScope.TASK, task_id="t"),
        ]
    )
    assert store.clear_task("p_one", "task-1") == 1
    assert [m.id for m in store.find(ONE)] == ["shared", "other"]


def test_statistics_count_active_ones_and_states(store):
    store.put(
        [
            stored("a"),
            stored("b", status=MemoryStatus.PERSISTED, priority=MemoryPriority.CRITICAL),
            stored("c", status=MemoryStatus.SUPERSEDED),
            stored("d", project="p_two"),
        ]
    )
    counts = store.statistics(ONE)
    assert (counts.total_memories, counts.pending_memories, counts.persisted_memories) == (2, 1, 1)
    assert counts.superseded_memories == 1
    assert counts.by_priority == {"critical": 1, "high": 1, "medium": 0, "low": 0}
    assert counts.by_type["technical_decision"] == 2


def test_questions_are_found_by_their_slot(store):
    store.put([stored("a", slots=(Slot("port", "1"),)), stored("b", slots=(Slot("theme", "dark"),))])
    assert [m.id for m in store.answering("p_one", ["port", "x"])] == ["a"]
    assert store.answering("p_two", ["port"]) == ()
    store.put([stored("a")])
    assert store.answering("p_one", ["port"]) == ()


def test_conversations_are_kept_listed_and_removed_with_what_only_they_see(store):
    for number in range(3):
        store.put_conversation(
            StoredConversation(f"t{number}", "p_one", 1.0, 100.0 * number, f"title {number}", '{"a":1}')
        )
        store.put([stored(f"m{number}", scope=MemoryScope.TASK, task_id=f"t{number}")])
        store.put([stored(f"s{number}", task_id=f"t{number}")])
        store.put_record("p_one", f"t{number}", f"r{number}", '{"version":1}', 1.0)
    assert [c.task_id for c in store.conversations("p_one")] == ["t2", "t1", "t0"]
    assert store.get_conversation("p_one", "t1").snapshot == '{"a":1}'
    assert store.get_conversation("p_two", "t1") is None
    assert store.delete_conversations("p_two", 1e9) == ()
    assert store.delete_conversations("p_one", 200.0) == ("t0", "t1")
    assert [m.id for m in store.find(ONE)] == ["s0", "s1", "m2", "s2"]
    assert store.records("p_one", "t0") == ()
    assert store.records("p_one", "t2") == ('{"version":1}',)


def test_records_come_oldest_first_and_can_be_undone(store):
    store.put_record("p_one", "t", "r1", "second", 2.0)
    store.put_record("p_one", "t", "r2", "first", 1.0)
    assert store.records("p_one", "t") == ("first", "second")
    assert store.delete_record("p_one", "r2")
    assert not store.delete_record("p_one", "r2")
    assert not store.delete_record("p_two", "r1")
    assert store.records("p_one", "t") == ("second",)


def test_marks_tell_states_apart_and_not_uses(store):
    one = stored("a", "the port is 3001")
    store.put([one, stored("b", "x"), stored("a", "elsewhere", project="p_two")])
    assert store.marks("p_one").keys() == {"a", "b"}
    assert store.marks("p_one")["a"] == mark_of(one)
    store.record_access("p_one", ["a"], 9.0)
    assert store.marks("p_one")["a"] == mark_of(one)
    for other in (
        replace(one, pinned=True),
        replace(one, scope=MemoryScope.TASK),
        stored("a", "the port is 3002"),
        stored("a", "the port is 3001", status=MemoryStatus.PERSISTED),
    ):
        store.put([other])
        assert store.marks("p_one")["a"] == mark_of(other) != mark_of(one)
    store.put([full()])
    assert store.marks("p_one")["full"] == mark_of(full())
    assert isinstance(store.data_version(), int)


def test_the_newest_record_is_the_one_made_last_in_its_project(store):
    assert store.newest_record("p_one") is None
    store.put_record("p_one", "t", "r1", "older", 1.0)
    store.put_record("p_one", "other", "r2", "newer", 2.0)
    store.put_record("p_two", "t", "r3", "elsewhere", 3.0)
    assert store.newest_record("p_one") == "newer"
    store.put_record("p_one", "t", "r1", "made again", 2.0)
    assert store.newest_record("p_one") == "made again"
    assert store.newest_record(None) is None


@given(content=st.binary(max_size=300))
@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_originals_come_back_to_the_byte(store, content):
    handle = store.put_original("p_one", "t", content)
    assert handle == store.put_original("p_one", "t", content)
    assert handle.startswith("hf_")
    assert len(handle) == 15
    assert store.get_original("p_one", "t", handle) == content


def test_an_unknown_handle_is_refused(store):
    for handle in ("hf_0123456789ab", "nonsense", ""):
        with pytest.raises(UnknownHandleError, match=r"is no handle|not in this store"):
            store.get_original("p_one", "t", handle)


def test_settings_are_kept(store):
    store.put_setting("panel.language", "zh")
    store.put_setting("panel.language", "en")
    assert store.settings()["panel.language"] == "en"


def test_a_transaction_is_all_or_nothing(store):
    store.put([stored("a", "one")])

    def fail_half_way():
        with store.writing():
            store.put([stored("a", "two"), stored("b")])
            store.put_setting("x", "y")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert [m.entry.content for m in store.find(ONE)] == ["one"]
    assert "x" not in store.settings()
    assert store.search("two", ONE) == ()
