"""`holdfast doctor` in homes where something is broken: it says what, how to mend it, and changes nothing."""

from __future__ import annotations

import http.server
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from agent_clients import proxied
from installing import free_port, prepared
from test_plugins import broken, site  # noqa: F401  # a fixture

from condense.apps.doctor import State, agents, examine
from condense.apps.doctor.findings import Finding
from condense.apps.doctor.installation import PURPOSES
from condense.apps.doctor.telling import as_text
from memory.stores import SqliteStore

ROOT = Path(__file__).resolve().parents[3]
VARIABLES = (
    "HOLDFAST_STORE",
    "HOLDFAST_EMBEDDER",
    "HOLDFAST_MODEL_DIR",
    "HOLDFAST_QDRANT",
    "DATABASE_URL",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "HOLDFAST_PROXY_TOKEN",
)


@pytest.fixture
def machine(tmp_path, monkeypatch) -> Path:
    """A home of its own with nothing in it, for this process."""
    place = prepared(tmp_path)
    monkeypatch.setenv("HOME", str(place / "home"))
    monkeypatch.setenv("HOLDFAST_HOME", str(place / "kept"))
    monkeypatch.chdir(place / "project")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(agents, "DEFAULT_PORT", free_port())  # somebody may be using holdfast here
    return place


@pytest.fixture
def store(machine) -> Path:
    file = machine / "kept" / "memory.db"
    SqliteStore(file).close()
    return file


def found(area: str, state: State | None = None) -> list:
    return [one for one in examine() if one.area == area and state in (None, one.state)]


def settings(machine: Path, value: object) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    (machine / "home" / ".claude" / "settings.json").write_text(text)


def test_a_new_home_has_nothing_broken_and_stays_as_it_is(machine):
    before = sorted(machine.rglob("*"))
    told = examine()
    assert [one for one in told if one.state is State.BROKEN] == []
    assert {"python", "holdfast", "extra", "tokens", "store", "agent", "proxy"} <= {one.area for one in told}
    assert all(one.mend for one in told if one.state is State.NOTE)
    assert sorted(machine.rglob("*")) == before


def test_a_sound_store_is_told_with_what_it_holds(store):
    (one,) = found("store")
    assert one.state is State.OK
    assert "0 memories" in one.told


@pytest.mark.parametrize("damage", ["bytes", "empty", "foreign", "newer", "torn"])
def test_a_broken_store_is_named_and_left_alone(store, damage):
    if damage == "bytes":
        store.write_bytes(b"no database at all " * 500)
    elif damage == "empty":
        store.write_bytes(b"")
    elif damage == "torn":
        with store.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * 8192)
    else:
        with sqlite3.connect(store) as opened:
            opened.execute("PRAGMA application_id = 7" if damage == "foreign" else "PRAGMA user_version = 99")
    before = store.read_bytes()
    (one,) = found("store")
    assert one.state is State.BROKEN
    assert one.name == str(store)
    assert one.mend
    assert store.read_bytes() == before


def test_a_store_that_others_can_read_is_broken_until_it_is_closed(store):
    store.chmod(0o644)
    (one,) = found("store", State.BROKEN)
    assert one.mend == f"chmod 600 {store}"
    store.chmod(0o600)
    assert found("store", State.BROKEN) == []


def test_a_store_that_was_set_aside_is_told(store):
    store.with_name("memory.db.aside-1").write_bytes(b"old")
    assert [one.name for one in found("store", State.NOTE)] == [f"{store}.aside-1"]


def test_another_store_that_does_not_open_is_broken_and_its_password_is_not_told(machine, monkeypatch):
    monkeypatch.setenv("HOLDFAST_STORE", f"postgresql://me:pass-word@127.0.0.1:{free_port()}/x")
    (one,) = found("store")
    assert one.state is State.BROKEN
    assert "pass-word" not in str(one)
    monkeypatch.setenv("HOLDFAST_STORE", f"sqlite:///{machine}/other.db")
    assert [one.state for one in found("store")] == [State.OK]


