"""The table of tool names: what each tool of the known coding agents does, and which arguments say what.

A row serves every agent that uses the name. Names are compared in lower case without blanks;
`mcp__server__tool` and `server.tool` count as `tool`; a name that is in no row is matched by the words it is
made of ("list_my_files" lists). Users add rows by passing their own mapping to `action_of` and `row_of`;
their rows win.

Source: the tool lists of Claude Code, Codex, Roo/Cline/IBM Bob, SWE-agent, OpenHands, Gemini CLI and Cursor
    as they
stand in their transcripts and documentation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class ToolAction(StrEnum):
    """What a tool call does, seen from the work: the same noun for tools and for shell commands.

    CREATE writes a whole file (new or overwritten), EDIT changes a part; RUN runs a command; FETCH reads
    from the network; PLAN writes a to-do list; ASK asks the person; DELEGATE starts another agent; ANSWER
    hands work over.
    """

    READ = "read"
    SEARCH = "search"
    LIST = "list"
    CREATE = "create"
    EDIT = "edit"
    DELETE = "delete"
    RUN = "run"
    FETCH = "fetch"
    PLAN = "plan"
    ASK = "ask"
    DELEGATE = "delegate"
    ANSWER = "answer"
    OTHER = "other"


class CallReading(StrEnum):
    """How the arguments of a call are to be read, where names of arguments are not enough."""

    PLAIN = "plain"
    PATCH = "patch"  # the text of an apply_patch, one use per file in it
    BLOCKS = "blocks"  # SEARCH/REPLACE blocks on one file
    EDITOR = "editor"  # `command` is view, create, str_replace, insert, undo_edit
    FILES_XML = "files-xml"  # `args` holds <file><path>..</path></file>
    SCRIPT = "script"  # JavaScript that calls tools.<name>({...})
    TASK = "task"  # one entry of a to-do list is created or changed


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One row of the table.

    Attributes:
        action: what the tool does.
        paths: names of arguments that hold a path or a list of paths; the first that is present counts.
        subject: names of arguments that hold the command, pattern, address, question or answer.
        new: names of arguments that hold text being written.
        old: names of arguments that hold text being replaced.
        reading: how to read the arguments.
    """

    action: ToolAction
    paths: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    reading: CallReading = CallReading.PLAIN


PATHS = (
    "file_path", "path", "filepath", "file", "filename", "target_file", "absolute_path", "notebook_path",
    "relative_path", "relativeWorkspacePath", "paths", "files", "dir_path", "target_directory", "directory",
    "relative_workspace_path", "uri", "destination", "output_path",
)  # fmt: skip
"""Argument names that hold paths, most telling first."""

_NEW = (
    "content",
    "contents",
    "file_text",
    "new_string",
    "new_str",
    "new_source",
    "text",
    "code_edit",
    "replacement",
)
_OLD = ("old_string", "old_str", "search", "target")
_COMMAND = ("command", "cmd", "script", "code", "input", "commands", "query", "sql")
_QUERY = ("pattern", "query", "regex", "search_term", "glob_pattern", "keyword", "explanation")
_URL = ("url", "urls", "uri", "link", "open", "search_query", "query")

_A = ToolAction
_READ = ToolRow(_A.READ, PATHS)
_SEARCH = ToolRow(_A.SEARCH, PATHS, _QUERY)
_LIST = ToolRow(_A.LIST, PATHS, _QUERY)
_CREATE = ToolRow(_A.CREATE, PATHS, new=_NEW)
_EDIT = ToolRow(_A.EDIT, PATHS, new=_NEW, old=_OLD)
_DELETE = ToolRow(_A.DELETE, PATHS)
_RUN = ToolRow(_A.RUN, subject=_COMMAND)
_FETCH = ToolRow(_A.FETCH, subject=_URL)
_PLAN = ToolRow(_A.PLAN, new=("todos", "plan", "items", "tasks"))
_ASK = ToolRow(_A.ASK, subject=("question", "questions", "prompt", "message"))
_DELEGATE = ToolRow(_A.DELEGATE, subject=("description", "prompt", "task", "message", "agent"))
_ANSWER = ToolRow(_A.ANSWER, subject=("result", "message", "answer", "text", "summary"))
_PATCH = ToolRow(_A.EDIT, PATHS, new=("input", "patch", "diff", "patch_text"), reading=CallReading.PATCH)
_BLOCKS = ToolRow(_A.EDIT, PATHS, new=("diff", "diffs", "replacements", "edits"), reading=CallReading.BLOCKS)
_EDITOR = ToolRow(_A.EDIT, PATHS, new=_NEW, old=_OLD, reading=CallReading.EDITOR)
_TASK = ToolRow(_A.PLAN, subject=("subject", "content"), reading=CallReading.TASK)
_OTHER = ToolRow(_A.OTHER)

