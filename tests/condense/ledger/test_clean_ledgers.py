"""A ledger holds what a reader can use: nothing twice, no header without content, no error that was none or is over."""

from __future__ import annotations

from typing import Any

import pytest
from builders import assistant as say, quarter as count, user as ask

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.document import Ledger, read_ledger
from condense.ledger.state_lines import error_lines
from condense.lines.excerpt_groups import group_of_lines
from condense.lines.line_chooser import score_history
from condense.lines.outline import outline_lines
from condense.reading.outputs.outcomes import error_line
from condense.reading.outputs.trouble_words import is_code
from condense.reading.trail.collecting import collect_artifacts
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

Message = dict[str, Any]
TARGET = 1500


def step(number: int, name: str, output: str, *, failed: bool = False, **arguments: Any) -> list[Message]:
    """A call and its result."""
    call = {"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": output, "is_error": failed}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def run(number: int, command: str, output: str, *, failed: bool = False) -> list[Message]:
    return step(number, "Bash", output, failed=failed, command=command)


def shelves(first: int, many: int) -> list[Message]:
    """Work that fills a context: files that are read."""
    values: list[Message] = []
    for n in range(first, first + many):
        lines = "\n".join(f"    row_{n}_{i} = shelf_{i % 9}.place(crate_{n}, {i})" for i in range(60))
        values += step(n, "Read", lines, file_path=f"store/aisle_{n}.py")
    return values


def ledger_of(values: list[Message], target: int = TARGET) -> Ledger:
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * target)), count_tokens=count)
    condensed = condenser.condense(values, memory=ConversationMemory("t"), target=target)
    assert condensed.error is None
    ledger = read_ledger("\n".join(m.text for m in parse_messages(condensed.messages)))
    assert ledger is not None
    return ledger


def errors_of(*values: Message) -> tuple[str, ...]:
    messages = parse_messages(list(values))
    places = {message.digest: i for i, message in enumerate(messages)}
    return error_lines(collect_artifacts(messages), "en", places)


PLACES = ("fruit", "tea", "paper", "glass", "rope")


def todos(done: int) -> list[dict[str, str]]:
    """A list of things to do, so many of them done."""
    return [
        {
            "content": f"Move the crates of the {place} aisle with store/move_{place}.py and label them",
            "status": "completed" if n < done else "pending",
        }
        for n, place in enumerate(PLACES)
    ]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("TodoWrite", lambda list_: {"todos": list_}),
        (
            "update_plan",
            lambda list_: {"plan": [{"step": t["content"], "status": t["status"]} for t in list_]},
        ),
        ("update_todo_list", lambda list_: {"todos": "\n".join(f"[ ] {t['content']}" for t in list_)}),
    ],
)
def test_a_list_of_things_to_do_stands_once(name, given):
    values = [ask("Sort the store."), *shelves(0, 3)]
    for done in range(3):
        values += step(90 + done, name, "Todos have been noted.", **given(todos(done)))
        values += shelves(10 * (done + 1), 2)
    ledger = ledger_of(values, 2500)
    quoted = "\n".join(excerpt.body for excerpt in ledger.excerpts)
    assert len(ledger.plan) == len(PLACES)
    assert "aisle with" not in quoted
    assert "Todos have been noted" not in quoted


def test_why_a_plan_was_made_is_still_told():
    why = "The glass aisle goes last because its shelf_7 is being mended by the night crew."
    plan = {"explanation": why, "plan": [{"step": t["content"], "status": t["status"]} for t in todos(0)]}
    ledger = ledger_of([ask("Sort the store."), *step(90, "update_plan", "ok", **plan), *shelves(0, 8)], 3000)
    assert why in "\n".join(excerpt.body for excerpt in ledger.excerpts)


def test_what_only_tunes_a_call_never_stands_without_the_call():
    values = [ask("Sort the store.")]
    for n in range(12):
        path = f"store/list_{n}.md"
        values += step(n, "Read", f"crate_{n} goes to shelf_{n}\n" * 30, offset=600 + n, limit=150, file_path=path)
        command = f"python tools/count_{n}.py --all"
        values += step(50 + n, "exec_command", "", timeout_ms=120_000 + n, command=command)
    for excerpt in ledger_of([*values, *shelves(80, 6)]).excerpts:
        told = f"{excerpt.heading}\n{excerpt.body}"
        if any(word in told for word in ("offset:", "limit:", "timeout_ms:")):
            assert "store/list_" in told or "tools/count_" in told


