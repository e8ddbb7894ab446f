"""A memory that says several things: what of it no longer holds is marked wherever it is shown, the rest holds on."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from stored_memories import entry, stored

from condense import CondenseConfig, Condenser, summarize_conversation
from condense.ledger.document import read_ledger
from condense.verifying.verifying import verify
from memory import ConversationMemory
from memory.config import SimilarityConfig
from memory.consolidation.memory_set import Holdings
from memory.consolidation.rendering import marked_text, unmarked
from memory.entries.entry import Candidate, MemoryPriority, MemoryStatus, MemoryType, Overtaken, Slot, Source
from memory.entries.stored import MemoryFilter
from memory.projects.exporting import export_json, export_markdown, import_json
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore

NOW = 1_700_000_000.0
BOTH = "Use PostgreSQL on port 3001."


def asked(*texts):
    return [{"role": "user", "content": text} for text in texts]


def told(*texts, task="t"):
    memory = ConversationMemory(task)
    for text in texts:
        memory.extract_memories(asked(text), now=NOW)
    return memory


def shown(memory, **more):
    return [marked_text(one) for one in memory.get_all_memories(**more)]


@pytest.fixture(params=["memory", "file"])
def project(request, tmp_path):
    store = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield PersistentMemoryManager(store, "p_shop")
    store.close()


@pytest.mark.parametrize(
    ("earlier", "later", "mark"),
    [
        (BOTH, "actually port 4000", " (port: later 4000)"),
        (BOTH, "Change the port to 4000.", " (port: later 4000)"),
        (BOTH, "Let's move to MySQL.", " (database: later mysql)"),
        (BOTH, "switch the database to MySQL", " (database: later mysql)"),
        (BOTH, "Use MySQL instead of PostgreSQL.", " (database: later mysql)"),
        (BOTH, "We no longer use PostgreSQL.", " (database: no longer postgresql)"),
        ("Use pnpm, Node 20 and branch develop.", "use branch main from now on", " (branch: later main)"),
        ("Always answer in Chinese and use pnpm, never npm.", "Answer in English from now on.",
         " (answer language: later english)"),
        ("Use React and Tailwind for the frontend, and pnpm.", "Let's use Vue instead of React.",
         " (frontend framework: later vue)"),
        ("Use Docker with PostgreSQL.", "use MySQL", " (database: later mysql)"),
        ("数据库用 PostgreSQL，端口 3001", "端口改成 4000", "（端口：后改为 4000）"),
        ("数据库用 PostgreSQL，端口 3001", "把端口改成 4000", "（端口：后改为 4000）"),
        ("数据库用 PostgreSQL，端口 3001", "数据库改用 MySQL", "（数据库：后改为 mysql）"),
        ("数据库用 PostgreSQL，端口 3001", "不用 PostgreSQL 了", "（数据库：已不用 postgresql）"),
        ("前端用 React，包管理器用 pnpm", "前端改成 Vue", "（前端框架：后改为 vue）"),
        ("用中文回答，主题是深色", "主题改成浅色", "（主题：后改为 浅色）"),
        ("用中文回答，主题是深色", "以后用英文回答", "（回答语言：后改为 英文）"),
    ],
)  # fmt: skip
def test_only_what_was_overtaken_is_marked_and_the_later_statement_is_linked(earlier, later, mark):
    memory = told(earlier, later)
    old, new = (memory.get_all_memories()[at] for at in (0, -1))
    assert marked_text(old) == earlier + mark
    assert old.content == earlier
    assert old.is_active
    assert {one.by for one in old.overtaken} == {new.id}
    assert new.content == later
    assert earlier + mark in memory.generate_memory_summary()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (BOTH, "The admin panel listens on port 4000."),
        (BOTH, "It crashed on port 4000."),
        (BOTH, "Just this time use port 4000."),
        (BOTH, "Should we use port 4000?"),
        (BOTH, "Also support MySQL."),
        (BOTH, "Use Redis for the cache."),
        (BOTH, "In tests use SQLite."),
        (BOTH, "use port 3001"),
        (
            "Frontend: React with Vite on port 5173, backend: FastAPI on port 8000.",
            "Change the port to 9000.",
        ),
        ("Run tests with pytest and lint with ruff.", "Use black rather than ruff format."),
        ("Always answer in Russian and use pnpm.", "explain rights in plain English"),
        ("Answer in Chinese and use pnpm.", "Write the README in English."),
        ("数据库用 PostgreSQL，端口 3001", "支付服务的端口是 4000"),
        ("数据库用 PostgreSQL，端口 3001", "端口 4000 报错了"),
        ("数据库用 PostgreSQL，端口 3001", "端口要不要改成 4000？"),
        ("数据库用 PostgreSQL，端口 3001", "测试环境用 SQLite"),
        ("数据库用 PostgreSQL，端口 3001", "同时支持 MySQL"),
    ],
)
def test_what_says_something_else_marks_nothing(earlier, later):
    memory = told(earlier, later)
    (old,) = (one for one in memory.get_all_memories() if one.content == earlier)
    assert not old.overtaken


def test_when_all_its_answers_are_overtaken_a_memory_is_superseded():
    memory = told(BOTH, "actually port 4000", "switch the database to MySQL")
    old, port, database = memory.get_all_memories(include_superseded=True)
    assert shown(memory) == ["actually port 4000", "switch the database to MySQL"]
    assert old.status is MemoryStatus.SUPERSEDED
    assert old.superseded_by == database.id
    assert [mark.by for mark in old.overtaken] == [port.id]


def test_what_took_over_from_a_critical_memory_stays_critical_when_that_one_goes():
    memory = told("必须使用 PostgreSQL 数据库，端口 3001。", "端口改成 4000", "数据库改用 MySQL")
    assert {one.content: one.priority for one in memory.get_all_memories()} == {
        "端口改成 4000": MemoryPriority.CRITICAL,
        "数据库改用 MySQL": MemoryPriority.CRITICAL,
    }


def test_the_mark_follows_the_newest_answer_and_goes_when_the_old_one_holds_again():
    memory = told(BOTH, "Actually use port 4000.")
    memory.extract_memories(asked("Use port 5000 instead."))
    assert f"{BOTH} (port: later 5000)" in shown(memory)
    memory.extract_memories(asked("actually go back to port 3001"))
    assert shown(memory) == [BOTH, "actually go back to port 3001"]


def test_saying_the_whole_again_puts_all_of_it_in_force():
    memory = told(BOTH, "Actually use port 4000.", f"{BOTH} Really.")
    (kept,) = memory.get_all_memories()
    assert (kept.content, kept.overtaken) == (BOTH, ())
    assert {slot.value for slot in kept.slots} == {"postgresql", "3001"}


def test_another_value_is_never_merged_into_a_marked_memory():
    memory = told(BOTH, "Actually use port 4000.", "Use PostgreSQL on port 5000.")
    assert "Use PostgreSQL on port 5000." in shown(memory)
    assert f"{BOTH} (port: later 5000)" in shown(memory)


def test_without_the_later_statement_the_mark_says_what_is_still_known():
    for forgets in (True, False):
        memory = told(BOTH, "Actually use port 4000.")
        old, new = memory.get_all_memories()
        if forgets:
            memory.forget(new.id)
            assert shown(memory) == [f"{BOTH} (port: no longer 3001)"]
        else:
            memory.record_memory_access(old.id)
            memory.prune_low_priority_memories(1)
            assert shown(memory) == [f"{BOTH} (port: later 4000)"]
            assert memory.get_all_memories()[0].overtaken[0].by is None
        assert ConversationMemory.deserialize(memory.serialize()).serialize() == memory.serialize()


def test_extracting_twice_and_a_snapshot_change_nothing():
    messages = asked(BOTH, "actually port 4000")
    memory = ConversationMemory("t")
    memory.extract_memories(messages)
    entries = memory.get_all_memories(include_superseded=True)
    restored = ConversationMemory.deserialize(memory.serialize())
    for one in (memory, restored):
        assert one.extract_memories(messages).memories == ()
        assert one.get_all_memories(include_superseded=True) == entries
    assert restored.serialize() == memory.serialize()


def test_a_snapshot_without_marks_reads_as_before():
    memory = told(BOTH)
    assert "overtaken" not in memory.serialize()
    old = json.loads(memory.serialize())
    old["entries"][0]["tags"] = ["outdated:port"]
    assert ConversationMemory.deserialize(json.dumps(old)).get_all_memories()[0].overtaken == ()


def test_a_mark_comes_back_from_a_store_and_an_export(project):
    marks = (Overtaken(Slot("port", "3001"), "later\ud800", "4000"), Overtaken(Slot("theme", "x"), None, ""))
    kept = stored("a", BOTH, overtaken=marks, project="p_shop")
    project.store.put([kept])
    assert project.store.get("p_shop", "a") == kept
    assert [one.id for one in project.store.answering("p_shop", ["port"])] == ["a"]
    assert import_json(export_json([kept]))[0].entry == kept.entry


def test_secrets_in_marks_never_reach_a_store(project):
    slot = Slot("setting:api_key", "sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b")
    project.store.put([stored("a", BOTH, overtaken=(Overtaken(slot, None, slot.value),), project="p_shop")])
    assert "aB3dE5fG7" not in repr(project.store.find(MemoryFilter("p_shop")))


def test_the_project_shows_the_mark_wherever_it_shows_the_memory(project):
    project.save_task(told(BOTH, "actually port 4000"), now=NOW)
    marked = f"{BOTH} (port: later 4000)"
    (hit, *_) = project.search("postgresql")
    assert marked_text(hit.memory.entry) == marked
    lines = project.relevant_memories("which database?", 500, count_tokens=len)
    assert any(line.startswith(marked) for line in lines)
    assert marked in export_markdown(project.get_project_memories())
    (later,) = (one for one in project.get_project_memories() if "4000" in one.entry.content)
    assert later.id in [one.id for one in project.chain(hit.memory.id)]


def test_a_later_task_overtakes_a_part_of_what_an_earlier_one_shared(project):
    project.save_task(told(BOTH, task="one"), now=NOW)
    project.save_task(told("Change the port to 4000.", task="two"), now=NOW + 1)
    project.save_task(told("Change the port to 5000.", task="three"), now=NOW + 2)
    words = [marked_text(one.entry) for one in project.get_project_memories()]
    assert sorted(words) == ["Change the port to 5000.", f"{BOTH} (port: later 5000)"]


def test_an_earlier_statement_that_comes_late_is_marked_at_once(project):
    late = ConversationMemory("two")
    late.extract_memories(asked("Change the port to 4000."), now=NOW + 100)
    project.save_task(late, now=NOW + 100)
    project.save_task(told(BOTH, task="one"), now=NOW + 200)
    words = [marked_text(one.entry) for one in project.get_project_memories()]
    assert sorted(words) == ["Change the port to 4000.", f"{BOTH} (port: later 4000)"]


def test_dismissing_the_later_statement_undoes_what_it_did(project):
    project.save_task(told(BOTH, "always use npm", task="one"), now=NOW)
    project.save_task(told("actually port 4000 and always use pnpm", task="two"), now=NOW + 1)
    (later,) = (one for one in project.get_project_memories() if "4000" in one.entry.content)
    assert later.entry.supersedes
    project.dismiss(later.id)
    assert {marked_text(one.entry) for one in project.get_project_memories()} == {BOTH, "always use npm"}


def test_what_a_dismissed_statement_had_replaced_stays_in_force_when_its_task_is_saved_again(project):
    memory = told(BOTH, "Always use npm.", "Always use pnpm, port 4000.")
    project.save_task(memory, now=NOW)
    (later,) = (one for one in project.get_project_memories() if "4000" in one.entry.content)
    project.dismiss(later.id)
    for _ in range(2):
        assert {marked_text(one.entry) for one in project.get_project_memories()} == {BOTH, "Always use npm."}
        memory.extract_memories(asked("thanks"))
        project.save_task(memory, now=NOW + 1)


@pytest.mark.parametrize("erase", [True, False])
def test_withdrawing_the_later_statement_brings_nothing_back(project, erase):
    project.save_task(told(BOTH, "actually port 4000"), now=NOW)
    (later,) = (one for one in project.get_project_memories() if "4000" in one.entry.content)
    project.forget(later.id, erase=erase)
    (left,) = project.get_project_memories()
    assert marked_text(left.entry) == f"{BOTH} (port: no longer 3001)"
    assert "4000" not in repr(left)


def test_a_memory_in_new_words_loses_its_marks(project):
    project.save_task(told(BOTH, "actually port 4000"), now=NOW)
    (old,) = (one for one in project.get_project_memories() if one.entry.content == BOTH)
    edited = project.edit(old.id, "Use PostgreSQL on port 4000.")
    assert marked_text(edited.entry) == "Use PostgreSQL on port 4000."


def long_history(*texts):
    filler = "nothing to see in this line of output\n" * 400
    turns = [{"role": "user", "content": text} for text in texts]
    more = [{"role": role, "content": f"{filler} {n}"} for n in range(4) for role in ("assistant", "user")]
    return [*turns, *more, {"role": "assistant", "content": "done"}, {"role": "user", "content": "go on"}]


@pytest.mark.parametrize(
    ("first", "second", "third", "marks"),
    [
        ("You must always use PostgreSQL on port 3001.", "actually port 4000", "use port 5000 instead",
         (" (port: later 4000)", " (port: later 5000)")),
        ("必须使用 PostgreSQL 数据库，端口 3001。", "端口改成 4000", "端口改成 5000",
         ("（端口：后改为 4000）", "（端口：后改为 5000）")),
    ],
)  # fmt: skip
def test_a_ledger_marks_its_rules_once_and_a_later_one_renews_the_mark(first, second, third, marks):
    memory = ConversationMemory("t")
    condenser = Condenser(CondenseConfig())
    done = condenser.condense(long_history(first, second), memory=memory, target=3_000)
    assert [r for r in read_ledger(done.summary).rules if first in r] == [f"! {first}{marks[0]}"]
    assert verify(done.summary, long_history(first, second), memories=memory.get_all_memories()).invented == ()
    more = [*done.messages, *long_history(third)]
    again = condenser.condense(more, memory=memory, target=3_000)
    assert [r for r in read_ledger(again.summary).rules if first in r] == [f"! {first}{marks[1]}"]


def test_a_model_summary_that_lost_the_rule_gets_it_back_with_its_mark():
    history = long_history("You must always use PostgreSQL on port 3001.", "actually port 4000")
    done = summarize_conversation(history, None, task_id="t", target=3_000)
    assert "port 3001. (port: later 4000)" in done.summary


words = st.text("abc 1()（）:：中文", max_size=30).map(str.strip)
marks = st.builds(
    Overtaken,
    st.builds(
        Slot,
        st.sampled_from(["port", "name of app", "setting:db_url", "replaces:x", "主题"]),
        words.map("v".__add__),
    ),
    st.none(),
    words,
)


@given(words, st.lists(marks, max_size=3).map(tuple), st.booleans())
def test_taking_the_mark_off_gives_the_words_back(content, some, dated):
    words_typed = f"use {content.replace('(', '').replace('（', '')}".strip()
    line = marked_text(entry(content=words_typed, overtaken=some))
    assert unmarked(f"{line} (2026-11-20)" if dated else line) == (
        f"{words_typed} (2026-11-20)" if dated else words_typed
    )


answers = st.dictionaries(
    st.sampled_from(["port", "branch", "theme"]), st.sampled_from(["1", "2", "dark"]), min_size=1
)


@given(st.lists(st.tuples(answers, st.sampled_from(list(MemoryPriority))), min_size=1, max_size=12))
def test_the_newest_answer_to_each_question_is_never_marked_and_every_older_one_is(steps):
    holdings = Holdings("t", SimilarityConfig())
    newest: dict[str, str] = {}
    for number, (slots, priority) in enumerate(steps):
        newest |= slots
        said = f"now set {', '.join(f'{name} {value}' for name, value in slots.items())}"
        held = tuple(Slot(name, value) for name, value in slots.items())
        candidate = Candidate(said, 0, len(said), MemoryType.CONFIGURATION, priority, slots=held)
        holdings.take(candidate, Source(f"m{number}", 0, 0, len(said)), float(number))
        for one in holdings.active():
            assert all(newest[slot.name] == slot.value for slot in one.slots)
            assert all(newest[mark.slot.name] == mark.later != mark.slot.value for mark in one.overtaken)
            assert one.slots
            for mark in one.overtaken:
                assert holdings.entries[mark.by].is_active
                assert Slot(mark.slot.name, mark.later) in holdings.entries[mark.by].slots
    assert {slot.name: slot.value for one in holdings.active() for slot in one.slots} == newest
