"""What is denied, told of others, or holds for a moment retires nothing; a wider rule is no duplicate of a narrower."""

from __future__ import annotations

import pytest

from memory import ConversationMemory


def active(*said: str) -> list[str]:
    """What is in force after messages of a person, one after the other."""
    memory, messages = ConversationMemory("t"), []
    for text in said:
        messages.append({"role": "user", "content": text})
        memory.extract_memories(messages)
    return [entry.content for entry in memory.get_all_memories()]


@pytest.mark.parametrize(
    ("chosen", "later"),
    [
        ("Use SQLite.", "Never switch to MySQL."),
        ("Use SQLite.", "MySQL is forbidden."),
        ("Use SQLite.", "Use anything except MySQL."),
        ("用 SQLite", "禁用 MySQL"),
        ("用 SQLite", "MySQL 不能用"),
        ("用 SQLite", "别给我换成 MySQL"),
        ("用中文回复", "别用英文回复"),
        ("Responde en español", "No respondas en inglés"),
        ("Use port 3000.", "Do not change the port to 8000."),
        ("Use Python 3.12.", "Don't use Python 3.9."),
        ("Use SQLite.", "My last company used MySQL."),
        ("Use SQLite.", "If we ever outgrow it, switch to MySQL."),
        ("Use SQLite.", "My colleague says we should use MySQL instead."),
        ("Use SQLite.", "you used MySQL again"),
        ("Use SQLite.", "For this task use MySQL."),
        ("Always answer in English.", "Explain this in Chinese."),
        ("用 SQLite", "以前用的是 MySQL"),
        ("用 SQLite", "今天先用 MySQL"),
        ("Server runs on port 3000.", "kill whatever is on port 8080"),
        ("The API runs on port 3000.", "The metrics endpoint is on port 9090."),
    ],
)
def test_what_is_denied_told_or_passing_retires_no_choice(chosen: str, later: str):
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "user", "content": chosen}, {"role": "user", "content": later}])
    kept = next(entry for entry in memory.get_all_memories() if entry.content == chosen)
    assert kept.slots
    assert not kept.overtaken
    assert kept.slots[0].value in [slot.value for entry in memory.get_all_memories() for slot in entry.slots]


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("Never delete users", "Never delete user sessions"),
        ("Never push to main", "Never push tags to main"),
        ("Always run the tests", "Always run the smoke tests"),
        ("不要动测试", "不要动测试数据"),
        ("Never merge dev into main", "Never merge main into dev"),
    ],
)
def test_rules_of_more_and_of_less_both_stand(wide: str, narrow: str):
    assert active(wide, narrow) == [wide, narrow]
    assert active(narrow, wide) == [narrow, wide]
    assert active(wide, f"{wide} please") == [f"{wide} please"] or active(wide, f"{wide} please") == [wide]


@pytest.mark.parametrize(
    ("ban", "lifted"),
    [
        ("Never push to main.", "You can push to main again."),
        ("Never push to main.", "it's fine to push to main now"),
        ("Never write tests.", "Always write tests."),
        ("不要加注释", "以后要加注释"),
        ("Always update the changelog.", "You don't have to update the changelog anymore."),
    ],
)
def test_the_opposite_and_a_permission_lift_a_rule(ban: str, lifted: str):
    assert ban not in active(ban, lifted)


@pytest.mark.parametrize(
    "said", ["Push to main.", "For this hotfix only, push to main.", "Why can't you push to main?"]
)
def test_an_order_or_an_exception_lifts_no_ban(said: str):
    assert "Never push to main." in active("Never push to main.", said)


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("Use port 8080. No, 8081.", "port", "8081"),
        ("Use MySQL. Wait, no. PostgreSQL.", "database", "postgresql"),
        ("用 yarn。算了，npm。", "package manager", "npm"),
        ("use mysql... no wait, postgres", "database", "postgresql"),
    ],
)
def test_who_corrects_himself_in_one_message_means_the_last(said: str, name: str, value: str):
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "user", "content": said}])
    answers = [(slot.name, slot.value) for entry in memory.get_all_memories() for slot in entry.slots]
    assert answers == [(name, value)]
    assert all(entry.standing for entry in memory.get_all_memories())


@pytest.mark.parametrize("said", ["Use npm in web and pnpm in tools.", "Use port 8080, and no other port."])
def test_what_is_said_beside_it_corrects_nothing(said: str):
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "user", "content": said}])
    assert not any(
        entry.superseded_by or entry.overtaken for entry in memory.get_all_memories(include_superseded=True)
    )


@pytest.mark.parametrize(
    ("ban", "order"),
    [("Do not launch.", "Launch it."), ("Don't paint the old boat.", "now paint the old boat")],
)
def test_an_order_lifts_a_ban_of_the_moment_and_is_no_memory(ban: str, order: str):
    assert active(ban, order) == []
    assert active(ban, "Paint the new harbour wall.") == [ban]


def test_a_word_is_no_order_that_lifts_a_ban_of_something_with_it():
    assert active("Don't write letters yet.", "letters") == ["Don't write letters yet."]
    assert active("先不要动航海日志", "航海日志") == ["先不要动航海日志"]


@pytest.mark.parametrize("said", ["Forget what I said about errors.", "Forget about the crash reports."])
def test_what_tells_of_trouble_can_be_taken_back(said: str):
    assert active("Never hide errors.", "Always send crash reports.", said) != [
        "Never hide errors.",
        "Always send crash reports.",
    ]


def test_a_language_to_explain_in_gives_way_to_another():
    assert active("Always explain things in German.", "Answer in English from now on.") == [
        "Answer in English from now on."
    ]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("Never delete boats.", "Forget what I said about deleting boats."),
        ("Always run the linter.", "Forget about running the linter."),
    ],
)
def test_what_is_done_is_known_again_by_its_other_form(rule: str, said: str):
    assert active(rule, said) == []


def test_a_correction_keeps_the_words_that_it_corrects():
    assert active("Use port 8080. No, 8081.") == ["Use port 8080. No, 8081."]
