"""Which memories are merged, what a merge keeps, and that finding duplicates stays cheap."""

from __future__ import annotations

import random

import pytest
from clock import cpu_seconds
from hypothesis import given, strategies as st

from memory.config import SimilarityConfig
from memory.consolidation.deduplicating import DuplicateIndex, merged, read_wording, says_the_same, similarity
from memory.consolidation.memory_set import Holdings
from memory.entries.entry import Candidate, MemoryEntry, MemoryPriority, MemoryType, Slot, Source

RULE = MemoryType.USER_INSTRUCTION


def entry(content, *, kind=RULE, priority=MemoryPriority.HIGH, name=None, slots=(), **more):
    return MemoryEntry(
        id=name or content,
        task_id="t",
        type=kind,
        priority=priority,
        content=content,
        source=None,
        created_at=0.0,
        last_accessed_at=0.0,
        slots=slots,
        **more,
    )


def same(one, other, threshold=0.75):
    return says_the_same(read_wording(one), read_wording(other), threshold)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("必须使用 PostgreSQL", "必须使用 PostgreSQL 数据库"),
        ("Must use PostgreSQL", "You must use PostgreSQL."),
        ("must use PostgreSQL", "must use PostgreSQL database"),
        ("Always run the tests.", "always run the tests"),
        ("Please write short commit messages", "write short commit messages"),
        ("write short commit messages", "Write short commit message!"),
        ("使用FastAPI框架", "使用 FastAPI 框架"),
        ("所有接口都必须添加日志", "所有接口必须添加日志。"),
        ("никогда не меняй схему базы", "Никогда не меняй схему базы!"),
    ],
)
def test_wordings_that_say_the_same_are_one(one, other):
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use port 3001", "use port 4000"),
        ("the dev server must always listen on port 3001", "the dev server must always listen on port 4000"),
        ("never edit a.py", "never edit b.py"),
        ("use tabs for indentation", "don't use tabs for indentation"),
        ("不要修改数据库迁移文件的内容", "修改数据库迁移文件的内容"),
        ("answer every question of mine in English", "answer every question of mine in Chinese"),
        ("用 npm 代替 yarn", "用 yarn 代替 npm"),
        ("use npm instead of yarn", "use yarn instead of npm"),
        ("never push to main", "never push to main without asking"),
        ("run all the tests before a commit", "run all the tests after a commit"),
        ("write the docs for the whole public API", "write the docs for the whole public API only if asked"),
        ("所有页面都要使用深色主题", "所有页面都要使用浅色主题"),
        ("retry the upload at most 3 times", "retry the upload at most 5 times"),
        ("rename userId in the client", "rename orderId in the client"),
        ("pass --no-verify to git commit", "pass --no-edit to git commit"),
    ],
)
def test_rules_that_differ_in_what_matters_stay_two(one, other):
    assert not same(one, other, threshold=0.3)
    assert not same(other, one, threshold=0.3)


def test_similarity_is_jaccard_over_words_and_bigrams():
    assert similarity(read_wording("a red fox"), read_wording("a red dog")) == 0.5
    assert similarity(read_wording("数据库"), read_wording("数据")) == 0.5
    assert similarity(read_wording(""), read_wording("")) == 1.0


def test_threshold_decides_between_near_and_far():
    short, long = "format python code", "format python code automatically and consistently"
    assert not same(short, long)
    assert same(short, long, threshold=0.5)


def test_a_merge_keeps_the_best_of_both():
    old = entry(
        "必须使用 PostgreSQL",
        name="old",
        priority=MemoryPriority.HIGH,
        tags=("b",),
        related_files=("x.py",),
        related_tech=("postgresql",),
        confidence=0.5,
    )
    new = entry(
        "必须使用 PostgreSQL 数据库",
        name="new",
        priority=MemoryPriority.CRITICAL,
        tags=("a", "b"),
        related_files=("y.py", "x.py"),
        related_tech=("sql",),
        standing=True,
        explicit=True,
        confidence=0.9,
    )
    kept = merged(old, new, 12.0)
    assert (kept.id, kept.content, kept.priority) == ("old", new.content, MemoryPriority.CRITICAL)
    assert kept.tags == ("a", "b")
    assert kept.related_files == ("x.py", "y.py")
    assert kept.related_tech == ("postgresql", "sql")
    assert (kept.standing, kept.explicit, kept.confidence) == (True, True, 0.9)
    assert (kept.access_count, kept.last_accessed_at) == (2, 12.0)
    back = merged(new, old, 0.0)
    assert (back.content, back.priority) == (new.content, MemoryPriority.CRITICAL)


