"""A message is read once, whatever becomes of the list it stands in."""

from __future__ import annotations

import copy

import pytest
from builders import contents as kept, user
from clock import in_milliseconds
from hypothesis import given, strategies as st

from memory import ConversationMemory


def reply(number):
    return {
        "role": "assistant",
        "content": [
            {"type": "text", "text": f"Step {number}."},
            {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": f"make {number}"}},
        ],
    }


def result(number):
    block = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "You must never fail. " * 40}
    return {"role": "user", "content": [block]}


def history_of(rounds):
    history = [user("You must never push to main.")]
    for number in range(rounds):
        history += [reply(number), result(number)]
    return history


def test_a_shortened_rewritten_or_copied_history_changes_nothing():
    history = [*history_of(6), user("必须使用 PostgreSQL 数据库"), *history_of(3)[1:]]
    memory = ConversationMemory("t")
    memory.extract_memories(history)
    before = memory.serialize()
    for other in (
        history[5:],
        history[-3:],
        [user("<holdfast-context>\nYou must never sleep.\n</holdfast-context>"), *history[7:]],
        copy.deepcopy(history),
        history[:4],
        [],
        history,
    ):
        result_ = memory.extract_memories(other)
        assert (result_.memories, result_.new_memories_count) == ((), 0)
    state = ConversationMemory.deserialize(memory.serialize()).get_all_memories()
    assert state == ConversationMemory.deserialize(before).get_all_memories()


def test_what_is_new_after_a_compaction_is_not_missed():
    history = history_of(6)
    memory = ConversationMemory("t")
    memory.extract_memories(history)
    shortened = [user("<holdfast-context>\nsummary\n</holdfast-context>"), *history[-4:]]
    shortened.append(user("必须使用 PostgreSQL 数据库"))
    result_ = memory.extract_memories(shortened)
    assert (result_.scanned_messages, result_.new_memories_count) == (2, 1)
    assert "必须使用 PostgreSQL 数据库" in kept(memory)


def test_words_said_again_after_others_are_heard_again():
    memory = ConversationMemory("t")
    history = [user("You must use tabs."), user("You must write tests."), user("You must use tabs.")]
    memory.extract_memories(history[:2])
    memory.extract_memories(history)
    (tabs,) = [entry for entry in memory.get_all_memories() if "tabs" in entry.content]
    assert tabs.access_count == 2
    memory.extract_memories(history)
    memory.extract_memories(history[1:])
    assert [e.access_count for e in memory.get_all_memories() if "tabs" in e.content] == [2]


def test_an_earlier_page_of_the_history_can_come_later():
    history = [user(f"You must keep rule-{number}.md as it is.") for number in range(6)]
    memory = ConversationMemory("t")
    memory.extract_memories(history[3:])
    assert memory.extract_memories(history).new_memories_count == 3
    assert all(entry.access_count == 1 for entry in memory.get_all_memories())
    assert memory.extract_memories(history).scanned_messages == 0


def test_a_message_whose_content_was_replaced_in_place_is_read_again():
    message = user("hello")
    memory = ConversationMemory("t")
    memory.extract_memories([message])
    message["content"] = "You must never push to main."
    assert memory.extract_memories([message]).new_memories_count == 1
    blocks = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    memory.extract_memories([message, blocks])
    blocks["content"].append({"type": "text", "text": "必须使用 PostgreSQL 数据库"})
    assert memory.extract_memories([message, blocks]).new_memories_count == 1


def test_decoration_does_not_make_a_message_new():
    memory = ConversationMemory("t")
    plain = {"role": "user", "content": [{"type": "text", "text": "You must never push to main."}]}
    memory.extract_memories([plain])
    marked = copy.deepcopy(plain)
    marked["content"][0]["cache_control"] = {"type": "ephemeral"}
    assert memory.extract_memories([marked]).scanned_messages == 0


def test_a_restored_memory_knows_what_it_has_read():
    history = history_of(3)
    memory = ConversationMemory("t")
    memory.extract_memories(history)
    restored = ConversationMemory.deserialize(memory.serialize())
    assert restored.extract_memories([*history, user("谢谢")]).new_memories_count == 0
    assert kept(restored) == kept(memory)


texts = st.sampled_from(
    [
        "You must use tabs.",
        "You must use spaces.",
        "必须使用 PostgreSQL",
        "必须使用 PostgreSQL 数据库",
        "ok",
        "端口改为 3001",
    ]
)
histories = st.lists(st.one_of(texts.map(user), st.sampled_from([reply(1), result(1)])), max_size=12)


def state(memory):
    return [
        (entry.id, entry.content, entry.priority, entry.status, entry.access_count, entry.source)
        for entry in memory.get_all_memories(include_superseded=True)
    ]


@given(histories, st.integers(0, 12))
def test_in_pieces_or_at_once_is_the_same(history, cut):
    whole, pieces = ConversationMemory("t"), ConversationMemory("t")
    whole.extract_memories(history)
    pieces.extract_memories(history[:cut])
    pieces.extract_memories(copy.deepcopy(history))
    assert state(pieces) == state(whole)


@given(histories, st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_any_part_of_what_was_read_tells_nothing_new(history, start, stop, restored):
    memory = ConversationMemory("t")
    memory.extract_memories(history)
    before = state(memory)
    if restored:
        memory = ConversationMemory.deserialize(memory.serialize())
    assert memory.extract_memories(history[start:stop]).new_memories_count == 0
    assert memory.extract_memories(history).memories == ()
    assert state(memory) == before


@pytest.mark.timing
@pytest.mark.parametrize("copies", [False, True], ids=["the same objects", "copies"])
def test_one_new_message_after_a_thousand_costs_about_a_millisecond(copies):
    history = history_of(500)
    memory = ConversationMemory("t")
    memory.extract_memories(history)
    grown = iter(
        [[*(copy.deepcopy(history) if copies else history), user(f"You must keep a{n}.py.")] for n in range(7)]
    )
    assert in_milliseconds(lambda: memory.extract_memories(next(grown))) < 3
