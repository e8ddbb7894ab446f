"""A panel over a home with sessions, a project and a store; asked in the process, or served in one of its own."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import httpx
import pytest
from cli_sessions import claude_code, codex, plot

from condense.apps.panel import Panel, PanelSettings, panel_app
from condense.apps.saving import save_session, title_of
from memory import PersistentMemoryManager, project_of, read_transcript
from memory.stores import open_store

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "a token of the tests"  # noqa: S105
HOST = "127.0.0.1:7474"
EVERYWHERE = pytest.mark.parametrize("place", ["file", "sqlite", "postgres"], indirect=True)
"""Tries a test with the store in the data folder and in both databases that may be named instead."""


class Asking:
    """A panel, and what answers come from it; everything runs in this process."""

    def __init__(self, place: Path, **settings):
        self.home, self.folder = place / "home", place / "shop"
        self.home.mkdir(parents=True, exist_ok=True)
        (self.folder / ".git" / "objects").mkdir(parents=True, exist_ok=True)
        (self.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.project = project_of(self.folder)
        self.panel = Panel(PanelSettings(self.folder, token=TOKEN, home=self.home, **settings))
        self.app = panel_app(self.panel)

    def claude_session(self, name="11111111-2222-4333-8444-555555555555", made=None, data=None) -> Path:
        """Leave a session of Claude Code for the project's folder: of a plot, or these very bytes."""
        place = self.home / ".claude" / "projects" / "-shop" / f"{name}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            rows = map(json.loads, claude_code(plot() if made is None else made).splitlines())
            told = ({**row, "sessionId": name, "cwd": str(self.folder)} for row in rows)
            data = b"".join(json.dumps(row).encode() + b"\n" for row in told)
        place.write_bytes(data)
        return place

    def codex_session(self) -> Path:
        """Leave a session of Codex."""
        place = self.home / ".codex" / "sessions" / "2025" / "05" / "01" / "rollout-2025-05-01-c-1.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(codex(plot(1, 20)))
        return place

    def saved(self, file: Path):
        """Take a session's memories in, as hooks do."""
        read = read_transcript(file)
        with open_store() as store:
            manager = PersistentMemoryManager.open(self.folder, store=store)
            return save_session(manager, read.session_id, lambda: read.messages, title=title_of(read))[1]

    def ask(self, method, path, *, bare=False, **more) -> httpx.Response:
        """Ask as the panel's own page, or with nothing but what is given."""
        return asyncio.run(self.asked(method, path, bare=bare, **more))

    async def asked(self, method, path, *, bare=False, **more) -> httpx.Response:
        """Ask within a loop of the caller's."""
        headers = {} if bare else {"authorization": f"Bearer {TOKEN}"}
        headers |= more.pop("headers", {})
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, headers=headers, **more)

    def get(self, path, status=200, **headers):
        """Return the JSON of an answer."""
        answer = self.ask("GET", path, headers=headers)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:500])
        return answer.json()

    def send(self, method, path, value=None, status=200, **headers):
        """Send JSON and return that of the answer."""
        answer = self.ask(method, path, json={} if value is None else value, headers=headers)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:500])
        return answer.json()

    def close(self):
        """Let go of the store."""
        self.panel.close()
