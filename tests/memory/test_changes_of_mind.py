"""Whole conversations in which somebody changes their mind: what is remembered in the end, and what is not lost."""

from __future__ import annotations

import pytest
from builders import contents as active

from memory import ConversationMemory, MemoryStatus
from memory.extraction import bare_answers_in


def conversation(*texts):
    memory = ConversationMemory("t")
    for text in texts:
        memory.extract_memories([{"role": "user", "content": text}])
    return memory


def retired(memory):
    everything = memory.get_all_memories(include_superseded=True)
    return [entry.content for entry in everything if not entry.is_active]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dev server must run on port 3001.", "actually use 4000"),
        ("端口改为 3001", "还是用 4000 吧"),
        ("端口改为 3001", "端口改成 4000"),
        ("use port 3001", "actually, use port 4000"),
        ("缓存使用 Redis", "不用 Redis 了"),
        ("Use Redis for caching.", "We no longer use Redis."),
        ("Use Redis for caching.", "Drop Redis, use Memcached instead."),
        ("必须使用 PostgreSQL", "数据库换成 MySQL"),
        ("Use PostgreSQL as the database.", "Actually, let's use MySQL instead of PostgreSQL."),
        ("Always answer in English.", "请用中文回答"),
        ("Use npm for everything.", "Use pnpm, not npm."),
        ("主题改为深色", "主题改为浅色"),
        ("Use tabs.", "Use spaces, not tabs."),
        ("Name it foo.", "Name it bar, not foo."),
        ("Use 4 spaces for indentation.", "Use 2 spaces for indentation."),
        ("Use Java 17.", "Use Java 21."),
        ("Do not use Redis.", "Use Redis after all."),
        ("Never push to main.", "You may push to main now."),
        ("不要用 Redis。", "还是用 Redis 吧。"),
        ("不要用 Redis。", "可以用 Redis 了。"),
        ("Use MySQL.", "Postgres rather"),
        ("Use MySQL.", "On second thought, Postgres."),
        ("Use MySQL.", "changed my mind: postgres"),
        ("Use MySQL.", "scrap mysql -> postgres"),
        ("Use yarn.", "yarn fails on the CI, so back to npm"),
        ("Use Python 3.10", "bump that to 3.12"),
        ("Use tabs.", "spaces please"),
        ("Answer in German please.", "English please"),
        ("以后都用英文回复", "还是用中文吧"),
        ("用 Vue", "没人会 vue，换成 react"),
        ("端口是 3000", "改 4000"),
        ("ポートは8080です", "やっぱり3000にして"),
        ("Wir nutzen MySQL", "Doch lieber PostgreSQL"),
        ("Never restart the server.", "just restart the server whenever you like"),
    ],
)
def test_the_later_word_holds_and_the_earlier_is_kept_as_history(first, second):
    memory = conversation(first, second)
    assert len(retired(memory)) == 1
    assert retired(memory)[0].rstrip(".") in first
    assert any(content.rstrip(".") in second for content in active(memory))
    (old,) = [entry for entry in memory.get_all_memories(include_superseded=True) if not entry.is_active]
    assert old.status is MemoryStatus.SUPERSEDED
    assert memory.get_memory(old.superseded_by).is_active
    assert first not in memory.generate_memory_summary()


def test_what_is_forgotten_leaves_no_words_behind():
    memory = conversation("The theme must be dark.", "forget what I said about the dark theme")
    assert active(memory) == []
    assert memory.generate_memory_summary() == ""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dev server must run on port 3001.", "should we use port 4000?"),
        ("The dev server must run on port 3001.", "use port 4000 this time"),
        ("The dev server must run on port 3001.", "It crashed with an error on port 4000."),
        ("The dev server must run on port 3001.", "4000"),
        ("端口改为 3001", "要不要改成 4000？"),
        ("Use React for the frontend.", "Use Tailwind for all styling."),
        ("Use Redis for caching.", "Use PostgreSQL for the orders."),
        ("You must use PostgreSQL.", "Also support MySQL."),
        ("You must use PostgreSQL.", "Don't use MySQL."),
        ("Never push to main.", "Always rebase on the main branch."),
        ("The theme must be dark.", "don't forget the dark theme"),
        ("You must use PostgreSQL.", "Thanks, that works now"),
        ("Use tabs in Makefiles.", "Use spaces in Python."),
        ("Use 2 spaces for indentation.", "Replace the accordion with tabs."),
        ("Use Python 3.12.", "The tests fail when run on Python 3.9."),
        ("Never push to main without review.", "You may push to main now."),
        ("Never touch the API.", "You can test the API now."),
        ("端口改为 3001", "在 4000 端口报错了"),
        ("端口改为 3001", "为什么用 4000 端口启动失败"),
        ("Do not use Redis for sessions.", "Use Redis for the cache."),
        ("Never push to main.", "Push to develop now."),
        ("Use Java 17 for the server.", "Use Java 21 for the client."),
        ("Use MySQL.", "postgres?"),
        ("Use MySQL.", "not postgres"),
        ("Use MySQL.", "the tests for postgres are slow"),
        ("Use MySQL.", "no, I said MySQL"),
        ("Use yarn.", "yarn or npm"),
        ("Use Python 3.10", "we have 3.12 million rows"),
        ("Use port 3001.", "in 4000 ms please"),
        ("Answer in German please.", "the English page is broken"),
        ("用 MySQL", "PostgreSQL 是什么"),
        ("用 MySQL", "PostgreSQL 那个报错再看下"),
    ],
)
def test_what_only_sounds_like_a_change_retires_nothing(first, second):
    memory = conversation(first, second)
    assert retired(memory) == []
    assert any(content in first for content in active(memory))


@pytest.mark.parametrize("turns", [("MySQL is out. Postgres.",), ("forget MySQL", "Postgres please")])
def test_an_answer_may_follow_what_took_the_former_back(turns):
    memory = conversation("Use MySQL.", *turns)
    assert [slot.value for entry in memory.get_all_memories() for slot in entry.slots] == ["postgresql"]


def test_going_back_to_the_first_choice_retires_the_second():
    memory = conversation("Use npm", "Use pnpm instead", "back to npm please")
    assert active(memory) == ["back to npm please"]
    assert retired(memory) == ["Use npm", "Use pnpm instead"]


def test_a_number_takes_the_place_of_one_with_its_unit():
    memory = conversation("The timeout must be 30 seconds.", "make it 60")
    assert [slot.value for entry in memory.get_all_memories() for slot in entry.slots] == ["60 seconds"]


def test_a_bare_number_answers_nothing_when_several_questions_are_open():
    memory = conversation(
        "The frontend must run on port 3000.", "The backend must run on port 8000.", "actually use 4000"
    )
    assert retired(memory) == []


@pytest.mark.parametrize(
    "text",
    ["actually use 4000", "no, make it 4000 instead", "use 4000 now", "不对，应该是 4000", "改成 4000 吧。"],
)
def test_a_bare_answer_is_recognised(text):
    assert [slot.value for slot in bare_answers_in(text)] == ["4000"]


@pytest.mark.parametrize(
    "text", ["4000", "1. 4000", "we have 4000 users", "use 4000 workers", "", "端口 4000 被占用了"]
)
def test_a_number_in_passing_is_no_answer(text):
    assert bare_answers_in(text) == ()
