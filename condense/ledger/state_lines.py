"""The state of the work as ledger lines: plan, files, tests, commands, pages; paths and commands are verbatim."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines import is_guide
from condense.reading import PlanStatus, Purpose, ToolAction, is_markup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.reading import Artifacts, CommandTrail, FileTrail, Outcome, Place, TestTally
    from memory.conversation import TokenCounter

MARKS = {
    PlanStatus.COMPLETED: "[x]",
    PlanStatus.IN_PROGRESS: "[>]",
    PlanStatus.PENDING: "[ ]",
    PlanStatus.CANCELLED: "[-]",
}
LONGEST_COMMAND = 240
"""Characters of a command line; longer ones stand in the excerpts or behind their handle. Chosen."""
LONGEST_ERROR = 300
"""Characters of an error's line; chosen."""
_PUTS = re.compile(r"\s{0,4}(?:cat|tee)\b[^\n|]{0,300}<<|\s{0,4}(?:apply_?patch\b|mkdir\b[^\n&;|]{0,300}$)")
"""Commands that put files and folders somewhere and nothing else: where it worked, the files say so."""
LOOKED_AT = 40
"""Lines of a script that are looked at for one that tells what it does; chosen."""
MOST_READ = 12
"""Files that were only read which a line names, the newest; chosen."""
SECTIONS = 6
"""Headings of a document; chosen."""
NAMES = 12
"""Names that a file's line lists; chosen."""

WORDS = {
    "en": {
        "created": "created",
        "edited": "edited",
        "deleted": "deleted",
        "read": "read",
        "moved": "moved to",
        "defines": "defines",
        "sections": "sections",
        "failed": "failed",
        "of": "of",
        "runs": "runs failed",
        "running": "still running",
        "refused": "refused by the user",
        "none": "ended without output",
        "exit": "exit code",
        "ok": "ok",
        "passed": "passed",
        "errors": "errors",
        "told": "reported by the user",
        "skipped": "skipped",
        "failing": "failing",
        "only_read": "read only",
        "guides": "read to go by",
        "more": "and {count} more",
        "from": "from",
        "outdated": "files were edited after this run",
        "before": "(as it stood before the latest request)",
        "repeated": "made {times} times among the last {calls} calls, unchanged",
    },
    "zh": {
        "created": "新建",
        "edited": "编辑",
        "deleted": "删除",
        "read": "读取",
        "moved": "移动到",
        "defines": "定义",
        "sections": "章节",
        "failed": "失败",
        "of": "/",
        "runs": "次运行失败",
        "running": "仍在运行",
        "refused": "被用户拒绝",
        "none": "无输出",
        "exit": "退出码",
        "ok": "成功",
        "passed": "通过",
        "errors": "错误",
        "told": "用户报告",
        "skipped": "跳过",
        "failing": "失败项",
        "only_read": "仅读取",
        "guides": "作为依据读取",
        "more": "及另外 {count} 个",
        "from": "来自",
        "outdated": "此次运行之后文件又有改动",
        "before": "（最新请求之前的状态）",
        "repeated": "最近 {calls} 次调用中原样做了 {times} 次",
    },
}


def plan_lines(artifacts: Artifacts) -> tuple[str, ...]:
    """The agent's to-do list as it last stood, one line an entry."""
    return tuple(f"{MARKS[item.status]} {one_line(item.text, 400)}" for item in artifacts.plan)


def stale_plan(language: str) -> str:
    """Say that the plan is older than the latest request."""
    return WORDS[language]["before"]


def repeated_line(call: str, times: int, calls: int, language: str) -> str:
    """One line for a call that is made again and again."""
    return f"`{call}` — " + WORDS[language]["repeated"].format(times=times, calls=calls)


def file_lines(artifacts: Artifacts, language: str, said: str = "") -> tuple[str, ...]:
    """One line a changed file (newest change first), one naming documents to go by, one the files that were only read.

    Args:
        artifacts: of the whole history.
        language: of our own words.
        said: what the person typed, and the project's instructions; a document whose name stands in it is one to go by.
    """
    words = WORDS[language]
    order = {f.key: i for i, f in enumerate(artifacts.files)}
    changed = sorted(artifacts.changed, key=lambda f: -max(order[f.key], len(f.operations)))
    lines = [_changed_line(f, words) for f in changed]
    looked = [f.path for f in artifacts.files if not f.is_changed and any(o.happened for o in f.operations)]
    lower = said.lower()
    guides = [path for path in looked if is_guide(path, lower)]
    if guides:
        lines.insert(0, f"{words['guides']}: " + _listed(guides, words))
    if len(looked) > len(guides):
        lines.append(f"{words['only_read']}: " + _listed([p for p in looked if p not in guides], words))
    return tuple(lines)


