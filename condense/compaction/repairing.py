"""Mend a history that a provider would refuse: nothing is lost, what is added says what it is.

A call without a result gets one that says so; a result without a call becomes text; answers split over messages are
joined, results first; empty messages go.  A valid history comes back as the very list it was; a mended message knows
what it was mended from (`Message.original`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile, islice, takewhile
from typing import TYPE_CHECKING

from condense.compaction.validity import ids_of, is_blank, is_reasoning, results_lead, violations
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
    from collections.abc import Collection, Sequence

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
