"""A rule keeps its exception: in the next sentence, and behind the commas of a long one."""

from __future__ import annotations

import pytest

from memory import ConversationMemory, MemoryEntry


def kept(text: str) -> list[MemoryEntry]:
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "user", "content": text}])
    return list(memory.get_all_memories())


@pytest.mark.parametrize(
    "said",
    [
        "Don't touch the sails. Except in the spare locker.",
        "Never sail to Brest. Unless I tell you to.",
        "If the mast creaks, do not commit. Otherwise commit right away.",
        "Only files under src/boats may be edited. The rest is frozen until Friday.",
        "不要动帆布目录。除非我让你改。",
        "必须写测试。脚本除外。",
        (
            "Never rename the logs of the harbour, which Ann keeps and which Brest reads every single night to list"
            " all ships, except on Sundays."
        ),
        (
            "Always run the slow tests, which take an hour on my old machine and need the boat to be in the harbour"
            " with sails down, only when I ask for them."
        ),
    ],
)
def test_an_exception_stays_with_its_rule(said: str):
    assert [entry.content for entry in kept(said)] == [said]


def test_an_exception_weakens_no_rule_and_answers_no_question():
    (ban,) = kept("Never sail to Brest. Unless I tell you to.")
    assert ban.priority.value == "critical"
    (choice,) = kept("Use PostgreSQL. Except in the tests, where SQLite is fine.")
    assert [slot.value for slot in choice.slots] == ["postgresql"]


def test_what_only_follows_stays_apart():
    found = [entry.content for entry in kept("Use tabs. Never push to main. Answer in German.")]
    assert found == ["Use tabs.", "Never push to main.", "Answer in German."]


@pytest.mark.parametrize(
    "said",
    [
        "Unless I say so, never sail to Brest.",
        "Except for the log, never edit the charts.",
        "除了日志，其他文件都不要动。",
        "Only if the mast stands, deploy to staging.",
    ],
)
def test_a_sentence_with_its_own_main_clause_is_no_exception_from_the_one_before(said: str):
    assert [entry.content for entry in kept(f"Thanks for that. {said}")] == [said]