def _listed(paths: Sequence[str], words: dict[str, str]) -> str:
    """Paths in a line, the newest first, and how many there are more."""
    newest = list(reversed(paths))[:MOST_READ]
    more = len(paths) - len(newest)
    return ", ".join(newest) + (f" {words['more'].format(count=more)}" if more else "")


def _changed_line(file: FileTrail, words: dict[str, str]) -> str:
    facts = []
    if file.state is ToolAction.CREATE:
        facts.append(words["created"])
    edits = file.count(ToolAction.EDIT)
    if edits:
        facts.append(words["edited"] + (f" ×{edits}" if edits > 1 else ""))
    if file.state is ToolAction.DELETE:
        moved = file.last.moved_to
        facts.append(f"{words['moved']} {moved}" if moved else words["deleted"])
    failed = [o for o in file.operations if not o.happened and o.action is not ToolAction.READ]
    if failed and failed[-1] is file.last:
        facts.append(ending_of(failed[-1].outcome, words))
    if file.names:
        if is_markup(file.path):
            facts.append(f"{words['sections']} " + " / ".join(file.names[:SECTIONS]))
        else:
            facts.append(f"{words['defines']} " + ", ".join(file.names[-NAMES:]))
    return f"{file.path} — " + "; ".join(facts) if facts else file.path


def edited_last(artifacts: Artifacts, places: Mapping[str, int]) -> int:
    """Index of the message of the newest change to a file, -1 where there is none; `places` by message digest."""
    return max(
        (
            places.get(o.at.message, -1)
            for f in artifacts.files
            for o in f.operations
            if o.action is not ToolAction.READ and o.happened
        ),
        default=-1,
    )


def test_lines(artifacts: Artifacts, language: str, places: Mapping[str, int]) -> tuple[str, ...]:
    """One line a test command, newest last: its counts, the tests that fail, whether files changed since."""
    words = WORDS[language]
    edited = edited_last(artifacts, places)
    lines = []
    for test in artifacts.tests:
        counts = _counts(test.tally, words) or ending_of(test.outcome, words)
        failing = (
            f"; {words['failing']}: " + ", ".join(test.tally.failing[:NAMES]) if test.tally.failing else ""
        )
        outdated = _outdated(test.last, edited, places, words)
        facts = f"{counts}{failing}{outdated}".removeprefix("; ")
        lines.append(f"`{command_text(test.command, LONGEST_COMMAND)}`" + (f" → {facts}" if facts else ""))
    return tuple(lines)


def _outdated(at: Place, edited: int, places: Mapping[str, int], words: dict[str, str]) -> str:
    return f"; {words['outdated']}" if places.get(at.message, edited) < edited else ""


def _counts(tally: TestTally, words: dict[str, str]) -> str:
    named = (
        (tally.passed, "passed"),
        (tally.failed, "failed"),
        (tally.errors, "errors"),
        (tally.skipped, "skipped"),
    )
    return ", ".join(f"{n} {words[name]}" for n, name in named if n is not None)


def is_putting(command: str) -> bool:
    """Say whether a command only puts files and folders somewhere."""
    return _PUTS.match(command) is not None


def command_lines(artifacts: Artifacts, language: str, places: Mapping[str, int]) -> tuple[str, ...]:
    """One line a command that does something or failed when it last ran, newest last; not what only wrote files."""
    words = WORDS[language]
    edited = edited_last(artifacts, places)
    tested = {t.command for t in artifacts.tests}
    wanted = [
        c
        for c in artifacts.commands
        if c.command not in tested
        and (not c.looks_only or c.runs > 1)
        and c.purpose is not Purpose.TEST
        and (c.outcome.failed or not is_putting(c.command))
    ]
    return tuple(
        _command_line(c, words)
        + (_outdated(c.last, edited, places, words) if c.purpose in (Purpose.BUILD, Purpose.CHECK) else "")
        for c in wanted
    )


