"""A request or task too long for its room is quoted in part: the lines that say what is wanted, as they stand."""

from __future__ import annotations

import pytest
from builders import quarter as count
from hypothesis import given, strategies as st

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.document import read_ledger
from condense.ledger.quotes import GAP, binding_lines, partly_quoted
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

TRACE = "\n".join(f"    at shop.cart.Totals.add{n}(Totals.java:{n})" for n in range(200))
TASK = f"""Carts with a negative rebate are charged twice.

The export fails with this:
java.lang.IllegalStateException: rebate -3 below zero
{TRACE}
You must not change the table of rebates.
The rest of the report is long, and all of it was written by customers over the years.
Find the cause and mend it in the class Totals.
Tell me which orders were charged twice."""


def test_a_text_that_fits_is_quoted_as_it_is():
    assert partly_quoted(TASK, 100_000, count) == TASK


def test_of_a_long_task_what_is_asked_what_binds_and_what_failed_stays():
    quote = partly_quoted(TASK, 120, count)
    assert count(quote) <= 120
    assert "negative rebate are charged twice" in quote
    assert "IllegalStateException: rebate -3 below zero" in quote
    assert "You must not change the table of rebates." in quote
    assert "which orders were charged twice" in quote
    assert "Totals.java:150" not in quote
    assert GAP in quote.split("\n")


def test_of_one_endless_line_whole_sentences_are_quoted():
    line = " ".join(f"Sentence number {n} says nothing much." for n in range(200))
    quote = partly_quoted(f"{line} You must keep port 4100.", 60, count)
    assert quote.startswith("Sentence number 0 says nothing much.")
    assert "You must keep port 4100." in quote


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=3000), st.integers(0, 400))
def test_a_part_is_made_of_pieces_of_the_text_in_their_order_and_within_its_room(text, room):
    quote = partly_quoted(text, room, count)
    if quote == text:
        return
    at = 0
    for piece in quote.split("\n"):
        if piece.strip() and piece != GAP:
            found = text.find(piece, at)
            assert found >= 0
            at = found + len(piece)
    assert count(quote) <= room


def condenser() -> Condenser:
    budget = TokenBudget(window=100_000, trigger=90_000, target=80_000)
    return Condenser(CondenseConfig(budget=budget), count_tokens=count)


def ledger_of(done):
    (ledger,) = [ledger for m in parse_messages(done.messages) if (ledger := read_ledger(m.text))]
    return ledger


@pytest.mark.parametrize("target", [900, 1600])
def test_a_latest_request_over_its_share_stands_in_the_summary_in_part(target):
    messages = [
        {"role": "user", "content": "Look into the carts of last week, please, and tell me what you see."},
        {"role": "assistant", "content": "I looked at the carts of last week. " * 200},
        {"role": "user", "content": TASK},
        {"role": "assistant", "content": "I read the class. " * 200},
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=target)
    ledger = ledger_of(done)
    assert ledger.latest is not None
    assert ledger.latest.text != TASK
    assert "which orders were charged twice" in ledger.latest.text
    assert ledger.latest.handle
    assert ledger.latest.handle not in ledger.unshown
    asked = [action for action in done.plan.actions if ledger.latest.handle in action.handles]
    assert [action.level.value for action in asked] == ["line"]


def test_what_was_typed_twice_word_for_word_is_quoted_once_and_counts_as_verbatim_both_times():
    asked = "Look into the carts of last week, please, and tell me which of them were charged more than once."
    messages = [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "I looked at the carts of last week. " * 100},
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "I looked at them again. " * 100},
        {"role": "user", "content": "Now mend it."},
        {"role": "assistant", "content": "I read the class. " * 100},
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=900)
    ledger = ledger_of(done)
    assert [(said.text, said.place) for said in ledger.earlier] == [(asked, "#0 #2")]
    assert read_ledger(ledger.render()) == ledger
    assert not ledger.unshown
    assert [a.level.value for a in done.plan.actions if a.kind == "typed"] == ["verbatim"] * 3


def test_a_rule_that_several_instruction_texts_hold_is_quoted_once():
    rule = "You must consider the input before you go on."
    first = f"{rule}\nA line about nothing in particular."
    assert binding_lines(first, 100, count) == rule
    assert binding_lines(f"{rule}\nNever guess.", 100, count, {rule}) == "Never guess."
    assert binding_lines(f"  {rule} \nNever guess.", 100, count, {rule}) == "Never guess."


