"""Items of lists with their heads, wherever memories go: merged, stored, shared, in the ledger, verified, quoted."""

from __future__ import annotations

import json

import pytest
from builders import contents, user

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.quotes import partly_quoted
from condense.verifying.verifying import verify
from memory import ConversationMemory
from memory.entries.entry import MemoryStatus
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore

NOW = 1_700_000_000.0
LISTS = {
    "English": ("Do not use:\n* jQuery\n* moment.js", ["Do not use: jQuery", "Do not use: moment.js"]),
    "Chinese": ("禁止：\n- 直接推送主分支\n- 删除线上数据", ["禁止：直接推送主分支", "禁止：删除线上数据"]),
    "German": (
        "Niemals:\n1. auf main pushen\n2. Tests löschen",
        ["Niemals: auf main pushen", "Niemals: Tests löschen"],
    ),
    "Russian": ("Никогда не трогай:\n- модуль оплаты\n", ["Никогда не трогай: модуль оплаты"]),
    "heading": ("## Never do\n\n- push to main\n", ["Never do: push to main"]),
}


def told(*texts, task="t"):
    memory = ConversationMemory(task)
    memory.extract_memories([user(text) for text in texts], now=NOW)
    return memory


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    made = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield made
    made.close()


# --- one conversation


def test_items_of_one_head_are_neither_merged_nor_retired():
    memory = told("Do not use:\n- React\n- React Native", "Use:\n- PostgreSQL", "Use:\n- PostgreSQL\n- MySQL")
    assert contents(memory) == [
        "Do not use: React",
        "Do not use: React Native",
        "Use: PostgreSQL",
        "Use: MySQL",
    ]


def test_an_item_that_is_said_again_is_one_memory():
    for again in ("Do not use:\n- jQuery", "Do not use jQuery", "DO NOT USE:\n\n1) jQuery"):
        memory = told("Do not use:\n- jQuery\n- moment.js", again)
        assert len(contents(memory)) == 2, again


def test_what_a_list_denies_is_retired_and_never_answers():
    memory = told("Use MySQL.", "Do not use:\n- MySQL\n- Oracle")
    assert contents(memory) == ["Do not use: MySQL", "Do not use: Oracle"]
    assert not any(entry.slots for entry in memory.get_all_memories())
    assert memory.remember("Do not use: MySQL").slots == ()


def test_a_rule_for_a_case_retires_nothing():
    memory = told("the port is 3001", "If you run on CI:\n- never use port 3001\n- always use port 4000")
    assert contents(memory)[0] == "the port is 3001"
    assert all("If you run on CI: " in content for content in contents(memory)[1:])


def test_a_snapshot_keeps_the_spans_of_heads_and_an_older_one_has_none():
    memory = told("Do not use:\n- jQuery")
    text = memory.serialize()
    (again,) = ConversationMemory.deserialize(text).get_all_memories()
    assert again.source.heads == ((0, 11),)
    assert again.parts == ("Do not use: ", "jQuery")
    old = json.loads(text)
    del old["entries"][0]["source"]["heads"]
    (older,) = ConversationMemory.deserialize(json.dumps(old)).get_all_memories()
    assert older.source.heads == ()
    assert older == again


# --- a project


@pytest.mark.parametrize("name", LISTS)
def test_a_project_shares_items_with_their_heads(store, name):
    text, items = LISTS[name]
    project = PersistentMemoryManager(store, "p")
    project.save_task(told(text), now=NOW)
    found = project.get_project_memories()
    assert sorted(memory.entry.content for memory in found) == sorted(items)
    assert all(memory.entry.source.heads for memory in found)


def test_another_task_strengthens_the_same_item_and_adds_others(store):
    project = PersistentMemoryManager(store, "p")
    project.save_task(told("Do not use:\n- React\n- jQuery", task="a"), now=NOW)
    saved = project.save_task(told("Do not use:\n- React Native\n- jQuery", task="b"), now=NOW + 1)
    assert [memory.entry.content for memory in saved.new] == ["Do not use: React Native"]
    assert [memory.entry.content for memory in saved.strengthened] == ["Do not use: jQuery"]
    assert not saved.superseded
    found = project.get_project_memories(statuses=(MemoryStatus.PENDING, MemoryStatus.PERSISTED))
    assert len(found) == 3


# --- the ledger


def condensed(texts):
    memory = ConversationMemory("t")
    messages = []
    for text in texts:
        messages += [user(text), {"role": "assistant", "content": "Understood; the work goes on. " * 40}]
    messages += [user("Go on with the next page."), {"role": "assistant", "content": "I am on it. " * 200}]
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(6000)), memory=memory)
    done = condenser.condense(messages, target=900)
    return json.dumps(done.messages, ensure_ascii=False), memory, messages


@pytest.mark.parametrize("name", LISTS)
def test_rules_in_the_ledger_carry_their_heads(name):
    text, items = LISTS[name]
    filler = "Please look at the layout of the start page and tell me what you think of it. " * 30
    ledger, _, _ = condensed([text, filler, filler])
    for item in items:
        assert item in ledger
    assert text.split("\n")[0] + '"' not in ledger


# --- verifying


@pytest.mark.parametrize("name", LISTS)
def test_a_summary_without_the_head_has_lost_the_rule(name):
    text, items = LISTS[name]
    memory = told(text)
    source = [user(text), {"role": "assistant", "content": "Done."}]
    bare = "\n".join(f"- {entry.parts[1]}" for entry in memory.get_all_memories())
    lost = verify(f"Rules:\n{bare}\n", source, memories=memory.get_all_memories())
    assert {fact.text for fact in lost.missing_critical} >= set(items)


@pytest.mark.parametrize("name", LISTS)
def test_a_summary_that_keeps_list_or_sentences_has_kept_it(name):
    text, items = LISTS[name]
    memory = told(text)
    source = [user(text), {"role": "assistant", "content": "Done."}]
    for summary in (text, "Rules of the user:\n" + "\n".join(f"- {item}" for item in items)):
        found = verify(summary, source, memories=memory.get_all_memories())
        assert {fact.text for fact in found.retained} >= set(items), summary
        assert not found.invented


def test_a_list_that_the_summary_puts_in_one_line_is_kept():
    text = "Do not use:\n* jQuery\n* moment.js\n* lodash"
    memory = told(text)
    found = verify("Do not use: lodash, moment.js, jQuery", [user(text)], memories=memory.get_all_memories())
    assert {fact.text for fact in found.retained} >= set(contents(memory))


def test_an_item_is_borne_out_by_the_list_it_was_typed_in():
    text = "Do not use:\n* jQuery\n* moment.js\n* lodash"
    found = verify('User rules:\n- "Do not use: lodash"\n', [user(text)])
    assert not found.invented
    assert not found.unsupported


# --- quotes in part


def test_a_part_of_a_long_request_holds_no_item_without_its_head():
    lines = [f"The page number {number} shows a picture of a house and a short text." for number in range(40)]
    text = "\n".join(
        [
            *lines[:20],
            "Do not use:",
            "- jQuery",
            "- moment.js",
            *lines[20:],
            "Do not touch:",
            "- a.py",
            "- b.py",
        ]
    )
    for room in range(20, 400, 20):
        quoted = partly_quoted(text, room, lambda said: len(said.split()))
        for head, items in (("Do not use:", ("jQuery", "moment.js")), ("Do not touch:", ("a.py", "b.py"))):
            assert head in quoted or not any(item in quoted for item in items)
