"""Versions in a summary: found where a word says that they are some, and held against the conversation."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from condense import Condenser
from condense.reading.calls import read_call
from condense.reading.trail.error_folding import subject_of
from condense.verifying.facts import Kind
from condense.verifying.findings import is_borne_out, is_contradicted, versions_in
from condense.verifying.verifying import verify
from memory import ConversationMemory


def asked(text: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": text}]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("It runs on Python 3.9 and Node 20.", ["Python 3.9", "Node 20"]),
        ("django==4.2, TypeScript >=5.4", ["django==4.2", "TypeScript >=5.4"]),
        ("built with python3.11", ["python3.11"]),
        ("the API is v2.1 now, v3 comes later", ["v2.1", "v3"]),
        ("Needs version 2.1.", ["version 2.1"]),
        ("使用 Python 3.9，接口版本 2.1", ["Python 3.9", "版本 2.1"]),
        ("Java 17 is used.", ["Java 17"]),
        ("Redis 5 times, Python 3 files, PostgreSQL 40%, Redis 5 个", []),
        ("Section 3.2 took 1.5 s; 20 of 40 passed", []),
        ("Python 3.11.4 and v1.2.3 are names of their own", []),
        ("cut off: Python 3…", []),
    ],
)
def test_a_version_is_a_number_that_a_word_says_is_one(line, found):
    assert [version.text for version in versions_in(line)] == found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Python 3.9", 'requires-python = ">=3.9"'),
        ("Python 3.9", "tox -e py39"),
        ("Python 3.9", "Python 3.9.18 (main)"),
        ("python3.9", "we are on Python 3.9"),
        ("Node 20", '"engines": {"node": ">=20"}'),
        ("Node 20", "v20.11.1"),
        ("PostgreSQL 15", "image: postgres:15-alpine"),
        ("Vue 3", '"vue": "^3.4.0"'),
        ("v2", "GET /v2/users"),
        ("v2.0", "GET /v2/users"),
        ("版本 2.1", "升级到2.1版"),
    ],
)
def test_a_version_the_source_gives_in_any_way_stands(claim, source):
    found = verify(f"The work uses {claim} here.", asked(source))
    assert not found.invented
    assert not [f for f in found.unsupported if f.kind is Kind.NUMBER]
    (version,) = versions_in(claim)
    assert is_borne_out(version, source.lower())


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Python 3.9", "Use Python 3.11 everywhere."),
        ("Node 20", "node v22.1.0 is installed"),
        ("Django 4.2", "pip install django==5.0"),
        ("使用 Python 3.9。", "必须使用 Python 3.11。"),
    ],
)
def test_another_version_than_the_source_gives_is_invented(claim, source):
    (finding,) = verify(claim, asked(source)).invented
    assert finding.kind is Kind.NUMBER
    assert finding.reason == "the source gives another version"


@pytest.mark.parametrize("claim", ["Python 3.9", "v2.1", "OpenJDK 11", "version 4.7"])
def test_a_version_of_which_the_source_says_nothing_is_unsupported(claim):
    found = verify(f"Uses {claim}.", asked("Build the page, please."))
    assert not found.invented
    reasons = [f.reason for f in found.unsupported if f.kind is Kind.NUMBER]
    assert reasons == ["a version that is nowhere in the source"]


@pytest.mark.parametrize(
    ("summary", "source"),
    [
        ("Installed node v22.21.1.", "Versions: 22.21.1"),
        ("Written by v2.1.0 of it.", "Markdown v2.1.0"),
        ("PATH=/nvm/22.21.1/bin", "v22.21.1"),
        ("On 2026-05-16.", "Now 2026-05-16T11:33:17.608Z"),
    ],
)
def test_versions_and_dates_are_found_with_letters_around_them(summary, source):
    assert not [f for f in verify(summary, asked(source)).unsupported if f.kind is Kind.NUMBER]


@given(st.text(), st.text())
def test_any_text_can_be_asked(line, text):
    for version in versions_in(line):
        is_contradicted(version, text)
        if line.isascii():
            assert is_borne_out(version, line.lower())


@pytest.mark.parametrize(
    "typed",
    [
        "不要改测试目录! 其他的随便改。",
        "另外不要改测试目录!其他随意",
        "Never push! Use port 3001.",
        "! 不要改测试目录! 记住!",
    ],
)
def test_a_critical_rule_with_an_exclamation_mark_is_what_the_user_typed(typed):
    work = [
        message
        for k in range(12)
        for message in (
            {"role": "assistant", "content": f"module_{k}.py handles None now, compute_{k} has a test. " * 6},
            {"role": "user", "content": f"Now the same for module_{k + 1}.py please."},
        )
    ]
    history = [*asked(typed), *work]
    memory = ConversationMemory("t")
    done = Condenser().condense(history, memory=memory, target=700)
    assert done.record is not None
    found = verify(done.summary, history, memories=memory.get_all_memories(), kept=done.messages[1:])
    assert found.ok
    assert not found.unsupported


def test_the_cut_command_behind_an_error_is_marked_as_cut():
    (use,) = read_call("bash", {"command": "make run " + "-c sandbox_workspace.network_access=true " * 6})
    subject = subject_of(use, None)
    assert subject.endswith("…")
    summary = f"error: no — from `{subject}`; open"
    assert not verify(summary, asked(use.subject)).invented
