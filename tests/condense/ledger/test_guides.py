"""Documents that were read to go by: what binds in them is kept before other lines."""

from __future__ import annotations

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.instruction_files import (
    LINE,
    MOST_GUIDES,
    SHORT_REQUEST,
    commissioned,
    commissioned_keys,
    guide_keys,
    is_guide,
)
from condense.lines.line_chooser import score_history
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

SPEC = """# Export
Some words on why we export at all.
- one CSV file a month
The file must be UTF-8 with a BOM.
Never export deleted customers.
short
"""


def read(number, path, text):
    call = {"type": "tool_use", "id": f"c{number}", "name": "Read", "input": {"file_path": path}}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": text}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def keys(*parts, said="", room=1000.0):
    messages = [m for part in parts for m in part]
    return guide_keys(score_history(parse_messages(messages)).view, [said], room)


@pytest.mark.parametrize(
    ("path", "said", "expected"),
    [
        ("docs/requirements.md", "", True),
        ("AGENTS.md", "", True),
        ("C:\\shop\\CLAUDE.md", "", True),
        ("spec.txt", "", True),
        (".cursorrules", "", True),
        ("docs/export.md", "", False),
        ("docs/export.md", "read export.md first", True),
        ("requirements.txt", "", False),
        ("dev-requirements.txt", "", False),
        ("requirements-dev.txt", "", False),
        ("a.md", "see schema.md", False),
        ("schema.md", "看schema.md里的说明", True),
        ("app/rules.py", "see rules.py", False),
        ("README.md", "", True),
        ("skills/apply/SKILL.md", "", True),
        ("/h/.agent/skills/apply/references/patterns.md", "", True),
        ("C:\\shop\\.clinerules\\01-style.md", "", True),
        ("docs/softskills/talk.md", "", False),
        ("skills/apply/run.py", "", False),
        ("/w/skills/shop/docs/api.md", "", False),
        (".cursor/rules/style.mdc", "", True),
        (".claude/skills/apply/CHANGELOG.md", "", False),
        (".github/instructions/python.instructions.md", "", True),
        ("node_modules/left-pad/README.md", "", False),
        (".specify/spec-template.md", "fill in spec-template.md", False),
    ],
)
def test_a_document_to_go_by_is_known_by_its_name_or_named_in_a_request(path, said, expected):
    assert is_guide(path, said) is expected


def test_what_binds_comes_before_what_is_listed_and_nothing_else_comes():
    assert keys(read(1, "spec.md", SPEC)) == [
        "The file must be UTF-8 with a BOM.",
        "Never export deleted customers.",
        "- one CSV file a month",
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "Не коммитьте секреты.", "Никогда не меняйте схему.", "提交前必須運行測試。",
        "送信する前に必ず確認してください。",
        "Nunca edites el esquema.", "Os segredos devem ficar fora do git.", "Les tests doivent passer.",
        "Die Tests müssen grün sein.",
    ],
)  # fmt: skip
def test_what_binds_is_known_in_other_languages(rule):
    assert keys(read(1, "AGENTS.md", f"Some words on it.\n{rule}\n- an entry of a list")) == [
        rule,
        "- an entry of a list",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Мне покажите лог", "Должность директора", "不可变对象", "不一定需要登录才行", "绝对路径", "絶対パスを使う関数",
        "I don't think so, it is odd", 'import produce from "immer"', "if (required) {", "name: { required: true },",
    ],
)  # fmt: skip
def test_words_that_only_look_binding_bind_nobody(line):
    assert keys(read(1, "AGENTS.md", f"Some words on it.\n{line}\n")) == []


RULE = "Never export deleted customers."


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("grep -n BOM README.md | head -5", "2:The file must be UTF-8."),
        ("npm test 2>&1 | tail -5 && echo README.md", "5 passing, you should always be proud"),
        ("head -1 ./README.md", "It must be read to its end."),
    ],
)
def test_what_only_names_a_document_or_shows_less_of_it_does_not_replace_its_reading(command, output):
    use = {"type": "tool_use", "id": "s", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "s", "content": output}
    later = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    text = f"{RULE}\n- one CSV file a month"
    assert keys(read(1, "/repo/README.md", text), later) == [RULE, "- one CSV file a month"]


