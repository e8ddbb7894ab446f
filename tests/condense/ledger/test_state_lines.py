"""The state of the work reads as it was: outcomes, errors and what came of them, runs that are out of date."""

from __future__ import annotations

import pytest

from condense.ledger import state_lines
from condense.ledger.state_lines import command_lines, command_text, error_lines, file_lines, plan_lines
from condense.reading.text.definitions import headings
from condense.reading.trail.collecting import collect_artifacts
from memory.conversation.wire.parsing import parse_messages


def exchange(number, name, arguments, output, *, is_error=False):
    call = {"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}
    answer = {"type": "tool_result", "tool_use_id": f"c{number}", "content": output, "is_error": is_error}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]


def history(*steps):
    return parse_messages(
        [m for n, step in enumerate(steps) for m in exchange(n, *step[:3], is_error=len(step) > 3)]
    )


def read(messages):
    return collect_artifacts(messages), {m.digest: i for i, m in enumerate(messages)}


PYTEST = ("Bash", {"command": "pytest -q tests"})
EDIT = ("Edit", {"file_path": "app/port.py", "old_string": "PORT = 1", "new_string": "PORT = 2"}, "ok")
FAILED = "E   KeyError: 'port'\n1 failed, 2 passed in 0.1s"


def test_a_failing_run_is_shown_with_its_counts():
    artifacts, places = read(history((*PYTEST, FAILED, True)))
    (line,) = command_lines(artifacts, "en", places)
    assert "`pytest -q tests`" in line
    assert "2 passed, 1 failed" in line
    assert "edited after" not in line


def test_a_run_before_the_last_edit_says_so():
    artifacts, places = read(history((*PYTEST, "3 passed in 0.1s"), EDIT))
    (line,) = command_lines(artifacts, "en", places)
    assert "files were edited after this run" in line
    (zh,) = command_lines(artifacts, "zh", places)
    assert "此次运行之后文件又有改动" in zh


READ = ("Read", {"file_path": "app/port.py"}, "PORT = 1")
MISSED = (EDIT[0], EDIT[1], "<tool_use_error>String to replace not found in file.</tool_use_error>", True)


def errors_of(*steps, language="en"):
    artifacts, places = read(history(*steps))
    return error_lines(artifacts, language, places)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "resolved: {} succeeded after changes to app/port.py; `pip install scipy`"),
        ("zh", "已解决：改动 app/port.py; `pip install scipy` 之后，{} 成功了"),
    ],
)
@pytest.mark.parametrize(
    ("again", "named"),
    [
        ("python rank.py", {"en": "the same", "zh": "同样的操作"}),
        ("python rank.py | tail -5", dict.fromkeys(("en", "zh"), "`python rank.py | tail -5`")),
    ],
)
def test_an_error_that_went_away_names_what_was_run_in_between(again, named, language, told):
    first = (
        "Bash",
        {"command": "python rank.py"},
        "Exit code 1\nModuleNotFoundError: No module named 'scipy'",
    )
    looked, mended = ("cat rank.py", "import scipy"), ("pip install scipy", "Successfully installed scipy")
    others = [("Bash", {"command": command}, output) for command, output in (looked, mended)]
    line, *_ = errors_of((*first, True), EDIT, *others, ("Bash", {"command": again}, "0.3"), language=language)
    assert line.endswith(told.format(named[language]))


def test_a_call_that_never_ran_since_another_failed_is_no_error():
    called_off = "<tool_use_error>Cancelled: parallel tool call Bash(make dist) errored</tool_use_error>"
    assert not errors_of(("Bash", {"command": "jq --version"}, called_off, True))


def test_an_error_that_went_away_says_after_which_changes_and_one_that_came_back_does_not():
    (line,) = errors_of((*PYTEST, FAILED, True), EDIT, (*PYTEST, "3 passed in 0.1s"))
    assert "KeyError: 'port'" in line
    assert line.endswith("; resolved: the same succeeded after changes to app/port.py")
    (line,) = errors_of((*PYTEST, FAILED, True), EDIT, (*PYTEST, FAILED, True))
    assert "×2" in line
    assert line.endswith("; not resolved: failed again when last run")


def test_an_error_that_went_away_by_itself_says_that_it_was_repeated():
    (line,) = errors_of((*PYTEST, FAILED, True), READ, (*PYTEST, "3 passed in 0.1s"))
    assert line.endswith("; resolved: repeating it succeeded")
    (zh,) = errors_of((*PYTEST, FAILED, True), READ, (*PYTEST, "3 passed in 0.1s"), language="zh")
    assert zh.endswith("; 已解决：重做一次后成功")


