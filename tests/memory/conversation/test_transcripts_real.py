"""Real session files, where they are at hand: structure alone is looked at, never what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversations import pairing_faults

from memory.conversation.messages import Form, PartKind
from memory.conversation.transcripts.reading import iter_transcript, read_transcript
from memory.conversation.transcripts.writing import write_transcript
from memory.conversation.wire.parsing import convert

RAW = Path(__file__).resolve().parents[4] / "shared" / "data" / "raw"
FORMATS = {"claude-code": ("*.jsonl.gz", 4), "codex": ("*.jsonl.gz", 6), "swe-agent": ("*.traj.gz", 2)}

pytestmark = pytest.mark.skipif(not RAW.is_dir(), reason="no real sessions beside the repository")


@pytest.mark.parametrize("name", FORMATS)
def test_real_sessions_are_recognised_and_paired(name):
    pattern, count = FORMATS[name]
    files = [file for file in sorted(RAW.glob(pattern)) if file.name.startswith(name)]
    assert len(files) == count
    for file in files:
        transcript = read_transcript(file)
        assert transcript.format == name
        assert len(transcript) >= 10
        assert any(m.calls for m in transcript)
        assert not any(w for w in transcript.warnings if "left out" in w)
        results = [p.call_id for m in transcript for p in m.results]
        assert len(set(results)) == len(results)
        _assert_pairs(transcript)


def _assert_pairs(transcript) -> None:
    """Every result answers a call; what is unanswered was so in the file; every form keeps that."""
    calls = [p.call_id for m in transcript for p in m.calls]
    results = {p.call_id for m in transcript for p in m.results}
    open_calls = set(calls) - results
    assert len(open_calls) <= 2
    assert results <= set(calls)
    for form in Form:
        values = convert(transcript, form)
        told = pairing_faults(values, form)
        assert all(any(one in fault for one in open_calls) for fault in told)
        moved = read_transcript(write_transcript(transcript, format=form.value), format=form.value)
        assert len([p for m in moved for p in m.calls]) == len(calls)


def test_streaming_a_real_session_yields_what_reading_does():
    for file in sorted(RAW.glob("*.jsonl.gz"))[:5]:
        assert [m.digest for m in iter_transcript(file)] == [m.digest for m in read_transcript(file)]


def test_a_real_compaction_keeps_what_stood_before_it():
    flagged = [
        (at, len(transcript))
        for transcript in map(read_transcript, sorted(RAW.glob("claude-code-*.jsonl.gz")))
        for at, message in enumerate(transcript)
        if message.meta.is_compact_summary
    ]
    assert flagged
    assert all(at > 50 for at, _ in flagged)


def test_thinking_never_moves_to_another_form():
    for file in sorted(RAW.glob("codex-*.jsonl.gz"))[:2]:
        transcript = read_transcript(file)
        assert any(p.kind is PartKind.THINKING and p.signed for m in transcript for p in m.parts)
        moved = read_transcript(convert(transcript, Form.ANTHROPIC))
        assert not any(p.kind is PartKind.THINKING for m in moved for p in m.parts)
