"""Where a conversation may be cut: each rule alone, then together, in all forms."""

from __future__ import annotations

import pytest
from clock import cpu_seconds
from hypothesis import given, strategies as st
from strategies import FORMS, plots

from condense.compaction.validity import violations
from condense.ledger.units import (
    UnitKind,
    roles_follow,
    thinking_leads,
    units_and_cuts,
    whole_batches,
    whole_pairs,
)
from memory.conversation.messages import Form, Role
from memory.conversation.wire.parsing import make_text, parse_messages


def call(*ids, thinking=None, signed=True):
    blocks = [{"type": "tool_use", "id": i, "name": "Bash", "input": {"command": "ls"}} for i in ids]
    if thinking:
        block = {"type": "thinking", "thinking": thinking}
        blocks.insert(0, {**block, "signature": "c2ln"} if signed else block)
    return {"role": "assistant", "content": blocks}


def result(*ids):
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": i, "content": "ok"} for i in ids],
    }


def ask(text="Please fix it"):
    return {"role": "user", "content": text}


def test_no_cut_between_a_call_and_its_result():
    messages = parse_messages([ask(), call("a"), result("a"), ask()])
    assert whole_pairs(messages) == [True, True, False, True, True]


def test_a_call_never_answered_holds_nothing_open():
    messages = parse_messages([ask(), call("a"), ask("never mind"), ask("next")])
    assert whole_pairs(messages) == [True] * 5


def test_a_parallel_batch_in_chat_form_stays_whole():
    calls = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ("a", "b")]
    results = [{"role": "tool", "tool_call_id": i, "content": "ok"} for i in ("a", "b")]
    messages = parse_messages([ask(), {"role": "assistant", "content": None, "tool_calls": calls}, *results, ask()])
    assert units_and_cuts(messages)[1] == (0, 1, 4, 5)


def test_items_of_one_answer_in_responses_form_stay_together():
    items = [
        {"type": "message", "role": "user", "content": "go"},
        {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "ZW5j"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "function_call_output", "call_id": "b", "output": "2"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ]
    messages = parse_messages(items)
    assert units_and_cuts(messages)[1] == (0, 1, 6, 7)
    assert whole_batches(messages)[2:6] == [False] * 4


def test_a_running_tool_loop_is_cut_only_where_signed_thinking_leads():
    messages = parse_messages(
        [
            ask(),
            call("a", thinking="x"),
            result("a"),
            call("b"),
            result("b"),
            call("c", thinking="y"),
            result("c"),
        ]
    )
    allowed = thinking_leads(messages)
    assert allowed[1]
    assert not allowed[3]
    assert allowed[5]


def test_signed_thinking_leads_in_the_chat_form_too():
    """Gateways and frameworks write Anthropic's blocks in it, or put them beside the content."""
    thought = {"type": "thinking", "thinking": "x", "signature": "c2ln"}

    def turn(name, **said):
        function = {"name": "Bash", "arguments": "{}"}
        asked = {"role": "assistant", "tool_calls": [{"id": name, "type": "function", "function": function}]}
        return [asked | said, {"role": "tool", "tool_call_id": name, "content": "ok"}]

    messages = parse_messages(
        [
            ask(),
            *turn("a", content=[thought]),
            *turn("b", content="On it."),
            *turn("c", content="On it.", thinking_blocks=[thought]),
        ]
    )
    assert thinking_leads(messages)[1:6:2] == [True, False, True]


def test_thinking_without_signature_binds_nothing():
    messages = parse_messages([ask(), call("a", thinking="x", signed=False), result("a"), call("b"), result("b")])
    assert all(thinking_leads(messages))


def test_a_finished_loop_may_be_cut():
    messages = parse_messages([ask(), call("a", thinking="x"), result("a"), call("b"), result("b"), ask("next")])
    assert all(thinking_leads(messages))


def test_a_loop_that_ended_in_an_answer_may_be_cut():
    answer = {"role": "assistant", "content": "Done"}
    messages = parse_messages([ask(), call("a", thinking="x"), result("a"), call("b"), result("b"), answer])
    assert all(thinking_leads(messages))


def test_the_kept_part_begins_with_what_may_follow_a_summary():
    messages = parse_messages([ask(), call("a"), result("a"), {"role": "system", "content": "note"}])
    assert roles_follow(messages) == [True, True, False, False, True]


@given(st.sampled_from(sorted(FORMS)), plots)
def test_every_cut_of_a_valid_history_leaves_a_valid_history_behind_a_summary(form, plot):
    messages = parse_messages(FORMS[form](plot))
    if violations(messages):
        return
    summary = make_text(messages[0].form, Role.USER, "<holdfast-context> what came before")
    for cut in units_and_cuts(messages)[1]:
        assert not violations([summary, *messages[cut:]])


@given(st.sampled_from(sorted(FORMS)), plots)
def test_units_cover_the_history_once_and_in_order(form, plot):
    messages = parse_messages(FORMS[form](plot))
    units = units_and_cuts(messages)[0]
    assert [i for u in units for i in range(u.start, u.end)] == list(range(len(messages)))
    for unit in units:
        calls = {p.call_id for i in range(unit.start, unit.end) for p in messages[i].calls}
        answers = {p.call_id for i in range(unit.start, unit.end) for p in messages[i].results}
        assert calls == answers


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (ask("Use PostgreSQL"), UnitKind.TYPED),
        (ask("<system-reminder>the todo list is empty</system-reminder>"), UnitKind.NOTE),
        (ask('<holdfast-context v="1" folded="3" language="en">\nx\n</holdfast-context>'), UnitKind.CONTEXT),
        ({"role": "assistant", "content": "Done"}, UnitKind.TURN),
        ({"role": "system", "content": "Be brief"}, UnitKind.SYSTEM),
    ],
)
def test_units_know_what_they_are(message, kind):
    assert units_and_cuts(parse_messages([message], Form.ANTHROPIC))[0][0].kind is kind


@pytest.mark.timing
def test_ten_thousand_messages_are_grouped_in_linear_time():
    def seconds(n):
        messages = parse_messages([m for k in range(n) for m in (call(f"a{k}"), result(f"a{k}"))])
        return cpu_seconds(lambda: units_and_cuts(messages), 3)

    small, large = seconds(500), seconds(4000)
    assert large / small < 8 * 3
