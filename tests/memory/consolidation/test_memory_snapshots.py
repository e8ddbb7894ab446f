"""A memory as JSON and back, without loss; anything else is refused with a reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from memory import ConversationMemory, MemoryConfig, SimilarityConfig, SnapshotError
from memory.consolidation.snapshots import Snapshot, read_snapshot, write_snapshot
from memory.entries.entry import MemoryEntry, MemoryPriority, MemoryStatus, MemoryType, Slot, Source

text = st.text(max_size=20)
names = st.lists(text, max_size=3).map(tuple)
times = st.floats(0, 4e9, allow_nan=False)
entries = st.builds(
    MemoryEntry,
    id=st.uuids().map(str),
    task_id=text,
    type=st.sampled_from(MemoryType),
    priority=st.sampled_from(MemoryPriority),
    content=st.text(st.characters(), max_size=40),
    source=st.none() | st.builds(Source, text, st.integers(0, 9), st.integers(0, 99), st.integers(0, 99)),
    created_at=times,
    last_accessed_at=times,
    access_count=st.integers(1, 99),
    standing=st.booleans(),
    tags=names,
    related_files=names,
    related_tech=names,
    slots=st.lists(st.builds(Slot, text, text), max_size=2).map(tuple),
    status=st.sampled_from(MemoryStatus),
    explicit=st.booleans(),
    confidence=st.floats(0, 1),
)


@given(st.lists(entries, max_size=4, unique_by=lambda entry: entry.id), text, times, st.integers(0, 9))
def test_a_snapshot_comes_back_equal(known, task, latest, created):
    config = MemoryConfig(similarity=SimilarityConfig(threshold=0.5))
    snapshot = Snapshot(task, tuple(known), config, latest, created, "0123456789abcdef" * created)
    assert read_snapshot(write_snapshot(snapshot)) == snapshot


def test_lone_surrogates_survive():
    entry = MemoryEntry("a", "t", MemoryType.CONFIGURATION, MemoryPriority.HIGH, "a\ud800b", None, 0.0, 0.0)
    snapshot = Snapshot("t", (entry,))
    written = write_snapshot(snapshot)
    written.encode()
    assert read_snapshot(written) == snapshot


GOOD = {"format": "holdfast-memory", "version": 1, "task_id": "t"}
ENTRY = {
    "id": "a",
    "task_id": "t",
    "type": "configuration",
    "priority": "high",
    "content": "port 1",
    "source": None,
    "created_at": 0.0,
    "last_accessed_at": 0.0,
}


@pytest.mark.parametrize(
    ("junk", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("null", "no snapshot"),
        ('{"a": 1}', "no snapshot"),
        (json.dumps({**GOOD, "version": 99}), "99"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "task_id"}), "task_id"),
        (json.dumps({**GOOD, "entries": 5}), "entries"),
        (json.dumps({**GOOD, "entries": [{**ENTRY, "type": "nonsense"}]}), "type"),
        (json.dumps({**GOOD, "entries": [ENTRY, ENTRY]}), "same id"),
        (json.dumps({**GOOD, "entries": [{**ENTRY, "superseded_by": "b"}]}), "'b'"),
        (json.dumps({**GOOD, "config": {"similarity": {"threshold": 7}}}), "threshold"),
        (json.dumps({**GOOD, "told": "xyz"}), "told"),
        (None, "not JSON"),
    ],
)
def test_anything_else_is_refused_with_a_reason(junk, reason):
    with pytest.raises(SnapshotError, match=reason):
        ConversationMemory.deserialize(junk)


@given(st.text(max_size=40) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_junk_never_raises_anything_else(junk):
    with pytest.raises(SnapshotError):
        ConversationMemory.deserialize(junk)


def test_a_memory_takes_less_than_five_hundred_bytes():
    memory = ConversationMemory("task-0001")
    memory.extract_memories(
        [
            {"role": "user", "content": f"You must keep the exports of module {n} in src/part{n}.ts sorted."}
            for n in range(50)
        ],
        now=1_700_000_000.0,
    )
    count = len(memory.get_all_memories())
    assert count == 50
    assert len(memory.serialize().encode()) / count < 500
