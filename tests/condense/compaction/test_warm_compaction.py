"""A condenser that has worked before gives what a new one gives; it only has less to read."""

from __future__ import annotations

import json
from functools import cache

import pytest
from builders import quarter

from condense import CondenseConfig, Condenser, TokenBudget
from condense.lines.scores import LineReader
from condense.lines.text_lines import TextForm, read_lines
from memory import ConversationMemory, read_transcript

SESSIONS = ["claude_code_session", "codex_session"]
TARGET = 6000


@cache
def recorded(name):
    """The messages of a recorded session, as dicts."""
    return [m.raw for m in read_transcript(f"benchmarks/data/{name}.jsonl.gz").messages]


def condenser(count=quarter):
    return Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * TARGET)), count_tokens=count)


@cache
def cold(name, share=1.0):
    """What a new condenser makes of the first part of a recorded session."""
    messages = recorded(name)
    return condensed(condenser(), messages[: int(share * len(messages))])


def condensed(one, messages):
    done = one.condense(messages, memory=ConversationMemory("t"), target=TARGET)
    assert done.error is None
    return json.dumps(done.messages)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_warm_condenser_gives_byte_for_byte_what_a_cold_one_gives(name):
    messages = recorded(name)
    warm = condenser()
    for share in (0.7, 1.0):
        assert condensed(warm, messages[: int(share * len(messages))]) == cold(name, share)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_history_that_was_turned_back_or_is_another_one_is_read_anew(name):
    messages = recorded(name)
    other = SESSIONS[1 - SESSIONS.index(name)]
    warm = condenser()
    condensed(warm, messages)
    turned = [
        *messages[: len(messages) // 2],
        {"role": "user", "content": "Stop. Back to the plan in notes/plan.md."},
    ]
    assert condensed(warm, turned) == condensed(condenser(), turned)
    assert condensed(warm, recorded(other)) == cold(other)


def test_a_conversation_played_through_view_leaves_a_condenser_that_gives_the_same():
    messages = recorded("claude_code_session")
    played = condenser()
    for end in range(1, len(messages), 4):
        played.view(messages[:end])
    assert len(played.records) > 1
    assert condensed(played, messages) == cold("claude_code_session")


def test_a_message_is_counted_once_however_often_its_history_is_compacted():
    counted = []

    def count(text):
        counted.append(text)
        return quarter(text)

    messages = recorded("claude_code_session")
    one = condenser(count)
    condensed(one, messages[:-2])
    first = sum(map(len, counted))
    counted.clear()
    condensed(one, messages)
    assert sum(map(len, counted)) < first / 2


def test_what_lines_say_does_not_depend_on_what_was_read_before():
    reader = LineReader()
    lines = [
        "def load_cart(path): see shop/cart.odd",
        "cart.odd at 8443",
        "plain words only",
        "cart.odd twice: cart.odd",
    ]
    reader.read(["cart.odd stands alone", "shop/cart.odd"])
    names = reader.read(lines)
    assert {line: names[line] for line in lines} == LineReader().read(lines)


def test_the_lines_of_a_text_depend_on_what_it_is():
    listing = "  1\tfirst = 1\n  2\tsecond = 2"
    plain, result = read_lines(listing), read_lines(listing, TextForm.RESULT)
    assert (plain.first, plain.lines) == (0, listing.split("\n"))
    assert (result.first, result.lines) == (1, ["first = 1", "second = 2"])
    patch = read_lines("- old\n+ new\n  same", TextForm.PATCH)
    assert patch.keys == ["old", "new", "same"]
