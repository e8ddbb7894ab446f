"""Messages of the three API forms are read, changed and made as their makers would expect."""

from __future__ import annotations

import pytest
from clock import in_milliseconds
from conversations import conversations
from examples import examples
from hypothesis import given, strategies as st

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.detecting import detect_form
from memory.conversation.wire.parsing import (
    join_results,
    make_result,
    make_text,
    parse_message,
    parse_messages,
    replace_parts,
)
from memory.errors import WireError

FORMS = list(Form)
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4000}}


def kinds(message: Message) -> list[PartKind]:
    return [part.kind for part in message.parts]


def anthropic(content, role="assistant", **more) -> Message:
    return parse_message({"role": role, "content": content, **more}, Form.ANTHROPIC)


def chat(**value) -> Message:
    return parse_message(value, Form.OPENAI_CHAT)


def item(**value) -> Message:
    return parse_message(value, Form.OPENAI_RESPONSES)


def test_anthropic_blocks_become_parts_at_the_same_positions():
    message = anthropic(
        [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "look"},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a"}},
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
            {"type": "something_of_2031", "x": 1},
            IMAGE,
        ]
    )
    assert kinds(message) == [
        PartKind.THINKING,
        PartKind.THINKING,
        PartKind.TEXT,
        PartKind.TOOL_CALL,
        PartKind.OPAQUE,
        PartKind.OPAQUE,
        PartKind.MEDIA,
    ]
    assert [part.signed for part in message.parts[:2]] == [True, True]
    assert message.parts[3] == Part(PartKind.TOOL_CALL, "", "t1", "Read", {"path": "a"})
    assert message.parts[5].name == "something_of_2031"
    assert message.parts[6].text == "image: image/png, 3 kB"


@pytest.mark.parametrize("read", [anthropic, lambda blocks: chat(role="assistant", content=blocks)])
def test_unsigned_thinking_is_told_from_signed(read):
    thought = {"type": "thinking", "thinking": "hm"}
    bare, signed, hidden = read([thought, {**thought, "signature": "s"}, {"type": "redacted_thinking"}]).parts
    assert (bare.kind, bare.text, bare.signed) == (PartKind.THINKING, "hm", False)
    assert (signed.kind, signed.signed) == (hidden.kind, hidden.signed) == (PartKind.THINKING, True)


def test_thinking_of_other_makers_is_carried_unread():
    part = chat(
        role="assistant", content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    ).parts[0]
    assert part.kind is PartKind.OPAQUE


def test_images_inside_a_result_are_named_in_its_text():
    content = [{"type": "text", "text": "one"}, IMAGE, {"type": "tool_reference", "tool_name": "WebFetch"}]
    message = anthropic([{"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": True}], "user")
    part = message.results[0]
    assert part.text == "one\n[image: image/png, 3 kB]\n[tool_reference WebFetch]"
    assert part.is_error


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
@pytest.mark.parametrize(("content", "count"), [("", 1), ("hi", 1), ([], 0), (None, 0)])
def test_content_may_be_text_list_or_nothing(role, content, count):
    message = anthropic(content, role)
    assert len(message.parts) == count
    assert message.role == Role(role)


def test_what_a_client_says_beside_the_content_is_read():
    message = anthropic("x", "user", timestamp="2025-03-01T10:00:00.500Z", isMeta=True, uuid="u1")
    assert message.meta.timestamp == 1740823200.5
    assert message.meta.is_meta
    assert message.meta.uuid == "u1"
    assert anthropic("x", "user", isCompactSummary=True).meta.is_compact_summary
    assert anthropic("x", "user", ts=1740823200500).meta.timestamp == 1740823200.5
    assert anthropic("x", "user", timestamp="yesterday").meta.timestamp is None


def test_chat_parts_are_content_then_what_stands_beside_it():
    message = chat(
        role="assistant",
        content="look",
        reasoning_content="hm",
        refusal=None,
        tool_calls=[
            {"id": "c1", "type": "function", "function": {"name": "Read", "arguments": '{"path": "a"}'}},
            {"id": "c2", "type": "function", "function": {"name": "Read", "arguments": '{"path'}},
            {"id": "c3", "type": "custom", "custom": {"name": "patch", "input": "{}"}},
        ],
        audio={"id": "a1"},
    )
    assert kinds(message) == [
        PartKind.TEXT,
        PartKind.THINKING,
        PartKind.OPAQUE,
        PartKind.TOOL_CALL,
        PartKind.TOOL_CALL,
        PartKind.TOOL_CALL,
    ]
    assert [call.arguments for call in message.calls] == [{"path": "a"}, '{"path', "{}"]


