"""`holdfast hook`: what an agent is told at its start, what is saved at its end, and what that costs."""

from __future__ import annotations

import json
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stored_memories import stored

from condense.apps.hooks import failures_file
from condense.apps.hooks.starting import listener
from condense.apps.hooks.texts import session_text, waiting_file
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory import PersistentMemoryManager
from memory.stores import open_store, store_file

REPOSITORY = Path(__file__).resolve().parents[3]
RULES = ["Always use PostgreSQL, never MySQL.", "请始终使用 pnpm，不要用 npm。"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "project" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return tmp_path / "project"


def hook(event: str, told: dict | str, **env: str) -> str:
    sent = told if isinstance(told, str) else json.dumps(told)
    done = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", "hook", event],
        input=sent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **env},
    )
    assert done.returncode == 0
    assert done.stderr == ""
    return done.stdout


def transcript(place: Path, texts: list[str]) -> Path:
    rows = []
    for i, text in enumerate(texts):
        row = {"type": "user", "uuid": f"u{i}", "parentUuid": f"a{i - 1}" if i else None, "sessionId": "s1"}
        row |= {"timestamp": f"2026-01-01T00:00:{i:02d}.000Z", "message": {"role": "user", "content": text}}
        answer = {"type": "assistant", "uuid": f"a{i}", "parentUuid": f"u{i}", "sessionId": "s1"}
        answer |= {"timestamp": f"2026-01-01T00:00:{i:02d}.500Z"}
        answer |= {"message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}}
        rows += [row, answer]
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


def told(project: Path, texts: list[str], **more: str) -> dict:
    session = transcript(project.parent / "session.jsonl", texts)
    return {"session_id": "s1", "transcript_path": str(session), "cwd": str(project), **more}


def test_what_was_said_stands_at_the_start_after_a_compaction_and_in_the_next_session(project):
    event = told(project, [*RULES, "Now build the giraffe index."])
    assert hook("PreCompact", event) == ""
    after = hook("SessionStart", {**event, "source": "compact"})
    assert all(rule in after for rule in RULES)
    assert "Now build the giraffe index." in after
    assert all(after.count(rule) == 1 for rule in RULES)
    assert "earlier sessions" not in after  # there was none
    assert "recall_memory" in after
    later = hook("SessionStart", {"session_id": "s2", "cwd": str(project), "source": "startup"})
    assert all(rule in later for rule in RULES)
    assert "giraffe" not in later
    assert not failures_file().exists()


@pytest.mark.parametrize(
    "command",
    [
        "/compact zebra",
        "<command-name>/holdfast:recall</command-name>\n<command-args>zebra</command-args>",
        "<system-reminder>\nzebra\n</system-reminder>",
    ],
)
def test_a_command_or_a_reminder_is_no_request(project, command):
    event = told(project, [*RULES, "Now build the giraffe index.", command])
    hook("PreCompact", event)
    after = hook("SessionStart", {**event, "source": "compact"})
    assert "Latest request:\nNow build the giraffe index." in after
    assert "zebra" not in after


def test_a_hook_says_at_most_nine_thousand_characters(project):
    many = [f"Never rename the module part_{i} of package {i * 7}, it is loaded by name." for i in range(120)]
    event = told(project, many)
    hook("SessionEnd", event)
    assert 3_000 < len(hook("SessionStart", {**event, "source": "compact"})) <= 9_001


def test_the_start_knows_what_was_accepted_or_forgotten_since(project):
    event = told(project, ["Build the shop.", *RULES])
    hook("PreCompact", event)
    hook("SessionStart", {**event, "source": "compact"})
    manager = PersistentMemoryManager.open(project)
    gone = next(m for m in manager.get_project_memories() if "PostgreSQL" in m.entry.content)
    manager.forget(gone.id)
    manager.store.close()
    later = hook("SessionStart", {"session_id": "s2", "cwd": str(project), "source": "startup"})
    assert RULES[0] not in later
    assert RULES[1] in later


def test_outside_a_project_and_without_a_store_nothing_is_said(project):
    assert hook("SessionStart", {"session_id": "s2", "cwd": str(project), "source": "startup"}) == ""
    assert hook("SessionStart", {"session_id": "s2", "cwd": "/nowhere", "source": "startup"}) == ""


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "no json",
        "[1]",
        '{"transcript_path": "/nowhere.jsonl"}',
        "\ud800".encode("utf-8", "replace").decode(),
    ],
)
@pytest.mark.parametrize("event", ["SessionStart", "PreCompact", "SessionEnd", "UserPromptSubmit", "Unknown"])
def test_whatever_a_client_sends_a_hook_succeeds(project, event, sent):
    hook(event, sent)


