"""Open pages are told within two seconds what other processes save, and nobody is told of nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import httpx
import pytest
from cli_sessions import ROOT
from panels import EVERYWHERE
from processes import started

from memory import PersistentMemoryManager
from memory.stores import open_store


@pytest.fixture
def served(asking):
    """`holdfast panel` in a process of its own: its address and token, and what is around it."""
    command = [
        sys.executable,
        "-m",
        "condense.apps.cli",
        "panel",
        "--port",
        "0",
        "--project",
        str(asking.folder),
    ]
    environment = {**os.environ, "HOME": str(asking.home), "PYTHONPATH": str(ROOT)}
    environment.pop("CLAUDE_CONFIG_DIR", None)
    environment.pop("CODEX_HOME", None)
    with started(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline()
        address, _, token = line.partition("http")[2].strip().partition("/?token=")
        asking.url, asking.token = f"http{address}", token
        yield asking
        process.terminate()
        process.wait(10)


@contextmanager
def listening(served):
    """Collect the events of a page."""
    events, opened = [], threading.Event()
    client = httpx.Client(base_url=served.url, headers={"authorization": f"Bearer {served.token}"}, timeout=30)

    def read():
        with suppress(httpx.HTTPError), client.stream("GET", "/api/v1/events") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            opened.set()
            name = ""
            for line in answer.iter_lines():
                kind, _, value = line.partition(": ")
                name = value if kind == "event" else name
                if kind == "data" and name == "changed":
                    events.append((time.monotonic(), json.loads(value)))

    assert client.get("/api/v1/memories").status_code == 200  # as a page does; it opens the store
    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    assert opened.wait(20)
    time.sleep(1.5)  # the first look
    yield events
    client.close()


def wait_for(events, what, begun, seconds=10):
    while time.monotonic() < begun + seconds:
        for at, told in list(events):
            if at >= begun and told["what"] == what:
                return at - begun, told
        time.sleep(0.02)
    pytest.fail(f"nothing told of {what}: {events}")


@pytest.mark.slow
@EVERYWHERE
def test_what_others_save_is_told_within_two_seconds(served):
    with listening(served) as events:
        assert events == []
        begun = time.monotonic()
        with open_store() as store:
            PersistentMemoryManager(store, served.project.key).remember("Never push.", task_id="t")
        took, told = wait_for(events, "memories", begun)
        assert took < 2 * (1 + os.getloadavg()[0])
        assert told["project"] == served.project.key

        begun = time.monotonic()
        (served.folder / "memory").mkdir()
        (served.folder / "memory" / "MEMORY.md").write_text("2026-01-01|hand|x\n")
        assert wait_for(events, "notes", begun)[1]["project"] == served.project.key

        begun = time.monotonic()
        served.claude_session()
        wait_for(events, "sessions", begun)

        begun = time.monotonic()
        with open_store() as store:
            store.put_record(None, "t", "r", '{"x": 1}', 1.0)
        wait_for(events, "records", begun)

        begun = time.monotonic()
        answer = httpx.post(
            f"{served.url}/api/v1/memories",
            json={"content": "Use port 1."},
            headers={"authorization": f"Bearer {served.token}"},
            timeout=20,
        )
        assert answer.status_code == 201
        wait_for(events, "memories", begun)
        quiet = len(events)
        time.sleep(2.5)
        assert len(events) == quiet


@pytest.mark.slow
def test_the_panel_ends_while_pages_listen(served):
    with listening(served):
        pass  # the fixture ends it within ten seconds
