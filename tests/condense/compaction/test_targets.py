"""What counts into a target, and what is said of one that cannot be reached."""

from __future__ import annotations

import json
import re

import pytest
from agent_stories import GOOD, RULE, story
from builders import quarter, size
from examples import examples
from hypothesis import given, strategies as st
from strategies import FORMS, plots

from condense import CondenseConfig, Condenser, TokenBudget, summarize_conversation
from condense.apps.cli import main
from condense.compaction.validity import violations
from condense.testing.summarizers import ScriptedSummarizer
from memory import read_transcript
from memory.conversation.tokens.counting import count_message, default_counter
from memory.conversation.transcripts.values import count_frame
from memory.conversation.wire.parsing import parse_messages

TALK = [
    {"role": "user", "content": "Use PostgreSQL. Never touch the migrations."},
    *(
        message
        for k in range(8)
        for message in (
            {"role": "assistant", "content": f"module_{k}.py handles None now, with a test for compute_{k}."},
            {"role": "user", "content": f"Now the same for module_{k + 1}.py, the port stays {3000 + k}."},
        )
    ),
]
TOOLS = [{"name": "ls", "description": "Lists a folder. " * 40, "input_schema": {"type": "object"}}]
SYSTEM = "Be careful with the files of others. " * 20
FRAME = {"model": "m", "max_tokens": 100, "system": SYSTEM, "tools": TOOLS}


def condenser(**settings) -> Condenser:
    budget = TokenBudget(window=100_000, trigger=90_000, target=80_000)
    return Condenser(CondenseConfig(budget=budget, **settings), count_tokens=quarter)


def needed(error: str | None) -> int:
    found = re.search(r"at least (\d+) are needed", error or "")
    assert found, error
    return int(found[1])


def test_the_least_that_is_needed_is_one_figure_whatever_was_asked_for():
    figures = {needed(condenser().plan(TALK, target=target).error) for target in (1, 7, 20, 60, 100, 120)}
    assert len(figures) == 1
    (least,) = figures
    assert 120 < least < size(TALK)
    done = condenser().condense(TALK, target=least)
    assert done.error is None
    assert size(done.messages) <= least
    assert "Never touch the migrations." in "\n".join(m.text for m in parse_messages(done.messages))


@examples(20)  # each plans a dozen times
@given(st.sampled_from(sorted(FORMS)), plots, st.integers(1, 400))
def test_what_is_said_to_be_needed_is_enough(form, plot, target):
    messages = FORMS[form](plot)
    error = condenser().plan(messages, target=target).error or ""
    if "at least" in error:
        least = needed(error)
        assert least > target
        assert needed(condenser().plan(messages, target=1).error) == least
        done = condenser(minimum_progress=0).condense(messages, target=least)
        assert done.error is None
        assert size(done.messages) <= least


def test_what_cannot_get_smaller_says_so():
    messages = [
        {"role": "system", "content": "Rules of this place. " * 40},
        {"role": "user", "content": "Hi"},
    ]
    assert "can be folded" in condenser().plan(messages, target=50).error


@examples(25)
@given(st.integers(0, 900), st.integers(200, 1200))
def test_system_prompt_and_tools_count_into_the_target(overhead, target):
    done = condenser().condense(story(), target=target, overhead=overhead)
    assert not violations(parse_messages(done.messages))
    assert done.prev_context_tokens == size(story()) + overhead
    if done.record is None:
        assert done.error
        assert list(done.messages) == story()
    else:
        assert size(done.messages) + overhead == done.new_context_tokens <= target


def test_what_does_not_count_changes_nothing():
    with_none, without = (condenser().condense(story(), target=900, **more) for more in ({"overhead": 0}, {}))
    assert with_none.record == without.record


def test_an_overhead_beyond_the_target_is_told_as_what_it_is():
    done = condenser().condense(story(), target=700, overhead=700)
    assert done.error == (
        "the system prompt and the tools alone take 700 tokens; a target of 700 cannot be reached"
    )
    assert done.record is None


