"""A view does what it should or says why not: any form, edits in place, originals as they came."""

from __future__ import annotations

import copy
import logging
from types import SimpleNamespace

import pytest
from builders import quarter, size
from clock import cpu_seconds
from pydantic import BaseModel
from strategies import FORMS

from condense import CondenseConfig, Condenser, TokenBudget, ViewError
from condense.adapters.failures import log_failure
from condense.compaction.validity import violations
from condense.ledger.document import read_ledger
from condense.reading.shell import read_shell
from memory import ConversationMemory
from memory.conversation.messages import Form
from memory.conversation.wire.parsing import parse_messages
from memory.errors import ForeignMessageError, WireError

ASK = {"role": "user", "content": "Build the importer. Never touch the migrations folder."}
SYSTEM = {"role": "system", "content": "You are a careful coding agent."}
OUTPUT = "\n".join(f"{n}: def function_{n}(): return {n}" for n in range(30))
PLOT = [(("ask", f"Go on with step {k}"), ("turn", [(True, [("ls", OUTPUT)], "ok")])) for k in range(14)]
STEPS = {form: [m for m in make(PLOT) if m.get("role") != "system"] for form, make in FORMS.items()}
SMALL = CondenseConfig(budget=TokenBudget.for_window(2500), weigh_costs=False)


def session(**more):
    return Condenser(SMALL, count_tokens=quarter, memory=ConversationMemory("t"), **more)


def grown(condenser, messages):
    """Play a history through `view`, message by message, and return what was sent last."""
    sent = messages
    for i in range(1, len(messages) + 1):
        sent = condenser.view(messages[:i])
    return list(sent)


@pytest.mark.parametrize("opening", [[ASK], [SYSTEM, ASK]], ids=["plain", "system first"])
@pytest.mark.parametrize("form", sorted(FORMS))
def test_an_opening_that_fits_every_form_does_not_decide_it(form, opening):
    condenser = session()
    messages = [*opening, *STEPS[form]]
    for i in range(1, len(messages) + 1):
        sent = condenser.view(messages[:i])
        if not violations(parse_messages(messages[:i], Form(form))):
            assert not violations(parse_messages(sent, Form(form)))
    assert condenser.records
    assert size(sent) < size(messages)
    assert condenser.last_error is None


def test_the_form_may_be_told():
    condenser = session()
    messages = [ASK, *STEPS["openai-chat"]]
    assert condenser.view(messages, form="anthropic") is messages
    assert isinstance(condenser.last_error, WireError)
    assert len(condenser.view(messages, form="openai-chat")) < len(messages)
    assert len(session().view(messages, form=Form.OPENAI_CHAT)) < len(messages)
    with pytest.raises(ValueError, match="smoke-signals"):
        condenser.view(messages, form="smoke-signals")


def test_what_a_view_swallows_is_kept_and_told_of_once():
    told = []
    condenser = session(on_error=told.append)
    good = [ASK, *STEPS["anthropic"][:5]]
    bad = [*good, {"role": "user", "content": [{"type": "text", "text": 3}]}]
    assert condenser.last_error is None
    for _ in range(3):
        assert condenser.view(bad) is bad
    assert len(told) == 1
    assert "message 6: content[0].text is 3" in str(condenser.last_error)
    assert condenser.view(good) is good


def test_a_view_goes_on_once_the_message_it_could_not_read_is_gone():
    condenser = session(on_error=lambda error: None)
    messages = [ASK, *STEPS["anthropic"]]
    condenser.view([*messages[:3], {"role": "user", "content": 7}])
    assert condenser.last_error is not None
    assert len(condenser.view(messages)) < len(messages)


def test_without_a_callable_a_failure_is_a_warning():
    with pytest.warns(RuntimeWarning) as caught:
        session().view([{"role": "user", "content": 3}])
    assert "message 0: content is 3" in str(caught[0].message)


def test_failures_can_be_logged_without_secrets(caplog):
    key = "sk-ant-" + "api03-" + "Zq8" * 12
    with caplog.at_level(logging.WARNING, "holdfast"):
        session(on_error=log_failure).view([{"role": "user", "content": {"api_key": key}}])
    assert "message 0: content is" in caplog.text
    assert key not in caplog.text


