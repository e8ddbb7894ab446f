"""What tool calls of the known agents say: action, paths, texts, lines; and names nobody has told us."""

from __future__ import annotations

import json

import pytest
from examples import examples
from hypothesis import given, strategies as st

from condense.reading.calls import LAST_LINE, ToolAction as Do, ToolRow, read_call, row_of

PATCH = """*** Begin Patch
*** Add File: docs/new.md
+# New
+text
*** Update File: src/old.py
*** Move to: src/moved.py
@@ def f():
-    return 1
+    return 2
*** Delete File: gone.py
*** End Patch"""


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("Read", Do.READ), ("mcp__files__read_text_file", Do.READ), ("get_file_contents", Do.READ),
        ("Grep", Do.SEARCH), ("codebase_search", Do.SEARCH), ("Glob", Do.LIST), ("list_dir", Do.LIST),
        ("Write", Do.CREATE), ("write_to_file", Do.CREATE), ("Edit", Do.EDIT), ("MultiEdit", Do.EDIT),
        ("NotebookEdit", Do.EDIT), ("search_replace", Do.EDIT), ("delete_file", Do.DELETE),
        ("Bash", Do.RUN), ("exec_command", Do.RUN), ("run_terminal_cmd", Do.RUN), ("execute_bash", Do.RUN),
        ("mcp_windows-mcp_Powershell-Tool", Do.RUN), ("WebFetch", Do.FETCH), ("google_web_search", Do.FETCH),
        ("TodoWrite", Do.PLAN), ("update_plan", Do.PLAN), ("TaskUpdate", Do.PLAN),
        ("ask_followup_question", Do.ASK), ("Task", Do.DELEGATE), ("attempt_completion", Do.ANSWER),
        ("Skill", Do.OTHER), ("mcp__tracker__create_issue", Do.OTHER), ("my_search_tool", Do.SEARCH),
        ("listProjectFiles", Do.LIST), ("createNewFile", Do.CREATE), ("runShellScriptCommand", Do.RUN),
        ("zzz", Do.OTHER), ("", Do.OTHER),
    ],
)  # fmt: skip
def test_names_say_what_tools_do(name, action):
    assert row_of(name).action is action


def test_a_user_can_teach_a_name():
    tools = {"frobnicate": ToolRow(Do.EDIT, paths=("where",), new=("what",))}
    assert row_of("frobnicate").action is Do.OTHER
    (use,) = read_call("mcp__x__Frobnicate", {"where": "a.py", "what": "new"}, tools=tools)
    assert (use.action, use.paths, use.new) == (Do.EDIT, ("a.py",), "new")


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("Read", {"file_path": "/a/b.py"}, (Do.READ, ("/a/b.py",), None)),
        ("Read", {"file_path": "/a/b.py", "offset": 20, "limit": 10}, (Do.READ, ("/a/b.py",), (20, 29))),
        ("Read", {"file_path": "/a/b.py", "limit": 10}, (Do.READ, ("/a/b.py",), (1, 10))),
        ("read_file", {"target_file": "a.py", "start_line_one_indexed": 3, "end_line_one_indexed_inclusive": 9},
         (Do.READ, ("a.py",), (3, 9))),
        ("read_file", {"absolute_path": "/a.py", "offset": "5"}, (Do.READ, ("/a.py",), (5, LAST_LINE))),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a.py", "view_range": [4, -1]},
         (Do.READ, ("a.py",), (4, LAST_LINE))),
        ("str_replace_editor", {"command": "create", "path": "a.py", "file_text": "x"}, (Do.CREATE, ("a.py",), None)),
        ("str_replace_editor", {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"},
         (Do.EDIT, ("a.py",), None)),
        ("Write", '{"file_path": "a.py", "content": "x"}', (Do.CREATE, ("a.py",), None)),
        ("list_files", {"path": "src", "recursive": "true"}, (Do.LIST, ("src",), None)),
        ("delete_file", {"path": "a.py"}, (Do.DELETE, ("a.py",), None)),
        ("view_image", {"path": "a.png"}, (Do.READ, ("a.png",), None)),
    ],
)  # fmt: skip
def test_calls_about_files(name, arguments, expected):
    (use,) = read_call(name, arguments)
    assert (use.action, use.paths, use.lines) == expected


