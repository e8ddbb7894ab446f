"""The trail of files, commands, tests, git, addresses and plans, as a fold over the messages."""

from __future__ import annotations

import json

import pytest

from condense.reading.calls import ToolAction as Do, ToolRow
from condense.reading.shell import Purpose
from condense.reading.trail.collecting import collect_artifacts
from condense.reading.trail.trails import PlanStatus
from tests.tool_exchanges import call, conversation, exchange, result


def trail(*parts, **rest):
    return collect_artifacts(conversation(*parts), **rest)


def test_what_became_of_each_file():
    a = trail(
        exchange("Read", {"file_path": "/r/read.py"}, "1\tx"),
        exchange("Write", {"file_path": "/r/new.py", "content": "class A:\n    pass\n"}, "File created"),
        exchange("Edit", {"file_path": "/r/new.py", "old_string": "class A:", "new_string": "class B:"}, "updated"),
        exchange("Read", {"file_path": "/r/old.py"}, "1\tx"),
        exchange("Write", {"file_path": "/r/old.py", "content": "x = 1\n"}, "File written"),
        exchange("Bash", {"command": "rm /r/gone.py"}, ""),
        exchange("Edit", {"file_path": "/r/no.py", "old_string": "a", "new_string": "b"},
                 "<tool_use_error>String to replace not found</tool_use_error>", is_error=True),
    )  # fmt: skip
    assert {f.path: f.state for f in a.files} == {
        "/r/read.py": Do.READ, "/r/new.py": Do.CREATE, "/r/old.py": Do.EDIT, "/r/gone.py": Do.DELETE,
        "/r/no.py": Do.READ,
    }  # fmt: skip
    assert [f.path for f in a.changed] == ["/r/new.py", "/r/old.py", "/r/gone.py"]
    (new,) = [f for f in a.files if f.path == "/r/new.py"]
    assert new.names == ("B",)
    assert new.count(Do.EDIT) == 1
    failed = a.files[-1].last
    assert failed.outcome.failed
    assert "String to replace not found" in failed.outcome.error


def test_one_file_under_several_spellings_is_one_trail():
    a = trail(
        exchange("shell_command", {"command": "cat src/a.py", "workdir": "/r"}, "Exit code: 0\nOutput:\nx"),
        exchange("apply_patch", "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch", "ok"),
        exchange("Read", {"file_path": "/r/src/a.py"}, "y"),
        exchange("Bash", {"command": "cd /r && head -3 ./src/a.py"}, "y"),
        exchange("Read", {"file_path": "/r/lib/src/a.py"}, "z"),
    )
    assert [(f.key, len(f.operations)) for f in a.files] == [("/r/src/a.py", 4), ("/r/lib/src/a.py", 1)]


def test_a_relative_path_is_recognised_when_its_absolute_one_appears():
    a = trail(
        exchange("apply_patch", "*** Begin Patch\n*** Add File: src/a.py\n+x\n*** End Patch", "ok"),
        exchange("Read", {"file_path": "C:\\app\\src\\a.py"}, "x"),
        exchange("Bash", {"command": "cat ~/n.md"}, "x"),
        exchange("Read", {"file_path": "/home/me/n.md"}, "x"),
    )
    assert [(f.path, f.key, len(f.operations)) for f in a.files] == [
        ("src/a.py", "c:/app/src/a.py", 2),
        ("~/n.md", "~/n.md", 2),
    ]


def test_files_of_the_same_name_stay_apart():
    a = trail(
        exchange("Read", {"file_path": "/r/web/README.md"}, "x"),
        exchange("Bash", {"command": "cat README.md"}, "y"),
    )
    assert len(a.files) == 2


def test_moved_files_leave_one_trail_and_begin_another():
    a = trail(exchange("Bash", {"command": "git mv a.py b.py"}, ""))
    old, new = a.files
    assert (old.state, old.last.moved_to, new.path, new.state) == (Do.DELETE, "b.py", "b.py", Do.CREATE)