ATTACHED = "attached"
"""Stands for a tool where a person attached a file to a message."""
_NAMES: tuple[tuple[ToolRow, str], ...] = (
    (_READ, "read view open_file cat_file get_file_contents view_file read_text_file notebookread readfile"),
    (_READ, "view_image read_many_files read_multiple_files read_lints get_errors fileread read_media_file"),
    (_READ, ATTACHED),
    (ToolRow(_A.READ, PATHS, reading=CallReading.FILES_XML), "read_file"),
    (_SEARCH, "grep search_files search_file_content codebase_search search_file search_dir grep_search"),
    (_SEARCH, "code_search find_references find_symbol search_for_pattern grep_files rg lsp"),
    (_LIST, "glob ls list_files list_dir list_directory find_file glob_file_search file_search find_files"),
    (_LIST, "list_code_definition_names directory_tree get_symbols_overview"),
    (_CREATE, "write write_file write_to_file create_file create new_file create_or_update_file save_file"),
    (_EDIT, "edit multiedit replace replace_file_content search_replace edit_file insert_content"),
    (
        _EDIT,
        "search_and_replace notebookedit edit_notebook reapply multi_edit edit_block insert_edit_into_file",
    ),
    (
        _EDIT,
        "replace_string_in_file multi_replace_string_in_file replace_symbol_body insert_at_line smart_edit",
    ),
    (_BLOCKS, "apply_diff replace_in_file"),
    (_PATCH, "apply_patch patch applypatch apply_unified_diff"),
    (_EDITOR, "str_replace_editor str_replace_based_edit_tool text_editor text_editor_20250124 editor"),
    (_DELETE, "delete_file delete remove_file delete_path"),
    (_RUN, "bash shell shell_command exec_command local_shell local_shell_call execute_command run_command"),
    (_RUN, "run_shell_command run_terminal_cmd run_terminal_command run_in_terminal terminal powershell cmd"),
    (
        _RUN,
        "execute_bash cmdrun execute_ipython_cell ipython python execute_code run_python monitor container.exec",
    ),
    (_RUN, "powershell-tool powershell_tool bash_tool run_tests runtests test_run unified_exec"),
    (ToolRow(_A.RUN, subject=("input", "code", "script"), reading=CallReading.SCRIPT), "exec"),
    (ToolRow(_A.RUN, subject=("chars", "input", "text")), "write_stdin send_input"),
    (_FETCH, "webfetch web_fetch fetch fetch_url read_url_content browser_navigate browse navigate open_url"),
    (_FETCH, "websearch web_search google_web_search search_web web_research http_get http_request"),
    (_FETCH, "browser_action browser web__run browse_web fetch_webpage"),
    (_PLAN, "todowrite todo_write update_todo_list update_plan write_todos todo todoread manage_todo_list"),
    (_TASK, "taskcreate taskupdate task_create task_update"),
    (_ASK, "ask_followup_question askuserquestion request_user_input ask_user ask_question message_ask_user"),
    (_ASK, "get_user_input human_input ask_human ask_for_clarification followup_question"),
    (_DELEGATE, "task agent new_task spawn_agent delegate subagent send_message sendmessage dispatch_agent"),
    (_ANSWER, "attempt_completion submit finish exitplanmode exit_plan_mode plan_mode_respond complete_task"),
    (
        _OTHER,
        "wait sleep think skill toolsearch tool_search switch_mode bashoutput killbash killshell taskstop",
    ),
    (_OTHER, "tasklist taskget taskoutput wait-tool state-tool click-tool app-tool type-tool save_memory"),
    (_OTHER, "memory activate_skill wait_agent close_agent list_mcp_resources fetch_instructions"),
)