CODE = [
    "$ErrorActionPreference = 'Stop'",
    'print("[*] Failed to open the gate")',
    "except ValueError as e:",
    "    } catch (error) {",
    "+    raise KeyError(name)",
    "store/gate.py:40:        logger.error(f'cannot open {gate}')",
    "console.error('upload failed', reason);",
    'echo "the build failed"',
    "let failure = null;",
    "if (error) {",
    "  onError: (reason) => setState('failed'),",
]
ERRORS = [
    "ValueError: no gate of this name",
    "error: cannot find gates.toml",
    "bash: line 1: gate: command not found",
    "gate.c:3:10: fatal error: gate.h: No such file or directory",
    'open("/etc/gate", O_RDONLY) = -1 ENOENT (No such file or directory)',
    'time="2031-01-01" level=error msg="the gate failed to open"',
    "FAILED tests/test_gate.py::test_it_opens - KeyError: 'gate'",
    "With errors: 3",
    "ERROR: x = 5 is invalid",
    "Type error: Cannot find name 'Gate'.",
]


@pytest.mark.parametrize("line", CODE)
def test_a_statement_that_speaks_of_errors_is_none(line):
    assert is_code(line)
    shown = "\n".join(("shown: gate", *("all is quiet here" for _ in range(20)), line, "end of it"))
    assert error_line(shown, guess=False) == ""


@pytest.mark.parametrize("line", ERRORS)
def test_what_a_program_says_went_wrong_is_an_error_however_it_is_put(line):
    assert not is_code(line)
    assert error_line(f"start\n{line}\nend", guess=False) == line


def test_behind_a_statement_the_error_itself_is_told():
    output = "Exit code 1\n$ErrorActionPreference = 'Stop'\nthrow 'gate error'\nGateError: the gate is shut"
    (line,) = errors_of(*run(1, "pwsh open.ps1", output, failed=True))
    assert line.startswith("GateError: the gate is shut — ")


@pytest.mark.parametrize("output", ["/usr/bin/gate", "---", "└── (empty)", "size: 97 bytes", ""])
def test_a_last_line_that_says_nothing_is_no_error(output):
    assert errors_of(*run(1, "make gates", f"Exit code 1\n{output}", failed=True)) == ()


AROUND = [
    ("python tools/gate.py --open", "python3 tools/gate.py --open"),
    ("cd store && npm install", "cd store; npm install"),
    ('find. -name "*.gate"', 'find . -name "*.gate"'),
    ("make gates", "sudo make gates 2>&1 | tail -3"),
    ("pip install gates==1.2 hinges==3", "pip install --only-binary :all: gates hinges"),
    (
        "source env/bin/activate && timeout 8 gate serve --port 80",
        "source env/bin/activate && gate serve --port 80",
    ),
]


@pytest.mark.parametrize(("failed", "done"), AROUND)
def test_an_error_is_over_once_the_same_was_done_another_way(failed, done):
    tried = run(1, failed, "Exit code 1\nGateError: it did not start", failed=True)
    (line,) = errors_of(*tried, *run(2, done, "3 gates"))
    assert line.endswith(f"; resolved: `{done}` succeeded later")


@pytest.mark.parametrize(
    ("failed", "done"),
    [
        ("npm run build", "npm run lint"),
        ("git -C store status", "git -C /other status"),
        ("python tools/gate.py", "python tools/hinge.py"),
        ("make gates", "make"),
    ],
)
def test_an_error_is_not_over_because_something_else_went_well(failed, done):
    tried = run(1, failed, "Exit code 1\nGateError: it did not start", failed=True)
    (line,) = errors_of(*tried, *run(2, done, "fine"))
    assert line.endswith("; not seen resolved")


def test_an_error_that_stands_in_the_output_again_is_not_over():
    tried = run(1, "make gates", "Exit code 1\nGateError: it did not start", failed=True)
    lines = errors_of(*tried, *run(2, "make gates 2>&1 | tail -3", "GateError: it did not start"))
    assert not any("resolved: `make" in line for line in lines)


def test_an_error_of_a_request_that_others_followed_is_not_called_open():
    broken = run(1, "hinge check", "Exit code 1\nHingeError: rust", failed=True)
    first = [ask("Check the hinges."), *broken, say("The hinges are rusty; I left them.")]
    second = [ask("Now count the crates."), *run(2, "crates count", "14 crates"), say("There are 14.")]
    third = [ask("And the ropes."), *run(3, "ropes count", "Exit code 1\nRopeError: knotted", failed=True)]
    of = {line.partition(" — ")[0]: line for line in ledger_of([*first, *second, *third, *shelves(50, 8)]).errors}
    assert of["HingeError: rust"].endswith("; not seen again while later requests were worked on")
    assert of["RopeError: knotted"].endswith("; not seen resolved")
    assert ledger_of([*first, *shelves(50, 8)]).errors[0].endswith("; not seen resolved")


def names_of(*values: Message) -> set[str]:
    lines = outline_lines(
        score_history(parse_messages([ask("Sort the store."), *values])),
        room=600,
        count=count,
        present="",
        names=(),
    )
    return {entry for line in lines for entry in line.partition(": ")[2].split()}