def test_one_document_under_two_spellings_is_read_once_and_odd_characters_do_no_harm():
    text = f"{RULE}\nNever \ud83d use this thing.\n- one CSV file a month"
    again = [read(n, path, text) for n, path in enumerate(("/repo/README.md", "README.md", "./README.md"))]
    room = len(RULE) / 4 + LINE + 20
    assert keys(*again, room=room)[:2] == [RULE, "Never \ud83d use this thing."]


def test_documents_of_one_name_and_documents_shown_together_are_all_read():
    texts = [f"# Part {n}\n`$ make part{n}`\nfn main() {{ run(1, \nuse part{n}::all;\n" for n in range(2)]
    apart = [read(n, f"part{n}/README.md", text) for n, text in enumerate(texts)]
    assert sorted(keys(*apart)) == ["`$ make part0`", "`$ make part1`"]
    use = {"type": "tool_use", "id": "s", "name": "exec"}
    use["input"] = {"input": 'await tools.exec_command({"cmd":"cat a/SKILL.md b/README.md && ls src/main.rs"})'}
    result = {"type": "tool_result", "tool_use_id": "s", "content": "\n".join(texts)}
    together = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    assert keys(together) == ["`$ make part0`", "`$ make part1`"]


def test_a_document_shown_by_a_shell_within_a_shell_is_read():
    def shown(*command):
        use = {"type": "tool_use", "id": "s", "name": "shell", "input": {"command": list(command)}}
        result = {"type": "tool_result", "tool_use_id": "s", "content": SPEC}
        return keys([{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}])

    assert shown("pwsh", "-NoProfile", "-Command", "Get-Content -Raw AGENTS.md")
    assert shown("bash", "-lc", "cat AGENTS.md 2>/dev/null")
    assert not shown("bash", "-lc", "make AGENTS.md")


def test_what_a_readme_says_to_do_is_kept_after_what_it_lays_down():
    text = "# SDK\nA library for robots.\nRun the examples with sudo.\nThe robot must stand on the ground.\n"
    assert keys(read(1, "README.md", text)) == [
        "The robot must stand on the ground.",
        "Run the examples with sudo.",
    ]


def test_trees_of_files_and_variables_are_lists_too():
    text = "# Layout\nsrc\n├── animations.ts # effects\n│   └── utils.ts\nAPI_URL=http://localhost:8000\nand some words"
    assert keys(read(1, "spec.md", text)) == [
        "├── animations.ts # effects",
        "│   └── utils.ts",
        "API_URL=http://localhost:8000",
    ]


def test_the_room_is_shared_and_named_documents_come_first():
    line = "The file must be UTF-8 with a BOM."
    cost = len(line) / 4 + LINE
    assert keys(read(1, "spec.md", SPEC), room=cost) == [line]
    assert keys(read(1, "spec.md", SPEC), room=cost - 0.5) == ["Never export deleted customers."]
    many = [read(n, f"spec{n}/agents.md", f"Rule {n} must be obeyed.") for n in range(MOST_GUIDES + 2)]
    named = read(90, "export.md", "The export must be fast.")
    found = keys(named, *many, said="Please follow export.md")
    assert found[0] == "The export must be fast."


def test_a_document_that_was_changed_since_or_only_looked_at_is_none():
    edit = {"type": "tool_use", "id": "e", "name": "Edit"}
    edit["input"] = {"file_path": "spec.md", "old_string": "must", "new_string": "may"}
    changed = [{"role": "assistant", "content": [edit]}]
    assert keys(read(1, "spec.md", SPEC), changed) == []
    assert keys(read(1, "notes.md", SPEC)) == []


def condensed(history):
    for n in range(1, 60):
        text = "\n".join(f"def step_{n}_{k}(row): return row['field_{n}_{k}']" for k in range(30))
        history += read(n, f"src/part_{n}.py", text)
    history.append({"role": "assistant", "content": "I have read it all."})
    config = CondenseConfig(budget=TokenBudget.for_window(16_000))
    return Condenser(config).condense(history, memory=ConversationMemory("t"), target=4000)


def test_a_rule_read_long_ago_survives_a_compaction():
    history = [{"role": "user", "content": "Follow docs/export.md and build the export."}]
    history += read(0, "docs/export.md", SPEC)
    result = condensed(history)
    assert "The file must be UTF-8 with a BOM." in result.summary
    assert "read to go by: docs/export.md" in result.summary
    again = condensed(list(result.messages))
    assert "The file must be UTF-8 with a BOM." in again.summary


