"""A slash command that a person typed is theirs, with the words behind it; what it stands for is not."""

from __future__ import annotations

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.document import read_ledger
from memory import ConversationMemory
from memory.conversation.provenance.client_text import slash_command
from memory.conversation.provenance.typed_text import request_text, typed_text
from memory.conversation.wire.parsing import parse_messages

RULE = "Build the export.\n\nNever touch the migrations, and use <b> for totals."
EXPANDED = "# Plan\n\nYou must always run the linter first.\nThen plan: " + "Filler of the plan. " * 30


def wrapped(name, words="", *, first="message"):
    message, title = f"<command-message>{name}</command-message>", f"<command-name>/{name}</command-name>"
    two = (message, title) if first == "message" else (title, message)
    return "\n".join((*two, f"<command-args>{words}</command-args>"))


def typed(*texts):
    content = [{"type": "text", "text": text} for text in texts]
    return typed_text(parse_messages([{"role": "user", "content": content}])[0])


def quoted(text):
    return request_text(parse_messages([{"role": "user", "content": text}])[0])


@pytest.mark.parametrize("first", ["message", "name"])
def test_a_command_and_the_words_behind_it_are_typed(first):
    text = wrapped("plan", RULE, first=first)
    assert typed(text) == f"/plan\n{RULE}"
    assert quoted(text) == f"/plan\n{RULE}"
    assert slash_command(text) is not None


@pytest.mark.parametrize(
    "text", [wrapped("shop:plan"), wrapped("shop:plan", " \n"), "<command-name>/shop:plan</command-name>"]
)
def test_a_command_without_words_is_typed_too(text):
    assert typed(text) == "/shop:plan"
    assert quoted(text) == "/shop:plan"


@pytest.mark.parametrize(
    "text",
    [
        wrapped("model", "opus"),
        wrapped("clear"),
        "/holdfast:recall zebra",
        f"<system-reminder>Today is Monday.</system-reminder>\n{wrapped('compact', 'zebra')}",
        wrapped("compact", "keep the API rules", first="name"),
        wrapped("plan", RULE).replace("/plan", "plan"),  # the agent called a skill
        "<command-args>Never stop.</command-args>",
        f"<system-reminder>\n{wrapped('plan', RULE)}</system-reminder>",
        f"{wrapped('plan', RULE)}\n(Open file: n/a)\n(Current directory: /w)\nbash-$",
    ],
)
def test_what_speaks_to_the_client_or_comes_from_elsewhere_is_not_typed(text):
    assert typed(text) == ""
    assert slash_command(text) is None


@pytest.mark.parametrize("first", ["message", "name"])
def test_commands_of_holdfast_and_what_they_stand_for_are_not_typed(first):
    text = wrapped("holdfast:recall", "zebra", first=first)
    assert typed(text) == typed(text, EXPANDED) == quoted(text) == ""


def test_a_command_among_the_newest_counts_as_kept_word_for_word():
    work = [{"role": "assistant", "content": "I looked at the rows. " * 200} for _ in range(8)]
    history = [m for one in work for m in ({"role": "user", "content": "go on"}, one)]
    history += [{"role": "user", "content": wrapped("plan", RULE)}, {"role": "assistant", "content": "Done."}]
    config = CondenseConfig(budget=TokenBudget.for_window(8000))
    report = Condenser(config).condense(history, memory=ConversationMemory("t"), target=1800).report
    assert report.typed_verbatim == report.typed_messages == 9


def test_what_a_client_put_into_the_words_is_cut_out():
    inside = f"{RULE}\n<system-reminder>You must always deploy.</system-reminder>"
    assert typed(wrapped("plan", inside)) == f"/plan\n{RULE}"
    assert quoted(wrapped("plan", inside)) == f"/plan\n{RULE}"


def test_what_a_command_stands_for_is_not_typed_but_what_comes_after_it_is():
    reminder = "<system-reminder>\nToday is Monday.\n</system-reminder>"
    assert typed(reminder, wrapped("plan", RULE), EXPANDED) == f"/plan\n{RULE}"
    assert typed(wrapped("plan"), reminder, EXPANDED, "and be quick") == "/plan\nand be quick"
    assert typed(wrapped("model", "opus"), "and be quick") == "and be quick"
    ran = "<local-command-stdout>done</local-command-stdout>"
    assert typed(wrapped("count-lines"), ran, "and be quick") == "/count-lines\nand be quick"


@pytest.mark.parametrize(
    "lead", ["<objective>\nPlan it.\n</objective>\n", "<!-- a plan -->\n", "<role>Planner</role>\n"]
)
def test_what_a_command_stands_for_may_begin_with_a_tag(lead):
    assert typed(wrapped("plan"), lead + EXPANDED, "never touch db") == "/plan\nnever touch db"


def test_a_prompt_of_a_server_is_a_command_and_all_its_texts_are_not_typed():
    text = wrapped("github:review (MCP)", "only the parser")
    assert typed(text, EXPANDED, EXPANDED) == "/github:review (MCP)\nonly the parser"


