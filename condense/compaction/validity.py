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
    """One breach of the protocol.

    Attributes:
        index: the message it shows at; -1 for the list as a whole.
        rule: "empty-list", "first-role", "empty-message", "unanswered-call", "orphan-result", "late-result",
            "alone-reasoning".
        detail: what exactly, quoting ids.
    """

    index: int
    rule: str
    detail: str


def violations(messages: Sequence[Message]) -> tuple[Violation, ...]:
    """Find all breaches, in order; linear.  System messages are passed over."""
    body = [(i, m) for i, m in enumerate(messages) if m.role is not Role.SYSTEM]
    if not body:
        return (Violation(-1, "empty-list", "no message but system ones; at least one is needed"),)
    if body[0][1].form is Form.OPENAI_RESPONSES:
        return tuple(_anywhere_later(body))
    return tuple(_directly_after(body))


def _directly_after(body: Sequence[tuple[int, Message]]) -> Iterator[Violation]:
    """Anthropic and Chat: the results come next, all of them and no others."""
    anthropic = body[0][1].form is Form.ANTHROPIC
    if anthropic and body[0][1].role is not Role.USER:
        yield Violation(
            body[0][0], "first-role", f"{body[0][1].role.value!r}; the first message must be the user's"
        )
    waiting: set[str] = set()
    for i, message in body:
        if is_blank(message):
            yield Violation(i, "empty-message", "no content")
        got = [p.call_id or "" for p in message.results]
        if anthropic:
            if waiting and set(got) != waiting:
                yield from _unmatched(i, waiting, got)
            elif not waiting and got:
                yield Violation(i, "orphan-result", f"results {got} answer no call")
            if got and not results_lead(message):
                yield Violation(i, "late-result", "tool results must stand before all else in their message")
            waiting = set()
        else:
            for call_id in got:
                if call_id not in waiting:
                    yield Violation(i, "orphan-result", f"result {call_id!r} answers no call before it")
                waiting.discard(call_id)
            if waiting and message.role is not Role.TOOL:
                yield Violation(
                    i, "unanswered-call", f"calls {sorted(waiting)} have no result before this message"
                )
                waiting = set()
        waiting |= {p.call_id or "" for p in message.calls} if message.role is Role.ASSISTANT else set()
    if waiting:
        yield Violation(body[-1][0], "unanswered-call", f"calls {sorted(waiting)} at the end have no result")


def _unmatched(i: int, waiting: set[str], got: Sequence[str]) -> Iterator[Violation]:
    missing, extra = sorted(waiting - set(got)), sorted(set(got) - waiting)
    if missing:
        yield Violation(i, "unanswered-call", f"calls {missing} are not answered by this message")
    if extra:
        yield Violation(i, "orphan-result", f"results {extra} answer no call of the message before")


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
            elif part.kind is PartKind.TOOL_RESULT:
                if call_id not in waiting:
                    detail = "is answered already" if call_id in seen else "answers no call before it"
                    yield Violation(i, "orphan-result", f"output {call_id!r} {detail}")
                waiting.pop(call_id, None)
        if is_reasoning(message):
            after = body[place + 1][1] if place + 1 < len(body) else None
            if after is None or after.role is not Role.ASSISTANT:
                yield Violation(
                    i, "alone-reasoning", "a reasoning item must be followed by the item it led to"
                )
    for call_id, i in waiting.items():
        yield Violation(i, "unanswered-call", f"call {call_id!r} has no output")


def results_lead(message: Message) -> bool:
    """Say whether the results of a message stand before all else in it."""
    other = False
    for part in message.parts:
        if part.kind is not PartKind.TOOL_RESULT:
            other = True
        elif other:
            return False
    return True


def is_reasoning(message: Message) -> bool:
    """Say whether a message is thinking and nothing else."""
    return bool(message.parts) and all(p.kind is PartKind.THINKING for p in message.parts)


def is_blank(message: Message) -> bool:
    """Say whether a message has no content that a provider accepts."""
    return all(p.kind is PartKind.TEXT and not p.text.strip() for p in message.parts)
