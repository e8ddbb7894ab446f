"""Secrets that people type reach no file, no summary, no log, by no door; what only looks like one is left alone."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sqlite3
import zlib
from datetime import date
from functools import cached_property

import pytest
from planted_forms import FORMS, LOOK_ALIKES as MORE_LOOK_ALIKES, inputs
from stored_memories import entry, stored
from tool_exchanges import exchange

from condense import CondenseConfig, Condenser, StoreArchive, TokenBudget
from condense.compaction.archive import DiskArchive
from condense.compaction.plans import CompactionRecord
from memory import ConversationMemory
from memory.conversation.redaction.redacting import redact, redact_json, redact_value
from memory.entries.entry import Slot
from memory.entries.stored import MemoryFilter, StoredConversation, StoredMemory
from memory.notes.notebook import Notebook
from memory.projects.exporting import export_json, export_markdown
from memory.projects.project_memory import PersistentMemoryManager
from memory.search.embeddings import HashingEmbedder
from memory.stores.in_memory import InMemoryStore
from memory.stores.qdrant.places import open_qdrant
from memory.stores.qdrant.store import VectorMemoryStore
from memory.stores.sqlite.store import SqliteStore
from memory.tools.memories import remember_tool
from memory.tools.notes import write_tool
from tests.memory.conversation.test_secrets import KEYS, LABELLED, LOOK_ALIKES, alnum

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
    hidden = entry(content=f"use {key}", tags=(key,), related_files=(f"{key}.txt",), slots=(Slot("api key", key),))
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
                store.get_original("p_one", "t", store.put_original("p_one", "t", text.encode())) == text.encode()
            )


# ---- planted forms, through a real compaction, into every door


def carried(texts, calls):
    """A session in which each text is typed, given to a tool and answered by one, and each input is given to a tool."""
    messages = [{"role": "user", "content": "Set the service up; never push to main."}]
    for text in texts:
        messages += exchange("write", {"path": "notes.txt", "content": text}, f"Wrote it:\n{text}")
        messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": f"See:\n{text}"}]
    for given in calls:
        messages += exchange("run", given, "ok")
    return messages


def written_below(folder):
    """All bytes of the files in a folder; what SQLite holds packed is unpacked."""
    found = [file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()]
    for file in folder.rglob("*.db"):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            names = [
                name
                for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")
            ]
            rows = [row for name in names for row in connection.execute(f'SELECT * FROM "{name}"')]  # noqa: S608
        for value in (value for row in rows for value in row if isinstance(value, bytes)):
            with contextlib.suppress(zlib.error):
                found.append(zlib.decompress(value))
    return b"\n".join(found).decode("utf-8", "replace")


def found_in(written, secrets):
    """The secrets that stand in a text, as they are or as JSON writes them."""
    found = []
    for secret in secrets:
        once = json.dumps(secret)[1:-1]
        twice = json.dumps(once)[1:-1]
        if any(way in written for way in (secret, once, twice, json.dumps(twice)[1:-1])):
            found.append(secret)
    return found


PLACED = list(inputs())
SECRETS = [secret for _, secret in (*FORMS, *PLACED)]


@pytest.mark.parametrize("target", [4000, 12_000])
def test_planted_forms_do_not_survive_a_compaction_that_is_kept_on_disk(tmp_path, target):
    messages = carried([text for text, _ in FORMS], [given for given, _ in PLACED])
    assert found_in(json.dumps(messages, ensure_ascii=False), SECRETS) == SECRETS
    with SqliteStore(tmp_path / "store.db") as store:
        said = ConversationMemory("t")
        said.extract_memories(messages, now=NOW)
        project = PersistentMemoryManager(store, "p_one")
        project.save_task(said, now=NOW, title=FORMS[0][0])
        config = CondenseConfig(budget=TokenBudget(window=50_000, trigger=target, target=target))
        condenser = Condenser(
            config, archive=StoreArchive(store, project="p_one"), memory=said, project_memory=project
        )
        done = condenser.condense(messages)
        assert done.error is None
        store.put_record("p_one", "t", done.record.id, done.record.to_json(), NOW)
        assert CompactionRecord.from_json(store.newest_record("p_one")).handles == done.record.handles
        originals = [json.loads(store.get_original("p_one", "t", handle)) for handle in done.record.handles]
    assert len(originals) > len(FORMS)
    written = written_below(tmp_path)
    assert "never push to main" in written
    assert "[REDACTED:" in written
    assert found_in(written, SECRETS) == []


def each(write):
    return lambda at, texts: [write(at, text) for text in texts]


DOORS = {
    "memories": lambda at, texts: at.store.put(map(at.memory, texts)),
    "task snapshots": each(
        lambda at, text: at.store.put_conversation(
            StoredConversation(f"{hash(text)}", "p", 1.0, 1.0, text, as_message(text))
        )
    ),
    "compaction records": each(
        lambda at, text: at.store.put_record("p", "t", f"{hash(text)}", as_message(text), NOW)
    ),
    "originals": each(lambda at, text: StoreArchive(at.store, project="p_one").put(as_message(text).encode())),
    "a folder of originals": each(lambda at, text: DiskArchive(at.folder / "o").put(as_message(text).encode())),
    "settings": each(lambda at, text: at.store.put_setting(f"{hash(text)}", text)),
    "a note": each(lambda at, text: at.notebook.append_entry(text, text)),
    "all notes": lambda at, texts: at.notebook.write_all("\n\n".join(texts)),
    "vectors": lambda at, texts: at.vectors.put([at.memory("\n\n".join(texts))]),
    "an export in JSON": lambda at, texts: at.export.write_text(export_json(map(at.memory, texts)), "utf-8"),
    "an export in Markdown": lambda at, texts: at.export.write_text(
        export_markdown(map(at.memory, texts)), "utf-8"
    ),
    "memory_write": each(lambda at, text: write_tool(at.notebook, "mcp").run({"content": text})),
    "remember": lambda at, texts: remember_tool(at.project, "t", lambda: NOW).run({"content": "\n\n".join(texts)}),
}
"""What writes to a disk: a new one has a row here."""


class House:
    """Everything that writes, below one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.export = folder / "export"
        self.store = SqliteStore(folder / "store.db")
        self.project = PersistentMemoryManager(self.store, "p")
        self.notebook = Notebook(folder, today=lambda: date(2026, 1, 2))

    @cached_property
    def vectors(self):
        return VectorMemoryStore(open_qdrant(str(self.folder / "vectors")), HashingEmbedder(64))

    def memory(self, text):
        return StoredMemory(entry(f"m{hash(text)}", text, tags=(text,), slots=(Slot("note", text),)), "p")


