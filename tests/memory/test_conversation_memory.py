"""What `ConversationMemory` takes in: forms, explicit memories, times, odd content; and that its laws always hold."""

from __future__ import annotations

import json
import random
import string

import pytest
from builders import contents as kept, user
from examples import examples
from hypothesis import given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import memory as package
from memory import ConversationMemory, MemoryConfig, MemoryPriority, MemoryStatus, MemoryType, Message
from memory.conversation.wire.parsing import parse_messages

RULE = "You must never push to main."


def call(name, arguments, *, call_id="c1"):
    block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def called(name, arguments, result="Remembered.", *, call_id="c1", is_error=False):
    block = {"type": "tool_result", "tool_use_id": call_id, "content": result, "is_error": is_error}
    return [call(name, arguments, call_id=call_id), {"role": "user", "content": [block]}]


@pytest.mark.parametrize(
    "message",
    [
        user(RULE),
        {"role": "user", "content": [{"type": "text", "text": RULE}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": RULE}]},
        parse_messages([user(RULE)])[0],
    ],
    ids=["text", "blocks", "responses", "Message"],
)
def test_every_form_is_read(message):
    memory = ConversationMemory("t")
    result = memory.extract_memories([message])
    assert len(result.memories) == 1
    (entry,) = result.memories
    assert RULE.rstrip(".") in entry.content
    digest = message.digest if isinstance(message, Message) else parse_messages([message])[0].digest
    assert entry.source.message == digest


def test_the_source_names_the_very_characters():
    text = "Hi there.\n\nYou must never push to main.\nThanks!"
    memory = ConversationMemory("t")
    (entry,) = memory.extract_memories([user(text)]).memories
    assert text[entry.source.start : entry.source.end] == entry.content


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": RULE},
        {"role": "system", "content": RULE},
        {"role": "tool", "tool_call_id": "c", "content": RULE},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": RULE}]},
        {"type": "function_call_output", "call_id": "c", "output": RULE},
        user(f"<system-reminder>\n{RULE}\n</system-reminder>"),
        user(f"<holdfast-context id=1>\n- {RULE}\n</holdfast-context>"),
        call("Write", {"content": RULE}),
        call("do_not_remember", {"content": RULE}),
    ],
)
def test_what_nobody_typed_is_no_memory(message):
    memory = ConversationMemory("t")
    assert memory.extract_memories([user("hello"), message]).new_memories_count == 0


@pytest.mark.parametrize("name", ["remember", "mcp__memory__remember"])
@pytest.mark.parametrize("key", ["content", "text", "memory"])
def test_a_remember_call_that_succeeded_is_the_agents_proposal(name, key):
    memory = ConversationMemory("t")
    wanted = {key: "The staging host is read-only on Fridays", "type": "project_context", "priority": "low"}
    memory.extract_memories([user("hello"), *called(name, wanted)])
    (entry,) = memory.get_all_memories()
    assert entry.content == "The staging host is read-only on Fridays"
    assert entry.is_proposal
    assert entry.status is MemoryStatus.PENDING
    assert not entry.explicit
    assert (entry.type, entry.priority) == (MemoryType.PROJECT_CONTEXT, MemoryPriority.HIGH)
    assert "remembered" in entry.tags


SHIPPING = {"content": "We ship on Fridays"}
CHAT_CALL = {"name": "remember", "arguments": json.dumps(SHIPPING)}


