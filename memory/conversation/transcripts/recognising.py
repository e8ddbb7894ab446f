"""Which format a transcript is in, told from its content alone."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form
from memory.conversation.transcripts.decoding import DecodingError, decode
from memory.conversation.transcripts.records import Records
from memory.conversation.transcripts.values import TranscriptFormat
from memory.conversation.wire import calls_form, detect_form, form_shown, quoted
from memory.errors import TranscriptError, UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.conversation.transcripts.sources import Source
    from memory.conversation.transcripts.values import Findings

_LOOKED_AT = 200  # chosen: records before the first that shows its format; agents write at most a few
_KNOWN = (
    "Anthropic Messages, OpenAI Chat or Responses, a session of Claude Code, Codex, Cline or Roo, Gemini CLI or "
    "OpenHands, or a SWE-agent trajectory"
)
_CLAUDE_CODE_TYPES = frozenset(
    {"summary", "file-history-snapshot", "queue-operation", "permission-mode", "last-prompt"}
)
_GEMINI_TYPES = frozenset({"gemini", "info", "error", "warning"})
_LIST_KEYS = ("messages", "input", "output", "contents", "history")
_OF_FORM = {
    Form.ANTHROPIC: TranscriptFormat.ANTHROPIC,
    Form.OPENAI_CHAT: TranscriptFormat.OPENAI_CHAT,
    Form.OPENAI_RESPONSES: TranscriptFormat.OPENAI_RESPONSES,
}

_OF_AGENTS = frozenset(
    {
        TranscriptFormat.CLAUDE_CODE,
        TranscriptFormat.CODEX,
        TranscriptFormat.OPENHANDS,
        TranscriptFormat.GEMINI,
    }
)
_READ_ALIKE = frozenset(
    {
        (TranscriptFormat.CLINE, TranscriptFormat.ANTHROPIC),
        (TranscriptFormat.CODEX, TranscriptFormat.OPENAI_RESPONSES),
    }
)
"""Formats named by a caller, and what their records may also show: rollouts of older Codex are bare items."""


def recognise(
    source: Source, findings: Findings, known: TranscriptFormat | None
) -> tuple[TranscriptFormat, Records]:
    """Tell the format of a source and lay out its records; reads as little as shows it.

    Args:
        source: what to read.
        findings: gets the frame of an API request, and warnings.
        known: the format where the caller knows it; then only the layout is told from the content.

    Raises:
        TranscriptError: it is no JSON, holds values of wrong types, or shows another format than `known`.
        UnknownFormatError: it is JSON, but no conversation in a form we know.
    """
    head = [line for _, line in islice(source.lines(findings.warn), 2)]
    if not head:
        raise TranscriptError(
            "its gzip stream breaks off before the first line ends", path=source.path, line=1
        )
    if head[0].lstrip()[:1] not in {b"{", b"["}:
        begin = quoted(head[0].strip().decode("utf-8", "replace"))
        raise TranscriptError(
            f"it is not JSON, it begins with {begin}; it should be {_KNOWN}", path=source.path, line=1
        )
    first = _object(head[0])
    listed = head[0].lstrip()[:1] == b"["
    if first is None and (listed or len(head) == 1 or _object(head[1]) is None):
        return recognise_value(_whole(source, findings), findings, known)
    if first is not None and len(head) == 1 and not _format_of_record(first):
        return recognise_value(first, findings, known)
    records = Records(findings, source)
    return (_format_of_lines(records, source) if known is None else _confirmed(known, records)), records


def recognise_value(
    value: Any, findings: Findings, known: TranscriptFormat | None
) -> tuple[TranscriptFormat, Records]:
    """Tell the format of parsed JSON and lay out its records; for arguments and errors see `recognise`."""
    if isinstance(value, dict):
        if _is_trajectory(value):
            return known or TranscriptFormat.SWE_AGENT, _trajectory(value, findings, known)
        key = next((key for key in _LIST_KEYS if key in value), None)
        if key is None:
            found = known or _format_of_record(value)
            if found is None:
                raise _unknown(value, findings.path)
            records = Records(findings, items=[value])
            return (found if known is None else _confirmed(known, records)), records
        items = value[key]
        if key == "input" and isinstance(items, str):
            items = [{"role": "user", "content": items}]
        if not isinstance(items, list):
            raise TranscriptError(
                f"{key!r} is {quoted(items)}; it should be a list of messages", path=findings.path
            )
        findings.frame = {other: held for other, held in value.items() if other != key}
        findings.list_key = key
        findings.note(value.get("sessionId") or value.get("session_id") or value.get("id"), value.get("cwd"))
        if key in {"input", "output"}:
            records = Records(findings, items=items)
            return (
                TranscriptFormat.OPENAI_RESPONSES if known is None else _confirmed(known, records)
            ), records
    elif isinstance(value, list):
        items = value
    else:
        raise UnknownFormatError(f"it is {quoted(value)}; it should be {_KNOWN}", path=findings.path)
    records = Records(findings, items=items)
    return (_format_of_items(records) if known is None else _confirmed(known, records)), records


def _confirmed(known: TranscriptFormat, records: Records) -> TranscriptFormat:
    """Hold the format that the caller named against the records: one of them may show it, or none another.

    Raises:
        TranscriptError: what shows a format shows another one; read as the one named, its calls would be lost.
    """
    other: tuple[int, TranscriptFormat] | None = None
    for number, record in records:
        shown = _format_shown(record)
        if shown is known or (known, shown) in _READ_ALIKE:
            return known
        if other is None and (shown in _OF_AGENTS or (shown is not None and calls_form(record))):
            other = number, shown
    if other is not None:
        reason = f"this is in the format {other[1].value!r}, not {known.value!r}"
        raise records.failure(reason, other[0])
    return known


def _format_shown(record: Mapping[str, Any]) -> TranscriptFormat | None:
    """Tell the only format that a record can be of, None where several could hold it."""
    found = _format_of_record(record)
    if found in _OF_AGENTS:
        return found
    form = calls_form(record) or form_shown(record)
    return _OF_FORM[form] if form is not None and found is not None else None


def _trajectory(value: dict[str, Any], findings: Findings, known: TranscriptFormat | None) -> Records:
    if known not in {None, TranscriptFormat.SWE_AGENT}:
        reason = f"this is in the format {TranscriptFormat.SWE_AGENT.value!r}, not {known.value!r}"
        raise TranscriptError(reason, path=findings.path)
    return Records(findings, items=[value])


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


def _is_trajectory(value: Mapping[str, Any]) -> bool:
    if isinstance(value.get("trajectory"), list):
        return True
    history = value.get("history")
    shown = history[0] if isinstance(history, list) and history else None
    return isinstance(shown, dict) and "role" in shown


def _format_of_lines(records: Records, source: Source) -> TranscriptFormat:
    first: dict[str, Any] | None = None
    for _, record in islice(records, _LOOKED_AT):
        found = _format_of_record(record)
        if found is not None:
            return _refined(found, records)
        if isinstance(record.get("messages"), list):
            reason = (
                "every line is a conversation of its own; it should be one conversation, a message a line"
            )
            raise UnknownFormatError(reason, path=source.path)
        first = record if first is None else first
    raise _unknown(first or {}, source.path)


def _format_of_items(records: Records) -> TranscriptFormat:
    for _, item in islice(records, _LOOKED_AT):
        found = _format_of_record(item)
        if found is not None:
            return _refined(found, records)
    if records.items:
        raise _unknown(records.items[0], records.findings.path)
    return TranscriptFormat.ANTHROPIC


def _refined(found: TranscriptFormat, records: Records) -> TranscriptFormat:
    """Tell the forms of the APIs apart, which one message does not always show."""
    if found is not TranscriptFormat.CLINE and found not in _OF_FORM.values():
        return found
    form = detect_form(value for _, value in records)
    return found if found is TranscriptFormat.CLINE and form is Form.ANTHROPIC else _OF_FORM[form]


def _format_of_record(record: Mapping[str, Any]) -> TranscriptFormat | None:
    """Tell the format from one record; for a message of an API some format of those, None for nothing known."""
    kind = record.get("type")
    kind = kind if isinstance(kind, str) else ""
    if "parentUuid" in record or (isinstance(record.get("message"), dict) and kind in {"user", "assistant"}):
        return TranscriptFormat.CLAUDE_CODE
    if kind in _CLAUDE_CODE_TYPES or (kind == "system" and "session_id" in record):
        return TranscriptFormat.CLAUDE_CODE
    if "record_type" in record or (isinstance(record.get("payload"), dict) and kind):
        return TranscriptFormat.CODEX
    if {"id", "timestamp", "instructions"} <= record.keys() and "role" not in record:
        return TranscriptFormat.CODEX
    if _is_event(record):
        return TranscriptFormat.OPENHANDS
    if "parts" in record or (kind in _GEMINI_TYPES and "role" not in record):
        return TranscriptFormat.GEMINI
    if kind == "user" and "content" in record and "role" not in record:
        return TranscriptFormat.GEMINI
    if "role" in record:
        return TranscriptFormat.CLINE if "ts" in record else TranscriptFormat.ANTHROPIC
    if kind.endswith(("_call", "_output")) or kind in {"message", "reasoning", "compaction"}:
        return TranscriptFormat.OPENAI_RESPONSES
    return None


def _is_event(record: Mapping[str, Any]) -> bool:
    """Tell an event of OpenHands, older or newer."""
    kind = record.get("kind")
    newer = isinstance(kind, str) and kind.endswith("Event")
    return newer or (
        "source" in record and ("action" in record or "observation" in record) and "role" not in record
    )


def _unknown(record: Any, path: str | None) -> UnknownFormatError:
    shown = quoted(record)
    if isinstance(record, dict) and record:
        shown = f"an object with {', '.join(map(repr, islice(record, 6)))}"
    return UnknownFormatError(f"it holds {shown}; it should be {_KNOWN}", path=path)
