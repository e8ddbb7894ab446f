"""The memories that tasks of a project share: what flows, what is reviewed, what is found again."""

from __future__ import annotations

import time

import pytest
from stored_memories import entry, stored

from memory import ConversationMemory
from memory.config import DAY
from memory.entries.entry import MemoryPriority, MemoryStatus, MemoryType, Slot, Source
from memory.entries.stored import MemoryFilter, MemoryScope, StoredConversation
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore

NOW = 1_700_000_000.0


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    made = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield made
    made.close()


@pytest.fixture
def project(store):
    return PersistentMemoryManager(store, "p_shop")


def told(task, *texts):
    """A task's memory after a person typed these messages."""
    memory = ConversationMemory(task)
    memory.extract_memories([{"role": "user", "content": text} for text in texts], now=NOW)
    return memory


def contents(memories):
    return [memory.entry.content for memory in memories]


def test_standing_rules_and_decisions_are_shared_task_specifications_are_not(project):
    memory = ConversationMemory("t")
    rule = "Always run the linter before committing."
    memory.extract_memories(
        [
            {"role": "user", "content": rule},
            {"role": "user", "content": "We decided to use PostgreSQL as the database."},
            {"role": "user", "content": "Now add a red border to the third paragraph of the about page."},
        ],
        now=NOW,
    )
    saved = project.save_task(memory, now=NOW)
    shared = " ".join(contents(project.get_project_memories()))
    assert "linter" in shared
    assert "PostgreSQL" in shared
    assert "border" not in shared
    assert [m.entry.content for m in saved.new if m.entry.status is MemoryStatus.PERSISTED] == [rule]


def test_saving_a_task_again_changes_nothing(project):
    memory = told("t", "Always use pnpm.", "We use PostgreSQL for everything.")
    first = project.save_task(memory, now=NOW)
    before = project.get_project_memories()
    again = project.save_task(memory, now=NOW + 5)
    assert first.new
    assert (again.new, again.strengthened, again.superseded) == ((), (), ())
    assert project.get_project_memories() == before


def test_what_another_task_says_again_is_strengthened_and_persisted(project):
    project.save_task(told("t1", "Always use pnpm to install packages."), now=NOW)
    saved = project.save_task(told("t2", "Always use pnpm to install packages!"), now=NOW + DAY)
    assert saved.new == ()
    (known,) = project.get_project_memories()
    assert known.entry.status is MemoryStatus.PERSISTED
    assert known.entry.access_count == 2
    assert [seen.task_id for seen in known.sightings] == ["t2"]
    assert project.save_task(told("t2", "Always use pnpm to install packages!"), now=NOW + DAY).strengthened == ()


def test_what_a_later_task_contradicts_is_superseded_and_linked(project):
    project.save_task(told("t1", "The port must be 3001."), now=NOW)
    saved = project.save_task(told("t2", "Change the port to 4000 from now on."), now=NOW)
    (current,) = project.get_project_memories()
    assert "4000" in current.entry.content
    (old,) = project.get_project_memories(statuses=(MemoryStatus.SUPERSEDED,))
    assert saved.superseded == (old.id,)
    assert old.entry.superseded_by == current.id
    assert current.entry.supersedes == (old.id,)
    assert (
        [m.id for m in project.chain(current.id)] == [old.id, current.id] == [m.id for m in project.chain(old.id)]
    )


def test_an_older_conversation_saved_late_does_not_win(project, store):
    new = entry(
        "new",
        "The port is 4000",
        created_at=200.0,
        task_id="t2",
        slots=(Slot("port", "4000"),),
        type=MemoryType.CONFIGURATION,
        source=Source("b" * 32, 0, 0, 5),
    )
    old = entry(
        "old",
        "The port is 3001",
        created_at=100.0,
        task_id="t1",
        slots=(Slot("port", "3001"),),
        type=MemoryType.CONFIGURATION,
        source=Source("a" * 32, 0, 0, 5),
    )
    project.save_project_memory(new, now=200.0)
    project.save_project_memory(old, now=300.0)
    assert contents(project.get_project_memories()) == ["The port is 4000"]
    assert store.get("p_shop", "old").entry.superseded_by == "new"


def test_what_its_own_task_takes_back_is_taken_back(project):
    memory = told("t1", "The port must be 3001.")
    project.save_task(memory, now=NOW)
    memory.extract_memories([{"role": "user", "content": "Change the port to 4000 instead."}], now=NOW)
    project.save_task(memory, now=NOW)
    assert ["4000" in text for text in contents(project.get_project_memories())] == [True]


def test_explicit_wishes_are_persisted_at_once(project):
    kept = project.remember("The staging server is called heron", task_id="t", now=NOW)
    assert kept.entry.status is MemoryStatus.PERSISTED
    assert contents(project.get_project_memories()) == ["The staging server is called heron"]
    with pytest.raises(ValueError, match="content is ' '"):
        project.remember(" ", task_id="t", now=NOW)


