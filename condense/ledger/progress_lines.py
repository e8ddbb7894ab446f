"""Where the work stands: what was done for the latest request, and what was not, as ledger lines.

Every line is computed from the messages and tool calls; what it does not find done may still have been done by a
program that no call names.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.ledger.assistant_text import is_report
from condense.ledger.client_notices import notices_line, told_line
from condense.ledger.state_lines import WORDS, command_text, ending_of, is_putting, one_line
from condense.reading import NAMES, Purpose, ToolAction, is_powershell
from memory.conversation import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading import Artifacts, CommandTrail
    from memory.conversation import Message

MOST_FILES = 6
"""Changed files that a line names, the newest; chosen."""
MOST_TOOLS = 12
"""Tools that are named, the most used; chosen."""
LONGEST_STEP = 160
"""Characters of the last step; chosen."""
LOADING = frozenset(("toolsearch", "tool_search", "skill", "activate_skill"))
"""Tools that load others, or a skill, on demand (Claude Code, Codex, Gemini CLI, OpenCode); in lower case."""
LONGEST_LOADED = 80
"""Characters of what one of them is asked for; chosen."""
_LOADED_BY = ("skill", "query", "name", "command")
"""Their arguments that say what is loaded."""
MOST_LOADED = 4
"""Such calls that are named, the newest; chosen."""
_LATELY, _OFTEN = 20, 2
"""Newest commands that are looked at for what only PowerShell has, and how many must have it; chosen."""
_PROSE = re.compile(
    r"\.(?:md|mdx|markdown|rst|txt|adoc|csv|jsonl|ndjson|log|lock|svg|png|jpe?g|pdf)$|(?:^|[/\\])\.[^/\\]*$|^~[/\\]\.",
    re.IGNORECASE,
)
"""Files that nobody compiles or runs."""
_NOT_STARTED = re.compile(
    r"command not found|: not found\s*$|is not recognized as|executable file not found"
    r"|\bJAVA_HOME\b.{0,40}\bnot\b|^error: (?:rustup could not|no such command)"
    r"|^(?:\S{0,40}/)?(?:ba|z|da|k)?sh: (?:line )?(?:\d{1,6}: )?\S{1,200}: "
    r"(?:Permission denied|No such file or directory)\s*$",
    re.MULTILINE,
)
"""Errors of commands that could not even begin."""
_PREPARES = re.compile(
    r"(?:(?:export|set|unset|cd|pushd|popd|alias|source|\.)(?: [^;&|\n]{0,300})?+(?:[;&\s]{1,12}|$)){1,20}+"
)
"""A command line that only sets up the shell: folder, variables."""
_CHECKS = (Purpose.TEST, Purpose.BUILD, Purpose.CHECK)

PHRASES = {
    "en": {
        "tongue": "the user writes in {name}",
        "one": "1 call",
        "calls": "{count} calls",
        "waiting": "work on the latest request has not begun",
        "working": "work on the latest request goes on: {calls} so far, no closing report to the user yet",
        "working_task": "work on the task goes on: {calls} so far, no closing report yet",
        "reported": "the assistant ended its turn after {calls} for the latest request",
        "unchanged": "no file was changed for it so far",
        "changed": "changed for it: {files}",
        "and": "{count} more",
        "unrun": "still to verify: nothing was compiled, run or tested since the last change ({file})",
        "untested": "still to verify: no build, check or test has run since the last change ({file})",
        "last": "last step: {step}",
        "folder": "commands run in {folder}",
        "folder_shell": "commands run in {folder}, by PowerShell",
        "shell": "commands are run by PowerShell",
        "tools": "tools used so far: {tools}",
        "loaded": "tools and skills loaded on demand: {calls}",
    },
    "zh": {
        "tongue": "用户使用{name}",
        "one": "1 次",
        "calls": "{count} 次",
        "waiting": "最新请求尚未开始处理",
        "working": "最新请求仍在进行：已调用 {calls}，尚未向用户作最终汇报",
        "working_task": "任务仍在进行：已调用 {calls}，尚未作最终汇报",
        "reported": "针对最新请求，助手在 {calls}调用后结束了回合",
        "unchanged": "尚未为此改动任何文件",
        "changed": "已为此改动：{files}",
        "and": "另有 {count} 个",
        "unrun": "有待验证：最后一次改动（{file}）之后没有编译、运行或测试过",
        "untested": "有待验证：最后一次改动（{file}）之后没有构建、检查或测试过",
        "last": "最近一步：{step}",
        "folder": "命令在 {folder} 中运行",
        "folder_shell": "命令在 {folder} 中由 PowerShell 运行",
        "shell": "命令由 PowerShell 运行",
        "tools": "迄今用过的工具：{tools}",
        "loaded": "按需加载的工具与技能：{calls}",
    },
}


def standing_lines(
    messages: Sequence[Message],
    artifacts: Artifacts,
    places: Mapping[str, int],
    language: str,
    *,
    asked: int,
    tongue: str,
    by_program: bool,
) -> tuple[str, ...]:
    """Say where the work stands, in at most ten lines.

    Args:
        messages: the whole history.
        artifacts: of it.
        places: index of each message, by digest.
        language: of our own words, "en" or "zh".
        asked: index of the latest request, or of the task where nobody typed one; -1 where there is neither.
        tongue: code of the language the person types in, "" where it is not clear.
        by_program: nobody typed anything; a program gave the task.
    """
    words = PHRASES[language]
    lines = []
    if tongue and tongue != language:
        lines.append(words["tongue"].format(name=NAMES[language][tongue]))
    since = messages[asked + 1 :]
    calls = sum(not is_report(call) for m in since for call in m.calls)
    if asked >= 0:
        lines.append(_progress(since, calls, words, by_program=by_program))
    changes = _changes(artifacts, places)
    if asked >= 0 and calls:
        lines += _changed(changes, asked, words)
    unverified = _unverified(artifacts, [c for c in changes if c[0] > asked], places, words)
    lines += unverified
    ran = max(artifacts.commands, key=lambda c: places.get(c.last.message, -1), default=None)
    lines += _last_step(ran, changes, places, language, "".join(unverified))
    if ran is not None:
        lines += _surroundings(ran, artifacts.commands, places, words)
    lines += filter(None, (told_line(messages, language), notices_line(messages, language)))
    if loaded := _loaded(messages):
        lines.append(words["loaded"].format(calls="; ".join(loaded)))
    used = Counter(part.name for m in messages for part in m.calls if part.name)
    if used:
        tools = ", ".join(f"{name} ×{times}" for name, times in used.most_common(MOST_TOOLS))
        lines.append(words["tools"].format(tools=tools))
    return tuple(lines)


def says_loaded(line: str) -> bool:
    """Tell whether a line says what was loaded on demand."""
    return line.startswith(tuple(words["loaded"].partition("{")[0] for words in PHRASES.values()))


def _loaded(messages: Sequence[Message]) -> list[str]:
    """What was loaded on demand, by tool, each once, newest last: after a compaction it may be gone."""
    asked: dict[str, dict[str, None]] = {}
    failed = {part.call_id for m in messages for part in m.results if part.is_error}
    for part in (part for m in messages for part in m.calls):
        name, given = part.name or "", part.arguments
        if name.lower() not in LOADING or not isinstance(given, dict) or part.call_id in failed:
            continue
        what = next((given[key] for key in _LOADED_BY if isinstance(given.get(key), str)), "").strip()
        if what:
            named = asked.setdefault(name, {})
            named.pop(what, None)
            named[what] = None
    return [
        f"{name} {', '.join(one_line(what, LONGEST_LOADED) for what in list(named)[-MOST_LOADED:])}"
        for name, named in asked.items()
    ]


def _progress(since: Sequence[Message], calls: int, words: Mapping[str, str], *, by_program: bool) -> str:
    if not any(m.role is Role.ASSISTANT for m in since):
        return words["waiting"]
    last = next(m for m in reversed(since) if m.role is Role.ASSISTANT)
    reported = any(map(is_report, last.calls))
    ended = reported or (since[-1] is last and not last.calls)
    name = "reported" if ended else "working_task" if by_program else "working"
    return words[name].format(calls=words["one"] if calls == 1 else words["calls"].format(count=calls))


def _changes(artifacts: Artifacts, places: Mapping[str, int]) -> list[tuple[int, str, ToolAction]]:
    """Changes of files that happened, in order: message, path, what was done."""
    found = [
        (places.get(o.at.message, -1), f.path, o.action)
        for f in artifacts.files
        for o in f.operations
        if o.happened and o.action is not ToolAction.READ
    ]
    return sorted(found, key=lambda change: change[0])


def _changed(
    changes: Sequence[tuple[int, str, ToolAction]], asked: int, words: Mapping[str, str]
) -> list[str]:
    own = list(dict.fromkeys(path for at, path, _ in reversed(changes) if at > asked))
    if not own:
        return [words["unchanged"]]
    if len(own) == len({path for _, path, _ in changes}):
        return []  # the list of files says it
    files = ", ".join(own[:MOST_FILES])
    if len(own) > MOST_FILES:
        files += ", " + words["and"].format(count=len(own) - MOST_FILES)
    return [words["changed"].format(files=files)]


def _unverified(
    artifacts: Artifacts,
    changes: Sequence[tuple[int, str, ToolAction]],
    places: Mapping[str, int],
    words: Mapping[str, str],
) -> list[str]:
    code = [
        (at, path)
        for at, path, action in changes
        if action is not ToolAction.DELETE and not _PROSE.search(path)
    ]
    if not code:
        return []
    changed, path = code[-1]
    started = [
        c for c in artifacts.commands if not (c.outcome.failed and _NOT_STARTED.search(c.outcome.error))
    ]
    checked = [
        t.last for t in artifacts.tests if not (t.outcome.failed and _NOT_STARTED.search(t.outcome.error))
    ]
    checked += [c.last for c in started if c.purpose in _CHECKS]
    if any(places.get(at.message, -1) >= changed for at in checked):
        return []
    ran = any(places.get(c.last.message, -1) > changed and _does(c) for c in started)
    return [words["untested" if ran else "unrun"].format(file=path)]


def _surroundings(
    ran: CommandTrail, commands: Sequence[CommandTrail], places: Mapping[str, int], words: Mapping[str, str]
) -> list[str]:
    """Where the newest command ran, and by which shell where it is not a Unix one."""
    newest = sorted(commands, key=lambda c: places.get(c.last.message, -1))[-_LATELY:]
    shell = "_shell" if sum(is_powershell(c.command) for c in newest) >= _OFTEN else ""
    if ran.workdir:
        return [words["folder" + shell].format(folder=ran.workdir)]
    return [words["shell"]] if shell else []


def _does(command: CommandTrail) -> bool:
    line = command.command
    return not command.looks_only and not is_putting(line) and not _PREPARES.fullmatch(line.strip())


def _last_step(
    command: CommandTrail | None,
    changes: Sequence[tuple[int, str, ToolAction]],
    places: Mapping[str, int],
    language: str,
    said: str,
) -> list[str]:
    """The newest command and how it ended, or a newer change of a file that was not `said` just before."""
    words = WORDS[language]
    ran = places.get(command.last.message, -1) if command is not None else -1
    at, path, action = changes[-1] if changes else (-1, "", ToolAction.READ)
    if max(ran, at) < 0:
        return []
    if command is not None and (ran > at or (ran == at and not is_putting(command.command))):
        ending = ending_of(command.outcome, words)
        step = f"`{command_text(command.command, LONGEST_STEP)}`" + (f" → {ending}" if ending else "")
    elif path in said:
        return []
    else:
        step = f"{path} — {words[_DONE[action]]}"
    return [PHRASES[language]["last"].format(step=step)]


_DONE = {ToolAction.CREATE: "created", ToolAction.EDIT: "edited", ToolAction.DELETE: "deleted"}
