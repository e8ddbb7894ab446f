"""The base of all adapters: conversations apart, kept items the same objects, nothing raised, records that last."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from journey import CONFIG, RULES, Call, Journey

from condense.adapters.conversations import Conversations, Writing, beginning
from condense.adapters.limits import Limits
from memory import PersistentMemoryManager, SqliteStore
from memory.conversation import Form


class Turn:
    """An item of an imaginary framework: one object with several wire messages."""

    def __init__(self, *values):
        self.values = values


def rebuilt(item, parts):
    return Turn(*(part.value for part in parts))


WRITING = Writing(Form.OPENAI_CHAT, lambda turn: turn.values, rebuilt)


def tool_call(call):
    function = {"name": call.name, "arguments": str(call.arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call.id, "type": "function", "function": function}],
    }


def travel(journey, conversations, name, history):
    """Go on a journey; a call and its result are two items, results of one step in one item."""
    for ask in journey.asks:
        history.append(Turn({"role": "user", "content": ask}))
        while True:
            sent = conversations.view_items(name, history, WRITING)
            journey.sent([value for turn in sent for value in turn.values], "openai-chat")
            said = journey.step()
            if not isinstance(said, Call):
                history.append(Turn({"role": "assistant", "content": said}))
                break
            history.append(Turn(tool_call(said)))
            output = journey.read_file(said.arguments["path"])
            history.append(Turn({"role": "tool", "tool_call_id": said.id, "content": output}))
    return sent


def test_a_journey_stays_in_the_window_and_keeps_its_rules_and_objects():
    conversations, journey, history = Conversations(CONFIG), Journey(), []
    sent = travel(journey, conversations, "a", history)
    journey.check()
    assert len(conversations.records("a")) >= 2
    own = {id(turn) for turn in history}
    assert sum(id(turn) in own for turn in sent) > len(sent) / 2
    assert conversations.last_error is None


def test_two_conversations_at_once_do_not_mix():
    conversations = Conversations(CONFIG)
    journeys = [Journey("north"), Journey("south")]
    threads = [threading.Thread(target=travel, args=(j, conversations, j.name, [])) for j in journeys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for journey in journeys:
        journey.check()


def test_conversations_without_a_name_go_by_how_they_begin():
    conversations, north, south = Conversations(CONFIG), Journey("north"), Journey("south")
    travel(north, conversations, "", [])
    travel(south, conversations, "", [])
    north.check()
    south.check()
    start = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    assert beginning(start) == beginning([*start, {"role": "user", "content": "More"}])
    assert beginning(start) != beginning([{"role": "user", "content": "Bye"}])


def test_of_two_that_begin_alike_neither_is_told_what_the_other_said():
    """Greetings are alike, and those who gave them may be two people."""
    conversations = Conversations(CONFIG)

    def history(rule, k):
        said = [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hi"},
            {"role": "user", "content": rule},
        ]
        for n in range(k):
            said.append({"role": "assistant", "content": " ".join(f"word_{n}_{j}" for j in range(90))})
            said.append({"role": "user", "content": f"Go on with {n}"})
        return said

    rules = ("Always deploy to the alpha cluster.", "Never deploy to the beta cluster.")
    for k in (1, 40, 41):
        for mine, other in (rules, rules[::-1]):
            sent = str(conversations.view("", history(mine, k)))
            assert mine in sent
            assert other not in sent
    for mine, other in (rules, rules[::-1]):
        assert len(conversations.records("", history(mine, 41))) == 1
        told = conversations.recall("", "cluster deploy", values=history(mine, 41))
        assert mine in told
        assert other not in told


def test_a_function_says_when_and_how_far_to_compact():
    conversations, asked = Conversations(CONFIG), []

    def due(tokens, messages):
        asked.append((tokens, messages))
        return tokens // 2 if messages > 21 else 0

    history = []
    for n in range(30):
        words = " ".join(f"word_{n}_{j}" for j in range(20))
        history += [{"role": "user", "content": f"Ask {n}"}, {"role": "assistant", "content": words}]
        sent = conversations.view("a", history, due=due)
        assert len(sent) <= 21
    assert [k for _, k in asked[:11]] == list(range(2, 24, 2))
    records = conversations.records("a")
    assert len(records) >= 2
    assert all(record.tokens_after <= record.target for record in records)


def test_a_second_process_goes_on_byte_for_byte(tmp_path):
    store, history = tmp_path / "store.db", []
    first = Conversations(CONFIG, store=store)
    travel(Journey(), first, "a", history)
    sent = first.view_items("a", history, WRITING)
    again = Conversations(CONFIG, store=SqliteStore(store)).view_items("a", history, WRITING)
    assert [turn.values for turn in again] == [turn.values for turn in sent]


def test_what_fails_is_swallowed_counted_and_told_once():
    told = []
    conversations = Conversations(CONFIG, on_error=told.append)

    def broken(_):
        raise RuntimeError("no such item")

    items = [Turn()]
    for _ in range(3):
        assert conversations.view_items("a", items, Writing(Form.OPENAI_CHAT, broken, rebuilt)) is items
    assert str(conversations.last_error) == "no such item"
    assert (conversations.errors, len(told)) == (3, 1)
    values = [{"role": "user"}, 7]
    assert conversations.view("b", values) is values
    assert conversations.errors == 4


def test_an_item_with_several_messages_comes_back_once_with_what_is_left_of_it():
    conversations, history = Conversations(CONFIG), []
    journey = Journey()
    for k in range(40):
        calls = [Call(f"c{k}{x}", "read_file", {"path": f"mod_{k}{x}.py"}) for x in "abc"]
        asked = tool_call(calls[0])
        asked["tool_calls"] = [tool_call(call)["tool_calls"][0] for call in calls]
        results = [
            {
                "role": "tool",
                "tool_call_id": c.id,
                "content": journey.read_file(c.arguments["path"]) * (1 + k % 3),
            }
            for c in calls
        ]
        history += [Turn({"role": "user", "content": f"Step {k}"}), Turn(asked), Turn(*results)]
    sent = conversations.view_items("a", history, WRITING)
    assert len(sent) < len(history)
    assert all(len(turn.values) in (1, 3) for turn in sent)
    values = [value for turn in sent for value in turn.values]
    journey.sent(values, "openai-chat")
    assert not journey.problems


def test_what_was_said_is_saved_to_the_project_and_comes_to_the_next_task(tmp_path):
    store = SqliteStore(tmp_path / "store.db")
    project = PersistentMemoryManager(store, "importer")
    conversations, history = Conversations(CONFIG, memory=project), []
    travel(Journey(), conversations, "first", history)
    conversations.save("first", [value for turn in history for value in turn.values])
    said = "\n".join(memory.entry.content for memory in project.get_project_memories())
    assert "migrations" in said
    assert "3001" in said
    assert "3001" in conversations.recall("second", "Which port does the API listen on?")


def test_recall_quotes_what_was_folded_and_fetches_originals():
    conversations, history = Conversations(CONFIG), []
    travel(Journey(), conversations, "a", history)
    assert "north_mod_3_7" in conversations.recall("a", "mod_3 north_mod_3_7")
    handle = next(handle for record in conversations.records("a") for handle in record.handles)
    assert "importer" in conversations.recall("a", handle)
    assert "Nothing" in conversations.recall("nobody", "anything")


def test_a_fork_keeps_records_of_its_own_and_takes_none_away(tmp_path):
    """Two conversations with one beginning make the same compaction; the store has it for both."""
    history = [{"role": "user", "content": f"Build it. {RULES[0]}"}]
    history += [{"role": role, "content": f"zebra {i} " * 40} for i in range(60) for role in ("assistant", "user")]
    conversations = Conversations(CONFIG, store=tmp_path / "store.db")
    first, fork = (conversations.view(name, history) for name in ("first", "fork"))
    assert first == fork != history
    kept = [len(conversations.store.records(None, name)) for name in ("first", "fork")]
    assert kept == [1, 1]
    conversations.undo("fork")
    kept = [len(conversations.store.records(None, name)) for name in ("first", "fork")]
    assert kept == [1, 0]


def test_undo_brings_back_what_was_folded(tmp_path):
    conversations, history = Conversations(CONFIG, store=tmp_path / "store.db"), []
    travel(Journey(), conversations, "a", history)
    count = len(conversations.records("a"))
    assert conversations.undo("a") is not None
    assert len(conversations.records("a")) == count - 1


def test_only_so_many_conversations_are_held():
    conversations = Conversations(CONFIG, most=3)
    for k in range(10):
        conversations.view(str(k), [{"role": "user", "content": "Hello"}])
    assert len(conversations._followed) == 3


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_there_after_every_compaction(rule):
    conversations, history, journey = Conversations(CONFIG), [], Journey()
    travel(journey, conversations, "a", history)
    assert rule in conversations.records("a")[-1].summary or rule in journey.last


def test_the_base_needs_no_database_beside_sqlite():
    code = "import sys; sys.modules['sqlalchemy'] = None; from condense.adapters import conversations"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("wrong", [{"config": 5}, {"store": 5}, {"memory": 5}])
def test_what_is_no_setting_is_refused_at_once(wrong):
    (name,) = wrong
    with pytest.raises(TypeError, match=f"{name} is 5"):
        Conversations(**wrong)


@pytest.mark.parametrize(
    ("trigger", "target"),
    [(("tokens", 1_000), 5_000), ([("messages", 9), ("fraction", 0.5)], ("fraction", 0.6))],
)
def test_a_target_above_the_trigger_is_refused(trigger, target):
    with pytest.raises(ValueError, match="is above the trigger"):
        Limits(trigger, None, target)
    Limits(trigger, ("tokens", 6_000), None)  # as theirs take it