def test_chat_tool_and_older_function_messages_answer_their_calls():
    call = chat(role="assistant", content=None, function_call={"name": "ls", "arguments": "{}"})
    answer = chat(role="function", name="ls", content="a b")
    assert call.calls[0].call_id == answer.results[0].call_id
    tool = chat(
        role="tool", tool_call_id="c1", content=[{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]
    )
    assert (tool.role, tool.results[0].text, tool.results[0].call_id) == (Role.TOOL, "x\ny", "c1")
    assert chat(role="developer", content="be brief").role is Role.SYSTEM


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a": 1}'},
            Part(PartKind.TOOL_CALL, "", "c", "f", {"a": 1}),
        ),
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "{*** Begin"},
            Part(PartKind.TOOL_CALL, "", "c", "apply_patch", "{*** Begin"),
        ),
        (
            {
                "type": "local_shell_call",
                "id": "l1",
                "call_id": None,
                "action": {"type": "exec", "command": ["ls"]},
            },
            Part(PartKind.TOOL_CALL, "", "l1", "local_shell", {"type": "exec", "command": ["ls"]}),
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "done"},
            Part(PartKind.TOOL_RESULT, "done", "c"),
        ),
        (
            {
                "type": "function_call_output",
                "call_id": "c",
                "output": '{"output":"no such file\\n","metadata":{"exit_code":2}}',
            },
            Part(PartKind.TOOL_RESULT, "no such file\n", "c", is_error=True, exit_code=2),
        ),
        (
            {"type": "custom_tool_call_output", "call_id": "c", "output": {"content": "ok", "success": True}},
            Part(PartKind.TOOL_RESULT, "ok", "c"),
        ),
        (
            {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}},
            Part(PartKind.TOOL_RESULT, "[computer_screenshot]", "c"),
        ),
        (
            {
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": "hm"}],
                "encrypted_content": "e",
            },
            Part(PartKind.THINKING, "hm", signed=True),
        ),
        ({"type": "reasoning", "summary": [], "content": None}, Part(PartKind.THINKING)),
        (
            {"type": "web_search_call", "id": "w", "action": {"query": "x"}},
            Part(PartKind.OPAQUE, name="web_search_call"),
        ),
        ({"type": "compaction", "encrypted_content": "e"}, Part(PartKind.OPAQUE, name="compaction")),
    ],
)
def test_responses_items_are_one_part_each(value, part):
    assert item(**value).parts == (part,)


@pytest.mark.parametrize(
    ("form", "value", "told"),
    [
        (Form.ANTHROPIC, {"role": "robot", "content": ""}, ["message 7", "role", "'robot'", "'user'"]),
        (Form.ANTHROPIC, {"role": ["user"], "content": ""}, ["role", "['user']"]),
        (Form.ANTHROPIC, {"role": "user", "content": 3}, ["content", "3", "a string or a list"]),
        (Form.ANTHROPIC, {"role": "user", "content": ["x"]}, ["content[0]", "'x'", "'type'"]),
        (
            Form.ANTHROPIC,
            {"role": "user", "content": [{"type": "text", "text": None}]},
            ["content[0].text", "None"],
        ),
        (
            Form.ANTHROPIC,
            {"role": "assistant", "content": [{"type": "tool_use", "name": "f"}]},
            ["content[0].id"],
        ),
        (Form.OPENAI_CHAT, {"role": "tool", "content": "x"}, ["tool_call_id", "None"]),
        (Form.OPENAI_CHAT, {"role": "assistant", "tool_calls": {"id": 1}}, ["tool_calls", "a list"]),
        (Form.OPENAI_CHAT, {"role": "assistant", "tool_calls": [{"id": "c"}]}, ["tool_calls[0].function"]),
        (Form.OPENAI_RESPONSES, {"type": 5}, ["type", "5", "function_call"]),
        (Form.OPENAI_RESPONSES, {"type": "function_call", "name": "f"}, ["call_id", "pairs"]),
        (Form.OPENAI_RESPONSES, {"type": "message", "role": "tool"}, ["role", "'tool'", "'developer'"]),
    ],
)
def test_a_bad_value_is_named_with_message_field_and_what_would_be_right(form, value, told):
    with pytest.raises(WireError) as caught:
        parse_message(value, form, index=7)
    for words in ["message 7", *told]:
        assert words in str(caught.value)


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_a_read_message_is_the_very_object_that_came(data, form):
    values = data.draw(conversations(form))
    messages = parse_messages(values, form)
    assert all(message.raw is value for message, value in zip(messages, values, strict=True))
    assert parse_messages(messages) == messages


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_the_form_is_told_from_the_messages(data, form):
    values = data.draw(conversations(form))
    known = [(m.role, m.parts) for m in parse_messages(values, form)]
    assert [(m.role, m.parts) for m in parse_messages(values)] == known
    if any("type" in value for value in values):
        assert detect_form(values) is form