def test_edits_tell_old_and_new_text():
    (use,) = read_call("Edit", {"file_path": "a", "old_string": "one", "new_string": "two"})
    assert (use.old, use.new) == ("one", "two")
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    (use,) = read_call("MultiEdit", {"file_path": "a", "edits": edits})
    assert (use.old, use.new) == ("a\nc", "b\nd")
    diff = "<<<<<<< SEARCH\n:start_line:7\n-------\nold line\n=======\nnew line\nand more\n>>>>>>> REPLACE"
    (use,) = read_call("apply_diff", {"path": "a.py", "diff": diff})
    assert (use.paths, use.old, use.new) == (("a.py",), "old line", "new line\nand more")


def test_several_files_in_one_call():
    packed = "\n<file><path>a.py</path></file>\n<file><path>b.py</path><line_range>3-9</line_range></file>\n"
    uses = read_call("read_file", {"args": packed})
    assert [(u.paths, u.lines) for u in uses] == [(("a.py",), None), (("b.py",), (3, 9))]
    uses = read_call("read_many_files", {"paths": ["a.py", "b.py"]})
    assert [u.paths for u in uses] == [("a.py",), ("b.py",)]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("apply_patch", {"input": PATCH}),
        ("apply_patch", PATCH),
        ("shell", {"command": ["apply_patch", PATCH]}),
        (
            "exec",
            {"input": "const patch = " + json.dumps(PATCH) + ";\ntext(await tools.apply_patch(patch));"},
        ),
        ("exec", {"input": "await tools.apply_patch(`" + PATCH + "`)"}),
    ],
)
def test_a_patch_is_one_use_for_each_file(name, arguments):
    uses = read_call(name, arguments)
    assert [(u.action, u.paths[0], u.moved_to) for u in uses] == [
        (Do.CREATE, "docs/new.md", None),
        (Do.EDIT, "src/old.py", "src/moved.py"),
        (Do.DELETE, "gone.py", None),
    ]
    assert (uses[0].new, uses[1].old, uses[1].new) == ("# New\ntext", "    return 1", "    return 2")


@pytest.mark.parametrize(
    ("name", "arguments", "command", "workdir"),
    [
        ("Bash", {"command": "ls -la", "description": "look"}, "ls -la", None),
        ("shell", {"command": ["bash", "-lc", "ls | wc -l"], "workdir": "/srv"}, "ls | wc -l", "/srv"),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'", None),
        ("exec_command", {"cmd": "make", "workdir": "/srv"}, "make", "/srv"),
        ("local_shell_call", {"action": {"command": ["pwsh", "-Command", "ls"], "working_directory": "/w"}},
         "ls", "/w"),
        ("shell", {"command": ["pwsh", "-NoProfile", "-File", "check.ps1", "-All"]}, "check.ps1 -All", None),
        ("shell", {"command": ["cmd.exe", "/d", "/c", "dir", "/b"]}, "dir /b", None),
        ("shell", {"command": ["bash", "-o", "pipefail", "-c", "ls | wc -l", "name"]}, "ls | wc -l", None),
        ("shell", {"command": ["bash", "build.sh", "-c", "all of it"]}, "bash build.sh -c 'all of it'", None),
        ("shell", {"command": ["powershell", "-Exec", "Bypass", "-nop", "-Command", "Get-Date"]}, "Get-Date", None),
        ("shell", {"command": ["pwsh", "-c", "Get-Content", "a.txt"]}, "Get-Content a.txt", None),
        ("shell", {"command": ["powershell.exe", "-enc", "AAAA"]}, "powershell.exe -enc AAAA", None),
        ("shell", {"command": ["bash", "-x", "/run.sh", "-c", "prod.yml"]}, "bash -x /run.sh -c prod.yml", None),
        ("shell", {"command": ["bash", "--", "a.sh", "-c", "x"]}, "bash -- a.sh -c x", None),
        ("execute_command", {"command": "cd a; make"}, "cd a; make", None),
        ("exec", {"input": 'const r = await tools.exec_command({"cmd":"cargo test","workdir":"/srv"});'},
         "cargo test", "/srv"),
        ("exec", {"input": "await tools.exec_command({cmd: 'ls \\'a\\'', workdir: \"/srv\"})"}, "ls 'a'", "/srv"),
        ("exec", {"input": "return 1 + 1"}, "return 1 + 1", None),
    ],
)  # fmt: skip
def test_commands_in_every_dress(name, arguments, command, workdir):
    (use,) = read_call(name, arguments)
    assert (use.action, use.subject, use.workdir) == (Do.RUN, command, workdir)


