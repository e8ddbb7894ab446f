"""The state of the work over several compactions, and beside the latest request."""

from __future__ import annotations

import pytest
from builders import user as said

from condense import CondenseConfig, Condenser
from condense.ledger.document import read_ledger
from condense.ledger.state_section import merge_lines
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages
from tests.condense.ledger.test_state_lines import EDIT, FAILED, PYTEST, exchange

FILLER = [m for n in range(60) for m in exchange(900 + n, "Read", {"file_path": f"f{n}.txt"}, f"line {n} " * 40)]
OPEN = {
    "todos": [
        {"content": "Write the parser", "status": "in_progress"},
        {"content": "Ship", "status": "pending"},
    ]
}
DONE = {
    "todos": [
        {"content": "Write the parser", "status": "completed"},
        {"content": "Ship", "status": "pending"},
    ]
}


def ledger_of(messages, target=2000):
    condenser = Condenser(CondenseConfig(), memory=ConversationMemory("t"))
    done = condenser.condense(messages, target=target)
    assert done.error is None
    return read_ledger(parse_messages(done.messages)[0].text), done.messages


STEPS = "\n".join(f"{n}. The list of part {n} says what is in there and where it came from." for n in range(1, 90))


def test_of_a_command_of_a_client_what_was_typed_is_quoted():
    command = f"## User Input\n\n```text\nnow make the window 640 wide\n```\n\nYou **MUST** consider it.\n\n{STEPS}"
    ledger, _ = ledger_of([said(command), *FILLER])
    assert "window 640 wide" in ledger.latest.text
    assert len(ledger.latest.text) < len(command)


def test_of_a_command_given_twice_what_it_has_of_its_own_is_quoted():
    command = f"{STEPS}\n\n```text\n{{}}\n```\n\n{STEPS.replace('list', 'log')}"
    first = said(command.format("begin with the parser"))
    ledger, _ = ledger_of([first, *FILLER[:20], said(command.format("make the window 640 wide")), *FILLER[20:]])
    assert "window 640 wide" in ledger.latest.text


def steps(*calls):
    return [m for n, call in enumerate(calls) for m in exchange(n, *call[:3], is_error=len(call) > 3)]


def test_a_plan_older_than_the_latest_request_says_so():
    plan = steps(("TodoWrite", OPEN, "ok"))
    fresh, _ = ledger_of([said("Build the parser."), *FILLER, *plan])
    assert fresh.plan == ("[>] Write the parser", "[ ] Ship")
    stale, _ = ledger_of([said("Build the parser."), *plan, said("It still fails."), *FILLER])
    assert stale.plan[0] == "(as it stood before the latest request)"


def test_what_is_open_in_a_long_plan_is_cut_last():
    todos = [{"content": f"Port the report number {n} to the new page", "status": "completed"} for n in range(60)]
    todos.append({"content": "Start the server and try it", "status": "pending"})
    ledger, _ = ledger_of([said("Port all."), *FILLER, *steps(("TodoWrite", {"todos": todos}, "ok"))])
    assert ledger.plan[0] == "[ ] Start the server and try it"
    assert 1 < len(ledger.plan) < 61
    assert ledger.plan[-1] == f"… and {62 - len(ledger.plan)} more"


def test_a_section_that_was_cut_says_how_many_lines_it_had_after_a_second_compaction_too():
    runs = [("Bash", {"command": f"make the-part-of-the-report-number-{n}"}, "ok") for n in range(80)]
    ledger, kept = ledger_of([said("Make all parts."), *steps(*runs), *FILLER])
    assert ledger.commands[0] == f"… and {81 - len(ledger.commands)} more"
    assert "number-79`" in ledger.commands[-1]
    again, _ = ledger_of([*kept, *FILLER])
    assert again.commands[0] == f"… and {81 - len(again.commands)} more"


def test_a_plan_that_files_were_changed_after_says_so():
    plan = ("TodoWrite", OPEN, "ok")
    ledger, _ = ledger_of([said("Build the parser."), *steps(plan, EDIT, EDIT), *FILLER])
    assert ledger.plan == ("(written before the last 2 changes of files)", "[>] Write the parser", "[ ] Ship")
    ledger, _ = ledger_of([said("Build the parser."), *FILLER, *steps(EDIT, EDIT, plan, EDIT)])
    assert ledger.plan == ("[>] Write the parser", "[ ] Ship")


def test_a_plan_of_long_ago_says_so():
    plan = ("TodoWrite", OPEN, "ok")
    ledger, _ = ledger_of([said("Build the parser."), *steps(plan, EDIT), *FILLER])
    assert ledger.plan == ("(written at least 61 calls ago)", "[>] Write the parser", "[ ] Ship")


