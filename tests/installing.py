"""`holdfast install` in a home of its own, with the settings and the clients that a test puts there."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING

from agent_clients import CLAUDE, REPOSITORY, claude_environment

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = "http://127.0.0.1:9"  # with an address the client asks for no other


def prepared(place: Path) -> Path:
    """Make a home of its own, with a project in it."""
    (place / "home" / ".claude").mkdir(parents=True)
    (place / "home" / ".codex").mkdir()
    repository(place / "project")
    return place


def repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def environment(machine: Path) -> dict[str, str]:
    ours = {"HOLDFAST_HOME": str(machine / "kept"), "PYTHONPATH": str(REPOSITORY)}
    return {**claude_environment(machine / "home", NOWHERE), **ours}


def install(machine: Path, *arguments: str, code: int = 0) -> str:
    return holdfast(machine, "install", "claude-code", "--client", str(CLAUDE), *arguments, code=code)


def holdfast(machine: Path, *arguments: str, code: int = 0, folder: str = "project", **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", *arguments],
        env={**environment(machine), **env},
        cwd=machine / folder,
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