@pytest.mark.parametrize(
    ("name", "arguments", "text", "is_error", "expected"),
    [
        ("shell_command", {"command": "make"}, "Exit code: 2\nWall time: 1 s\nOutput:\nmake: *** [all] Error 2", False,
         (2, True, "make: *** [all] Error 2")),
        ("exec_command", {"cmd": "make"}, "Chunk ID: 1\nProcess exited with code 0\nOutput:\nok", False,
         (0, False, "")),
        ("shell", {"command": ["make"]}, json.dumps({"output": "x: error: y\n", "metadata": {"exit_code": 1}},
                                                    separators=(",", ":")), False, (1, True, "x: error: y")),
        ("Bash", {"command": "make"}, "Exit code 127\nmake: command not found", True,
         (127, True, "make: command not found")),
        ("Bash", {"command": "make"}, "all fine", False, (None, None, "")),
        ("Bash", {"command": "python a.py"},
         "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'", True,
         (None, True, "KeyError: 'x'")),
        ("bash", {"command": "javac A.java"}, "/bin/bash: line 3: javac: command not found\nbash-$", False,
         (None, True, "/bin/bash: line 3: javac: command not found")),
        ("execute_command", {"command": "make"},
         "[execute_command for 'make'] Result:\nCommand executed.\nExit code: 1\nOutput:\nerror: no rule", False,
         (1, True, "error: no rule")),
    ],
)  # fmt: skip
def test_how_a_command_ended(name, arguments, text, is_error, expected):
    (command,) = trail(exchange(name, arguments, text, is_error=is_error)).commands
    assert (command.outcome.exit_code, command.outcome.failed, command.outcome.error) == expected
    assert command.failures == bool(expected[1])


def test_of_a_long_error_the_cause_at_its_end_is_kept():
    call = 'Error: push_files({"files": [' + '{"path": "src/part.py", "content": "x"}, ' * 40
    text = call + "]}): 409 the repository is empty"
    (command,) = trail(exchange("Bash", {"command": "push"}, text, is_error=True)).commands
    error = command.outcome.error
    assert error.startswith("Error: push_files(")
    assert error.endswith("409 the repository is empty")
    assert len(error) <= 400


_TRACE = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    go()\nKeyError: 'x'\n"


@pytest.mark.parametrize(
    ("command", "text", "error"),
    [
        ("./mvnw install", "Error: JAVA_HOME is not set.\n  We cannot go on", "Error: JAVA_HOME is not set."),
        ("gcc -o a", "gcc: fatal error: no input files", "gcc: fatal error: no input files"),
        ("git -C shop pull", "remote: hello\nfatal: not a git repository", "fatal: not a git repository"),
        ("python a.py", f"starting\n{_TRACE}(Open file: a.py)\nbash-$", "KeyError: 'x'"),
        ("cargo check", "  Checking shop v0.1\nerror[E0599]: no method `go`\n", "error[E0599]: no method `go`"),
        ("cargo check", "  Checking shop v0.1\nerror: expected `;`\n  --> src/main.rs:3:1\n", "error: expected `;`"),
        ("javac A.java", "A.java:3: error: ';' expected\n1 error", "A.java:3: error: ';' expected"),
    ],
)  # fmt: skip
def test_a_command_without_an_exit_code_that_ends_in_an_error_failed(command, text, error):
    (found,) = trail(exchange("Bash", {"command": command}, text)).commands
    assert (found.outcome.failed, found.outcome.error) == (True, error)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("cat build.log", "error: no rule to make target\n" + _TRACE),
        ("grep -n error: build.log", "A.java:3: error: ';' expected"),
        ("python fit.py", "Error: 0.0312\nepoch 2\nError: 0.0298"),
        ("python serve.py", _TRACE + "retrying\nconnected\nserving\nrequest 1\nrequest 2\nbye"),
        ("python check.py", "ERROR:root:slow reply\nall fine"),
        ("python check.py", "error: none"),
        ("python sync.py", "Error: 12% done"),
        ("cargo build", "  Compiling quick-error v1.2.3\n  Finished in 2 s"),
    ],
)  # fmt: skip
def test_errors_that_are_shown_measured_or_lived_through_are_no_failure(command, text):
    (found,) = trail(exchange("Bash", {"command": command}, text)).commands
    assert found.outcome.failed is None


