"""The switches of the panel, and that hooks, proxy, command line and search do as they say."""

from __future__ import annotations

import sys

import pytest
from cli_sessions import plot
from panels import EVERYWHERE

from condense.apps.cli import main
from condense.apps.hooks.events import project_text
from condense.apps.proxy.answering import Keeping
from condense.apps.proxy.protocols import protocol_of
from memory.stores import open_store

SETTINGS = "/api/v1/settings"


def told(asking):
    return project_text(str(asking.folder), "another")


def test_settings_say_what_is_switched_and_where_things_are(asking):
    found = asking.get(SETTINGS)
    assert (found["memory_enhancement"], found["vector_store"], found["model"]) == (True, False, None)
    places = {place["name"]: place for place in found["paths"]}
    assert places["store"]["exists"]
    assert places["store"]["bytes"] > 0
    assert places["notes"]["path"] == str(asking.folder / "memory" / "MEMORY.md")
    assert not places["notes"]["exists"]


def test_of_a_database_its_name_and_host_are_told_and_no_password(asking, monkeypatch, postgres_url):
    monkeypatch.setenv("HOLDFAST_STORE", postgres_url.replace("postgres@", "postgres:pass-word@"))
    store = next(place for place in asking.get(SETTINGS)["paths"] if place["name"] == "store")
    name, _, folder = postgres_url.partition("@/")[2].partition("?host=")
    assert store == {"name": "store", "path": f"{name} at {folder}", "exists": True, "bytes": None}


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("shelf:pass-word", "the store shelf:... cannot be looked through"),
        ("postgresql://me:pass-word@127.0.0.1:1/x", "cannot open the store 'x at 127.0.0.1'"),
    ],
)
def test_a_store_that_cannot_be_looked_through_is_said_and_no_password(asking, monkeypatch, named, said):
    monkeypatch.setenv("HOLDFAST_STORE", named)
    told = asking.get(SETTINGS, 503)["error"]["message"]
    assert said in told
    assert "pass-word" not in told


@EVERYWHERE
def test_what_is_set_stays_set_and_the_rest_is_left_alone(asking):
    changed = asking.send("PUT", SETTINGS, {"model": "anthropic:claude-sonnet-4", "language": "zh"})
    assert (changed["model"], changed["language"], changed["memory_enhancement"]) == (
        "anthropic:claude-sonnet-4",
        "zh",
        True,
    )
    again = asking.send("PUT", SETTINGS, {"model": ""})
    assert (again["model"], again["language"]) == (None, "zh")
    with open_store() as store:
        assert store.settings()["panel.language"] == "zh"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"model": "llama"}, "body.model"),
        ({"language": "fr"}, "body.language"),
        ({"memory_enhancement": "maybe"}, "body.memory_enhancement"),
        ({"embedder": "/nowhere"}, "body.embedder"),
        ({"theme": "dark"}, "body.theme"),
    ],
)
def test_what_cannot_be_set_is_told(asking, body, where):
    assert asking.send("PUT", SETTINGS, body, 400)["error"]["where"] == where


@EVERYWHERE
def test_without_memory_enhancement_hooks_tell_nothing_of_the_project(busy):
    assert "never touch the tests" in told(busy)
    busy.send("PUT", SETTINGS, {"memory_enhancement": False})
    assert told(busy) == ""
    busy.send("PUT", SETTINGS, {"memory_enhancement": True})
    assert "never touch the tests" in told(busy)


def test_without_memory_enhancement_the_proxy_adds_nothing(busy):
    system = f"You are an agent.\nWorking directory: {busy.folder}\nPlatform: linux"
    body = {"model": "claude-sonnet-4", "system": system, "messages": [{"role": "user", "content": "Hi"}]}
    call = protocol_of("/v1/messages").call({}, body)
    keeping = Keeping()
    assert keeping.project(call) is not None
    busy.send("PUT", SETTINGS, {"memory_enhancement": False})
    assert keeping.project(call) is None
    keeping.close()


def test_without_memory_enhancement_the_command_line_and_trials_add_nothing(busy, capsysbinary, tmp_path):
    later = busy.claude_session(
        "22222222-2222-4333-8444-555555555555",
        plot()[2:],
    )
    session = busy.get("/api/v1/sessions/22222222-2222-4333-8444-555555555555")
    rule = busy.get("/api/v1/memories?q=tests+directory")["items"][0]
    busy.send("POST", f"/api/v1/memories/{rule['id']}/pin")

    def summaries():
        out = tmp_path / "out.md"
        assert main(["condense", str(later), "--target", "3k", "--to", "markdown", "-o", str(out)]) == 0
        trial = busy.send("POST", f"/api/v1/sessions/{session['id']}/condense", {"target": 3_000})
        return out.read_text("utf-8"), trial["summary"]

    assert all("never touch the tests" in text for text in summaries())
    busy.send("PUT", SETTINGS, {"memory_enhancement": False})
    assert not any("never touch the tests" in text for text in summaries())


@pytest.mark.slow
def test_the_vector_store_finds_by_meaning_where_it_is_switched_on(busy, model_folder):
    assert busy.get(SETTINGS)["vector_store_available"] == {"ok": True, "why": ""}
    answer = busy.send("PUT", SETTINGS, {"vector_store": True, "embedder": str(model_folder)})
    assert answer["vector_store"] is True
    found = busy.get("/api/v1/memories?q=which+port")
    assert any("9000" in memory["content"] for memory in found["items"])
    assert (busy.home.parent / "kept" / "vectors").is_dir()
    busy.send("PUT", SETTINGS, {"vector_store": False})
    assert busy.get("/api/v1/memories?q=which+port")["items"][0]["matched"] == ["port"]


def test_a_vector_store_that_is_not_there_cannot_be_switched_on(asking, monkeypatch):
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    monkeypatch.setattr("condense.apps.switches.find_spec", lambda name: None)
    answer = asking.send("PUT", SETTINGS, {"vector_store": True}, 409)
    assert answer["error"]["where"] == "body.vector_store"
    assert "pip install" in answer["error"]["message"]
    chinese = asking.get(f"{SETTINGS}?lang=zh")["vector_store_available"]["why"]
    assert chinese.startswith("未安装 qdrant-client")
    assert asking.get(f"{SETTINGS}?lang=en")["vector_store_available"]["why"].startswith("qdrant-client is not")


def test_what_is_on_in_the_agents_is_told(asking, monkeypatch, tmp_path):
    from condense.apps.install.records import Installed, remember

    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho codex-cli 0.99.1\n")
    program.chmod(0o755)
    remember(Installed("codex", port=8787))
    items = {one["agent"]: one for one in asking.get("/api/v1/install")["items"]}
    assert (items["codex"]["found"], items["codex"]["version"], items["codex"]["installed"]) == (
        True,
        "0.99.1",
        True,
    )
    parts = {part["name"]: part for part in items["codex"]["parts"]}
    assert parts["proxy"] == {"name": "proxy", "on": True, "detail": "port 8787"}
    assert (items["claude-code"]["found"], items["claude-code"]["installed"]) == (False, False)
    assert items["claude-code"]["steps"][-1] == "holdfast install claude-code --proxy"
