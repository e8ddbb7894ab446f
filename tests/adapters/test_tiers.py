"""The documented three tiers of one call: budget, shares, bytes, and that what comes out can be sent."""

from __future__ import annotations

import copy

import pytest
from builders import quarter, size
from conversations import conversations
from hypothesis import given, settings, strategies as st

from condense.adapters.threads.tiers import tier_budget, tier_summary, trim_to_tiers
from condense.compaction import repair
from memory.conversation import Form, parse_messages


def anthropic_turn(k, thought="t" * 2_000, output="o" * 1_000):
    """One documented turn: a question, thinking + text + a call, and its output."""
    return [
        {"role": "user", "content": f"Question {k}?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": f"{k} {thought}", "signature": "c2ln"},
                {"type": "text", "text": f"查询结果如下 {k}"},
                {"type": "tool_use", "id": f"call_{k}", "name": "bash", "input": {"command": "ls"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"call_{k}", "content": output}]},
        {"role": "assistant", "content": f"Answer {k}."},
    ]


def history(turns, **more):
    return [message for k in range(turns) for message in anthropic_turn(k, **more)]


def test_the_budget_of_the_documented_example():
    assert tier_budget(128_000) == 99_200
    assert tier_budget(128_000, system=4_200) == 95_000
    assert tier_budget(8_000) == 8_000 - 800 - 2_000
    assert tier_budget(1_000, system=5_000) == 0


def test_below_the_budget_the_input_itself_comes_back():
    messages = history(5)
    assert trim_to_tiers(messages, 10**6, summary="We talked.", topics=["ports"], count=quarter) is messages


def test_the_newest_ten_stay_and_the_middle_is_condensed():
    messages = history(30)
    before = copy.deepcopy(messages)
    sent = trim_to_tiers(
        messages, 12_000, summary="We set up a database.", topics=["数据库设计", "Docker"], count=quarter
    )
    assert messages == before, "virtual trimming leaves the history whole"
    assert all(a is b for a, b in zip(sent[-10:], messages[-10:], strict=True))
    assert sent[0] == {
        "role": "user",
        "content": "[Conversation Summary]\nWe set up a database.\n\n[Recallable Topics]: 数据库设计, Docker\n"
        "Use the recall_memory tool to retrieve details about any topic above.",
    }
    middle = sent[1:-10]
    calls = [m for m in middle if isinstance(m["content"], list) and m["role"] == "assistant"]
    outputs = [m for m in middle if isinstance(m["content"], list) and m["role"] == "user"]
    assert len(calls) >= 15
    assert all([block["type"] for block in m["content"]] == ["text", "tool_use"] for m in calls)
    assert {m["content"][0]["content"] for m in outputs} == {"o" * 200 + "... (truncated)"}
    kept = {id(m) for m in messages}
    assert all(id(m) in kept for m in middle if isinstance(m["content"], str))
    assert size(sent) <= 12_000
    assert size(middle) <= 12_000 * 35 // 100


def test_an_output_of_exactly_the_limit_is_not_cut():
    messages = [*history(30, output="x" * 200), *history(5)]
    sent = trim_to_tiers(messages, 12_000, count=quarter)
    shown = {
        b["content"] for m in sent[:-10] if isinstance(m["content"], list) for b in m["content"] if "content" in b
    }
    assert shown == {"x" * 200, "o" * 200 + "... (truncated)"}


def test_system_messages_lead_and_stay_and_count():
    rules = {"role": "system", "content": "Be brief. " * 100}
    chat = [{"role": role, "content": f"{role} {k} " * 60} for k in range(40) for role in ("user", "assistant")]
    sent = trim_to_tiers([rules, *chat], 6_000, summary="Earlier.", count=quarter)
    assert sent[0] is rules
    assert sent[1]["content"] == "[Conversation Summary]\nEarlier."
    assert size(sent) <= 6_000


def test_without_summary_and_topics_there_is_no_first_tier():
    assert tier_summary("", (), 100, quarter) == ""
    sent = trim_to_tiers(history(30), 12_000, count=quarter)
    assert not any("[Conversation Summary]" in str(m) or "[Recallable Topics]" in str(m) for m in sent)