def test_a_command_that_worked_in_other_quotes_or_without_an_odd_sign_resolved_its_error():
    odd = ("Bash", {"command": "cd app && python -c \"from app import run; print('✓ loaded the app')\""})
    plain = ("Bash", {"command": "cd app; python -c \"from app import run; print('loaded the app')\""})
    broken = "UnicodeEncodeError: 'charmap' codec can't encode character '\u2713'"
    (line,) = errors_of((*odd, broken, True), (*plain, "loaded the app"))
    assert line.endswith(
        "; resolved: `cd app; python -c \"from app import run; print('loaded the app')\"` succeeded later"
    )


def test_another_short_script_resolves_nothing():
    broken = "ZeroDivisionError: division by zero"
    (line,) = errors_of(
        ("Bash", {"command": 'python -c "print(1 / 0)"'}, broken, True),
        ("Bash", {"command": 'python -c "print(2)"'}, "2"),
    )
    assert line.endswith("; not seen resolved")


def test_an_edit_that_failed_says_whether_the_file_was_read_again_before_it_succeeded():
    (line,) = errors_of(MISSED, EDIT)
    assert line.endswith("; a later edit of the file succeeded")
    (line,) = errors_of(MISSED, READ, EDIT)
    assert line.endswith("; after re-reading the file a later edit of it succeeded")
    (line,) = errors_of(MISSED, ("Read", {"file_path": "README.md"}, "# Title"), EDIT)
    assert line.endswith("; a later edit of the file succeeded")


def test_what_was_changed_before_the_error_or_after_the_success_did_not_resolve_it():
    (line,) = errors_of(EDIT, (*PYTEST, FAILED, True), (*PYTEST, "3 passed in 0.1s"), EDIT)
    assert line.endswith("; resolved: repeating it succeeded")


def test_a_look_for_what_is_not_there_says_that_it_does_not_exist():
    look = ("Bash", {"command": "ls app/old"}, "ls: app/old: No such file or directory", True)
    (line,) = errors_of(look)
    assert (
        line == "ls: app/old: No such file or directory — from `ls app/old`; does not exist, as far as was looked"
    )
    (line,) = errors_of(("Read", {"file_path": "app/old.py"}, "File does not exist.", True), language="zh")
    assert line.endswith("; 经查看不存在")
    (line,) = errors_of(("Bash", {"command": "make"}, "make: app/old: No such file or directory", True))
    assert line.endswith("; not seen resolved")


def test_what_was_missing_and_was_made_later_is_not_said_to_be_missing():
    look = ("Bash", {"command": "ls app/old"}, "ls: app/old: No such file or directory", True)
    made = ("Write", {"file_path": "/srv/app/old/port.py", "content": "PORT = 1"}, "ok")
    (line,) = errors_of(look, made)
    assert line.endswith("; was not there then; it was created later")
    (line,) = errors_of(look, ("Write", {"file_path": "/srv/app/older.py", "content": "PORT = 1"}, "ok"))
    assert line.endswith("; does not exist, as far as was looked")
    (line,) = errors_of(
        ("Read", {"file_path": "a/b.py"}, "File does not exist.", True),
        ("Write", {"file_path": "a/b.py", "content": "x"}, "ok"),
    )
    assert line.endswith("; was not there then; it was created later")


def test_calls_written_alike_claim_nothing_of_what_lies_between():
    call = {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "bash", "arguments": '{"command": "make"}'}}
        ],
    }
    messages = parse_messages(
        [
            {"role": "user", "content": "go"},
            call,
            {"role": "tool", "tool_call_id": "c", "content": "make: *** [all] Error 2\nexit code: 2"},
            call,
            {"role": "tool", "tool_call_id": "c", "content": "done\nexit code: 0"},
        ]
    )
    artifacts, places = read(messages)
    (line,) = error_lines(artifacts, "en", places)
    assert line.endswith("; resolved: the same succeeded later")


def test_a_line_that_only_introduces_an_error_gives_way_to_the_error():
    text = "rg: regex parse error:\n    (foo(\n    ^\nerror: unclosed group"
    (line,) = errors_of(("Bash", {"command": "rg 'foo('"}, text, True))
    assert line.startswith("error: unclosed group — from `rg 'foo('`")
    (line,) = errors_of(("Bash", {"command": "make"}, "error: no rule:\nsee the manual", True))
    assert line.startswith("error: no rule: see the manual — from `make`")


def test_a_tag_around_an_error_is_not_its_line():
    text = (
        "The tool failed with the following error:\n<error>\nError applying diff: no editor within 10 s\n</error>"
    )
    (line,) = errors_of(("apply_diff", {"path": "a.py", "diff": "x"}, text, True))
    assert line.startswith("Error applying diff: no editor within 10 s — from")


