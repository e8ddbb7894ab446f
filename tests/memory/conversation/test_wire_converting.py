"""A conversation moved to another form keeps its words, and its calls and results paired."""

from __future__ import annotations

import json

import pytest
from conversations import conversations, pairing_faults
from examples import examples
from hypothesis import given, strategies as st

from memory.conversation.messages import Form, PartKind
from memory.conversation.wire.parsing import convert, parse_messages

FORMS = list(Form)
PAIRS = [(a, b) for a in FORMS for b in FORMS if a is not b]


def said(messages) -> list[str]:
    """Texts and results in order, blanks between aside."""
    texts = [p.text for m in messages for p in m.parts if p.kind in {PartKind.TEXT, PartKind.TOOL_RESULT}]
    return [line for text in texts for line in text.split("\n") if line.startswith("said")]


@given(st.data(), st.sampled_from(PAIRS))
@examples(30)
def test_a_valid_conversation_is_valid_in_every_other_form(data, pair):
    source, target = pair
    messages = parse_messages(data.draw(conversations(source)), source)
    values = convert(messages, target)
    assert pairing_faults(values, target) == []
    moved = parse_messages(values, target)
    assert {m.form for m in moved} <= {target}
    assert sorted(said(moved)) == sorted(said(messages))
    calls = [(p.name, p.arguments) for m in messages for p in m.calls]
    assert [(p.name, p.arguments) for m in moved for p in m.calls] == calls


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_its_own_form_is_left_alone(data, form):
    values = data.draw(conversations(form))
    converted = convert(parse_messages(values, form), form)
    assert all(a is b for a, b in zip(converted, values, strict=True))


@given(st.data(), st.sampled_from(PAIRS))
@examples(30)
def test_no_thinking_moves_to_another_form(data, pair):
    source, target = pair
    moved = convert(parse_messages(data.draw(conversations(source)), source), target)
    assert not any(p.kind is PartKind.THINKING for m in parse_messages(moved, target) for p in m.parts)
    written = json.dumps(moved)
    assert "c2ln" not in written
    assert "ZW5j" not in written


def test_a_result_that_came_late_moves_behind_its_calls():
    items = [
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{}"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "faster"}]},
        {"type": "function_call_output", "call_id": "b", "output": "B"},
        {"type": "function_call_output", "call_id": "a", "output": "A"},
    ]
    values = convert(parse_messages(items), Form.OPENAI_CHAT)
    assert [v["role"] for v in values] == ["assistant", "tool", "tool", "user"]
    assert [v["content"] for v in values[1:3]] == ["A", "B"]
    values = convert(parse_messages(items), Form.ANTHROPIC)
    assert [b["tool_use_id"] for b in values[1]["content"]] == ["a", "b"]


def test_ids_that_come_twice_or_have_odd_letters_are_renamed_in_pairs():
    values = []
    for text in ("one", "two"):
        call = {"id": "call:0", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        values.append({"role": "assistant", "content": None, "tool_calls": [call]})
        values.append({"role": "tool", "tool_call_id": "call:0", "content": text})
    moved = convert(parse_messages(values), Form.ANTHROPIC)
    assert pairing_faults(moved, Form.ANTHROPIC) == []
    assert [m["content"][0].get("tool_use_id") for m in moved[1::2]] == ["call_0", "call_0_2"]


def test_an_unanswered_call_does_not_take_the_answer_of_its_namesake():
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    values = [
        call,
        {"role": "user", "content": "again"},
        call,
        {"role": "function", "name": "f", "content": "now"},
    ]
    moved = convert(parse_messages(values), Form.ANTHROPIC)
    assert moved[3]["content"][0]["tool_use_id"] == moved[2]["content"][0]["id"]
    assert moved[0]["content"][0]["id"] != moved[2]["content"][0]["id"]


def test_custom_tools_become_functions_and_huge_numbers_stay_exact():
    items = [
        {"type": "custom_tool_call", "call_id": "a", "name": "apply_patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "a", "output": "ok"},
        {
            "type": "function_call",
            "call_id": "b",
            "name": "f",
            "arguments": '{"n": 123456789012345678901234}',
        },
        {"type": "function_call_output", "call_id": "b", "output": "ok"},
    ]
    values = convert(parse_messages(items), Form.ANTHROPIC)
    assert values[0]["content"][0]["input"] == {"input": "*** Begin"}
    assert values[2]["content"][0]["input"] == {"n": 123456789012345678901234}
    values = convert(parse_messages(items), Form.OPENAI_CHAT)
    assert values[0]["tool_calls"][0]["function"]["arguments"] == '{"input": "*** Begin"}'
    assert values[2]["tool_calls"][0]["function"]["arguments"] == items[2]["arguments"]


IMAGES = {
    Form.ANTHROPIC: {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"},
    },
    Form.OPENAI_CHAT: {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
    Form.OPENAI_RESPONSES: {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_images_move_and_unknown_blocks_leave_their_name(source, target):
    text = "input_text" if source is Form.OPENAI_RESPONSES else "text"
    content = [{"type": text, "text": "see"}, IMAGES[source], {"type": "hologram"}]
    moved = convert(parse_messages([{"role": "user", "content": content}], source), target)
    assert moved[0]["content"][1] == IMAGES[target]
    assert moved[0]["content"][2]["text"] == "[hologram]"


def test_an_image_in_a_result_moves_where_the_form_carries_it():
    result = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": [IMAGES[Form.ANTHROPIC]],
        "is_error": False,
    }
    values = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "shot", "input": {}}]},
        {"role": "user", "content": [result, {"type": "text", "text": "and now?"}]},
    ]
    messages = parse_messages(values)
    assert convert(messages, Form.OPENAI_RESPONSES)[1]["output"] == [IMAGES[Form.OPENAI_RESPONSES]]
    chat = convert(messages, Form.OPENAI_CHAT)
    assert [v["role"] for v in chat] == ["assistant", "tool", "user"]
    assert chat[1]["content"] == "[image: image/png, 1 kB]"


def test_a_failed_result_is_still_failed_in_the_anthropic_form():
    items = [
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {
            "type": "function_call_output",
            "call_id": "a",
            "output": '{"output":"no","metadata":{"exit_code":1}}',
        },
    ]
    result = convert(parse_messages(items), Form.ANTHROPIC)[1]["content"][0]
    assert result == {"type": "tool_result", "tool_use_id": "a", "content": "no", "is_error": True}
