"""Looking through a whole store gives the same answers over the file of SQLite and over both databases of SQL."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from postgres import POSTGRES
from stored_memories import full, stored

from memory.entries import MemoryPriority, MemoryScope, MemoryStatus, MemoryType, StoredConversation
from memory.errors import StoreError, UnknownHandleError
from memory.stores import BrowsableSqlStore, BrowsableStore, Browsing, RecordRow, open_browsable
from memory.stores.browsing import ORDERS

RANKS = {priority: priority.rank for priority in MemoryPriority}
AS_SORTED = {
    "newest": lambda m, row: (m.entry.created_at, row),
    "priority": lambda m, row: (m.pinned, RANKS[m.entry.priority], m.entry.last_accessed_at, row),
    "used": lambda m, row: (m.entry.access_count, m.entry.last_accessed_at, row),
}


@pytest.fixture(params=["file", "sqlite", POSTGRES])
def opened(request, tmp_path):
    """Open the same store any number of times."""
    made = []

    def another():
        if request.param == "file":
            made.append(BrowsableStore(tmp_path / "store.db"))
        elif request.param == "sqlite":
            made.append(BrowsableSqlStore(tmp_path / "threads.db"))
        else:
            made.append(BrowsableSqlStore(request.getfixturevalue("postgres_url")))
        return made[-1]

    yield another
    for store in made:
        store.close()


@pytest.fixture
def store(opened):
    return opened()


def many():
    """Memories of two projects and of none, of all kinds, in the order in which they are put."""
    kinds = product(MemoryStatus, (MemoryType.CONFIGURATION, MemoryType.TECHNICAL_DECISION), MemoryPriority)
    for number, (status, kind, priority) in enumerate(kinds):
        yield stored(
            f"m{number}",
            f"Use port {number}",
            project=("p_one", "p_two \ud800")[number % 3 == 2],
            scope=MemoryScope.TASK if number % 7 == 6 else MemoryScope.PROJECT,
            pinned=number % 5 == 1,
            status=status,
            type=kind,
            priority=priority,
            created_at=1000.0 + 500 * (number % 4),
            last_accessed_at=float(number % 6),
            access_count=number % 3,
        )
    yield stored("outside", project=None, scope=MemoryScope.PROJECT)
    yield full()


def shared(wanted, memories):
    """Return what a store should look at, as it is said."""
    for row, one in enumerate(memories):
        entry = one.entry
        if (
            one.scope is MemoryScope.PROJECT
            and wanted.project in ("", one.project)
            and entry.status in (wanted.statuses or tuple(MemoryStatus))
            and entry.type in (wanted.types or tuple(MemoryType))
            and entry.priority in (wanted.priorities or tuple(MemoryPriority))
            and wanted.pinned in (None, one.pinned)
        ):
            yield row, one


LOOKED_AT = [
    Browsing(),
    Browsing("p_one"),
    Browsing("p_two \ud800", pinned=False),
    Browsing("p_none"),
    Browsing("p_one", (MemoryStatus.PENDING, MemoryStatus.SUPERSEDED), pinned=True),
    Browsing("", (), (MemoryType.TECHNICAL_DECISION,), (MemoryPriority.LOW, MemoryPriority.CRITICAL)),
]


def test_pages_in_each_order_and_counts_are_what_was_kept(store):
    memories = list(many())
    for one in memories:  # rows of several projects have no order among them but that of their times
        store.put([one])
    assert AS_SORTED.keys() == ORDERS.keys()
    for wanted, (order, key) in product(LOOKED_AT, AS_SORTED.items()):
        known = list(shared(wanted, memories))
        seen = [one for at in range(0, 60, 4) for one in store.page(wanted, order, limit=4, offset=at)]
        told = {(one.project, one.id): (row, one) for row, one in known}
        assert {(one.project, one.id): one for one in seen} == {name: one for name, (_, one) in told.items()}
        assert len(seen) == len(known)
        placed = [key(*reversed(told[one.project, one.id])) for one in seen]
        if wanted.project:
            assert placed == sorted(placed, reverse=True)
        else:
            times = [one[:-1] for one in placed]
            assert times == sorted(times, reverse=True)
        counted = Counter((m.entry.status, m.entry.type, m.entry.priority, m.pinned) for _, m in known)
        assert store.tally(wanted) == dict(counted)


def test_what_was_created_is_counted_by_spans(store):
    store.put([stored(f"m{at}", created_at=at) for at in (1.5, 999.9, 1000.0, 1799.0, 2600.0, 3999.99)])
    store.put([stored("two", project="p_two", created_at=1000.0)])
    store.put([stored("own", scope=MemoryScope.TASK, created_at=1000.0)])
    assert store.created("p_one", 999.0, 1000.0) == {0: 1, 1: 2, 2: 1, 3: 1}
    assert store.created("", 1000.0, 1000.0) == {1: 3, 2: 1, 3: 1}
    assert store.created("p_none", 0.0, 1000.0) == {}


def test_projects_are_listed_with_what_holds_there_the_newest_first(store):
    assert store.project_rows() == []
    store.put(
        [
            stored("a", created_at=10.0),
            stored("b", created_at=20.0, status=MemoryStatus.PERSISTED),
            stored("c", created_at=90.0, status=MemoryStatus.FORGOTTEN),
            stored("d", created_at=99.0, scope=MemoryScope.TASK),
            stored("e", project=None, created_at=99.0),
        ]
    )
    store.put_conversation(StoredConversation("t", "p_\ud800", 1.0, 95.0))
    store.put_conversation(StoredConversation("t", "p_one", 1.0, 15.0))
    store.put_conversation(StoredConversation("t", None, 1.0, 15.0))
    store.put_record("p_three", "t", "r", "{}", 1.0)
    assert store.project_rows() == [("p_\ud800", 0, 0, 95.0), ("p_one", 2, 1, 90.0), ("p_three", 0, 0, 0.0)]


def test_records_of_all_tasks_are_listed_the_newest_first(store):
    store.put_record("p_one", "t \ud800", "r1", '{"at": 1}', 1.0)
    store.put_record(None, "u", "r2", '{"at": 2}', 3.0)
    store.put_record("p_two", "mark", "r3", '{"at": 3}', 9.0)
    store.put_record("p_two", "v", "r4", '{"at": 4}', 1.0)
    rows = store.record_rows(without="mark")
    assert rows == [
        RecordRow(rows[0].ordinal, None, "u", "r2", 3.0),
        RecordRow(rows[1].ordinal, "p_two", "v", "r4", 1.0),
        RecordRow(rows[2].ordinal, "p_one", "t \ud800", "r1", 1.0),
    ]
    assert [json.loads(store.record_content(row.ordinal))["at"] for row in rows] == [2, 4, 1]
    assert len(store.record_rows()) == 4
    store.delete_record(None, "r2")
    assert store.record_content(max(row.ordinal for row in rows) + 100) is None
    assert [row.id for row in store.record_rows(without="mark")] == ["r4", "r1"]


def test_an_original_is_found_whoever_keeps_it(store):
    mine = store.put_original("p_one", "", b"of the project")
    theirs = store.put_original(None, "task \ud800", b"of a task")
    assert store.any_original(mine) == store.any_original(mine, "p_two") == b"of the project"
    assert store.any_original(theirs) == store.any_original(theirs, "p_one") == b"of a task"
    for handle in ("hf_000000000000", "none"):
        with pytest.raises(UnknownHandleError):
            store.any_original(handle, "p_one")


WRITES = {
    "a memory": lambda store: store.put([stored("new")]),
    "other words": lambda store: store.put([stored("a", "something else entirely")]),
    "a decision": lambda store: store.put([replace(stored("a"), pinned=True)]),
    "a use": lambda store: store.record_access("p_one", ["a"], 2000.0),
    "a removal": lambda store: store.delete("p_one", ["a"]),
    "a record": lambda store: store.put_record("p_one", "t", "new", "{}", 2.0),
    "a record moved": lambda store: store.put_record("p_one", "undone/t", "r", "{}", 1.0),
}


@pytest.mark.parametrize("own", [True, False])
def test_whoever_writes_what_is_seen_is_another(opened, own):
    store, other = opened(), opened()
    store.put([stored("a"), stored("a", project="p_two"), stored("a", project=None)])
    store.put_record("p_one", "t", "r", "{}", 1.0)
    assert ("", "memories") in store.signs()
    for written, write in WRITES.items():
        version, signs = store.version(), store.signs()
        assert (store.version(), store.signs()) == (version, signs)  # reading changes nothing
        write(store if own else other)
        assert store.version() != version, written
        changed = {name for name, sign in store.signs().items() if signs.get(name) != sign}
        changed |= signs.keys() - store.signs().keys()
        assert changed == {("p_one", "records" if "record" in written else "memories")}, written


def test_what_a_transaction_undoes_is_never_remembered(store):
    store.put([stored("a")])
    outside = store.version()

    def undone():
        with store.writing():
            store.put([stored("b")])
            assert len(store.page(Browsing())) == 2
            assert store.version() != outside
            raise KeyError

    with pytest.raises(KeyError):
        undone()
    assert [one.id for one in store.page(Browsing())] == ["a"]


def test_the_named_store_is_opened_or_the_own_file(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)
    with open_browsable() as store:
        assert store.path == str(tmp_path / "kept" / "memory.db")
    monkeypatch.setenv("HOLDFAST_STORE", f"sqlite:///{tmp_path}/other.db")
    with open_browsable() as store:
        assert store.path == str(tmp_path / "other.db")
    monkeypatch.setenv("HOLDFAST_STORE", "shelf:pass-word")
    with pytest.raises(StoreError, match=r"the store shelf:\.\.\. cannot be looked through") as error:
        open_browsable()
    assert "pass-word" not in str(error.value)