def test_near_duplicates_are_found_within_a_type_and_equal_wordings_across_types():
    index = DuplicateIndex(SimilarityConfig())
    index.add(entry("必须使用 PostgreSQL 数据库", name="a"))
    assert index.find(entry("必须使用 PostgreSQL")) == "a"
    assert index.find(entry("必须使用 PostgreSQL", kind=MemoryType.PROJECT_CONTEXT)) is None
    assert index.find(entry("必须使用PostgreSQL数据库。", kind=MemoryType.PROJECT_CONTEXT)) == "a"


def test_values_in_slots_are_never_merged():
    index = DuplicateIndex(SimilarityConfig(threshold=0.1))
    index.add(entry("Start the server on 3001", name="a", slots=(Slot("port", "3001"),)))
    twin = entry("Start the server on 3001 too", slots=(Slot("port", "4000"),))
    assert index.find(twin) is None


def test_what_was_removed_is_not_found():
    index = DuplicateIndex(SimilarityConfig())
    index.add(entry("use pnpm", name="a"))
    index.add(entry("use pnpm everywhere", name="a"))
    assert len(index._entries) == 1
    index.remove("a")
    assert index.find(entry("use pnpm")) is None
    assert len(index._entries) == 0
    assert index._lists == {}


def test_of_several_duplicates_the_most_similar_then_the_oldest_is_found():
    index = DuplicateIndex(SimilarityConfig())
    index.add(entry("never touch generated client code files", name="far"))
    index.add(entry("never touch generated client code", name="near"))
    assert index.find(entry("never ever touch generated client code")) == "near"


WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "use",
    "never",
    "in",
    "port",
    "3001",
    "数据",
    "库",
    "不要",
    "a.py",
]
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@given(known=st.lists(phrases, max_size=25), asked=phrases)
def test_the_index_finds_exactly_what_comparing_with_all_would_find(known, asked):
    config = SimilarityConfig()
    index = DuplicateIndex(config)
    entries = {f"e{number}": entry(text, name=f"e{number}") for number, text in enumerate(known)}
    for one in entries.values():
        index.add(one)
    found = index.find(entry(asked, name="asked"))
    slow = [name for name, one in entries.items() if same(one.content, asked, config.threshold)]
    assert (found in slow) if slow else (found is None)


@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_is_symmetric_and_reflexive_for_any_text(one, other):
    a, b = read_wording(one), read_wording(other)
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0
    assert same(one, one)
    assert same(one, other) == same(other, one)


def seconds(texts):
    holdings = Holdings("t", SimilarityConfig())
    read_wording.cache_clear()

    def take_all():
        for text in texts:
            holdings.take(Candidate(text, 0, len(text), RULE, MemoryPriority.HIGH), None, 0.0)

    spent = cpu_seconds(take_all)
    assert len(holdings.entries) == len(texts)
    return spent


@pytest.mark.timing
@pytest.mark.parametrize(
    "template",
    [
        "must always follow rule {0} in the file module_{0}.py before a commit",
        "必须使用第 {0} 号规则检查提交",
        "{1}",
    ],
)
def test_the_cost_of_finding_duplicates_grows_almost_linearly(template):
    chance = random.Random(3)
    words = ["".join(chance.choices("abcdefghij", k=6)) for _ in range(2000)]
    texts = [template.format(number, " ".join(chance.choices(words, k=10))) for number in range(4000)]
    small = min(seconds(texts[:1000]) for _ in range(2))
    large = seconds(texts)
    assert large < 10 * small, (small, large)  # 4 is linear, 16 quadratic


def test_a_merge_never_lowers_the_priority_in_any_order():
    source = Source("m", 0, 0, 1)
    for first in MemoryPriority:
        for second in MemoryPriority:
            holdings = Holdings("t", SimilarityConfig())
            for priority in (first, second):
                holdings.take(Candidate("keep the API stable", 0, 19, RULE, priority), source, 0.0)
            (kept,) = holdings.active()
            assert kept.priority.rank == max(first.rank, second.rank)
