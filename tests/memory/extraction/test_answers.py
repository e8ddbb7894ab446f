"""Answers to the agent's questions are kept with their question where they decide something for good."""

from __future__ import annotations

import pytest

from memory import ConversationMemory
from memory.entries import ANSWERED


def told(question, answer, *, first=""):
    memory = ConversationMemory("t")
    messages = [{"role": "user", "content": first}] if first else []
    memory.extract_memories(
        [*messages, {"role": "assistant", "content": question}, {"role": "user", "content": answer}]
    )
    return memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("The invoice service needs a port. Which port should it listen on?", "4000"),
        ("I can set it up with npm, yarn or pnpm. Which package manager do you use here?", "pnpm"),
        ("May I push to main on my own when the tests pass?", "no, never"),
        ("测试框架用 Jest 还是 Vitest？", "后者"),
        ("提交信息用中文还是英文？", "英文"),
    ],
)
def test_an_answer_that_decides_something_is_kept_behind_its_question(question, answer):
    (kept,) = told(question, answer).get_all_memories()
    assert kept.content.endswith(ANSWERED + answer)
    assert kept.parts == (kept.content.removesuffix(answer), answer)
    assert kept.parts[0].removesuffix(ANSWERED) in question
    assert kept.standing


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("The migration is ready. Shall I run it now?", "yes, run it"),
        ("Three tests still fail. Which one should I look at first?", "the second"),
        ("迁移脚本写好了，现在执行吗？", "执行"),
        ("Do you want me to continue?", "show me the login page"),
        ("Which port should it listen on?", "why do you ask?"),
        ("Which port should it listen on?", "/clear"),
        ("I have updated the port.", "4000"),
    ],
)
def test_an_answer_for_the_moment_is_no_memory(question, answer):
    assert told(question, answer).get_all_memories() == ()


def test_an_answer_takes_the_place_of_a_decision():
    memory = told("MySQL lacks that. Which database do you want for the project?", "Postgres", first="Use MySQL.")
    (kept,) = memory.get_all_memories()
    assert [(slot.name, slot.value) for slot in kept.slots] == [("database", "postgresql")]


def test_who_agrees_to_a_change_means_it():
    memory = told("MySQL lacks that. Should I switch to PostgreSQL?", "yes please, switch", first="Use MySQL.")
    assert [slot.value for entry in memory.get_all_memories() for slot in entry.slots] == ["postgresql"]


def test_of_two_answers_to_one_question_the_later_counts():
    memory = told("Which browsers must the shop support?", "only Firefox and Chrome")
    again = [
        {"role": "user", "content": "ok"},
        {"role": "assistant", "content": "Which browsers must the shop support?"},
        {"role": "user", "content": "only Safari from now on"},
    ]
    memory.extract_memories(again)
    assert [entry.parts[1] for entry in memory.get_all_memories()] == ["only Safari from now on"]


def test_an_answer_through_a_tool_is_kept_behind_its_own_question():
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": "AskUserQuestion",
        "input": {"questions": [{"question": "Which database should the shop use?", "options": []}]},
    }
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": 'User has answered your questions: "Which database should the shop use?"="PostgreSQL". '
        "You can now continue with the user's answers in mind.",
    }
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}])
    (kept,) = memory.get_all_memories()
    assert kept.content == f"Which database should the shop use?{ANSWERED}PostgreSQL"


def test_a_secret_in_an_answer_is_taken_out():
    (kept,) = told(
        "Which connection string should production use?", "postgres://app:Xk29fLm3@db/shop"
    ).get_all_memories()
    assert "Xk29fLm3" not in kept.content
