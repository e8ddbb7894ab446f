"""The state of the work as ledger lines: plan, files, commands and tests, errors; names and commands are verbatim."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines import is_guide
from condense.reading import PlanStatus, Purpose, ToolAction, is_markup

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from condense.reading import Artifacts, ErrorTrail, FileTrail, Outcome, TestTally
    from memory.conversation import TokenCounter

MARKS = {
    PlanStatus.COMPLETED: "[x]",
    PlanStatus.IN_PROGRESS: "[>]",
    PlanStatus.PENDING: "[ ]",
    PlanStatus.CANCELLED: "[-]",
}
LONGEST_COMMAND, LONGEST_ERROR = 240, 300
"""Characters of a command and of an error; longer ones stand in the excerpts or behind their handle. Chosen."""
LOOKED_AT, MOST_READ, MOST_CHANGED, SECTIONS, NAMES = 40, 12, 3, 6, 12
"""Lines of a script that are looked at for one that tells what it does; files that were only read, changed files that
may have resolved an error, headings and other names that a line lists; chosen."""


def by_language(rows: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Our own words by language, from rows of English and Chinese."""
    return {code: {name: row[k] for name, row in rows.items()} for k, code in enumerate(("en", "zh"))}


WORDS = by_language(
    {
        "created": ("created", "新建"),
        "edited": ("edited", "编辑"),
        "deleted": ("deleted", "删除"),
        "moved": ("moved to", "移动到"),
        "defines": ("defines", "定义"),
        "sections": ("sections", "章节"),
        "failed": ("failed", "失败"),
        "of": ("of", "/"),
        "runs": ("runs failed", "次运行失败"),
        "running": ("still running", "仍在运行"),
        "refused": ("refused by the user", "被用户拒绝"),
        "none": ("ended without output", "无输出"),
        "exit": ("exit code", "退出码"),
        "ok": ("ok", "成功"),
        "passed": ("passed", "通过"),
        "errors": ("errors", "错误"),
        "told": ("reported by the user", "用户报告"),
        "skipped": ("skipped", "跳过"),
        "failing": ("failing", "失败项"),
        "only_read": ("read only", "仅读取"),
        "guides": ("read to go by", "作为依据读取"),
        "more": ("and {count} more", "及另外 {count} 个"),
        "from": ("from", "来自"),
        "outdated": ("files were edited after this run", "此次运行之后文件又有改动"),
        "before": ("(as it stood before the latest request)", "（最新请求之前的状态）"),
    }
)


def plan_lines(artifacts: Artifacts) -> tuple[str, ...]:
    """The agent's to-do list as it last stood, one line an entry."""
    return tuple(f"{MARKS[item.status]} {one_line(item.text, 400)}" for item in artifacts.plan)


def file_lines(artifacts: Artifacts, language: str, said: str = "") -> tuple[str, ...]:
    """One line naming documents to go by, one a changed file (newest first), one naming what else was only read.

    A document to go by is one whose name stands in what the person or the project's instructions `said`.
    """
    words = WORDS[language]
    order = {f.key: i for i, f in enumerate(artifacts.files)}
    changed = sorted(artifacts.changed, key=lambda f: -max(order[f.key], len(f.operations)))
    looked = [f.path for f in artifacts.files if not f.is_changed and any(o.happened for o in f.operations)]
    lower = said.lower()
    guides = [path for path in looked if is_guide(path, lower)]
    others = [path for path in looked if path not in guides]
    lines = (_listed("guides", guides, words), *(_changed_line(f, words) for f in changed))
    return tuple(filter(None, (*lines, _listed("only_read", others, words))))


def _listed(title: str, paths: Sequence[str], words: dict[str, str]) -> str:
    """Paths in a line, the newest first, and how many there are more."""
    more = len(paths) - MOST_READ
    beyond = f" {words['more'].format(count=more)}" if more > 0 else ""
    return f"{words[title]}: {', '.join(paths[::-1][:MOST_READ])}{beyond}" if paths else ""