def test_plain_texts_with_a_leading_system_message_are_chat():
    assert detect_form([{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]) is Form.OPENAI_CHAT
    assert detect_form([{"role": "user", "content": "y"}]) is Form.ANTHROPIC
    assert detect_form([]) is Form.ANTHROPIC


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_replacing_a_part_with_itself_changes_no_reading_and_removing_all_is_refused(data, form):
    for message in parse_messages(data.draw(conversations(form)), form):
        for at, part in enumerate(message.parts):
            if part.kind in {PartKind.TEXT, PartKind.TOOL_CALL, PartKind.TOOL_RESULT}:
                assert replace_parts(message, {at: part}).parts == message.parts
        with pytest.raises(WireError, match="no part would be left"):
            replace_parts(message, dict.fromkeys(range(len(message.parts))))


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_a_changed_part_leaves_its_neighbours_and_the_original_alone(data, form):
    for message in parse_messages(data.draw(conversations(form)), form):
        before = repr(message.raw)
        for at, part in enumerate(message.parts):
            if part.kind not in {PartKind.TEXT, PartKind.TOOL_RESULT}:
                continue
            changed = replace_parts(message, {at: Part(part.kind, "short")})
            assert changed.parts[at].text == "short"
            assert changed.parts[at].call_id == part.call_id
            assert [p for n, p in enumerate(changed.parts) if n != at] == [
                p for n, p in enumerate(message.parts) if n != at
            ]
            assert changed.meta is message.meta
        for at in range(len(message.parts)):
            if len(message.parts) > 1:
                fewer = replace_parts(message, {at: None})
                assert list(fewer.parts) == [p for n, p in enumerate(message.parts) if n != at]
        assert repr(message.raw) == before


def test_arguments_of_a_call_are_replaced_in_the_shape_they_had():
    new = Part(PartKind.TOOL_CALL, arguments={"path": "b"})
    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "a"}}
    assert replace_parts(anthropic([call]), {0: new}).raw["content"] == [{**call, "input": {"path": "b"}}]
    function = {"id": "c", "type": "function", "function": {"name": "Read", "arguments": "{}"}}
    changed = replace_parts(chat(role="assistant", content=None, tool_calls=[function]), {0: new})
    assert changed.raw["tool_calls"][0]["function"] == {"name": "Read", "arguments": '{"path": "b"}'}
    changed = replace_parts(item(type="function_call", call_id="c", name="f", arguments="{}"), {0: new})
    assert changed.raw["arguments"] == '{"path": "b"}'
    shell = item(type="local_shell_call", call_id="c", action={"command": ["ls"]})
    assert replace_parts(shell, {0: new}).raw["action"] == {"path": "b"}


def test_an_image_in_a_result_outlives_a_new_text():
    content = [{"type": "text", "text": "long"}, IMAGE, {"type": "text", "text": "longer"}]
    message = anthropic([{"type": "tool_result", "tool_use_id": "t", "content": content}], "user")
    shorter = Part(PartKind.TOOL_RESULT, "l...\n[image: image/png, 3 kB]")
    changed = replace_parts(message, {0: shorter})
    assert changed.raw["content"][0]["content"] == [{"type": "text", "text": "l..."}, IMAGE]


@pytest.mark.parametrize("form", FORMS)
def test_the_envelope_of_a_command_is_read_through_in_every_form(form):
    envelope = '{"output":"no such file\\nnothing","metadata":{"exit_code":2,"duration_seconds":0.1}}'
    part = make_result(form, "c", envelope).results[0]
    assert (part.text, part.is_error) == ("no such file\nnothing", True)
    assert make_result(form, "c", "Exit code: 1\nOutput:\nno").results[0].is_error
    assert not make_result(form, "c", "Exit code: 0\nOutput:\nyes").results[0].is_error
    other = '{"output":"x","metadata":{}}'
    assert make_result(form, "c", other).results[0].text == other