def test_names_of_encoded_data_are_not_listed():
    mappings = ",".join(f"AA{a}h{b},IAA{b}yC,gate{a}{b}x" for a in "BCDEFG" for b in "HKLMNP")
    shown = names_of(
        *run(1, "rg -n crate dist", f'dist/gate.js.map:1:{{"mappings":"{mappings}"}}\nopenGate(crate_7)')
    )
    assert "crate_7" in shown
    assert not any(name.startswith(("AA", "IAA", "gate")) for name in shown)


def test_letters_of_a_binary_are_not_listed():
    shown = names_of(*run(1, "strings bin/gate", "AAChE\nopenGate\nIAAIyC\nCAAC7G\nM41.9998\ngate_state"))
    assert {"openGate", "gate_state"} <= shown
    assert shown.isdisjoint({"AAChE", "IAAIyC", "CAAC7G", "M41.9998"})


def test_places_that_a_search_prints_are_not_listed():
    shown = names_of(
        *run(1, "grep -n -B1 gate src", "src/gates.ts-29-  const hingeKind = 1\nsrc/gates.ts:30:  gate()")
    )
    assert "hingeKind" in shown
    assert not any(name.endswith("-29") for name in shown)


def test_words_that_a_page_glued_together_are_not_listed():
    page = (
        "The gates of the town were opened by hand and nobody knew of it.Nowhere was the key_of_iron found.The "
        "town wardenGuard asked about it.Later the council sent for the smith and his gate_tool at last.Then all went."
    )
    shown = names_of(*step(1, "WebFetch", page, url="https://example.org/gates"))
    assert {"key_of_iron", "gate_tool"} <= shown
    assert shown.isdisjoint({"it.Nowhere", "it.Later", "wardenGuard", "found.The", "last.Then"})


def test_what_code_calls_with_a_dot_is_still_listed():
    code = "gate.Open(); hinge.Oil(3)\nlog.Println(gate.State)\nstate := gate.Closed\nhinges.Swing(gate.Side)"
    assert "gate.Closed" in names_of(*run(1, "tail gate.log", code))


SPECIFIED = (
    "Write the catalogue of the store. The catalogue must list the crates with their weights. "
    "Never rename a shelf. Keep the old labels as they are. We use SQLite for the records."
)


def finished_store(*after: Message) -> list[Message]:
    first = [ask(SPECIFIED), *run(1, "catalogue write", "done"), say("The catalogue is written.")]
    second = [ask("Now sweep the yard."), *run(2, "yard sweep", "done"), say("The yard is swept.")]
    return [*first, *second, *after, *shelves(50, 8)]


def test_orders_of_finished_requests_are_not_called_rules_in_force():
    ledger = ledger_of(finished_store(ask("And the roof: mend it.")))
    assert any("must list the crates" in line for line in ledger.asked)
    assert not any("must list the crates" in rule for rule in ledger.rules)
    assert "Never rename a shelf." in "\n".join(ledger.rules)
    assert "Never rename a shelf." not in "\n".join(ledger.asked)


def test_orders_of_what_is_under_way_are_in_force():
    first = [ask(SPECIFIED), *run(1, "catalogue write", "done"), say("Half of it is written.")]
    ledger = ledger_of([*first, ask("continue"), *shelves(50, 8)])
    assert any("must list the crates" in rule for rule in ledger.rules)
    assert ledger.asked == ()


def test_what_was_asked_earlier_stands_there_after_the_next_compaction_too():
    values = finished_store(ask("And the roof: mend it."))
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * TARGET)), count_tokens=count)
    once = condenser.condense(values, memory=ConversationMemory("t"), target=TARGET).messages
    ledger = ledger_of([*once, *shelves(70, 8)])
    assert any("must list the crates" in line for line in ledger.asked)
    assert any("Never rename a shelf." in rule for rule in ledger.rules)


PATCHES = [
    (
        "Apply this:\n\ndiff --git a/store.py b/store.py\n--- a/store.py\n+++ b/store.py\n@@ -1,3 +1,4 @@ def gate():\n"
        "-    # Never open it twice\n+    # Never open it thrice, always knock\n+    KNOCKS = 5\n     return KNOCKS"
    ),
    (
        "*** Begin Patch\n*** Update File: docs/rules.md\n@@\n-You must not use ladders.\n+You must use stairs."
        "\n*** End Patch\nIs it right?"
    ),
    "See what you changed:\n- never log the crate\n+ always log the crate by its name\nWhy?",
    "It shows\n  12 -  gates = never(hinge)\n  12 +  gates = always(hinge)\nis that so?",
]


