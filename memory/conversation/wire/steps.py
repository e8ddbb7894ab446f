"""A conversation of any form as steps, calls and results paired between them: what conversion works on."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_UNSAFE_IN_ID = "[^A-Za-z0-9_-]"  # documented: Anthropic takes ids of letters, digits, _ and - alone


@dataclass(frozen=True, slots=True)
class Block:
    """A part together with the raw block it was read from, where the raw value has blocks."""

    part: Part
    raw: Mapping[str, Any]
    call_id: str = ""


@dataclass(slots=True)
class Step:
    """What one side says in one go; results are steps of their own, with role TOOL."""

    role: Role
    blocks: list[Block] = field(default_factory=list)
    joins: bool = False


def steps_of(messages: Iterable[Message]) -> list[Step]:
    """Read messages as steps: a Responses turn in one, each result right behind its batch of calls.

    Calls and results get ids that are unique in the conversation and fit for every form. Results that answer
    no call stay where they are.
    """
    return _paired(_split(messages))


def _split(messages: Iterable[Message]) -> list[Step]:
    """Cut messages into steps of one role each, in their order."""
    steps: list[Step] = []
    for message in messages:
        blocks = list(_blocks(message))
        results = [block for block in blocks if block.part.kind is PartKind.TOOL_RESULT]
        others = [block for block in blocks if block.part.kind is not PartKind.TOOL_RESULT]
        if results:
            steps.append(Step(Role.TOOL, results))
        if others:
            joins = message.form is Form.OPENAI_RESPONSES and message.role is Role.ASSISTANT
            last = steps[-1] if steps else None
            if joins and last is not None and last.joins:
                last.blocks.extend(others)
            else:
                steps.append(Step(message.role, others, joins=joins))
    return steps


def _blocks(message: Message) -> Iterator[Block]:
    raw = message.raw
    content = raw.get("content")
    blocks = content if isinstance(content, list) and message.role is not Role.TOOL else []
    calls = iter(raw.get("tool_calls") or () if message.form is Form.OPENAI_CHAT else ())
    for at, part in enumerate(message.parts):
        found = blocks[at] if at < len(blocks) else None
        if part.kind is PartKind.TOOL_CALL and found is None:
            found = next(calls, raw.get("function_call"))
        yield Block(part, found if isinstance(found, dict) else raw)


def _paired(steps: list[Step]) -> list[Step]:
    """Move each result behind the step that calls for it, and give pairs unique ids."""
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
                new = _unique(old, given)
                open_calls[old].append((number, new))
                kept.append(Block(block.part, block.raw, new))
            elif open_calls[old]:
                caller, new = open_calls[old].pop()
                answers[caller].append(Block(block.part, block.raw, new))
            else:
                kept.append(Block(block.part, block.raw, re.sub(_UNSAFE_IN_ID, "_", old)))
        step.blocks = kept
    ordered: list[Step] = []
    for number, step in enumerate(steps):
        if step.blocks:
            ordered.append(step)
        if number in answers:
            ordered.append(Step(Role.TOOL, _in_order_of_calls(answers[number], step)))
    return ordered


def _in_order_of_calls(answers: list[Block], step: Step) -> list[Block]:
    order = {block.call_id: at for at, block in enumerate(step.blocks) if block.call_id}
    return sorted(answers, key=lambda block: order[block.call_id])


def _unique(call_id: str, given: dict[str, int]) -> str:
    safe = re.sub(_UNSAFE_IN_ID, "_", call_id) or "call"
    unique = safe
    while unique in given:
        given[safe] += 1
        unique = f"{safe}_{given[safe]}"
    given[unique] = 1
    return unique
