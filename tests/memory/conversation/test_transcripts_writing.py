"""Conversations are written as the APIs take them, untouched messages identical, or for people."""

from __future__ import annotations

import json
import os

import pytest
from conversations import conversations, pairing_faults
from examples import examples
from hypothesis import given, strategies as st
from sessions import ClaudeCode, call, lines, rollout, text, typed_item

from condense.apps.cli.refusals import Refusal
from condense.apps.cli.sessions import read_session
from condense.apps.finding import latest_session
from memory.conversation.messages import Form, Role
from memory.conversation.transcripts.reading import read_transcript
from memory.conversation.transcripts.writing import write_transcript
from memory.conversation.wire.parsing import make_text
from memory.errors import TranscriptError

FORMS = list(Form)


@given(st.data(), st.sampled_from(FORMS), st.booleans())
@examples(60)
def test_an_untouched_conversation_is_written_as_the_identical_value(data, form, framed):
    values = data.draw(conversations(form))
    key = "input" if form is Form.OPENAI_RESPONSES else "messages"
    whole = {"model": "m", "tools": [{"x": 1}], key: values} if framed else values
    transcript = read_transcript(json.dumps(whole), format=form.value)
    assert json.loads(write_transcript(transcript, format=form.value)) == whole


@given(st.data(), st.sampled_from(FORMS))
@examples(30)
def test_json_lines_are_written_as_the_identical_values(data, form):
    values = data.draw(conversations(form))
    transcript = read_transcript(lines(values), format=form.value)
    assert json.loads(write_transcript(transcript, format=form.value)) == values


ODD = (
    '[{"role": "user", "content": "\\ud800 \\u2028", "x": 123456789012345678901234567890, '
    '"y": 1e400, "z": [0.1, -0.0]}]'
)


def test_huge_numbers_and_lone_surrogates_survive(tmp_path):
    transcript = read_transcript(ODD)
    file = tmp_path / "out.json"
    written = write_transcript(transcript, file)
    assert json.loads(written) == json.loads(ODD)
    assert json.loads(file.read_bytes()) == json.loads(ODD)
    assert [dict(m.raw) for m in read_transcript(file)] == json.loads(ODD)
    assert write_transcript(transcript, tmp_path / "out.md", format="markdown")
    assert (tmp_path / "out.md").read_bytes().startswith(b"## User\n\n\\ud800")


def test_letters_are_written_as_they_are_one_message_a_line():
    written = write_transcript(
        [make_text(Form.ANTHROPIC, Role.USER, "你好"), make_text(Form.ANTHROPIC, Role.USER, "x")]
    )
    assert written == '[\n{"role": "user", "content": "你好"},\n{"role": "user", "content": "x"}\n]\n'
    assert write_transcript([]) == "[]\n"


def test_an_agents_session_is_written_for_every_api():
    session = ClaudeCode()
    session.user("go")
    session.assistant(
        "m1", {"type": "thinking", "thinking": "hm", "signature": "s"}, text("Look."), call("a"), call("b")
    )
    session.result("b", "B")
    session.result("a", "A", parent="u1")
    transcript = read_transcript(session.data)
    for form in FORMS:
        values = json.loads(write_transcript(transcript, format=form.value))
        assert pairing_faults(values, form) == []
        assert ("hm" in json.dumps(values)) == (form is Form.ANTHROPIC)


def test_leading_system_messages_become_the_system_of_anthropic():
    values = [
        {"role": "system", "content": "be brief"},
        {"role": "developer", "content": [text("be kind")]},
        {"role": "user", "content": "hello"},
        {"role": "system", "content": "later"},
    ]
    written = json.loads(write_transcript(read_transcript(values), format="anthropic"))
    assert written == {
        "system": "be brief\n\nbe kind",
        "messages": [{"role": "user", "content": "hello"}, {"role": "system", "content": "later"}],
    }
    assert read_transcript(written).frame == {"system": "be brief\n\nbe kind"}


def test_a_frame_that_is_given_is_put_around():
    message = make_text(Form.OPENAI_CHAT, Role.USER, "x")
    written = write_transcript([message], format="openai-chat", frame={"model": "m"})
    assert json.loads(written) == {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    framed = read_transcript({"model": "m", "messages": [{"role": "user", "content": "x"}]})
    assert json.loads(write_transcript(framed, format="openai-responses"))[0]["type"] == "message"


def test_what_stands_beside_the_content_is_written_on_request():
    session = ClaudeCode()
    session.user("Caveat", isMeta=True)
    session.user("Story", isCompactSummary=True)
    transcript = read_transcript(session.data)
    assert all(set(v) == {"role", "content"} for v in json.loads(write_transcript(transcript)))
    again = read_transcript(write_transcript(transcript, meta=True))
    assert [m.meta for m in again] == [m.meta for m in transcript]
    assert [m.digest for m in again] == [m.digest for m in transcript]


def test_markdown_shows_who_speaks_what_is_called_and_what_comes_back():
    fence = "look:\n```\ncode\n```"
    call_block = {
        "type": "tool_use",
        "id": "t",
        "name": "Edit",
        "input": {"path": "a.py", "new": "x\ny", "n": 3},
    }
    values = [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "two\nlines"}, text("Sure."), call_block],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": fence, "is_error": True}],
        },
        {"role": "assistant", "content": [text("Done."), {"type": "hologram"}]},
    ]
    assert write_transcript(read_transcript(values), format="markdown") == (
        "## User\n\ngo\n\n## Assistant\n\n> two\n> lines\n\nSure.\n\n**Call** `Edit`\n\n- path: `a.py`\n\n- new:\n\n"
        "```\nx\ny\n```\n\n- n: `3`\n\n## Tool\n\n**Result** of `Edit` failed\n\n````\nlook:\n```\ncode\n```\n````\n\n"
        "## Assistant\n\nDone.\n\n*[hologram]*\n"
    )


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    file = tmp_path / "out.json"
    file.write_text("old")
    file.chmod(0o640)
    message = make_text(Form.ANTHROPIC, Role.USER, "new")
    write_transcript([message], file)
    assert "new" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]
    with pytest.raises(TranscriptError, match="it cannot be written"):
        write_transcript([message], tmp_path / "none" / "out.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(TranscriptError, match="folder: it cannot be written"):
        write_transcript([message], tmp_path / "folder")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "out.json"]