@pytest.mark.parametrize("typed", PATCHES)
def test_lines_of_a_patch_are_no_rules(typed):
    memory = ConversationMemory("t")
    memory.extract_memories([ask(f"{typed}\n\n- never paint the doors")])
    assert [entry.content for entry in memory.get_all_memories()] == ["never paint the doors"]


@pytest.mark.parametrize(
    "typed",
    [
        "Rules:\n- never paint the doors\n- use pnpm for the tools",
        "Rules:\n+ never paint the doors\n+ use pnpm for the tools",
        "Rules:\n+ never paint the doors\n- use pnpm for the tools",
        "Rules:\n- never paint the doors\n+ use pnpm for the tools",
    ],
)
def test_a_list_with_signs_for_bullets_is_no_patch(typed):
    memory = ConversationMemory("t")
    memory.extract_memories([ask(typed)])
    assert {e.content for e in memory.get_all_memories()} == {
        "never paint the doors",
        "use pnpm for the tools",
    }


def excerpts_of(*values: Message, target: int = TARGET) -> dict[str, str]:
    """What the ledger quotes, by the number of the call."""
    ledger = ledger_of([ask("Sort the store."), *values, *shelves(80, 3)], target)
    return {excerpt.heading.split()[0]: f"{excerpt.heading}\n{excerpt.body}" for excerpt in ledger.excerpts}


@pytest.mark.parametrize(
    ("command", "printed", "told"),
    [
        ("gate check --all", [f"gate_{n}/hinge_{n}.py ok" for n in range(40)], "38 passed, 2 failed in 4.1s"),
        (
            "gate build",
            [f"forging bolt_{n} of hinge_{n}.py" for n in range(40)],
            "Successfully built gate-1.2",
        ),
        ("gate lint", [f"gate_{n}/hinge_{n}.py:3 loose" for n in range(40)], "Found 40 problems"),
    ],
)
def test_an_excerpt_of_a_run_tells_how_it_ended(command, printed, told):
    quoted = excerpts_of(*run(1, command, "\n".join([*printed, told, ""])))
    assert "#1" in quoted
    assert told in quoted["#1"]


def lines_with(text: str, kept: str) -> str:
    """How an excerpt reads of which one line was chosen."""
    scored = score_history(
        parse_messages([ask("Sort the store."), *step(1, "Read", text, file_path="store/notes.md")])
    )
    (line,) = (line for line in scored.lines if line.key == kept)
    return group_of_lines(scored.view.sources, [line], "en").body


def test_a_kept_line_that_leads_to_a_few_others_brings_them():
    code = "RATES = 3\ndef rate(crate):\n    return 4 * crate\n\ndef other():\n    pass"
    assert lines_with(code, "def rate(crate):").rstrip() == "def rate(crate):\n    return 4 * crate"
    table = "Weights\n| crate | kilos |\n|---|---|\n| tea | 4 |\n| rope | 9 |\nThat is all."
    assert lines_with(table, "| crate | kilos |") == "| crate | kilos |\n|---|---|\n| tea | 4 |\n| rope | 9 |"
    assert lines_with("sizes = {\n  a: 1,\n}\nb = 2", "sizes = {") == "sizes = {\n  a: 1,\n}"


def test_a_kept_line_that_leads_to_many_others_stands_by_itself():
    block = "def rate(crate):\n" + "\n".join(f"    crate.weigh_{n}(scale, {n})" for n in range(30))
    assert lines_with(block, "def rate(crate):") == "def rate(crate):"
    assert lines_with("a plain line\nand the next", "a plain line") == "a plain line"


def test_a_rule_within_prose_stays_in_force_when_its_request_is_done():
    rule = "Ask me before you drop a table."
    prose = (
        "The importer runs at night, so whatever we do has to be finished by six. I looked at the reader yesterday "
        f"and nobody knows which part decides. {rule} The totals come from three places and never agree. "
        "Build the importer first and tell me what you find on the way."
    )

    def steps(first):
        for i in range(first, first + 20):
            call = {"type": "tool_use", "id": f"c{i}", "name": "Read", "input": {"file_path": f"src/m{i}.py"}}
            result = {"type": "tool_result", "tool_use_id": f"c{i}", "content": f"def f{i}(): ...\n" * 60}
            yield {"role": "assistant", "content": [call]}
            yield {"role": "user", "content": [result]}

    history = [
        ask(prose),
        *steps(0),
        say("It is built."),
        ask("Now add a changelog."),
        *steps(100),
        say("Added."),
    ]
    for turn in range(1, 4):
        done = Condenser(count_tokens=count).condense(history, target=4000)
        ledger = read_ledger(done.summary)
        assert any(rule in line for line in ledger.rules)
        assert not any(rule in line for line in ledger.asked)
        history = [*done.messages, ask(f"Next is step {turn}."), *steps(100 * turn + 100), say("Done.")]