def test_the_line_of_code_that_threw_gives_way_to_what_it_threw():
    text = (
        "node:internal/process/esm_loader:97\n    triggerUncaughtException(err, true /* fromPromise */);\n    ^\n\n"
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'a.js'\n    at x (node:internal:1:2)"
    )
    (line,) = errors_of(("Bash", {"command": "node b.js"}, text, True))
    assert line.startswith("Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'a.js' — from")
    text = "a.js:3\n  return new TypeError(`no ${name}`)\n  ^\nTypeError: no cart\n    at f (a.js:3:9)"
    (line,) = errors_of(("Bash", {"command": "node a.js"}, text, True))
    assert line.startswith("TypeError: no cart — from")


def test_powershell_tells_its_error_above_the_category():
    text = (
        "At line:1 char:4\n+ cd a && npm test\n+      ~~\nThe token '&&' is not a valid statement separator.\n"
        "    + CategoryInfo          : ParserError: (:) [], ParentContainsErrorRecordException\n"
        "    + FullyQualifiedErrorId : InvalidEndOfLine"
    )
    (line,) = errors_of(("Bash", {"command": "cd a && npm test"}, text, True))
    assert line.startswith("The token '&&' is not a valid statement separator. — from")
    text = (
        "mkdir : A positional parameter cannot be found that accepts argument 'b'.\nAt line:1 char:1\n+ mkdir -p a b\n"
        "+ ~~~~~~~~~~~~\n    + CategoryInfo          : InvalidArgument: (:) [mkdir], ParameterBindingException"
    )
    (line,) = errors_of(("Bash", {"command": "mkdir -p a b"}, text, True))
    assert line.startswith("mkdir : A positional parameter cannot be found that accepts argument 'b'. — from")
    text = (
        ".\\install.ps1 : File \nC:\\shop\\install.ps1 cannot be loaded because \n"
        "running scripts is disabled on this system.\n"
        "At line:1 char:1\n+ .\\install.ps1\n+ ~~~~\n"
        "    + CategoryInfo          : SecurityError: (:) [], PSSecurityException"
    )
    (line,) = errors_of(("Bash", {"command": ".\\install.ps1"}, text, True))
    assert line.startswith("running scripts is disabled on this system. — from")


def test_errors_that_differ_in_ids_only_share_a_line():
    steps = [("mcp_jobs", {"id": n}, f"Error: Operation {n}cbdda0a1c{n}f not found", True) for n in (1, 2, 3)]
    (line,) = errors_of(*steps)
    assert line.startswith("Error: Operation 3cbdda0a1c3f not found ×3 — from `mcp_jobs` and 2 more like it")


def test_an_error_seen_once_and_left_is_not_called_resolved():
    (line,) = errors_of(("Bash", {"command": "make dist"}, "make: *** [dist] Error 2", True))
    assert line.endswith("; not seen resolved")


def test_changed_files_come_first_and_read_ones_share_a_line():
    artifacts, _ = read(
        history(
            ("Read", {"file_path": "docs/notes.md"}, "# Title"),
            ("Read", {"file_path": "app/port.py"}, "PORT = 1"),
            EDIT,
        )
    )
    lines = file_lines(artifacts, "en")
    assert lines[0].startswith("app/port.py — edited")
    assert lines[-1] == "read only: docs/notes.md"


def test_what_defines_something_comes_first_and_what_was_only_created_shares_a_line():
    artifacts, _ = read(
        history(
            ("Write", {"file_path": "/shop/app/cart.py", "content": "class Cart:\n    pass\n"}, "ok"),
            ("Write", {"file_path": "/shop/data/a.json", "content": "{}"}, "ok"),
            ("Write", {"file_path": "/shop/data/b.json", "content": "{}"}, "ok"),
            ("Write", {"file_path": "/var/page.html", "content": "<p>"}, "ok"),
            ("Edit", {"file_path": "/shop/setup.cfg", "old_string": "a = 1", "new_string": "a = 2"}, "ok"),
        )
    )
    assert file_lines(artifacts, "en") == (
        "/shop/app/cart.py — created; defines Cart",
        "/shop/setup.cfg — edited",
        "created: in /shop/data/: b.json, a.json; /var/page.html",
    )


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "read only: in /home/ann/shop/: app/cart.py, lib/tax.py; notes.txt, /etc/hosts"),
        ("zh", "仅读取: 在 /home/ann/shop/ 下： app/cart.py, lib/tax.py; notes.txt, /etc/hosts"),
    ],
)
def test_the_folder_of_files_that_were_read_is_named_once(language, told):
    paths = ("/etc/hosts", "/home/ann/shop/lib/tax.py", "notes.txt", "/home/ann/shop/app/cart.py")
    artifacts, _ = read(history(*(("Read", {"file_path": path}, "x") for path in paths)))
    assert file_lines(artifacts, language)[-1] == told


