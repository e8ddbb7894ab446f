"""A transcript of any known format read, at once or message by message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.transcripts.formats import SESSION_FORMATS
from memory.conversation.transcripts.recognising import recognise, recognise_value
from memory.conversation.transcripts.sources import open_source
from memory.conversation.transcripts.values import Findings, Transcript, TranscriptFormat
from memory.conversation.wire import calls_form, parse_message, quoted
from memory.errors import TranscriptError, WireError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation.transcripts.records import Records


def read_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Transcript:  # noqa: A002  # the public keyword
    """Read a conversation, its format recognised from its content.

    Args:
        source: a path; "-" for standard input; bytes or a string of JSON; an open stream; parsed JSON; a list of
            `Message`. gzip, byte order marks and UTF-16 are seen through.
        format: the name of a `TranscriptFormat`, where it should not be recognised.
        sidechains: Claude Code: the sub-agents' messages too, behind the main conversation.

    Returns:
        The messages and what the file says about them. Lines that could not be read are in `warnings`.

    Raises:
        TranscriptError: there is no such file, or it holds no conversation; names file, line and reason.
        UnknownFormatError: it is JSON, but in no known format.

    Cost: about 10 ms a megabyte; JSON-lines files are read a line at a time, so that memory goes to the messages alone.
    """
    if isinstance(source, Transcript):
        return source
    findings = Findings()
    found, messages = _opened(source, findings, format, sidechains=sidechains)
    read = tuple(messages)
    form = read[0].form if read else _form_of(found)
    return Transcript(read, found, form, **{**vars(findings), "warnings": tuple(findings.warnings)})


def iter_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Iterator[Message]:  # noqa: A002  # the public keyword
    """Yield the messages of a conversation one by one; for arguments and errors see `read_transcript`.

    Of a JSON-lines file no more is kept than the message at hand (and, for Claude Code, an index of the lines).
    """
    if isinstance(source, Transcript):
        return iter(source)
    return _opened(source, Findings(), format, sidechains=sidechains)[1]


def _opened(
    source: Any, findings: Findings, name: str | None, *, sidechains: bool
) -> tuple[TranscriptFormat, Iterator[Message]]:
    known = None if name is None else _readable(name)
    listed = isinstance(source, Sequence) and not isinstance(source, (str, bytes, bytearray, memoryview))
    if listed and any(isinstance(value, Message) for value in source):
        for number, value in enumerate(source):
            if not isinstance(value, Message):
                reason = f"item {number} is {quoted(value)}; it should be a Message as others are"
                raise TranscriptError(reason)
        return known or TranscriptFormat(source[0].form.value), iter(source)
    if listed or isinstance(source, Mapping):
        held = list(source) if listed else dict(source)
        found, records = recognise_value(held, findings, known)
    else:
        opened = open_source(source)
        findings.path = opened.path
        found, records = recognise(opened, findings, known)
    return found, _messages(found, replace(records, sidechains=sidechains))


def _readable(name: str) -> TranscriptFormat:
    readable = [one for one in TranscriptFormat if one is not TranscriptFormat.MARKDOWN]
    if name not in readable:
        shown = ", ".join(repr(one.value) for one in readable)
        raise TranscriptError(f"format {name!r} cannot be read; it should be one of {shown}")
    return TranscriptFormat(name)


def _form_of(found: TranscriptFormat) -> Form:
    agent = SESSION_FORMATS.get(found)
    return Form(found.value) if agent is None else agent.form


def _messages(found: TranscriptFormat, records: Records) -> Iterator[Message]:
    """Yield the messages of a format: an agent's as far as they fit the form, an API's as they stand."""
    agent, form = SESSION_FORMATS.get(found), _form_of(found)
    values = ((number, value, None) for number, value in records) if agent is None else agent.read(records)
    nothing = True
    for number, value, meta in values:
        try:
            message = parse_message(value, form)
        except WireError as error:
            if agent is None:
                raise records.failure(str(error), number) from error
            records.warn(f"{error}; left out", number)
            continue
        made = calls_form(value)
        if made is not None and made is not form and not (message.calls or message.results):
            reason = f"a call or result as {made.value!r} has it among messages of {form.value!r}; not read"
            records.warn(reason, number)
        nothing = False
        yield message if meta is None else replace(message, meta=meta)
    if nothing and (records.source is not None or records.items):
        reason = "it holds no message that a model or a person wrote"
        raise TranscriptError(reason, path=records.findings.path)