def test_review(project):
    project.save_task(told("t", "Always use pnpm.", "Never push to main.", "Always write tests first."), now=NOW)
    one, two, three = (m.id for m in project.get_project_memories())
    assert project.accept(one).entry.status is MemoryStatus.PERSISTED
    assert project.dismiss(two).entry.status is MemoryStatus.FORGOTTEN
    assert project.pin(three).pinned
    assert project.pin(three, on=False).pinned is False
    assert project.edit(one, "Always use yarn on port 99").entry.content == "Always use yarn on port 99"
    assert project.search("yarn")[0].memory.id == one
    assert project.forget(three).entry.status is MemoryStatus.FORGOTTEN
    assert project.forget(three, erase=True).id == three
    assert project.get_memory(three) is None
    assert project.accept("nobody") is None
    with pytest.raises(ValueError, match="new wording"):
        project.edit(one, "")
    counts = project.statistics()
    assert (counts.total_memories, counts.persisted_memories) == (1, 1)


def test_remembering_again_strengthens_and_overwrites_nothing(project):
    ports = [project.remember(f"Use port {port}.", task_id="t", now=NOW + port) for port in (3001, 4000)]
    again = project.remember("Use port 4000.", task_id="t", now=NOW + 9000)
    assert again.id == ports[1].id
    assert (again.entry.access_count, again.entry.supersedes) == (2, (ports[0].id,))
    back = project.remember("Use port 3001.", task_id="t", now=NOW + 9001)
    assert back.id not in {port.id for port in ports}
    assert [memory.id for memory in project.chain(ports[0].id)][-1] == back.id
    assert contents(project.get_project_memories()) == ["Use port 3001."]


def test_what_is_erased_is_nowhere_in_the_store_and_saving_its_task_again_does_not_bring_it_back(project):
    said = told("t", "Always use pnpm to install packages.", "Always use yarn to install packages.")
    project.save_task(said, now=NOW)
    (newer,) = project.get_project_memories()
    assert "yarn" in newer.entry.content
    project.forget(newer.id, erase=True)
    kept = project.store.get_conversation("p_shop", "t")
    everything = project.store.find(MemoryFilter("p_shop", tasks=("t",), statuses=()))
    assert "yarn" not in kept.snapshot + repr(everything)
    again = project.restore_task("t")
    again.extract_memories(
        [
            {"role": "user", "content": "Always use pnpm to install packages."},
            {"role": "user", "content": "Always use yarn to install packages."},
        ]
    )
    project.save_task(again, now=NOW)
    assert project.get_project_memories() == ()


def test_what_was_dismissed_does_not_come_back_by_itself(project):
    project.save_task(told("t1", "Always use pnpm to install packages."), now=NOW)
    project.dismiss(project.get_project_memories()[0].id)
    project.save_task(told("t2", "Always use pnpm to install packages."), now=NOW)
    assert project.get_project_memories() == ()
    project.remember("Always use pnpm to install packages.", task_id="t3", now=NOW)
    assert len(project.get_project_memories()) == 1


def test_pending_ones_sink_and_confirmed_ones_stay(project, store):
    many = {
        "pending": {},
        "accepted": {"status": MemoryStatus.PERSISTED},
        "pinned": {"pinned": True},
        "critical": {"priority": MemoryPriority.CRITICAL},
    }
    for name, more in many.items():
        store.put([stored(name, f"sidebar {name}", project="p_shop", last_accessed_at=NOW, **more)])
    later = NOW + 60 * DAY
    assert [m.id for m in project.get_project_memories(now=later)] == [
        "pinned",
        "critical",
        "accepted",
        "pending",
    ]
    (sunk,) = [m for m in project.get_project_memories(now=later) if m.id == "pending"]
    assert sunk.entry.priority is MemoryPriority.LOW
    assert store.get("p_shop", "pending").entry.priority is MemoryPriority.HIGH


def test_a_use_counts_where_it_is_asked_for(project, store):
    store.put([stored("a", "use tabs", project="p_shop")])
    project.search("tabs", now=1000.0)
    assert store.get("p_shop", "a").entry.access_count == 1
    project.search("tabs", now=1000.0, record=True)
    assert store.get("p_shop", "a").entry.access_count == 2


def test_projects_share_nothing(store):
    shop, bank = PersistentMemoryManager(store, "p_shop"), PersistentMemoryManager(store, "p_bank")
    shop.save_task(told("t", "Always use pnpm."), now=NOW)
    assert bank.get_project_memories() == ()
    assert bank.search("pnpm") == ()
    assert bank.relevant_memories("pnpm", 1000, count_tokens=len) == ()
    assert bank.restore_task("t") is None
    assert bank.conversations() == ()


