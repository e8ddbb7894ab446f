"""The sessions recorded with real clients: what they promise, and that they go through the whole library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import quarter

from condense import CondenseConfig, Condenser, TokenBudget
from condense.apps.cli import main
from condense.compaction.validity import violations
from memory import read_transcript
from memory.conversation.messages import content_digest
from memory.conversation.provenance.typed_text import is_typed
from memory.conversation.wire.parsing import parse_messages

DATA = Path(__file__).resolve().parents[2] / "benchmarks" / "data"
CLAUDE_CODE = DATA / "claude_code_session.jsonl.gz"
CODEX = DATA / "codex_session.jsonl.gz"


@pytest.mark.parametrize(
    ("file", "format_", "typed", "least"),
    [(CLAUDE_CODE, "claude-code", 15, 40_000), (CODEX, "codex", 3, 1000)],
)
def test_a_recorded_session_is_read_whole(file, format_, typed, least):
    transcript = read_transcript(file)
    assert (transcript.format.value, transcript.warnings) == (format_, ())
    assert str(transcript.cwd).endswith("/holdfast-demo/holdfast")
    assert sum(map(is_typed, transcript)) == typed
    assert sum(quarter(m.text) for m in transcript) >= least
    assert not violations(list(transcript))


@pytest.mark.parametrize(
    ("file", "forms"),
    [(CLAUDE_CODE, ("openai-chat",)), (CODEX, ("anthropic", "openai-chat", "openai-responses"))],
)
def test_a_recorded_session_is_condensed_in_every_form(file, forms, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    for to in forms:
        out = tmp_path / to
        assert main(["condense", str(file), "--target", "50%", "--to", to, "-o", str(out)]) == 0
        written = read_transcript(out, format=to)
        assert len(written) < len(read_transcript(file))
        assert not violations(list(written))


def test_what_was_typed_has_one_name_in_both_shapes_claude_code_sends_it_in():
    marked = {"type": "text", "text": "use port 9000", "cache_control": {"type": "ephemeral"}}
    newest = {"role": "user", "content": [marked]}
    later = {"role": "user", "content": "use port 9000"}
    assert content_digest(newest) == content_digest(later)
    assert content_digest({"role": "user", "content": [marked, marked]}) != content_digest(later)


def test_a_compaction_survives_the_change_of_shape():
    """Played as Claude Code sends it: the newest message a block with a marker, a string from then on."""
    budget = TokenBudget(window=20_000, trigger=12_000, target=6_000)
    condenser = Condenser(CondenseConfig(budget=budget), count_tokens=quarter)
    history = [json.loads(json.dumps(dict(m.raw))) for m in read_transcript(CLAUDE_CODE)]
    compactions = []
    for end in range(1, len(history) + 1):
        if history[end - 1]["role"] == "user":
            newest = history[end - 1]
            content = newest["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            marked = [*blocks[:-1], {**blocks[-1], "cache_control": {"type": "ephemeral"}}]
            sent = condenser.view([*history[: end - 1], {**newest, "content": marked}])
            assert not violations(parse_messages(sent))
            compactions.append(len(condenser.records))
    assert compactions == sorted(compactions)
    assert 2 <= compactions[-1] <= 15


def test_the_demo_shows_before_and_after_memories_and_receipt(tmp_path, monkeypatch, capsysbinary):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["demo"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    for expected in (
        "before",
        "after",
        "15 still there word for word",
        "remembered",
        "receipt",
        "port 9000",
        "hf_",
    ):
        assert expected in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert main(["demo", "--json"]) == 0
    told = json.loads(capsysbinary.readouterr().out)
    assert told["tokens_after"] <= 8000
    assert told["tokens_before"] > 40_000
    assert told["typed_verbatim"] == told["typed_messages"] == 15
