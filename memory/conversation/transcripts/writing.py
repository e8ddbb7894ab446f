"""A conversation written: as an API takes it, or as Markdown for people."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.transcripts.values import Transcript, TranscriptFormat, frame_instructions
from memory.conversation.wire import convert, make_text, write_arguments
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Part

_SHORT_ARGUMENT = 200  # chosen: longer or many-lined arguments get a block of their own


def write_transcript(
    messages: Sequence[Message],
    destination: str | os.PathLike[str] | None = None,
    *,
    format: str = "anthropic",  # noqa: A002  # the public keyword
    frame: Mapping[str, Any] | None = None,
    meta: bool = False,
) -> str:
    """Write a conversation.

    Args:
        messages: the messages; those of the form that is written leave as they were read, others are converted.
        destination: a file to write, as UTF-8 and all at once; None to only return the text.
        format: "anthropic", "openai-chat", "openai-responses" or "markdown".
        frame: what to put around the list of messages, as read (`Transcript.frame`); None for that of the transcript
            itself where its form stays. Anthropic: leading system messages that were converted become its `system`.
        meta: where the form stays, write what a transcript said beside the content too (`timestamp`, `isMeta`, ...):
            it reads back, but an API refuses such keys.

    Returns:
        The text, one message a line (JSON) or as Markdown.

    Raises:
        TranscriptError: the format cannot be written, or the file cannot.
    """
    writable = (*Form, TranscriptFormat.MARKDOWN)
    if format not in writable:
        shown = ", ".join(repr(one.value) for one in writable)
        raise TranscriptError(f"format {format!r} cannot be written; it should be one of {shown}")
    form = None if format == TranscriptFormat.MARKDOWN else Form(format)
    messages = _with_instructions(messages, form)
    pieces = (_markdown(messages),) if form is None else _json_pieces(messages, form, frame, meta=meta)
    text = "".join(pieces)
    if destination is not None:
        _replace_file(Path(destination), text.encode("utf-8", "backslashreplace"))
    return text


def _with_instructions(messages: Sequence[Message], form: Form | None) -> Sequence[Message]:
    """Where the form changes, put the instructions of the frame (`system`, `instructions`) before the messages."""
    if not isinstance(messages, Transcript) or messages.form is form:
        return messages
    said = frame_instructions(messages.frame)
    return (make_text(messages.form, Role.SYSTEM, said), *messages) if said else messages


def _json_pieces(
    messages: Sequence[Message], form: Form, frame: Mapping[str, Any] | None, *, meta: bool
) -> Iterator[str]:
    key = "input" if form is Form.OPENAI_RESPONSES else "messages"
    stays = all(message.form is form for message in messages)
    if frame is None and isinstance(messages, Transcript) and stays and messages.list_key is not None:
        frame, key = messages.frame, messages.list_key
    values = convert(messages, form)
    if meta and stays:
        values = [{**value, **_beside(message)} for value, message in zip(values, messages, strict=True)]
    if form is Form.ANTHROPIC and not stays:
        values, system = _without_leading_system(values)
        if system:
            frame = {"system": system, **(frame or {})}
    if frame is not None:
        yield "{\n"
        for name, value in frame.items():
            yield f"{_json(name)}: {_json(value)},\n"
        yield f"{_json(key)}: "
    yield "["
    for at, value in enumerate(values):
        yield ",\n" if at else "\n"
        yield _json(value)
    yield "\n]" if values else "]"
    yield "\n}\n" if frame is not None else "\n"


def _beside(message: Message) -> dict[str, Any]:
    """Return what a transcript said beside the content, under the keys that reading knows."""
    meta = message.meta
    held = {
        "timestamp": meta.timestamp,
        "uuid": meta.uuid,
        "isMeta": meta.is_meta,
        "isSidechain": meta.is_sidechain,
        "isCompactSummary": meta.is_compact_summary,
    }
    return {key: value for key, value in held.items() if value is not None and value is not False}


def _without_leading_system(values: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Take the system messages at the beginning off, for the `system` parameter."""
    at = next((at for at, value in enumerate(values) if value["role"] != "system"), len(values))
    texts: list[str] = []
    for content in (value["content"] for value in values[:at]):
        texts += [content] if isinstance(content, str) else [block.get("text", "") for block in content]
    return values[at:], "\n\n".join(texts)


def _json(value: Any) -> str:
    """Write a value; letters as they are, lone surrogates as escapes, for UTF-8 has none."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _replace_file(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there, so that no half of it is ever seen."""
    import tempfile  # here, for it is slow to import and seldom needed

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            Path(name).replace(path)
        finally:
            with suppress(OSError):
                Path(name).unlink()
    except OSError as error:
        raise TranscriptError(f"it cannot be written ({error.strerror or error})", path=str(path)) from error


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _markdown(messages: Sequence[Message]) -> str:
    """Write a conversation for reading, nothing shortened; it cannot be read back."""
    names = {part.call_id: part.name for message in messages for part in message.calls}
    blocks: list[str] = []
    speaker = ""
    for message in messages:
        title = _title(message)
        if title != speaker:
            blocks.append(f"## {title}")
            speaker = title
        blocks.extend(block for part in message.parts for block in _part(part, names))
    return "\n\n".join(blocks) + "\n"


def _title(message: Message) -> str:
    if message.meta.is_compact_summary:
        return "Summary of what came before"
    only_results = message.parts and all(part.kind is PartKind.TOOL_RESULT for part in message.parts)
    title = (Role.TOOL if only_results else message.role).capitalize()
    return f"{title} (sub-agent)" if message.meta.is_sidechain else title


def _part(part: Part, names: Mapping[str | None, str | None]) -> Iterator[str]:
    if part.kind is PartKind.TOOL_CALL:
        yield from _call(part)
    elif part.kind is PartKind.TOOL_RESULT:
        failed = " failed" if part.is_error else ""
        yield f"**Result** of `{part.name or names.get(part.call_id) or part.call_id}`{failed}"
        yield _fenced(part.text)
    elif part.kind in {PartKind.MEDIA, PartKind.OPAQUE}:
        yield f"*[{part.text or part.name}]*"
    elif part.kind is PartKind.TEXT and part.text.strip():
        yield part.text.strip("\n")
    elif part.text.strip():
        yield "\n".join(f"> {line}".rstrip() for line in part.text.strip().split("\n"))


def _call(part: Part) -> Iterator[str]:
    yield f"**Call** `{part.name}`"
    if isinstance(part.arguments, str):
        yield _fenced(part.arguments)
        return
    for key, value in (part.arguments or {}).items():
        text = write_arguments(value)
        if "\n" in text or "`" in text or len(text) > _SHORT_ARGUMENT:
            yield f"- {key}:"
            yield _fenced(text)
        else:
            yield f"- {key}: `{text}`" if text else f"- {key}: (empty)"


def _fenced(text: str) -> str:
    """Put a text in a code block whose fence does not occur in it."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("`+", text))])
    return f"{fence}\n{text.rstrip()}\n{fence}"
