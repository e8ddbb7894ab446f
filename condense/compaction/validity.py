"""What a provider would answer with HTTP 400, found before it is sent.

Three protocols, one question: does every call have its result where the form wants it, and does no result stand alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.conversation import Form, Message, PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of the protocol: the message it shows at (-1: the list as a whole), the rule, and what exactly."""

    index: int
    rule: str
    detail: str


def violations(messages: Sequence[Message]) -> tuple[Violation, ...]:
    """Find all breaches, in order; linear.  System messages are passed over."""
    body = [(i, m) for i, m in enumerate(messages) if m.role is not Role.SYSTEM]
    if not body:
        return (Violation(-1, "empty-list", "no message but system ones; at least one is needed"),)
    find = {Form.OPENAI_RESPONSES: _anywhere_later, Form.ANTHROPIC: _in_the_next}
    return tuple(find.get(body[0][1].form, _directly_after)(body))


def ids_of(message: Message) -> list[str]:
    """The ids of the calls that the results of a message answer."""
    return [part.call_id or "" for part in message.results]


def _in_the_next(body: Sequence[tuple[int, Message]]) -> Iterator[Violation]:
    """Anthropic: the next message holds the results of all calls and no others, before all else."""
    first, message = body[0]
    if message.role is not Role.USER:
        yield Violation(first, "first-role", f"{message.role.value!r}; the first message must be the user's")
    waiting: set[str] = set()
    for i, message in body:
        if is_blank(message):
            yield Violation(i, "empty-message", "no content")
        got = ids_of(message)
        if missing := sorted(waiting.difference(got)):
            yield Violation(i, "unanswered-call", f"calls {missing} are not answered by this message")
        if extra := sorted(set(got) - waiting):
            yield Violation(i, "orphan-result", f"results {extra} answer no call of the message before")
        if got and not results_lead(message):
            yield Violation(i, "late-result", "tool results must stand before all else in their message")
        waiting = _calls(message)
    if waiting:
        yield Violation(body[-1][0], "unanswered-call", f"calls {sorted(waiting)} at the end have no result")


def _directly_after(body: Sequence[tuple[int, Message]]) -> Iterator[Violation]:
    """Chat: the results come next, all of them and no others, a message each."""
    waiting: set[str] = set()
    for i, message in body:
        if is_blank(message):
            yield Violation(i, "empty-message", "no content")
        for call_id in ids_of(message):
            if call_id not in waiting:
                yield Violation(i, "orphan-result", f"result {call_id!r} answers no call before it")
            waiting.discard(call_id)
        if waiting and message.role is not Role.TOOL:
            detail = f"calls {sorted(waiting)} have no result before this message"
            yield Violation(i, "unanswered-call", detail)
            waiting = set()
        waiting |= _calls(message)
    if waiting:
        yield Violation(body[-1][0], "unanswered-call", f"calls {sorted(waiting)} at the end have no result")


def _calls(message: Message) -> set[str]:
    return {p.call_id or "" for p in message.calls} if message.role is Role.ASSISTANT else set()


def _anywhere_later(body: Sequence[tuple[int, Message]]) -> Iterator[Violation]:
    """Responses: every call has an output after it, every output a call before it, no reasoning without its item."""
    waiting: dict[str, int] = {}
    seen: set[str] = set()
    for place, (i, message) in enumerate(body):
        for part in message.parts:
            call_id = part.call_id or ""
            if part.kind is PartKind.TOOL_CALL:
                waiting[call_id] = i
                seen.add(call_id)
            elif part.kind is PartKind.TOOL_RESULT and waiting.pop(call_id, None) is None:
                detail = "is answered already" if call_id in seen else "answers no call before it"
                yield Violation(i, "orphan-result", f"output {call_id!r} {detail}")
        follower = body[place + 1][1] if place + 1 < len(body) else None
        if is_reasoning(message) and (follower is None or follower.role is not Role.ASSISTANT):
            yield Violation(i, "alone-reasoning", "a reasoning item must be followed by the item it led to")
    for call_id, i in waiting.items():
        yield Violation(i, "unanswered-call", f"call {call_id!r} has no output")


def results_lead(message: Message) -> bool:
    """Say whether the results of a message stand before all else in it."""
    return all(part.kind is PartKind.TOOL_RESULT for part in message.parts[: len(message.results)])


def is_reasoning(message: Message) -> bool:
    """Say whether a message is thinking and nothing else."""
    return bool(message.parts) and all(p.kind is PartKind.THINKING for p in message.parts)


def is_blank(message: Message) -> bool:
    """Say whether a message has no content that a provider accepts."""
    return all(p.kind is PartKind.TEXT and not p.text.strip() for p in message.parts)