def test_a_compaction_that_cannot_be_made_is_told_of():
    class Full:
        def put(self, content):
            raise OSError("no space left")

    told = []
    messages = [ASK, *STEPS["anthropic"]]
    condenser = session(archive=Full(), on_error=told.append)
    assert condenser.view(messages) is messages
    assert isinstance(condenser.last_error, ViewError)
    assert "no space left" in str(told[0])
    assert isinstance(told[0].__cause__, OSError)


def test_messages_without_content_and_no_list_at_all_are_clear_errors():
    condenser = session(on_error=lambda error: None)
    empty = [{"role": "user"}]
    assert condenser.view(empty) is empty
    assert "nothing valid to send" in str(condenser.last_error)
    assert "nothing valid to send" in str(condenser.condense(empty).error)
    with pytest.raises(TypeError, match="not str"):
        condenser.view("abc")


class Human(BaseModel):
    """Like a message of LangChain: who speaks is told by its type alone."""

    content: str
    type: str = "human"


@pytest.mark.parametrize("foreign", [Human(content="hi"), SimpleNamespace(parts=[]), "hello", None, 3])
def test_what_is_no_message_is_refused_by_class_and_place(foreign):
    messages = [ASK, foreign]
    named = f"message 1: .*{type(foreign).__name__}"
    for refuses in (session().condense, session().plan):
        with pytest.raises(TypeError, match=named):
            refuses(messages)
    condenser = session(on_error=lambda error: None)
    assert condenser.view(messages) is messages
    assert isinstance(condenser.last_error, ForeignMessageError)
    assert type(foreign).__name__ in str(condenser.last_error)


def test_a_foreign_object_within_a_message_is_refused_too():
    with pytest.raises(TypeError, match=r"message 0: content\[0\] is of class 'types.SimpleNamespace'"):
        session().condense([{"role": "user", "content": [SimpleNamespace(text="x")]}])


@pytest.mark.parametrize("deep", [False, True], ids=["content", "a text within"])
def test_an_edit_in_place_of_a_folded_message_drops_the_record(deep):
    condenser = session()
    messages = copy.deepcopy([ASK, *STEPS["anthropic"]])
    first = grown(condenser, messages)
    assert condenser.view(messages) == first
    at = next(i for i, m in enumerate(messages) if isinstance(m["content"], list))
    old = len(condenser.records)
    if deep:
        messages[at]["content"][0]["thinking"] = "Another thought"
    else:
        messages[0]["content"] = "Build the exporter. Never touch the fixtures folder."
    sent = condenser.view(messages)
    assert len(condenser.records) == old + 1
    assert not violations(parse_messages(sent))
    if not deep:
        assert "Never touch the fixtures folder." in str(sent)


def test_a_text_before_the_results_of_its_message_moves_behind_them():
    messages = [ASK, *STEPS["anthropic"][:3]]
    at = next(i for i, m in enumerate(messages) if "tool_result" in str(m))
    said = {"type": "text", "text": "And mind the tests"}
    messages[at] = {"role": "user", "content": [said, *messages[at]["content"]]}
    sent = session().view(messages)
    assert [block["type"] for block in sent[at]["content"]] == ["tool_result", "text"]
    assert sent[:at] == messages[:at]
    assert messages[at]["content"][0] is said


def test_an_original_that_was_mended_comes_back_as_it_came():
    messages = [ASK, *STEPS["anthropic"]]
    at = next(i for i, m in enumerate(messages) if "tool_result" in str(m))
    late = {"role": "user", "content": [{"type": "text", "text": "Hm"}, *messages[at]["content"]]}
    messages[at] = late
    condenser = session()
    done = condenser.condense(messages, target=1200)
    assert late in [condenser.expand(h) for action in done.plan.actions for h in action.handles]


def test_messages_that_were_joined_come_back_as_they_came():
    messages = [ASK, *STEPS["anthropic"]]
    at = next(i for i, m in enumerate(messages) if "tool_use" in str(m))
    call, result = messages[at], messages[at + 1]
    other = {**call["content"][-1], "id": "beside"}
    messages[at] = {"role": "assistant", "content": [*call["content"], other]}
    second = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "beside", "content": "x"}]}
    messages.insert(at + 2, second)
    condenser = session()
    done = condenser.condense(messages, target=1200)
    assert [result, second] in [condenser.expand(h) for action in done.plan.actions for h in action.handles]


