"""Files are read whatever their wrapping, and refused with one clear line where they hold no conversation."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conversations import conversations
from examples import examples
from hypothesis import example, given, strategies as st
from processes import started
from sessions import ClaudeCode, lines, rollout, text, typed_item

from memory.conversation.messages import Form, Message
from memory.conversation.transcripts.reading import iter_transcript, read_transcript
from memory.errors import TranscriptError, UnknownFormatError

PLAIN = [{"role": "user", "content": "grüße 你好 😀"}, {"role": "assistant", "content": "ok"}]
LISTED = json.dumps(PLAIN, ensure_ascii=False)
FRAMED = json.dumps({"model": "m", "system": "be brief", "messages": PLAIN}, ensure_ascii=False)


def values(transcript) -> list[dict]:
    return [dict(m.raw) for m in transcript]


@pytest.mark.parametrize(
    "written", [LISTED, FRAMED, json.dumps(PLAIN, indent=2), "\n\n".join(map(json.dumps, PLAIN))]
)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda t: t,
        lambda t: t.encode(),
        lambda t: bytearray(t.encode()),
        lambda t: t.encode("utf-8-sig"),
        lambda t: t.encode("utf-16"),
        lambda t: t.encode("utf-16-be"),
        lambda t: t.encode("utf-16-le"),
        lambda t: t.encode("utf-32"),
        lambda t: t.replace("\n", "\r\n").encode(),
        lambda t: f"\n\n{t}\n\n".encode(),
        lambda t: gzip.compress(t.encode()),
        lambda t: io.BytesIO(t.encode()),
        io.StringIO,
    ],
)
def test_any_wrapping_reads_the_same(written, wrap):
    assert values(read_transcript(wrap(written))) == PLAIN


def test_a_file_is_read_by_its_path_and_named(tmp_path):
    file = tmp_path / "chat.json"
    file.write_text(FRAMED, encoding="utf-8")
    for source in (file, str(file)):
        transcript = read_transcript(source)
        assert values(transcript) == PLAIN
        assert transcript.path == str(file)
        assert transcript.frame == {"model": "m", "system": "be brief"}
    with file.open("rb") as opened:
        assert read_transcript(opened).path == str(file)


def test_a_pipe_is_read_though_it_can_be_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with started([sys.executable, "-c", f"open({str(pipe)!r}, 'w').write({LISTED!r})"]):
        assert values(read_transcript(pipe)) == PLAIN


def test_standard_input_is_a_dash(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LISTED.encode())))
    transcript = read_transcript("-")
    assert (transcript.path, values(transcript)) == ("-", PLAIN)


def test_parsed_json_and_messages_are_read_without_a_copy():
    transcript = read_transcript(PLAIN)
    assert all(m.raw is v for m, v in zip(transcript, PLAIN, strict=True))
    assert read_transcript(transcript) is transcript
    again = read_transcript(list(transcript))
    assert all(a is b for a, b in zip(again, transcript, strict=True))
    assert isinstance(again[0], Message)
    assert again[:1] == transcript.messages[:1]
    assert len(read_transcript({"messages": []})) == 0


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"input": "hello"}, Form.OPENAI_RESPONSES),
        ({"input": [typed_item("hello")]}, Form.OPENAI_RESPONSES),
        ({"output": [{"type": "reasoning", "summary": []}], "id": "resp_1"}, Form.OPENAI_RESPONSES),
        ({"role": "user", "content": "hello"}, Form.ANTHROPIC),
        ([{"role": "developer", "content": "x"}, {"role": "user", "content": "y"}], Form.OPENAI_CHAT),
        ([{"role": "user", "content": [text("x")]}], Form.ANTHROPIC),
        ([{"role": "tool", "content": "x", "tool_call_id": "c", "ts": 5}], Form.OPENAI_CHAT),
    ],
)
def test_requests_responses_and_lists_of_each_api_are_told_apart(value, form):
    assert read_transcript(json.dumps(value))[0].form is form


def test_a_named_format_is_taken_at_its_word():
    assert read_transcript(LISTED, format="openai-responses").form is Form.OPENAI_RESPONSES
    with pytest.raises(TranscriptError, match="'docx' cannot be read; it should be one of 'anthropic'"):
        read_transcript(LISTED, format="docx")
    with pytest.raises(TranscriptError, match="'markdown' cannot be read"):
        read_transcript(LISTED, format="markdown")


USED = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}
CALLED = {"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "function": {"name": "ls"}}]}
ITEM = {"type": "function_call", "call_id": "t1", "name": "ls", "arguments": "{}"}
WRAPPED = {"timestamp": "2025-05-01T10:00:00Z", "type": "response_item", "payload": ITEM}
TALKED = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"role": "user", "content": "hi"}}


@pytest.mark.parametrize(
    ("value", "format_", "other"),
    [
        (USED, "openai-chat", "anthropic"),
        (USED, "openai-responses", "anthropic"),
        (USED, "codex", "anthropic"),
        (CALLED, "anthropic", "openai-chat"),
        (CALLED, "openai-responses", "openai-chat"),
        (ITEM, "cline", "openai-responses"),
        (WRAPPED, "openai-responses", "codex"),
        (WRAPPED, "claude-code", "codex"),
        (TALKED, "codex", "claude-code"),
        (TALKED, "openai-responses", "claude-code"),
    ],
)
def test_a_format_that_is_named_wrongly_is_refused_with_line_and_likeness(value, format_, other, tmp_path):
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines([PLAIN[0], PLAIN[1], value]))
    with pytest.raises(TranscriptError, match=f"session.jsonl:3: .*{other}', not '{format_}'"):
        read_transcript(file, format=format_)
    with pytest.raises(TranscriptError, match="item 2: this is in the format"):
        read_transcript([*PLAIN, value], format=format_)


def test_a_trajectory_named_as_something_else_is_refused():
    with pytest.raises(TranscriptError, match="'swe-agent', not 'anthropic'"):
        read_transcript(json.dumps({"trajectory": [], "history": [{"role": "user"}]}), format="anthropic")


def test_a_conversation_of_two_forms_is_read_as_named_and_says_what_it_did_not_read():
    shown = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]}
    for mixed in ([USED, CALLED], [USED, shown]):
        transcript = read_transcript(lines(mixed), format="openai-chat")
        assert values(transcript) == mixed
        (warning,) = transcript.warnings
        assert warning == (
            "line 1: a call or result as 'anthropic' has it among messages of 'openai-chat'; not read"
        )
    pictured = [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://x"}}]}]
    assert not read_transcript(lines(pictured), format="openai-chat").warnings


def test_a_last_line_that_is_cut_short_is_a_warning():
    session = ClaudeCode()
    session.user("one")
    session.assistant("m1", text("two"))
    session.user("three")
    transcript = read_transcript(session.data[:-40])
    assert [m.text for m in transcript] == ["one", "two"]
    (warning,) = transcript.warnings
    assert warning.startswith("line 3: the file ends in the middle of a line, it is not JSON (")


def test_a_bad_line_between_good_ones_is_a_warning():
    data = lines(rollout(typed_item("one"))) + b"?????\n[1]\n" + lines(rollout(typed_item("two")))
    transcript = read_transcript(data)
    assert [m.text for m in transcript] == ["one", "two"]
    assert [w[:18] for w in transcript.warnings] == ["line 2: it is not ", "line 3: [1] should"]


def test_a_masked_path_with_an_invalid_escape_is_mended():
    data = lines(rollout(typed_item("look at HERE"))).replace(b"HERE", b"C:\\\\Users\\user\\n\\x")
    transcript = read_transcript(data)
    assert transcript[0].text == "look at C:\\Users\\user\n\\x"
    assert transcript.warnings == ("line 1: invalid escapes were read as they stand",)


def test_a_gzip_file_that_breaks_off_gives_what_it_has():
    session = ClaudeCode()
    for n in range(400):
        session.user(f"{n} {os.urandom(200).hex()}")
    packed = gzip.compress(session.data)
    transcript = read_transcript(packed[: len(packed) // 2])
    assert 0 < len(transcript) < 400
    assert any("the gzip stream breaks off here" in w for w in transcript.warnings)
    with pytest.raises(TranscriptError, match="gzip"):
        read_transcript(packed[:15])


@pytest.mark.parametrize(
    ("data", "error", "told"),
    [
        (b"", TranscriptError, "it is empty"),
        (b" \n\t\n" * 3000, TranscriptError, "it is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", TranscriptError, "a PNG image"),
        (b"\x00\x01\x02\x03 something", TranscriptError, "this is binary"),
        (b"SQLite format 3\x00", TranscriptError, "a SQLite database"),
        (b"hello there", TranscriptError, "it begins with 'hello there'"),
        (b'{"messages": [', TranscriptError, "it is not JSON (expecting value at column 15)"),
        (b'[\n{"role": "user"},\n{"role" "x"}\n]', TranscriptError, ":3: it is not JSON"),
        (b'{"messages": 5}', TranscriptError, "'messages' is 5; it should be a list of messages"),
        (b'{"messages": [5]}', TranscriptError, "item 0: 5 should be an object"),
        (
            b'[{"role": "user", "content": 5}]',
            TranscriptError,
            "item 0: message: content is 5; it should be a string",
        ),
        (
            b'{"role":"user","content":"x"}\n{"role":"user","content":5}',
            TranscriptError,
            ":2: message: content is 5",
        ),
        (b'{"role": "robot", "content": ""}', TranscriptError, "role is 'robot'; it should be 'user'"),
        (b"[" * 100_000, TranscriptError, "it is nested deeper than 200 levels"),
        (
            b'[{"role":"user","content":"","x":' + b"[" * 300 + b"]" * 300 + b"}]",
            TranscriptError,
            "deeper than 200",
        ),
        (b'{"messages":[]}\n{"messages":[]}', UnknownFormatError, "every line is a conversation of its own"),
        (b'{"name": "holdfast", "version": 1}', UnknownFormatError, "an object with 'name', 'version'"),
        (b'[{"name": "x"}]', UnknownFormatError, "an object with 'name'"),
        (b'[[1], {"role": "user"}]', TranscriptError, "item 0: [1] should be an object"),
        (b'{"trajectory": [1]}', TranscriptError, "'trajectory' should be a list of objects"),
        (b'{"n": ' + b"9" * 5000 + b"}", TranscriptError, "a number that cannot be read"),
        (b"\xff\xfe{\x00\x00\xd8x", TranscriptError, "it"),
    ],
)
def test_what_is_no_conversation_is_named_with_file_and_reason(tmp_path, data, error, told):
    file = tmp_path / "odd.json"
    file.write_bytes(data)
    with pytest.raises(error) as caught:
        read_transcript(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert told in message
    assert "\n" not in message
    assert len(message) < 600 + len(str(file))


def test_missing_files_directories_and_other_things_are_named(tmp_path):
    for source, told in [
        (tmp_path / "none.json", "there is no such file"),
        (tmp_path, "this is a directory"),
        ("nul\0byte", "this is no path"),
        (5, "not from 'int'"),
        (None, "not from 'NoneType'"),
        ({}, "it should be Anthropic"),
        ([PLAIN[0], 5], "item 1: 5 should be an object"),
        ([*read_transcript(PLAIN), {}], "item 2 is {}; it should be a Message"),
    ]:
        with pytest.raises(TranscriptError, match=told.replace("{}", r"\{\}")):
            read_transcript(source)


def test_a_path_the_system_refuses_is_named(tmp_path):
    file = tmp_path / "chat.json"
    file.write_text("[]")
    with pytest.raises(TranscriptError, match="it cannot be read"):
        read_transcript(file / "inner.json")


KEYS = [
    "role",
    "content",
    "type",
    "text",
    "messages",
    "message",
    "payload",
    "uuid",
    "parentUuid",
    "history",
    "action",
    "args",
    "id",
    "output",
]
TYPES = ["user", "assistant", "message", "response_item", "tool_use", "function_call", "gemini"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS), inner | st.sampled_from(TYPES), max_size=5)
    ),
    max_leaves=20,
)


@given(st.lists(JSON, max_size=4), st.booleans())
@example([{"role": None, "type": "user", "parentUuid": None, "message": None}], False)
@examples(200)
def test_whatever_json_comes_only_a_transcript_error_leaves(values, as_lines):
    data = "\n".join(map(json.dumps, values)) if as_lines else json.dumps(values)
    _read_or_refuse(data.encode())


@given(st.binary(max_size=200))
@example(b"\x1f\x8b")
@example(b"\x1f\x8b\x08\x00")
def test_whatever_bytes_come_only_a_transcript_error_leaves(data):
    _read_or_refuse(data)


@given(st.data(), st.sampled_from(list(Form)))
@examples(40)
def test_a_file_cut_anywhere_gives_messages_or_a_transcript_error(data, form):
    written = lines(data.draw(conversations(form)))
    _read_or_refuse(written[: data.draw(st.integers(0, len(written)))])


def _read_or_refuse(data: bytes) -> None:
    try:
        list(iter_transcript(data))
    except TranscriptError as error:
        assert "\n" not in str(error)  # noqa: PT017  # both outcomes are right


GENERATED = """
import json, resource, sys
from memory import iter_transcript, read_transcript
text = "x" * 20_000
with open(sys.argv[1], "w") as file:
    for n in range(1500):
        parent = f"u{n - 1}" if n else None
        message = {"role": "user", "content": text + str(n)}
        line = {"type": "user", "uuid": f"u{n}", "parentUuid": parent, "message": message, "toolUseResult": text}
        file.write(json.dumps(line) + "\\n")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in iter_transcript(sys.argv[1]))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(count, (after - before) // 1024)
"""


def test_streaming_a_large_file_keeps_little_of_it(tmp_path):
    file = tmp_path / "large.jsonl"
    run = subprocess.run(
        [sys.executable, "-c", GENERATED, str(file)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        timeout=100,
    )
    count, megabytes = map(int, run.stdout.split())
    assert count == 1500
    assert file.stat().st_size > 60_000_000
    assert megabytes < 20
