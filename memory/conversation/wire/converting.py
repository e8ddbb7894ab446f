"""A conversation moved from one wire form to another, calls and results paired as the new form wants them.

Thinking stays behind: a signature is good for the provider that gave it, and thinking as text would teach the model
to think aloud. Blocks that only their provider understands become their type in brackets.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.wire.form import Block, Step
from memory.conversation.wire.parsing import WIRE_FORMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_UNSAFE_IN_ID = "[^A-Za-z0-9_-]"  # documented: Anthropic takes ids of letters, digits, _ and - alone


def convert(messages: Sequence[Message], form: Form) -> list[dict[str, Any]]:
    """Write messages as values of a form, ready for a request.

    Messages all of that form leave as their raw values, the very objects. Otherwise a result stands right behind its
    batch of calls, ids that a form would refuse or that occur twice are renamed in pairs; nothing is invented for calls
    without a result. System messages stay where they are (Anthropic wants the leading ones as the `system` parameter,
    which `write_transcript` does). Linear; texts and media are shared.
    """
    if all(message.form is form for message in messages):
        return [message.raw if isinstance(message.raw, dict) else dict(message.raw) for message in messages]
    return [value for step in _paired(_split(messages)) for value in WIRE_FORMS[form].written(step)]


def _split(messages: Iterable[Message]) -> list[Step]:
    """Cut messages into steps of one role each, in their order; a Responses turn is one step."""
    steps: list[Step] = []
    for message in messages:
        blocks = list(_blocks(message))
        results = [block for block in blocks if block.part.kind is PartKind.TOOL_RESULT]
        others = [block for block in blocks if block.part.kind is not PartKind.TOOL_RESULT]
        if results:
            steps.append(Step(Role.TOOL, results))
        joins = message.form is Form.OPENAI_RESPONSES and message.role is Role.ASSISTANT
        if others and joins and steps and steps[-1].joins:
            steps[-1].blocks.extend(others)
        elif others:
            steps.append(Step(message.role, others, joins=joins))
    return steps


def _blocks(message: Message) -> Iterator[Block]:
    raw, content = message.raw, message.raw.get("content")
    blocks = content if isinstance(content, list) and message.role is not Role.TOOL else []
    calls = iter(raw.get("tool_calls") or () if message.form is Form.OPENAI_CHAT else ())
    for at, part in enumerate(message.parts):
        found = blocks[at] if at < len(blocks) else None
        if part.kind is PartKind.TOOL_CALL and found is None:
            found = next(calls, raw.get("function_call"))
        yield Block(part, found if isinstance(found, dict) else raw)


def _paired(steps: list[Step]) -> Iterator[Step]:
    """Move each result behind the step that calls for it, in the order of its calls; give pairs unique ids."""
    answers: dict[int, list[Block]] = defaultdict(list)
    open_calls: dict[str, list[tuple[int, str]]] = defaultdict(list)
    given: dict[str, int] = {}
    for number, step in enumerate(steps):
        kept: list[Block] = []
        for block in step.blocks:
            old = block.part.call_id
            if old is None:
                kept.append(block)
            elif block.part.kind is PartKind.TOOL_CALL:
                open_calls[old].append((number, _unique(old, given)))
                kept.append(Block(block.part, block.raw, open_calls[old][-1][1]))
            elif open_calls[old]:
                caller, new = open_calls[old].pop()
                answers[caller].append(Block(block.part, block.raw, new))
            else:
                kept.append(Block(block.part, block.raw, re.sub(_UNSAFE_IN_ID, "_", old)))
        step.blocks = kept
    for number, step in enumerate(steps):
        if step.blocks:
            yield step
        if number in answers:
            order = {block.call_id: at for at, block in enumerate(step.blocks) if block.call_id}
            yield Step(Role.TOOL, sorted(answers[number], key=lambda block: order[block.call_id]))


def _unique(call_id: str, given: dict[str, int]) -> str:
    unique = safe = re.sub(_UNSAFE_IN_ID, "_", call_id) or "call"
    while unique in given:
        given[safe] += 1
        unique = f"{safe}_{given[safe]}"
    given[unique] = 1
    return unique
