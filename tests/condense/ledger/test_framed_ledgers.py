"""A compaction of ours that an agent hands on in its own words: what it kept is kept by the next one."""

from __future__ import annotations

from functools import cache

import pytest

from condense import Condenser
from condense.apps.handoff.carrying import INTRODUCTION
from condense.ledger import read_ledger
from memory import ConversationMemory

RULE = "Never touch the migrations folder."
FRAMES = {
    **{f"handoff-{language}": f"{text}\n\n{{}}" for language, text in INTRODUCTION.items()},
    "claude-code": (
        "This session is being continued from a previous conversation that ran out of context. The summary below "
        "covers the earlier portion of the conversation.\n\n<system-reminder>\n<tools-used-before-summary>Bash"
        "</tools-used-before-summary>\n</system-reminder>\nSummary:\n{}\n\nPlease continue the conversation from where "
        "it left off without asking the user any further questions."
    ),
    "codex": (
        "Another language model started to solve this problem and produced a summary of its thinking process. Use this "
        "to build on the work that has already been done:\n{}"
    ),
}


def longer(first, turns=40):
    said = [first]
    for i in range(turns):
        said += [
            {"role": "assistant", "content": f"Part {i} reads {'and reads ' * 40}on."},
            {"role": "user", "content": f"Now part {i}."},
        ]
    return said


@cache
def compacted():
    return Condenser().condense(longer({"role": "user", "content": RULE}), target=2_000).summary


@pytest.mark.parametrize("frame", FRAMES)
def test_rules_outlive_compactions_that_an_agent_puts_into_its_own_words(frame):
    summary = compacted()
    for _ in range(2):
        assert f"- ! {RULE}" in summary
        assert summary.count("<holdfast-context") == 1
        history = longer({"role": "user", "content": FRAMES[frame].format(summary)})
        summary = Condenser().condense(history, target=2_000).summary
    ledger = read_ledger(summary)
    assert any(rule.endswith(RULE) for rule in ledger.rules)
    assert not any("being continued" in note.text for note in ledger.notes)


def test_a_person_who_quotes_such_a_block_still_speaks():
    block = f'<holdfast-context v="1" folded="3" language="en">\n{RULE}\n</holdfast-context>'
    message = {"role": "user", "content": f"What is this?\n{block}\nDo not use it."}
    assert "Do not use it." in Condenser().condense(longer(message), target=2_000).summary


@pytest.mark.parametrize("frame", FRAMES)
def test_the_words_around_a_block_are_nobodys(frame):
    handed = {"role": "user", "content": FRAMES[frame].format(compacted())}
    assert ConversationMemory("t").extract_memories([handed]).memories == ()
