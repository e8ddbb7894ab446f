"""A transcript of any known format read, at once or message by message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.transcripts.formats import claude_code, codex, gemini, openhands, plain, swe_agent
from memory.conversation.transcripts.recognising import recognise, recognise_value
from memory.conversation.transcripts.sources import open_source
from memory.conversation.transcripts.values import Findings, Transcript, TranscriptFormat
from memory.conversation.wire import quoted
from memory.errors import TranscriptError, WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memory.conversation.transcripts.records import Records

_FORMS = {
    TranscriptFormat.OPENAI_CHAT: Form.OPENAI_CHAT,
    TranscriptFormat.OPENAI_RESPONSES: Form.OPENAI_RESPONSES,
    TranscriptFormat.CODEX: Form.OPENAI_RESPONSES,
}
_READERS: dict[TranscriptFormat, Callable[[Records], Iterator[Message]]] = {
    TranscriptFormat.ANTHROPIC: partial(plain.read, form=Form.ANTHROPIC),
    TranscriptFormat.OPENAI_CHAT: partial(plain.read, form=Form.OPENAI_CHAT),
    TranscriptFormat.OPENAI_RESPONSES: partial(plain.read, form=Form.OPENAI_RESPONSES),
    TranscriptFormat.CLINE: partial(plain.read, form=Form.ANTHROPIC),
    TranscriptFormat.CLAUDE_CODE: claude_code.read,
    TranscriptFormat.CODEX: codex.read,
    TranscriptFormat.SWE_AGENT: swe_agent.read,
    TranscriptFormat.OPENHANDS: openhands.read,
    TranscriptFormat.GEMINI: gemini.read,
}


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
    return Transcript(
        messages=read,
        format=found,
        form=read[0].form if read else _FORMS.get(found, Form.ANTHROPIC),
        path=findings.path,
        session_id=findings.session_id,
        cwd=findings.cwd,
        warnings=tuple(findings.warnings),
        frame=findings.frame,
        list_key=findings.list_key,
    )


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
    if isinstance(source, Mapping):
        found, records = recognise_value(dict(source), findings, known)
    elif isinstance(source, Sequence) and not isinstance(source, (str, bytes, bytearray, memoryview)):
        if any(isinstance(value, Message) for value in source):
            return _of_messages(source, known)
        found, records = recognise_value(list(source), findings, known)
    else:
        opened = open_source(source)
        findings.path = opened.path
        found, records = recognise(opened, findings, known)
    if found is TranscriptFormat.CLAUDE_CODE:
        messages = claude_code.read(records, sidechains=sidechains)
    else:
        messages = _READERS[found](records)
    return found, _not_nothing(messages, records)


def _readable(name: str) -> TranscriptFormat:
    try:
        known = TranscriptFormat(name)
    except ValueError:
        known = TranscriptFormat.MARKDOWN
    if known not in _READERS:
        readable = ", ".join(repr(one.value) for one in _READERS)
        raise TranscriptError(f"format {name!r} cannot be read; it should be one of {readable}") from None
    return known


def _of_messages(
    source: Sequence[Any], known: TranscriptFormat | None
) -> tuple[TranscriptFormat, Iterator[Message]]:
    for number, value in enumerate(source):
        if not isinstance(value, Message):
            raise TranscriptError(f"item {number} is {quoted(value)}; it should be a Message as others are")
    form = source[0].form
    return known or TranscriptFormat(form.value), iter(source)


def _not_nothing(messages: Iterator[Message], records: Records) -> Iterator[Message]:
    """Pass the messages on; a file in which nobody says anything is an error, an empty list is not."""
    nothing = True
    try:
        for message in messages:
            nothing = False
            yield message
    except WireError as error:
        raise TranscriptError(str(error), path=records.findings.path) from error
    if nothing and (records.source is not None or records.items):
        raise TranscriptError(
            "it holds no message that a model or a person wrote", path=records.findings.path
        )