def test_after_a_second_compaction_only_the_newest_plan_and_outcome_stand():
    first = [said("Build it."), *steps(("TodoWrite", OPEN, "ok"), (*PYTEST, FAILED, True)), *FILLER]
    ledger, kept = ledger_of(first)
    assert "1 failed" in ledger.commands[-1]
    later = steps(("TodoWrite", DONE, "ok"), EDIT, (*PYTEST, "3 passed in 0.1s"))
    ledger, _ = ledger_of([*kept, *FILLER, *later])
    assert ledger.plan == ("[ ] Ship", "[x] Write the parser")
    (line,) = [line for line in ledger.commands if "pytest" in line]
    assert "3 passed" in line


def test_what_is_not_spoken_of_again_is_carried_on():
    before = ["`make dist` → ok", "`npm test` → failed"]
    assert merge_lines("commands", before, ["`npm test` → ok"]) == ["`make dist` → ok", "`npm test` → ok"]
    assert merge_lines("files", ["a.py — created", "b.py — edited"], ["b.py — deleted"]) == [
        "b.py — deleted",
        "a.py — created",
    ]
    assert merge_lines("plan", ["[ ] old"], []) == ["[ ] old"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("The user denied this operation.", "refused by the user"),
        (
            "apply_patch verification failed: Failed to find expected lines in src/rates.py",
            "failed: apply_patch",
        ),
    ],
)
def test_an_edit_that_changed_nothing_says_so_where_it_is_quoted(answer, told):
    def patch(name, output):
        body = f"*** Update File: src/rates.py\n@@\n-{name} = 1\n+{name} = read_{name}_of_today()"
        return "apply_patch", {"input": f"*** Begin Patch\n{body}\n*** End Patch"}, output

    names = [f"{word}_rate" for word in ("euro", "dollar", "pound", "franc", "yen")]
    steps = [patch(name, answer + "\nwhat the editor shows\n" * 40) for name in names]
    steps += [patch("total", "Success. Updated the following files:\nM src/rates.py")]
    steps += [("Read", {"file_path": f"src/p{n}.py"}, f"part_{n} = 1\n" * 60) for n in range(12)]
    messages = [m for number, step in enumerate(steps) for m in exchange(number, *step)]
    ledger, _ = ledger_of([said("Mend the rates and the total."), *messages], target=1500)
    missed = [one.body for one in ledger.excerpts if any(f"+{name} = " in one.body for name in names)]
    assert len(missed) > 1
    assert all(f"\n→ {told}" in body or f"\n→\n{answer}" in body for body in missed)
    assert any(f"\n→ {told}" in body for body in missed)
    (done,) = [one.body for one in ledger.excerpts if "+total = " in one.body]
    assert told not in done


@pytest.mark.parametrize("stop", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"])
def test_a_request_whose_work_the_person_stopped_says_so_after_a_second_compaction_too(stop):
    first = [
        said("Compare the three parsers."),
        *exchange(1, *EDIT),
        said(stop),
        said("Write the tokenizer first."),
    ]
    ledger, kept = ledger_of([*first, *FILLER])
    assert [(one.text, one.place) for one in ledger.quotes] == [
        ("Compare the three parsers.", "#0 interrupted"),
        ("Write the tokenizer first.", "#4"),
    ]
    again, _ = ledger_of([*kept, *FILLER])
    assert again.quotes == ledger.quotes
    assert stop not in parse_messages(kept)[0].text


def test_a_stop_beside_the_result_it_cut_off_or_the_next_request_marks_the_older_one():
    stop = {"type": "text", "text": "[Request interrupted by user]"}
    cut = exchange(1, *EDIT)
    cut[-1]["content"].append(stop)
    both = {"role": "user", "content": [stop, {"type": "text", "text": "Dredge the basin first."}]}
    for first in ([*cut, said("Dredge the basin first.")], [*exchange(1, *EDIT), both]):
        ledger, _ = ledger_of([said("Chart the three shoals."), *first, *FILLER])
        assert [(one.text, one.place.partition(" ")[2]) for one in ledger.quotes] == [
            ("Chart the three shoals.", "interrupted"),
            ("Dredge the basin first.", ""),
        ]


def test_a_request_that_was_stopped_and_typed_again_is_read_back_in_the_next_compaction():
    ask = "Compare the three parsers of the importer and say which is the fastest on the large sample, please."
    first = [said(ask), *exchange(1, *EDIT), said("[Request interrupted by user]"), said(ask), *exchange(2, *EDIT)]
    ledger, kept = ledger_of([*first, said("Write the tokenizer first."), *FILLER])
    assert (ledger.quotes[0].text, ledger.quotes[0].place) == (ask, "#0 interrupted #4")
    again, _ = ledger_of([*kept, *FILLER])
    assert again.quotes == ledger.quotes