def test_the_first_tier_keeps_to_its_share_rare_topics_go_first_then_the_end_of_the_summary():
    topics = [f"topic {k}" for k in range(50)]
    told = tier_summary("All about ports.", topics, 80, quarter)
    assert quarter(told) <= 80
    assert told.startswith("[Conversation Summary]\nAll about ports.\n\n[Recallable Topics]: topic 0, topic 1, ")
    cut = tier_summary("words " * 400, topics, 50, quarter)
    assert 45 <= quarter(cut) <= 50
    assert "Recallable" not in cut


def test_the_recent_tier_stops_at_its_share():
    chat = [{"role": role, "content": f"{k} " * 1_000} for k in range(20) for role in ("user", "assistant")]
    sent = trim_to_tiers(chat, 8_000, count=quarter)
    assert size(sent) <= 8_000
    assert sent[-1] is chat[-1]
    assert len(sent) < 15


def test_a_newest_message_beyond_its_tier_is_kept_whole_where_the_window_holds_it():
    chat = [*history(20), {"role": "user", "content": "Look at this: " + "z" * 20_000}]
    sent = trim_to_tiers(chat, 7_000, count=quarter)
    assert sent[-1] is chat[-1]
    assert size(sent) <= 7_000


def test_a_newest_output_beyond_the_window_is_cut():
    chat = [*history(20)[:-1]]
    chat[-1] = {**chat[-1], "content": [{**chat[-1]["content"][0], "content": "z" * 80_000}]}
    sent = trim_to_tiers(chat, 5_000, count=quarter)
    assert sent[-1]["content"][0]["content"] == "z" * 200 + "... (truncated)"
    assert size(sent) <= 5_000


def test_results_whose_call_is_out_of_sight_go_too():
    big = {"name": "write", "arguments": "x" * 40_000}
    small = {"name": "ls", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": f} for i, f in (("a", big), ("b", small))]
    chat = [
        {"role": "user", "content": "Write it."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "written"},
        {"role": "tool", "tool_call_id": "b", "content": "a.py"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks, now the tests."},
    ]
    sent = trim_to_tiers(chat, 3_000, summary="Earlier.", count=quarter)
    assert sent == [{"role": "user", "content": "[Conversation Summary]\nEarlier."}, *chat[-2:]]


def test_a_counter_that_is_a_tenth_short_still_leaves_the_window_whole():
    window, summary = 16_000, "We set up the database. " * 400
    chat = [{"role": role, "content": f"words {k} " * 40} for k in range(200) for role in ("user", "assistant")]

    def short(text):
        return quarter(text) * 9 // 10

    sent = trim_to_tiers(chat, tier_budget(window), summary=summary, full_recent=400, count=short)
    assert size(sent) > tier_budget(window)
    assert size(sent) + window // 4 <= window


def test_reasoning_items_go_and_what_named_them_with_them():
    items = []
    for k in range(40):
        items += [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"Question {k}"}]},
            {"type": "reasoning", "id": f"rs_{k}", "summary": [], "encrypted_content": "ZW5j" * 100},
            {"type": "function_call", "id": f"fc_{k}", "call_id": f"c{k}", "name": "ls", "arguments": "{}"},
            {"type": "function_call_output", "call_id": f"c{k}", "output": "o" * 400},
        ]
    sent = trim_to_tiers(items, 4_000, summary="Earlier.", count=quarter)
    recent = [item for item in sent if item["type"] == "reasoning"]
    assert 2 <= len(recent) <= 3
    first = next(i for i, item in enumerate(sent) if item["type"] == "reasoning")
    assert not any("id" in item for item in sent[:first])
    assert all("id" in sent[i + 1] for i, item in enumerate(sent) if item["type"] == "reasoning")
    assert all(any(item is given for given in items) for item in sent[first:])


@pytest.mark.parametrize("form", list(Form))
@given(data=st.data(), budget=st.integers(5, 200), recent=st.integers(0, 12))
@settings(max_examples=20, deadline=None)
def test_what_comes_out_can_be_sent(form, data, budget, recent):
    values = data.draw(conversations(form))
    if repair(parse_messages(values, form))[1]:
        return
    sent = trim_to_tiers(
        values,
        budget,
        summary="Earlier.",
        topics=["a"],
        full_recent=recent,
        tool_max=3,
        count=quarter,
        form=form,
    )
    assert repair(parse_messages(sent, form))[1] == ()
    assert sent is values or len(sent) >= 1
