"""`holdfast panel`, the command: what it opens, and what it goes without."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from processes import started

from memory.entries import ThreadMessage
from memory.stores import open_sql


@contextmanager
def opened(folder, **environment):
    """The lines that the command wrote before it listened, and a client that got in."""
    env = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    env |= {"HOLDFAST_HOME": str(folder / "kept"), "HOME": str(folder), **environment}
    command = [sys.executable, "-m", "condense.apps.cli", "panel", "--port", "0"]
    with started(command, limit=60, cwd=folder, env=env, stderr=subprocess.PIPE, text=True) as server:
        told = []
        while "http://" not in (line := server.stderr.readline()):
            assert line, told
            told.append(line)
        try:
            with httpx.Client(follow_redirects=True, trust_env=False) as client:
                address = line.split()[-1]
                assert client.get(address).status_code == 200
                client.base_url = address.partition("?")[0]
                yield told, client
        finally:
            server.terminate()
            server.wait(10)


def with_a_thread(url=None, **environment):
    store = open_sql(url, environment)
    store.touch_thread("talk-1", 1_700_000_000.0)
    store.append_messages("talk-1", [ThreadMessage("m0", {"role": "user", "content": "Use port 8085."})])
    store.close()


def test_conversations_of_a_named_database_are_shown(tmp_path):
    with_a_thread(url := f"sqlite:///{tmp_path / 'others.db'}")
    with opened(tmp_path, DATABASE_URL=url) as (told, client):
        assert [one["id"] for one in client.get("/api/conversations").json()] == ["talk-1"]
        history = client.get("/api/chat/history?thread_id=talk-1").json()
        assert [m["text"] for m in history["messages"]] == ["Use port 8085."]
    assert told == []


def test_this_users_own_conversations_are_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    with_a_thread()
    with opened(tmp_path) as (told, client):
        assert [one["id"] for one in client.get("/api/conversations").json()] == ["talk-1"]
    assert told == []


@pytest.mark.parametrize("url", ["nonsense://x", "postgresql://nobody@127.0.0.1:9/none"])
def test_a_database_that_does_not_answer_is_said_and_done_without(tmp_path, url):
    with opened(tmp_path, DATABASE_URL=url) as (told, client):
        assert client.get("/api/conversations").json() == []
        assert client.get("/api/v1/memories").status_code == 200
    assert "threads are not shown" in "".join(told)


def test_what_the_panel_goes_without_keeps_no_other_command_from_running(tmp_path):
    code = "import sys; sys.modules['sqlalchemy'] = None; sys.argv = ['holdfast', '--help']\n"
    code += "from condense.apps.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "panel" in done.stdout
