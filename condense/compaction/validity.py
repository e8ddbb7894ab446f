"""What a provider would answer with HTTP 400, found before it is sent, and mended.

Does every call have its result where the form wants it, and does no result stand alone?  Mended, nothing is lost, and
what is added says what it is: a call without a result gets one that says so; a result without a call becomes text;
answers split over messages are joined, results first; empty messages go.  A valid history comes back as the very list
it was; a mended message knows what it was mended from (`Message.original`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import dropwhile, islice, takewhile
from typing import TYPE_CHECKING

from memory.conversation import (
    LOST_CALL,
    Form,
    Message,
    Part,
    PartKind,
    Role,
    join_results,
    make_result,
    make_text,
    replace_parts,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


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


NO_RESULT = "[no result of this call was recorded]"
NO_BEGINNING = "[the conversation begins here]"


def repair(messages: Sequence[Message]) -> tuple[Sequence[Message], tuple[str, ...]]:
    """Mend what `violations` finds; return the history and one note a change.

    The input itself comes back where nothing was wrong, or where nothing can be mended (no message at all).
    """
    found = violations(messages)
    if not found or any(v.rule == "empty-list" for v in found):
        return messages, ()
    notes = [f"{v.rule} at {v.index}: {v.detail}" for v in found]
    body = [m for m in messages if not is_blank(m) or m.role is Role.SYSTEM]
    if body and body[0].form is Form.OPENAI_RESPONSES:
        return _mend_items(body), tuple(notes)
    mended = _mend_turns(body)
    first = next((i for i, m in enumerate(mended) if m.role is not Role.SYSTEM), 0)
    if mended and mended[first].form is Form.ANTHROPIC and mended[first].role is not Role.USER:
        mended.insert(first, make_text(Form.ANTHROPIC, Role.USER, NO_BEGINNING))
    return mended, tuple(notes)


def _mend_turns(messages: Sequence[Message]) -> list[Message]:
    """Anthropic and Chat: answer every call right after it, and only there."""
    out: list[Message] = []
    i = 0
    while i < len(messages):
        message = messages[i]
        i += 1
        if message.role is not Role.ASSISTANT or not message.calls:
            out += _sorted_out(message, ())
            continue
        wanted = {p.call_id or "" for p in message.calls}
        anthropic = message.form is Form.ANTHROPIC
        while (
            anthropic
            and i < len(messages)
            and messages[i].role is Role.ASSISTANT
            and wanted & _results_ahead(messages, i + 1)
        ):
            message = _joined([message, messages[i]], [message, messages[i]])
            wanted |= {p.call_id or "" for p in messages[i].calls}
            i += 1
        answers: list[Message] = []
        missing = set(wanted)
        while i < len(messages) and missing & set(ids_of(messages[i])):
            answers += _sorted_out(messages[i], missing)
            missing.difference_update(ids_of(messages[i]))
            i += 1
            if not anthropic and not missing:
                break
        made = [_no_result(message.form, p) for p in message.calls if (p.call_id or "") in missing]
        out.append(message)
        if not anthropic:
            out += [*answers, *made]
        elif not made and len(answers) == 1 and results_lead(answers[0]):
            out += answers
        else:  # all results in one user message; text that follows them joins it where results had to be made
            if made and not answers and i < len(messages) and messages[i].role is Role.USER:
                answers += _sorted_out(messages[i], ())
                i += 1
            out.append(_joined([*made, *answers], answers))
    return out


def _no_result(form: Form, call: Part) -> Message:
    return make_result(form, call.call_id or "", NO_RESULT, name=call.name)


def _joined(messages: Sequence[Message], came: Sequence[Message]) -> Message:
    return _mended(join_results(Form.ANTHROPIC, messages)[0], came)


def _mended(message: Message, came: Sequence[Message]) -> Message:
    raws = {id(raw): raw for m in came for raw in m.meta.mended_from or (m.raw,)}
    meta = came[0].meta if came else message.meta
    return replace(message, meta=replace(meta, mended_from=tuple(raws.values())))


def _results_ahead(messages: Sequence[Message], i: int) -> set[str]:
    after = dropwhile(lambda m: m.role is Role.ASSISTANT, islice(messages, i, None))
    return {call_id for m in takewhile(lambda m: bool(m.results), after) for call_id in ids_of(m)}


def _sorted_out(message: Message, wanted: Collection[str]) -> list[Message]:
    """Keep the results that are wanted, once each; others become text."""
    left, lost = set(wanted), []
    for k, part in enumerate(message.parts):
        if part.kind is PartKind.TOOL_RESULT:
            if (part.call_id or "") not in left:
                lost.append(k)
            left.discard(part.call_id or "")
    if not lost:
        return [message]
    texts = [f"{LOST_CALL}\n{message.parts[k].text}" for k in lost]
    text = make_text(message.form, Role.USER, "\n".join(texts))
    if len(lost) == len(message.parts):
        return [_mended(text, [message])]
    kept = replace_parts(message, dict.fromkeys(lost))
    if kept.results:
        return [_joined([kept, text], [message])]
    return [_mended(text, [message]), _mended(kept, [message])]


def _mend_items(messages: Sequence[Message]) -> list[Message]:
    """Responses: outputs after their calls, none alone; reasoning without its item goes."""
    called: set[str] = set()
    answered = {p.call_id or "": i for i, m in enumerate(messages) for p in m.results}
    out: list[Message] = []
    for i, message in enumerate(messages):
        if message.results and not called.issuperset(ids_of(message)):
            out += _sorted_out(message, ())
            continue
        follower = messages[i + 1] if i + 1 < len(messages) else None
        if is_reasoning(message) and (follower is None or follower.role is not Role.ASSISTANT):
            continue
        out.append(message)
        for part in message.calls:
            called.add(part.call_id or "")
            if answered.get(part.call_id or "", -1) < i:  # none, or only before it
                out.append(_no_result(message.form, part))
    return out
