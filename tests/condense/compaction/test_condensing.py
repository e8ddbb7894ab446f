"""What a compaction gives back: originals, errors that say why, the latest request, what the assistant reported."""

from __future__ import annotations

import re

import orjson
import pytest
from builders import quarter
from strategies import FORMS

from condense import CondenseConfig, Condenser, TokenBudget
from condense.compaction.validity import violations
from condense.ledger.document import read_ledger
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages


def condenser(**settings_) -> Condenser:
    budget = TokenBudget(window=100_000, trigger=90_000, target=80_000)
    return Condenser(
        CondenseConfig(budget=budget, **settings_), count_tokens=quarter, memory=ConversationMemory("t")
    )


def test_originals_with_lone_surrogates_and_huge_numbers_come_back():
    odd = {"type": "tool_result", "tool_use_id": "a", "content": "line\ud800\n" * 400, "took": 2**80}
    call = {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "cat x"}}
    messages = [
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [odd]},
        {"role": "assistant", "content": "Done"},
        {"role": "user", "content": "Next"},
    ]
    c = condenser()
    done = c.condense(messages, target=250)
    assert done.record is not None, done.error
    assert messages[2] in [c.expand(h) for h in done.record.handles]


def test_what_earlier_tasks_of_the_project_said_is_offered_and_marked_as_such():
    class Recall:
        def relevant_memories(self, latest_ask, budget, *, count_tokens, task_id=""):
            assert latest_ask == "Next, deploy it"
            return ("Deploy only from the release branch. (2026-01-02)",) if count_tokens("x" * 60) < budget else ()

    work = ("turn", [(False, [("make", "line\n" * 900)], "x")])
    messages = [
        *FORMS["anthropic"]([(("ask", "Build it"), work)]),
        {"role": "user", "content": "Next, deploy it"},
    ]
    c = Condenser(count_tokens=quarter, memory=ConversationMemory("t"), project_memory=Recall())
    done = c.condense(messages, target=900)
    assert "# From earlier tasks of this project\n- Deploy only from the release branch." in done.summary


def test_an_unreachable_target_is_said_and_the_original_comes_back():
    messages = [{"role": "system", "content": "rule " * 5000}, {"role": "user", "content": "hello " * 50}]
    done = condenser().condense(messages, target=200)
    assert done.messages is messages
    assert "cannot be reached" in (done.error or "")


def test_a_failing_token_counter_gives_the_original_back():
    def broken(text: str) -> int:
        raise RuntimeError("counter is out of order")

    messages = [{"role": "user", "content": "hello"}]
    done = Condenser(count_tokens=broken).condense(messages)
    assert done.messages is messages
    assert "counter is out of order" in (done.error or "")


def test_messages_that_fit_no_form_come_back_with_an_error_that_names_them():
    messages = [{"role": "user", "content": "hello"}, {"role": "user", "content": 7}]
    done = condenser().condense(messages, target=10)
    assert done.messages is messages
    assert "content" in (done.error or "")


@pytest.mark.parametrize("form", sorted(FORMS))
def test_thinking_that_is_signed_is_kept_whole_or_goes_whole(form):
    steps = [(True, [(f"cat file{k}.py", "line\n" * 200)], "looking") for k in range(30)]
    messages = FORMS[form]([(("ask", "Fix the parser"), ("turn", steps))])[:-1]
    done = condenser().condense(messages, target=2000)
    assert done.record is not None
    for message in done.messages:
        if isinstance(message.get("content"), list):
            for block in message["content"]:
                if block.get("type") == "thinking":
                    assert any(block in (o["content"] if isinstance(o["content"], list) else []) for o in messages)
    assert not violations(parse_messages(done.messages))
    assert orjson.dumps(list(done.messages))


def test_what_the_assistant_reported_is_quoted_rather_than_bare_titles_of_its_steps():
    report = "I chose the adjacency list over nested sets, because moves are frequent here."
    messages = [{"role": "user", "content": "Which table layout do we take for the folders?"}]
    messages += [{"role": "assistant", "content": report}, {"role": "user", "content": "Good, build it."}]
    for k in range(40):
        messages += [
            {"role": "assistant", "content": f"**Looking at step {k}**"},
            {"role": "user", "content": f"step {k}: " + "nothing new here. " * 20},
        ]
    done = condenser().condense(messages, target=1500)
    answers = read_ledger(parse_messages(done.messages)[0].text).answers
    assert [a.body for a in answers] == [report]