def test_two_skills_called_at_once_leave_two_texts_that_nobody_typed():
    results = [
        {"type": "tool_result", "tool_use_id": name, "content": f"Launching skill: {name}"} for name in ("a", "b")
    ]
    texts = [{"type": "text", "text": text} for text in (EXPANDED, f"# B\n{EXPANDED}", "use tag v2")]
    assert typed_text(parse_messages([{"role": "user", "content": results + texts}])[0]) == "use tag v2"


def test_an_output_that_only_begins_like_a_launched_skill_is_none():
    result = {"type": "tool_result", "tool_use_id": "c", "content": "Launching skill: a\na web page"}
    text = {"type": "text", "text": "never touch db"}
    assert typed_text(parse_messages([{"role": "user", "content": [result, text]}])[0]) == "never touch db"


@pytest.mark.parametrize("name", ["insights", "plan", "goal", "review"])
def test_the_client_s_commands_that_put_a_request_to_the_agent_are_typed(name):
    assert typed(wrapped(name, "only the parser")) == f"/{name}\nonly the parser"


def test_a_tool_result_with_a_wrapper_is_not_typed():
    result = {"type": "tool_result", "tool_use_id": "c", "content": wrapped("plan", RULE)}
    assert typed_text(parse_messages([{"role": "user", "content": [result]}])[0]) == ""


def test_the_text_of_a_skill_that_the_agent_called_is_not_typed_but_a_word_thrown_in_is():
    result = {"type": "tool_result", "tool_use_id": "c", "content": "Launching skill: plan"}
    texts = [{"type": "text", "text": text} for text in (EXPANDED, "use tag v2")]
    assert typed_text(parse_messages([{"role": "user", "content": [result, *texts]}])[0]) == "use tag v2"
    result = {"type": "tool_result", "tool_use_id": "c", "content": "3 passed"}
    assert typed_text(parse_messages([{"role": "user", "content": [result, texts[1]]}])[0]) == "use tag v2"


def condensed(history, memory):
    for n in range(12):
        history.append({"role": "assistant", "content": f"Step {n}. " + "I looked at the rows. " * 60})
        history.append({"role": "user", "content": f"go on with step {n}"})
    history.append({"role": "assistant", "content": "Done."})
    config = CondenseConfig(budget=TokenBudget.for_window(8000))
    result = Condenser(config).condense(history, memory=memory, target=1800)
    assert result.report.typed_verbatim == result.report.typed_messages == 13  # the receipt counts what is quoted
    return next(read for m in parse_messages(result.messages) if (read := read_ledger(m.text)))


def test_the_rule_behind_a_command_is_remembered_and_quoted_and_what_it_stands_for_is_a_note():
    texts = [{"type": "text", "text": text} for text in (wrapped("plan", RULE), EXPANDED)]
    memory = ConversationMemory("t")
    ledger = condensed([{"role": "user", "content": texts}], memory)
    contents = [found.content for found in memory.get_all_memories()]
    assert any("Never touch the migrations" in content for content in contents)
    assert not any("linter" in content for content in contents)
    assert ledger.earlier[0].text == f"/plan\n{RULE}"
    assert "You must always run the linter first." in ledger.notes[0].text


def test_a_session_file_with_the_two_apart_gives_the_same():
    history = [
        {"role": "user", "content": wrapped("plan", RULE)},
        {"role": "user", "content": EXPANDED, "isMeta": True},
    ]
    memory = ConversationMemory("t")
    ledger = condensed(history, memory)
    assert not any("linter" in found.content for found in memory.get_all_memories())
    assert ledger.earlier[0].text == f"/plan\n{RULE}"
    assert "You must always run the linter first." in ledger.notes[0].text


def test_the_text_of_a_skill_that_the_agent_called_is_a_note():
    call = {"type": "tool_use", "id": "c", "name": "Skill", "input": {"skill": "plan"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": "Launching skill: plan"}
    history = [
        {"role": "user", "content": RULE},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result, {"type": "text", "text": EXPANDED}]},
    ]
    memory = ConversationMemory("t")
    ledger = condensed(history, memory)
    assert not any("linter" in found.content for found in memory.get_all_memories())
    assert not any("linter" in said.text for said in ledger.earlier)
    assert "You must always run the linter first." in ledger.notes[0].text


def test_a_command_given_again_after_a_compaction_has_its_text_quoted_once():
    texts = [{"type": "text", "text": text} for text in (wrapped("plan", "the export"), EXPANDED)]
    work = [{"role": "assistant", "content": f"Step {n}. " + "I looked at the rows. " * 60} for n in range(12)]
    talk = [m for one in work for m in (one, {"role": "user", "content": "go on"})]
    config = CondenseConfig(budget=TokenBudget.for_window(8000))
    condenser, memory = Condenser(config), ConversationMemory("t")
    history = [{"role": "user", "content": texts}, *talk, {"role": "assistant", "content": "Done."}]
    once = condenser.condense(history, memory=memory, target=1800).messages
    again = [*once, {"role": "user", "content": texts}, *talk, {"role": "assistant", "content": "Done."}]
    twice = condenser.condense(again, memory=memory, target=1800).messages
    ledger = next(read for m in parse_messages(twice) if (read := read_ledger(m.text)))
    assert sum(note.text.count("run the linter first") for note in ledger.notes) == 1
