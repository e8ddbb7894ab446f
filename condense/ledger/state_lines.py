"""The state of the work as ledger lines: plan, files, commands and tests, errors; names and commands are verbatim."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.ledger.instruction_files import is_guide
from condense.reading import PlanStatus, Purpose, ToolAction, is_absolute, is_markup

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from condense.reading import Artifacts, CommandTrail, ErrorTrail, FileTrail, Outcome, TestTally
    from memory.conversation import TokenCounter

MARKS, DONE = dict(zip(PlanStatus, ("[ ]", "[>]", "[x]", "[-]"), strict=True)), ("[x]", "[-]")
"""Before an entry of the plan: pending, in progress, completed, cancelled; those of what is not open."""
LONGEST_COMMAND, SHORT_COMMAND, LONGEST_ERROR = 240, 120, 400
"""Characters of a command, of one beside an error, and of an error; the excerpts, or handles, have the rest; chosen."""
LOOKED_AT, MOST_READ, MOST_CHANGED, MOST_RUN, SECTIONS, NAMES = 40, 12, 3, 2, 6, 12
"""Lines of a script that are looked at for one that tells what it does; files that were only read, changed files and
commands that may have resolved an error, headings and other names that a line lists; chosen."""
RESOLVED, OPEN = "resolved: the same succeeded later", "not seen resolved"
LEFT = "not seen again while later requests were worked on"
TOLD = "told by the client: "
_WORDS = """created=新建|edited=编辑|deleted=删除|moved to=移动到|defines=定义|sections=章节|failed=失败|of=/|ok=成功
runs failed=次运行失败|uncommitted changes discarded=未提交的改动已丢弃
still running when last heard of=最后得知时仍在运行
stopped while it ran=运行中被停止|refused by the user=被用户拒绝|exit code=退出码|passed=通过
errors=错误|ended without output=无输出|reported by the user=用户报告|skipped=跳过|failing=失败项|from=来自
read only=仅读取|read to go by=作为依据读取|in {}:=在 {} 下：
and {} more=及另外 {} 个|and {} more like it=及另外 {} 处同类|1 call=1 次|{} calls={} 次
(written before the last {} changes of files)=（写于最近 {} 次文件改动之前）
(written at least {} calls ago)=（至少写于 {} 次调用之前）
(as it stood before the latest request)=（最新请求之前的状态）|the user writes in {}=用户使用{}
files were edited after this run=此次运行之后文件又有改动
resolved: repeating it succeeded=已解决：重做一次后成功|resolved: {} succeeded later=已解决：后来 {} 成功了
resolved: {} succeeded after {}=已解决：{1} 之后，{0} 成功了|the same=同样的操作|changes to {}=改动 {}
a later edit of the file succeeded=后来对该文件的编辑成功了
after re-reading the file a later edit of it succeeded=重新读取该文件后，再次编辑成功
not resolved: failed again when last run=未解决：最后一次运行仍然失败
gone: when the same was run again it failed in another way=已不再出现：再次运行时以另一种方式失败
does not exist, as far as was looked=经查看不存在|was not there then; it was created later=当时不存在，后来已创建
work on the latest request has not begun=最新请求尚未开始处理
work on the latest request goes on: {} so far, no closing report to the user yet=\
最新请求仍在进行：已调用 {}，尚未向用户作最终汇报
the user stopped the work after {}; nothing says that it is to go on=\
用户在助手已调用 {} 后中止了工作，之后没有任何表示要继续
work on the task goes on: {} so far, no closing report yet=任务仍在进行：已调用 {}，尚未作最终汇报
the assistant ended its turn after {} for the latest request=针对最新请求，助手在 {}调用后结束了回合
still to verify: nothing was compiled, run or tested since the last change ({})=\
有待验证：最后一次改动（{}）之后没有编译、运行或测试过"""
CHINESE = dict(row.split("=") for row in _WORDS.replace("\n", "|").split("|"))
CHINESE |= {RESOLVED: "已解决：后来同样的操作成功了", OPEN: "未见解决"}
CHINESE |= {LEFT: "处理后来的请求时未再出现", TOLD: "客户端告知："}
"""Our own words, by the English."""


def say(language: str, text: str, *values: object) -> str:
    """Our own words in a language ("en" or "zh"), with values in their places."""
    text = CHINESE[text] if language == "zh" else text
    return text.format(*values) if values else text


def plan_lines(artifacts: Artifacts) -> tuple[str, ...]:
    """The agent's to-do list as it last stood, one line an entry; what is open first, it is the last to be cut."""
    lines = (f"{MARKS[item.status]} {one_line(item.text, 400)}" for item in artifacts.plan)
    return tuple(sorted(lines, key=lambda line: line.startswith(DONE)))