def test_a_command_run_again_keeps_its_newest_outcome():
    a = trail(
        exchange("Bash", {"command": "make all"}, "Exit code 2\nmake: *** Error 2", is_error=True),
        exchange("Bash", {"command": "make all"}, "done"),
        exchange("Bash", {"command": "ls"}, "a"),
    )
    make, ls = a.commands
    assert (make.runs, make.failures, make.outcome.failed, make.purpose) == (2, 1, None, Purpose.BUILD)
    assert (make.looks_only, ls.looks_only) == (False, True)


_UNLIKE = "[apply_diff for 'a.py'] Result:\n<error_details>\nNo sufficiently similar match found\n\nDebug Info:"
_SAVED = (
    "<file_write_result>\n<path>a.ts</path>\n<problems>New problems detected after saving the file:\na.ts\n"
    "- [ts Error] 1 | import x from 'x' : Cannot find module 'x'\n- [ts Error] 2 | y : Cannot find name 'y'</problems>"
)


def test_an_edit_that_found_no_place_failed_until_a_later_one_did():
    failed = exchange("apply_diff", {"path": "a.py", "diff": "x"}, _UNLIKE)
    (error,) = trail(failed).errors
    assert (error.line, error.resolved) == ("No sufficiently similar match found", False)
    assert not any(o.happened for f in trail(failed).files for o in f.operations)


def test_problems_that_an_editor_reports_stay_until_the_file_is_saved_without():
    first = exchange("write_to_file", {"path": "a.ts", "content": "x"}, _SAVED)
    (error,) = trail(first).errors
    assert (error.line, error.subject, error.resolved) == (
        "[ts Error] 1 | import x from 'x' : Cannot find module 'x'",
        "a.ts",
        False,
    )
    assert trail(first).files[0].operations[0].happened
    other = exchange("write_to_file", {"path": "b.ts", "content": "x"}, "<file_write_result>ok")
    assert not trail(first + other).errors[0].resolved
    elsewhere = exchange("write_to_file", {"path": "b.ts", "content": "x"}, _SAVED)
    assert trail(elsewhere).errors[0].subject == "a.ts"
    mended = exchange("apply_diff", {"path": "a.ts", "diff": "x"}, "<file_write_result>ok")
    assert trail(first + mended).errors[0].resolved


def test_a_refusal_is_one_however_much_the_client_adds():
    text = "[execute_command for 'make'] Result:\nThe user denied this operation and provided the following feedback:\n"
    more = "<feedback>\nnot now\n</feedback>\n<file_content>\n" + "line\n" * 1000
    (command,) = trail(exchange("execute_command", {"command": "make"}, text + more)).commands
    assert (command.outcome.refused, command.outcome.failed) == (True, True)
    (command,) = trail(exchange("execute_command", {"command": "cat a"}, "The user manual\n" + more)).commands
    assert not command.outcome.refused


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("MCP error -32603: Conflict: Repository is empty.", "MCP error -32603: Conflict: Repository is empty."),
        ('{"tool": "push", "result": "{\\"error\\":\\"MCP error -32603: Gone\\"}"}', "MCP error -32603: Gone"),
        ("Request failed with status code 303", "Request failed with status code 303"),
    ],
)  # fmt: skip
def test_errors_of_servers_are_errors_however_they_are_wrapped(text, line):
    (error,) = trail(exchange("push_files", {"repo": "shop"}, text)).errors
    assert error.line == line
    echoed = "Tool use: push_files\n" + "a line of a file that is pushed\n" * 300 + text
    if line in text and line.startswith("MCP"):
        assert trail(exchange("push_files", {"repo": "shop"}, echoed)).errors[0].line == line


def test_an_entry_of_a_list_that_failed_is_no_failure_of_the_call():
    listed = '[{"name": "nightly", "success": false}, {"name": "weekly", "success": true}]'
    assert not trail(exchange("sync_jobs", {"repo": "shop"}, listed)).errors
    said = '[sync_jobs] Result:\n{"success": false, "error": "no such repository"}'
    (error,) = trail(exchange("sync_jobs", {"repo": "shop"}, said)).errors
    assert "no such repository" in error.line