def test_what_is_typed_into_a_running_command_names_its_session():
    (use,) = read_call("write_stdin", {"session_id": 7, "chars": "y\n"})
    assert (use.action, use.session, use.subject) == (Do.RUN, "7", "y\n")


SHOWN = "[File: /repo/a.py (40 lines total)]\n(3 more lines above)\n4:def f():\n5:    pass\n(35 more lines below)"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("open a.py 5\n", [(Do.READ, ("/repo/a.py",), (4, 5))]),
        ("scroll_down\n", [(Do.READ, ("/repo/a.py",), (4, 5))]),
        ("goto 5", [(Do.READ, ("/repo/a.py",), (4, 5))]),
        ("create a.py", [(Do.CREATE, ("/repo/a.py",), None)]),
        ("edit 4:5\ndef f():\n    pass\nend_of_edit\n",
         [(Do.EDIT, ("/repo/a.py",), (4, 5)), (Do.READ, ("/repo/a.py",), (4, 5))]),
        ("submit", [(Do.ANSWER, (), None)]),
    ],
)  # fmt: skip
def test_the_line_editor_in_a_shell(command, expected):
    uses = read_call("bash", {"command": command}, result=SHOWN)
    assert [(u.action, u.paths, u.lines) for u in uses] == expected


def test_line_editor_words_within_ordinary_commands_mean_nothing():
    assert read_call("bash", {"command": "open a.py && make"})[0].action is Do.RUN
    (search,) = read_call("bash", {"command": 'search_dir "two words" src'})
    assert (search.action, search.subject, search.paths) == (Do.SEARCH, "two words", ("src",))


def test_exports_that_keep_a_line_of_text_instead_of_the_arguments():
    def exported(name, said, result=""):
        (use,) = read_call(name, {"tool_type": "x", "summary": f"Tool use: **{name}**{said}"}, result=result)
        return use

    assert exported("read_file", " • Read file: src/a.cs").paths == ("src/a.cs",)
    edit = exported("write", " • Edit file: /w/a.ts", "```diff\n@@ -1 +1 @@\n- old\n+ new\n```")
    assert (edit.action, edit.paths, edit.new, edit.old) == (Do.CREATE, ("/w/a.ts",), "new", "old")
    run = exported("run_terminal_cmd", " • Run command: cd x && make\nall")
    assert (run.action, run.subject) == (Do.RUN, "cd x && make\nall")
    patch = exported("apply_patch", "", '{\n  "relativeWorkspacePath": "ui\\\\a.json"\n}\n"content": "{\\r\\n}"')
    assert (patch.action, patch.paths, patch.new) == (Do.EDIT, ("ui\\a.json",), "{\r\n}")
    shell = exported("mcp_win_Powershell-Tool", "", "*Parameters*:\n  * command: cd a; npm test\n\n*Result*:\nok")
    assert (shell.action, shell.subject) == (Do.RUN, "cd a; npm test")


def test_files_of_a_remote_repository_are_not_ours():
    arguments = {"owner": "me", "repo": "x", "path": "README.md", "content": "hi", "message": "add"}
    assert read_call("create_or_update_file", arguments)[0].action is Do.OTHER


TOOLS = (
    "Read read_file Grep Glob Write Edit MultiEdit apply_diff apply_patch str_replace_editor delete_file Bash exec "
    "write_stdin WebFetch TodoWrite TaskUpdate AskUserQuestion Task attempt_completion Skill nobody_knows"
).split()
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(
    ["path", "file_path", "args", "command", "cmd", "input", "diff", "edits", "view_range", "offset", "limit", "todos",
     "action", "summary", "chars", "session_id", "questions", "paths", "merge", "plan"]
)  # fmt: skip


@examples(200)
@given(st.sampled_from(TOOLS), st.dictionaries(KEYS, ANYTHING, max_size=4) | st.text(max_size=30))
def test_any_arguments_give_a_use(name, arguments):
    assert read_call(name, arguments, result="x")
