"""What a tool call says it does: from a call's name and arguments (and its result) to uses of files and commands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from condense.reading.calls.patches import read_blocks, read_patch
from condense.reading.calls.shell_arguments import given_to_run, joined
from condense.reading.calls.special_forms import line_editor_uses, read_export
from condense.reading.calls.tool_names import (
    LAST_LINE,
    CallReading,
    LineRange,
    ToolAction,
    ToolRow,
    ToolUse,
    row_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOVES = re.compile("move|rename", re.IGNORECASE)
_FROM = tuple("source src source_path old_path oldPath path file_path".split())
_TO = tuple("destination dest dst destination_path new_path newPath".split())
_MOST_PATHS = 200
_MOST_NESTED = 20


def read_call(
    name: str,
    arguments: Mapping[str, Any] | str | None,
    *,
    result: str = "",
    tools: Mapping[str, ToolRow] | None = None,
) -> tuple[ToolUse, ...]:
    """Return what a call does, at least one use, several for a patch of several files; nothing is raised.

    Args:
        name: the tool's name.
        arguments: its arguments, an object or raw text.
        result: the text that came back, "" where there is none; some exports name the file only there.
        tools: rows of the user's own (see `tool_names`).
    """
    given = _as_mapping(arguments)
    row = row_of(name, tools)
    if exported := read_export(name, row, given, result):
        return (exported,)
    if "owner" in given and "repo" in given:
        row = ToolRow(ToolAction.OTHER, subject=("message", "query", "path"))  # a remote repository's files
    action = row.action
    base = ToolUse(
        name,
        action,
        _paths(given, row),
        _subject(given, row),
        _first_text(given, row.new),
        _first_text(given, row.old),
        _workdir(given),
        items=next((given[k] for k in row.new if k in given), None) if action is ToolAction.PLAN else None,
        session=str(given["session_id"]) if "session_id" in given else None,
    )
    match row.reading:
        case CallReading.PATCH:
            return _patch_uses(base, base.new or _any_text(arguments, given)) or (base,)
        case CallReading.BLOCKS:
            blocks = read_blocks(base.new)
            return (replace(base, new="\n".join(n for _, n in blocks), old="\n".join(o for o, _ in blocks)),)
        case CallReading.EDITOR:
            action = _EDITOR_ACTIONS.get(str(given.get("command", "")), action)
            lines = _asked_lines(given) if action is ToolAction.READ else None
            return (replace(base, action=action, lines=lines),)
        case CallReading.SCRIPT:
            return _script_uses(base, _any_text(arguments, given), tools)
        case CallReading.TASK:
            return (replace(base, items=given),)
    if action is ToolAction.READ:
        return _read_uses(base, given)
    if action is ToolAction.RUN:
        return _run_uses(base, given, result)
    if action is ToolAction.PLAN and given.get("merge") is True:
        return (replace(base, subject="merge"),)
    return (_with_edits(base, given),)


def _as_mapping(arguments: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    if isinstance(arguments, Mapping):
        return arguments
    return {"input": arguments} if arguments else {}


def _any_text(arguments: Mapping[str, Any] | str | None, given: Mapping[str, Any]) -> str:
    """The one text that the arguments hold, where they hold one."""
    return arguments if isinstance(arguments, str) else _first_text(given, given)


def _texts(value: Any) -> Iterable[str]:
    """The strings in a value: itself, the items of a list, the path, address or query of objects in it."""
    if isinstance(value, str):
        yield value
    for item in value[:_MOST_PATHS] if isinstance(value, list) else ():
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            found = ((key, item.get(key)) for key in ("path", "file_path", "url", "ref_id", "q"))
            yield from (v for key, v in found if isinstance(v, str) and (key != "ref_id" or "://" in v))


def _paths(given: Mapping[str, Any], row: ToolRow) -> tuple[str, ...]:
    named = (
        tuple(p.strip() for p in _texts(given[key]) if p.strip() and "\n" not in p.strip())
        for key in row.paths
        if key in given
    )
    return next(filter(None, named), ())


def _subject(given: Mapping[str, Any], row: ToolRow) -> str:
    for key in row.subject:
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value:
            asked = (str(q.get("question", q) if isinstance(q, Mapping) else q) for q in value)
            if found := "\n".join(asked if row.action is ToolAction.ASK else _texts(value)):
                return found
    return ""


def _first_text(given: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((given[key] for key in keys if isinstance(given.get(key), str)), "")


def _workdir(given: Mapping[str, Any]) -> str | None:
    named = (given.get(key) for key in ("workdir", "cwd", "working_directory", "dir_path", "directory"))
    return next((value.strip() for value in named if isinstance(value, str) and value.strip()), None)


def _with_edits(base: ToolUse, given: Mapping[str, Any]) -> ToolUse:
    """Add the texts of a list of edits (MultiEdit and its like), or where a file is moved to."""
    source, to = _first_text(given, _FROM), _first_text(given, _TO)
    if base.action is ToolAction.EDIT and source and to and _MOVES.search(base.name):
        return replace(base, paths=(source,), moved_to=to)
    edits = given.get("edits")
    if not isinstance(edits, list):
        return base
    rows = [e for e in edits if isinstance(e, Mapping)]
    new = "\n".join(_first_text(e, ("new_string", "new_str", "newText", "new_text")) for e in rows)
    old = "\n".join(_first_text(e, ("old_string", "old_str", "oldText", "old_text")) for e in rows)
    return replace(base, new=new, old=old)


_XML_PATH = re.compile(r"<path>([^<\n]{1,500})</path>")
_XML_LINES = re.compile(r"<line_range>(\d{1,9})-(\d{1,9})</line_range>")


def _read_uses(base: ToolUse, given: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """Reads: several files in one call, Roo's XML argument, the ranges of each agent."""
    packed = given.get("args")
    uses = []
    for block in packed.split("<file>")[:_MOST_PATHS] if isinstance(packed, str) else ():
        if m := _XML_PATH.search(block):
            asked = _XML_LINES.search(block)
            lines = (int(asked[1]), int(asked[2])) if asked else None
            uses.append(replace(base, paths=(m[1].strip(),), lines=lines))
    if uses:
        return tuple(uses)
    read = replace(base, lines=_asked_lines(given))
    return tuple(replace(read, paths=(p,)) for p in base.paths) or (read,)


