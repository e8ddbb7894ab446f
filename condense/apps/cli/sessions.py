"""FILE, as people name a session: a path, "-" for stdin, "latest" for the newest session of this folder."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from condense.apps.cli.refusals import Refusal, one_line
from condense.apps.finding import latest_session
from condense.ledger import read_ledger
from memory import read_transcript
from memory.conversation import Transcript, TranscriptFormat
from memory.errors import TranscriptError
from memory.stores import plugged_names

if TYPE_CHECKING:
    from condense.compaction import Condensation
    from memory.conversation import Message

LATEST = "latest"
STDIN = "-"
_DAMAGE = re.compile(r"(?:line|item) (\d+): (.*(?:left out|breaks off).*)", re.DOTALL)
_PLACE = re.compile(r"(?:line|item) \d+: ")
_SHOWN = 5
"""Kinds of warnings that are shown; chosen."""

NAME_DIGITS = 8
"""Digits of the first message's digest in the name of a session that says none."""

READABLE = tuple(f.value for f in TranscriptFormat if f is not TranscriptFormat.MARKDOWN)
WRITABLE = ("anthropic", "openai-chat", "openai-responses", "markdown")
_ALIASES = {
    "openai": "openai-chat",
    "chat": "openai-chat",
    "responses": "openai-responses",
    "claude": "anthropic",
    "md": "markdown",
}


def written_format(name: str | None, transcript: Transcript) -> str:
    """Return the format to write: the one asked for, else the form of the session's messages.

    Raises:
        Refusal: there is none of that name.
    """
    if name is None:
        return transcript.form.value
    wanted = name.strip().lower().replace("_", "-")
    wanted = _ALIASES.get(wanted, wanted)
    if wanted not in WRITABLE:
        raise Refusal(f"--to {name!r} is not a format that can be written; choose one of {', '.join(WRITABLE)}")
    return wanted


def read_session(file: str, *, form: str | None = None, lenient: bool = False) -> Transcript:
    """Read the session that FILE names.

    Args:
        file: a path, "-" or "latest".
        form: its format, where it should not be recognised.
        lenient: leave out what cannot be read; always so for "latest", which may be being written just now.

    Raises:
        Refusal: there is none, it cannot be read, or part of it cannot; names file, line and reason.
    """
    if form is not None and form not in READABLE and form not in plugged_names("transcripts"):
        known = ", ".join((*READABLE, *plugged_names("transcripts")))
        raise Refusal(f"--from {form!r} is not a format that can be read; choose one of {known}")
    source = _latest() if file == LATEST and not Path(LATEST).exists() else file
    if source == STDIN and sys.stdin.isatty():
        print("holdfast: reading standard input; end it with Ctrl-D", file=sys.stderr)  # noqa: T201  # a prompt
    try:
        transcript = read_transcript(source, format=form)
    except TranscriptError as error:
        raise Refusal(one_line(f"{_where(error.path or file, error.line)}: {error.reason}")) from error
    if not transcript.messages:
        raise Refusal(f"{_where(source)}: it holds no messages; there is nothing to do")
    if not lenient and file != LATEST:
        _refuse_damage(transcript, source)
    return transcript


def _refuse_damage(transcript: Transcript, source: str) -> None:
    for warning in transcript.warnings:
        if damage := _DAMAGE.match(warning):
            reason = one_line(damage[2].removesuffix("; left out"))
            raise Refusal(f"{_where(source, int(damage[1]))}: {reason}; --lenient reads the rest")


def read_text(file: str) -> str:
    """Read a text: a path, or "-" for stdin.

    Raises:
        Refusal: it cannot be read, is empty, or is no text.
    """
    where = _where(file)
    try:
        data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise Refusal(f"{where}: {one_line(error.strerror or str(error))}") from error
    except ValueError as error:
        raise Refusal(f"{file!r}: {one_line(str(error))}") from error
    if not data.strip():
        raise Refusal(f"{where}: it is empty; it should be a text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise Refusal(f"{where}: it is not text in UTF-8")
    return text


def split_summary(text: str, source: Transcript) -> tuple[str, tuple[Message, ...]]:
    """Tell what of a condensed conversation is summary and what was kept of its source.

    Returns:
        The text of the messages that are not in the source, and the ones that are; a text that is no conversation
        is all summary.
    """
    if not text.lstrip().startswith(("{", "[")):
        return text, ()
    try:
        condensed = read_transcript(text)
    except TranscriptError:
        return text, ()
    known = {message.digest for message in source}
    kept = tuple(message for message in condensed if message.digest in known)
    return "\n".join(message.text for message in condensed if message.digest not in known), kept


def shown_warnings(transcript: Transcript) -> list[str]:
    """Return what to tell about the reading, one line each, not too many."""
    where = _where(transcript.path or STDIN)
    alike: dict[str, list[str]] = {}
    for warning in transcript.warnings:
        alike.setdefault(_PLACE.sub("", warning), []).append(warning)
    lines = [
        one_line(f"{where}: {same[0]}") + (f" (and {len(same) - 1} more like this)" if same[1:] else "")
        for same in alike.values()
    ]
    more = len(lines) - _SHOWN
    return lines if more <= 0 else [*lines[:_SHOWN], f"{where}: {more} more like these"]


def _latest() -> str:
    try:
        named = (os.environ.get(name) for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"))
        claude_code, codex = (Path(folder).expanduser() if folder else None for folder in named)
        found = latest_session(Path.cwd(), Path.home(), claude_code=claude_code, codex=codex)
    except (OSError, RuntimeError) as error:
        raise Refusal(f"cannot look for the latest session: {one_line(str(error))}") from error
    if found is None:
        raise Refusal(
            f"no session of Claude Code or Codex worked in {Path.cwd()}; change to its folder or name its file"
        )
    return str(found)


def session_name(transcript: Transcript) -> str:
    """Return a session's own id; of one that says none its file and its beginning, since many are called alike."""
    if transcript.session_id:
        return transcript.session_id
    name = Path(transcript.path or "session").name
    return f"{name}-{transcript.messages[0].digest[:NAME_DIGITS] if transcript.messages else ''}"


def _where(path: str, line: int | None = None) -> str:
    shown = "standard input" if path == STDIN else path
    return shown if line is None else f"{shown}:{line}"


def says_anything(done: Condensation) -> bool:
    """Whether a compaction holds anything that the person said, or the handle of it."""
    if done.report.typed_verbatim:
        return True
    found = read_ledger(done.summary)
    return found is not None and bool(found.quotes or found.rules or found.unshown)
