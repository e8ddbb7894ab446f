"""Small talk, questions and what programs printed are no memories."""

from __future__ import annotations

import pytest
from builders import memories_of

NEITHER = [
    "no need",
    "no need to worry",
    "you don't need to be sorry",
    "wait a second",
    "wait why is it red",
    "谢谢不用了",
    "要不要换一个",
    "需不需要登录",
    "make it so much better",
    "do it in two steps",
    "focus on that",
    "не показывай",
    "200 OK",
    "500 users",
    "why is the sky blue",
    "方法を教えてください",
    "no need to apologize",
    "no hace falta dar las gracias",
    "急がなくていいです",
    "wait until I get back",
    "等我下班再说",
    "it logs in without asking for a password",
    "make it so easy that anyone gets it",
    "write a function in python that reverses a string",
    "make a snake game in javascript",
    "quiero exactamente lo mismo",
    "方法1でやってみてもいいですか",
    "why do we still use webpack here?",
    "why do you keep asking me the same thing again",
    "почему до сих пор используем старую версию?",
    "por qué aún usamos esta versión",
    "どうしてこれを使わないの？",
    "don't show up late",
    "the api does not change often",
    "500 requests per second is our target",
    "401 unauthorized is what the spec says",
    "no pasa nada, seguimos",
    "он не отдаёт деньги",
    "好久不见了",
    "缓存失效时间是多少",
    "この関数は非同期になっている",
    "エラーが出ないことを確認した",
]


@pytest.mark.parametrize("text", NEITHER)
def test_small_talk_and_questions_are_neither(text):
    assert not memories_of(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "'a.md' (see below for file content) 'b.md' (see below for file content) never touch b.md",
            "never touch b.md",
        ),
        (
            "never close the window without an event 2025-01-01T10:00:00.123Z DEBUG tray: click",
            "never close the window without an event",
        ),
    ],
)
def test_what_a_client_or_a_log_put_beside_a_sentence_is_cut_off(text, kept):
    assert [found.content for found in memories_of(text)] == [kept]


@pytest.mark.parametrize(
    "line",
    [
        "usage: shop.py [-h] --out FILE",
        "test result: FAILED. 3 passed; 1 failed",
        "test cart::adds ... FAILED",
        "running 12 tests",
        "tokio::runtime::park::CachedParkThread::block_on::{{closure}}",
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    ],
)
def test_what_a_program_printed_is_no_rule(line):
    assert not memories_of(f"look at this, it must work:\n{line}")[1:]


def test_a_line_after_a_hash_is_a_note_unless_it_asks():
    assert memories_of("# the demo is on Friday")[0].priority.value == "critical"
    assert not memories_of("# Question: how do I set the path ?")
