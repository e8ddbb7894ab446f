"""The summary of memories: grouping, language, limits, budget."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.config import SummaryConfig
from memory.consolidation.rendering import main_language, render_summary
from memory.entries.entry import MemoryEntry, MemoryPriority, MemoryType

CRITICAL, HIGH, MEDIUM = MemoryPriority.CRITICAL, MemoryPriority.HIGH, MemoryPriority.MEDIUM
RULE, DECISION = MemoryType.USER_INSTRUCTION, MemoryType.TECHNICAL_DECISION
LIMITS = SummaryConfig()


def entry(content, priority=CRITICAL, kind=RULE, **more):
    return MemoryEntry(content, "t", kind, priority, content, None, 0.0, 0.0, **more)


def words(text):
    return len(text.split())


def items(summary):
    return [line[2:] for line in summary.splitlines() if line.startswith("- ") and not line.startswith("- (")]


def test_what_is_critical_comes_first_then_decisions_then_technologies():
    summary = render_summary(
        [
            entry("Use React.", HIGH, DECISION, related_tech=("react",)),
            entry("Never push to main."),
            entry("Port 3001.", HIGH, MemoryType.CONFIGURATION),
            entry("It failed once.", MEDIUM, MemoryType.IMPORTANT_ERROR, related_tech=("vite", "react")),
        ],
        LIMITS,
    )
    assert items(summary) == ["Never push to main.", "Use React.", "Port 3001."]
    assert summary.endswith("\n\nreact, vite")


def test_nothing_important_gives_nothing():
    assert render_summary([], LIMITS) == ""
    assert render_summary([entry("It runs on Linux.", MEDIUM, related_tech=("linux",))], LIMITS) == ""


@pytest.mark.parametrize(
    ("contents", "language"),
    [
        (["必须使用 PostgreSQL 数据库"], "zh"),
        (["You must use PostgreSQL."], "en"),
        (["必须使用 PostgreSQL", "Never push."], "zh"),
        (["把 Button 组件的 onClick 改为 onPress"], "zh"),
        (["必ずテストを実行してください"], "en"),
        (["Не меняй схему."], "en"),
        (["The label should read 你好 in the header of every page."], "en"),
    ],
)
def test_headings_follow_the_language_of_the_memories(contents, language):
    assert main_language(tuple(contents)) == language
    summary = render_summary([entry(content) for content in contents], LIMITS)
    assert summary.startswith("## 重要上下文记忆" if language == "zh" else "## Important context")


def test_the_language_can_be_asked_for():
    one = [entry("必须使用 PostgreSQL 数据库")]
    assert render_summary(one, LIMITS, language="en").startswith("## Important context")
    assert render_summary(one, LIMITS, language="zh-CN").startswith("## 重要上下文记忆")
    assert render_summary(one, LIMITS, language="ja").startswith("## Important context")


def test_decisions_are_limited_by_type_and_in_all_and_the_rest_is_counted():
    many = [entry(f"{kind.value} {number}", HIGH, kind) for kind in MemoryType for number in range(7)]
    shown = items(render_summary(many, LIMITS))
    assert len(shown) == 15
    assert all(sum(kind.value in line for line in shown) <= 5 for kind in MemoryType)
    assert "\n(27 more in all)" in render_summary(many, LIMITS)
    few = SummaryConfig(max_decisions_per_type=1, max_decisions=3)
    assert len(items(render_summary(many, few))) == 3


def test_what_was_asked_for_or_is_used_often_is_shown_first():
    many = [entry(f"decision {number}", HIGH) for number in range(8)]
    many += [entry("asked for", HIGH, explicit=True), entry("standing", HIGH, standing=True)]
    many.insert(0, entry("often used", HIGH, access_count=9))
    assert items(render_summary(many, LIMITS)) == [
        "often used",
        "decision 6",
        "decision 7",
        "asked for",
        "standing",
    ]


def test_critical_ones_are_all_shown():
    many = [entry(f"rule {number}") for number in range(60)]
    assert len(items(render_summary(many, LIMITS))) == 60


def test_further_lines_of_a_memory_are_indented():
    summary = render_summary([entry("First.\n# not a heading\nThird.")], LIMITS)
    assert "- First.\n  # not a heading\n  Third." in summary


def test_over_budget_go_technologies_then_the_least_important_decisions():
    known = [entry("Never push to main.", related_tech=("git",))]
    known += [entry(f"decision number {number} of ours", HIGH, access_count=9 - number) for number in range(4)]
    full = render_summary(known, LIMITS, count_tokens=words)
    sizes = [words(full) - cut for cut in (0, 1, 3, 10, 17)]
    texts = [render_summary(known, LIMITS, max_tokens=size, count_tokens=words) for size in sizes]
    assert texts[0] == full
    assert "Technologies" in texts[0]
    assert "Technologies" not in texts[1]
    assert [len(items(text)) for text in texts] == [5, 5, 5, 3, 2]
    for text, size in zip(texts, sizes, strict=True):
        assert words(text) <= size
        assert "Never push to main." in text
    assert "decision number 0" in texts[-2]


def test_critical_ones_stay_even_where_nothing_fits():
    known = [entry("Never push to main."), entry("Use tabs.", HIGH)]
    tight = [render_summary(known, LIMITS, max_tokens=size, count_tokens=words) for size in (9, 5, 0)]
    assert tight == [
        "## Important context\n\n- Never push to main.",
        "- Never push to main.",
        "- Never push to main.",
    ]
    assert render_summary(known[1:], LIMITS, max_tokens=0, count_tokens=words) == ""


contents = st.sampled_from(["a b c", "必须使用 PostgreSQL", "one\ntwo", "x " * 30 + "y", "端口 3001"])
entries = st.lists(
    st.builds(
        entry,
        contents,
        st.sampled_from(MemoryPriority),
        st.sampled_from(MemoryType),
        access_count=st.integers(1, 5),
        related_tech=st.lists(st.sampled_from(["react", "redis"]), max_size=2).map(tuple),
    ),
    max_size=25,
)


@given(entries, st.integers(0, 400))
def test_the_summary_keeps_to_its_budget_unless_critical_ones_alone_exceed_it(known, budget):
    critical = [one for one in known if one.priority is CRITICAL]
    summary = render_summary(known, LIMITS, max_tokens=budget, count_tokens=len)
    bare = "\n".join("- " + one.content.strip().replace("\n", "\n  ") for one in critical)
    assert len(summary) <= max(budget, len(bare))
    for one in critical:
        assert one.content.strip().replace("\n", "\n  ") in summary
    assert summary == render_summary(known, LIMITS, max_tokens=budget, count_tokens=len)