def _asked_lines(given: Mapping[str, Any]) -> LineRange | None:
    view = given.get("view_range")
    if isinstance(view, list) and len(view) == 2 and all(isinstance(n, int) for n in view):  # noqa: PLR2004  # a pair
        return view[0], view[1] if view[1] > 0 else LAST_LINE
    first = _number(given, "offset", "start_line", "start_line_one_indexed", "startLine", "from")
    last = _number(given, "end_line", "end_line_one_indexed_inclusive", "endLine", "to")
    limit = _number(given, "limit", "max_lines", "lines")
    if first is None and last is None and limit is None:
        return None
    start = max(first or 1, 1)
    if last is not None and last > 0:
        return start, last
    return start, start + limit - 1 if limit else LAST_LINE


def _number(given: Mapping[str, Any], *keys: str) -> int | None:
    for value in map(given.get, keys):
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value):
            return int(value)
    return None


def _run_uses(base: ToolUse, given: Mapping[str, Any], result: str) -> tuple[ToolUse, ...]:
    """Commands: a line (of a shell, or of SWE-agent's line editor), or a list of words as Codex sends it."""
    inner = given.get("action")  # local_shell_call: {"action": {"command": [...], "working_directory": ...}}
    if isinstance(inner, Mapping):
        return _run_uses(replace(base, workdir=_workdir(inner)), inner, result)
    listed = next((given[k] for k in ("command", "cmd", "commands") if isinstance(given.get(k), list)), None)
    if listed is None:
        return _patch_given(base) or line_editor_uses(base, result) or (base,)
    words = [str(word) for word in listed]
    if words[:1] in (["apply_patch"], ["applypatch"]) and len(words) == 2:  # noqa: PLR2004  # the name and the patch
        edit = replace(base, action=ToolAction.EDIT)
        return _patch_uses(edit, words[1]) or (edit,)
    run = replace(base, subject=given_to_run(words) or joined(words))
    return _patch_given(run) or (run,)


