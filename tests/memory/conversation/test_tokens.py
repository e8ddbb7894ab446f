"""Counting tokens: exact where ranks are at hand, estimated well elsewhere, never hanging, never over the network."""

from __future__ import annotations

import hashlib
import json
import socket
import statistics
from pathlib import Path

import pytest
import tiktoken
from builders import quarter
from hypothesis import given, strategies as st

from memory.conversation.messages import PartKind
from memory.conversation.tokens.counting import (
    RANK_ADDRESS,
    count_message,
    default_counter,
    exact_counter,
    has_ranks,
    message_text,
    ranks_folder,
)
from memory.conversation.tokens.estimating import estimate_tokens
from memory.conversation.wire.parsing import parse_message, parse_messages

SAMPLES = json.loads(Path(__file__).with_name("token_samples.json").read_text(encoding="utf-8"))
"""Texts written for this test, with the number of their tokens in o200k_base as tiktoken counts them."""


@pytest.mark.parametrize("kind", ["prose", "code", "json", "logs", "chinese"])
def test_the_estimate_is_close_to_the_exact_count(kind):
    samples = [s for s in SAMPLES if s["kind"] == kind]
    assert len(samples) >= 6
    errors = [abs(estimate_tokens(s["text"]) / s["tokens"] - 1) for s in samples]
    assert statistics.median(errors) <= 0.06  # texts of 80 to 400 tokens; windows of 2,000 characters do better
    assert max(errors) <= 0.12
    total = sum(s["tokens"] for s in samples)
    assert abs(sum(estimate_tokens(s["text"]) for s in samples) / total - 1) <= 0.05


def test_the_estimate_beats_a_quarter_of_the_characters():
    def off(count) -> float:
        return statistics.mean(abs(count(s["text"]) / s["tokens"] - 1) for s in SAMPLES)

    assert off(estimate_tokens) < off(lambda text: len(text) / 4) / 3


@given(st.text(st.characters(), max_size=400))
def test_any_text_has_between_one_token_and_its_bytes(text):
    size = len(text.encode("utf-8", "surrogatepass"))
    assert min(1, size) <= estimate_tokens(text) <= size


@given(st.text(max_size=100))
def test_the_estimate_is_deterministic(text):
    assert estimate_tokens(text) == estimate_tokens(text)


def test_odd_texts_are_estimated():
    assert estimate_tokens("") == 0
    assert estimate_tokens("a \ud800 b") > 0
    assert estimate_tokens("😀" * 100) >= 90
    assert estimate_tokens("\x00" * 10) <= 10
    for unit in (" ", "\n", "a", "=", "0", "-", "é", "中", "\t"):
        assert 0 < estimate_tokens(unit * 100_000) <= 300_000


@pytest.fixture
def bytes_encoding(monkeypatch):
    """An encoding of single bytes, registered as loaded, so that the exact counter can be tried without ranks."""
    ranks = {bytes([i]): i for i in range(256)}
    made = tiktoken.Encoding(
        "bytes_only", pat_str=r"(?s).", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 256}
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "bytes_only", made)
    return "bytes_only"


def test_an_encoding_that_is_loaded_is_counted_with_exactly(bytes_encoding):
    count = exact_counter(bytes_encoding)
    assert count is not None
    assert count("") == 0
    assert count("héllo") == 6
    assert count("<|endoftext|>") == 13
    assert count("a\ud800b") > 2
    assert "bytes_only" in repr(count)


def test_long_texts_are_counted_in_chunks_and_none_is_lost(bytes_encoding):
    count = exact_counter(bytes_encoding)
    assert count is not None
    for text in (" " * 1_000_000, "line\n" * 100_000, "x" * 16_001, "中" * 50_000, "\n" * 40_000):
        assert count(text) == len(text.encode())


