"""`view` told what else is sent, what is to stay, and when: `overhead`, `keep`, `due`."""

from __future__ import annotations

import pytest
from builders import quarter, size

from condense import CondenseConfig, Condenser, TokenBudget
from memory import ConversationMemory

RULE = "Never touch the migrations folder."


def session(window=6000, target=2000):
    budget = TokenBudget(window=window, trigger=int(window * 0.8), target=target)
    config = CondenseConfig(budget=budget, weigh_costs=False)
    return Condenser(config, count_tokens=quarter, memory=ConversationMemory("t"))


def life(turns):
    messages = [{"role": "user", "content": f"Build the importer. {RULE}"}]
    for k in range(turns):
        call = {
            "id": f"c{k}",
            "type": "function",
            "function": {"name": "Read", "arguments": f'{{"path": "m{k}.py"}}'},
        }
        messages.append({"role": "assistant", "content": f"Reading {k}", "tool_calls": [call]})
        text = "\n".join(f"{k}.{n} def function_{k}_{n}(): return {n}" for n in range(12))
        messages.append({"role": "tool", "tool_call_id": f"c{k}", "content": text})
    return messages


def test_what_is_sent_beside_the_messages_counts_into_trigger_and_target():
    history = life(30)
    assert size(history) < 4800
    assert session().view(history) is history
    sent = session().view(history, overhead=1500)
    assert size(sent) + 1500 <= 2000
    assert RULE in str(sent)


def test_a_record_made_beside_much_else_is_counted_by_itself_afterwards():
    condenser = session()
    condenser.view(life(30), overhead=1500)
    for turns in range(31, 70):
        sent = condenser.view(life(turns), overhead=100)
        assert size(sent) + 100 <= 4800
    assert len(condenser.records) == 2


def test_the_newest_messages_asked_to_be_kept_stay_the_very_objects():
    history = life(60)
    sent = session(target=4000).view(history, keep=11)
    assert [id(m) for m in sent[-11:]] == [id(m) for m in history[-11:]]
    fewer = session(target=4000).view(history)
    assert [id(m) for m in fewer[-11:]] != [id(m) for m in history[-11:]]


def test_more_to_keep_than_fits_keeps_what_fits_and_the_rules():
    history = life(60)
    sent = session().view(history, keep=100)
    assert size(sent) <= 2000
    assert RULE in str(sent)
    assert any(m is history[-1] for m in sent)


def test_the_caller_may_say_when():
    history, long = life(30), life(36)
    assert session().view(long, due=False) is long
    assert size(session().view(history, due=True)) <= 2000
    over = life(60)
    assert size(session().view(over, due=False)) <= 2000, "a window that does not hold is no matter of choice"


def test_due_below_the_target_is_nothing_to_do():
    history = life(5)
    condenser = session()
    assert condenser.view(history, due=True) is history
    assert condenser.last_error is None


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"keep": -1}, "keep should be 0 messages or more"),
        ({"overhead": -1}, "overhead should be 0 tokens or more"),
    ],
)
def test_wrong_numbers_name_themselves(given, error):
    with pytest.raises(ValueError, match=error):
        session().view(life(1), **given)
