"""What a command writes: JSON or a conversation, to a file whole or not at all, or to stdout."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import orjson

from condense.apps.cli.refusals import Refusal, reason_of
from condense.compaction import write_atomically
from memory.conversation import PartKind, detect_form, parse_message
from memory.errors import WireError

STDOUT = "-"


def json_bytes(value: Any) -> bytes:
    """Write a JSON value for machines: indented, keys in the order given, one line end.

    Lone surrogates are written as escapes, as JSON has them.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return (json.dumps(value, indent=2, ensure_ascii=True) + "\n").encode()


def write_stdout(content: bytes) -> None:
    """Write bytes to stdout now.

    Raises:
        BrokenPipeError: its reader went away.
        Refusal: it cannot be written for another reason.
    """
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refusal(f"cannot write to standard output: {reason_of(error)}") from error


def checked_output(output: str | None, source: str | None) -> Path | None:
    """Look at an output file before the work begins.

    Args:
        output: as given; None or "-" is stdout.
        source: the file that is read.

    Returns:
        The file to write, symbolic links followed; None for stdout.

    Raises:
        Refusal: it cannot be written, or it is the session itself.
    """
    if output is None or output == STDOUT:
        return None
    place = Path(output).expanduser()
    try:
        place = place.resolve()
        if place.is_dir():
            raise Refusal(f"cannot write to {output}: it is a folder; name a file in it")
        if not place.parent.is_dir():
            raise Refusal(f"cannot write to {output}: there is no folder {place.parent}")
        if source is not None and place.exists() and Path(source).exists() and place.samefile(source):
            raise Refusal(f"cannot write to {output}: it is the session itself, which is never changed")
        target = place if place.exists() else place.parent
        if not os.access(target, os.W_OK):
            raise Refusal(f"cannot write to {output}: permission denied")
    except (OSError, ValueError) as error:
        raise Refusal(f"cannot write to {output}: {reason_of(error)}") from error
    return place


def write_file(place: Path, content: bytes) -> None:
    """Write a file whole or not at all; devices and pipes are written to as they are.

    A new file can be read by its owner alone (sessions hold secrets); an old one keeps its permissions.

    Raises:
        Refusal: it could not be written; what stood there before still does.
    """
    try:
        if place.exists() and not place.is_file():
            with place.open("wb") as file:
                file.write(content)
            return
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o600
        write_atomically(place, content, mode=mode)
    except OSError as error:
        detail = reason_of(OSError(error.errno, error.strerror))
        raise Refusal(f"cannot write {place}: {detail}; nothing was changed") from error


def read_json(content: bytes | str) -> Any:
    """Read JSON of our own making, lone surrogates included."""
    return json.loads(content.decode("utf-8", "surrogatepass") if isinstance(content, bytes) else content)


def message_text(value: Any) -> str:
    """Write an original message for reading: its texts as they were, its calls with their arguments.

    A value that is no message of a known form is written as JSON.
    """
    try:
        message = parse_message(value, detect_form([value]))
    except WireError:
        return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    pieces = []
    for part in message.parts:
        if part.kind is PartKind.TOOL_CALL:
            shown = part.arguments
            arguments = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False, indent=2)
            pieces.append(f"{part.name} {arguments}")
        elif part.text:
            pieces.append(part.text)
        else:
            pieces.append(f"[{part.kind.value}{f': {part.name}' if part.name else ''}]")
    text = "\n".join(pieces)
    return text if text.endswith("\n") else text + "\n"
