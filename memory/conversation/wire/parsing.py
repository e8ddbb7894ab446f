"""Messages of any form: read, made, changed. The one place that knows which class speaks which form."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.provenance import named_results
from memory.conversation.wire.anthropic import Anthropic, joined
from memory.conversation.wire.detecting import detect_form
from memory.conversation.wire.fields import plain_message, quoted
from memory.conversation.wire.openai_chat import OpenAIChat
from memory.conversation.wire.openai_responses import OpenAIResponses
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation.messages import Part

WIRE_FORMS = MappingProxyType({one.form: one for one in (Anthropic(), OpenAIChat(), OpenAIResponses())})


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
    return value if isinstance(value, Message) else WIRE_FORMS[form].parse(plain_message(value, index), index)


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
    known = detect_form(values) if form is None else form
    read = [parse_message(value, known, index=index) for index, value in enumerate(values, first)]
    return tuple(named_results(read))


def make_text(form: Form, role: Role, text: str) -> Message:
    """Make a new message of one text.

    Raises:
        WireError: `role` is TOOL; a result is made by `make_result`.
    """
    return parse_message(WIRE_FORMS[form].text_value(role, text), form)


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
    return parse_message(WIRE_FORMS[form].result_value(call_id, text, name, raw), form)


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
    return (parse_message(joined(results), form),)


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
        unread = old.signed or old.kind in {PartKind.MEDIA, PartKind.OPAQUE}
        if new is not None and new.kind is not (PartKind.TEXT if unread else old.kind):
            raise WireError(
                f"part {at} is {old.kind.value!r} and cannot become {new.kind.value!r} {quoted(new.text)}; "
                "it should be kept, removed with None, or given a part of its own kind"
            )
    raw = WIRE_FORMS[message.form].replaced(message, changes)
    if raw is None:
        raise WireError("no part would be left of the message; leave the whole message out instead")
    changed = parse_message(raw, message.form)
    return Message(changed.role, changed.parts, changed.form, changed.raw, message.meta)