def test_the_envelope_stays_around_a_changed_text_where_it_tells_of_a_failure():
    raw = '{"output":"a long log","metadata":{"exit_code":3,"duration_seconds":1.5}}'
    changed = replace_parts(
        item(type="function_call_output", call_id="c", output=raw), {0: Part(PartKind.TOOL_RESULT, "short")}
    )
    assert changed.raw["output"] == '{"output": "short", "metadata": {"exit_code": 3, "duration_seconds": 1.5}}'
    assert changed.results[0].text == "short"
    done = item(type="function_call_output", call_id="c", output=raw.replace("3", "0"))
    assert replace_parts(done, {0: Part(PartKind.TOOL_RESULT, "short")}).raw["output"] == "short"


def test_a_medium_may_become_a_text_but_a_call_may_not():
    message = anthropic([{"type": "text", "text": "see"}, IMAGE], "user")
    changed = replace_parts(message, {1: Part(PartKind.TEXT, "[image folded]")})
    assert changed.raw["content"][1] == {"type": "text", "text": "[image folded]"}
    call = anthropic([{"type": "tool_use", "id": "t", "name": "f", "input": {}}])
    with pytest.raises(WireError, match="part 0 is 'tool_call' and cannot become 'text'"):
        replace_parts(call, {0: Part(PartKind.TEXT, "x")})
    with pytest.raises(WireError, match="part 5 does not exist; the message has 1 parts"):
        replace_parts(call, {5: None})


def test_a_bare_string_in_a_list_becomes_a_text_block():
    message = chat(role="user", content=["a word on cache_control", {"type": "text", "text": "x"}])
    changed = replace_parts(message, {0: Part(PartKind.TEXT, "short")})
    assert changed.raw["content"] == [{"type": "text", "text": "short"}, {"type": "text", "text": "x"}]


def test_signed_thinking_is_never_rewritten():
    message = anthropic([{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "x"}])
    with pytest.raises(WireError, match="'thinking'"):
        replace_parts(message, {0: Part(PartKind.THINKING, "h")})
    assert kinds(replace_parts(message, {0: None})) == [PartKind.TEXT]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("role", [Role.SYSTEM, Role.USER, Role.ASSISTANT])
def test_a_made_text_reads_back(form, role):
    message = make_text(form, role, "hello")
    assert (message.role, message.text, message.form) == (role, "hello", form)
    with pytest.raises(WireError, match="'tool'"):
        make_text(form, Role.TOOL, "x")


@pytest.mark.parametrize("form", FORMS)
def test_a_made_result_answers_its_call_and_batches_join(form):
    made = [make_result(form, f"c{n}", "done", name="f") for n in range(3)]
    assert [m.results[0].call_id for m in made] == ["c0", "c1", "c2"]
    joined = join_results(form, made)
    assert len(joined) == (1 if form is Form.ANTHROPIC else 3)
    assert [p.call_id for m in joined for p in m.results] == ["c0", "c1", "c2"]


def test_joined_results_stand_before_texts():
    texts_first = anthropic([{"type": "text", "text": "go"}, {"type": "tool_result", "tool_use_id": "a"}], "user")
    joined = join_results(Form.ANTHROPIC, [texts_first, make_result(Form.ANTHROPIC, "b", "x")])
    assert [p.kind for p in joined[0].parts] == [PartKind.TOOL_RESULT, PartKind.TOOL_RESULT, PartKind.TEXT]
    with pytest.raises(WireError, match="openai-chat"):
        join_results(Form.ANTHROPIC, [make_result(Form.OPENAI_CHAT, "b", "x")])


def test_a_result_takes_the_kind_its_call_wants():
    custom = item(type="custom_tool_call", call_id="c", name="apply_patch", input="x")
    assert make_result(Form.OPENAI_RESPONSES, "c", "ok", call=custom).raw["type"] == "custom_tool_call_output"
    older = chat(role="assistant", content=None, function_call={"name": "ls", "arguments": "{}"})
    assert make_result(Form.OPENAI_CHAT, "x", "ok", call=older).raw == {
        "role": "function",
        "name": "ls",
        "content": "ok",
    }


@pytest.mark.timing
def test_parsing_is_quick():
    block = {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "a" * 1000}}
    values = [{"role": "assistant", "content": [{"type": "text", "text": "x" * 1000}, block]} for _ in range(2000)]
    # 4 MB, about a million tokens
    assert in_milliseconds(lambda: parse_messages(values), 3) < 60
