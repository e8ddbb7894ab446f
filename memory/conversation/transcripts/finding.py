"""The newest session that an agent left for a directory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST_FOLDER_NAME = 200  # measured: Claude Code 2.1 cuts longer names and adds a hash
_HEAD_SIZE = 262_144  # chosen: Codex's first line holds its instructions, tens of kilobytes


def latest_session(
    cwd: Path, home: Path, *, claude_code: Path | None = None, codex: Path | None = None
) -> Path | None:
    """Find the session of Claude Code or Codex in a directory that was written to last; sub-agents' do not count.

    `claude_code` and `codex` are the folders of these agents where they are not `.claude` and `.codex` in `home`. Of
    Codex's files the first 256 kB are read, newest first, until one fits.
    """
    wanted = {str(cwd), str(cwd.resolve())}
    projects = (claude_code or home / ".claude") / "projects"
    claude = max(_claude_code_files(wanted, projects), key=_age, default=None)
    newer_than = _age(claude) if claude is not None else 0
    rollouts = (codex or home / ".codex").glob("sessions/*/*/*/rollout-*.jsonl")
    for file in sorted(rollouts, key=_age, reverse=True):
        if _age(file) <= newer_than:
            break
        if _names_directory(file, wanted):
            return file
    return claude


def _age(file: Path) -> int:
    """Return when a file was last written to, 0 where it has gone meanwhile."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _claude_code_files(wanted: set[str], projects: Path) -> Iterator[Path]:
    for cwd in wanted:
        name = re.sub("[^A-Za-z0-9]", "-", cwd)
        shown = name if len(name) <= _LONGEST_FOLDER_NAME else f"{name[:_LONGEST_FOLDER_NAME]}-*"
        for file in projects.glob(f"{shown}/*.jsonl"):
            if not file.name.startswith("agent-") and _age(file) and file.stat().st_size:
                yield file


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
