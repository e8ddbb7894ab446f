"""Write session files that Claude Code and Codex resume.

Their forms were tried with Claude Code 2.1.197 and 2.1.330 and Codex 0.169: a row links to the one before it, no two
have the same time, the first user message or the title names the session in the client's list.
"""

from __future__ import annotations

import re
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from condense.compaction import write_atomically
from memory.conversation import Form, Role, convert

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from memory.conversation import Message

AGENTS: Final = ("claude-code", "codex")
LONGEST_NAME: Final = 200
"""Characters of a folder's name, beyond which Claude Code cuts it and adds a hash."""
CODEX_VERSION: Final = "0.169.0"
UNDERSTOOD: Final = "Understood."
_BEGUN_HERE: Final = re.compile(
    rb'\{"parentUuid":null,"isSidechain":false,"uuid":"[0-9a-f-]{36}","timestamp":"[^"]{24}","sessionId":"'
    rb'|\{"timestamp":"[^"]{24}","type":"session_meta","payload":\{"id":"[0-9a-f-]{36}","timestamp":"[^"]{24}",'
    rb'"cwd":"(?:[^"\\\n]|\\.){0,4000}","originator":"codex_cli_rs","cli_version":"[0-9.]{1,20}","source":"cli"\}\}\n'
)
"""How the files begin that are written here; the agents' own rows have more fields, in another order."""
_HEAD: Final = 65_536  # bytes that are read of a file's beginning, and of its end


@dataclass(frozen=True, slots=True)
class Written:
    """A session that was written: where, its id, and the command that goes on with it."""

    path: Path
    session: str
    command: str


def write_session(
    messages: Sequence[Message], agent: str, *, folder: Path, home: Path, title: str, now: float | None = None
) -> Written:
    """Write a conversation as a session of an agent.

    Args:
        messages: the conversation, in any form; system messages are left out, since the agent has its own.
        agent: one of `AGENTS`.
        folder: the folder that the agent works in.
        home: the agent's own folder (`~/.claude`, `~/.codex`).
        title: names it in the agent's list.
        now: seconds since 1970 UTC.

    Raises:
        ValueError: there is no such agent, or the folder's name is too long for it.
        OSError: it cannot be written.
    """
    now = time.time() if now is None else now
    said = [m for m in messages if m.role is not Role.SYSTEM]
    if agent == "claude-code":
        written = convert(said, Form.ANTHROPIC)
        beside = [m.meta.is_meta for m in said] if len(written) == len(said) else []
        return _claude_code(written, beside, folder, home, title, now)
    if agent == "codex":
        return _codex(convert(said, Form.OPENAI_RESPONSES), folder, home, title, now)
    raise ValueError(f"agent {agent!r} should be one of {', '.join(AGENTS)}")


def is_written_here(head: bytes) -> bool:
    """Tell by the beginning of a session's file whether `write_session` wrote it, whoever went on with it since."""
    return _BEGUN_HERE.match(head) is not None


def is_untouched(file: Path) -> bool:
    """Tell whether `write_session` wrote a file and nobody went on with it since."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD)
            opened.seek(max(0, file.stat().st_size - _HEAD))
            last = opened.read().rstrip().rpartition(b"\n")[2]
    except OSError:
        return False
    return is_written_here(head) and (
        last.startswith(b'{"type":"custom-title",') or f'"{UNDERSTOOD}"}}]}}}}'.encode() in last
    )


def _claude_code(
    messages: Sequence[Mapping[str, Any]],
    beside: Sequence[bool],
    folder: Path,
    home: Path,
    title: str,
    now: float,
) -> Written:
    session = str(uuid.uuid4())
    name = re.sub("[^A-Za-z0-9]", "-", str(folder))
    if len(name) > LONGEST_NAME:
        raise ValueError(f"{folder}: Claude Code shortens names as long as this; hand over to markdown")
    rows: list[dict[str, Any]] = []
    parent: str | None = None
    for i, message in enumerate(_ending(messages)):
        row: dict[str, Any] = {
            "parentUuid": parent,
            "isSidechain": False,
            "uuid": str(uuid.uuid4()),
            "timestamp": _moment(now + i / 1000),
            "sessionId": session,
            "cwd": str(folder),
            "type": message["role"],
            "message": dict(message),
        }
        if i < len(beside) and beside[i]:
            row["isMeta"] = True  # the client's words, not the person's
        if message["role"] == "assistant":
            row["message"] |= {"model": "<synthetic>"}
        parent = row["uuid"]
        rows.append(row)
    rows.append({"type": "custom-title", "customTitle": title, "sessionId": session})
    place = home / "projects" / name / f"{session}.jsonl"
    _write(place, rows)
    return Written(place, session, f"claude --resume {session}")


def _codex(items: Sequence[Mapping[str, Any]], folder: Path, home: Path, title: str, now: float) -> Written:
    session = str(uuid.uuid4())
    begun = datetime.fromtimestamp(now, UTC)
    head = {"id": session, "timestamp": _moment(now), "cwd": str(folder), "originator": "codex_cli_rs"}
    rows = [_row("session_meta", {**head, "cli_version": CODEX_VERSION, "source": "cli"}, now)]
    rows += [_row("response_item", dict(item), now + i / 1000) for i, item in enumerate(items, 1)]
    rows.insert(2, _row("event_msg", {"type": "user_message", "message": title}, now + 0.0015))
    if items and items[-1].get("role") == "user":
        content = [{"type": "output_text", "text": UNDERSTOOD}]
        answer = {"type": "message", "role": "assistant", "content": content}
        rows.append(_row("response_item", answer, now + len(rows) / 1000))
    place = home / "sessions" / begun.strftime("%Y/%m/%d")
    place /= f"rollout-{begun.strftime('%Y-%m-%dT%H-%M-%S')}-{session}.jsonl"
    _write(place, rows)
    return Written(place, session, f"codex resume {session}")


def _ending(messages: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Give the messages on, and an answer where the last is a user's: the next prompt is one of its own."""
    yield from messages
    if messages and messages[-1]["role"] == "user":
        yield {"role": "assistant", "content": [{"type": "text", "text": UNDERSTOOD}]}


def _row(kind: str, payload: dict[str, Any], moment: float) -> dict[str, Any]:
    return {"timestamp": _moment(moment), "type": kind, "payload": payload}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _write(place: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, b"".join(orjson.dumps(row) + b"\n" for row in rows))