def test_a_format_that_cannot_be_written_is_named():
    with pytest.raises(TranscriptError, match="'codex' cannot be written; it should be one of 'anthropic', "):
        write_transcript([], format="codex")


@pytest.mark.parametrize("agent", ["CLAUDE_CONFIG_DIR", "CODEX_HOME"])
def test_the_latest_session_is_looked_for_where_the_agents_were_told_to_keep_theirs(agent, tmp_path, monkeypatch):
    cwd, other = tmp_path / "shop", tmp_path / "other"
    cwd.mkdir()
    monkeypatch.chdir(cwd)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    name = "".join(c if c.isalnum() and c.isascii() else "-" for c in str(cwd))
    if agent == "CODEX_HOME":
        file = other / "sessions" / "2026" / "01" / "02" / "rollout-1.jsonl"
        records = [*rollout({"id": "c", "cwd": str(cwd)}, kind="session_meta"), *rollout(typed_item("go"))]
    else:
        file = other / "projects" / name / "a.jsonl"
        records = [{"type": "user", "uuid": "u", "message": {"role": "user", "content": "go"}}]
    file.parent.mkdir(parents=True)
    file.write_bytes(lines(records))
    with pytest.raises(Refusal):
        read_session("latest")
    monkeypatch.setenv(agent, str(other))
    assert read_session("latest").path == str(file)


def test_the_latest_session_is_the_newest_of_the_directory(tmp_path):
    home = tmp_path / "home"
    cwd = tmp_path / "my.shop"
    cwd.mkdir()
    assert latest_session(cwd, home) is None
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(cwd))
    days = home / ".codex" / "sessions" / "2025" / "05" / "01"
    elsewhere = rollout({"id": "x", "cwd": "/elsewhere"}, kind="session_meta")
    here = rollout({"id": "y", "cwd": str(cwd)}, kind="session_meta")
    older = [{"id": "z", "timestamp": "t", "instructions": None}, typed_item(f"<cwd>{cwd}</cwd>")]
    files = [
        (folder / "a.jsonl", b"{}", 100),
        (folder / "b.jsonl", b"{}", 200),
        (folder / "agent-1.jsonl", b"{}", 900),
        (folder / "empty.jsonl", b"", 900),
        (days / "rollout-1.jsonl", lines(elsewhere), 800),
        (days / "rollout-2.jsonl", lines(here), 300),
        (days / "rollout-3.jsonl", lines(older), 400),
    ]
    for file, data, seconds in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        os.utime(file, (seconds, seconds))
    assert latest_session(cwd, home) == days / "rollout-3.jsonl"
    (days / "rollout-3.jsonl").unlink()
    assert latest_session(cwd, home) == days / "rollout-2.jsonl"
    os.utime(folder / "a.jsonl", (500, 500))
    assert latest_session(cwd, home) == folder / "a.jsonl"
    assert latest_session(tmp_path, home) is None


@pytest.mark.parametrize("format_", ["openai-chat", "openai-responses", "markdown"])
@pytest.mark.parametrize("system", ["Answer in rhymes.", [{"type": "text", "text": "Answer in rhymes."}]])
def test_the_instructions_of_a_request_go_along_into_another_form(tmp_path, format_, system):
    file = tmp_path / "request.json"
    messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]
    file.write_text(json.dumps({"model": "m", "system": system, "messages": messages}), encoding="utf-8")
    written = write_transcript(read_transcript(file), format=format_)
    assert written.count("Answer in rhymes.") == 1
    assert written.index("Answer in rhymes.") < written.index("Hello.")
    assert write_transcript(read_transcript(file)).count("Answer in rhymes.") == 1


@pytest.mark.parametrize("many", [0, 1, 2])
@pytest.mark.parametrize("frame", [None, {}, {"system": "be brief"}])
@pytest.mark.parametrize("form", ["anthropic", "openai-chat", "openai-responses"])
def test_what_is_written_is_read_again_however_few_its_messages(many, frame, form, tmp_path):
    values = [{"type": "message", "role": "user", "content": f"{k}"} for k in range(many)]
    file = tmp_path / "out.json"
    write_transcript(read_transcript(values, format=form), file, format=form, frame=frame)
    for source in (file, file.read_bytes(), file.read_text(encoding="utf-8")):
        assert [m.text for m in read_transcript(source)] == [f"{k}" for k in range(many)]