def _command_line(command: CommandTrail, words: dict[str, str]) -> str:
    ending = ending_of(command.outcome, words)
    times = f" ×{command.runs}" if command.runs > 1 else ""
    failures = ""
    if command.failures and command.runs > 1:
        failures = f" ({command.failures} {words['of']} {command.runs} {words['runs']})"
    text = command_text(command.command, LONGEST_COMMAND)
    return f"`{text}`{times}" + (f" → {ending}{failures}" if ending else failures)


def ending_of(outcome: Outcome, words: dict[str, str]) -> str:
    """How a call ended, in a word or two and the error's line; empty where nothing tells."""
    if outcome.refused:
        return words["refused"]
    if outcome.running:
        return words["running"]
    if outcome.failed:
        code = f" ({words['exit']} {outcome.exit_code})" if outcome.exit_code else ""
        error = f": {one_line(outcome.error, 200)}" if outcome.error else ""
        return f"{words['failed']}{code}{error}"
    if outcome.failed is None and outcome.exit_code:
        return f"{words['none']} ({words['exit']} {outcome.exit_code})"
    return words["ok"] if outcome.failed is False or outcome.exit_code == 0 else ""


def url_lines(artifacts: Artifacts, language: str) -> tuple[str, ...]:
    """Searches made, then addresses fetched, newest last, with what failed; those of this machine are left out."""
    words = WORDS[language]
    found = [u for u in artifacts.urls if not _LOCAL.match(u.url)]
    found.sort(key=lambda u: is_page(u.url))
    return tuple(
        f"{one_line(u.url, 300)} → {ending_of(u.outcome, words)}"
        if u.outcome.failed
        else one_line(u.url, 300)
        for u in found
    )


def is_page(line: str) -> bool:
    """Tell a page's address from the words of a search."""
    return _ADDRESS.match(line) is not None


_ADDRESS = re.compile(r"\w{2,12}://")
_LOCAL = re.compile(r"(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)")


def one_line(text: str, most: int) -> str:
    """The first line of a text, verbatim; "…" says that there is more of it."""
    lines = text.strip().split("\n", 1)
    line = lines[0].rstrip()
    cut = line if len(line) <= most else line[:most]
    return cut if cut == line and len(lines) == 1 else cut + " …"


_OPENS = re.compile(r"(?:<<-?\s?(['\"]?)\w{1,40}\1|[\"']|\\)$")
"""How a line ends behind which a script begins, or that goes on in the next."""
_PREPARES = re.compile(r"(?:set [-+]\w|#|\$\w+\s?=|[A-Za-z_]\w*=\S*$|cd\s[^;&|]*$|export\s)")
"""A line that only makes ready for what a command does."""
_SAYS_LITTLE = re.compile(
    r"(?:-H\b|--header\b|import|from|using|use|require)\b|[\W_]*$|#|//|\*\*\* Begin Patch"
)
"""A line of a script that does not tell what it does."""


def command_text(command: str, most: int) -> str:
    """A command in a line, verbatim: the first of it, and where that says little also the next line that tells."""
    first, _, rest = command.strip().replace("\r\n", "\n").partition("\n")
    prepares = _PREPARES.match(first) is not None
    if not rest or not (prepares or _OPENS.search(first.rstrip())):
        return one_line(command, most)
    lines = [line.strip() for line in rest.split("\n")[:LOOKED_AT]]
    skips = [_SAYS_LITTLE, *([_PREPARES] if prepares else [])]
    told = next((line for line in lines if not any(skip.match(line) for skip in skips)), "")
    return f"{first.rstrip()} … {told}"[:most] + " …" if told else one_line(command, most)


def within(
    lines: Sequence[str], room: int, count: TokenCounter, *, newest_last: bool
) -> tuple[tuple[str, ...], int]:
    """Take lines while they fit, the newest first; return them in their order and what they cost."""
    taken: list[str] = []
    cost = 0
    for line in reversed(lines) if newest_last else lines:
        size = count(line) + 2
        if cost + size > room:
            continue
        cost += size
        taken.append(line)
    return tuple(reversed(taken) if newest_last else taken), cost
