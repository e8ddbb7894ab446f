"""Answers to the questions of a project, what is taken back, and what a clause names."""

from __future__ import annotations

import pytest

from memory.entries.entry import Slot
from memory.extraction.features.mentions import endpoints_in, files_in, symbols_in
from memory.extraction.slots import retracted_in, slots_in


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("端口改为 3001", "port", "3001"),
        ("开发服务器跑在 3001 端口。", "port", "3001"),
        ("监听 8080 端口", "port", "8080"),
        ("change the port from 3000 to 4000", "port", "4000"),
        ("The service must run on localhost:3000.", "port", "3000"),
        ("don't use MySQL, use PostgreSQL", "database", "postgresql"),
        ("the database is MySQL", "database", "mysql"),
        ("数据库改用 Redis", "database", "redis"),
        ("use pnpm instead of npm", "package manager", "pnpm"),
        ("把 npm 换成 pnpm", "package manager", "pnpm"),
        ("use React, not Vue", "frontend framework", "react"),
        ("Switch from Jest to Vitest", "test tool", "vitest"),
        ("please answer in English", "answer language", "english"),
        ("以后用中文回答我", "answer language", "chinese"),
        ("говори на русском", "answer language", "russian"),
        ("push to the develop branch", "branch", "develop"),
        ("use branch feature/login", "branch", "feature/login"),
        ("run tests with `make check`", "test command", "make check"),
        ("the theme is dark", "theme", "dark"),
        ("主题改为深色", "theme", "深色"),
        ("the project is called Orion", "name of project", "orion"),
        ("API_BASE=https://x.dev", "setting:api_base", "https://x.dev"),
        ("use tabs instead of spaces", "replaces:spaces", "tabs"),
        ("the model should be gpt-4o", "model", "gpt-4o"),
    ],
)
def test_an_answer_fills_its_slot(text, name, value):
    assert Slot(name, value) in slots_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "the MySQL dump is broken",
        "I think the port is blocked",
        "never use MySQL",
        "look at the tests",
        "thanks",
    ],
)
def test_a_mention_is_no_answer(text):
    assert slots_in(text) == ()


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("不用 Redis 了", "redis"),
        ("we no longer use Docker", "docker"),
        ("forget what I said about the dark theme", "the dark theme"),
        ("never mind the login page", "login page"),
        ("stop using tabs", "tabs"),
        ("we don't need the sidebar anymore", "sidebar"),
        ("use pnpm instead of npm", "npm"),
        ("之前说的深色主题作废", "深色主题"),
        ("больше не используй redis", "redis"),
    ],
)
def test_what_is_taken_back_is_named(text, term):
    assert term in retracted_in(text)


@pytest.mark.parametrize("text", ["use pnpm", "the button is gone", "do not stop", "你好"])
def test_most_clauses_take_nothing_back(text):
    assert retracted_in(text) == ()


def test_files_endpoints_and_symbols():
    text = (
        "Change src/app/page.tsx and C:\\work\\a.cs so that userName calls /api/users "
        "at https://x.dev/v1, see ./notes.md"
    )
    assert files_in(text) == ("src/app/page.tsx", "C:\\work\\a.cs", "./notes.md")
    assert endpoints_in(text) == ("/api/users", "https://x.dev/v1")
    assert "userName" in symbols_in(text)


def test_choices_of_words_are_no_files():
    assert files_in("red and/or blue, version 3.11, i/o") == ()


def test_paths_in_chinese_text():
    assert files_in("修改文件src/组件/a.vue里的按钮")[-1:] != ()
    assert files_in("把 config/app.yaml 改一下") == ("config/app.yaml",)