def test_commands_keep_their_first_line_verbatim_and_say_how_they_ended():
    artifacts, places = read(
        history(("Bash", {"command": "npm run build\n# second line"}, "Exit code: 1\nno", True))
    )
    (line,) = command_lines(artifacts, "en", places)
    assert line.startswith("`npm run build …` → failed")


def test_the_plan_shows_what_is_open_and_then_what_is_done():
    todos = [{"content": "Write it", "status": "completed"}, {"content": "Test it", "status": "in_progress"}]
    artifacts, _ = read(history(("TodoWrite", {"todos": todos}, "ok")))
    assert plan_lines(artifacts) == ("[>] Test it", "[x] Write it")


def test_an_error_of_a_look_that_later_found_what_it_sought_is_resolved():
    look = ("Bash", {"command": "cat notes/plan.md"})
    artifacts, places = read(
        history((*look, "cat: notes/plan.md: No such file or directory", True), (*look, "# Plan"))
    )
    (line,) = error_lines(artifacts, "en", places)
    assert "resolved: repeating it succeeded" in line
    assert "not seen resolved" not in line


def test_errors_that_differ_in_numbers_only_share_a_line():
    steps = [
        ("Bash", {"command": f"mvn -pl part{n} install"}, f"sh: line {40 + n}: mvn: command not found", True)
        for n in range(4)
    ]
    artifacts, places = read(history(*steps))
    (line,) = error_lines(artifacts, "en", places)
    assert line.startswith("sh: line 43: mvn: command not found ×4 — from `mvn -pl part3 install` and 3 more")


def test_what_a_shell_says_of_its_own_files_is_not_the_error():
    text = "/home/ann/.profile: line 6: compdef: command not found\nls: docs/old: No such file or directory"
    artifacts, places = read(history(("Bash", {"command": "ls docs/old"}, text)))
    (line,) = error_lines(artifacts, "en", places)
    assert line.startswith("ls: docs/old: No such file or directory")
    greeted = "/home/ann/.zshrc:217: compdef: command not found\nREADME.md"
    artifacts, places = read(history(("Bash", {"command": "ls"}, greeted)))
    assert error_lines(artifacts, "en", places) == ()


def test_a_reply_in_json_that_says_it_failed_is_an_error():
    reply = '{\n  "success": false,\n  "timeoutSeconds": 120,\n  "error": "Scene 7 not found."\n}'
    artifacts, places = read(history(("mcp_scene_play", {"scene": 7}, reply)))
    (line,) = error_lines(artifacts, "en", places)
    assert line.startswith('"error": "Scene 7 not found."')


def test_an_entry_of_a_list_that_failed_is_no_error_of_the_reply():
    reply = '{"success": true, "jobs": [{"name": "nightly", "success": false, "error": "No disk left."}]}'
    artifacts, places = read(history(("mcp_jobs_overview", {}, reply)))
    assert error_lines(artifacts, "en", places) == ()


def test_a_command_that_could_not_be_started_failed():
    said = "execution error: sandbox: could not create the process: 1056"
    artifacts, places = read(history(("shell", {"command": "type notes.txt"}, said)))
    (line,) = error_lines(artifacts, "en", places)
    assert line.startswith(said)


def test_the_header_of_a_harness_is_not_the_error():
    text = "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n"
    artifacts, places = read(history(("shell", {"command": "make lists"}, text)))
    assert error_lines(artifacts, "en", places) == ()
    assert command_lines(artifacts, "en", places) == ("`make lists` → failed (exit code 1)",)
    artifacts, places = read(history(("shell", {"command": "rg -n nowhere docs"}, text)))
    assert error_lines(artifacts, "en", places) == ()


def test_a_command_that_only_wrote_a_file_is_told_by_the_file_unless_it_failed():
    write = ("Bash", {"command": "cat > app/port.py <<'EOF'\nPORT = 1\nEOF"})
    artifacts, places = read(history((*write, ""), ("Bash", {"command": "mkdir -p app/new"}, "")))
    assert command_lines(artifacts, "en", places) == ()
    assert file_lines(artifacts, "en")[0].startswith("app/port.py — created")
    artifacts, places = read(history((*write, "sh: app/port.py: Permission denied", True)))
    (line,) = command_lines(artifacts, "en", places)
    assert "failed" in line


