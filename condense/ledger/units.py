"""Units of a conversation, and where it may be cut: a call and its results never part.

Legal cut points are a property of the list, the intersection of small rules, each testable alone (the design of the
OpenHands SDK's view properties).  A cut at `i` means that `messages[i:]` is kept behind a summary in the user role.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from condense.reading import is_context_block
from memory.conversation import LOST_CALL, Form, Message, PartKind, Role, is_typed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class UnitKind(StrEnum):
    """What a unit is."""

    SYSTEM = "system"
    TYPED = "typed"
    NOTE = "note"
    TURN = "turn"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Unit:
    """Messages `start` to `end` (exclusive) that stay together.

    Attributes:
        start, end: indexes into the history.
        kind: SYSTEM (instructions), TYPED (a person's words), NOTE (other user-role text: reminders, agent summaries),
            TURN (assistant messages with the results of their calls), CONTEXT (an earlier compaction of ours).
    """

    start: int
    end: int
    kind: UnitKind


def group_units(messages: Sequence[Message]) -> tuple[Unit, ...]:
    """Cut a history into units at every place where pairs and batches allow it; linear."""
    return units_and_cuts(messages)[0]


def _kind_of(message: Message) -> UnitKind:
    if message.role is Role.SYSTEM:
        return UnitKind.SYSTEM
    if message.role is not Role.USER or message.results or message.text.startswith(LOST_CALL):
        return UnitKind.TURN
    if is_context_block(message):
        return UnitKind.CONTEXT
    return UnitKind.TYPED if is_typed(message) else UnitKind.NOTE


def cut_points(messages: Sequence[Message]) -> tuple[int, ...]:
    """Places `0..len(messages)` where the history may be cut, ascending; linear."""
    return units_and_cuts(messages)[1]


def units_and_cuts(messages: Sequence[Message]) -> tuple[tuple[Unit, ...], tuple[int, ...]]:
    """Return `group_units` and `cut_points` of a history, which share most of their work."""
    bounds = [i for i, ok in enumerate(_all_of(messages, UNIT_RULES)) if ok]
    units = tuple(Unit(a, b, _kind_of(messages[a])) for a, b in pairwise(bounds))
    more = _all_of(messages, TAIL_RULES)
    return units, tuple(i for i in bounds if more[i])


def whole_pairs(messages: Sequence[Message]) -> list[bool]:
    """No place between a call and its result (answered calls only; one never answered holds nothing open)."""
    last_answer: dict[str, int] = {}
    for i, message in enumerate(messages):
        for part in message.results:
            if part.call_id is not None:
                last_answer[part.call_id] = i
    allowed = [True] * (len(messages) + 1)
    until = -1
    for i, message in enumerate(messages):
        if i <= until:
            allowed[i] = False
        for part in message.calls:
            until = max(until, last_answer.get(part.call_id or "", -1))
    return allowed


def whole_batches(messages: Sequence[Message]) -> list[bool]:
    """No place inside one answer of the model: assistant messages in a row, or the results that follow in a row."""
    allowed = [True] * (len(messages) + 1)
    for i in range(1, len(messages)):
        before, here = messages[i - 1], messages[i]
        if here.role is Role.ASSISTANT and before.role is Role.ASSISTANT:
            allowed[i] = not (before.form is Form.OPENAI_RESPONSES or before.calls or here.calls)
        elif here.results and (before.results or before.role is Role.ASSISTANT):
            allowed[i] = False
    return allowed


def thinking_leads(messages: Sequence[Message]) -> list[bool]:
    """In the newest tool loop no place where the kept part would begin without the loop's signed thinking.

    Anthropic, given signed thinking in a running tool loop, refuses a loop that begins without it ("expected
    thinking, found tool_use"); in finished loops it ignores thinking, so those may be cut.  In the Responses form a
    reasoning item only has to stay with the item it led to, which `whole_batches` sees to.  A loop that ended in an
    answer is finished.
    """
    allowed = [True] * (len(messages) + 1)
    if messages and messages[-1].role is Role.ASSISTANT and not messages[-1].calls:
        return allowed
    start = _newest_loop(messages)
    loop = range(start, len(messages))
    anthropic = bool(messages) and messages[0].form is Form.ANTHROPIC
    if anthropic and any(p.signed for i in loop for p in messages[i].of_kind(PartKind.THINKING)):
        for i in loop:
            message = messages[i]
            if message.role is Role.ASSISTANT and i > start:
                first = message.parts[0] if message.parts else None
                allowed[i] = first is not None and first.kind is PartKind.THINKING and first.signed
    return allowed


def _newest_loop(messages: Sequence[Message]) -> int:
    for i in range(len(messages) - 1, -1, -1):
        message = messages[i]
        if message.role is Role.USER and not message.results:
            return i + 1
    return 0


def roles_follow(messages: Sequence[Message]) -> list[bool]:
    """The kept part begins with what may follow a summary in the user role: no bare result, no instructions."""
    return [*(not message.results and message.role is not Role.SYSTEM for message in messages), True]


def behind_compaction(messages: Sequence[Message]) -> list[bool]:
    """The kept part begins behind the newest compaction block: Anthropic forgets what is before it, ours included."""
    newest = max(
        (
            i
            for i, m in enumerate(messages)
            if any(p.name == "compaction" for p in m.of_kind(PartKind.OPAQUE))
        ),
        default=-1,
    )
    return [i > newest or m.form is not Form.ANTHROPIC for i, m in enumerate(messages)] + [True]


UNIT_RULES: tuple[Callable[[Sequence[Message]], list[bool]], ...] = (whole_pairs, whole_batches)
"""Where units end."""
TAIL_RULES: tuple[Callable[[Sequence[Message]], list[bool]], ...] = (
    thinking_leads,
    roles_follow,
    behind_compaction,
)
"""Where, besides, a kept part may begin."""


def _all_of(
    messages: Sequence[Message], rules: Sequence[Callable[[Sequence[Message]], list[bool]]]
) -> list[bool]:
    return list(map(all, zip(*(rule(messages) for rule in rules), strict=True)))
