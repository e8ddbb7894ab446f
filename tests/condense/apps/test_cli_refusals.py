"""Bad input, bad options, bad disks: one clear line on stderr, exit code 2, nothing half-written."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from cli_sessions import ROOT, claude_code, holdfast, plot
from hypothesis import given, strategies as st

from condense.apps.cli import main
from condense.apps.cli.amounts import read_amount
from condense.apps.cli.refusals import Refusal
from memory import read_transcript

GOOD = claude_code(plot(steps=1, length=3))
DEEP = b'[{"role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]"

BAD_CONTENTS = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n ", "empty"),
    "no list items": (b"[]", "no messages"),
    "no json": (b"hello, this is prose", ":1: .*not JSON"),
    "broken json": (b'[{"role": "user", ', "not JSON"),
    "a number": (b"42", ""),
    "text as a list": (b'["a", "b"]', "item 0"),
    "wrong role type": (b'[{"role": 5, "content": "x"}]', ""),
    "wrong content type": (b'[{"role": "user", "content": 5}]', ""),
    "unknown shape": (b'{"colour": "red"}', ""),
    "binary": (os.urandom(64) + b"\x00" * 64, "binary"),
    "image": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 40, "PNG"),
    "damaged gzip": (b"\x1f\x8b\x08\x00 not really", "gzip"),
    "nested too deeply": (DEEP, "nested deeper"),
    "truncated last line": (GOOD[:-30], rf":{GOOD.count(bytes([10]))}: .*--lenient"),
    "damaged line": (GOOD.replace(b"\n", b"\n{oops\n", 3), ":2: .*--lenient"),
    "a line that is no object": (GOOD + b"[1, 2]\n" + GOOD, ": .*should be an object"),
    "no messages inside": (b'{"type": "mode", "sessionId": "x"}\n' * 3, ""),
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "holdfast-home"
    monkeypatch.setenv("HOLDFAST_HOME", str(folder))
    return folder


@pytest.fixture
def session(tmp_path):
    file = tmp_path / "session.jsonl"
    file.write_bytes(GOOD)
    return file


def refused(capsysbinary, *arguments: str, code: int = 2) -> str:
    assert main(list(arguments)) == code, arguments
    printed = capsysbinary.readouterr()
    assert printed.out == b""
    told = printed.err.decode()
    assert re.fullmatch(r"holdfast: [^\n]{5,900}\n", told), told
    assert "Traceback" not in told
    assert "internal error" not in told
    return told


@pytest.mark.parametrize("case", BAD_CONTENTS)
@pytest.mark.parametrize("command", ["condense", "report", "memories", "score"])
def test_content_that_is_no_conversation_is_refused(command, case, tmp_path, capsysbinary):
    content, reason = BAD_CONTENTS[case]
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    out = tmp_path / "out.json"
    arguments = [command, str(file), *(["-o", str(out)] if command == "condense" else [])]
    told = refused(capsysbinary, *arguments)
    assert told.startswith(f"holdfast: {file}")
    assert re.search(reason, told), told
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing.jsonl", "no such file"), (".", "directory"), ("nul\0byte", ""), ("x" * 5000, "")],
)
@pytest.mark.parametrize("command", ["condense", "report", "memories", "score"])
def test_a_file_that_cannot_be_read_is_named(command, name, reason, tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    assert reason in refused(capsysbinary, command, name)


def test_what_can_be_read_of_a_damaged_file_is_read_when_asked(tmp_path, capsysbinary):
    file = tmp_path / "bad.jsonl"
    file.write_bytes(BAD_CONTENTS["truncated last line"][0])
    assert main(["condense", str(file), "--lenient"]) == 0
    printed = capsysbinary.readouterr()
    assert len(read_transcript(printed.out)) == len(read_transcript(GOOD)) - 1
    assert f"{file}: line ".encode() in printed.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--target", "lots"], "16k"),
        (["--target", "0"], "above 0"),
        (["--target", "-5"], "not a number of tokens"),
        (["--target", "150%"], "share"),
        (["--target", "1.5"], "whole number"),
        (["--target", "nan"], "not a number of tokens"),
        (["--target", ""], "not a number of tokens"),
        (["--to", "yaml"], "openai-chat"),
        (["--from", "yaml"], "claude-code"),
        (["-o", "."], "folder"),
        (["-o", "nowhere/out.json"], "no folder"),
        (["-o", "session.jsonl"], "the session itself"),
        (["-o", "nul\0byte"], ""),
        (["--colour"], "No such option"),
    ],
)
def test_bad_options_are_refused_before_anything_is_done(
    arguments, reason, session, monkeypatch, home, capsysbinary
):
    monkeypatch.chdir(session.parent)
    assert reason in refused(capsysbinary, "condense", "session.jsonl", *arguments)
    assert session.read_bytes() == GOOD
    assert not home.exists()


@pytest.mark.parametrize(
    "arguments",
    [["condense"], ["cndense"], ["report"], ["report", "x", "--last"], ["report", "--last"], ["verify", "x"]],
)
def test_incomplete_commands_are_refused(arguments, capsysbinary):
    refused(capsysbinary, *arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["condense"], "(holdfast condense --help)"),
        (["memory", "show"], "(holdfast memory show --help)"),
        (["report"], "needs a FILE to plan for, such as latest, or --last"),
        (["report", "x", "--last"], "a FILE to plan for or --last, not both"),
        (["report", "--last"], "without holdfast proxy the agent compacts by itself; holdfast report latest"),
    ],
)
def test_refusals_say_what_the_command_takes(arguments, said, capsysbinary):
    assert said in refused(capsysbinary, *arguments)


@pytest.mark.parametrize("handle", ["hf_0123456789ab", "hello", "", "../../etc/passwd", "hf_*", "0" * 70])
def test_handles_that_name_nothing_are_refused(handle, capsysbinary):
    assert repr(handle) in refused(capsysbinary, "expand", handle)


def test_a_summary_that_is_no_text_is_refused(session, tmp_path, capsysbinary):
    for content, reason in ((b"\xff\xfe\x00", "UTF-8"), (b"", "empty")):
        summary = tmp_path / "summary"
        summary.write_bytes(content)
        assert reason in refused(capsysbinary, "verify", str(summary), "--source", str(session))
    assert "standard input" in refused(capsysbinary, "verify", "-", "--source", "-")
    refused(capsysbinary, "verify", str(tmp_path), "--source", str(session))


def test_no_latest_session_says_where_it_was_looked_for(tmp_path, home):
    ran = holdfast("condense", "latest", home=home, cwd=tmp_path, HOME=str(tmp_path))
    assert ran.returncode == 2
    assert str(tmp_path).encode() in ran.stderr


def test_a_home_that_cannot_be_made_is_refused(session, tmp_path, monkeypatch, capsysbinary):
    monkeypatch.setenv("HOLDFAST_HOME", str(session / "below a file"))
    assert "HOLDFAST_HOME" in refused(capsysbinary, "condense", str(session))


def limited(limit: int):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


@pytest.mark.parametrize("old", [b"what stood here before", None])
def test_a_full_disk_leaves_no_half_written_file(old, tmp_path, home):
    file, folder = tmp_path / "session.jsonl", tmp_path / "out"
    file.write_bytes(claude_code(plot()))
    folder.mkdir()
    out = folder / "out.json"
    if old is not None:
        out.write_bytes(old)
    ran = subprocess.run(
        [
            sys.executable,
            "-B",
            "-m",
            "condense.apps.cli",
            "condense",
            str(file),
            "--target",
            "1m",
            "-o",
            str(out),
        ],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=limited(4096),
        timeout=100,
    )
    assert ran.returncode == 2
    assert re.fullmatch(rb"holdfast: cannot write [^\n]*out.json: [^\n]*\n", ran.stderr), ran.stderr
    assert [p.name for p in folder.iterdir()] == ([] if old is None else ["out.json"])
    assert old is None or out.read_bytes() == old


def test_originals_that_cannot_be_kept_leave_the_conversation_as_it_was(tmp_path, home):
    file = tmp_path / "session.jsonl"
    file.write_bytes(claude_code(plot()))
    ran = subprocess.run(
        [sys.executable, "-B", "-m", "condense.apps.cli", "condense", str(file), "--target", "3k"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=limited(1024),
        timeout=100,
    )
    assert ran.returncode in (1, 2)
    assert b"Traceback" not in ran.stderr
    assert not list(home.rglob(".part-*"))


def test_a_full_standard_output_is_told(session, home):
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "condense.apps.cli", "condense", str(session)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=100,
        )
    assert ran.returncode == 2
    assert re.fullmatch(rb"holdfast: cannot write to standard output: [^\n]*\n", ran.stderr), ran.stderr


def test_devices_and_links_are_written_through(session, tmp_path, capsysbinary):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    assert main(["condense", str(session), "-o", str(link)]) == 0
    assert link.is_symlink()
    assert json.loads(real.read_bytes())
    assert real.stat().st_mode & 0o777 == 0o640
    assert main(["condense", str(session), "-o", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()


def test_a_very_large_file_that_is_no_session_is_refused(tmp_path, home):
    file = tmp_path / "large.jsonl"
    with file.open("wb") as opened:
        opened.truncate(200_000_000)
    ran = holdfast("condense", str(file), home=home)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert str(file).encode() in ran.stderr


@given(st.integers(1, 10**9))
def test_amounts_are_read_as_written(number):
    assert read_amount(f"{number}").of(5) == number
    assert read_amount(f"{number:,}").of(5) == number
    assert read_amount(f" {number}k ").of(5) == 1000 * number
    assert read_amount("16.5K").tokens == 16_500
    assert read_amount("0.2").of(1000) == read_amount("20%").of(1000) == 200


@given(st.text(max_size=12))
def test_no_amount_ends_in_anything_but_a_refusal(text):
    try:
        tokens = read_amount(text).of(1000)
    except Refusal:
        return
    assert tokens >= 1
