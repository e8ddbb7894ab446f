"""Objects of the official SDKs in a history: read, counted, and handed back as the very objects they are."""

from __future__ import annotations

import copy

import pytest
from anthropic.types import Message as AnthropicMessage
from builders import quarter
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseReasoningItem

from condense import CondenseConfig, Condenser, TokenBudget
from condense.compaction.validity import violations
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

ASK = {"role": "user", "content": "Build the importer. Never touch the migrations folder."}
OUTPUT = "\n".join(f"{n}: def function_{n}(): return {n}" for n in range(30))
SMALL = CondenseConfig(budget=TokenBudget.for_window(2500), weigh_costs=False)


def session():
    return Condenser(SMALL, count_tokens=quarter, memory=ConversationMemory("t"))


def grown(condenser, messages):
    """Play a history through `view`, message by message, and return what was sent last."""
    sent = messages
    for i in range(1, len(messages) + 1):
        sent = condenser.view(messages[:i])
    return list(sent)


def anthropic_answer(k):
    use = {"type": "tool_use", "id": f"t{k}", "name": "Read", "input": {"path": f"m{k}.py", "limit": None}}
    told = {"id": f"m{k}", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use"}
    content = [{"type": "text", "text": f"Reading {k}"}, use]
    usage = {"input_tokens": 1, "output_tokens": 1}
    return AnthropicMessage.model_validate({**told, "content": content, "usage": usage})


def with_anthropic(k):
    result = {"type": "tool_result", "tool_use_id": f"t{k}", "content": OUTPUT}
    return [
        {"role": "assistant", "content": anthropic_answer(k).content},
        {"role": "user", "content": [result]},
    ]


def with_chat(k):
    function = {"name": "read", "arguments": f'{{"path": "m{k}.py"}}'}
    call = {"id": f"c{k}", "type": "function", "function": function}
    said = ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]})
    return [said, {"role": "tool", "tool_call_id": f"c{k}", "content": OUTPUT}]


def with_responses(k):
    text = {"type": "output_text", "text": f"Reading {k}", "annotations": []}
    said = {"id": f"s{k}", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    call = {"type": "function_call", "call_id": f"c{k}", "name": "read", "arguments": "{}"}
    thought = {"id": f"r{k}", "type": "reasoning", "summary": [], "encrypted_content": "ZW5j"}
    return [
        ResponseReasoningItem.model_validate(thought),
        ResponseOutputMessage.model_validate(said),
        ResponseFunctionToolCall.model_validate(call),
        {"type": "function_call_output", "call_id": f"c{k}", "output": OUTPUT},
    ]


@pytest.mark.parametrize("step", [with_anthropic, with_chat, with_responses])
def test_objects_of_the_sdks_are_read_and_come_back_where_they_are_kept(step):
    messages = [ASK, *(value for k in range(14) for value in step(k))]
    before = copy.deepcopy(messages)
    for sent in (grown(session(), messages), session().condense(messages, target=1200).messages):
        assert len(sent) < len(messages)
        assert not violations(parse_messages(sent))
        kept = [value for value in sent if any(value is one for one in messages)]
        assert any(not isinstance(v, dict) or isinstance(v.get("content"), list) for v in kept)
    assert messages == before


def test_memories_are_read_beside_objects_of_an_sdk():
    memory = ConversationMemory("t")
    memory.extract_memories([*with_chat(1), {"role": "user", "content": "You must use PostgreSQL."}])
    assert any("PostgreSQL" in entry.content for entry in memory.get_all_memories())
