"""Messages as an API takes them, in a list or one a line; Cline and Roo keep theirs so, with a time on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.conversation.wire import calls_form, detect_form, parse_message
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation.messages import Form, Message
    from memory.conversation.transcripts.records import Records


def read(records: Records, form: Form | None = None) -> Iterator[Message]:
    """Yield the messages as they stand.

    Args:
        records: the messages.
        form: the form they are written in, None to tell it from them.

    A call or result in the way of another form is carried as it is, with a warning.

    Raises:
        TranscriptError: a message does not fit its form; names line and field.
    """
    if form is None:
        form = detect_form(value for _, value in records)
    for number, value in records:
        try:
            message = parse_message(value, form)
        except WireError as error:
            raise records.failure(str(error), number) from error
        made = calls_form(value)
        if made is not None and made is not form and not (message.calls or message.results):
            records.warn(
                f"a call or result as {made.value!r} has it among messages of {form.value!r}; not read",
                number,
            )
        yield message