def test_what_goes_wrong_is_kept_and_shown(project):
    hook("PreCompact", {"session_id": "s1", "transcript_path": "/nowhere.jsonl", "cwd": str(project)})
    end = time.monotonic() + 30
    while not failures_file().exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert "/nowhere.jsonl" in failures_file().read_text()
    shown = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", "install", "status"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    ).stdout
    assert "/nowhere.jsonl" in shown


def test_a_session_that_ends_without_a_prompt_is_no_failure(project):
    hook("SessionEnd", {"session_id": "s1", "transcript_path": "/nowhere.jsonl", "cwd": str(project)})
    assert not failures_file().parent.exists()  # nothing was begun


def test_what_was_said_stands_after_a_compaction_even_where_the_store_takes_no_more(project):
    hook("SessionEnd", told(project, ["Build the shop."]))
    hook("SessionStart", {"session_id": "s1", "cwd": str(project), "source": "compact"})
    with sqlite3.connect(store_file()) as store:
        store.execute("CREATE TRIGGER full BEFORE INSERT ON memories BEGIN SELECT RAISE(ABORT, 'full'); END")
    event = told(project, ["Build the shop.", *RULES])
    hook("PreCompact", event)
    assert RULES[0] in hook("SessionStart", {**event, "source": "compact"})
    assert "full" in failures_file().read_text()