@cache
def tool_rows() -> Mapping[str, ToolRow]:
    """Return the built-in table, name in lower case to row."""
    return {name: row for row, names in _NAMES for name in names.split()}


_WORDS: tuple[tuple[ToolRow, frozenset[str]], ...] = (
    (_OTHER, frozenset({"wait", "screenshot", "click", "hover", "scroll", "press", "preview", "status"})),
    (_DELETE, frozenset({"delete", "remove", "rm", "unlink"})),
    (_PATCH, frozenset({"patch"})),
    (_PLAN, frozenset({"todo", "todos", "plan"})),
    (_RUN, frozenset({"bash", "shell", "terminal", "command", "exec", "execute", "powershell", "sql"})),
    (_SEARCH, frozenset({"search", "grep", "find", "query", "lookup", "resolve"})),
    (_LIST, frozenset({"list", "ls", "tree", "glob", "dir"})),
    (_EDIT, frozenset({"edit", "replace", "insert", "update", "modify", "rename", "move"})),
    (_CREATE, frozenset({"write", "create", "save", "push", "upload"})),
    (_FETCH, frozenset({"fetch", "browse", "navigate", "http", "web", "url", "download"})),
    (
        _READ,
        frozenset({"read", "view", "get", "open", "show", "cat", "load", "export", "console", "describe"}),
    ),
    (_ASK, frozenset({"ask", "question"})),
    (_DELEGATE, frozenset({"agent", "delegate"})),
    (_ANSWER, frozenset({"finish", "submit", "complete"})),
)
"""Words that give an unknown name away, the most telling first (chosen)."""

_FILE_WORDS = frozenset({"file", "files", "dir", "directory", "path", "code", "notebook"})


def row_of(name: str, tools: Mapping[str, ToolRow] | None = None) -> ToolRow:
    """Return what is known about a tool by its name; never fails.

    Args:
        name: the name as the call has it.
        tools: rows of the user's own, name in lower case to row; they win over the built-in ones.
    """
    plain = name.strip().lower()
    for known in (tools or {}, tool_rows()):
        for key in (plain, _last_segment(plain)):
            if key in known:
                return known[key]
    return _by_words(name)


def action_of(name: str, tools: Mapping[str, ToolRow] | None = None) -> ToolAction:
    """Return what a tool of this name does; OTHER where nothing is known."""
    return row_of(name, tools).action


def is_known(name: str, tools: Mapping[str, ToolRow] | None = None) -> bool:
    """Tell whether the table or the user's rows name this tool (guesses by words do not count)."""
    plain = name.strip().lower()
    return any(key in known for known in (tools or {}, tool_rows()) for key in (plain, _last_segment(plain)))


def _last_segment(plain: str) -> str:
    """The tool's own name within `mcp__server__tool`, `mcp_server_tool`, `server.tool` and `server:tool`."""
    if plain.startswith("mcp__"):
        return plain.rsplit("__", 1)[-1]
    if plain.startswith("mcp_"):
        rest = plain[4:]
        return rest.partition("_")[2] or rest
    for mark in (".", ":", "/", "__"):
        if mark in plain:
            return plain.rsplit(mark, 1)[-1]
    return plain


@cache
def _by_words(name: str) -> ToolRow:
    words = frozenset(w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", _own_words(name)[:200]))
    for row, cues in _WORDS:
        if words & cues:
            if (
                row.action in (ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
                and not words & _FILE_WORDS
            ):
                return _OTHER  # "create_issue", "update_page": not of files
            return row
    return _OTHER


def _own_words(name: str) -> str:
    """The name without the server it stands on, in the case it was written."""
    own = _last_segment(name.strip().lower())
    return name.strip()[-len(own) :] if own else name