def file_lines(artifacts: Artifacts, language: str, said: str = "") -> tuple[str, ...]:
    """Documents to go by (their names stand in what was `said`), changed files, what else was read.

    What was changed more than once or defines something comes first, then the newest.
    """
    order = {f.key: i for i, f in enumerate(artifacts.files)}
    changed = sorted(artifacts.changed, key=lambda f: (not f.names, -max(order[f.key], len(f.operations))))
    told = {f.path: _changed_line(f, language) for f in changed}
    plain = [path for path, line in told.items() if line == f"{path} — {say(language, 'created')}"]
    looked = [f.path for f in artifacts.files if not f.is_changed and any(o.happened for o in f.operations)]
    lower = said.lower()
    guides = [path for path in looked if is_guide(path, lower)]
    others = [path for path in looked if path not in guides]
    listed = ("read to go by", guides), ("created", plain[::-1]), ("read only", others)
    first, made, seen = (_listed(title, paths, language) for title, paths in listed)
    lines = [first, *(line for path, line in told.items() if path not in plain), made, seen]
    return tuple(filter(None, lines))


def _listed(title: str, paths: Sequence[str], language: str) -> str:
    more = len(paths) - MOST_READ
    beyond = f" {say(language, 'and {} more', more)}" if more > 0 else ""
    shown = paths[::-1][:MOST_READ]
    root = _shared_folder(shown)
    inside = [path.removeprefix(root) for path in shown if root and path.startswith(root)]
    others = [path for path in shown if not (root and path.startswith(root))]
    listed = [f"{say(language, 'in {}:', root)} {', '.join(inside)}"] if inside else []
    listed += [", ".join(others)] if others else []
    return f"{say(language, title)}: {'; '.join(listed)}{beyond}" if listed else ""


def _shared_folder(paths: Sequence[str]) -> str:
    """The absolute folder, with its separator, whose naming once saves most; "" where none holds two files."""
    whole = [path for path in paths if is_absolute(path)]
    holds = Counter(path[: i + 1] for path in whole for i, letter in enumerate(path) if i and letter in "/\\")
    saved = {folder: (n - 1) * len(folder) for folder, n in holds.items() if n > 1}
    return max(saved, key=lambda folder: saved[folder], default="")


def _changed_line(file: FileTrail, language: str) -> str:
    facts = [say(language, "created")] if file.state is ToolAction.CREATE else []
    over = (ToolAction.CREATE,) if file.state is ToolAction.EDIT else ()  # it was written over
    if edits := file.count(ToolAction.EDIT, *over):
        facts.append(say(language, "edited") + _times(edits))
    if file.state is ToolAction.DELETE:
        moved = file.last.moved_to
        facts.append(f"{say(language, 'moved to')} {moved}" if moved else say(language, "deleted"))
    if file.state is ToolAction.DISCARD:
        facts.append(say(language, "uncommitted changes discarded"))
    if not file.last.happened and file.last.action is not ToolAction.READ:
        facts.append(ending_of(file.last.outcome, language))
    if file.names and is_markup(file.path):
        facts.append(f"{say(language, 'sections')} " + " / ".join(file.names[:SECTIONS]))
    elif file.names:
        facts.append(f"{say(language, 'defines')} " + ", ".join(file.names[-NAMES:]))
    return f"{file.path} — " + "; ".join(facts) if facts else file.path


def _times(number: int) -> str:
    return f" ×{number}" if number > 1 else ""


def changes_of(artifacts: Artifacts, places: Mapping[str, int]) -> list[tuple[int, str, ToolAction]]:
    """Changes of files that happened, in order: index of the message (`places` by digest), path, what was done."""
    found = [
        (places.get(o.at.message, -1), f.path, o.action)
        for f in artifacts.files
        for o in f.operations
        if o.happened and o.action is not ToolAction.READ
    ]
    return sorted(found, key=lambda change: change[0])


PROSE = re.compile(  # files that nobody compiles or runs
    r"\.(?:md|mdx|markdown|rst|txt|adoc|csv|jsonl|ndjson|log|lock|svg|png|jpe?g|pdf)$|(?:^|[/\\])\.[^/\\]*$|^~[/\\]\.",
    re.IGNORECASE,
)
_PUTS = re.compile(r"\s{0,4}(?:cat|tee)\b[^\n|]{0,300}<<|\s{0,4}(?:apply_?patch\b|mkdir\b[^\n&;|]{0,300}$)")
"""Commands that put files and folders somewhere and nothing else: where it worked, the files say so."""


