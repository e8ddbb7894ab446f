"""A rule that points at the sentence before is kept with it."""

from __future__ import annotations

import pytest

from memory.extraction import extract_candidates


@pytest.mark.parametrize(
    ("before", "rule"),
    [
        ("The report server is 10.2.3.4.", "Never deploy there."),
        ("Anna owns the tax tables.", "Never change them without her ok."),
        ("配置在 conf/live.toml。", "绝对不要动它。"),
        ("You put the whole answer into one line.", "Never do that again."),
    ],
)
def test_a_rule_that_points_back_is_kept_with_what_it_points_at(before, rule):
    text = f"{before} {rule}" if before.isascii() else before + rule
    (kept,) = [one for one in extract_candidates(text) if rule.strip(".。") in one.content]
    assert before in kept.content
    assert text[kept.start : kept.end] == rule
    assert [text[low:high] for low, high in kept.heads] == [before]


def test_a_remark_between_them_is_taken_along():
    (kept,) = extract_candidates(
        "scripts/wipe.sh empties the database. That cost us a day. Never run it on your own."
    )
    assert kept.content.startswith("scripts/wipe.sh empties")


@pytest.mark.parametrize(
    "text",
    [
        "I read the docs. Always run make fmt before you commit it.",
        "Thanks a lot. Never push this branch.",
        "演示很顺利。密钥必须只放环境变量，不许把它写进代码。",
    ],
)
def test_a_rule_that_stands_alone_is_kept_alone(text):
    (kept,) = extract_candidates(text)
    assert kept.heads == ()
    assert text.endswith(kept.content)


def test_what_is_taken_along_is_no_second_memory():
    kept = extract_candidates("Our database runs on PostgreSQL 16 at db.example.com. Never write to it.")
    assert len(kept) == 1
    assert kept[0].related_tech == ("postgresql",)


def test_what_names_the_thing_is_the_last_sentence_that_is_taken_along():
    kept = extract_candidates("hm, postgres rather. The report server is 10.2.3.4. Never deploy there.")
    assert kept[-1].content == "The report server is 10.2.3.4. Never deploy there."
