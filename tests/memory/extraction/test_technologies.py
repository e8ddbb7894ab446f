"""Technologies named in a text: found in any sentence, and ordinary words left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from clock import cpu_seconds
from hypothesis import given, strategies as st

from memory.extraction.technologies import technologies_in, technology_kind, technology_mentions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("使用FastAPI框架", ("fastapi",)),
        ("使用 React 和 TypeScript", ("react", "typescript")),
        ("数据库用 PostgreSQL，缓存用Redis", ("postgresql", "redis")),
        ("用go写后端，部署到阿里云", ("go", "alibaba cloud")),
        ("JWT 用于身份验证", ("jwt",)),
        ("пишем фронтенд на react", ("react",)),
        ("We use React, TypeScript and Postgres.", ("react", "typescript", "postgresql")),
        ("Please use Go 1.22 for the backend", ("go",)),
        ("rewrite it in Rust", ("rust",)),
        ("The Go compiler is fast", ("go",)),
        ("write it for C++17", ("c++",)),
        ("in C#9", ("c#",)),
        ("node.js, c++, c#, next.js and .net", ("node.js", "c++", "c#", "next.js", ".net")),
        ("run it on GitHub Actions.", ("github actions",)),
        ("a REST API; no GraphQL", ("rest api", "graphql")),
        ("Ruby on Rails with docker-compose", ("rails", "docker compose")),
        ("python3.11, vue3 and gpt-4o", ("python", "vue", "gpt")),
        ("postgres:16 behind a redis-backed queue", ("postgresql", "redis")),
        ("React/Vue/Svelte are all fine", ("react", "vue", "svelte")),
        ("Backend: Flask\nDatabase: Atlas", ("flask", "atlas")),
        ("- Express\n- Rust\n", ("express", "rust")),
        ("switch from flask to fastapi", ("flask", "fastapi")),
        ("Python, R and Julia", ("python", "r", "julia")),
        ("bun instead of npm, and swift with xcode", ("bun", "npm", "swift", "xcode")),
        ("we build it with `make`; see the Makefile", ("make",)),
        ("DATABASE is postgresql://localhost/app", ("postgresql",)),
        ("install @nestjs/core", ("nestjs",)),
        ("React 18, not React 17", ("react",)),
        ("用鸿蒙和微信小程序", ("harmonyos", "wechat mini program")),
    ],
)
def test_technologies_are_found_under_their_canonical_names(text, names):
    assert technologies_in(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "How should we react to this?",
        "let's go and make it express the rest",
        "Next, click the button and move on",
        "Go ahead. Make sure the spring sale starts",
        "make it prettier, and keep some slack",
        "take a swift look in C:\\temp",
        "Option C is the basic one, plan R too",
        "open src/redis/client.py and ./docker/run.sh",
        "set REDIS_URL and --python, see https://github.com/a/b",
        "DO NOT TOUCH THE REST",
        "TS2339 and issue h2 at ts=17",
        "write to someone@redis.example",
        "text in black, with rich formatting, in just two lines",
        "use npx-like-thing/abc and my_react_thing",
        "我们继续吧",
        "",
    ],
)
def test_ordinary_words_paths_and_addresses_are_no_technologies(text):
    assert technologies_in(text) == ()


def test_a_letter_with_a_number_is_no_technology():
    assert technologies_in("plan B2, grade C3 and section D1") == ()


def test_mentions_carry_the_span_they_stand_in():
    text = "用PostgreSQL 和 github actions."
    spans = [(m.name, text[m.start : m.end]) for m in technology_mentions(text)]
    assert spans == [("postgresql", "PostgreSQL"), ("github actions", "github actions")]


def test_a_technology_has_a_kind():
    assert technology_kind("postgresql") == "database"
    assert technology_kind("pnpm") == "package manager"
    assert technology_kind("no such thing") is None


@given(st.text(max_size=300))
def test_any_text_is_read_and_spans_are_in_order(text):
    mentions = technology_mentions(text)
    assert all(0 <= m.start < m.end <= len(text) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["a", "A ", "go ", "react, ", "a/", "使用", " ", "c ", "-", "github "])
def test_time_is_linear_in_the_length_of_one_thing(unit):
    quarter, whole = (unit * (size // len(unit)) for size in (100_000, 400_000))
    assert seconds(whole) < 12 * max(seconds(quarter), 0.02)


def seconds(text: str) -> float:
    return cpu_seconds(lambda: technologies_in(text), 3)