@pytest.mark.parametrize(
    "messages",
    [
        called("remember", SHIPPING),
        [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": CHAT_CALL}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        ],
        [
            {"type": "function_call", "call_id": "c1", **CHAT_CALL},
            {"type": "function_call_output", "call_id": "c1", "output": "ok"},
        ],
    ],
    ids=["anthropic", "chat", "responses"],
)
def test_a_remember_call_is_known_in_every_form_whole_or_as_it_grows(messages):
    whole, growing = ConversationMemory("t"), ConversationMemory("t")
    whole.extract_memories(messages)
    growing.extract_memories(messages[:1])
    assert kept(growing) == []
    growing.extract_memories(messages)
    assert kept(whole) == kept(growing) == ["We ship on Fridays"]


@pytest.mark.parametrize(
    ("result", "is_error"),
    [
        ("whatever it says", True),
        ("Error: the store is locked", False),
        ("remember failed: no project here", False),
        ("The user doesn't want to proceed with this tool use.", False),
        ("[Request interrupted by user]", False),
        ("Unknown tool: remember", False),
        ("保存失败", False),
    ],
)
@pytest.mark.parametrize("verb", ["remember", "forget"])
def test_a_memory_call_that_failed_did_nothing(verb, result, is_error):
    memory = ConversationMemory("t")
    memory.extract_memories([user(RULE)])
    before = memory.get_all_memories()
    memory.extract_memories([user(RULE), *called(verb, {"content": RULE.upper()}, result, is_error=is_error)])
    assert memory.get_all_memories() == before


def test_a_result_that_only_repeats_words_of_failure_is_none():
    memory = ConversationMemory("t")
    words = "Errors of the billing job are never ignored"
    memory.extract_memories(called("remember", {"content": words}, f"Remembered: {words}"))
    assert kept(memory) == [words]


def test_a_proposal_outranks_nothing_that_a_person_said():
    memory = ConversationMemory("t")
    memory.extract_memories([user("Use port 3001.")])
    memory.extract_memories(called("remember", {"content": "Actually use port 4000, never port 3001"}))
    assert kept(memory)[0] == "Use port 3001."
    before = memory.generate_memory_summary()
    memory.extract_memories(called("remember", {"content": "Use port 3001.", "priority": "critical"}, call_id="c2"))
    said, proposed = memory.get_all_memories()
    assert (said.is_proposal, proposed.is_proposal) == (False, True)
    assert said.access_count == 2
    assert memory.generate_memory_summary() == before
    assert "4000" not in before


def test_what_a_person_says_takes_the_place_of_the_same_proposal():
    memory = ConversationMemory("t")
    memory.extract_memories(called("remember", {"content": "Never push to the main branch of this repository"}))
    memory.extract_memories([user("Never push to the main branch of this repository")])
    (entry,) = memory.get_all_memories()
    assert not entry.is_proposal
    memory.extract_memories(called("remember", {"content": "Use port 4000."}, call_id="c2"))
    memory.extract_memories([user("Use port 5000.")])
    assert kept(memory)[1:] == ["Use port 5000."]


def test_a_remember_call_can_be_critical_and_holds_no_secrets():
    memory = ConversationMemory("t")
    key = "sk-ant-api03-" + "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=90))
    text = f"The deploy key is {key}"
    memory.extract_memories(called("remember", {"content": text, "priority": "critical", "type": "poem"}))
    (entry,) = memory.get_critical_memories()
    assert key not in memory.serialize()
    assert "REDACTED" in entry.content


@pytest.mark.parametrize("arguments", [{}, {"content": 5}, {"content": "  "}, {"text": None}, {"type": "x"}])
def test_a_remember_call_without_words_is_nothing(arguments):
    memory = ConversationMemory("t")
    assert memory.extract_memories(called("remember", arguments)).new_memories_count == 0


def test_a_forget_call_retires():
    memory = ConversationMemory("t")
    memory.extract_memories([user("The theme must be dark."), user("必须使用 PostgreSQL 数据库")])
    first = memory.get_all_memories()[0]
    memory.extract_memories(called("forget", {"query": "dark theme"}, "Forgotten."))
    assert kept(memory) == ["必须使用 PostgreSQL 数据库"]
    assert memory.get_memory(first.id).status is MemoryStatus.FORGOTTEN
    memory.extract_memories(called("forget", {"id": memory.get_all_memories()[0].id}, "Forgotten.", call_id="c2"))
    assert kept(memory) == []
    assert len(memory.get_all_memories(include_superseded=True)) == 2


def test_remember_and_forget_without_a_conversation():
    memory = ConversationMemory("t")
    entry = memory.remember("We deploy on Tuesdays", type=MemoryType.WORKFLOW_PATTERN, now=50.0)
    assert (entry.created_at, entry.source, entry.explicit) == (50.0, None, True)
    assert memory.remember("We deploy on Tuesdays.").id == entry.id
    assert [one.id for one in memory.forget(entry.id)] == [entry.id]
    with pytest.raises(ValueError, match="should be what is to be remembered"):
        memory.remember(" \n")


def test_times_come_from_the_messages_then_from_now():
    memory = ConversationMemory("t")
    stamped = {**user(RULE), "timestamp": "2026-03-01T10:00:00Z"}
    memory.extract_memories([stamped, user("必须使用 PostgreSQL 数据库")])
    first, second = memory.get_all_memories()
    assert first.created_at == second.created_at > 1.7e9
    memory.extract_memories([user("You must keep api.md current.")], now=first.created_at + 60)
    assert memory.get_all_memories()[-1].created_at == first.created_at + 60
    untimed = ConversationMemory("t")
    untimed.extract_memories([user("端口改为 3001")])
    assert untimed.get_all_memories()[0].created_at == 0.0
    assert len(untimed.get_all_memories(now=4e9)) == 1


def test_expired_and_superseded_ones_are_out_of_every_reading_but_the_full_one():
    memory = ConversationMemory("t")
    memory.extract_memories([user("端口改为 3001")], now=1_000_000.0)
    late = 1_000_000.0 + 30 * 86_400
    assert memory.get_all_memories(now=late) == ()
    assert memory.generate_memory_summary(now=late) == ""
    assert memory.get_memory_stats(now=late).total_memories == 0
    assert len(memory.get_all_memories(now=late, include_superseded=True)) == 1
    assert memory.get_all_memories()[0].priority is MemoryPriority.HIGH


def test_pruning_takes_the_least_important_first_and_leaves_no_loose_links():
    memory = ConversationMemory("t")
    memory.extract_memories([user(RULE), user("端口改为 3001")], now=100.0)
    used = memory.remember("note one.md", now=200.0)
    memory.record_memory_access(used.id)
    memory.remember("note two.md", now=300.0)
    memory.forget("note two.md")
    assert memory.prune_low_priority_memories(2) == 2
    assert kept(memory) == [memory.get_critical_memories()[0].content, "note one.md"]
    assert memory.prune_low_priority_memories(0, keep_critical=True) == 1
    assert memory.get_critical_memories() == memory.get_all_memories()
    assert memory.prune_low_priority_memories(0) == 1
    with pytest.raises(ValueError, match="-1"):
        memory.prune_low_priority_memories(-1)
    memory.extract_memories([user(RULE), user("端口改为 3001")])
    assert kept(memory) == []


def test_disposing_lets_go_of_everything():
    memory = ConversationMemory("t")
    memory.extract_memories([user(RULE)])
    memory.dispose()
    memory.dispose()
    assert memory.serialize() == ConversationMemory("t").serialize()
    assert memory.extract_memories([user(RULE)]).new_memories_count == 1


ODD = [
    None,
    5,
    "text",
    b"bytes",
    [],
    {},
    {"role": None},
    {"role": "user"},
    {"role": "user", "content": None},
    {"role": "user", "content": 7},
    {
        "role": "user",
        "content": [None, 3, "x", {}, {"type": 5}, {"type": "text"}, {"type": "text", "text": 1}],
    },
    {"role": "nobody", "content": "x"},
    {"role": ["user"], "content": "x"},
    {"type": "function_call", "name": 3, "arguments": "{"},
    {
        "role": "assistant",
        "tool_calls": [None, {"function": None}, {"function": {"name": "remember", "arguments": "{"}}],
    },
    {1: 2, "role": "user", "content": "x"},
    {"role": "user", "content": "\ud800 You must never \x00 push \ud800"},
]


def test_odd_content_is_passed_over_and_the_rest_is_read():
    memory = ConversationMemory("t")
    memory.extract_memories([*ODD, user(RULE), *ODD, user("必须使用 PostgreSQL 数据库")])
    assert any(RULE.rstrip(".") in text for text in kept(memory))
    assert any("PostgreSQL" in text for text in kept(memory))
    assert ConversationMemory.deserialize(memory.serialize()).get_all_memories() == memory.get_all_memories()


def test_absurdly_deep_and_cyclic_content_is_passed_over():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    cyclic = {"role": "user", "content": "x"}
    cyclic["me"] = cyclic
    memory = ConversationMemory("t")
    memory.extract_memories([{"role": "user", "content": "x", "extra": deep}, cyclic, user(RULE)])
    assert len(memory.get_all_memories()) == 1
    memory.extract_memories([{"role": "user", "content": "x", "extra": [deep]}, cyclic, user(RULE)])


@pytest.mark.parametrize("messages", ["text", b"text", {"role": "user", "content": RULE}, None, 5])
def test_what_is_no_list_of_messages_is_a_type_error(messages):
    with pytest.raises(TypeError):
        ConversationMemory("t").extract_memories(messages)


def test_asking_for_what_does_not_exist_is_a_value_error():
    memory = ConversationMemory("t")
    with pytest.raises(ValueError, match="urgent"):
        memory.get_memories_by_priority("urgent")
    with pytest.raises(ValueError, match="poem"):
        memory.get_memories_by_type("poem")
    with pytest.raises(ValueError, match="-1"):
        memory.generate_memory_summary(-1)


def test_the_public_names_are_there_and_nothing_else():
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
        assert name in dir(package)
    with pytest.raises(AttributeError, match="no_such_name"):
        package.no_such_name  # noqa: B018  # the access is the test


PIECES = [
    "You must never {} the {}. ",
    "必须使用 {} {}",
    "端口改为 {} ",
    "use {} instead of {}",
    "Always {} before {}. ",
    "不要用 {} 了",
    "remember that {} is {}\n",
    "# {} {}\n",
    "记住 {}{}",
    "forget what I said about {}",
    "actually {}, not {}",
    "为什么 {}?",
    "Error: {} failed in {}\n",
    "1. {}\n2. {}\n",
    "所有 {} 需要 {}，",
    "以后每次{}都要{}。",
    "localhost:{} ",
    "```\n{}\n```\n",
    "the theme is {}",
]
NOUNS = [
    "PostgreSQL",
    "Redis",
    "3001",
    "4000",
    "src/app.ts",
    "数据库",
    "日志",
    "tests",
    "main",
    "dark",
    "",
    "é",
    "\ud800",
]
pieces = st.builds(lambda form, a, b: form.format(a, b), st.sampled_from(PIECES), *[st.sampled_from(NOUNS)] * 2)
typed = st.lists(pieces | st.text(max_size=30), max_size=6).map("".join)


class Life(RuleBasedStateMachine):
    """A conversation that grows, is compacted, rewound, saved, restored, aged and pruned."""

    @initialize(threshold=st.sampled_from([0.3, 0.75, 1.0]))
    def begin(self, threshold):
        self.memory = ConversationMemory("t", MemoryConfig(similarity={"threshold": threshold}))
        self.history = []
        self.now = 1_000_000.0
        self.pruned = False

    @rule(text=typed, seconds=st.integers(0, 5 * 86_400))
    def say(self, text, seconds):
        self.now += seconds
        self.history.append(user(text))
        critical = {entry.id: entry for entry in self.memory.get_critical_memories()}
        result = self.memory.extract_memories(self.history, now=self.now)
        assert result.new_memories_count <= len(result.memories)
        for entry_id, before in critical.items():
            after = self.memory.get_memory(entry_id)
            assert after.priority is MemoryPriority.CRITICAL
            assert len(after.content) >= 1
            assert after.access_count >= before.access_count

    @rule(text=typed, verb=st.sampled_from(["remember", "mcp__m__forget", "Bash"]))
    def act(self, text, verb):
        self.history.append(call(verb, {"content": text}))
        self.memory.extract_memories(self.history, now=self.now)

    @precondition(lambda self: self.history)
    @rule(cut=st.integers(0, 5))
    def compact(self, cut):
        before = self.memory.get_all_memories(include_superseded=True)
        self.history = [user("<holdfast-context>\nmust 必须\n</holdfast-context>"), *self.history[cut:]]
        assert self.memory.extract_memories(self.history).memories == ()
        assert self.memory.get_all_memories(include_superseded=True) == before

    @rule()
    def save_and_restore(self):
        text = self.memory.serialize()
        restored = ConversationMemory.deserialize(text)
        assert restored.serialize() == text
        assert restored.get_memory_stats() == self.memory.get_memory_stats()
        self.memory = restored

    @rule(count=st.integers(0, 6))
    def prune(self, count):
        self.memory.prune_low_priority_memories(count)
        assert len(self.memory.get_all_memories(include_superseded=True)) <= count

    @rule()
    def use(self):
        for entry in self.memory.get_all_memories()[:1]:
            assert self.memory.record_memory_access(entry.id, now=self.now)

    @invariant()
    def readings_agree(self):
        active = self.memory.get_all_memories()
        stats = self.memory.get_memory_stats()
        assert stats.total_memories == len(active) == stats.pending_memories + stats.persisted_memories
        assert sum(stats.by_type.values()) == sum(stats.by_priority.values()) == len(active)
        assert len({entry.id for entry in active}) == len(active)
        assert all(entry.content.strip() for entry in active)
        summary = self.memory.generate_memory_summary(60, count_tokens=lambda text: len(text) // 4)
        for entry in self.memory.get_critical_memories():
            assert entry.content.strip().replace("\n", "\n  ") in summary
        json.loads(self.memory.serialize())


TestLife = Life.TestCase
TestLife.settings = examples(25, stateful_step_count=20)


@given(st.lists(typed, max_size=5))
def test_extraction_is_idempotent_and_deterministic_for_any_text(texts):
    history = [user(text) for text in texts]
    one, other = ConversationMemory("t"), ConversationMemory("t")
    one.extract_memories(history)
    other.extract_memories(history)
    assert one.serialize() == other.serialize()
    assert one.extract_memories(history).memories == ()
    assert one.extract_memories(history[len(history) // 2 :]).memories == ()
    assert one.get_all_memories() == other.get_all_memories()