def test_outside_a_project_nothing_is_shared(store):
    alone = PersistentMemoryManager(store, None)
    saved = alone.save_task(told("t", "Always use pnpm."), now=NOW)
    assert saved.new == ()
    assert alone.get_project_memories() == ()
    assert alone.search("pnpm") == ()
    assert alone.relevant_memories("pnpm", 1000, count_tokens=len) == ()
    assert alone.statistics().total_memories == 0
    assert alone.restore_task("t").get_all_memories()
    with pytest.raises(ValueError, match="no project"):
        alone.remember("x", task_id="t", now=NOW)
    assert store.find(MemoryFilter(None, tasks=("t",)))[0].scope is MemoryScope.TASK


def test_a_task_comes_back_as_it_was_saved(project):
    memory = told("t", "Always use pnpm.", "The port is 3001.")
    project.save_task(memory, now=NOW, title="install")
    assert project.restore_task("t").serialize() == memory.serialize()
    assert project.restore_task("other") is None
    (only,) = project.conversations()
    assert (only.task_id, only.title, only.started_at) == ("t", "install", NOW)
    project.save_task(memory, now=NOW + 9)
    assert project.conversations()[0] == StoredConversation("t", "p_shop", NOW, NOW + 9, "install")


def test_old_conversations_are_pruned_and_what_they_shared_stays(project):
    project.save_task(told("old", "Always use pnpm.", "Add a button to this page."), now=NOW)
    project.save_task(told("young", "Never push to main."), now=NOW + 20 * DAY)
    assert project.prune_conversations(now=NOW + 31 * DAY) == ("old",)
    assert [c.task_id for c in project.conversations()] == ["young"]
    assert len(project.get_project_memories()) == 2
    with pytest.raises(ValueError, match="days is -1"):
        project.prune_conversations(now=NOW, days=-1)


class TestRelevantMemories:
    @pytest.fixture
    def lines(self, project, store):
        store.put([
            stored("pin", "Call the customer Ada", project="p_shop", pinned=True, created_at=NOW, task_id="t1"),
            stored("rule", "Never commit secrets", project="p_shop", priority=MemoryPriority.CRITICAL, standing=True,
                   task_id="t1"),
            stored("db", "We keep orders in PostgreSQL", project="p_shop", created_at=0.0, task_id="t1"),
            stored("css", "The header is blue", project="p_shop", task_id="t1"),
            stored("gone", "orders live in MySQL", project="p_shop", status=MemoryStatus.SUPERSEDED, task_id="t1"),
            stored("other", "orders live in Oracle", project="p_bank", task_id="t1"),
        ])  # fmt: skip

        def ask(text, budget=1000, **more):
            return project.relevant_memories(text, budget, count_tokens=len, **more)

        return ask

    def test_pinned_and_critical_ones_come_first_then_what_the_ask_is_about(self, lines):
        assert lines("Which database holds the orders?") == (
            "Call the customer Ada (2023-11-14)",
            "Never commit secrets (1970-01-01)",
            "We keep orders in PostgreSQL",
        )

    def test_they_stay_within_the_budget(self, lines):
        assert lines("orders database", 0) == ()
        for budget in range(20, 120, 7):
            assert sum(len(f"- {line}\n") for line in lines("orders database", budget)) <= budget

    def test_what_the_task_itself_said_is_left_out(self, lines):
        assert lines("orders database", task_id="t1") == ()


def test_a_beginning_of_an_id_names_a_memory(project, store):
    store.put([stored("abc1", project="p_shop"), stored("abd2", project="p_shop")])
    assert project.get_memory("abc").id == "abc1"
    assert project.get_memory("ab") is None
    assert project.get_memory("") is None
    assert project.accept("abd").id == "abd2"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Don't use mocks.", "pending"),
        ("We decided to deploy on Fridays only.", "pending"),
        ("不要改测试目录。", "pending"),
        ("我们决定只在周五上线。", "persisted"),
        ("Never commit secrets.", "persisted"),
        ("From now on write the tests first.", "persisted"),
        ("We use pnpm in this repository.", "persisted"),
        ("I prefer small commits.", "pending"),
    ],
)
def test_what_binds_and_what_was_decided_reaches_the_project_the_sure_for_good(project, text, status):
    saved = project.save_task(told("t", text), now=NOW)
    assert [one.entry.content for one in saved.new] == [text]
    assert [one.entry.status.value for one in saved.new] == [status]


@pytest.mark.parametrize("text", ["Use Docker for the upload.", "We are building a shop for small bakeries."])
def test_what_sets_no_value_and_is_not_surely_a_fact_stays_with_its_task(project, text):
    memory = told("t", text)
    assert [(one.content, one.standing) for one in memory.get_all_memories()] == [(text, True)]
    assert project.save_task(memory, now=NOW).new == ()


