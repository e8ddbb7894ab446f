"""Histories that a provider would refuse are mended, and nothing of them is lost."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, strategies as st
from strategies import FORMS, plots

from condense.compaction.validity import LOST_CALL, NO_RESULT, repair, violations
from memory.conversation.messages import Form
from memory.conversation.wire.parsing import parse_messages
from tests.condense.ledger.test_grouping import ask, call, result


def mended(values, form=None):
    messages, notes = repair(parse_messages(values, form))
    assert not violations(messages)
    return [m.raw for m in messages], notes


def test_a_valid_history_comes_back_as_the_very_object():
    messages = parse_messages([ask(), call("a"), result("a")])
    assert repair(messages) == (messages, ())
    assert repair(messages)[0] is messages


def test_a_call_without_a_result_gets_one_that_says_so():
    out, notes = mended([ask(), call("a"), ask("go on")])
    assert out[2]["content"][0]["type"] == "tool_result"
    assert NO_RESULT in str(out[2]["content"][0]["content"])
    assert "go on" in str(out[2]["content"])
    assert notes


def test_a_call_at_the_very_end_is_answered():
    out, _ = mended([ask(), call("a", "b")])
    assert [b["tool_use_id"] for b in out[2]["content"]] == ["a", "b"]


def test_one_missing_result_of_a_parallel_batch_is_added_beside_the_others():
    out, _ = mended([ask(), call("a", "b"), result("b"), ask("next")])
    assert {b["tool_use_id"] for b in out[2]["content"]} == {"a", "b"}
    assert out[3] == ask("next")


def test_a_result_without_a_call_becomes_text_and_keeps_its_words():
    out, _ = mended([ask(), result("zzz"), {"role": "assistant", "content": "ok"}], Form.ANTHROPIC)
    assert LOST_CALL in str(out[1])
    assert "ok" in str(out[1])


def test_an_answer_split_over_messages_is_joined():
    out, _ = mended([ask(), call("a"), call("b"), result("a", "b")])
    assert [b["id"] for b in out[1]["content"]] == ["a", "b"]
    assert len(out) == 3


def test_results_split_over_messages_are_joined():
    out, _ = mended([ask(), call("a", "b"), result("a"), result("b"), ask("next")])
    assert [b["tool_use_id"] for b in out[2]["content"]] == ["a", "b"]


def test_a_history_that_begins_with_the_assistant_gets_a_beginning():
    out, _ = mended([{"role": "assistant", "content": "Hello"}, ask()], Form.ANTHROPIC)
    assert out[0]["role"] == "user"
    assert out[1]["content"] == "Hello"


@pytest.mark.parametrize("content", ["", "  \n", [], [{"type": "text", "text": " "}]])
def test_empty_messages_go(content):
    out, _ = mended([ask(), {"role": "assistant", "content": content}, ask("next")], Form.ANTHROPIC)
    assert out == [ask(), ask("next")]


def test_chat_results_are_added_right_after_their_call():
    made = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ("a", "b")]
    values = [
        ask(),
        {"role": "assistant", "content": None, "tool_calls": made},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        ask("next"),
    ]
    out, _ = mended(values)
    assert {m.get("tool_call_id") for m in out[2:4]} == {"a", "b"}


def test_responses_outputs_and_reasoning_alone_are_mended():
    items = [
        {"type": "message", "role": "user", "content": "go"},
        {"type": "function_call_output", "call_id": "zzz", "output": "old"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "ZW5j"},
    ]
    out, _ = mended(items)
    assert [i.get("type") for i in out] == ["message", "message", "function_call", "function_call_output"]


def test_a_responses_output_that_stands_before_its_call_does_not_answer_it():
    items = [
        {"type": "message", "role": "user", "content": "go"},
        {"type": "function_call_output", "call_id": "a", "output": "early"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
    ]
    out, _ = mended(items)
    assert [i.get("type") for i in out] == ["message", "message", "function_call", "function_call_output"]
    assert "early" in str(out[1])


def test_an_empty_list_comes_back_as_it_is():
    assert repair(()) == ((), ())


broken = st.tuples(st.sampled_from(sorted(FORMS)), plots, st.lists(st.integers(0, 200), max_size=6), st.booleans())


@given(broken)
def test_any_history_with_messages_missing_or_swapped_is_mended_without_touching_the_input(case):
    form, plot, holes, swap = case
    values = FORMS[form](plot)
    for hole in holes:
        if len(values) > 1:
            del values[hole % len(values)]
    if swap and len(values) > 2:
        values[-1], values[-2] = values[-2], values[-1]
    before = copy.deepcopy(values)
    messages, _ = repair(parse_messages(values, Form(form)))
    assert values == before
    if any(m.get("role") not in ("system", None) or m.get("type") == "function_call" for m in values):
        assert [v for v in violations(messages) if v.rule != "empty-list"] == []


@given(broken)
def test_mending_twice_is_mending_once(case):
    form, plot, holes, _ = case
    values = FORMS[form](plot)
    for hole in holes:
        if len(values) > 1:
            del values[hole % len(values)]
    once, _ = repair(parse_messages(values, Form(form)))
    twice, notes = repair(once)
    assert [m.raw for m in twice] == [m.raw for m in once]
    assert not notes or any(n.startswith("empty-list") for n in notes)