def test_a_refused_change_says_so():
    other = {**EDIT[1], "new_string": "PORT = 3"}
    artifacts, _ = read(history(EDIT, ("Edit", other, "The user denied this operation.", True)))
    assert file_lines(artifacts, "en") == ("app/port.py — edited; refused by the user; defines PORT",)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("make test", "make test"),
        ("make test \\\n  --fast", "make test \\ … --fast …"),
        ("ls -la\ncat a.txt", "ls -la …"),
        ("git commit -m \"$(cat <<'EOF'\nfix: round the total\n\nmore\nEOF\n)\"",
         "git commit -m \"$(cat <<'EOF' … fix: round the total …"),
        ("python3 - <<'PY'\nimport json\nfrom pathlib import Path\n\nprint(json.load(open('a.json')))\nPY",
         "python3 - <<'PY' … print(json.load(open('a.json'))) …"),
        ("python -c \"\nimport os\nos.remove('a')\n\"", "python -c \" … os.remove('a') …"),
        ("set -e\n# all of it\ncd web\nnpm run build\nnpm test", "set -e … npm run build …"),
        ("$desc = 'x'\n./create.ps1 -Json $desc", "$desc = 'x' … ./create.ps1 -Json $desc …"),
        ("apply_patch <<'P'\n*** Begin Patch\n*** Update File: a.py\n@@\nP",
         "apply_patch <<'P' … *** Update File: a.py …"),
        ("set -e\n\n", "set -e"),
        ("FOO=bar\r\nnpm test", "FOO=bar … npm test …"),
        ("node -e '\n\n\n'", "node -e ' …"),
    ],
)  # fmt: skip
def test_a_command_is_told_by_the_line_that_says_what_it_does(command, told):
    assert command_text(command, 200) == told
    assert len(command_text(command, 20)) <= len("…") + 21


def test_the_message_of_a_commit_stands_in_the_command_s_line():
    script = "git commit -m \"$(cat <<'EOF'\nfix: round the total\nEOF\n)\""
    artifacts, places = read(history(("Bash", {"command": script}, "ok")))
    lines = command_lines(artifacts, "en", places)
    assert any("fix: round the total" in line for line in lines)


PLAN = """# Plan: the export

Some words.
## Goals
```sh
# not a heading
## neither is this
def run():
```
### A detail
## Risks ##
## This is a whole sentence, which is far too long to be a heading of anything
## Goals
"""


def test_a_document_is_told_by_its_headings():
    artifacts, _ = read(history(("Write", {"file_path": "docs/plan.md", "content": PLAN}, "ok")))
    (line,) = file_lines(artifacts, "en")
    assert line == "docs/plan.md — created; sections Plan: the export / Goals / Risks"


def test_of_a_document_with_few_headings_those_of_the_third_level_count_too():
    text = "# Plan\n### Part one\n### Part two\n#### Too deep\n#no heading\n"
    artifacts, _ = read(history(("Write", {"file_path": "plan.md", "content": text}, "ok")))
    (line,) = file_lines(artifacts, "zh")
    assert line == "plan.md — 新建; 章节 Plan / Part one / Part two"


def test_an_edit_takes_a_heading_away_and_brings_another():
    steps = [
        ("Write", {"file_path": "plan.md", "content": "# Plan\n## Goals\n## Risks\n"}, "ok"),
        ("Edit", {"file_path": "plan.md", "old_string": "## Risks", "new_string": "## Dates"}, "ok"),
    ]
    artifacts, _ = read(history(*steps))
    (line,) = file_lines(artifacts, "en")
    assert line == "plan.md — created; edited; sections Plan / Goals / Dates"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# C#\n## Working with C# ##\n## Done", "C# / Working with C# / Done"),
        ("\ufeff---\n# a setting\ntitle: x\n---\r\n# Title\r\n## One\r\n## Two\r\n", "Title / One / Two"),
        ("# A\n```` ```x``` ````\n## B\n## C", "A / B / C"),
        ("# A\n```` \n```\n# no\n```\n~~~\n````\n## B\n## C", "A / B / C"),
        ("# A\r## B\r## C", "A / B / C"),
    ],
)
def test_headings_are_read_as_markdown_has_them(text, told):
    assert " / ".join(headings(text)) == told


@pytest.mark.parametrize("again", ["./walk", "sudo ./walk", "timeout 3s ./walk", "DISPLAY=:0 CI=1 time ./walk"])
def test_a_command_is_the_same_however_it_is_run(again):
    failed = ("Bash", {"command": "./walk"}, "Error: no display", True)
    (line,) = errors_of(failed, ("Bash", {"command": again}, "walked"))
    assert "; resolved: " in line
    (line,) = errors_of(failed, ("Bash", {"command": f"DATABASE_URL=sqlite:// {again}"}, "walked"))
    assert line.endswith("not seen resolved")
    (line,) = errors_of(failed, ("Bash", {"command": f"{again} --far"}, "walked"))
    assert line.endswith("not seen resolved")


