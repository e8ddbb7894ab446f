"""The sessions that agents left on this machine, and the newest of a directory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.apps.handoff import is_untouched

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_FOLDER_NAME = 200  # measured: Claude Code 2.1 cuts longer names and adds a hash
_HEAD_SIZE = 262_144  # chosen: Codex's first line holds its instructions, tens of kilobytes
_EDITORS = (
    ".config/*/User",
    "Library/Application Support/*/User",
    "AppData/Roaming/*/User",
    ".vscode-server/data/User",
)
_TASKS = "globalStorage/{}/tasks/*/api_conversation_history.json"
_PLACES = {
    "claude-code": ("projects/*/*.jsonl",),
    "codex": ("sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"),
    "gemini": (".gemini/tmp/*/chats/*.json", ".gemini/tmp/*/chats/*.jsonl"),
    "roo": tuple(f"{editor}/{_TASKS.format('rooveterinaryinc.roo-cline')}" for editor in _EDITORS),
    "cline": tuple(f"{editor}/{_TASKS.format('saoudrizwan.claude-dev')}" for editor in _EDITORS),
}
"""Where agents keep their sessions: the first two in folders of their own, others in the person's."""


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A file that an agent keeps a session in; `written_ns` is when it was last written to, in ns since 1970 UTC."""

    agent: str
    path: Path
    size: int
    written_ns: int


def find_sessions(
    home: Path, *, claude_code: Path | None = None, codex: Path | None = None
) -> tuple[FoundSession, ...]:
    """Find the sessions of agents, the one written last first; empty files and sub-agents' do not count.

    `claude_code` and `codex` are the folders of these agents where they are not `.claude` and `.codex` in `home`.
    """
    roots = {"claude-code": claude_code or home / ".claude", "codex": codex or home / ".codex"}
    found = []
    for agent, patterns in _PLACES.items():
        for file in (one for pattern in patterns for one in roots.get(agent, home).glob(pattern)):
            try:
                entry = file.stat()
            except OSError:  # it has gone meanwhile, or may not be looked at
                continue
            if entry.st_size and not file.name.startswith("agent-"):
                found.append(FoundSession(agent, file, entry.st_size, entry.st_mtime_ns))
    return tuple(sorted(found, key=lambda one: (-one.written_ns, str(one.path))))


def latest_session(
    cwd: Path, home: Path, *, claude_code: Path | None = None, codex: Path | None = None
) -> Path | None:
    """Find the session of Claude Code or Codex in a directory that was written to last.

    Sub-agents' do not count, nor do those that a handoff wrote and nobody went on with.

    `claude_code` and `codex` as in `find_sessions`. Of Codex's files the first 256 kB are read, newest first, until one
    fits.
    """
    wanted = {str(cwd), str(cwd.resolve())}
    names = (re.sub("[^A-Za-z0-9]", "-", folder) for folder in wanted)
    folders = tuple(name[:_LONGEST_FOLDER_NAME] + "-" * (len(name) > _LONGEST_FOLDER_NAME) for name in names)
    for one in find_sessions(home, claude_code=claude_code, codex=codex):
        kept_in = one.path.parent.name
        is_there = kept_in in folders or any(
            len(name) > _LONGEST_FOLDER_NAME and kept_in.startswith(name) for name in folders
        )
        if (
            is_there if one.agent == "claude-code" else one.agent == "codex" and _names_directory(one.path, wanted)
        ) and not is_untouched(one.path):
            return one.path
    return None


def _names_directory(file: Path, wanted: set[str]) -> bool:
    """Tell whether a rollout's beginning names the directory, as Codex writes it in its older and newer forms."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_SIZE).decode("utf-8", "replace")
    except OSError:
        return False
    return any(
        re.search(rf'"cwd":\s*"{re.escape(escaped)}"', head)
        or f"<cwd>{cwd}</cwd>" in head
        or f"directory: {cwd}\\n" in head
        for cwd, escaped in ((cwd, cwd.replace("\\", "\\\\")) for cwd in wanted)
    )
