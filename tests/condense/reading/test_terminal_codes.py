"""Codes for terminals are not read as text: not in what is quoted, weighed, told or verified."""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.reading.outputs.reducer import reduce_output
from condense.reading.text.shown_text import without_codes
from condense.reading.trail.collecting import collect_artifacts
from condense.verifying.verifying import verify
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

RED, BOLD, END = "\x1b[31m", "\x1b[1m", "\x1b[0m"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("no codes [31m here", "no codes [31m here"),
        (f"{RED}error{END}: it broke", "error: it broke"),
        ("\x1b[38;5;196mred\x1b[39;49m and \x1b[38:2:1:2:3mfine", "red and fine"),
        ("\x1b[2K\x1b[1Gdone\x1b[?25h", "done"),
        ("\x1b]0;a title\x07prompt\x1b]8;;http://localhost\x1b\\link\x1b]8;;\x1b\\", "promptlink"),
        ("\x1b(B\x1b=ready\x1b>", "ready"),
        ("a\x1b", "a\x1b"),
        ("\x1b]0;never ended\nnext line", "\x1b]0;never ended\nnext line"),
    ],
)
def test_codes_go_and_text_stays(text, plain):
    assert without_codes(text) == plain
    assert without_codes(text).count("\n") == text.count("\n")


def session(output, more=()):
    call = {"type": "tool_use", "id": "b1", "name": "Bash", "input": {"command": "cargo build"}}
    result = {"type": "tool_result", "tool_use_id": "b1", "content": output, "is_error": True}
    return [
        {"role": "user", "content": "Build it."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
        *more,
    ]


BROKEN = f"   Compiling shop\n{BOLD}{RED}error[E0382]{END}{BOLD}: use of moved value: `cart_total`{END}\n"


def test_an_error_in_colours_is_told_without_them():
    (error,) = collect_artifacts(parse_messages(session(BROKEN))).errors
    assert error.line == "error[E0382]: use of moved value: `cart_total`"


def test_an_error_in_colours_is_kept_by_the_reducer_as_it_was():
    broken = f"{RED}error{END} cart_total was moved"
    letters = [a + b for a in ascii_lowercase for b in ascii_lowercase][:300]
    noise = [f"the {word} of the build cannot be kept for later" for word in letters]
    output = "\n".join([*noise[:150], broken, *noise[150:]])
    reduced = reduce_output(output, budget_tokens=220, count=lambda text: len(text) // 4)
    assert broken in reduced


def test_quoted_lines_have_no_codes_and_nothing_in_them_counts_as_invented():
    lines = "\n".join(f"{BOLD}src/cart_{n}.rs{END}:{RED}{n}{END}: fn total_{n}()" for n in range(40))
    more = []
    for n in range(30):
        call = {"type": "tool_use", "id": f"r{n}", "name": "Read", "input": {"file_path": f"src/part_{n}.rs"}}
        text = "\n".join(f"let step_{n}_{k} = field_{n}_{k};" for k in range(40))
        more += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"r{n}", "content": text}]},
        ]
    history = session(lines, [*more, {"role": "assistant", "content": "Now src/cart_7.rs and total_7."}])
    config = CondenseConfig(budget=TokenBudget.for_window(16_000))
    result = Condenser(config).condense(history, memory=ConversationMemory("t"), target=4000)
    assert "src/cart_0.rs:0: fn total_0()" in result.summary
    assert "\x1b" not in result.summary
    assert verify(result.summary, history).invented == ()