def test_an_error_gave_way_when_the_same_failed_in_another_way():
    first = ("Bash", {"command": "make gen"}, "Error: illegal constructor", True)
    second = ("Bash", {"command": "CI=1 make gen"}, "Error: not a module", True)
    gone, there = errors_of(first, second)
    assert gone.endswith("gone: when the same was run again it failed in another way")
    assert there.endswith("not seen resolved")
    gone, _ = errors_of(first, second, language="zh")
    assert gone.endswith("已不再出现：再次运行时以另一种方式失败")
    both = (*first[:2], "Error: not a module\nError: illegal constructor", True)
    assert not any("gone" in line for line in errors_of(first, both))
    timed_out = ("Bash", {"command": "make gen"}, "Command timed out after 120 seconds", True)
    assert not any("gone" in line for line in errors_of(first, timed_out))
    back, _ = sorted(errors_of(first, second, first))
    assert back.startswith("Error: illegal constructor ×2")
    assert back.endswith("not resolved: failed again when last run")


def test_what_works_with_more_rights_only_is_told_so():
    failed = ("Bash", {"command": "./walk"}, "Error: no rights", True)
    (line,) = errors_of(failed, ("Bash", {"command": "sudo ./walk"}, "walked"))
    assert line.endswith("resolved: `sudo ./walk` succeeded later")
    first, _ = errors_of(failed, ("Bash", {"command": "sudo ./walk"}, "Error: no such motor", True))
    assert first.endswith("not seen resolved")


def test_a_search_without_a_match_says_so():
    artifacts, places = read(history(("Bash", {"command": "rg nowhere src"}, "Exit code: 1\nOutput:\n")))
    assert state_lines.ending_of(artifacts.commands[0].outcome, "en") == ("ended without output (exit code 1)")
    assert places


@pytest.mark.parametrize(
    "said",
    [
        "zsh:1: no matches found: src/[id]/page.tsx",
        "bash: line 3: src/[id]: ambiguous redirect",
        "(eval):1: no matches found: src/[id]/page.tsx",
        "/usr/local-x/bin/bash: line 1: syntax error near unexpected token",
    ],
)
def test_what_a_shell_says_of_a_look_is_an_error_of_its_own(said):
    failed = (
        "Bash",
        {"command": "cat src/[id]/page.tsx"},
        f"Exit code: 1\nWall time: 0 seconds\nOutput:\n{said}",
    )
    (line,) = errors_of(failed)
    assert line == f"{said} — from `cat src/[id]/page.tsx`; not seen resolved"
    flagged = ("Bash", {"command": "cat src/[id]/page.tsx"}, said, True)
    assert [line.partition(" — ")[0] for line in errors_of(flagged)] == [said]
    assert errors_of(("Bash", {"command": "grep -c x a.log"}, "Exit code: 1\nOutput:\n0")) == ()
    log = f"10:00 build started\n{said}\n10:01 build ended"
    assert errors_of(("Bash", {"command": "cat ci.log"}, log)) == ()
    assert errors_of(("Bash", {"command": "cat shells.yml"}, "sh: dash\nzsh: 5.9")) == ()


MISSED_LOOKS = [
    ("Get-Content app\\[slug]\\page.tsx", "Get-Content -LiteralPath 'app\\[slug]\\page.tsx'", True),
    ("cat src/[id]/page.tsx", "cat 'src/[id]/page.tsx'", True),
    ("cat /w/src/[id]/page.tsx", "sed -n 1,20p 'src/[id]/page.tsx'", True),
    ("cat src/[id]/page.tsx", "cat src/other/page.tsx", False),
    ("cat config.json", "cat /w/a/config.json", False),
    ("cat a.txt missing.txt", "cat a.txt", False),
    ("node build.js src/page.tsx", "cat src/page.tsx", False),
]


@pytest.mark.parametrize(("first", "second", "over"), MISSED_LOOKS)
def test_a_look_that_failed_is_over_when_the_file_was_shown_another_way(first, second, over):
    failed = ("Bash", {"command": first}, "error: no matches found", True)
    lines = errors_of(failed, ("Bash", {"command": second}, "export default Page"))
    assert [f"; resolved: `{second}` succeeded later" in line for line in lines] == [over]


@pytest.mark.parametrize(
    ("command", "output", "line"),
    [
        (
            "pip install shop",
            "  error: subprocess-exited-with-error\n  x Preparing metadata\n  error: linker `link.exe` not found",
            "error: linker `link.exe` not found",
        ),
        (
            "npm run build",
            "npm error code ELIFECYCLE\nsrc/a.ts(3,1): error TS1005: ';' expected.",
            "src/a.ts(3,1): error TS1005",
        ),
        (
            "python shop.py",
            "Traceback (most recent call last):\nOpening the shop\nImportError: Unable to import:\nnumpy: None here",
            "ImportError: Unable to import: numpy: None here",
        ),
    ],
)
def test_an_error_is_what_went_wrong_not_what_stands_around_it(command, output, line):
    (told,) = errors_of(("Bash", {"command": command}, f"Exit code 1\n{output}", True))
    assert told.startswith(line)