def test_a_tool_that_reads_may_reply_that_it_could_not():
    failed = exchange("get_page_overview", {"page": "1"}, '{"status":"error","error":"429 - Rate limit exceeded"}')
    (error,) = trail(failed).errors
    assert "429" in error.line


def test_what_a_look_found_before_it_failed_is_no_error():
    looked = exchange(
        "Bash", {"command": "which cargo && which anchor"}, "Exit code 1\n/usr/bin/cargo", is_error=True
    )
    assert trail(looked).errors == ()
    assert trail(looked).commands[0].outcome.failed
    missed = exchange(
        "Bash", {"command": "cat a.py"}, "Exit code 1\ncat: a.py: No such file or directory", is_error=True
    )
    assert trail(missed).errors[0].line == "cat: a.py: No such file or directory"


def test_a_refusal_is_no_failed_run():
    failed = exchange("execute_command", {"command": "make"}, "Exit code: 2\nmake: *** [all] Error 2")
    (command,) = trail(
        failed + exchange("execute_command", {"command": "make"}, "The user denied this operation.")
    ).commands
    assert (command.runs, command.failures, command.outcome.refused) == (2, 1, True)


def test_a_refused_call_did_not_happen():
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    a = trail(
        exchange("Write", {"file_path": "a.py", "content": "x"}, text, is_error=True),
        exchange("Bash", {"command": "rm b.py"}, text, is_error=True),
    )
    assert a.changed == ()
    assert all(f.last.outcome.refused for f in a.files)


def test_a_command_that_goes_on_ends_when_its_session_says_so():
    a = trail(
        exchange("exec_command", {"cmd": "cargo test"}, "Process running with session ID 41\nOutput:\n"),
        exchange("write_stdin", {"session_id": 41, "chars": ""}, "Process running with session ID 41\nOutput:\n..."),
        exchange("write_stdin", {"session_id": 41, "chars": ""},
                 "Process exited with code 101\nOutput:\ntest a::b ... FAILED\n\n"
                 "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured"),
    )  # fmt: skip
    (command,) = a.commands
    assert (command.outcome.exit_code, command.outcome.failed, command.failures) == (101, True, 1)
    (tests,) = a.tests
    assert (tests.runs, tests.tally.failed, tests.tally.failing) == (1, 1, ("a::b",))


@pytest.mark.parametrize(("opened", "shell"), [("bash -l", True), ("sudo bash", True), ("python3", False)])
def test_what_is_typed_into_an_open_session_is_not_still_running(opened, shell):
    going = "Process running with session ID 7\nOutput:\n"
    a = trail(
        exchange("exec_command", {"cmd": opened}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "cat notes.txt\n"}, going + "one"),
        exchange("write_stdin", {"session_id": 7, "chars": "git commit -m 'feat: one'\n"}, going + "[main 1]"),
    )
    assert [c.outcome.running for c in a.commands] == [True, *([False, False] if shell else [])]
    assert [c.looks_only for c in a.commands[1:2]] == ([True] if shell else [])


def test_tests_and_whole_paths_that_are_typed_into_an_open_shell_are_seen():
    going = "Process running with session ID 7\nOutput:\n"
    a = trail(
        exchange("exec_command", {"cmd": "bash"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "pytest -q\n"}, going + "1 failed, 2 passed in 0.1s"),
        exchange("write_stdin", {"session_id": 7, "chars": "rm /srv/notes.txt && touch b.txt\n"}, going),
    )
    assert [(t.command, t.tally.failed) for t in a.tests] == [("pytest -q", 1)]
    assert [f.path for f in a.changed] == ["/srv/notes.txt"]