def command_lines(artifacts: Artifacts, language: str, places: Mapping[str, int]) -> tuple[str, ...]:
    """One line a command that did something or failed: counts, what fails, whether files changed since.

    Tests come last, and behind them what was started last of all that is still running.
    """
    started = max((places.get(c.last.message, -1) for c in artifacts.commands if c.outcome.running), default=-1)
    changes = changes_of(artifacts, places)
    moved = [places.get(c.last.message, -1) for c in artifacts.commands if c.moved]
    edited = max([-1, *moved, *(at for at, path, _ in changes if not PROSE.search(path))])

    def rank(c: CommandTrail) -> tuple[bool, bool]:
        return c.outcome.running and places.get(c.last.message, -1) == started, c.tally is not None

    lines = []
    for c in sorted(artifacts.commands, key=rank):
        is_slight = (c.looks_only and c.runs == 1) or (not c.outcome.failed and _PUTS.match(c.command))
        if is_slight and c.tally is None:
            continue
        counts = _counts(c.tally, language) if c.tally else ""
        facts = [counts or ending_of(c.outcome, language)]
        if c.failures and c.runs > 1:
            facts[0] += f" ({c.failures} {say(language, 'of')} {c.runs} {say(language, 'runs failed')})"
        if c.tally and c.tally.failing:
            facts.append(f"{say(language, 'failing')}: {', '.join(c.tally.failing[:NAMES])}")
        checks = c.tally or c.purpose in (Purpose.BUILD, Purpose.CHECK)
        if checks and places.get(c.last.message, edited) < edited:
            facts.append(say(language, "files were edited after this run"))
        told = "; ".join(filter(None, facts)).strip()
        lines.append(f"`{command_text(c.command)}`{_times(c.runs)}" + (f" → {told}" if told else ""))
    return tuple(lines)


def _counts(tally: TestTally, language: str) -> str:
    counts = (tally.passed, tally.failed, tally.errors, tally.skipped)
    named = zip(counts, ("passed", "failed", "errors", "skipped"), strict=True)
    return ", ".join(f"{n} {say(language, name)}" for n, name in named if n is not None)


def ending_of(outcome: Outcome, language: str) -> str:
    """How a call ended, in a word or two and the error's line; empty where nothing tells."""
    if outcome.refused or outcome.running:
        return say(language, "refused by the user" if outcome.refused else "still running when last heard of")
    if outcome.stopped:
        return say(language, "stopped while it ran")
    code = f" ({say(language, 'exit code')} {outcome.exit_code})" if outcome.exit_code else ""
    if outcome.failed:
        error = f": {one_line(outcome.error, 200)}" if outcome.error else ""
        return say(language, "failed") + code + error
    if outcome.failed is None and code:
        return say(language, "ended without output") + code
    return say(language, "ok") if outcome.failed is False or outcome.exit_code == 0 else ""


def one_line(text: str, most: int) -> str:
    """The first line of a text, verbatim; "…" says that there is more of it."""
    line, _, rest = text.strip().partition("\n")
    cut = line.rstrip()[:most]
    return cut if cut == line.rstrip() and not rest else cut + " …"


_OPENS = re.compile(r"(?:<<-?\s?(['\"]?)\w{1,40}\1|[\"']|\\)$")
"""How a line ends behind which a script begins, or that goes on in the next."""
_PREPARES = re.compile(r"(?:set [-+]\w|#|\$\w+\s?=|[A-Za-z_]\w*=\S*$|cd\s[^;&|]*$|export\s)")
"""A line that only makes ready for what a command does."""
_SAYS_LITTLE = re.compile(  # a line of a script that does not tell what it does
    r"(?:-H\b|--header\b|import|from|using|use|require)\b|[\W_]*$|#|//|\*\*\* Begin Patch"
)


def command_text(command: str, most: int = LONGEST_COMMAND) -> str:
    """A command in a line, verbatim: the first of it, and where that says little also the next line that tells."""
    first, _, rest = command.strip().replace("\r\n", "\n").partition("\n")
    if not rest or not (_PREPARES.match(first) or _OPENS.search(first.rstrip())):
        return one_line(command, most)
    lines = (line.strip() for line in rest.split("\n")[:LOOKED_AT])
    told = next((line for line in lines if not (_SAYS_LITTLE.match(line) or _PREPARES.match(line))), "")
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


_NUMBERS = re.compile(r"\b[0-9a-f]{8,64}\b|\d+")  # numbers, and the ids of operations and commits
_MISSING = re.compile(
    r"No such file or directory|does not exist|\bENOENT\b|Cannot find path|File not found", re.IGNORECASE
)
_PATHS = re.compile(r"[\w@~.-]*[./][\w@~./-]*")  # what looks like a path or the name of a file
_LOOKS = (ToolAction.READ, ToolAction.LIST, ToolAction.SEARCH)