def test_a_tool_of_a_server_is_quoted_without_what_the_call_held():
    held = '{"name":"push_files","args":{"files":[{"content":"' + "<td>error</td>" * 400 + '"}]}}'
    said = '"content":[{"type":"text","text":"409: the repository is empty"}],"isError":true'
    answer = f'[{{"functionResponse":{{"name":"push_files","response":{{{said}}}}}}}]'
    text = f"MCP tool 'push_files' reported tool error for function call: {held} with response: {answer}"
    (told,) = errors_of(("push_files", {"branch": "main"}, text))
    assert told == "409: the repository is empty — from `push_files`; not seen resolved"


def test_tests_behind_cd_are_named_with_their_folder():
    step = ("Bash", {"command": "cd apps/shop; python test_cart.py --fast"}, f"Exit code 1\n{FAILED}", True)
    (told,) = errors_of(step)
    assert "from `cd apps/shop; python test_cart.py --fast`" in told
    other = ("Bash", {"command": "cd apps/bank; python test_cart.py --fast"}, "2 passed in 0.1s")
    (told,) = errors_of(step, other)
    assert told.endswith("not seen resolved"), "other tests"


def background(*ends):
    run = {"command": "python fetch.py", "run_in_background": True}
    started = exchange(1, "Bash", run, "Command running in background with ID: bk12. Output is being written")
    watched = exchange(2, "Monitor", {"command": "python watch.py"}, "Monitor started (task mo34, timeout 9ms).")
    tests = exchange(3, *PYTEST, "3 passed in 0.1s")
    artifacts, places = read(parse_messages([*started, *watched, *tests, *ends]))
    return command_lines(artifacts, "en", places)


def test_what_runs_in_the_background_stands_last_until_its_end_is_told():
    assert background()[-1] == "`python watch.py` → still running when last heard of"
    assert background()[0] == "`python fetch.py` → still running when last heard of"
    notice = "<task-notification>\n<task-id>{}</task-id>\n<status>{}</status>\n</task-notification>"
    told = [{"role": "user", "content": notice.format("bk12", "completed")}]
    assert background(*told)[0] == "`python fetch.py` → ok"
    told = [{"role": "user", "content": notice.format("bk12", "failed")}]
    assert background(*told)[0] == "`python fetch.py` → failed"
    stopped = exchange(4, "TaskStop", {"task_id": "mo34"}, "stopped")
    assert background(*stopped)[0] == "`python watch.py` → stopped while it ran"
    assert background(*stopped)[-1] == "`python fetch.py` → still running when last heard of"
    missed = exchange(4, "KillShell", {"shell_id": "bk12"}, "Shell bk12 is not running", is_error=True)
    assert background(*missed)[0] == "`python fetch.py`"


ENDED = "<status>{}</status>\n\n<exit_code>{}</exit_code>\n\n<stdout>\n{}\n</stdout>"
RETRIEVED = "<retrieval_status>success</retrieval_status>\n\n<task_id>bk12</task_id>\n\n"
UNKNOWN = "→ still running when last heard of"


@pytest.mark.parametrize(
    ("tool", "key", "output", "line"),
    [
        ("BashOutput", "bash_id", ENDED.format("completed", 0, "fetched"), "→ ok"),
        (
            "BashOutput",
            "bash_id",
            ENDED.format("failed", 2, "error: the quay is closed"),
            "→ failed (exit code 2): error: the quay is closed",
        ),
        (
            "TaskOutput",
            "task_id",
            RETRIEVED + ENDED.format("failed", 1, "1 failed, 4 passed in 2.1s"),
            "→ 4 passed, 1 failed, 0 errors, 0 skipped",
        ),
        (
            "BashOutput",
            "bash_id",
            "<status>killed</status>\n\n<stdout>\nfetching</stdout>",
            "→ stopped while it ran",
        ),
        ("KillShell", "shell_id", "Successfully killed shell: bk12", "→ stopped while it ran"),
        ("BashOutput", "bash_id", "<status>running</status>\n\n<stdout>\nexit code: 3", UNKNOWN),
        ("Read", "bash_id", "fetch <status>failed</status>", UNKNOWN),
    ],
)
def test_a_question_for_what_runs_in_the_background_tells_how_it_ended(tool, key, output, line):
    (told,) = [one for one in background(*exchange(4, tool, {key: "bk12"}, output)) if "fetch.py" in one]
    assert told == f"`python fetch.py` {line}"
    other = background(*exchange(4, tool, {key: "zz99"}, output))
    assert "`python fetch.py` → still running when last heard of" in other