def _patch_given(run: ToolUse) -> tuple[ToolUse, ...]:
    """A patch that was given to a shell as it is: an attempt to edit its files; nothing where a text is none."""
    return _patch_uses(run, run.subject) if run.subject.lstrip().startswith("*** Begin Patch") else ()


def _patch_uses(base: ToolUse, text: str) -> tuple[ToolUse, ...]:
    return tuple(
        replace(base, action=p.action, paths=(p.path,), new=p.new, old=p.old, moved_to=p.moved_to, subject="")
        for p in read_patch(text)
    )


_EDITOR_ACTIONS = {
    "view": ToolAction.READ, "create": ToolAction.CREATE, "str_replace": ToolAction.EDIT, "insert": ToolAction.EDIT,
    "undo_edit": ToolAction.EDIT, "delete": ToolAction.DELETE,
}  # fmt: skip
_NESTED = re.compile(r"\btools\.(\w{1,60})\(\s{0,20}", re.ASCII)
_SCRIPT_TEXT = re.compile(
    r""""((?:[^"\\\n]++|\\.)*+)"|'((?:[^'\\\n]++|\\.)*+)'|`((?:[^`\\]++|\\.)*+)`""", re.DOTALL
)
_SCRIPT_KEY = re.compile(
    r"\b(cmd|command|workdir|path|url|input|chars|session_id|q|ref_id)\b[\"']?\s{0,3}:\s{0,3}", re.ASCII
)
_SCRIPT_NAME = re.compile(r"[A-Za-z_$][\w$]{0,60}(?=\s{0,3}[,)])", re.ASCII)


def _script_uses(base: ToolUse, text: str, tools: Mapping[str, ToolRow] | None) -> tuple[ToolUse, ...]:
    """The tools that a script calls; the script itself as a command where it calls none."""
    uses: list[ToolUse] = []
    for m in islice(_NESTED.finditer(text), _MOST_NESTED):
        try:
            arguments, _ = json.JSONDecoder().raw_decode(text, m.end())
        except (ValueError, RecursionError):
            arguments = _script_arguments(text, m.end())
        uses.extend(read_call(m[1], arguments, tools=tools))
    return tuple(uses) or (replace(base, subject=text),)


def _script_arguments(text: str, at: int) -> dict[str, Any]:
    """Arguments of a script call that are no JSON: a string, a name that was given one, or the keys we know."""
    if name := _SCRIPT_NAME.match(text, at):
        given = re.search(rf"\b{re.escape(name[0])}\s{{0,3}}=\s{{0,3}}(?=[\"'`{{])", text[:at])
        at = given.end() if given else at
    if first := _SCRIPT_TEXT.match(text, at):
        return {"input": _unescaped(first)}
    found: dict[str, Any] = {}
    for m in _SCRIPT_KEY.finditer(text, at, at + 4000):
        value = _SCRIPT_TEXT.match(text, m.end())
        if value and m[1] not in found:
            found[m[1]] = _unescaped(value)
    return found


def _unescaped(m: re.Match[str]) -> str:
    if m[1] is not None:
        try:
            return str(json.loads(m[0], strict=False))
        except ValueError:
            pass
    text = next((g for g in m.groups() if g is not None), "")
    return re.sub(r"(?s)\\(.)", lambda e: {"n": "\n", "t": "\t", "r": "\r"}.get(e[1], e[1]), text)


def script_title(uses: Iterable[ToolUse]) -> str:
    """What a script of tool calls is for, in a line: its first command, else its addresses."""
    run = next((use.subject for use in uses if use.action is ToolAction.RUN), "")
    return first_line(run) or "; ".join(line for use in uses for line in use.subject.splitlines())


def first_line(text: str) -> str:
    """The first line of a text that says anything."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