def _changed_line(file: FileTrail, words: dict[str, str]) -> str:
    facts = [words["created"]] if file.state is ToolAction.CREATE else []
    if edits := file.count(ToolAction.EDIT):
        facts.append(words["edited"] + (f" ×{edits}" if edits > 1 else ""))
    if file.state is ToolAction.DELETE:
        moved = file.last.moved_to
        facts.append(f"{words['moved']} {moved}" if moved else words["deleted"])
    failed = [o for o in file.operations if not o.happened and o.action is not ToolAction.READ]
    if failed and failed[-1] is file.last:
        facts.append(ending_of(failed[-1].outcome, words))
    if file.names and is_markup(file.path):
        facts.append(f"{words['sections']} " + " / ".join(file.names[:SECTIONS]))
    elif file.names:
        facts.append(f"{words['defines']} " + ", ".join(file.names[-NAMES:]))
    return f"{file.path} — " + "; ".join(facts) if facts else file.path


def changes_of(artifacts: Artifacts, places: Mapping[str, int]) -> list[tuple[int, str, ToolAction]]:
    """Changes of files that happened, in order: index of the message (`places` by digest), path, what was done."""
    found = [
        (places.get(o.at.message, -1), f.path, o.action)
        for f in artifacts.files
        for o in f.operations
        if o.happened and o.action is not ToolAction.READ
    ]
    return sorted(found, key=lambda change: change[0])


_PUTS = re.compile(r"\s{0,4}(?:cat|tee)\b[^\n|]{0,300}<<|\s{0,4}(?:apply_?patch\b|mkdir\b[^\n&;|]{0,300}$)")
"""Commands that put files and folders somewhere and nothing else: where it worked, the files say so."""


def command_lines(artifacts: Artifacts, language: str, places: Mapping[str, int]) -> tuple[str, ...]:
    """One line a command that does something or failed when it last ran, then one a test command, each newest last.

    Left out is what only looked once or only wrote files. Of tests are told the counts and what fails, of tests,
    builds and checks whether files changed since.
    """
    words = WORDS[language]
    edited = max((at for at, _, _ in changes_of(artifacts, places)), default=-1)
    lines = []
    for c in artifacts.commands:
        is_slight = (c.looks_only and c.runs == 1) or (not c.outcome.failed and _PUTS.match(c.command))
        if is_slight or c.tally is not None:
            continue
        ending = ending_of(c.outcome, words)
        line = f"`{command_text(c.command)}`" + (f" ×{c.runs}" if c.runs > 1 else "")
        line += f" → {ending}" if ending else ""
        if c.failures and c.runs > 1:
            line += f" ({c.failures} {words['of']} {c.runs} {words['runs']})"
        old = c.purpose in (Purpose.BUILD, Purpose.CHECK) and places.get(c.last.message, edited) < edited
        lines.append(line + (f"; {words['outdated']}" if old else ""))
    for test in artifacts.tests:
        facts = [(test.tally and _counts(test.tally, words)) or ending_of(test.outcome, words)]
        if test.tally and test.tally.failing:
            facts.append(f"{words['failing']}: " + ", ".join(test.tally.failing[:NAMES]))
        if places.get(test.last.message, edited) < edited:
            facts.append(words["outdated"])
        told = "; ".join(filter(None, facts))
        lines.append(f"`{command_text(test.command)}`" + (f" → {told}" if told else ""))
    return tuple(lines)


def _counts(tally: TestTally, words: dict[str, str]) -> str:
    counts = (tally.passed, tally.failed, tally.errors, tally.skipped)
    named = zip(counts, ("passed", "failed", "errors", "skipped"), strict=True)
    return ", ".join(f"{n} {words[name]}" for n, name in named if n is not None)