def call(number):
    return {"type": "tool_use", "id": f"c{number}", "name": "Read", "input": {"file_path": f"f{number}.txt"}}


def answer(number):
    return {"type": "tool_result", "tool_use_id": f"c{number}", "content": f"line {number} " * 40}


def test_a_request_thrown_in_between_a_call_and_its_result_is_quoted():
    thrown_in = "Stop after this one and keep the old file name."
    messages = [{"role": "user", "content": "Rename the reports."}]
    for number in range(40):
        answers = [answer(number), *([{"type": "text", "text": thrown_in}] if number == 20 else [])]
        messages += [{"role": "assistant", "content": [call(number)]}, {"role": "user", "content": answers}]
    done = condenser().condense(messages, target=1000)
    assert read_ledger(parse_messages(done.messages)[0].text).latest.text == thrown_in


def test_a_request_right_after_a_call_that_was_never_answered_is_quoted():
    messages = [{"role": "user", "content": "Rename the reports."}]
    for number in range(40):
        messages += [
            {"role": "assistant", "content": [call(number)]},
            {"role": "user", "content": [answer(number)]},
        ]
    messages += [
        {"role": "assistant", "content": [call(40)]},
        {"role": "user", "content": "That hangs. Leave f40 out."},
        *({"role": "assistant", "content": f"Working on part {k}. " * 20} for k in range(10)),
    ]
    done = condenser().condense(messages, target=1000)
    assert "That hangs. Leave f40 out." in read_ledger(parse_messages(done.messages)[0].text).latest.text


@pytest.mark.parametrize(
    ("messages", "target", "said"),
    [
        (None, 100, "messages should be a list of messages, not NoneType"),
        ("Hello.", 100, "messages should be a list of messages, not str"),
        ([{"role": "user", "content": "Hi."}], "16k", "target should be a whole number of tokens, not '16k'"),
        ([{"role": "user", "content": "Hi."}], 0, "target should be above 0 tokens, not 0"),
    ],
)
def test_wrong_arguments_are_refused_by_name(messages, target, said):
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        condenser().condense(messages, target=target)
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        condenser().plan(messages, target=target)


@pytest.mark.parametrize(
    ("arguments", "label"),
    [
        ({"command": ["bash", "-lc", "make all"]}, "shell: make all"),
        ({"command": ["pwsh", "-NoLogo", "-NoProfile", "-Command", "git status"]}, "shell: git status"),
        ({"command": ["rg", "-c", "shop"]}, "shell: rg -c shop"),
        (
            {
                "command": [
                    "apply_patch",
                    "*** Begin Patch\n*** Update File: a/b.py\n@@\n-x\n+y\n*** Add File: c.py\n+z",
                ]
            },
            "shell: patch of a/b.py, c.py",
        ),
        ({"number": 4, "path": "a.py", "command": "view"}, "shell: a.py"),
        ({}, "shell:"),
    ],
)
def test_the_receipt_names_a_call_by_what_it_is_about(arguments, label):
    call = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "shell", "input": arguments}],
    }
    answer = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok " * 4000}],
    }
    plan = condenser().plan([{"role": "user", "content": "go"}, call, answer], target=1500)
    assert label in {action.label.strip() for action in plan.actions}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"config": 100_000},
            "config should be a CondenseConfig, not 100000; say CondenseConfig(budget=TokenBudget",
        ),
        ({"config": 0}, "config should be a CondenseConfig, not 0"),
        ({"config": TokenBudget.for_window(9000)}, "config should be a CondenseConfig, not TokenBudget("),
        ({"memory": "task"}, "memory should be a ConversationMemory, not 'task'"),
        ({"count_tokens": 4}, "count_tokens should be a Callable, not 4; say len"),
    ],
)
def test_a_condenser_made_with_something_of_another_type_says_what_would_be_right(given, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        Condenser(**given)
