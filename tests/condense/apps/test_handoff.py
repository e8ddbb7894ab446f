"""`holdfast handoff` and `repair`: what is written is resumed by the real clients, rules and all."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from agent_clients import (
    CLAUDE,
    CODEX,
    LIMIT,
    REPOSITORY,
    claude_environment,
    needed,
    provider,
    run_claude,
    run_codex,
)

from condense import Condenser
from condense.apps.finding import latest_session
from condense.testing.replies import Reply
from memory.conversation import read_transcript

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(180)
RULE = "Always use PostgreSQL, never MySQL."


@pytest.fixture
def machine(tmp_path):
    for name in ("home/.claude", "home/.codex", "project"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def holdfast(machine: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess:
    keep = {k: v for k, v in os.environ.items() if k in {"PATH", "LANG", "TMPDIR"}}
    kept = {"HOLDFAST_HOME": str(machine / "kept"), "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", *arguments],
        env={**keep, **kept, "HOME": str(machine / "home")},
        cwd=machine / "project",
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def row(i: int, role: str, content: object, **more: object) -> dict:
    """A row of a Claude Code session, linked to the one before."""
    return {
        "type": role,
        "uuid": f"u{i}",
        "parentUuid": f"u{i - 1}" if i else None,
        "sessionId": "old",
        "timestamp": f"2026-01-01T00:00:{i:02d}.000Z",
        "message": {"role": role, "content": content},
        **more,
    }


def call(i: int, name: str) -> dict:
    block = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"cat part_{i}.py"}}
    thinking = {"type": "thinking", "thinking": "Let me look.", "signature": "c2ln"}
    return row(i, "assistant", [thinking, block])


def result(i: int, name: str) -> dict:
    return row(i, "user", [{"type": "tool_result", "tool_use_id": name, "content": f"zebra {i}"}])


def story() -> list[dict]:
    return [
        row(0, "user", f"Build the shop. {RULE}"),
        call(1, "t1"),
        result(2, "t1"),
        row(3, "assistant", [{"type": "text", "text": "The shop stands."}]),
        row(4, "user", "Now the till."),
        call(5, "t2"),
        result(6, "t2"),
        row(7, "assistant", [{"type": "text", "text": "The till works."}]),
    ]


def written(machine: Path, rows: list[dict | str]) -> Path:
    place = machine / "session.jsonl"
    place.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows))
    return place


def resumed_by_claude(machine: Path, session: str) -> str:
    with provider([Reply("Going on.")]) as (upstream, server):
        env = claude_environment(machine / "home", server.url)
        outcome = run_claude(["And now?"], machine / "project", env, "--resume", session)
    assert outcome.results == ["Going on."]
    return json.dumps(upstream.main[-1]["messages"], ensure_ascii=False)


@needed(CLAUDE)
@pytest.mark.clients
def test_claude_code_goes_on_with_a_session_handed_over(machine):
    done = holdfast(
        machine,
        "handoff",
        str(written(machine, story())),
        "--to",
        "claude-code",
        "--folder",
        str(machine / "project"),
    )
    session = done.stdout.split()[-1]
    sent = resumed_by_claude(machine, session)
    assert RULE in sent
    assert "Understood." in sent
    assert "And now?" in sent


@needed(CODEX)
@pytest.mark.clients
def test_codex_goes_on_with_a_session_of_claude_code(machine):
    done = holdfast(
        machine,
        "handoff",
        str(written(machine, story())),
        "--to",
        "codex",
        "--folder",
        str(machine / "project"),
    )
    session = done.stdout.split()[-1]
    with provider([Reply("Going on.")]) as (upstream, server):
        outcome = run_codex(["And now?"], machine / "project", machine / "home/.codex", server.url, resumed=session)
    assert outcome[0].returncode == 0, outcome[0].stderr[-500:]
    sent = json.dumps(upstream.main[-1]["input"], ensure_ascii=False)
    assert RULE in sent
    assert "And now?" in sent


def test_the_command_that_goes_on_can_be_pasted_into_a_shell(machine):
    folder = machine / "my project's folder"
    folder.mkdir()
    source = str(written(machine, [*story(), "{torn"]))
    for arguments in (["handoff", source, "--to", "codex", "--lenient"], ["repair", source]):
        said = holdfast(machine, *arguments, "--folder", str(folder)).stdout
        entered = subprocess.run(
            ["sh", "-c", f"{said.split(' && ')[0]} && pwd"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        assert entered.stdout.strip() == str(folder)


def test_a_folder_that_is_not_there_is_refused(machine):
    source = str(written(machine, [*story(), "{torn"]))
    for arguments in (["handoff", source, "--to", "codex", "--lenient"], ["repair", source]):
        done = holdfast(machine, *arguments, "--folder", "/nowhere", code=2)
        assert "--folder '/nowhere' is not a folder" in done.stderr
    assert not [*(machine / "home").rglob("*.jsonl")]


def test_a_short_talk_goes_over_as_it_is(machine):
    rows = [row(0, "user", RULE), row(1, "assistant", [{"type": "text", "text": "I will."}])]
    done = holdfast(machine, "handoff", str(written(machine, rows)), "--to", "codex")
    assert holdfast(machine, "handoff", str(machine / "session.jsonl"), "--to", "markdown").stdout.startswith(
        "This continues an earlier session."
    )
    (before, after) = re.findall(r"(\d+) -> (\d+) tokens", done.stderr)[0]
    assert before == after
    (session,) = (machine / "home/.codex").rglob("*.jsonl")
    assert [m.text for m in read_transcript(session)] == [RULE, "I will."]


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_the_latest_session_is_not_what_a_handoff_wrote_until_somebody_goes_on_with_it(machine, agent):
    project, home = machine / "project", machine / "home"
    own = home / ".claude/projects" / re.sub("[^A-Za-z0-9]", "-", str(project)) / "own.jsonl"
    own.parent.mkdir(parents=True)
    own.write_bytes(written(machine, story()).read_bytes())
    holdfast(machine, "handoff", "latest", "--to", agent)
    assert latest_session(project, home) == own
    (new,) = (file for file in home.rglob("*.jsonl") if file != own)
    with new.open("a") as opened:
        opened.write(json.dumps(row(9, "user", "And now?")) + "\n")
    assert latest_session(project, home) == new
    if agent == "claude-code":
        assert "holdfast's record of an earlier one" in holdfast(machine, "memories", "latest").stdout


def test_instructions_of_the_old_agent_neither_go_over_nor_take_room(machine):
    messages = [{"role": "system", "content": "Answer as the old agent does. " * 4_000}]
    for i in range(40):
        messages += [{"role": "user", "content": f"{RULE} Look at part {i}."}]
        messages += [{"role": "assistant", "content": f"Part {i} holds " + "zebras and giraffes " * 60}]
    source = machine / "chat.json"
    source.write_text(json.dumps(messages))
    done = holdfast(machine, "handoff", str(source), "--to", "markdown", "--target", "4k")
    assert RULE in done.stdout
    assert "as the old agent does" not in done.stdout
    counted = Condenser().count(done.stdout)
    assert 2_000 < counted <= 4_000


def test_markdown_is_one_prompt_with_the_rules(machine):
    done = holdfast(machine, "handoff", str(written(machine, story())), "--to", "markdown")
    assert done.stdout.startswith("This continues an earlier session.")
    assert RULE in done.stdout
    assert "Now the till." in done.stdout


def broken(name: str) -> list[dict | str]:
    rows: list[dict | str] = [*story()]
    match name:
        case "a null link in the middle":
            rows[4] = {**rows[4], "parentUuid": None}
        case "a link that leads nowhere":
            rows[5] = {**rows[5], "parentUuid": "gone"}
        case "a lost result":
            del rows[2]
            rows[2] = {**rows[2], "parentUuid": "u1"}
        case "a result of another call":
            rows[6] = result(6, "other")
        case "a torn line":
            rows.insert(4, json.dumps(row(9, "user", "torn"))[:60])
        case "equal times":
            rows = [{**r, "timestamp": "2026-01-01T00:00:00.000Z"} for r in rows]
        case "no content":
            rows[3] = row(3, "assistant", None)
        case "a call twice":
            rows[5], rows[6] = call(5, "t1"), result(6, "t1")
        case "an unknown block":
            rows[7] = row(
                7, "assistant", [{"type": "hologram", "data": 1}, {"type": "text", "text": "The till works."}]
            )
        case _:
            raise ValueError(name)
    return rows


BROKEN = [
    "a null link in the middle",
    "a link that leads nowhere",
    "a lost result",
    "a result of another call",
    "a torn line",
    "equal times",
    "no content",
    "a call twice",
    "an unknown block",
]


def valid(messages: list[dict]) -> list[str]:
    """What a strict provider would refuse."""
    wrong, waiting, seen = [], [], set()
    for i, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = sorted(b["tool_use_id"] for b in blocks if b["type"] == "tool_result")
        if results != sorted(waiting):
            wrong.append(f"{i}: results {results} for calls {waiting}")
        waiting = [b["id"] for b in blocks if b["type"] == "tool_use"]
        wrong += [f"{i}: {name} twice" for name in waiting if name in seen]
        seen.update(waiting)
        wrong += [f"{i}: {b['type']}" for b in blocks if b["type"] not in {"text", "tool_use", "tool_result"}]
    return wrong


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_session_is_made_whole(machine, name):
    source = written(machine, broken(name))
    before = source.read_bytes()
    done = holdfast(machine, "repair", str(source), "--folder", str(machine / "project"))
    assert source.read_bytes() == before
    place = next((machine / "home/.claude/projects").rglob("*.jsonl"))
    rows = [json.loads(line) for line in place.read_text().splitlines()]
    said = [r["message"] for r in rows if "message" in r]
    assert valid(said) == []
    text = json.dumps(said)
    assert RULE in text
    assert "Now the till." in text
    assert done.stdout.strip().endswith(place.stem)
    times = [r["timestamp"] for r in rows if "timestamp" in r]
    assert times == sorted(set(times))
    assert read_transcript(place).messages


def test_what_the_client_said_by_itself_does_not_become_the_persons_words(machine):
    rows = broken("a null link in the middle")
    rows.append(row(len(rows), "user", "Never use the old cache.", isMeta=True))
    holdfast(machine, "repair", str(written(machine, rows)), "--folder", str(machine / "project"))
    place = next((machine / "home/.claude/projects").rglob("*.jsonl"))
    shown = {m.text: m.meta.is_meta for m in read_transcript(place).messages if m.role == "user" and m.text}
    assert shown["Never use the old cache."]
    assert not shown["Now the till."]


@needed(CLAUDE)
@pytest.mark.clients
def test_claude_code_goes_on_with_a_session_that_was_mended(machine):
    rows = broken("a null link in the middle")
    rows[6] = result(6, "other")
    done = holdfast(machine, "repair", str(written(machine, rows)), "--folder", str(machine / "project"))
    sent = resumed_by_claude(machine, done.stdout.split()[-1])
    assert RULE in sent
    assert "The till works." in sent


def test_a_session_beyond_the_window_is_condensed_too(machine):
    rows: list[dict | str] = [row(0, "user", f"Build the shop. {RULE}")]
    for i in range(1, 59, 2):
        rows += [call(i, f"t{i}"), {**result(i + 1, f"t{i}")}]
        rows[-1]["message"]["content"][0]["content"] = "\n".join(f"def part_{i}_{k}(): pass" for k in range(200))
    done = holdfast(
        machine,
        "repair",
        str(written(machine, rows)),
        "--window",
        "20k",
        "--target",
        "8k",
        "--folder",
        str(machine / "project"),
    )
    assert "condensed from" in done.stderr
    place = next((machine / "home/.claude/projects").rglob("*.jsonl"))
    assert place.stat().st_size < 60_000
    assert RULE in place.read_text()


def test_what_is_wrong_with_many_lines_is_said_once(machine):
    rows = [json.dumps(row(i, "user", f"Look at {i} in C:@users")).replace("@", "\\") for i in range(40)]
    done = holdfast(machine, "handoff", str(written(machine, rows)), "--to", "markdown")
    assert "Look at 39" in done.stdout
    assert done.stderr.count("\n") == 1
    assert "line 1: invalid escapes" in done.stderr
    assert "(and 39 more like this)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["repair", "/nowhere.jsonl"], "/nowhere.jsonl"),
        (["repair", __file__], "it is not JSON"),
        (["handoff", "/nowhere.jsonl", "--to", "codex"], "/nowhere.jsonl"),
        (["handoff", "x", "--to", "vim"], "--to 'vim'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(machine, arguments, said):
    done = holdfast(machine, *arguments, code=2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("thinking", [False, True])
def test_of_a_sound_session_nothing_is_written_unless_a_file_is_named(machine, thinking):
    rows = [row(0, "user", f"Build the shop. {RULE}"), row(1, "assistant", "Done.")]
    if thinking:
        blocks = [
            {"type": "thinking", "thinking": "A shop.", "signature": "s"},
            {"type": "text", "text": "Done."},
        ]
        rows[1]["message"]["content"] = blocks
    source = str(written(machine, rows))
    done = holdfast(machine, "repair", source, "--folder", str(machine / "project"))
    assert "nothing to mend" in done.stdout
    assert ("-o OUT" in done.stderr) == thinking
    assert not (machine / "home/.claude/projects").exists()
    out = machine / "out.jsonl"
    holdfast(machine, "repair", source, "-o", str(out))
    assert RULE in out.read_text()
    assert "signature" not in out.read_text()


def test_messages_of_a_request_are_no_session_to_repair(machine):
    source = machine / "request.json"
    source.write_text(json.dumps([{"role": "user", "content": RULE}]))
    assert "not a session of Claude Code or Codex" in holdfast(machine, "repair", str(source), code=2).stderr


def test_a_rollout_without_its_first_line_is_mended(machine):
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": RULE}]}
    lost = {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"}
    rows: list[dict | str] = ["{torn"]
    rows += [
        {"timestamp": "2026-01-01T00:00:00.000Z", "type": "response_item", "payload": one} for one in (item, lost)
    ]
    done = holdfast(machine, "repair", str(written(machine, rows)), "--folder", str(machine / "project"))
    place = next((machine / "home/.codex/sessions").rglob("*.jsonl"))
    new = [json.loads(line) for line in place.read_text().splitlines()]
    assert new[0]["type"] == "session_meta"
    items = [r["payload"] for r in new if r["type"] == "response_item"]
    calls = {i["call_id"] for i in items if i.get("type") == "function_call"}
    outputs = {i["call_id"] for i in items if i.get("type") == "function_call_output"}
    assert calls == outputs
    assert RULE in json.dumps(items)
    assert done.stdout.strip().startswith("cd ")
