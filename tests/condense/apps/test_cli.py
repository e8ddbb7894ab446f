"""The command line does what it says: conversations in every format, originals back, JSON for machines."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from cli_sessions import ASKS, FORMATS, ROOT, claude_code, codex, holdfast, plot
from processes import started
from typer.testing import CliRunner

from condense import Condenser
from condense.apps.cli import main
from condense.apps.cli.commands.session_commands import app
from condense.compaction.archive import DiskArchive
from condense.compaction.validity import violations
from memory import read_transcript
from memory.conversation.wire.parsing import parse_messages
from memory.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

FORMS = {"claude-code": "anthropic", "codex": "openai-responses", "anthropic request": "anthropic"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "holdfast-home"
    monkeypatch.setenv("HOLDFAST_HOME", str(folder))
    (tmp_path / "here" / ".git").mkdir(parents=True)
    (tmp_path / "here" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(tmp_path / "here")
    return folder


@pytest.fixture
def session(tmp_path):
    file = tmp_path / "session.jsonl"
    file.write_bytes(claude_code(plot()))
    return file


def answer(capsysbinary) -> dict:
    return json.loads(capsysbinary.readouterr().out)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_condensed_to_a_valid_conversation_of_its_form(name, home, tmp_path, capsysbinary):
    file, out = tmp_path / "in", tmp_path / "out.json"
    file.write_bytes(FORMATS[name](plot()))
    before = file.read_bytes()
    assert main(["condense", str(file), "--target", "3k", "-o", str(out), "--json"]) == 0
    told = answer(capsysbinary)
    assert told["tokens_after"] <= 3000 < told["tokens_before"]
    written = read_transcript(out)
    assert written.form.value == FORMS.get(name, name)
    assert not violations(parse_messages(list(written)))
    text = "\n".join(m.text for m in written)
    assert all(ask in text for ask in ASKS)
    assert told["typed_messages"] == told["typed_verbatim"] == len(ASKS)
    assert file.read_bytes() == before
    if name == "anthropic request":
        assert json.loads(out.read_bytes())["system"] == "brief"


@pytest.mark.parametrize("to", ["anthropic", "openai-chat", "openai-responses", "markdown"])
def test_the_conversation_goes_to_stdout_in_the_chosen_format(to, home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "3k", "--to", to]) == 0
    printed = capsysbinary.readouterr()
    if to == "markdown":
        assert ASKS[0].encode() in printed.out
    else:
        assert read_transcript(printed.out, format=to).form.value == to
    assert b"expand hf_" in printed.err


def test_a_session_within_the_target_comes_out_unchanged(home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "1m"]) == 0
    printed = capsysbinary.readouterr()
    assert [m.digest for m in read_transcript(printed.out)] == [m.digest for m in read_transcript(session)]
    assert b"nothing to do" in printed.err


def test_a_share_of_the_session_is_a_target(home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "25%", "--json"]) == 0
    told = answer(capsysbinary)
    assert told["target"] == pytest.approx(told["tokens_before"] / 4, abs=2)
    assert told["tokens_after"] <= told["target"]


def test_a_target_out_of_reach_says_so_and_gives_the_original_back(home, session, tmp_path, capsysbinary):
    out = tmp_path / "out.json"
    assert main(["condense", str(session), "--target", "20", "-o", str(out)]) == 1
    assert b"cannot be reached" in capsysbinary.readouterr().err
    assert [m.digest for m in read_transcript(out)] == [m.digest for m in read_transcript(session)]


def test_what_was_folded_comes_back_in_another_process(home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "3k", "--json"]) == 0
    told = answer(capsysbinary)
    originals = {json.dumps(m.raw, sort_keys=True) for m in read_transcript(session)}
    for handle in told["handles"][:3]:
        again = holdfast("expand", handle, "--json", home=home)
        assert again.returncode == 0, again.stderr
        assert json.dumps(json.loads(again.stdout)["message"], sort_keys=True) in originals
    outputs = [a for a in told["actions"] if a["kind"] == "turn" and a["handles"]]
    shown = holdfast("expand", outputs[0]["handles"][1], home=home)
    assert shown.stdout.startswith(b"line 0 of file 0: value = 0\nline 0 of file 0")


def test_the_last_receipt_can_be_shown_later(home, session, capsysbinary):
    main(["condense", str(session), "--target", "3k", "--json"])
    made = answer(capsysbinary)
    assert main(["report", "--last", "--json"]) == 0
    again = answer(capsysbinary)
    assert (again["record"], again["actions"]) == (made["record"], made["actions"])
    assert main(["report", "--last"]) == 0
    assert made["record"].encode() in capsysbinary.readouterr().out


def test_the_last_receipt_is_that_of_the_folder_it_is_asked_in(home, session, tmp_path, monkeypatch, capsysbinary):
    main(["condense", str(session), "--target", "3k", "--json"])
    made = answer(capsysbinary)
    for name, is_repository in (("other", True), ("plain", False)):
        (tmp_path / name / ".git").mkdir(parents=True) if is_repository else (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert main(["report", "--last"]) == 2
        assert b"no compaction of a session of this folder" in capsysbinary.readouterr().err
    (tmp_path / "plain" / "chat.json").write_bytes(FORMATS["anthropic"](plot()))
    assert main(["condense", "chat.json", "--target", "2k", "--json"]) == 0
    plain = answer(capsysbinary)
    assert main(["report", "--last", "--json"]) == 0
    told = answer(capsysbinary)
    assert (told["record"], told["session"]) == (plain["record"], plain["originals"]["session"])
    assert main(["report", "--last"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    (command,) = re.findall(r"holdfast expand HANDLE( --session \S+)", shown)
    assert main(["expand", plain["handles"][0], *command.split()]) == 0
    capsysbinary.readouterr()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["report", "--last", "--json"]) == 0
    assert answer(capsysbinary)["record"] == made["record"]


def test_the_command_in_a_receipt_fetches_an_original(home, session, tmp_path, monkeypatch, capsysbinary):
    for folder in (tmp_path / "here", tmp_path):
        monkeypatch.chdir(folder)
        assert main(["condense", str(session), "--target", "3k", "-o", str(tmp_path / "out.json")]) == 0
        shown = capsysbinary.readouterr().out.decode()
        (command,) = re.findall(r"holdfast (expand hf_[^\n]*)", shown)
        assert main(command.split()) == 0
        capsysbinary.readouterr()


def test_a_target_that_nothing_said_fits_into_is_refused_before_anything_is_written(home, tmp_path, capsysbinary):
    talk = [
        {"role": role, "content": f"{said} number {n} of the long talk about the shop and its many parts"}
        for n in range(30)
        for role, said in (("user", "question"), ("assistant", "answer"))
    ]
    (tmp_path / "chat.json").write_text(json.dumps(talk))
    out = tmp_path / "out.json"
    assert main(["condense", str(tmp_path / "chat.json"), "--target", "100", "-o", str(out)]) == 1
    assert b"nothing that you said fits into 100 tokens" in capsysbinary.readouterr().err
    assert not out.exists()
    assert main(["condense", str(tmp_path / "chat.json"), "--target", "400", "-o", str(out)]) == 0
    assert "question number 29" in out.read_text()


def test_everything_that_is_kept_is_in_one_private_file(home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "3k", "--json"]) == 0
    told = answer(capsysbinary)
    assert {file.name.removesuffix("-wal").removesuffix("-shm") for file in home.iterdir()} == {"memory.db"}
    assert not any(file.stat().st_mode & 0o077 for file in home.iterdir())
    with SqliteStore(home / "memory.db") as store:
        owner = told["originals"]["project"], told["originals"]["session"]
        assert all(store.get_original(*owner, handle) for handle in told["handles"])
        assert json.loads(store.newest_record(None))["id"] == told["record"]


def test_a_data_folder_that_was_loosened_is_closed_again_by_any_command(home, session, capsysbinary):
    assert main(["condense", str(session), "--target", "3k", "--json"]) == 0
    handle = answer(capsysbinary)["handles"][0]
    for command in (
        ["expand", handle],
        ["report", "--last"],
        ["memory", "list"],
        ["condense", str(session), "--target", "2k"],
    ):
        home.chmod(0o777)
        (home / "memory.db").chmod(0o666)
        assert main(command) == 0
        assert home.stat().st_mode & 0o777 == 0o700
        assert (home / "memory.db").stat().st_mode & 0o777 == 0o600


def test_a_store_of_a_newer_release_is_refused_in_one_line_by_every_command(home, session, capsysbinary):
    made = holdfast("condense", str(session), "--target", "3k", "--json", home=home)
    handle = json.loads(made.stdout)["handles"][0]
    newer = sqlite3.connect(home / "memory.db")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = (home / "memory.db").read_bytes()
    for command in (["expand", handle], ["report", "--last"], ["memory", "list"], ["mcp"]):
        assert main(command) == 2
        (line,) = capsysbinary.readouterr().err.splitlines()
        assert b"schema 99" in line
        assert b"update holdfast" in line
        assert (home / "memory.db").read_bytes() == before
        assert [file.name for file in home.iterdir()] == ["memory.db"]


def test_what_earlier_releases_kept_in_folders_still_comes_back(home, session, capsysbinary):
    old = json.dumps({"role": "user", "content": "said long ago"}).encode()
    handle = DiskArchive(home / "originals").put(old)
    assert main(["expand", handle]) == 0
    assert capsysbinary.readouterr().out == b"said long ago\n"
    assert not (home / "memory.db").exists()
    done = Condenser().condense(read_transcript(session), target=3000)
    (home / "records").mkdir()
    (home / "records" / "old.json").write_text(done.record.to_json())
    assert main(["report", "--last", "--json"]) == 0
    assert answer(capsysbinary)["record"] == done.record.id
    assert main(["condense", str(session), "--target", "1500", "--json"]) == 0
    newer = answer(capsysbinary)["record"]
    assert main(["report", "--last", "--json"]) == 0
    assert answer(capsysbinary)["record"] == newer != done.record.id
    assert main(["expand", handle]) == 0


def test_no_secret_reaches_the_disk_with_what_is_folded(home, tmp_path, capsysbinary):
    secret = "sk-" + "ant-api03-" + "aB3dE5gH7j" * 8 + "-AA"
    made = plot()
    made[0] = (("ask", f"{ASKS[0]} The key is {secret}"), made[0][1])
    made[1][1][1][0][1][0] = ("cat .env", f"ANTHROPIC_API_KEY={secret}\n" + "other\n" * 400)
    file = tmp_path / "in.json"
    file.write_bytes(FORMATS["anthropic"](made))
    assert main(["condense", str(file), "--target", "3k", "--json"]) == 0
    told = answer(capsysbinary)
    shown = ""
    for handle in told["handles"]:
        assert main(["expand", handle]) == 0
        shown += capsysbinary.readouterr().out.decode()
    assert "ANTHROPIC_API_KEY=" in shown
    assert secret not in shown
    assert main(["report", "--last", "--json"]) == 0
    assert secret.encode() not in capsysbinary.readouterr().out
    assert not any(secret.encode() in file.read_bytes() for file in home.iterdir())


def test_a_report_is_a_dry_run(home, session, capsysbinary):
    assert main(["report", str(session), "--target", "3k", "--json"]) == 0
    told = answer(capsysbinary)
    assert {a["level"] for a in told["actions"]} >= {"verbatim", "folded"} or told["folding"]
    assert all(a["reason"] for a in told["actions"])
    assert sum(row["tokens_before"] for row in told["folding"]) == told["tokens_before"]
    assert not home.exists()
    assert main(["report", str(session), "--target", "3k", "--all"]) == 0
    assert b"nothing was written" in capsysbinary.readouterr().out


def test_memories_are_the_words_that_were_typed(home, session, capsysbinary):
    assert main(["memories", str(session), "--all", "--json"]) == 0
    told = answer(capsysbinary)
    assert told["memories"]
    typed = "\n".join(ASKS)
    assert all(m["content"] in typed for m in told["memories"])
    assert any("never touch the tests directory" in m["content"] for m in told["memories"])
    assert told["stats"]["total_memories"] <= len(told["memories"])
    assert main(["memories", str(session)]) == 0
    assert "never touch the tests" in " ".join(capsysbinary.readouterr().out.decode().split())


def test_every_message_has_a_score_with_reasons(home, session, capsysbinary):
    assert main(["score", str(session), "--json"]) == 0
    told = answer(capsysbinary)
    assert [s["index"] for s in told["scores"]] == list(range(told["source"]["messages"]))
    assert sum(s["is_user_message"] for s in told["scores"]) == len(ASKS)
    assert all(0 <= s["score"] <= 100 for s in told["scores"])
    assert sum(b["messages"] for b in told["bands"]) == len(told["scores"])
    assert "must_keep" in {b["band"] for b in told["bands"]}
    assert main(["score", str(session), "--all"]) == 0
    assert b"user message" in capsysbinary.readouterr().out


def test_a_summary_is_held_against_its_session(home, session, tmp_path, capsysbinary):
    summary = tmp_path / "summary.txt"
    summary.write_text(
        "Worked on /srv/nowhere/invented_module.py; the user confirmed the release.", encoding="utf-8"
    )
    assert main(["verify", str(summary), "--source", str(session), "--json"]) == 1
    told = answer(capsysbinary)
    assert not told["ok"]
    assert any("invented_module" in found["text"] for found in told["invented"])
    assert main(["verify", str(summary), "--source", str(session)]) == 1
    assert b"not ok" in capsysbinary.readouterr().out


def test_what_we_condense_passes_its_verification(home, session, tmp_path):
    out = tmp_path / "out.json"
    main(["condense", str(session), "--target", "3k", "-o", str(out)])
    assert main(["verify", str(out), "--source", str(session)]) == 0


KEYS = {
    "condense": {
        "source",
        "target",
        "overhead",
        "tokens_before",
        "tokens_after",
        "changed",
        "error",
        "messages_after",
    }
    | {"typed_messages", "typed_verbatim", "memories", "memory_summary", "summary", "record", "handles"}
    | {"folding", "actions", "notes", "cost", "originals", "output", "conversation"},
    "report": {
        "source",
        "target",
        "overhead",
        "tokens_before",
        "tokens_after",
        "error",
        "folding",
        "actions",
    },
    "memories": {"source", "stats", "summary", "memories"},
    "score": {"source", "bands", "scores"},
}


@pytest.mark.parametrize("command", KEYS)
def test_the_keys_of_the_json_are_stable(command, home, session):
    ran = CliRunner().invoke(app, [command, str(session), "--json"])
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert set(told) == {"command", "version"} | KEYS[command]
    assert told["command"] == command
    assert set(told["source"]) == {"path", "format", "form", "session_id", "cwd", "messages", "warnings"}


def test_json_holds_the_conversation_unless_it_went_to_a_file(home, session, tmp_path, capsysbinary):
    main(["condense", str(session), "--target", "3k", "--json", "--to", "openai-chat"])
    assert answer(capsysbinary)["conversation"][0]["role"] == "user"
    main(["condense", str(session), "--target", "3k", "--json", "-o", str(tmp_path / "out")])
    told = answer(capsysbinary)
    assert told["conversation"] is None
    assert told["output"]["path"] == str(tmp_path / "out")


def test_a_session_is_read_from_standard_input(home):
    ran = holdfast("condense", "-", "--target", "3k", home=home, given=gzip.compress(claude_code(plot())))
    assert ran.returncode == 0, ran.stderr
    assert read_transcript(ran.stdout).form.value == "anthropic"


def test_latest_is_the_newest_session_of_this_folder(home, tmp_path):
    work = tmp_path / "shop"
    work.mkdir()
    user = tmp_path / "user"
    claude = user / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(work)) / "s.jsonl"
    rollout = user / ".codex" / "sessions" / "2025" / "05" / "01" / "rollout-1.jsonl"
    for file, data in ((claude, claude_code(plot())), (rollout, codex(plot()))):
        file.parent.mkdir(parents=True)
        file.write_bytes(data.replace(b"/home/you/shop", str(work).encode()))
    os.utime(claude, (1, 1))
    for expected in ("codex", "claude-code"):
        ran = holdfast("memories", "latest", "--json", home=home, cwd=work, HOME=str(user))
        assert ran.returncode == 0, ran.stderr
        assert json.loads(ran.stdout)["source"]["format"] == expected
        os.utime(rollout, (0, 0))


def test_lone_surrogates_and_control_characters_do_no_harm(home, tmp_path, capsysbinary):
    made = plot()
    made[0] = (("ask", "odd \ud800 \x1b[31mred\x1b[0m \u202e text"), made[0][1])
    file = tmp_path / "in.json"
    file.write_bytes(FORMATS["anthropic"](made))
    for arguments in (["condense"], ["condense", "--json"], ["report"], ["memories"]):
        target = ["--target", "3k"] if arguments[0] != "memories" else []
        assert main([*arguments, str(file), *target]) == 0, arguments
        printed = capsysbinary.readouterr()
        assert b"\x1b[31m" not in printed.err
        if arguments == ["condense"]:
            assert "\ud800" in read_transcript(printed.out)[0].text


def test_help_and_version_are_told(home, capsysbinary):
    assert main(["--version"]) == 0
    assert re.fullmatch(rb"holdfast \S+\n", capsysbinary.readouterr().out)
    for arguments in ([], ["--help"]):
        assert main(arguments) == 0
        assert b"condense" in capsysbinary.readouterr().out


def test_importing_the_library_does_not_load_the_command_line():
    code = (
        "import sys, condense, memory; from condense import Condenser; "
        "sys.exit(bool({'typer', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=100).returncode == 0


def test_without_the_extra_one_line_says_how_to_get_it():
    code = (
        "import sys, importlib.util as u; real = u.find_spec; "
        "u.find_spec = lambda n, p=None: None if n in ('typer', 'rich') else real(n, p); "
        "from condense.apps.cli import main; sys.exit(main(['--help']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=100)
    assert ran.returncode == 2
    assert ran.stdout == b""
    assert re.fullmatch(rb"holdfast: [^\n]*pip install 'holdfast-context\[cli\]'[^\n]*\n", ran.stderr)


def running(*arguments: str, home: Path):
    environment = {**os.environ, "HOLDFAST_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "condense.apps.cli", *arguments]
    return started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


@pytest.mark.parametrize(
    "arguments",
    [["report", "--target", "3k", "--json"], ["report", "--target", "3k", "--all"], ["score", "--all"]],
)
def test_a_reader_that_goes_away_is_met_with_silence(arguments, home, session):
    with running(*arguments, str(session), home=home) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.fixture(params=["foreground", "background"])
def shell(request):
    """Shells ignore SIGINT for what they start in the background, and that is inherited."""
    before = signal.getsignal(signal.SIGINT)
    if request.param == "background":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_leaves_everything_as_it_was(home, tmp_path, shell):
    out = tmp_path / "out.json"
    out.write_text("before", encoding="utf-8")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # opening the pipe waits for the command to open it, which then waits for something to read
    with running("condense", str(pipe), "-o", str(out), home=home) as process, pipe.open("wb"):
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
    assert process.returncode == 130
    assert told == b"holdfast: interrupted; nothing was written\n"
    assert out.read_text(encoding="utf-8") == "before"