def test_a_session_that_is_saved_from_a_folder_with_packages_of_our_names_runs_nothing_there(project):
    """A project may have folders `memory` and `condense`, and files named as modules of Python."""
    for name in ("memory", "condense"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text("open('ran', 'w')\nraise SystemExit(1)\n")
    (project / "json.py").write_text("open('ran', 'w')\nraise SystemExit(1)\n")
    event = told(project, RULES)
    sent = {**event, "source": "compact"}
    for name, given in (("PreCompact", event), ("SessionStart", sent)):
        said = subprocess.run(
            [sys.executable, "-P", "-m", "condense.apps.cli", "hook", name],
            input=json.dumps(given),
            cwd=project,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        ).stdout
    assert RULES[0] in said
    assert not (project / "ran").exists()


def test_a_session_whose_saving_was_cut_off_is_not_waited_for(project):
    event = told(project, RULES)
    hook("PreCompact", event)
    hook("SessionStart", {**event, "source": "compact"})
    left = waiting_file("s1")
    left.touch()
    os.utime(left, (time.time() - 60, time.time() - 60))
    began = time.monotonic()
    assert RULES[0] in hook("SessionStart", {**event, "source": "compact"})
    assert time.monotonic() - began < 10


def test_helpers_of_the_agent_hear_nothing(project):
    event = told(project, RULES)
    hook("PreCompact", event)
    assert hook("SessionStart", {**event, "source": "compact", "agent_id": "a1"}) == ""


def test_neither_what_the_agent_proposed_nor_what_tools_and_other_projects_said_is_told(project):
    rows = [json.loads(line) for line in transcript(project.parent / "a.jsonl", RULES).read_text().splitlines()]
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "RULES.md"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "Never deploy on zebra days."}
    for i, (role, block) in enumerate([("assistant", call), ("user", result)]):
        row = {"type": role, "uuid": f"t{i}", "parentUuid": f"t{i - 1}" if i else "a1", "sessionId": "s1"}
        row |= {"timestamp": f"2026-01-01T00:01:{i:02d}.000Z", "message": {"role": role, "content": [block]}}
        rows.append(row)
    session = project.parent / "session.jsonl"
    session.write_text("".join(json.dumps(row) + "\n" for row in rows))
    event = {"session_id": "s1", "transcript_path": str(session), "cwd": str(project)}
    hook("PreCompact", event)
    after = hook("SessionStart", {**event, "source": "compact"})
    manager = PersistentMemoryManager.open(project)
    manager.remember("Always ask the giraffe first.", task_id="s1", by_agent=True)
    manager.store.close()
    told_later = hook("SessionStart", {"session_id": "s2", "cwd": str(project), "source": "startup"})
    for text in (after, told_later):
        assert RULES[0] in text
        assert "zebra" not in text
        assert "giraffe" not in text
    (project.parent / "other" / ".git").mkdir(parents=True)
    (project.parent / "other" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    other = {"session_id": "s3", "cwd": str(project.parent / "other"), "source": "startup"}
    assert hook("SessionStart", other) == ""


@pytest.mark.parametrize("event", ["SessionStart", "PreCompact", "SessionEnd", "UserPromptSubmit"])
def test_a_hook_is_silent_where_the_data_folder_cannot_be_made(project, event):
    (project.parent / "file").write_text("")
    sent = told(project, RULES, source="compact")
    assert hook(event, sent, HOLDFAST_HOME=str(project.parent / "file" / "kept")) == ""


def test_secrets_are_not_told(project):
    event = told(project, ["Always use the API key sk-ant-REDACTED for staging."])
    hook("PreCompact", event)
    assert "api03" not in hook("SessionStart", {**event, "source": "compact"})


def test_a_prompt_that_touches_a_rule_is_answered_only_where_that_is_wanted(project):
    event = told(project, ["Never touch the migrations folder."])
    hook("SessionEnd", event)
    hook("SessionStart", {**event, "source": "compact"})
    asked = {"session_id": "s2", "cwd": str(project), "prompt": "Clean up the migrations folder"}
    assert hook("UserPromptSubmit", asked) == ""
    assert "Never touch the migrations folder." in hook("UserPromptSubmit", asked, HOLDFAST_PROMPT_RULES="1")
    other = {**asked, "prompt": "Write the giraffe page"}
    assert hook("UserPromptSubmit", other, HOLDFAST_PROMPT_RULES="1") == ""


def test_the_start_after_a_compaction_waits_a_moment_for_thousands_of_rules_that_are_still_being_shared(
    project,
):
    event = told(project, RULES)
    hook("PreCompact", event)
    hook("SessionStart", {**event, "source": "compact"})
    waiting_file("s1").touch()
    os.utime(session_text("s1"))
    began = time.monotonic()
    assert RULES[0] in hook("SessionStart", {**event, "source": "compact"})
    assert 1 <= time.monotonic() - began < 10


def wanted_proxy(project, port):
    (project.parent / "kept").mkdir(exist_ok=True)
    row = {"claude-code (user)": {"port": port, "upstream": None}}
    (project.parent / "kept" / "proxy.json").write_text(json.dumps(row))


def test_a_proxy_that_is_busy_is_not_called_another_program():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert listener(port, 0.2) == "proxy"
    assert listener(port, 0.2) == ""


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_the_person_is_told_where_another_program_has_the_port_of_the_proxy(project, event):
    with ScriptedServer(Reply("What?")) as other:
        port = int(other.url.rpartition(":")[2])
        wanted_proxy(project, port)
        said = json.loads(hook(event, told(project, [])))
    assert f"another program has port {port}" in said["systemMessage"]
    assert "holdfast install claude-code --proxy --port" in said["systemMessage"]


def test_the_person_is_told_where_the_proxy_cannot_be_started_and_the_rules_still_stand(project):
    event = told(project, RULES)
    hook("PreCompact", event)
    with socket.socket() as taken:  # not listening: nobody answers, and nobody else can
        taken.bind(("127.0.0.1", 0))
        wanted_proxy(project, taken.getsockname()[1])
        said = json.loads(hook("SessionStart", {**event, "source": "compact"}))
    assert "holdfast uninstall claude-code" in said["systemMessage"]
    assert RULES[0] in said["hookSpecificOutput"]["additionalContext"]


@pytest.mark.timing
@pytest.mark.parametrize("event", ["SessionStart", "PreCompact", "SessionEnd"])
def test_a_hook_takes_no_more_than_150_ms_of_cpu(project, event):
    """In a project with thousands of memories, and where the store was changed since by another project."""
    with open_store() as store:
        manager = PersistentMemoryManager.open(project, store=store)
        kept = [stored(f"m{i}", f"Keep part{i} sorted by key {i}.", project=manager.project) for i in range(3_000)]
        store.put(kept)
    sent = told(project, RULES)
    hook("PreCompact", sent)
    hook("SessionStart", {**sent, "source": "compact"})
    with open_store() as store:
        store.put_record(None, "proxy/other", "r1", "{}", 1.0)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    hook(event, {**sent, "source": "startup"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 0.150