@pytest.mark.parametrize("content", ["{ nothing", "[1, 2]"])
def test_settings_of_an_agent_that_cannot_be_read_are_named(machine, content):
    settings(machine, content)
    (one,) = found("agent", State.BROKEN)
    assert str(machine / "home" / ".claude" / "settings.json") in one.told
    (machine / "home" / ".codex" / "config.toml").write_text("= nothing")
    assert len(found("agent", State.BROKEN)) == 2


def test_records_of_installations_that_cannot_be_read_are_named(machine):
    (machine / "kept").mkdir()
    (machine / "kept" / "installed.json").write_text("{")
    assert any("installed.json" in one.told for one in found("agent", State.BROKEN))


def recorded(machine: Path, *, port: int | None = None) -> None:
    """An installation in Claude Code as its record, its settings and its plugin say."""
    plugin = machine / "kept" / "claude-code" / "holdfast" / "hooks"
    plugin.mkdir(parents=True)
    group = [{"hooks": [{"type": "command", "command": f"{sys.executable} hook SessionEnd"}]}]
    (plugin / "hooks.json").write_text(json.dumps({"hooks": {"SessionEnd": group}}))
    row = {"client": "claude-code", "scope": "user", "folder": "", "port": port}
    (machine / "kept" / "installed.json").write_text(json.dumps([row]))
    base = {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1"}
    settings(machine, {"enabledPlugins": {"holdfast@holdfast": True}, **({"env": base} if port else {})})


def test_an_installation_is_on_until_settings_or_program_go(machine):
    recorded(machine)
    assert [one.state for one in found("agent")] == [State.OK, State.OFF]
    hooks = machine / "kept" / "claude-code" / "holdfast" / "hooks" / "hooks.json"
    text = hooks.read_text()
    hooks.write_text(text.replace(sys.executable, "/nowhere/holdfast"))
    (one,) = found("agent", State.BROKEN)
    assert "/nowhere/holdfast" in one.told
    assert one.mend == "holdfast install claude-code"
    hooks.write_text(text)
    settings(machine, {})
    assert len(found("agent", State.BROKEN)) == 1


def test_a_dead_proxy_is_broken_unless_hooks_start_it(machine):
    port = free_port()
    recorded(machine, port=port)
    (one,) = found("proxy")
    assert one.state is State.BROKEN
    assert one.mend == f"holdfast proxy --port {port}"
    row = {"claude-code (user)": {"port": port, "upstream": None}}
    (machine / "kept" / "proxy.json").write_text(json.dumps(row))
    assert [one.state for one in found("proxy")] == [State.OFF]


@contextmanager
def served(code: int, body: bytes):
    """Something else that listens."""

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(code)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(("code", "body"), [(200, b"hello"), (200, b"{}"), (404, b""), (500, b"")])
def test_another_program_on_the_proxys_port_is_broken(machine, monkeypatch, code, body):
    with served(code, body) as port:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
        (one,) = found("proxy")
    assert one.state is State.BROKEN
    assert "not a holdfast proxy" in one.told


def test_a_proxy_that_hangs_is_broken_in_time(machine, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        begun = time.monotonic()
        (one,) = found("proxy")
    assert one.state is State.BROKEN
    assert time.monotonic() - begun < 30


def test_a_proxy_that_runs_is_told_with_its_mode_and_its_failures(machine, monkeypatch):
    import httpx

    with proxied("http://127.0.0.1:9", machine, "--mode", "view") as (address, _):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        (one,) = found("proxy")
        assert one.state is State.OK
        assert "mode view" in one.told
        httpx.get(f"{address}/v1/models", timeout=20)
        (one,) = found("proxy")
    assert one.state is State.NOTE
    assert "1 failure" in one.told


def test_a_proxy_with_a_token_is_asked_with_it(machine, monkeypatch):
    with proxied("http://127.0.0.1:9", machine, "--token", "open") as (address, _):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        assert [one.state for one in found("proxy")] == [State.NOTE]
        monkeypatch.setenv("HOLDFAST_PROXY_TOKEN", "open")
        assert [one.state for one in found("proxy")] == [State.OK]


def test_what_went_wrong_in_hooks_lately_is_told(machine):
    file = machine / "kept" / "start" / "failures.jsonl"
    file.parent.mkdir(parents=True)
    rows = [
        {"at": time.time() - 90 * 86_400, "event": "save", "error": "OSError: long ago"},
        {"at": time.time() - 60, "event": "SessionStart", "error": "StoreError: no room"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"at": 1')
    (one,) = found("hooks")
    assert one.state is State.NOTE
    assert "1 failure" in one.told
    assert "no room" in one.told


@pytest.mark.parametrize(
    ("variable", "area", "bad", "good"),
    [
        ("HOLDFAST_EMBEDDER", "embedder", "nowhere:x", "hashing:64"),
        ("HOLDFAST_MODEL_DIR", "embedder", "/nowhere", None),
        ("HOLDFAST_QDRANT", "qdrant", "http://127.0.0.1:9", "/some/folder"),
        ("DATABASE_URL", "database", "sqlite:////nowhere/x.db", None),
        ("DATABASE_URL", "database", "postgresql://me:pass-word@127.0.0.1:9/x", None),
    ],
)
def test_what_is_configured_and_does_not_answer_is_broken(machine, monkeypatch, variable, area, bad, good):
    assert found(area) == []
    monkeypatch.setenv(variable, bad)
    (one,) = found(area)
    assert one.state is State.BROKEN
    assert variable in one.mend
    assert "pass-word" not in str(one)
    if good:
        monkeypatch.setenv(variable, good)
        assert [one.state for one in found(area)] == [State.OK]


def test_databases_that_answer_are_fine(machine, monkeypatch, postgres_url):
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    assert [one.state for one in found("database")] == [State.OK]
    sqlite3.connect(machine / "x.db").close()
    (machine / "x.db").write_bytes(b"")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{machine}/x.db")
    assert [one.state for one in found("database")] == [State.OK]
    monkeypatch.setenv("DATABASE_URL", "mysql://somebody.elses/app")  # many projects have one of their own
    assert found("database") == []


def run(machine: Path, *words: str, sites: tuple[Path, ...] = (), before: str = "") -> tuple[int, str]:
    code = f"import sys{before}; from condense.apps.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*sites, ROOT)))},
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_exit_code_tells_whether_something_is_broken_and_plug_ins_are_listed(
    machine,
    tmp_path,
    site,  # noqa: F811  # the fixture
):
    code, told = run(machine, "--json", sites=(site,))
    assert code == 0
    assert json.loads(told)["broken"] == 0
    assert "scribble (transcripts) of holdfast-scribble 1.2" in told
    bad = broken(tmp_path / "bad", stores="mud = acme_nowhere:make")
    code, told = run(machine, sites=(bad, site))
    assert code == 1
    line = next(line for line in told.splitlines() if line.startswith("BROKEN"))
    assert "mud (stores) of acme-broken 0.3" in line
    assert "acme_nowhere" in line


def test_it_runs_where_the_command_line_is_not_installed(machine):
    hidden = "; sys.modules.update(typer=None, rich=None, tomlkit=None)"
    before = f"{hidden}; import importlib.util as u; real = u.find_spec"
    before += "; u.find_spec = lambda n, p=None: None if n in ('typer', 'rich', 'tomlkit') else real(n, p)"
    code, told = run(machine, before=before)
    assert code == 0, told
    assert "nothing is broken" in told


def test_every_extra_that_a_user_may_want_is_explained():
    import tomllib

    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    inside = {"dev", "test", "bench", "docs", "adapters", "companions", "release", "litellm-proxy"}
    assert set(PURPOSES) == set(listed) - inside


def test_extras_that_are_off_stand_on_one_line_unless_all_are_asked_for():
    found = [Finding("python", "", State.OK, "3.11"), Finding("holdfast", "", State.OK, "1.0")]
    found += [Finding("extra", name, State.OFF, f"{name} for more", f"pip install {name}") for name in ("a", "b")]
    (line,) = [one for one in as_text(found, every=False).splitlines() if one.startswith("off")]
    assert line == "off     extras: a, b (holdfast doctor --all says what for)"
    assert "b for more" in as_text(found, every=True)