@pytest.mark.parametrize(("overhead", "wrong"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_an_overhead_that_is_no_number_of_tokens_is_refused(overhead, wrong):
    with pytest.raises(wrong, match="overhead should be"):
        condenser().condense(story(), overhead=overhead)


def test_with_a_model_system_prompt_and_tools_count_into_the_target_too():
    prompt = "y" * 800
    for model in (ScriptedSummarizer(GOOD), ScriptedSummarizer(OSError("gone")), None):
        done = summarize_conversation(
            story(), model, count_tokens=quarter, target=1_800, system_prompt=prompt, overhead=300
        )
        assert done.record is not None
        assert done.new_context_tokens == size(done.messages) + 500 <= 1_800
        assert done.prev_context_tokens == size(story()) + 500
        assert RULE in "\n".join(m.text for m in parse_messages(done.messages))


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        ({"system": "be brief"}, "be brief"),
        ({"system": [{"type": "text", "text": "be"}, {"type": "text", "text": "brief"}]}, "be\n\nbrief"),
        ({"instructions": "be brief", "input": []}, "be brief"),
        ({"systemInstruction": {"parts": [{"text": "be brief"}]}}, "be brief"),
        ({"system_instruction": {"text": "be brief"}}, "be brief"),
        ({"functions": [{"name": "f"}]}, '[{"name": "f"}]'),
        ({"model": "m", "system": None, "tools": [], "metadata": {"a": 1}}, ""),
        ({"system": 5}, ""),
    ],
)
def test_what_stands_around_the_messages_is_counted(frame, text):
    assert count_frame(frame, len) == len(text)


def test_a_request_is_brought_down_with_all_that_it_holds(tmp_path, monkeypatch, capsysbinary):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    file, out = tmp_path / "request.json", tmp_path / "smaller.json"
    file.write_text(json.dumps(FRAME | {"messages": story()}), encoding="utf-8")
    count = default_counter()
    overhead = count_frame(FRAME, count)
    target = overhead + 900
    arguments = [str(file), "--target", str(target)]
    assert main(["condense", *arguments, "-o", str(out), "--json"]) == 0
    told = json.loads(capsysbinary.readouterr().out)
    written = json.loads(out.read_text(encoding="utf-8"))
    assert {key: written[key] for key in FRAME} == FRAME
    after = sum(count_message(m, count) for m in read_transcript(out)) + count_frame(written, count)
    assert told["tokens_after"] == after <= target
    assert told["overhead"] == overhead
    assert main(["report", *arguments]) == 0
    assert "in the system prompt and the tools" in capsysbinary.readouterr().out.decode()
    assert main(["report", str(file), "--target", str(overhead)]) == 1
    shown = capsysbinary.readouterr()
    assert shown.err.decode().count("the system prompt and the tools alone") == 1
    assert b"alone" not in shown.out


def test_an_error_says_where_instructions_take_what_is_needed():
    rows = "\n".join(f"row {n} of the table" for n in range(400))
    messages = [
        {"role": "system", "content": "Work with care in every file.\n" * 400},
        {"role": "user", "content": "Tidy up."},
        *exchanged(rows),
    ]
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(16_000)), count_tokens=quarter)
    error = condenser.condense(messages, target=1500).error
    assert error is not None
    assert "for instructions that stay as they are" in error
    without = condenser.condense(messages[1:], target=40).error
    assert without is not None
    assert "instructions" not in without


def exchanged(output):
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "cat table"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": output}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


@pytest.mark.parametrize(
    ("window", "overhead", "named"),
    [
        ("200k", 0, "window should be .*'200k'"),
        (None, 0, "window .*None"),
        (1.5e5, 0, "150000.0"),
        (9000, "1k", "overhead"),
    ],
)
def test_a_window_that_is_no_number_of_tokens_is_named(window, overhead, named):
    with pytest.raises(TypeError, match=named):
        TokenBudget.for_window(window, overhead=overhead)