def test_a_history_that_anthropic_compacted_is_compacted_like_others():
    block = {"type": "compaction", "content": "Earlier: the parser was written."}
    steps = STEPS["anthropic"]
    at = next(i for i in range(len(steps) // 3, len(steps)) if "tool_use" in str(steps[i]))
    marked = {"role": "assistant", "content": [block, *steps[at]["content"]]}
    messages = [ASK, *steps[:at], marked, *steps[at + 1 :]]
    condenser = session()
    sent = grown(condenser, messages)
    assert condenser.records
    assert condenser.last_error is None
    assert not violations(parse_messages(sent, Form.ANTHROPIC))
    texts = [str(m["content"]) for m in sent]
    carried = next(i for i, text in enumerate(texts) if "'compaction'" in text)
    ledger = next(i for i, text in enumerate(texts) if "<holdfast-context" in text)
    assert carried < ledger
    assert sent[carried]["content"] == [block]


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["cd a && ", "<a>", "> a "])
def test_a_command_line_of_thousands_of_commands_is_read_in_bounded_time(unit):
    def seconds(times):
        line = unit * times + "true"
        return cpu_seconds(lambda: read_shell(line), 1)

    short, long = seconds(5000), seconds(40_000)
    assert long < 12 * short + 0.02


@pytest.mark.timing
def test_a_long_command_line_is_read_once_for_a_compaction():
    line = "cd a && " * 18_000 + "true"
    messages = copy.deepcopy([ASK, *STEPS["openai-chat"]])
    call = next(m for m in messages if m.get("tool_calls"))
    alone = cpu_seconds(lambda: read_shell(f"{line} "), 1)
    call["tool_calls"][0]["function"]["arguments"] = f'{{"command": "{line}"}}'
    whole = cpu_seconds(lambda: session().condense(messages, target=1200), 1)
    assert whole < 4 * alone + 0.5


def test_a_developer_message_does_not_decide_between_the_forms_of_openai():
    history = [{"role": "developer", "content": "You are an agent."}]
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(2000), weigh_costs=False))
    for i in range(40):
        said = {"type": "output_text", "text": "because " * 30, "annotations": []}
        history += [
            {"role": "user", "content": f"q{i} " + "why " * 30},
            {"type": "reasoning", "id": f"rs_{i}", "summary": []},
            {"type": "message", "id": f"m{i}", "role": "assistant", "status": "completed", "content": [said]},
        ]
        condenser.view(history)
    assert condenser.last_error is None
    assert condenser.records


def test_no_compaction_is_made_while_a_call_waits_for_its_result():
    history = [{"role": "user", "content": "Read them all."}]
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(2000), weigh_costs=False))
    for i in range(40):
        history.append({"type": "function_call", "call_id": f"c{i}", "name": "read", "arguments": "{}"})
        condenser.view(history)
        history.append({"type": "function_call_output", "call_id": f"c{i}", "output": f"line {i} " * 40})
        sent = condenser.view(history)
        outputs = [one["call_id"] for one in sent if one.get("type") == "function_call_output"]
        assert len(outputs) == len(set(outputs))
    assert condenser.records


def test_a_second_output_of_one_call_is_no_valid_request():
    call = {"type": "function_call", "call_id": "c", "name": "b", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "1"}
    messages = parse_messages([{"role": "user", "content": "x"}, call, output, output])
    assert [v.rule for v in violations(messages)] == ["orphan-result"]


def test_the_result_of_a_missing_call_is_nobodys_words_however_often_it_is_condensed():
    said = "Never push to main. The port must be 4444."

    def steps(first):
        for i in range(first, first + 30):
            call = {"type": "tool_use", "id": f"c{i}", "name": "Read", "input": {"file_path": f"src/m{i}.py"}}
            result = {"type": "tool_result", "tool_use_id": f"c{i}", "content": f"def f{i}(): ...\n" * 40}
            yield {"role": "assistant", "content": [call]}
            yield {"role": "user", "content": [result]}

    lost = {"type": "tool_result", "tool_use_id": "gone", "content": said}
    history = [
        {"role": "user", "content": "Build the importer."},
        {"role": "user", "content": [lost]},
        *steps(0),
    ]
    for turn in range(3):
        done = Condenser().condense(history, target=4000)
        ledger = read_ledger(done.summary)
        quoted = [quote.text for quote in (ledger.latest, *ledger.earlier, *ledger.notes) if quote]
        assert not any("4444" in text for text in (*ledger.rules, *ledger.asked, *quoted))
        history = [*done.messages, *steps(100 * (turn + 1))]
