"""What goes over: a condensed conversation, or the whole one, mended."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from condense.apps.words import counted
from condense.compaction import repair
from memory.conversation import (
    PartKind,
    Role,
    TranscriptFormat,
    make_text,
    read_transcript,
    replace_parts,
    typed_text,
)
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from condense.compaction import Condenser
    from memory.conversation import Message, Transcript

GZIP: Final = b"\x1f\x8b"
TITLE: Final = 60
REFUSED: Final = (PartKind.THINKING, PartKind.OPAQUE)
"""What a provider may refuse: signed, and blocks that are not known here."""
INTRODUCTION: Final = {
    "en": "This continues an earlier session. Its condensed record follows; go on from where it stopped.",
    "zh": "这是先前会话的继续。以下是其压缩记录，请从中断处继续。",
}


@dataclass(frozen=True, slots=True)
class Carried:
    """What goes into the new session.

    Attributes:
        messages: the conversation.
        title: names it.
        before, after: tokens.
        notes: what was mended or left out, one line each.
        sound: nothing but thinking, which a provider may refuse, stood in the way.
    """

    messages: tuple[Message, ...]
    title: str
    before: int
    after: int
    notes: tuple[str, ...] = ()
    sound: bool = False

    @property
    def text(self) -> str:
        """The whole as one prompt."""
        return "\n\n".join(message.text for message in self.messages)


def carry(transcript: Transcript, condenser: Condenser, target: int, *, as_text: bool = False) -> Carried:
    """Condense a session into one message; one of texts alone that would only grow goes over as it is.

    Args:
        transcript: the session.
        condenser: makes the summary; brings memory and archive.
        target: tokens of it at most.
        as_text: what goes over is one prompt, which has to say what it is.

    Raises:
        ValueError: there is no summary to be made; says why.
    """
    room = target - max(map(condenser.count, INTRODUCTION.values())) - 2  # and what parts them
    said = [
        m for m in transcript.messages if m.role is not Role.SYSTEM
    ]  # the new agent has instructions of its own
    done = condenser.summarize(said, target=max(room, 1))
    if not done.summary:
        raise ValueError(done.error or "no summary was made")
    language = done.plan.language
    text = f"{INTRODUCTION.get(language, INTRODUCTION['en'])}\n\n{done.summary}"
    before, after = done.prev_context_tokens, condenser.count(text)
    if after >= before and not as_text and all(part.kind is PartKind.TEXT for m in said for part in m.parts):
        return Carried(tuple(said), _title(transcript), before, before)
    return Carried((make_text(transcript.form, Role.USER, text),), _title(transcript), before, after)


def mend(transcript: Transcript, condenser: Condenser, window: int, target: int) -> Carried:
    """Make a session valid to send: every call with its result, no thinking that could be refused, within the window.

    Args:
        transcript: the session, as `read_broken` read it.
        condenser: compacts it where it is too large.
        window: tokens above which it is compacted.
        target: tokens that it then comes down to.
    """
    notes = list(transcript.warnings)
    bare, dropped = _without_thinking(transcript.messages)
    if dropped:
        notes.append(
            f"thinking and unknown blocks of {counted(dropped, 'message')} left out: providers refuse changed ones"
        )
    mended, repairs = repair(bare)
    notes += repairs
    size = sum(condenser.count(m.text) for m in mended)
    unknown = any(part.kind is PartKind.OPAQUE for m in transcript.messages for part in m.parts)
    sound = len(notes) == bool(dropped) and not unknown and size <= window
    messages: Sequence[Message] = mended
    after = size
    if size > window:
        done = condenser.condense(mended, target=target)
        if done.record is not None:
            messages, after = done.messages, done.new_context_tokens
            notes.append(f"condensed from {size:,} to {after:,} tokens: the window is {window:,}")
    return Carried(tuple(messages), f"{_title(transcript)} (repaired)", size, after, tuple(notes), sound)


def read_broken(file: Path) -> Transcript:
    """Read a session file whatever is wrong with it: torn lines, links that lead nowhere, a lost first line.

    Raises:
        TranscriptError: nothing of it can be read.
        OSError, EOFError: the file cannot be read.
    """
    rows: list[dict[str, Any]] = []
    torn = 0
    content = file.read_bytes()
    if content.startswith(GZIP):
        content = gzip.decompress(content)
    for line in content.split(b"\n"):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            torn += 1
            continue
        rows += [row] if isinstance(row, dict) else []
    codex = sum("payload" in row for row in rows) > len(rows) / 2
    if not any(_of_session(row) for row in rows):
        found = read_transcript(content)  # says so of what is no conversation
        raise TranscriptError(f"this is {found.format}, not a session of Claude Code or Codex")
    if codex and not any(row.get("type") == "session_meta" for row in rows):
        rows.insert(0, {"timestamp": rows[0].get("timestamp", ""), "type": "session_meta", "payload": {}})
    linked = renamed = alike = 0
    if not codex:
        linked, renamed, alike = _link(rows), _rename(rows), _alike(rows)
        rows = [row for row in rows if not _is_empty(row)]
    whole = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    found = read_transcript(whole, format=TranscriptFormat.CODEX if codex else TranscriptFormat.CLAUDE_CODE)
    notes = [f"{counted(torn, 'torn line')} left out"] if torn else []
    notes += [f"{counted(linked, 'broken link')} mended"] if linked else []
    notes += [f"{counted(renamed, 'call')} with the id of another renamed"] if renamed else []
    notes += [f"{counted(alike, 'message')} with the time of another put in order"] if alike else []
    return replace(found, path=str(file), warnings=(*notes, *found.warnings))


def _of_session(row: dict[str, Any]) -> bool:
    """Whether a line is one of a session of Claude Code or Codex."""
    return "payload" in row or isinstance(row.get("message"), dict)


def _link(rows: Sequence[dict[str, Any]]) -> int:
    """Let every row follow the one before it where its link leads nowhere: a root in the middle hides all before it."""
    known: set[str] = set()
    previous: str | None = None
    mended = 0
    for row in rows:
        name = row.get("uuid")
        if not isinstance(name, str) or row.get("isSidechain") is True:
            continue
        parent = row.get("parentUuid")
        boundary = row.get("subtype") == "compact_boundary"
        if previous is not None and not boundary and "parentUuid" in row and parent not in known:
            row["parentUuid"] = previous
            mended += 1
        known.add(name)
        previous = name
    return mended


def _rename(rows: Sequence[dict[str, Any]]) -> int:
    """Give a call that has the id of an earlier one an id of its own, and its result as well."""
    seen: dict[str, tuple[int, str]] = {}
    renamed = 0
    for row in rows:
        message = row.get("message")
        blocks = message.get("content") if isinstance(message, dict) else None
        for block in blocks if isinstance(blocks, list) else ():
            if not isinstance(block, dict):
                continue
            name = block.get("id") if block.get("type") == "tool_use" else block.get("tool_use_id")
            if not isinstance(name, str):
                continue
            times, now = seen.get(name, (0, name))
            if block.get("type") == "tool_use":
                times, now = times + 1, f"{name}_{times + 1}" if times else name
                seen[name] = (times, now)
                block["id"] = now
                renamed += times > 1
            else:
                block["tool_use_id"] = now
    return renamed


def _alike(rows: Sequence[dict[str, Any]]) -> int:
    """Count the messages that have the time of another where most have; Claude Code itself writes a few such."""
    times = [row.get("timestamp") for row in rows if isinstance(row.get("message"), dict)]
    alike = len(times) - len(set(times))
    return alike if 2 * alike > len(times) else 0


def _is_empty(row: dict[str, Any]) -> bool:
    """Whether a row is a message without content; what follows it is linked past it."""
    message = row.get("message")
    return isinstance(message, dict) and row.get("type") in {"user", "assistant"} and not message.get("content")


def _without_thinking(messages: Sequence[Message]) -> tuple[list[Message], int]:
    kept, dropped = [], 0
    for message in messages:
        gone = {i: None for i, part in enumerate(message.parts) if part.kind in REFUSED}
        if not gone:
            kept.append(message)
            continue
        dropped += 1
        if len(gone) < len(message.parts):
            kept.append(replace_parts(message, gone))
    return kept, dropped


def _title(transcript: Transcript) -> str:
    first = next((text for m in transcript.messages if (text := typed_text(m))), "an earlier session")
    line = " ".join(first.split())
    return line if len(line) <= TITLE else f"{line[: TITLE - 1]}…"
