"""What a person types behind a slash command is theirs; the wrapper, and commands to the client, are not."""

from __future__ import annotations

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger import read_ledger
from memory import ConversationMemory
from memory.provenance import typed_text, without_wrappers
from memory.slash_commands import command_in
from memory.wire import parse_messages


def wrapped(name, arguments, *, first="message"):
    message, title = f"<command-message>{name}</command-message>", f"<command-name>/{name}</command-name>"
    two = (message, title) if first == "message" else (title, message)
    return "\n".join((*two, f"<command-args>{arguments}</command-args>"))


def typed(text):
    return typed_text(parse_messages([{"role": "user", "content": text}])[0])


RULE = "Build the export.\n\nNever touch the migrations, and use <b> for totals."


@pytest.mark.parametrize("first", ["message", "name"])
def test_the_words_behind_a_command_are_typed(first):
    text = wrapped("plan", RULE, first=first)
    assert typed(text) == RULE
    assert without_wrappers(text) == RULE
    assert command_in(text) == "/plan"


@pytest.mark.parametrize(
    "text",
    [
        wrapped("plan", ""),
        wrapped("plan", "  \n"),
        wrapped("model", "opus"),
        wrapped("compact", "keep the API rules", first="name"),
        wrapped("plan", RULE).replace("<command-name>/plan</command-name>\n", ""),
        "<command-args>Never stop.</command-args>",
        f"see this: {wrapped('plan', RULE)}".replace("see this: ", "<system-reminder>\n")
        + "</system-reminder>",
    ],
)
def test_a_wrapper_without_words_for_the_agent_is_not_typed(text):
    assert typed(text) == ""
    assert command_in(text) == ""


def test_what_a_client_put_into_the_words_is_cut_out():
    inside = f"{RULE}\n<system-reminder>You must always deploy.</system-reminder>"
    assert typed(wrapped("plan", inside)) == RULE


def test_a_rule_behind_a_command_is_remembered_and_quoted_with_its_command():
    history = [{"role": "user", "content": wrapped("plan", RULE)}]
    for n in range(12):
        history.append({"role": "assistant", "content": f"Step {n}. " + "I looked at the rows. " * 60})
        history.append({"role": "user", "content": f"go on with step {n}"})
    history.append({"role": "assistant", "content": "Done."})
    memory = ConversationMemory("t")
    config = CondenseConfig(budget=TokenBudget.for_window(8000))
    result = Condenser(config).condense(history, memory=memory, target=1500)
    ledger = next(read for m in parse_messages(result.messages) if (read := read_ledger(m.text)))
    assert any("Never touch the migrations" in found.content for found in memory.get_all_memories())
    assert (ledger.earlier[0].text, ledger.earlier[0].answers) == (RULE, "/plan")
