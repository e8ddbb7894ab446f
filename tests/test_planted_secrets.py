"""Secrets that people type reach no file, no summary, no log, by no door; what only looks like one is left alone."""

from __future__ import annotations

import json
import logging

import pytest
from stored_memories import entry, stored
from test_secrets import KEYS, LABELLED, LOOK_ALIKES, alnum

from memory import ConversationMemory
from memory.entries import Slot
from memory.exporting import export_json, export_markdown
from memory.project_memory import PersistentMemoryManager
from memory.stored import MemoryFilter, StoredConversation, StoredMemory
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite import SqliteStore

NOW = 1_700_000_000.0
PLANTED = [
    *(("use {} please", key) for name, key in KEYS.items() if not name.startswith("telegram")),
    *LABELLED,
]


def bytes_on_disk(folder):
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


def test_what_people_type_reaches_the_disk_without_its_secrets(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    out = []
    with SqliteStore(tmp_path / "store.db") as store:
        project = PersistentMemoryManager(store, "p_one")
        for number, (text, secret) in enumerate(PLANTED):
            memory = ConversationMemory(f"t{number}")
            said = text.format(secret)
            for words in (f"Remember this:\n{said}", f"Always do it so:\n{said}", said, f"记住\n{said}"):
                memory.extract_memories([{"role": "user", "content": words}], now=NOW)
            memory.remember(said, now=NOW)
            project.save_task(memory, now=NOW, title=said)
            project.remember(said, task_id="x", now=NOW)
            out.append(memory.generate_memory_summary())
        memories = project.get_project_memories(statuses=())
        assert len(memories) > 20
        out += [export_json(memories), export_markdown(memories)]
        out += project.relevant_memories("password key token 密码", 100_000, count_tokens=len)
        out += [conversation.title for conversation in project.conversations()]
        disk = bytes_on_disk(tmp_path)
    out += [repr(memories), caplog.text]
    written = "\n".join(out)
    leaked = [(text, secret) for text, secret in PLANTED if _leaks(text, secret, written, disk)]
    assert leaked == []


def _leaks(text, secret, written, disk):
    """Tell whether a secret stands somewhere; common words only where they stand in their own sentence."""
    shown = text.format(secret) if len(secret) < 12 else secret
    return shown in written or shown.encode() in disk


@pytest.mark.parametrize("make", [InMemoryStore, lambda: SqliteStore(":memory:")], ids=["memory", "file"])
def test_every_door_of_a_store_redacts(make):
    store = make()
    key = "sk-" + "ant-api03-" + alnum(80) + "-AA"
    hidden = entry(
        content=f"use {key}", tags=(key,), related_files=(f"{key}.txt",), slots=(Slot("api key", key),)
    )
    store.put([StoredMemory(hidden, "p_one")])
    store.put_conversation(StoredConversation("t", "p_one", 1.0, 1.0, f"use {key}", f'{{"a": "{key}"}}'))
    store.put_record("p_one", "t", "r", f'{{"summary": "{key}"}}', 1.0)
    store.put_setting("x", key)
    handle = store.put_original("p_one", "t", f'{{"role": "user", "content": "my key is {key}"}}'.encode())
    seen = [
        repr(store.find(MemoryFilter("p_one", statuses=()))),
        repr(store.get_conversation("p_one", "t").snapshot),
        repr(store.conversations("p_one")),
        repr(store.records("p_one", "t")),
        repr(store.settings()),
        repr(store.get_original("p_one", "t", handle)),
    ]
    assert not any(key in text for text in seen)
    assert all("REDACTED" in text for text in seen)


def test_the_packed_parts_hold_no_secret_either(tmp_path):
    secret = "Tr0ub4dor" + "&3"
    with SqliteStore(tmp_path / "store.db") as store:
        store.put_conversation(StoredConversation("t", "p_one", 1.0, 1.0, "", f'{{"password": "{secret}"}}'))
        store.put_record("p_one", "t", "r", f"the password is {secret}", 1.0)
        handle = store.put_original("p_one", "t", f"DB_PASSWORD={secret}".encode())
        parts = [store.get_conversation("p_one", "t").snapshot, *store.records("p_one", "t")]
        parts.append(store.get_original("p_one", "t", handle).decode())
    assert not any(secret in part for part in parts)


def test_redacted_json_is_still_json():
    store = InMemoryStore()
    for text, secret in PLANTED:
        value = {"text": text.format(secret), "n": [1, {"password": secret}]}
        store.put_record("p_one", "t", "r", json.dumps(value), 1.0)
        (kept,) = store.records("p_one", "t")
        assert json.loads(kept)["n"][0] == 1


def test_look_alikes_are_stored_as_they_are():
    with SqliteStore(":memory:") as store:
        store.put([stored(f"m{number}", text) for number, text in enumerate(LOOK_ALIKES)])
        kept = [memory.entry.content for memory in store.find(MemoryFilter("p_one"))]
        assert kept == list(LOOK_ALIKES)
        for text in LOOK_ALIKES:
            assert (
                store.get_original("p_one", "t", store.put_original("p_one", "t", text.encode()))
                == text.encode()
            )