@pytest.mark.parametrize(
    "text",
    ["I want the importer to read the sheet by default without extra flags.", "默认不需要登录就可以打开列表"],
)
def test_a_default_of_the_product_is_no_rule_of_the_project(project, text):
    memory = told("t", text)
    assert memory.get_all_memories()
    assert project.save_task(memory, now=NOW).new == ()


def test_bounds_within_a_long_request_stay_with_their_task(project):
    request = "Build the gallery.\n- Do not add a carousel.\n- Do not touch the footer.\n- Do not load fonts.\n"
    memory = told("t", request + "- Do not write tests.\n- Do not resize pictures.", "Never push to main.")
    assert len(memory.get_critical_memories()) > 3
    saved = project.save_task(memory, now=NOW)
    assert [one.entry.content for one in saved.new] == ["Never push to main."]


@pytest.mark.parametrize(
    "text",
    [
        "禁止修改 tests 目录。所有注释必须用英文。代码风格遵循 PEP8。别再用 print 调试了。",
        "Rules:\n- Never touch the tests.\n- Write the docs in English.\n- Do not use print.\n- Never add packages.",
    ],
)
def test_all_rules_of_a_message_that_lays_down_nothing_else_reach_the_project(project, text):
    memory = told("t", text)
    rules = [one.content for one in memory.get_all_memories()]
    assert len(rules) == 4
    saved = project.save_task(memory, now=NOW)
    assert [one.entry.content for one in saved.new] == rules


@pytest.mark.parametrize(
    "text",
    [
        "Do not write any code yet.",
        "Shared types must live in <path>.",
        "这次不要改测试目录。",
        "并且不要每一页都放广告",
    ],
)
def test_what_holds_for_the_moment_or_is_a_piece_stays_with_its_task(project, text):
    memory = told("t", text)
    assert memory.get_critical_memories()
    assert project.save_task(memory, now=NOW).new == ()


@pytest.mark.parametrize(
    "text",
    [
        "Must work offline.",
        "No more emojis in the code",
        "Write commit messages in English.",
        "Never render <script> tags.",
        "I get lost in long answers, always keep them short.",
    ],
)
def test_a_rule_that_only_looks_like_that_is_shared(project, text):
    assert [one.entry.content for one in project.save_task(told("t", text), now=NOW).new] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "I never got the badge shown in the header.",
        "I got this again: you must not use the old client",
        "保存ボタンを押すと必ず前の値に戻ってしまいます。",
        "一覧を閉じると、設定が http://localhost:4711 に戻ってしまいます。",
    ],
)
def test_what_happened_is_not_shared_whatever_its_words(project, text):
    memory = told("t", text)
    assert memory.get_all_memories()
    assert project.save_task(memory, now=NOW).new == ()


def test_what_is_hardly_a_rule_waits_for_the_person(project):
    memory = told("t", "for this demo the data sits in a spreadsheet somewhere, i guess")
    assert all(entry.confidence < 0.75 for entry in memory.get_all_memories())
    assert project.save_task(memory, now=NOW).new == ()


def rules(count, start=0):
    """Rules about different things, but one in ten says again what another one says."""
    names = [f"part{i * 7919 % 4001}" for i in range(start, start + count - count // 10)]
    texts = [f"Always keep {name} in {name}_{i % 13}.py sorted by key." for i, name in enumerate(names)]
    return [*texts, *(text.replace("Always keep", "Please always keep") for text in texts[: count // 10])]


@pytest.mark.parametrize("many", [1, 10**9], ids=["all at once", "each by itself"])
def test_many_rules_meet_what_the_project_knows_as_single_ones_do(store, many, monkeypatch):
    monkeypatch.setattr("memory.projects.project_memory.MANY", many)
    project = PersistentMemoryManager(store, "p_shop")
    project.save_task(told("t1", "Use port 3000.", *rules(40)), now=NOW)
    done = project.save_task(told("t2", "Use port 4000.", "\n".join(rules(60))), now=NOW + 1)
    known = store.find(MemoryFilter("p_shop", scope=MemoryScope.PROJECT, statuses=()))
    assert [store.get("p_shop", name).entry.content for name in done.superseded] == ["Use port 3000."]
    assert len(done.strengthened) == 36
    assert len({m.id for m in known}) == len(known) == 37 + 19


@pytest.mark.timing
def test_saving_rules_costs_hardly_more_in_a_large_project():
    """Thousands are saved in seconds: a rule costs the third hundred times what it costs the first."""
    spent = []
    for count in (300, 1_200):
        memory = told("t", *rules(count))
        project = PersistentMemoryManager(SqliteStore(":memory:"), "p_shop")
        begun = time.process_time()
        project.save_task(memory, now=NOW)
        spent.append((time.process_time() - begun) / count)
        project.store.close()
    assert spent[0] < 0.005
    assert spent[1] < 1.6 * spent[0]
