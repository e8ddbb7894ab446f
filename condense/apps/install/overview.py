"""What is on in Claude Code and Codex, as a list for people: the agent, its parts, and what switches the rest on."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from condense.apps.install.claude_code import ClaudeCode
from condense.apps.install.codex import APPROVE, Codex
from condense.apps.install.files import InstallError
from condense.apps.install.records import Installed, installed

if TYPE_CHECKING:
    from pathlib import Path

SECONDS: Final = 5
PROGRAMS: Final = {"claude-code": "claude", "codex": "codex"}
_VERSION: Final = re.compile(r"\d{1,6}\.\d{1,6}[\w.-]{0,40}")


def installation(folder: Path) -> list[dict[str, Any]]:
    """Return what is on in each agent, for the person and for a project."""
    try:
        rows, told = installed(), ""
    except InstallError as error:
        rows, told = [], str(error)
    items = []
    for agent, program in PROGRAMS.items():
        place = shutil.which(program)
        row = _row(agent, rows, folder)
        wrong = told
        if row is None and not wrong:
            try:
                row = (ClaudeCode() if agent == "claude-code" else Codex()).traces()
            except InstallError as error:
                wrong = str(error)
        items.append(
            {
                "agent": agent,
                "found": place is not None,
                "version": version_of(place) if place else None,
                "installed": row is not None,
                "scope": row.scope if row else "",
                "parts": _parts(agent, row, wrong),
                "steps": _steps(agent, row, found=place is not None),
            }
        )
    return items


def _row(agent: str, rows: list[Installed], folder: Path) -> Installed | None:
    ours = [row for row in rows if row.client == agent]
    here = (row for row in ours if row.scope == "project" and row.folder == str(folder))
    return next(here, None) or next((row for row in ours if row.scope == "user"), None)


def _parts(agent: str, row: Installed | None, wrong: str) -> list[dict[str, Any]]:
    on = row is not None
    names = ("plugin", "hooks", "mcp") if agent == "claude-code" else ("hooks", "mcp")
    details = dict.fromkeys(names, wrong)
    if on and agent == "codex":
        try:
            details["hooks"] = "" if Codex().approved() else APPROVE
        except InstallError as error:
            details["hooks"] = str(error)
    port = row.port if row else None
    parts = [{"name": name, "on": on, "detail": details[name]} for name in names]
    return [*parts, {"name": "proxy", "on": port is not None, "detail": f"port {port}" if port else ""}]


def _steps(agent: str, row: Installed | None, *, found: bool) -> list[str]:
    package = "@anthropic-ai/claude-code" if agent == "claude-code" else "@openai/codex"
    if not found and row is None:
        return [f"npm i -g {package}", f"holdfast install {agent} --proxy"]
    return [] if row is not None and row.port is not None else [f"holdfast install {agent} --proxy"]


@lru_cache(maxsize=8)
def version_of(program: str) -> str | None:
    """Ask an agent's program for its version; None where it does not say one in time."""
    try:
        said = subprocess.run(  # noqa: S603  # the agent's own program
            [program, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired, UnicodeError):
        return None
    found = _VERSION.search(said)
    return found[0] if found else None