def test_code_and_numbered_lines_of_an_instruction_text_bind_nobody():
    text = (
        "Always run the linter.\n1463:    raise ValueError('must be one of')\n    return self.only;\nAsk only once."
    )
    assert binding_lines(text, 100, count) == "Always run the linter.\n…\nAsk only once."


def test_entries_under_a_heading_that_binds_and_rows_of_such_a_table_follow_what_binds():
    text = (
        "Some words on answers.\n\n### Checks (Required)\n- run one search of the archive\n\n"
        "## Sources\n- the archive\n\n"
        "| Kind | Required sources |\n|---|---|\n| Build | projects, archives |\n\n"
        "| Name | Date |\n|---|---|\n| Radar | 2024 |\n\nNever cite from memory.\n"
    )
    told = ["### Checks (Required)", "| Kind | Required sources |", "Never cite from memory."]
    owed = ["- run one search of the archive", "| Build | projects, archives |"]
    assert [line for line in binding_lines(text, 200, count).split("\n") if line != GAP] == [
        told[0], owed[0], told[1], owed[1], told[2],
    ]  # fmt: skip
    table = "| Kind | Required |\n|---|---|\n| Build | projects |"
    assert "| Build | projects |" in binding_lines(table, 200, count)
    assert binding_lines("| Name | Note |\n|---|---|\n| A | it must be set |\n| B | free |", 200, count) == (
        "| A | it must be set |"
    )
    room = sum(count(line) + 2 for line in told)
    assert [line for line in binding_lines(text, room, count).split("\n") if line != GAP] == told


def test_what_the_task_says_is_not_quoted_again_from_the_notes():
    rule = "You must enter one command at a time."
    filler = "Filler of the skill. " * 200
    task = f"Fix the cart of the shop. {'It rounds badly. ' * 40}\n{rule}"
    messages = [
        {
            "role": "user",
            "content": f"Base directory for this skill: /skills/x\n{rule} \nNever open an editor.\n{filler}",
        },
        {"role": "user", "content": task},
        *({"role": "assistant", "content": f"I read class {n}. " * 100} for n in range(4)),
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=1500)
    (note,) = ledger_of(done).notes
    assert "Never open an editor." in note.text
    assert rule not in note.text


def test_a_worked_example_of_another_task_gives_way_to_the_task():
    shown = "\n".join(f"    field_{n} = fields.TimeDelta(precision_{n}, strict=only_{n})" for n in range(80))
    example = f"Here is a demonstration of how to correctly accomplish this task.\nYou must look first.\n{shown}"
    work = "\n".join(f"total_{n} = price_{n} * rate_{n % 5}" for n in range(120))
    messages = [
        {"role": "user", "content": example},
        {"role": "user", "content": "Fix the totals of the cart."},
        *({"role": "assistant", "content": f"Reading part {n}.\n{work}"} for n in range(3)),
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=900)
    assert done.error is None
    assert not ledger_of(done).notes
    assert "TimeDelta" not in done.summary
    assert "Fix the totals of the cart." in done.summary
    roomy = condenser().condense([*messages[:2], *messages[-1:]], memory=ConversationMemory("t"), target=2000)
    assert roomy.error is None
    assert "TimeDelta" not in roomy.summary


ORDERS = """# AGENTS.md instructions for /w

Some words on the project.
Before finalizing a change, run `just fmt`.
- Prefer small modules.
Never add emojis.

## Skills
- plan: Must be used for plans. (file: /w/skills/plan.md)
You must use a skill that is named.
"""


def test_orders_follow_what_binds_where_there_is_room():
    both = "Before finalizing a change, run `just fmt`.\n- Prefer small modules.\nNever add emojis."
    own = ORDERS.split("## Skills", maxsplit=1)[0].split("\n", maxsplit=1)[1]
    assert binding_lines(own, 100, count, orders=True) == both
    assert binding_lines(own, 100, count) == "Never add emojis."
    assert binding_lines(own, count("Never add emojis.") + 2, count, orders=True) == "Never add emojis."


COMMANDS = """Some words.

Run before every commit:
- `just fmt`
- `just check`

## Naming
Names of modules:
- small letters
- never a number
Check also:
"""