def ending_of(outcome: Outcome, words: dict[str, str]) -> str:
    """How a call ended, in a word or two and the error's line; empty where nothing tells."""
    if outcome.refused or outcome.running:
        return words["refused" if outcome.refused else "running"]
    code = f" ({words['exit']} {outcome.exit_code})" if outcome.exit_code else ""
    if outcome.failed:
        return words["failed"] + code + (f": {one_line(outcome.error, 200)}" if outcome.error else "")
    if outcome.failed is None and code:
        return words["none"] + code
    return words["ok"] if outcome.failed is False or outcome.exit_code == 0 else ""


def one_line(text: str, most: int) -> str:
    """The first line of a text, verbatim; "…" says that there is more of it."""
    line, _, rest = text.strip().partition("\n")
    cut = line.rstrip()[:most]
    return cut if cut == line.rstrip() and not rest else cut + " …"


_OPENS = re.compile(r"(?:<<-?\s?(['\"]?)\w{1,40}\1|[\"']|\\)$")
"""How a line ends behind which a script begins, or that goes on in the next."""
_PREPARES = re.compile(r"(?:set [-+]\w|#|\$\w+\s?=|[A-Za-z_]\w*=\S*$|cd\s[^;&|]*$|export\s)")
"""A line that only makes ready for what a command does."""
_SAYS_LITTLE = re.compile(
    r"(?:-H\b|--header\b|import|from|using|use|require)\b|[\W_]*$|#|//|\*\*\* Begin Patch"
)
"""A line of a script that does not tell what it does."""


def command_text(command: str, most: int = LONGEST_COMMAND) -> str:
    """A command in a line, verbatim: the first of it, and where that says little also the next line that tells."""
    first, _, rest = command.strip().replace("\r\n", "\n").partition("\n")
    prepares = _PREPARES.match(first) is not None
    if not rest or not (prepares or _OPENS.search(first.rstrip())):
        return one_line(command, most)
    skips = [_SAYS_LITTLE, *([_PREPARES] if prepares else [])]
    lines = (line.strip() for line in rest.split("\n")[:LOOKED_AT])
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
        if cost + size <= room:
            cost += size
            taken.append(line)
    return tuple(reversed(taken) if newest_last else taken), cost


_NUMBERS = re.compile(r"\b[0-9a-f]{8,64}\b|\d+")
"""Numbers, and the ids of operations and commits."""
_MISSING = re.compile(
    r"No such file or directory|does not exist|\bENOENT\b|Cannot find path|File not found", re.IGNORECASE
)
_PATHS = re.compile(r"[\w@~.-]*[./][\w@~./-]*")
"""What looks like a path or the name of a file."""
_LOOKS = (ToolAction.READ, ToolAction.LIST, ToolAction.SEARCH)

OUTCOMES = by_language(
    {
        "resolved": ("resolved: the same succeeded later", "已解决：后来同样的操作成功了"),
        "repeated": ("resolved: repeating it succeeded", "已解决：重做一次后成功"),
        "otherwise": ("resolved: {command} succeeded later", "已解决：后来 {command} 成功了"),
        "changed": (
            "resolved: the same succeeded after changes to {files}",
            "已解决：改动 {files} 之后，同样的操作成功了",
        ),
        "edited": ("resolved: a later edit of the file succeeded", "已解决：后来对该文件的编辑成功了"),
        "reread": (
            "resolved: after re-reading the file a later edit of it succeeded",
            "已解决：重新读取该文件后，再次编辑成功",
        ),
        "again": ("not resolved: failed again when last run", "未解决：最后一次运行仍然失败"),
        "gave_way": (
            "gone: when the same was run again it failed in another way",
            "已不再出现：再次运行时以另一种方式失败",
        ),
        "open": ("not seen resolved", "未见解决"),
        "left": ("not seen again while later requests were worked on", "处理后来的请求时未再出现"),
        "missing": ("does not exist, as far as was looked", "经查看不存在"),
        "made": ("was not there then; it was created later", "当时不存在，后来已创建"),
        "more": ("and {count} more like it", "及另外 {count} 处同类"),
    }
)