def test_a_document_that_the_project_s_instructions_name_is_one_to_go_by():
    rule = "- Every plan must be self-contained."
    orders = "# AGENTS.md instructions for /w\n\nFor larger work write a plan as PLANS.md says."
    history = [{"role": "user", "content": orders}, {"role": "user", "content": "Plan the export."}]
    history += read(0, "PLANS.md", f"# Plans\nSome words on plans.\n{rule}\nMore words.")
    result = condensed(history)
    assert rule in result.summary
    assert "read to go by: PLANS.md" in result.summary


def test_instructions_are_known_as_such_after_a_compaction():
    orders = (
        "# AGENTS.md instructions for /w\n\nFor larger work write a plan as PLANS.md says.\n" + "Some words. " * 400
    )
    work = [read(n, f"src/part_{n}.py", f"def step_{n}(row): return row['field_{n}']\n" * 30) for n in range(1, 40)]
    work = [m for pair in work for m in pair]
    config = CondenseConfig(budget=TokenBudget.for_window(16_000))
    condenser, memory = Condenser(config), ConversationMemory("t")
    history = [{"role": "user", "content": orders}, {"role": "user", "content": "Plan the export."}, *work]
    once = condenser.condense([*history, {"role": "assistant", "content": "Go on?"}], memory=memory, target=4000)
    rule = "- Every plan must be self-contained."
    later = [
        *once.messages,
        *read(0, "PLANS.md", f"# Plans\nSome words on plans.\n{rule}\nMore words."),
        *work,
    ]
    twice = condenser.condense([*later, {"role": "assistant", "content": "Done."}], memory=memory, target=4000)
    assert rule in twice.summary
    assert "PLANS.md says." in twice.summary


ASSIGNMENT = """# The shop
We sell boats to people who like boats.

You will need:
- the address where it runs
- the time it took you, straight from the clock
- a few words on how you went about it
Somebody will call you when we have looked at it.
"""


def asked_for(*parts, said, room=1000.0, rewritten=()):
    view = score_history(parse_messages([m for part in parts for m in part])).view
    return commissioned_keys(view, commissioned(view, [said], dict(rewritten)), room)


def edit(path, old, new):
    use = {"type": "tool_use", "id": "e", "name": "Edit"}
    use["input"] = {"file_path": path, "old_string": old, "new_string": new}
    return [{"role": "assistant", "content": [use]}]


def write(path, text):
    use = {"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": path, "content": text}}
    return [{"role": "assistant", "content": [use]}]


def test_a_document_that_a_short_request_names_is_a_part_of_it():
    lines = [line for line in ASSIGNMENT.split("\n") if len(line) > 10]
    assert sorted(asked_for(read(1, "/w/task.md", ASSIGNMENT), said="Do what task.md says")) == sorted(lines)
    assert asked_for(read(1, "/w/task.md", ASSIGNMENT), said="Build the shop") == []
    assert asked_for(read(1, "/w/task.py", ASSIGNMENT), said="Do what task.py says") == []
    long = "Do what task.md says. " + "a" * SHORT_REQUEST
    assert asked_for(read(1, "/w/task.md", ASSIGNMENT), said=long) == []


def test_what_binds_and_is_listed_in_it_comes_first_where_not_all_fits():
    found = asked_for(read(1, "task.md", ASSIGNMENT), said="see task.md", room=3 * (41 / 4 + LINE))
    assert found == [line for line in ASSIGNMENT.split("\n") if line.startswith("- ")]


def test_its_lines_that_were_edited_since_are_gone_and_those_that_were_not_stay():
    reading = read(1, "task.md", ASSIGNMENT)
    ticked = asked_for(
        reading, edit("task.md", "- the address where it runs", "- http://localhost"), said="do task.md"
    )
    assert "- the address where it runs" not in ticked
    assert "- the time it took you, straight from the clock" in ticked
    patch = "*** Begin Patch\n*** Update File: task.md\n@@\n-- the address where it runs\n+- done\n*** End Patch"
    use = {"type": "tool_use", "id": "p", "name": "apply_patch", "input": {"input": patch}}
    patched = asked_for(reading, [{"role": "assistant", "content": [use]}], said="do task.md")
    assert "- the address where it runs" not in patched
    assert "- the time it took you, straight from the clock" in patched