def test_without_ranks_nothing_is_fetched_and_the_estimate_serves(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the network was used")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert exact_counter() is None
    assert default_counter() is estimate_tokens
    assert list(tmp_path.iterdir()) == []


def test_damaged_ranks_count_as_missing_and_stay_as_they_are(tmp_path, monkeypatch):
    file = tmp_path / hashlib.sha1(RANK_ADDRESS.format("o200k_base").encode()).hexdigest()
    file.write_bytes(b"not what it should be")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    assert not has_ranks("o200k_base")
    assert exact_counter() is None
    assert file.read_bytes() == b"not what it should be"


def test_tiktokens_own_folder_is_the_one_that_is_looked_in(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    assert ranks_folder() == tmp_path
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert ranks_folder() is None
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    assert ranks_folder().name == "data-gym-cache"


def test_a_message_counts_its_text_and_four():
    message = parse_messages([{"role": "user", "content": "x" * 400}])[0]
    assert count_message(message, quarter) == 104


def test_calls_count_by_name_and_flattened_arguments():
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": "edit",
        "input": {"path": "a.py", "lines": [1, "two"], "deep": {"x": None}},
    }
    message = parse_messages([{"role": "assistant", "content": [{"type": "text", "text": "Now"}, call]}])[0]
    assert message_text(message) == "Now\nedit path: a.py\nlines: 1\ntwo\ndeep: x: "
    assert count_message(message, quarter) == 4 + quarter(message_text(message))


def test_arguments_that_are_no_object_count_as_the_string_they_are():
    call = {"id": "c", "type": "function", "function": {"name": "run", "arguments": "not json {"}}
    message = parse_messages([{"role": "assistant", "content": None, "tool_calls": [call]}])[0]
    assert "not json {" in message_text(message)


def test_images_count_by_size_and_not_by_their_base64():
    def image(size: int):
        source = {"type": "base64", "media_type": "image/png", "data": "A" * size}
        return parse_messages([{"role": "user", "content": [{"type": "image", "source": source}]}])[0]

    icon, photo = count_message(image(2_000), quarter), count_message(image(2_000_000), quarter)
    assert 85 < icon < 200
    assert photo == 1_604
    linked = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    assert count_message(parse_messages([{"role": "user", "content": [linked]}])[0], quarter) == 1_604


def test_images_inside_a_tool_result_count_too():
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 2_000_000}
    content = [{"type": "text", "text": "done"}, {"type": "image", "source": source}]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    message = parse_messages([{"role": "user", "content": [result]}])[0]
    assert 1_604 < count_message(message, quarter) < 1_640


def test_a_screenshot_of_a_computer_counts_as_an_image():
    picture = "data:image/png;base64," + "A" * 2_000_000
    output = {"type": "computer_screenshot", "image_url": picture}
    value = {"type": "computer_call_output", "call_id": "c1", "output": output}
    assert 1_000 < count_message(parse_messages([value])[0], quarter) < 2_000


def test_a_document_counts_by_its_pages():
    source = {"type": "base64", "media_type": "application/pdf", "data": "A" * 150_000}
    message = parse_messages([{"role": "user", "content": [{"type": "document", "source": source}]}])[0]
    assert count_message(message, quarter) == 4 + 3 * 2_000


def test_sealed_reasoning_counts_by_its_size_and_signatures_do_not():
    sealed = parse_messages(
        [{"role": "assistant", "content": [{"type": "redacted_thinking", "data": "Z" * 4_000}]}]
    )[0]
    assert 1_000 <= count_message(sealed, quarter) <= 1_030
    thought = {"type": "thinking", "thinking": "so", "signature": "S" * 4_000}
    assert count_message(parse_messages([{"role": "assistant", "content": [thought]}])[0], quarter) == 5


TEXTS = st.text(max_size=30)
BLOCKS = st.one_of(
    st.builds(lambda t: {"type": "text", "text": t}, TEXTS),
    st.builds(lambda t: {"type": "tool_result", "tool_use_id": "a", "content": t}, TEXTS),
    st.builds(lambda t: {"type": "tool_use", "id": "a", "name": "run", "input": {"command": t, "n": 3}}, TEXTS),
)


def joined(block) -> str:
    if block["type"] == "tool_use":
        return f"{block['name']} command: {block['input']['command']}\nn: 3"
    return block["text"] if block["type"] == "text" else block["content"]


@given(st.lists(BLOCKS, min_size=1, max_size=5))
def test_a_message_never_counts_less_than_its_joined_text(blocks):
    message = parse_message(
        {"role": "user", "content": blocks}, parse_messages([{"role": "user", "content": "x"}])[0].form
    )
    text = "\n".join(t for t in map(joined, blocks) if t)
    assert count_message(message, quarter) >= quarter(text) + 4
    assert all(p.kind is not PartKind.OPAQUE for p in message.parts)