def error_lines(
    artifacts: Artifacts, language: str, places: Mapping[str, int], *, finished: int = -1
) -> tuple[str, ...]:
    """One line a kind of error, newest last: its own words, where it came from, whether and after what it went away.

    Errors that differ in numbers or ids only and ended alike are of one kind; the newest stands for them.  `finished`
    is the index of the newest request that was worked on to its end.
    """
    looks = {c.command.split("\n", 1)[0] for c in artifacts.commands if c.looks_only}
    changes = changes_of(artifacts, places)
    created = [(at, path.replace("\\", "/").lstrip("/")) for at, path, a in changes if a is ToolAction.CREATE]
    kinds: dict[tuple[str, str], list[ErrorTrail]] = {}
    for error in artifacts.errors:
        if not error.line:
            continue  # of such a command its own line says how it ended
        seen = places.get(error.at.message, -1)
        status = _status(error, looks, [f"/{path}/" for at, path in created if at > seen])
        status = LEFT if status == OPEN and seen < finished else status
        kind = (_NUMBERS.sub("0", error.line), status)
        kinds[kind] = [*kinds.pop(kind, ()), error]
    lines = []
    for (_, status), alike in kinds.items():
        newest = alike[-1]
        named = one_line(newest.line, LONGEST_ERROR) + _times(sum(error.times for error in alike))
        source = f"{say(language, 'from')} `{command_text(newest.subject, SHORT_COMMAND)}`"
        more = f" {say(language, 'and {} more like it', len(alike) - 1)}" if len(alike) > 1 else ""
        outcome = _resolution(newest, artifacts, places, language) if status == RESOLVED else (status,)
        lines.append(f"{named} — {source}{more}; {say(language, *outcome)}")
    return tuple(lines)


def left_behind(line: str) -> str:
    """A line of an older ledger, once the requests behind it were worked on to their end."""
    for language in ("en", "zh"):
        if line.endswith(say(language, OPEN)):
            return line.removesuffix(say(language, OPEN)) + say(language, LEFT)
    return line


def _status(error: ErrorTrail, looks: Collection[str], made: Collection[str]) -> str:
    if error.resolved:
        return RESOLVED
    if _MISSING.search(error.line) and (error.kind in _LOOKS or error.subject in looks):
        named = f"{error.line} {error.subject}".replace("\\", "/")
        sought = {word.rstrip("/.").removeprefix("./").lstrip("/") for word in _PATHS.findall(named)} - {""}
        there = any(f"/{place}/" in path for place in sought for path in made)
        return "was not there then; it was created later" if there else "does not exist, as far as was looked"
    if error.gave_way:
        return "gone: when the same was run again it failed in another way"
    return "not resolved: failed again when last run" if error.times > 1 else OPEN


def _resolution(
    error: ErrorTrail, artifacts: Artifacts, places: Mapping[str, int], language: str
) -> tuple[str, ...]:
    """Say what happened between an error and the call that succeeded; nothing is claimed to be the cause."""
    failed = places.get(error.at.message, -1)
    done = places.get(error.resolved_by.message, -1) if error.resolved_by is not None else -1
    if not 0 <= failed < done:  # calls written alike can't be told apart
        return (RESOLVED,)
    own = [f for f in artifacts.files if any(o.at == error.at for o in f.operations)]
    if own and error.kind in (ToolAction.EDIT, ToolAction.CREATE):
        reads = (o for f in own for o in f.operations if o.happened and o.action is ToolAction.READ)
        if any(failed < places.get(o.at.message, -1) < done for o in reads):
            return ("after re-reading the file a later edit of it succeeded",)
        return ("a later edit of the file succeeded",)
    if error.kind is not ToolAction.RUN:
        return ("resolved: repeating it succeeded",)
    what = f"`{command_text(error.done_by, SHORT_COMMAND)}`" if error.done_by else say(language, "the same")
    if before := _between(artifacts, places, failed, done, language):
        return "resolved: {} succeeded after {}", what, "; ".join(before)
    return ("resolved: {} succeeded later", what) if error.done_by else ("resolved: repeating it succeeded",)


def _between(artifacts: Artifacts, places: Mapping[str, int], failed: int, done: int, language: str) -> list[str]:
    """What was changed and run, the last of it, between a failure and a success."""
    changed = [path for at, path, _ in changes_of(artifacts, places) if failed < at < done]
    newest = list(dict.fromkeys(reversed(changed)))[:MOST_CHANGED]
    ran = [
        f"`{command_text(c.command, SHORT_COMMAND)}`"
        for c in artifacts.commands
        if failed < places.get(c.last.message, -1) < done
        and c.purpose is Purpose.OTHER
        and not (c.looks_only or c.outcome.failed or _PUTS.match(c.command))
    ]
    told = [say(language, "changes to {}", ", ".join(reversed(newest)))] if newest else []
    return told + ran[-MOST_RUN:]