def error_lines(
    artifacts: Artifacts, language: str, places: Mapping[str, int], *, finished: int = -1
) -> tuple[str, ...]:
    """One line a kind of error, newest last: its own words, where it came from, whether and after what it went away.

    Errors that differ in numbers or ids only and ended alike are of one kind; the newest stands for them.

    Args:
        artifacts: of the whole history.
        language: of our own words, "en" or "zh".
        places: index of each message, by digest.
        finished: index of the newest request that was worked on to its end.
    """
    looks = {c.command.split("\n", 1)[0] for c in artifacts.commands if c.looks_only}
    made = [
        (at, "/{}/".format(path.replace("\\", "/").lstrip("/")))
        for at, path, action in changes_of(artifacts, places)
        if action is ToolAction.CREATE
    ]
    kinds: dict[tuple[str, str], list[ErrorTrail]] = {}
    for error in artifacts.errors:
        if not error.line:
            continue  # of such a command its own line says how it ended
        seen = places.get(error.at.message, -1)
        status = _status(error, looks, [path for at, path in made if at > seen])
        status = "left" if status == "open" and seen < finished else status
        kind = (_NUMBERS.sub("0", error.line), status)
        kinds[kind] = [*kinds.pop(kind, ()), error]
    words = OUTCOMES[language]
    lines = []
    for (_, status), alike in kinds.items():
        newest, often = alike[-1], sum(error.times for error in alike)
        named = one_line(newest.line, LONGEST_ERROR) + (f" ×{often}" if often > 1 else "")
        source = f"{WORDS[language]['from']} `{command_text(newest.subject)}`"
        more = f" {words['more'].format(count=len(alike) - 1)}" if len(alike) > 1 else ""
        outcome = _resolution(newest, artifacts, places, words) if status == "resolved" else words[status]
        lines.append(f"{named} — {source}{more}; {outcome}")
    return tuple(lines)


def left_behind(line: str) -> str:
    """A line of an older ledger, once the requests behind it were worked on to their end."""
    for words in OUTCOMES.values():
        if line.endswith(words["open"]):
            return line.removesuffix(words["open"]) + words["left"]
    return line


def _status(error: ErrorTrail, looks: Collection[str], made: Collection[str]) -> str:
    """What came of an error; `made` are the files that were put there after it, between slashes."""
    if error.resolved:
        return "resolved"
    if _MISSING.search(error.line) and (error.kind in _LOOKS or error.subject in looks):
        named = f"{error.line} {error.subject}".replace("\\", "/")
        sought = {word.rstrip("/.").removeprefix("./").lstrip("/") for word in _PATHS.findall(named)} - {""}
        return "made" if any(f"/{place}/" in path for place in sought for path in made) else "missing"
    if error.gave_way:
        return "gave_way"
    return "again" if error.times > 1 else "open"


def _resolution(
    error: ErrorTrail, artifacts: Artifacts, places: Mapping[str, int], words: Mapping[str, str]
) -> str:
    """Say what happened between an error and the call that succeeded; nothing is claimed to be the cause."""
    failed = places.get(error.at.message, -1)
    done = places.get(error.resolved_by.message, -1) if error.resolved_by is not None else -1
    if not 0 <= failed < done:  # calls written alike can't be told apart
        return words["resolved"]
    if error.done_by:
        return words["otherwise"].format(command=f"`{command_text(error.done_by)}`")
    between = [
        (places[o.at.message], f, o.action)
        for f in artifacts.files
        for o in f.operations
        if o.happened and failed < places.get(o.at.message, -1) < done
    ]
    own = {f.key for f in artifacts.files for o in f.operations if o.at == error.at}
    if own and error.kind in (ToolAction.EDIT, ToolAction.CREATE):
        reread = any(action is ToolAction.READ and f.key in own for _, f, action in between)
        return words["reread" if reread else "edited"]
    between.sort(key=lambda one: one[0])
    changed = [f.path for _, f, action in between if action is not ToolAction.READ]
    if error.kind is ToolAction.RUN and changed:
        newest = list(dict.fromkeys(reversed(changed)))[:MOST_CHANGED]
        return words["changed"].format(files=", ".join(reversed(newest)))
    return words["repeated"]