def test_a_test_command_counts_its_runs_and_keeps_the_newest_tally():
    a = trail(
        exchange("Bash", {"command": "cd /r && pytest -q 2>&1 | tail -3"},
                 "FAILED t.py::test_a - x\n1 failed, 4 passed in 0.1s"),
        exchange("Bash", {"command": "pytest -q | tail"}, "5 passed in 0.1s"),
        exchange("Bash", {"command": "grep -n passed log.txt"}, "3: 7 passed in 0.1s"),
    )  # fmt: skip
    (tests,) = a.tests
    assert (tests.command, tests.runs, tests.tally.passed) == ("pytest -q", 2, 5)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("TodoWrite", {"todos": [{"content": "one", "status": "completed", "activeForm": "x"},
                                 {"content": "two", "status": "in_progress"},
                                 {"content": "three", "status": "pending"}]}),
        ("update_plan", {"plan": [{"step": "one", "status": "completed"}, {"step": "two", "status": "in_progress"},
                                  {"step": "three", "status": "pending"}]}),
        ("update_todo_list", {"todos": "[x] one\n[-] two\n[ ] three"}),
        ("write_todos", {"todos": [{"description": "one", "status": "completed"},
                                   {"description": "two", "status": "in_progress"}, {"description": "three"}]}),
    ],
)  # fmt: skip
def test_the_newest_plan(name, arguments):
    old = exchange("update_plan", {"plan": [{"step": "older", "status": "pending"}]}, "Plan updated")
    a = trail(old, exchange(name, arguments, "ok"))
    assert [(p.text, p.status) for p in a.plan] == [
        ("one", PlanStatus.COMPLETED),
        ("two", PlanStatus.IN_PROGRESS),
        ("three", PlanStatus.PENDING),
    ]
    assert a.plan_at is not None


def test_single_tasks_make_a_plan_and_a_merge_keeps_the_others():
    a = trail(
        exchange("TaskCreate", {"subject": "one", "description": "d"}, "Task #1 created successfully: one"),
        exchange("TaskCreate", {"subject": "two"}, "Task #2 created successfully: two"),
        exchange("TaskUpdate", {"taskId": "2", "status": "completed"}, "Updated task #2"),
    )
    assert [(p.text, p.status.value) for p in a.plan] == [("one", "pending"), ("two", "completed")]
    todos = [
        {"id": "a", "content": "one", "status": "pending"},
        {"id": "b", "content": "two", "status": "pending"},
    ]
    a = trail(
        exchange("todo_write", {"merge": False, "todos": todos}, "ok"),
        exchange(
            "todo_write",
            {"merge": True, "todos": [{"id": "b", "content": "two", "status": "completed"}]},
            "ok",
        ),
    )
    assert [(p.id, p.status.value) for p in a.plan] == [("a", "pending"), ("b", "completed")]


def test_calls_without_a_result_are_open_then_given_up():
    lost = call("Write", {"file_path": "lost.py", "content": "x"})
    last = call("Bash", {"command": "rm later.py"})
    a = trail([lost, {"role": "user", "content": "go on"}], exchange("Read", {"file_path": "a.py"}, "x"), [last])
    assert [f.path for f in a.files] == ["lost.py", "a.py"]
    assert a.files[0].last.outcome.failed is None


def test_parallel_calls_find_their_own_results():
    one = call("Bash", {"command": "false"}, call_id="one")
    two = call("Bash", {"command": "true"}, call_id="two")
    a = trail([one, two, result(two, "Exit code: 0"), result(one, "Exit code: 1")])
    assert {c.command: c.outcome.exit_code for c in a.commands} == {"false": 1, "true": 0}


def test_a_user_can_teach_the_trail_a_tool():
    tools = {"frob": ToolRow(Do.CREATE, paths=("where",), new=("what",))}
    part = exchange("frob", {"where": "a.py", "what": "def f(): pass"}, "ok")
    assert trail(part).files == ()
    (made,) = trail(part, tools=tools).files
    assert (made.state, made.names) == (Do.CREATE, ("f",))


PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("shell", {"command": ["bash", "-lc", PATCH]}), ("exec_command", {"cmd": PATCH})],
)
def test_a_patch_that_was_given_to_a_shell_is_an_attempt_to_edit_its_files(name, arguments):
    failed = "Process exited with code 127\nOutput:\nbash: line 2: src/a.py: command not found"
    a = trail(exchange(name, arguments, failed))
    assert a.commands == ()
    (file,) = a.files
    assert (file.path, file.last.action, file.last.happened) == ("src/a.py", Do.EDIT, False)
    assert not a.changed
    assert [error.resolved for error in a.errors] == [False]
    again = trail(exchange(name, arguments, failed), exchange("apply_patch", PATCH, "Success. Updated: src/a.py"))
    assert [file.path for file in again.changed] == ["src/a.py"]
    assert [error.resolved for error in again.errors] == [True]


def test_what_is_typed_into_a_program_is_no_command_and_who_stops_one_has_not_failed():
    going = "Process running with session ID 7\nOutput:\n[sudo] password for ann:"
    ended = "Process exited with code 130\nOutput:\n^C"
    a = trail(
        exchange("exec_command", {"cmd": "sudo ./walk"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "hunter2\n"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "\u0003"}, ended),
    )
    (command,) = a.commands
    assert (command.command, command.outcome.failed, command.failures) == ("sudo ./walk", None, 0)
    assert a.errors == ()
    told = "Process exited with code 1\nOutput:\nError: Cannot find module 'x'"
    again = trail(
        exchange("exec_command", {"cmd": "npm start"}, told),
        exchange("exec_command", {"cmd": "npm start"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "\u0003"}, told),
    )
    assert [error.resolved for error in again.errors] == [False]
    shell = trail(
        exchange("exec_command", {"cmd": "bash"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "grep '^CFLAGS' Makefile; make; exit\n"}, told),
    )
    assert [error.subject for error in shell.errors] == ["grep '^CFLAGS' Makefile; make; exit"]
    broken = "Process exited with code 1\nOutput:\nError: Socket init failed."
    b = trail(
        exchange("exec_command", {"cmd": "sudo ./walk"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": "hunter2\n"}, broken),
    )
    assert [(error.subject, error.line) for error in b.errors] == [("sudo ./walk", "Error: Socket init failed.")]


@pytest.mark.parametrize("command", ["rg -n nowhere src", "pgrep -a walk", "test -f a.txt"])
def test_a_search_without_a_match_has_not_failed(command):
    a = trail(exchange("exec_command", {"cmd": command}, "Process exited with code 1\nOutput:\n"))
    assert [(c.outcome.exit_code, c.outcome.failed) for c in a.commands] == [(1, None)]
    assert a.errors == ()
    told = "Process exited with code 1\nOutput:\nerror: bad pattern"
    b = trail(exchange("exec_command", {"cmd": command}, told))
    assert b.commands[0].outcome.failed


REFUSED = (
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully.\n\n"
    "ERRORS:\n- F821 x\n\n(Open file: /src/a.py)\n(Current directory: /src)\nbash-$"
)
ADDED = "*** Begin Patch\n*** Add File: src/a.py\n+y\n*** End Patch"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"command": "edit 1:1\nimport x\nend_of_edit"}, REFUSED),
        (
            {"command": ["apply_patch", PATCH]},
            "apply_patch verification failed: Failed to find expected lines",
        ),
        ({"command": ADDED}, "Exit code: 127\nOutput:\nsrc/a.py: not found"),
    ],
)
def test_an_edit_by_a_shell_that_failed_did_not_happen_however_it_is_told(arguments, answer):
    a = trail(exchange("bash", arguments, answer))
    changes = [o for f in a.files for o in f.operations if o.action in (Do.EDIT, Do.CREATE)]
    assert [o.happened for o in changes] == [False]


def test_a_search_that_went_on_in_a_session_is_judged_as_a_search():
    going = "Process running with session ID 7\nOutput:\n"
    ended = "Process exited with code 1\nOutput:\n"
    a = trail(
        exchange("exec_command", {"cmd": "rg --files /usr/lib"}, going),
        exchange("write_stdin", {"session_id": 7, "chars": ""}, ended),
    )
    assert a.errors == ()
    assert [(c.outcome.exit_code, c.outcome.failed) for c in a.commands] == [(1, None)]
