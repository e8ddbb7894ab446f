"""Messages of any form: read, made, changed. The one place that knows which module speaks which form."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.provenance import named_results
from memory.conversation.wire import anthropic, openai_chat, openai_responses
from memory.conversation.wire.detecting import detect_form
from memory.conversation.wire.fields import plain_message, quoted
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.conversation.messages import Part

_MODULES = MappingProxyType(
    {Form.ANTHROPIC: anthropic, Form.OPENAI_CHAT: openai_chat, Form.OPENAI_RESPONSES: openai_responses}
)
_ANTHROPIC = Form.ANTHROPIC
"""A member of an enumeration costs ten times what a name does, to look it up by one even more."""


def parse_message(value: Message | Mapping[str, Any], form: Form, *, index: int | None = None) -> Message:
    """Read one message of a form; a `Message` passes through. Some microseconds, whatever its length.

    Args:
        value: the message; kept as `raw`, never written to. Where it holds objects of an SDK (what has `model_dump`),
            `raw` is what they say, in a dict.
        form: the form it is written in.
        index: its position, for the error message.

    Raises:
        WireError: names message, field and value, and says what would be right.
    """
    if isinstance(value, Message):
        return value
    message: Message = _MODULES[form].parse(plain_message(value, index), index)
    return message


def parse_messages(
    values: Sequence[Message | Mapping[str, Any]], form: Form | None = None, *, first: int = 0
) -> tuple[Message, ...]:
    """Read a list of messages; results that may hold a person's words are named after the calls they answer.

    Args:
        values: messages of one form: dicts, objects of an SDK, dicts with such objects in them; `Message` values pass
            through.
        form: the form they are written in, None to tell it from them (`detect_form`).
        first: position of the first of them, for error messages.

    Raises:
        WireError: names message, field and value, and says what would be right.
        ForeignMessageError: one of them is no message.
    """
    if form is None:
        form = detect_form(values)
    parse = anthropic.parse if form is _ANTHROPIC else _MODULES[form].parse
    messages = [
        value if isinstance(value, Message) else parse(plain_message(value, index), index)
        for index, value in enumerate(values, first)
    ]
    return tuple(named_results(messages))


def make_text(form: Form, role: Role, text: str) -> Message:
    """Make a new message of one text.

    Raises:
        WireError: `role` is TOOL; a result is made by `make_result`.
    """
    return parse_message(_MODULES[form].text_value(role, text), form)


def make_result(
    form: Form, call_id: str, text: str, *, name: str | None = None, call: Message | None = None
) -> Message:
    """Make a new message that brings one tool result.

    Args:
        form: the form to write it in.
        call_id: the id of the call it answers.
        text: what the tool gave back.
        name: the tool's name, which the Chat form may carry.
        call: the message that makes the call, where it is at hand: it tells the kind of result the form wants
            (a custom tool's, an older function's).
    """
    raw = call.raw if call is not None and call.form is form else None
    if form is Form.ANTHROPIC:
        value = anthropic.result_value(call_id, text)
    elif form is Form.OPENAI_CHAT:
        value = openai_chat.result_value(call_id, text, raw)
        if name is not None:
            value = {**value, "name": name}
    else:
        value = openai_responses.result_value(call_id, text, raw)
    return parse_message(value, form)


def join_results(form: Form, results: Sequence[Message]) -> tuple[Message, ...]:
    """Put the results of one batch of parallel calls together as the form wants them.

    Anthropic: one user message, tool results first; the other forms: a message each, as given.

    Raises:
        WireError: one of the messages is of another form.
    """
    for message in results:
        if message.form is not form:
            raise WireError(f"a result is in form {message.form.value!r}; all should be in {form.value!r}")
    if form is not Form.ANTHROPIC or not results:
        return tuple(results)
    return (parse_message(anthropic.joined(results), form),)


def replace_parts(message: Message, changes: Mapping[int, Part | None]) -> Message:
    """Copy a message with some parts changed or removed; everything else of `raw` is kept.

    Args:
        message: the message; it is not changed.
        changes: by part number: None removes the part; a part gives a TEXT or unsigned THINKING its text, a
            TOOL_RESULT its text (images in it stay), a TOOL_CALL its arguments. Names and ids stay as they
            are. A block of a list that is MEDIA, OPAQUE or signed THINKING may become a text by a TEXT part.

    Raises:
        WireError: nothing would be left, there is no such part, or the part cannot be rewritten.
    """
    if not changes:
        return message
    for at, new in changes.items():
        if not 0 <= at < len(message.parts):
            raise WireError(f"part {at!r} does not exist; the message has {len(message.parts)} parts")
        old = message.parts[at]
        if new is not None and not _may_become(old, new):
            raise WireError(
                f"part {at} is {old.kind.value!r} and cannot become {new.kind.value!r} {quoted(new.text)}; "
                "it should be kept, removed with None, or given a part of its own kind"
            )
    raw = _MODULES[message.form].replaced(message, changes)
    if raw is None:
        raise WireError("no part would be left of the message; leave the whole message out instead")
    changed = _MODULES[message.form].parse(raw)
    return Message(changed.role, changed.parts, changed.form, changed.raw, message.meta)


def _may_become(old: Part, new: Part) -> bool:
    if old.kind is PartKind.THINKING and old.signed:
        return new.kind is PartKind.TEXT
    if old.kind in {PartKind.MEDIA, PartKind.OPAQUE}:
        return new.kind is PartKind.TEXT
    return new.kind is old.kind


def raw_values(messages: Iterable[Message]) -> list[Mapping[str, Any]]:
    """Return the raw values of messages, the very objects they were read from."""
    return [message.raw for message in messages]
