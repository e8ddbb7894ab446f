"""A transcript of any known format read, at once or message by message; the format is told from its content alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from memory.conversation.messages import Form, Message
from memory.conversation.transcripts.formats import SESSION_FORMATS, first_format
from memory.conversation.transcripts.sources import DecodingError, Source, decode, open_source
from memory.conversation.transcripts.values import Findings, Records, Transcript, TranscriptFormat
from memory.conversation.wire import calls_form, detect_form, form_shown, parse_message, quoted
from memory.errors import TranscriptError, UnknownFormatError, WireError

_Recognised = tuple[str, Records]

_LOOKED_AT = 200  # chosen: records before the first that shows its format; agents write at most a few
_LIST_KEYS = ("messages", "input", "output", "contents", "history")
_CLINE, _ANTHROPIC = TranscriptFormat.CLINE, TranscriptFormat.ANTHROPIC
_READ_ALIKE = frozenset({(_CLINE, _ANTHROPIC), (TranscriptFormat.CODEX, TranscriptFormat.OPENAI_RESPONSES)})
"""Formats named by a caller, and what their records may also show: rollouts of older Codex are bare items."""
_WITHOUT_FRAMES = frozenset(TranscriptFormat) - {TranscriptFormat.SWE_AGENT}
"""Formats that are told from the messages of a list, not from what stands around it."""


def read_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Transcript:  # noqa: A002  # the public keyword
    """Read a conversation, its format recognised from its content.

    Args:
        source: a path; "-" for standard input; bytes or a string of JSON; an open stream; parsed JSON; a list of
            `Message`. gzip, byte order marks and UTF-16 are seen through.
        format: the name of a `TranscriptFormat` or of a plug-in's, where it should not be recognised.
        sidechains: Claude Code: the sub-agents' messages too, behind the main conversation.

    Returns:
        The messages and what the file says about them. Lines that could not be read are in `warnings`.

    Raises:
        TranscriptError: there is no such file, or it holds no conversation; names file, line and reason.
        UnknownFormatError: it is JSON, but in no known format.
    """
    if isinstance(source, Transcript):
        return source
    findings = Findings()
    found, messages = _opened(source, findings, format, sidechains=sidechains)
    read = tuple(messages)
    form = read[0].form if read else _form_of(found)
    return Transcript(read, found, form, **{**vars(findings), "warnings": tuple(findings.warnings)})


def iter_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Iterator[Message]:  # noqa: A002  # the public keyword
    """Yield the messages of a conversation one by one, as they are read; else as `read_transcript`."""
    if isinstance(source, Transcript):
        return iter(source)
    return _opened(source, Findings(), format, sidechains=sidechains)[1]


def _opened(
    source: Any, findings: Findings, name: str | None, *, sidechains: bool
) -> tuple[str, Iterator[Message]]:
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
        found, records = _recognise_value(held, findings, known)
    else:
        opened = open_source(source)
        findings.path = opened.path
        found, records = _recognise(opened, findings, known)
    return found, _messages(found, replace(records, sidechains=sidechains))


def _readable(name: str) -> str:
    if name not in tuple(Form) and first_format(lambda agent: agent.name == name) is None:
        shown = ", ".join(repr(str(one)) for one in (*Form, *SESSION_FORMATS))
        raise TranscriptError(f"format {name!r} cannot be read; it should be one of {shown}")
    return name


def _form_of(found: str) -> Form:
    agent = SESSION_FORMATS.get(found)
    return Form(found) if agent is None else agent.form


def _messages(found: str, records: Records) -> Iterator[Message]:
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


def _recognise(source: Source, findings: Findings, known: str | None) -> _Recognised:
    """Tell the format of a source, unless the caller has `known` it, and lay out its records; reads little for that."""
    head = [line for _, line in islice(source.lines(findings.warn), 2)]
    if not head:
        reason = "its gzip stream breaks off before the first line ends"
        raise TranscriptError(reason, path=source.path, line=1)
    if head[0].lstrip()[:1] not in {b"{", b"["}:
        begin = quoted(head[0].strip().decode("utf-8", "replace"))
        reason = f"it is not JSON, it begins with {begin}; it should be {_known()}"
        raise TranscriptError(reason, path=source.path, line=1)
    first = _object(head[0])
    listed = head[0].lstrip()[:1] == b"["
    if first is None and (listed or len(head) == 1 or _object(head[1]) is None):
        return _recognise_value(_whole(source, findings), findings, known)
    if first is not None and len(head) == 1 and not _format_of_record(first):
        return _recognise_value(first, findings, known)
    records = Records(findings, source)
    return _confirmed(known, records) if known is not None else _told(records), records


def _recognise_value(value: Any, findings: Findings, known: str | None) -> _Recognised:
    """Tell the format of parsed JSON and lay out its records; the frame of an API request goes into the findings."""
    items, key = value, None
    if isinstance(value, dict):
        key = next((key for key in _LIST_KEYS if key in value), None)
        if key is None or first_format(lambda one: one.name not in _WITHOUT_FRAMES and one.shows(value)):
            items, key = [value], None
        else:
            items = value[key]
            if key == "input" and isinstance(items, str):
                items = [{"role": "user", "content": items}]
            if not isinstance(items, list):
                reason = f"{key!r} is {quoted(items)}; it should be a list of messages"
                raise TranscriptError(reason, path=findings.path)
            findings.frame = {other: held for other, held in value.items() if other != key}
            findings.list_key = key
            session = value.get("sessionId") or value.get("session_id") or value.get("id")
            findings.note(session, value.get("cwd"))
    elif not isinstance(value, list):
        raise UnknownFormatError(f"it is {quoted(value)}; it should be {_known()}", path=findings.path)
    records = Records(findings, items=items)
    if known is not None:
        return _confirmed(known, records), records
    is_api = key in {"input", "output"}
    return TranscriptFormat.OPENAI_RESPONSES if is_api else _told(records), records


def _confirmed(known: str, records: Records) -> str:
    """Hold the format that the caller named against the records; refuse one whose calls would be lost."""
    other: tuple[int, str] | None = None
    for number, record in records:
        shown: str | None = (found := _format_of_record(record))
        form = calls_form(record) or form_shown(record)
        of_agent = found in SESSION_FORMATS and found != _CLINE
        if not of_agent:
            shown = None if found is None or form is None else TranscriptFormat(form.value)
        if shown == known or (known, shown) in _READ_ALIKE:
            return known
        if other is None and shown is not None and (of_agent or calls_form(record)):
            other = number, shown
    if other is not None:
        reason = f"this is in the format {str(other[1])!r}, not {str(known)!r}"
        raise records.failure(reason, other[0])
    return known


def _object(line: bytes) -> dict[str, Any] | None:
    """Read a line that holds a whole object, None where it does not."""
    try:
        value = decode(line).value
    except DecodingError:
        return None
    return value if isinstance(value, dict) else None


def _whole(source: Source, findings: Findings) -> Any:
    try:
        value, mended = decode(source.data())
    except DecodingError as error:
        raise TranscriptError(str(error), path=source.path, line=error.line or 1) from None
    if mended:
        findings.warn(mended)
    return value


def _told(records: Records) -> str:
    """Tell the format from the first records; those of the APIs, which one message does not always show, from all."""
    first: dict[str, Any] = {}
    for _, record in islice(records, _LOOKED_AT):
        found = _format_of_record(record)
        if found is not None and found != _CLINE and found in SESSION_FORMATS:
            return found
        if found is not None:
            form = detect_form(value for _, value in records)
            return _CLINE if found == _CLINE and form is Form.ANTHROPIC else TranscriptFormat(form.value)
        if records.source is not None and isinstance(record.get("messages"), list):
            reason = "every line is a conversation of its own; it should be one, a message a line"
            raise UnknownFormatError(reason, path=records.findings.path)
        first = first or record
    if records.source is None and not records.items:
        return _ANTHROPIC
    shown = f"an object with {', '.join(map(repr, islice(first, 6)))}" if first else quoted(first)
    raise UnknownFormatError(f"it holds {shown}; it should be {_known()}", path=records.findings.path)


def _format_of_record(record: Mapping[str, Any]) -> str | None:
    """Tell the format from one record; for a message of an API some format of those, None for nothing known."""
    if agent := first_format(lambda one: one.shows(record)):
        return agent.name
    if "role" in record:
        return _ANTHROPIC
    kind = record.get("type")
    paired = isinstance(kind, str) and kind.endswith(("_call", "_output"))
    known = paired or kind in ("message", "reasoning", "compaction")
    return TranscriptFormat.OPENAI_RESPONSES if known else None


def _known() -> str:
    agents = ", ".join(agent.title for agent in SESSION_FORMATS.values())
    return f"Anthropic Messages, OpenAI Chat or Responses, or a session of {agents}"