def test_a_failure_in_the_background_is_an_error_until_the_same_succeeds():
    run = (
        "Bash",
        {"command": "make chart", "run_in_background": True},
        "Command running in background with ID: bk7",
    )
    failed = "<status>failed</status>\n<exit_code>2</exit_code>\n<stderr>\nerror: no soundings\n</stderr>"
    poll = ("BashOutput", {"bash_id": "bk7"}, failed)
    assert errors_of(run, poll) == ("error: no soundings — from `make chart`; not seen resolved",)
    (line,) = errors_of(run, poll, ("Bash", {"command": "make chart"}, "Exit code: 0"))
    assert line.endswith("resolved: repeating it succeeded")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("npm ls --all | rg left-pad", "ended without output (exit code 1)"),
        ("make build | tee log.txt", "failed (exit code 1)"),
        ("rg left-pad notes.txt && make report", "failed (exit code 1)"),
    ],
)
def test_a_search_at_the_end_of_a_pipe_that_finds_nothing_has_not_failed(command, told):
    artifacts, places = read(history(("Bash", {"command": command}, "Exit code: 1", True)))
    (line,) = command_lines(artifacts, "en", places)
    assert line == f"`{command}` → {told}"
    assert error_lines(artifacts, "en", places) == () or "failed" in told


def test_a_file_that_was_read_and_then_written_anew_was_edited():
    write = ("Write", {"file_path": "app/port.py", "content": "PORT = 4\n"}, "ok")
    artifacts, _ = read(history(READ, write))
    assert file_lines(artifacts, "en") == ("app/port.py — edited; defines PORT",)
    artifacts, _ = read(history(write, write))
    assert file_lines(artifacts, "en") == ("app/port.py — created; defines PORT",)


@pytest.mark.parametrize(("path", "stale"), [("docs/review.md", False), ("app/port.py", True)])
def test_a_document_that_was_written_makes_no_check_out_of_date(path, stale):
    write = ("Write", {"file_path": path, "content": "PORT = 4\n"}, "ok")
    artifacts, places = read(history((*PYTEST, "3 passed in 0.1s"), write))
    (line,) = command_lines(artifacts, "en", places)
    assert ("files were edited after this run" in line) is stale


@pytest.mark.parametrize(
    ("command", "output", "stale"),
    [
        ("git reset --hard HEAD~2", "HEAD is now at 1a2b3c4", True),
        ("git revert --no-edit HEAD", "1 file changed", True),
        ("cd harbour && git stash", "Saved working directory", True),
        ("git stash pop", "Dropped refs/stash@{0}", True),
        ("git merge origin/main", "Updating 1a2b3c4..5d6e7f8", True),
        ("git merge quay", "CONFLICT (content): Merge conflict in pier.py\nAutomatic merge failed", True),
        ("git pull --rebase", "Updating 1a2b3c4..5d6e7f8", True),
        ("git rebase main", "Successfully rebased and updated refs/heads/quay.", True),
        ("git checkout main", "Switched to branch 'main'\nYour branch is up to date with 'origin/main'.", True),
        ("git checkout pier.py", "Updated 1 path from the index", True),
        ("git switch main", "Switched to branch 'main'", True),
        ("git pull", "Already up to date.", False),
        ("git rebase main", "Current branch quay is up to date.", False),
        ("git stash", "No local changes to save", False),
        ("git checkout main", "Already on 'main'", False),
        ("git checkout pear", "error: pathspec 'pear' did not match any file(s) known to git", False),
        ("git checkout -b pier", "Switched to a new branch 'pier'", False),
        ("git switch -c pier", "Switched to a new branch 'pier'", False),
        ("git stash list", "stash@{0}: WIP on main", False),
        ("git reset HEAD pier.py", "", False),
        ("git restore --staged pier.py", "", False),
        ("git merge-base main quay", "1a2b3c4", False),
        ("git commit -m 'git pull --rebase is the way'", "1 file changed", False),
        ("git log --merges", "", False),
        ("cat > NOTES.md <<'E'\ngit pull\nE", "", False),
    ],
)
def test_what_git_changes_in_the_tree_makes_checks_out_of_date(command, output, stale):
    artifacts, places = read(history((*PYTEST, "3 passed in 0.1s"), ("Bash", {"command": command}, output)))
    line = next(one for one in command_lines(artifacts, "en", places) if "pytest" in one)
    assert ("files were edited after this run" in line) is stale
    again = ("Bash", {"command": command}, output), (*PYTEST, "3 passed in 0.1s")
    artifacts, places = read(history(*again))
    line = next(one for one in command_lines(artifacts, "en", places) if "pytest" in one)
    assert "files were edited after this run" not in line