def test_what_leads_in_a_list_stands_with_its_items_or_not_at_all():
    def lines(room):
        return [line for line in binding_lines(COMMANDS, room, count, orders=True).split("\n") if line != "…"]

    names, commands = ["Names of modules:", "- never a number"], ["Run before every commit:", "- `just fmt`"]
    assert lines(100) == [*commands, "- `just check`", *names]
    assert lines(count("".join(names)) + 6) == names
    assert lines(count("- never a number") + 3) == [""]


def test_a_block_of_code_that_a_line_leads_in_stands_whole_or_not_at_all():
    text = (
        "Some words.\nBefore every commit, run:\n```\njust fmt\njust check\n```\nMore words.\n```\nmore code\n```\n"
    )
    block = "Before every commit, run:\n```\njust fmt\njust check\n```"
    assert binding_lines(text, 100, count, orders=True) == block
    assert binding_lines(text, count(block) - 4, count, orders=True) == ""


def test_a_project_s_own_lines_come_before_how_skills_are_used():
    history = [{"role": "user", "content": ORDERS + "Filler of the client. " * 200}]
    history += [
        {"role": "user", "content": "Mend the cart."},
        {"role": "assistant", "content": "I read. " * 900},
    ]
    done = condenser().condense(history, memory=ConversationMemory("t"), target=1500)
    (note,) = ledger_of(done).notes
    lines = note.text.split("\n")
    assert "Before finalizing a change, run `just fmt`." in lines
    assert "Never add emojis." in lines
    assert lines[-1] == "You must use a skill that is named."
    assert "(file:" not in note.text


def test_what_a_fresh_request_speaks_of_is_quoted_at_length():
    report = "\n".join(f"{n}. `shop task-{n} --out data/{n}.csv` writes part {n}" for n in range(400))
    work = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "a.py\n" * 400}]},
    ]
    told = [
        {"role": "user", "content": "Write the commands."},
        *work,
        {"role": "assistant", "content": report},
    ]
    fresh = [
        *told,
        {"role": "user", "content": "The third one fails with an odd message, see the log of it."},
    ]

    done = condenser().condense(fresh, memory=ConversationMemory("t"), target=1500)
    assert sum(len(answer.body) for answer in ledger_of(done).answers) > 1500 * 4 / 2


def test_a_client_s_reproach_for_a_mistake_of_form_is_not_quoted():
    reproach = "[ERROR] You did not use a tool in your previous response! Please retry.\n\nAlways use one."
    messages = [
        {"role": "user", "content": "# AGENTS.md\nYou must use pnpm."},
        {"role": "user", "content": "[Request interrupted by user for tool use]"},
        {"role": "user", "content": "Mend the cart."},
        {"role": "assistant", "content": "I read. " * 900},
        {"role": "user", "content": reproach},
        {"role": "assistant", "content": "I read on. " * 900},
        *({"role": "assistant", "content": f"Reading part {n}." * 50} for n in range(3)),
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=1500)
    assert [note.text.split("\n")[0] for note in ledger_of(done).notes] == ["# AGENTS.md"]


def test_a_request_that_a_later_one_repeats_within_more_words_is_quoted_once():
    first = "Build the page from the design, with the header, the list of boats and the footer of the shop." * 2
    messages = [
        {"role": "user", "content": first},
        *({"role": "assistant", "content": f"I read part {n}. " * 300} for n in range(2)),
        {"role": "user", "content": f"{first}\nUse depth=1 always."},
        *({"role": "assistant", "content": f"I read part {n}. " * 300} for n in range(2, 4)),
    ]
    done = condenser().condense(messages, memory=ConversationMemory("t"), target=1500)
    assert ledger_of(done).latest.text.startswith(first)
    assert ledger_of(done).earlier == ()


STEPS = (
    "Look at the files of the plan first, whatever state they are in, and tell the person what they hold.\n"
    "1. Parse the list of tasks, and with it all that the plan says of their order, their files and their people.\n"
    "   - Halt where a task fails\n"
    "   - Report progress\n"
    "2. Never skip a phase."
)


def test_of_steps_that_are_under_way_many_short_ones_are_quoted_rather_than_a_few_long_ones():
    def quoted_of(room: int, *, steps: bool) -> list[str]:
        return [x for x in binding_lines(STEPS, room, count, steps=steps).split("\n") if x != GAP]

    lines = STEPS.split("\n")
    assert quoted_of(200, steps=False) == lines[4:]
    assert quoted_of(30, steps=True) == lines[2:]
    assert quoted_of(200, steps=True) == lines[1:]
