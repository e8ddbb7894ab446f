"""What each tool of the known coding agents does, and which arguments say what.

A name that is in no row is matched by the words it is made of ("list_my_files" lists). Source: the tool lists of
Claude Code, Codex, Roo/Cline/IBM Bob, SWE-agent, OpenHands, Gemini CLI and Cursor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class ToolAction(StrEnum):
    """What a tool call or a shell command does, seen from the work."""

    READ = "read"
    SEARCH = "search"
    LIST = "list"
    CREATE = "create"  # writes a whole file, new or overwritten
    EDIT = "edit"  # changes a part
    DELETE = "delete"
    DISCARD = "discard"  # takes back what was changed
    RUN = "run"
    FETCH = "fetch"  # reads from the network
    PLAN = "plan"  # writes a to-do list
    ASK = "ask"  # asks the person
    DELEGATE = "delegate"  # starts another agent
    ANSWER = "answer"  # hands work over
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


class ToolRow(NamedTuple):
    """What a tool does, the names of the arguments that say more (the first present counts), and how to read them."""

    action: ToolAction
    paths: tuple[str, ...] = ()  # a path or a list of paths
    subject: tuple[str, ...] = ()  # the command, pattern, address, question or answer
    new: tuple[str, ...] = ()  # text written
    old: tuple[str, ...] = ()  # text replaced
    reading: CallReading = CallReading.PLAIN


LineRange = tuple[int, int]  # first and last line, 1-based, both included
LAST_LINE = 1 << 30  # to the end of the file


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One thing that a tool call does; texts are "" where unknown."""

    name: str  # as called
    action: ToolAction
    paths: tuple[str, ...] = ()  # files or folders it is about, as written
    subject: str = ""  # command line, pattern, address or query, question, job, answer: by the action
    new: str = ""  # text written
    old: str = ""  # text replaced
    workdir: str | None = None  # the folder it runs in, where the call says so
    lines: LineRange | None = None  # that a READ asks for; None for the whole file
    moved_to: str | None = None  # the new path of a file that is moved
    items: Any = None  # PLAN: the entries as given (objects or Markdown)
    session: str | None = None  # the running process that a RUN writes to


PATHS = (
    "file_path", "path", "filepath", "file", "filename", "target_file", "absolute_path", "notebook_path",
    "relative_path", "relativeWorkspacePath", "paths", "files", "dir_path", "target_directory", "directory",
    "relative_workspace_path", "uri", "destination", "output_path",
)  # fmt: skip
"""Argument names that hold paths, most telling first."""
ATTACHED = "attached"  # the tool, where a person attached a file to a message

_NEW = tuple("content contents file_text new_string new_str new_source text code_edit replacement".split())
_OLD = ("old_string", "old_str", "search", "target")
_COMMAND = ("command", "cmd", "script", "code", "input", "commands", "query", "sql")
_QUERY = ("pattern", "query", "regex", "search_term", "glob_pattern", "keyword", "explanation")
_URL = ("url", "urls", "uri", "link", "open", "search_query", "query")
_BLOCKS_IN = ("diff", "diffs", "replacements", "edits")

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
_TASK = ToolRow(_A.PLAN, subject=("subject", "content"), reading=CallReading.TASK)
_OTHER = ToolRow(_A.OTHER)

_NAMES = (
    (_READ, "notebookread readfile fileread attached"),
    (ToolRow(_A.READ, PATHS, reading=CallReading.FILES_XML), "read_file"),
    (_SEARCH, "rg lsp"),
    (_LIST, "find_file glob_file_search file_search find_files get_symbols_overview"),
    (_CREATE, "write create new_file create_or_update_file"),
    (_EDIT, "edit multiedit replace search_replace insert_content search_and_replace notebookedit reapply"),
    (_EDIT, "multi_edit edit_block replace_symbol_body insert_at_line smart_edit"),
    (ToolRow(_A.EDIT, PATHS, new=_BLOCKS_IN, reading=CallReading.BLOCKS), "apply_diff replace_in_file"),
    (_PATCH, "apply_patch patch applypatch apply_unified_diff"),
    (
        ToolRow(_A.EDIT, PATHS, new=_NEW, old=_OLD, reading=CallReading.EDITOR),
        "str_replace_editor str_replace_based_edit_tool text_editor text_editor_20250124 editor",
    ),
    (_DELETE, "delete"),
    (_RUN, "cmd cmdrun ipython python run_python monitor run_tests runtests test_run container.exec"),
    (ToolRow(_A.RUN, subject=("input", "code", "script"), reading=CallReading.SCRIPT), "exec"),
    (ToolRow(_A.RUN, subject=("chars", "input", "text")), "write_stdin send_input"),
    (_FETCH, "webfetch websearch web_search google_web_search search_web browser_action browser web__run"),
    (_PLAN, "todowrite todoread"),
    (_TASK, "taskcreate taskupdate task_create task_update"),
    (_ASK, "askuserquestion request_user_input get_user_input human_input"),
    (_DELEGATE, "task new_task subagent send_message sendmessage"),
    (_ANSWER, "attempt_completion exitplanmode exit_plan_mode plan_mode_respond"),
    (_OTHER, "tool_search toolsearch close_agent list_mcp_resources fetch_instructions bashoutput killbash"),
    (_OTHER, "killshell tasklist taskget taskoutput"),
)
_ROWS = {name: row for row, names in _NAMES for name in names.split()}

_WORDS = (
    (_OTHER, "wait screenshot click hover scroll press preview status"),
    (_DELETE, "delete remove rm unlink"),
    (_PATCH, "patch"),
    (_PLAN, "todo todos plan"),
    (_RUN, "bash shell terminal command exec execute powershell sql"),
    (_SEARCH, "search grep find query lookup resolve"),
    (_LIST, "list ls tree glob dir"),
    (_EDIT, "edit replace insert update modify rename move"),
    (_CREATE, "write create save push upload"),
    (_FETCH, "fetch browse navigate http web url download"),
    (_READ, "read view get open show cat load export console describe"),
    (_ASK, "ask question"),
    (_DELEGATE, "agent delegate"),
    (_ANSWER, "finish submit complete"),
)
"""Words that give an unknown name away, the most telling first."""
_FILE_WORDS = frozenset("file files dir directory path code notebook".split())


def row_of(name: str, tools: Mapping[str, ToolRow] | None = None) -> ToolRow:
    """Return what is known about a tool by its name; `tools`, rows of the user's own by lower-case name, win."""
    plain = name.strip().lower()
    own = _last_segment(plain)
    for known in (tools or {}, _ROWS):
        if row := known.get(plain) or known.get(own):
            return row
    return _by_words(name.strip()[-len(own) :] if own else name)


def _last_segment(plain: str) -> str:
    """The tool's own name within `mcp__server__tool`, `mcp_server_tool`, `server.tool` and `server:tool`."""
    if plain.startswith("mcp__"):
        return plain.rsplit("__", 1)[-1]
    if plain.startswith("mcp_"):
        rest = plain[4:]
        return rest.partition("_")[2] or rest
    return next((plain.rsplit(mark, 1)[-1] for mark in (".", ":", "/", "__") if mark in plain), plain)


@cache
def _by_words(name: str) -> ToolRow:
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name[:200])}
    row = next((row for row, cues in _WORDS if not words.isdisjoint(cues.split())), _OTHER)
    of_files = row.action not in (_A.CREATE, _A.EDIT, _A.DELETE) or not words.isdisjoint(_FILE_WORDS)
    return row if of_files else _OTHER  # "create_issue", "update_page"
