"""A growing conversation seen through `view`: nothing below the trigger, one compaction above it, then stillness."""

from __future__ import annotations

import copy
import json

import pytest
from builders import quarter, size
from clock import cpu_seconds, reference_work
from examples import examples
from hypothesis import given, strategies as st
from strategies import FORMS, plots

from condense import CondenseConfig, Condenser, TokenBudget
from condense.compaction.validity import violations
from condense.testing import demo_session
from memory import ConversationMemory, read_transcript
from memory.conversation.tokens.counting import count_message
from memory.conversation.wire.parsing import parse_messages


def session(window=4000, **settings_):
    config = CondenseConfig(budget=TokenBudget.for_window(window), **settings_)
    return Condenser(config, count_tokens=quarter, memory=ConversationMemory("t"))


def life(turns, *, words=150, start=0):
    messages = [{"role": "user", "content": "Build the importer. Never touch the migrations folder."}]
    for k in range(start, start + turns):
        use = {"type": "tool_use", "id": f"t{k}", "name": "Read", "input": {"file_path": f"src/mod_{k}.py"}}
        text = "\n".join(f"{k}.{n} def function_{k}_{n}(): return {n}" for n in range(words // 8))
        messages.append({"role": "assistant", "content": [{"type": "text", "text": f"Reading {k}"}, use]})
        messages.append(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{k}", "content": text}]}
        )
    return messages


def calls_of(messages):
    """The histories an agent would send, one before each answer."""
    return [messages[:i] for i, m in enumerate(messages) if m["role"] == "assistant" and i]


def test_below_the_trigger_the_output_is_the_input():
    messages = life(3)
    assert session().view(messages) is messages


def test_above_the_trigger_one_compaction_goes_below_the_target_and_stays_byte_stable_until_the_next():
    condenser = session()
    budget = condenser.config.budget
    records, previous = 0, None
    for history in calls_of(life(60)):
        sent = list(condenser.view(history))
        assert size(sent) <= budget.trigger
        if previous is not None and len(condenser.records) == records:
            assert json.dumps(sent[: len(previous)]) == json.dumps(previous)
        elif previous is not None:
            assert size(sent) <= budget.target
        records, previous = len(condenser.records), sent
    assert records >= 2
    assert "Never touch the migrations folder." in json.dumps(previous)


@pytest.mark.slow
@given(st.sampled_from(sorted(FORMS)), plots)
@examples(20)
def test_every_view_is_valid_and_the_newest_message_is_always_there(form, plot):
    condenser = session(2500)
    messages = FORMS[form](plot)
    for i in range(1, len(messages) + 1):
        history = parse_messages(messages[:i])
        sent = parse_messages(condenser.view(messages[:i]))
        if not violations(history):
            assert not violations(sent)
    assert [m.form for m in sent] == [parse_messages(messages)[0].form] * len(sent)


def test_undo_shows_what_stood_before_and_redo_waits_for_growth():
    condenser = session()
    messages = life(40)
    sent = list(condenser.view(messages))
    assert len(sent) < len(messages)
    assert condenser.undo() is not None
    small = session(8 * size(messages))
    assert small.undo() is None
    assert small.view(messages) is messages


def test_undo_restores_exactly():
    budget = TokenBudget(window=1_000_000, trigger=3000, target=1500)
    condenser = Condenser(CondenseConfig(budget=budget), count_tokens=quarter, memory=ConversationMemory("t"))
    messages = life(40)
    before = copy.deepcopy(messages)
    assert list(condenser.view(messages)) != messages
    record = condenser.undo()
    assert record is not None
    assert condenser.view(messages) is messages
    assert messages == before


def test_a_rewound_history_is_seen_as_it_is_and_the_record_does_not_apply():
    condenser = session()
    messages = life(40)
    condenser.view(messages)
    rewound = messages[:5]
    assert condenser.view(rewound) is rewound
    branched = [*messages[:5], *life(2, start=900)[1:]]
    assert condenser.view(branched) is branched


def test_after_a_rewind_and_back_the_record_of_most_messages_is_in_force_again():
    condenser = session()
    messages = life(40)
    whole = list(condenser.view(messages))
    assert len(list(condenser.view(messages[:61]))) < 61
    assert len(condenser.records) == 2
    assert list(condenser.view(messages)) == whole
    assert len(condenser.records) == 2


def test_the_same_history_in_new_objects_gives_the_same_bytes():
    condenser = session()
    first = json.dumps(list(condenser.view(life(40))))
    again = json.dumps(list(condenser.view(life(40))))
    assert first == again
    assert len(condenser.records) == 1


def test_moving_cache_markers_do_not_count_as_a_change():
    condenser = session()
    messages = life(40)
    condenser.view(messages)
    marked = copy.deepcopy(life(41))
    marked[10]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    sent = condenser.view(marked)
    assert len(condenser.records) == 1
    assert len(sent) < len(marked)


def test_a_broken_history_is_mended_even_below_the_trigger():
    messages = life(3)
    del messages[2]
    sent = session().view(messages)
    assert not violations(parse_messages(sent))


def test_message_values_come_back_as_message_values():
    messages = parse_messages(life(40))
    sent = session().view(messages)
    assert {type(m) for m in sent} == {type(messages[0])}


def test_nonsense_comes_back_untouched():
    nonsense = [{"role": "user", "content": 3}]
    assert session().view(nonsense) is nonsense


@pytest.mark.slow
def test_a_single_huge_result_is_reduced_so_that_the_window_holds():
    condenser = session()
    messages = life(2)
    messages[-1]["content"][0]["content"] = "\n".join(f"line {n} of the log" for n in range(20_000))
    sent = condenser.view(messages)
    assert size(sent) <= condenser.config.budget.window
    assert not violations(parse_messages(sent))


@pytest.mark.slow
def test_a_compaction_that_would_not_pay_waits_until_the_window_forces_it():
    budget = TokenBudget(window=10_000, trigger=4000, target=3900)
    waiting = Condenser(CondenseConfig(budget=budget), count_tokens=quarter, memory=ConversationMemory("t"))
    eager = Condenser(
        CondenseConfig(budget=budget, weigh_costs=False), count_tokens=quarter, memory=ConversationMemory("t")
    )
    messages = life(60)
    first = {}
    for name, condenser in (("waiting", waiting), ("eager", eager)):
        for history in calls_of(messages):
            assert size(condenser.view(history)) <= budget.window
            if condenser.records and name not in first:
                first[name] = size(history)
    assert first["waiting"] > first["eager"]


@pytest.mark.timing
def test_a_recorded_session_is_condensed_at_about_the_cost_that_it_had():
    """It takes 130 to 150 units, patterns compiled; a unit is 1/23 of what tiktoken takes to count the session."""

    def units():
        transcript = read_transcript(demo_session())
        spent = cpu_seconds(lambda: session(100_000).condense(transcript, target=4000))
        return spent / cpu_seconds(reference_work, 5)

    assert min(units() for _ in range(3)) < 210


@pytest.mark.timing
def test_a_new_message_costs_the_same_whatever_the_length_of_the_history():
    def seconds(turns):
        condenser = session(10_000_000)
        messages = life(turns)
        condenser.view(messages)
        best = 9.0
        for k in range(5):
            messages = [
                *messages,
                {"role": "assistant", "content": f"note {k}"},
                {"role": "user", "content": "go on"},
            ]
            best = min(best, cpu_seconds(lambda history=messages: condenser.view(history)))
        return best

    short, long = seconds(50), seconds(2000)
    assert long < max(4 * short, 4 * cpu_seconds(reference_work, 5))


def test_tokens_are_counted_once_a_message():
    seen = []

    def count(text):
        seen.append(text)
        return quarter(text)

    condenser = Condenser(
        CondenseConfig(budget=TokenBudget.for_window(1_000_000)),
        count_tokens=count,
        memory=ConversationMemory("t"),
    )
    messages = life(30)
    for history in calls_of(messages):
        condenser.view(history)
    once = sum(1 for m in parse_messages(messages) for _ in [count_message(m, count)])
    assert once
    assert len(seen) <= 2 * sum(len(m.parts) * 2 for m in parse_messages(messages))
