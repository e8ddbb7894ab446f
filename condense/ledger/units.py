"""Units of a conversation, and where it may be cut: a call and its results never part.

A cut at `i` means that `messages[i:]` is kept behind a summary in the user role.  Legal are the places that all of the
small rules below allow, each testable alone (the design of the OpenHands SDK's view properties).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from condense.reading import is_context_block
from memory.conversation import LOST_CALL, Form, Message, PartKind, Role, is_typed

if TYPE_CHECKING:
    from collections.abc import Sequence


class UnitKind(StrEnum):
    """Instructions; a person's words; other user-role text; calls with their results; a compaction of ours."""

    SYSTEM = "system"
    TYPED = "typed"
    NOTE = "note"
    TURN = "turn"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Unit:
    """Messages `start` to `end` (exclusive) that stay together, and what they are."""

    start: int
    end: int
    kind: UnitKind


def units_and_cuts(messages: Sequence[Message]) -> tuple[tuple[Unit, ...], tuple[int, ...]]:
    """Return the units, and the places `0..len(messages)` where the history may be cut, ascending; linear."""
    allowed = zip(whole_pairs(messages), whole_batches(messages), strict=True)
    bounds = [i for i, both in enumerate(allowed) if all(both)]
    units = tuple(Unit(a, b, _kind_of(messages[a])) for a, b in pairwise(bounds))
    newest = -1  # compaction block of Anthropic's, which forgets what is before it, our summary included
    for i, message in enumerate(messages):
        opaque = message.of_kind(PartKind.OPAQUE) if message.form is Form.ANTHROPIC else ()
        newest = i if any(part.name == "compaction" for part in opaque) else newest
    leads, follow = thinking_leads(messages), roles_follow(messages)
    return units, tuple(i for i in bounds if i > newest and leads[i] and follow[i])


def _kind_of(message: Message) -> UnitKind:
    if message.role is Role.SYSTEM:
        return UnitKind.SYSTEM
    if message.role is not Role.USER or message.results or message.text.startswith(LOST_CALL):
        return UnitKind.TURN
    if is_context_block(message):
        return UnitKind.CONTEXT
    return UnitKind.TYPED if is_typed(message) else UnitKind.NOTE


def whole_pairs(messages: Sequence[Message]) -> list[bool]:
    """No place between a call and its result (answered calls only; one never answered holds nothing open)."""
    answers = {part.call_id: i for i, message in enumerate(messages) for part in message.results}
    allowed = [True] * (len(messages) + 1)
    until = -1
    for i, message in enumerate(messages):
        allowed[i] = i > until
        until = max(until, *(answers.get(part.call_id, -1) for part in message.calls if part.call_id), -1)
    return allowed


def whole_batches(messages: Sequence[Message]) -> list[bool]:
    """No place inside one answer of the model: assistant messages in a row, or the results that follow in a row."""
    allowed = [True] * (len(messages) + 1)
    for i, (before, here) in enumerate(pairwise(messages), 1):
        if here.role is Role.ASSISTANT and before.role is Role.ASSISTANT:
            allowed[i] = not (before.form is Form.OPENAI_RESPONSES or before.calls or here.calls)
        elif here.results and (before.results or before.role is Role.ASSISTANT):
            allowed[i] = False
    return allowed


def thinking_leads(messages: Sequence[Message]) -> list[bool]:
    """No cut in the newest tool loop after which its signed thinking would not lead: Anthropic refuses such a loop."""
    allowed = [True] * (len(messages) + 1)
    if not messages or messages[0].form is Form.OPENAI_RESPONSES:
        return allowed
    if messages[-1].role is Role.ASSISTANT and not messages[-1].calls:
        return allowed
    start = max((i for i, m in enumerate(messages) if m.role is Role.USER and not m.results), default=-1) + 1
    if any(p.signed for m in messages[start:] for p in m.of_kind(PartKind.THINKING)):
        for i, message in enumerate(messages[start + 1 :], start + 1):
            if message.role is Role.ASSISTANT:
                leading = message.parts[: 1 if message.form is Form.ANTHROPIC else None]  # gateways put it first
                allowed[i] = any(p.kind is PartKind.THINKING and p.signed for p in leading)
    return allowed


def roles_follow(messages: Sequence[Message]) -> list[bool]:
    """The kept part begins with what may follow a summary in the user role: no bare result, no instructions."""
    return [*(not message.results and message.role is not Role.SYSTEM for message in messages), True]