def test_of_an_edit_only_what_does_not_come_back_is_gone():
    text = "The first rule must hold.\nDeadline: the second must hold.\nThe third must hold."
    old, new = text, text.replace("Deadline: the second", "Deadline: none of them")
    left = asked_for(read(1, "task.md", text), edit("task.md", old, new), said="do task.md")
    assert left == ["The first rule must hold.", "The third must hold."]
    failed = [
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "e", "content": "no", "is_error": True}],
        }
    ]
    assert len(asked_for(read(1, "task.md", text), edit("task.md", old, new) + failed, said="do task.md")) == 3


def test_a_document_that_was_written_anew_is_known_as_it_was_read_since():
    first, second = read(1, "docs/task.md", ASSIGNMENT), read(2, "docs/task.md", "- only this must be done")
    assert asked_for(first, said="do task.md", rewritten={"/repo/docs/task.md": 9}) == []
    assert asked_for(first, said="do task.md", rewritten={"/repo/other/task.md": 9}) != []
    after = {"/repo/docs/task.md": 2}
    assert asked_for(first, second, said="do task.md", rewritten=after) == ["- only this must be done"]


def test_parts_of_a_document_add_up_and_a_new_reading_replaces_an_old_one():
    listing = "\n".join(f"{n}\t- step {n} of the way" for n in range(1, 11))
    rest = "\n".join(f"{n}\t- step {n} of the way" for n in range(11, 21))
    both = asked_for(read(1, "way.md", listing), read(2, "way.md", rest), said="do way.md")
    assert len(both) == 20
    other = "\n".join(f"{n}\t- other {n} of the way" for n in range(1, 5))
    assert asked_for(read(1, "way.md", listing), read(2, "way.md", other), said="do way.md") == [
        f"- other {n} of the way" for n in range(1, 5)
    ]
    less = "\n".join(f"{n}\t- step {n} of the way" for n in range(1, 4))
    assert len(asked_for(read(1, "way.md", listing), read(2, "way.md", less), said="do way.md")) == 10


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("view_file", {"path": "任务.md"}),
        ("Bash", {"command": "cat 任务.md"}),
        ("Bash", {"command": "sed -n 1,40p docs/任务.md"}),
        ("str_replace_based_edit_tool", {"command": "view", "path": "docs/任务.md"}),
    ],
)
def test_a_document_is_known_however_it_is_shown_and_in_whatever_script_it_is_named(name, arguments):
    call = {"type": "tool_use", "id": "c", "name": name, "input": arguments}
    result = {"type": "tool_result", "tool_use_id": "c", "content": ASSIGNMENT}
    shown = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert asked_for(shown, said="按任务.md做") or asked_for(shown, said="请看 任务.md")


@pytest.mark.parametrize("path", ["C:\\work\\shop\\task.md", "/r/" + "long/" * 20 + "task.md"])
def test_rules_of_a_document_that_is_asked_for_survive_many_compactions(path):
    rules = [f"- rule {n}: the field_{n} must never be exported" for n in range(20)]
    history = [{"role": "user", "content": "Do what task.md says."}, *read(0, path, "\n".join(rules))]
    for _ in range(3):
        done = condensed(history)
        assert [rule for rule in rules if rule not in done.summary] == []
        history = list(done.messages)


def test_documents_that_are_asked_for_share_their_room_and_what_one_leaves_goes_to_the_other():
    long = "\n".join(f"- step {n} of the long way to go" for n in range(40))
    both = [read(1, "short.md", "- one thing to be done"), read(2, "long.md", long)]
    found = asked_for(*both, said="do short.md and long.md", room=200)
    assert "- one thing to be done" in found
    assert 100 < sum(len(key) / 4 + LINE for key in found) <= 200
    alike = [read(n, f"{n}.md", "\n".join(f"- {n} {k} of the way" for k in range(40))) for n in range(2)]
    found = asked_for(*alike, said="do 0.md and 1.md", room=200)
    assert sum(key.startswith("- 0") for key in found) == sum(key.startswith("- 1") for key in found) > 5


def test_an_assignment_in_a_file_survives_two_compactions():
    prose = "\n".join(f"Sentence {n} of the long story of the shop and its boats." for n in range(4))
    history = [{"role": "user", "content": "Read task.md, this is my task, and begin."}]
    history += read(0, "task.md", ASSIGNMENT + prose)
    once = condensed(history)
    wanted = [line for line in ASSIGNMENT.split("\n") if line.startswith("- ")] + prose.split("\n")
    assert [line for line in wanted if line not in once.summary] == []
    twice = condensed(list(once.messages))
    assert [line for line in wanted if line not in twice.summary] == []
