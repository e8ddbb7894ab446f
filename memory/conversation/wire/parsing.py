"""Messages of any form: read, made, changed, moved to another form. Knows which class speaks which form."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.provenance import named_results
from memory.conversation.wire.anthropic import Anthropic, joined
from memory.conversation.wire.detecting import detect_form
from memory.conversation.wire.fields import plain_message, quoted
from memory.conversation.wire.form import Block, Step
from memory.conversation.wire.openai_chat import OpenAIChat
from memory.conversation.wire.openai_responses import OpenAIResponses
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memory.conversation.messages import Part

_FORMS = {one.form: one for one in (Anthropic(), OpenAIChat(), OpenAIResponses())}
_UNSAFE_IN_ID = "[^A-Za-z0-9_-]"  # documented: Anthropic takes ids of letters, digits, _ and - alone


def parse_message(value: Message | Mapping[str, Any], form: Form, *, index: int | None = None) -> Message:
    """Read one message of a form; a `Message` passes through.

    The value is kept as `raw`, never written to; where it holds objects of an SDK (what has `model_dump`), `raw` is
    what they say, in a dict. `index` is its position, for error messages.

    Raises:
        WireError: names message, field and value, and says what would be right.
    """
    return value if isinstance(value, Message) else _FORMS[form].parse(plain_message(value, index), index)


def parse_messages(
    values: Sequence[Message | Mapping[str, Any]], form: Form | None = None, *, first: int = 0
) -> tuple[Message, ...]:
    """Read a list of messages; results that may hold a person's words are named after the calls they answer.

    Args:
        values: messages of one form: dicts, objects of an SDK, dicts that hold such, or `Message` values.
        form: the form they are written in, None to tell it from them (`detect_form`).
        first: position of the first of them, for error messages.

    Raises:
        WireError: names message, field and value, and says what would be right.
        ForeignMessageError: one of them is no message.
    """
    known = detect_form(values) if form is None else form
    read = [parse_message(value, known, index=index) for index, value in enumerate(values, first)]
    return tuple(named_results(read))


def make_text(form: Form, role: Role, text: str) -> Message:
    """Make a new message of one text.

    Raises:
        WireError: `role` is TOOL; a result is made by `make_result`.
    """
    return parse_message(_FORMS[form].text_value(role, text), form)


def make_result(
    form: Form, call_id: str, text: str, *, name: str | None = None, call: Message | None = None
) -> Message:
    """Make a new message that brings one tool result.

    The Chat form may carry the tool's name; `call`, the message that makes the call, tells the kind of result that the
    form wants (a custom tool's, an older function's).
    """
    raw = call.raw if call is not None and call.form is form else {}
    return parse_message(_FORMS[form].result_value(call_id, text, name, raw), form)


def join_results(form: Form, results: Sequence[Message]) -> tuple[Message, ...]:
    """Put the results of parallel calls together: one user message for Anthropic, a message each for the others.

    Raises:
        WireError: one of the messages is of another form.
    """
    for message in results:
        if message.form is not form:
            raise WireError(f"a result is in form {message.form.value!r}; all should be in {form.value!r}")
    if form is not Form.ANTHROPIC or not results:
        return tuple(results)
    return (parse_message(joined(results), form),)


def replace_parts(message: Message, changes: Mapping[int, Part | None]) -> Message:
    """Copy a message with some parts changed or removed; everything else of `raw` is kept.

    Args:
        message: the message; it is not changed.
        changes: by part number: None removes the part; a part gives a TEXT or unsigned THINKING its text, a
            TOOL_RESULT its text (images in it stay), a TOOL_CALL its arguments. Names and ids stay. A block of a list
            that is MEDIA, OPAQUE or signed THINKING may become a text by a TEXT part.

    Raises:
        WireError: nothing would be left, there is no such part, or the part cannot be rewritten.
    """
    if not changes:
        return message
    for at, new in changes.items():
        if not 0 <= at < len(message.parts):
            raise WireError(f"part {at!r} does not exist; the message has {len(message.parts)} parts")
        old = message.parts[at]
        unread = old.signed or old.kind in {PartKind.MEDIA, PartKind.OPAQUE}
        if new is not None and new.kind is not (PartKind.TEXT if unread else old.kind):
            raise WireError(
                f"part {at} is {old.kind.value!r} and cannot become {new.kind.value!r} {quoted(new.text)}; "
                "it should be kept, removed with None, or given a part of its own kind"
            )
    raw = _FORMS[message.form].replaced(message, changes)
    if raw is None:
        raise WireError("no part would be left of the message; leave the whole message out instead")
    changed = parse_message(raw, message.form)
    return Message(changed.role, changed.parts, changed.form, changed.raw, message.meta)


def convert(messages: Sequence[Message], form: Form) -> list[dict[str, Any]]:
    """Write messages as values of a form, ready for a request.

    Thinking stays behind: a signature is good for the provider that gave it, and thinking as text would teach the model
    to think aloud. Blocks that only their provider understands become their type in brackets.

    Messages all of that form leave as their raw values, the very objects. Otherwise a result stands right behind its
    batch of calls, ids that a form would refuse or that occur twice are renamed in pairs; nothing is invented for calls
    without a result. System messages stay where they are (Anthropic wants the leading ones as the `system` parameter,
    which `write_transcript` does). Linear; texts and media are shared.
    """
    if all(message.form is form for message in messages):
        return [message.raw if isinstance(message.raw, dict) else dict(message.raw) for message in messages]
    return [value for step in _paired(_split(messages)) for value in _FORMS[form].written(step)]


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