def as_message(text):
    return json.dumps({"role": "user", "content": [{"type": "text", "text": text}]}, ensure_ascii=False)


@pytest.mark.parametrize("door", DOORS)
def test_no_door_to_the_disk_lets_a_secret_through(door, tmp_path):
    house = House(tmp_path)
    DOORS[door](house, [text for text, _ in FORMS])
    if "vectors" in house.__dict__:
        house.vectors.close()
    written = written_below(tmp_path)
    house.store.close()
    assert "[REDACTED:" in written
    assert found_in(written, [secret for _, secret in FORMS]) == []


WRITERS = {
    "condense/compaction/archive.py": "redact_bytes; write_atomically writes what it is given",
    "condense/adapters/conversations.py": "the store",
    "condense/apps/backfill/taking.py": "the store; digests of files",
    "condense/apps/handoff/writing.py": "a session of the agent itself, in the agent's own folder",
    "condense/apps/hooks/saving.py": "redacted texts, and the store",
    "condense/apps/hooks/texts.py": "names of errors, without what the person said",
    "condense/apps/install/claude_code.py": "the plugin, and settings as they were",
    "condense/apps/install/files.py": "copies of settings, mode 0600, in the data folder",
    "condense/apps/install/proxy_start.py": "a port and an address",
    "condense/apps/install/records.py": "settings as they were, mode 0600, in the data folder",
    "condense/apps/proxy/answering.py": "the store",
    "condense/apps/panel/routes/record_views.py": "the store",
    "condense/apps/panel/routes/settings.py": "the store",
    "condense/apps/cli/outputs.py": "a file that the person asked for and named",
    "condense/apps/cli/places.py": "the store",
    "condense/apps/cli/commands/mcp_command.py": "the token of the server, in a file that only its owner reads",
    "condense/testing/serving.py": "an answer of a server for tests, no file",
    "memory/projects/sharing.py": "the store",
    "memory/projects/project_memory.py": "the store",
    "memory/notes/locked_file.py": "memory.notes.notebook redacts",
    "memory/stores/qdrant/store.py": "without_secrets",
    "memory/stores/qdrant/collections.py": "what is in Qdrant already",
    "memory/stores/sqlite/store.py": "without_secrets",
    "memory/stores/sqlite/files.py": "the versions and owners of what is there already",
    "memory/stores/sqlite/shelves.py": "redact and redact_json",
    "memory/conversation/transcripts/writing.py": "the person's own session, in the place they named",
}
_WRITING = re.compile(
    r"execute(?:many)?[(]\s*\"?(?:INSERT|UPDATE)\b|[.]upsert[(]|write_(?:bytes|text|atomically)[(]|file[.]write[(]|mkstemp"
    r"|[.]put_(?:record|original|setting|conversation)[(]"
)


def test_a_module_that_writes_is_known_for_what_it_does_about_secrets(repository):
    files = [file for package in ("memory", "condense") for file in (repository / package).rglob("*.py")]
    writing = {str(f.relative_to(repository)) for f in files if _WRITING.search(f.read_text("utf-8"))}
    assert writing == set(WRITERS)


@pytest.mark.parametrize("text", MORE_LOOK_ALIKES)
def test_more_look_alikes_are_left_alone(text):
    assert redact(text) is text
    assert json.loads(redact_json(as_message(text)))["content"][0]["text"] == text


def test_a_value_without_secrets_is_the_same_object_and_still_equal_where_it_holds_one():
    plain = {"n": 1, "list": ["a", {"b": None}], "t": (1.5, True)}
    assert redact_value(plain) is plain
    given = {"n": 1, "list": ["a", {"password": FORMS[0][1]}], "t": True}
    assert redact_value(given) == {"n": 1, "list": ["a", {"password": "[REDACTED:password]"}], "t": True}


def test_json_in_a_text_keeps_its_look_where_only_a_secret_is_taken_out():
    text = json.dumps({"host": "db", "password": FORMS[0][1]}, indent=2)
    assert redact(text) == text.replace(FORMS[0][1], "[REDACTED:password]")


@pytest.mark.parametrize("depth", [50, 100_000])
def test_deep_json_is_redacted_all_the_same(depth):
    text = "[" * depth + json.dumps({"password": FORMS[0][1]}) + "]" * depth
    assert FORMS[0][1] not in redact_json(text)


def test_there_are_enough_planted_forms_and_look_alikes():
    assert len(SECRETS) >= 110
    assert len(set(SECRETS)) == len(SECRETS)
    assert len(MORE_LOOK_ALIKES) >= 50
