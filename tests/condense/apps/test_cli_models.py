"""`holdfast condense --model`: a model writes, its cost is shown, and whatever it does the session is safe."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
from cli_sessions import ROOT, claude_code, plot
from processes import started

from condense.apps.cli import main
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory import read_transcript

SUMMARY = "### Goal and latest request\nThe price list of the shop.\n### State of the work\nFiles were looked at."


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-key")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-key")
    file = tmp_path / "session.jsonl"
    file.write_bytes(claude_code(plot()))
    return file


@pytest.mark.parametrize("provider", ["anthropic", "openai", "openai-responses"])
def test_a_model_writes_the_narrative_and_its_cost_is_told(provider, session, tmp_path, capsysbinary):
    before, out = session.read_bytes(), tmp_path / "out.json"
    reply = Reply(SUMMARY, input_tokens=10_000, output_tokens=200)
    with ScriptedServer(reply) as server:
        url = server.url if provider == "anthropic" else f"{server.url}/v1"
        model = ["--model", f"{provider}:claude-haiku-4-5", "--base-url", url]
        assert main(["condense", str(session), "--target", "3k", "-o", str(out), *model, "--json"]) == 0
        told = json.loads(capsysbinary.readouterr().out)
        assert main(["condense", str(session), "--target", "3k", "-o", str(out), *model]) == 0
    assert told["cost"] == pytest.approx(0.011)
    assert told["tokens_after"] <= 3_000
    assert "cost $0.0110" in capsysbinary.readouterr().out.decode()
    assert "The price list of the shop." in "\n".join(m.text for m in read_transcript(out))
    assert session.read_bytes() == before


def test_what_went_wrong_twice_is_told_once_and_on_one_line(session, tmp_path, capsysbinary):
    with ScriptedServer(Reply("")) as server:
        model = ["--model", "anthropic:m", "--base-url", server.url]
        arguments = [str(session), "--target", "3k", "-o", str(tmp_path / "out.json"), *model]
        assert main(["condense", *arguments]) == 0
    (told,) = capsysbinary.readouterr().err.decode().splitlines()
    assert told.count("it is empty") == 1
    assert told.startswith("holdfast: ")
    assert told.endswith("(2 times); compacted without a model")


def test_a_model_that_fails_leaves_the_offline_compaction_and_says_so(session, tmp_path, capsysbinary):
    out = tmp_path / "out.json"
    with ScriptedServer(Reply(status=401, message="no such key sk-test-key")) as server:
        model = ["--model", "anthropic:m", "--base-url", server.url]
        assert main(["condense", str(session), "--target", "3k", "-o", str(out), *model]) == 0
    captured = capsysbinary.readouterr()
    assert b"HTTP 401" in captured.err
    assert b"without a model" in captured.err
    assert b"sk-test-key" not in captured.err + captured.out
    assert "never touch the tests directory" in "\n".join(m.text for m in read_transcript(out))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--model", "gpt-5"], "'gpt-5' is not a model"),
        (["--model", "openai:"], "is not a model"),
        (["--model", "mistral:x"], "anthropic:NAME"),
        (["--base-url", "http://127.0.0.1:1"], "needs a --model"),
    ],
)
def test_wrong_models_are_refused_before_anything_is_read(options, told, session, capsysbinary):
    assert main(["condense", str(session), *options]) == 2
    assert told in capsysbinary.readouterr().err.decode()


def test_a_missing_key_is_one_line(session, monkeypatch, capsysbinary):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert main(["condense", str(session), "--target", "3k", "--model", "openai:gpt-5"]) == 2
    error = capsysbinary.readouterr().err.decode()
    assert error.startswith("holdfast: openai: ")
    assert error.count("\n") == 1


def test_an_interruption_while_the_model_writes_leaves_everything_as_it_was(session, tmp_path):
    out = tmp_path / "out.json"
    before = session.read_bytes()
    with ScriptedServer(Reply(SUMMARY, delay=10)) as server:
        command = [
            sys.executable,
            "-m",
            "condense.apps.cli",
            "condense",
            str(session),
            "--target",
            "3k",
            "-o",
            str(out),
        ]
        with started(
            [*command, "--model", "anthropic:m", "--base-url", server.url],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as running:
            deadline = time.monotonic() + 30
            while not server.requests and time.monotonic() < deadline:
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            error = running.stderr.read()
    assert running.returncode == 130
    assert b"interrupted" in error
    assert not out.exists()
    assert session.read_bytes() == before
    assert not list((tmp_path / "home").glob("**/*.json"))


@pytest.mark.parametrize("provider", ["anthropic", "openai", "openai-responses"])
def test_without_a_key_it_is_refused_on_one_line(provider, session, tmp_path, capsysbinary, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    out = tmp_path / "out.json"
    assert main(["condense", str(session), "--target", "3k", "-o", str(out), "--model", f"{provider}:m"]) == 2
    (told,) = capsysbinary.readouterr().err.decode().splitlines()
    assert told.startswith(f"holdfast: {provider}: ")
    assert not out.exists()
