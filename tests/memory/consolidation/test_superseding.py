"""What a later statement retires: another answer to the same question, and what is taken back."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.config import SimilarityConfig
from memory.consolidation.memory_set import Holdings
from memory.consolidation.superseding import is_forgetting
from memory.entries.entry import Candidate, MemoryPriority, MemoryStatus, MemoryType, Overtaken, Slot, Source
from memory.extraction.technologies import technology_kind
from memory.extraction.technology_names import rivals

DECISION = MemoryType.TECHNICAL_DECISION


class Said:
    """Statements taken in one after the other, each in a message of its own unless told otherwise."""

    def __init__(self):
        self.holdings = Holdings("t", SimilarityConfig())
        self.messages = 0

    def __call__(self, content, *, kind=DECISION, priority=MemoryPriority.HIGH, again=False, retracts=(), **slots):
        self.messages += not again
        answers = tuple(Slot(name.replace("_", " "), value) for name, value in slots.items())
        candidate = Candidate(content, 0, len(content), kind, priority, slots=answers, retracts=tuple(retracts))
        where = Source(f"message {self.messages}", 0, self.messages, len(content))
        return self.holdings.take(candidate, where, float(self.messages))

    def active(self):
        return [entry.content for entry in self.holdings.active()]

    def entry(self, content):
        return next(entry for entry in reversed(self.holdings.entries.values()) if entry.content == content)


@pytest.fixture
def said():
    return Said()


def test_the_later_answer_retires_the_earlier_and_both_stay_visible_with_the_link(said):
    said("端口改为 3001", port="3001")
    changed = said("actually use 4000", port="4000")
    assert said.active() == ["actually use 4000"]
    old, new = said.entry("端口改为 3001"), said.entry("actually use 4000")
    assert old.status is MemoryStatus.SUPERSEDED
    assert (old.superseded_by, new.supersedes) == (new.id, (old.id,))
    assert changed == [old.id, new.id]


def test_going_back_to_an_earlier_answer_makes_a_new_entry_and_no_cycle(said):
    for port in ("3001", "4000", "3001"):
        said(f"use port {port}", port=port)
    assert said.active() == ["use port 3001"]
    assert len(said.holdings.entries) == 3
    first, second, third = said.holdings.entries.values()
    assert (first.superseded_by, second.superseded_by, third.superseded_by) == (second.id, third.id, None)


def test_the_same_answer_in_other_words_is_merged(said):
    said("端口改为 3001", port="3001")
    said("port is 3001", port="3001", kind=MemoryType.CONFIGURATION)
    (kept,) = said.holdings.active()
    assert kept.access_count == 2


def test_the_same_answer_with_something_else_to_say_is_not_merged(said):
    said("we use pnpm and never commit the lock file of npm", package_manager="pnpm")
    said("run every script of the monorepo through pnpm", package_manager="pnpm")
    assert len(said.active()) == 2


def test_other_questions_and_other_scopes_are_left_alone(said):
    said("the frontend runs on port 3000", port="3000")
    said("the backend runs on port 8000", port="8000")
    said("use PostgreSQL", database="postgresql")
    assert len(said.active()) == 3
    said("the backend runs on port 9000", port="9000")
    assert said.active() == [
        "the frontend runs on port 3000",
        "use PostgreSQL",
        "the backend runs on port 9000",
    ]


def test_an_answer_without_a_scope_does_not_choose_between_scopes(said):
    said("前端端口 3000", port="3000")
    said("后端端口 8000", port="8000")
    said("use port 9000", port="9000")
    assert len(said.active()) == 3


@pytest.mark.parametrize(
    ("earlier", "later", "slot", "old", "new"),
    [
        ("use React", "use Tailwind", "frontend framework", "react", "tailwind"),
        ("use Redis", "actually use PostgreSQL", "database", "redis", "postgresql"),
        ("use FastAPI", "use Pydantic for validation", "backend framework", "fastapi", "pydantic"),
        ("use PostgreSQL", "also support MySQL", "database", "postgresql", "mysql"),
        ("数据库使用 PostgreSQL", "还要支持 MySQL", "database", "postgresql", "mysql"),
        ("use port 3001", "the payment gateway listens on port 4000", "port", "3001", "4000"),
        ("端口改为 3001", "支付服务的端口改为 4000", "port", "3001", "4000"),
        ("添加按钮的颜色改为红色", "删除按钮的颜色改为蓝色", "color", "红色", "蓝色"),
        (
            "the timeout of the login call is 5s",
            "the timeout of the upload call is 60s",
            "timeout",
            "5s",
            "60s",
        ),
    ],
)
def test_an_answer_about_something_else_retires_nothing(said, earlier, later, slot, old, new):
    said(earlier, **{slot.replace(" ", "_"): old})
    said(later, **{slot.replace(" ", "_"): new})
    assert said.active() == [earlier, later]


@pytest.mark.parametrize(
    ("earlier", "later", "slot", "old", "new"),
    [
        ("必须使用 PostgreSQL", "数据库改用 MySQL", "database", "postgresql", "mysql"),
        ("use npm", "We use pnpm", "package manager", "npm", "pnpm"),
        ("use Vue", "on second thought let's go with React", "frontend framework", "vue", "react"),
        ("端口改为 3001", "把端口从 3001 改为 4000", "port", "3001", "4000"),
        ("用中文回答", "answer in English from now on", "answer language", "chinese", "english"),
        ("按钮颜色改为红色", "按钮颜色改为蓝色", "color", "红色", "蓝色"),
        ("the login timeout is 5s", "set the login timeout to 9s", "timeout", "5s", "9s"),
        ("Use port 3001.", "Actually 3001 is taken on my machine, use 4000.", "port", "3001", "4000"),
    ],
)
def test_another_answer_about_the_same_retires_the_earlier(said, earlier, later, slot, old, new):
    said(earlier, **{slot.replace(" ", "_"): old})
    said(later, **{slot.replace(" ", "_"): new})
    assert said.active() == [later]


def test_errors_and_facts_neither_retire_nor_are_retired_by_an_answer(said):
    said("It crashed on port 3000", kind=MemoryType.IMPORTANT_ERROR, port="3000")
    said("use port 4000", port="4000")
    said("It crashed on port 5000", kind=MemoryType.IMPORTANT_ERROR, port="5000")
    assert len(said.active()) == 3


def test_rival_technologies_are_ones_that_are_known():
    assert [name for name in rivals() if technology_kind(name) is None] == []


def test_two_answers_in_one_message_stand_beside_each_other(said):
    said("port 3000", port="3000")
    said("port 8000", port="8000", again=True)
    assert len(said.active()) == 2


def test_a_memory_that_says_much_more_stays_and_its_outdated_answer_is_marked(said):
    long = (
        "Start it on port 3000, run the migrations first, seed two demo accounts, tail the worker log "
        "and keep the mail catcher open during reviews"
    )
    said(long, port="3000")
    said("use port 4000", port="4000")
    assert said.active() == [long, "use port 4000"]
    kept = said.entry(long)
    assert kept.slots == ()
    later = said.entry("use port 4000")
    assert kept.overtaken == (Overtaken(Slot("port", "3000"), later.id, "4000"),)


def test_one_of_several_answers_can_be_outdated(said):
    said("Vite on port 3000", port="3000", bundler="vite")
    said("port 4000", port="4000")
    assert said.entry("Vite on port 3000").slots == (Slot("bundler", "vite"),)
    said("use esbuild", bundler="esbuild")
    assert said.active() == ["port 4000", "use esbuild"]


def test_the_answer_to_a_critical_question_stays_critical(said):
    said("必须使用端口 3001", port="3001", priority=MemoryPriority.CRITICAL)
    said("改成 4000 吧", port="4000")
    (kept,) = said.holdings.active()
    assert kept.priority is MemoryPriority.CRITICAL


def test_what_is_taken_back_is_retired_and_linked_to_the_words_that_did_it(said):
    said("缓存使用 Redis")
    said("不用 Redis 了", retracts=["redis"])
    assert said.active() == ["不用 Redis 了"]
    old = said.entry("缓存使用 Redis")
    assert old.status is MemoryStatus.SUPERSEDED
    assert old.superseded_by == said.entry("不用 Redis 了").id


def test_forgetting_retires_without_leaving_words_behind(said):
    said("The theme must be dark")
    said("forget what I said about the dark theme", retracts=["the dark theme"])
    assert said.active() == []
    assert [entry.status for entry in said.holdings.entries.values()] == [MemoryStatus.FORGOTTEN]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("use PostgreSQL instead of Redis", DECISION),
        ("不要使用 Redis", MemoryType.USER_INSTRUCTION),
        ("never put Redis in front of the search index", MemoryType.USER_INSTRUCTION),
        ("Redis 连接失败: ECONNREFUSED", MemoryType.IMPORTANT_ERROR),
        ("the old stack was Redis", MemoryType.PROJECT_CONTEXT),
        (
            "When deploying restart Redis, warm the edge, notify the team and write the release notes",
            MemoryType.WORKFLOW_PATTERN,
        ),
        ("use Rediscover for discovery", DECISION),
        ("use PostgreSQL", DECISION),
    ],
)
def test_taking_back_a_term_leaves_alone_what_is_not_about_it(said, content, kind):
    said(content, kind=kind, priority=MemoryPriority.CRITICAL)
    said("we no longer use Redis", retracts=["redis"])
    assert content in said.active()


def test_a_message_does_not_take_back_its_own_words(said):
    said("use Redis for sessions")
    said("don't use Redis for jobs", retracts=["redis"], again=True)
    assert len(said.active()) == 2


def test_an_answer_is_taken_back_by_its_value_or_its_question(said):
    said("cache with Valkey", cache="valkey")
    said("dark mode", theme="dark")
    said("drop Valkey", retracts=["valkey"])
    said("the theme does not matter any more", retracts=["theme"])
    assert said.active() == ["drop Valkey", "the theme does not matter any more"]


def test_forget_takes_an_id_the_words_or_a_term(said):
    (first,) = said("Use tabs.")
    said("名称用驼峰")
    said("the theme is dark")
    assert said.holdings.forget(first) == [first]
    assert said.holdings.forget(first) == []
    said.holdings.forget("名称用驼峰。")
    said.holdings.forget("dark theme")
    assert said.active() == []
    assert said.holdings.forget("nothing like it") == []


@pytest.mark.parametrize("text", ["forget the port", "忘了端口的事", "忘掉深色主题", "Never mind the theme"])
def test_asking_to_forget_is_recognised(text):
    assert is_forgetting(text)


@pytest.mark.parametrize(
    "text", ["don't forget the port", "别忘了端口", "不要忘记测试", "unforgettable", "never forget it"]
)
def test_asking_not_to_forget_is_the_opposite(text):
    assert not is_forgetting(text)


names = st.sampled_from(["port", "branch", "theme"])
statements = st.tuples(
    st.sampled_from(["use {}", "现在改为 {}", "the frontend gets {}", "never {}", "{} is what we said"]),
    st.dictionaries(names, st.sampled_from(["1", "2", "dark"]), max_size=2),
    st.sampled_from(list(MemoryPriority)),
    st.lists(st.sampled_from(["1", "theme", "dark"]), max_size=1),
    st.booleans(),
)


@given(st.lists(statements, max_size=14))
def test_links_are_mutual_acyclic_and_end_in_something_that_is_not_retired_before(steps):
    said = Said()
    for template, slots, priority, retracts, again in steps:
        words = template.format(" ".join(slots.values()) or "tabs")
        said(words, priority=priority, retracts=retracts, again=again, **slots)
        entries = said.holdings.entries
        for entry in entries.values():
            assert entry.is_active == (entry.status in (MemoryStatus.PENDING, MemoryStatus.PERSISTED))
            if entry.superseded_by is not None:
                assert entry.status is MemoryStatus.SUPERSEDED
                assert entry.id in entries[entry.superseded_by].supersedes
            for older in entry.supersedes:
                assert entries[older].superseded_by == entry.id
            seen = {entry.id}
            while entry.superseded_by is not None:
                entry = entries[entry.superseded_by]  # noqa: PLW2901  # walking the chain
                assert entry.id not in seen
                seen.add(entry.id)
    restored = Holdings("t", SimilarityConfig(), said.holdings.entries.values())
    assert list(restored.entries.values()) == list(said.holdings.entries.values())


@given(st.lists(statements, max_size=10), statements)
def test_unscoped_answers_in_force_never_contradict_each_other(steps, last):
    said = Said()
    for template, slots, priority, _, _ in (*steps, last):
        said(template.format(" ".join(slots.values()) or "tabs"), priority=priority, **slots)
    plain = [entry for entry in said.holdings.active() if "frontend" not in entry.content]
    scoped = [entry for entry in said.holdings.active() if "frontend" in entry.content]
    if not scoped:
        answers = {(slot.name, slot.value) for entry in plain for slot in entry.slots}
        assert len(answers) == len({name for name, _ in answers})
