"""Plain statements of one line, without a word that says so, are told from orders and remarks of the moment."""

from __future__ import annotations

import pytest

from memory.extraction import extract_candidates


@pytest.mark.parametrize(
    "text",
    [
        "prod is read-only for everyone but me",
        "dates as ISO strings, money in cents",
        "Tabs in Makefiles, spaces elsewhere",
        "我们主分支叫 trunk",
        "日志保留 14 天",
        "每次发版由运维来做",
    ],
)
def test_a_statement_that_holds_on_is_kept_whole(text):
    assert [one.content for one in extract_candidates(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "squash these two commits",
        "rabbitmq is down again",
        "the release went out on tuesday",
        "the ids look wrong",
        "logs are full of warnings",
        "把结果存成 parquet 发我",
        "主分支刚刚合并完",
    ],
)
def test_a_statement_of_the_moment_is_not(text):
    assert extract_candidates(text) == ()


def test_what_surely_holds_on_is_no_matter_of_one_task():
    (kept,) = extract_candidates("图片都放 OSS，不进仓库")
    assert kept.standing
