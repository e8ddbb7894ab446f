"""Fill the state of the work into a ledger: what the tool calls say now, and what older ledgers said before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.ledger.history import is_report, last_finished
from condense.ledger.state_lines import (
    LONGEST_ERROR,
    WORDS,
    by_language,
    changes_of,
    command_lines,
    error_lines,
    file_lines,
    left_behind,
    one_line,
    plan_lines,
    within,
)
from condense.reading import NAMES, Purpose, ToolAction, clients_state
from memory.conversation import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from condense.ledger.document import Ledger
    from condense.ledger.readings import Filling
    from condense.reading import Artifacts
    from memory.conversation import Message

MOST_TOLD, LONGEST_TOLD = 10, 2000
"""Values that a client told which are taken over, and characters that are looked at for them; chosen."""
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
_VALUE = re.compile(
    r"^\s{0,8}(?:<(\w{2,30})>([^<>\n]{1,120})</\1>|([A-Z][\w ]{2,30}): ([^\n]{1,120}))$", re.MULTILINE
)
_STATE = {
    "mode": re.compile(r"^# Current Mode\n<slug>([\w-]{2,60})</slug>", re.MULTILINE),
    "workspace": re.compile(
        r"^# Current Work(?:space|ing) Directory \(([^\n]{1,300}?)\) Files", re.MULTILINE
    ),
}
"""What Cline and Roo tell, in the state behind their messages and results."""

PROGRESS = by_language(
    {
        "tongue": ("the user writes in {name}", "用户使用{name}"),
        "one": ("1 call", "1 次"),
        "calls": ("{count} calls", "{count} 次"),
        "waiting": ("work on the latest request has not begun", "最新请求尚未开始处理"),
        "working": (
            "work on the latest request goes on: {calls} so far, no closing report to the user yet",
            "最新请求仍在进行：已调用 {calls}，尚未向用户作最终汇报",
        ),
        "working_task": (
            "work on the task goes on: {calls} so far, no closing report yet",
            "任务仍在进行：已调用 {calls}，尚未作最终汇报",
        ),
        "reported": (
            "the assistant ended its turn after {calls} for the latest request",
            "针对最新请求，助手在 {calls}调用后结束了回合",
        ),
        "unverified": (
            "still to verify: no build, check or test has run since the last change ({file})",
            "有待验证：最后一次改动（{file}）之后没有构建、检查或测试过",
        ),
        "told": ("told by the client: ", "客户端告知："),
    }
)


def standing_lines(
    messages: Sequence[Message],
    artifacts: Artifacts,
    places: Mapping[str, int],
    language: str,
    *,
    asked: int,
    tongue: str,
    by_program: bool,
    before: Iterable[str] = (),
) -> tuple[str, ...]:
    """Say where the work stands, in at most four lines.

    Args:
        messages: the whole history.
        artifacts: of it.
        places: index of each message, by digest.
        language: of our own words, "en" or "zh".
        asked: index of the latest request, or of the task where nobody typed one; -1 where there is neither.
        tongue: code of the language the person types in, "" where it is not clear.
        by_program: nobody typed anything; a program gave the task.
        before: the same lines of older ledgers.
    """
    words = PROGRESS[language]
    lines = []
    if tongue and tongue != language:
        lines.append(words["tongue"].format(name=NAMES[language][tongue]))
    if asked >= 0:
        lines.append(_progress(messages[asked + 1 :], words, by_program=by_program))
    if path := _unverified(artifacts, places, asked):
        lines.append(words["unverified"].format(file=path))
    told = list(_told(messages, before).items())[:MOST_TOLD]
    if told:
        lines.append(words["told"] + "; ".join(f"{name}: {value}" for name, value in told))
    return tuple(lines)


def _progress(since: Sequence[Message], words: Mapping[str, str], *, by_program: bool) -> str:
    answers = [m for m in since if m.role is Role.ASSISTANT]
    if not answers:
        return words["waiting"]
    calls = sum(not is_report(call) for m in since for call in m.calls)
    last = answers[-1]
    ended = any(map(is_report, last.calls)) or (since[-1] is last and not last.calls)
    name = "reported" if ended else "working_task" if by_program else "working"
    return words[name].format(calls=words["one"] if calls == 1 else words["calls"].format(count=calls))


def _unverified(artifacts: Artifacts, places: Mapping[str, int], asked: int) -> str:
    """The last file of code changed for the latest request, where no check that could begin ran afterwards."""
    code = [
        (at, path)
        for at, path, action in changes_of(artifacts, places)
        if at > asked and action is not ToolAction.DELETE and not _PROSE.search(path)
    ]
    checks = (Purpose.TEST, Purpose.BUILD, Purpose.CHECK)
    runs = [(c.last, c.outcome) for c in artifacts.commands if c.purpose in checks or c.tally is not None]
    begun = (at for at, outcome in runs if not (outcome.failed and _NOT_STARTED.search(outcome.error)))
    ran = max((places.get(at.message, -1) for at in begun), default=-1)
    return code[-1][1] if code and ran < code[-1][0] else ""


def _told(messages: Sequence[Message], before: Iterable[str]) -> dict[str, str]:
    """What a client told of the machine and the agent's limits, by name; the newest holds."""
    told: dict[str, str] = {}
    for line in before:
        for words in PROGRESS.values():
            if line.startswith(words["told"]):
                older = (value.partition(": ") for value in line.removeprefix(words["told"]).split("; "))
                told |= {name: value for name, _, value in older}
    for message in messages:
        for part in message.parts if message.role is Role.USER else ():
            state = clients_state(part)
            told |= {name: found[1] for name, pattern in _STATE.items() if (found := pattern.search(state))}
            _, opened, block = part.text.partition("<environment_context>")
            if opened and part.kind is PartKind.TEXT and not message.results:
                values = _VALUE.findall(block[:LONGEST_TOLD].partition("</environment_context>")[0])
                told |= {tag or name: value or said for tag, value, name, said in values}
    return told


STATE_SHARES = {"standing": 0.04, "plan": 0.06, "files": 0.05, "commands": 0.05, "errors": 0.04}
"""Shares of the target that the sections of the state may take; chosen on how people's sessions read."""
TITLE = 24
"""Tokens kept free for a section's title; chosen."""
_QUOTED = re.compile(r"`([^`\n]+)`")


def fill_state(filling: Filling, ledger: Ledger, left: int) -> Ledger:
    """Say where the work stands: plan, files, commands, errors; computed from all tool calls, the kept ones too."""
    artifacts, carried = filling.reading.artifacts, filling.carried
    language, messages, places = filling.language, filling.history.messages, filling.reading.places
    before: dict[str, list[str]] = {
        name: [line for _, older in carried.ledgers for line in getattr(older, name)] for name in STATE_SHARES
    }
    requests = [i for i, _ in carried.said]
    asked, finished = max(requests, default=-1), last_finished(messages, requests)
    older = [(i < finished, line) for i, one in carried.ledgers for line in one.errors]
    before["errors"] = [left_behind(line) if left else line for left, line in older]
    plan = plan_lines(artifacts)
    if plan and artifacts.plan_at is not None and places.get(artifacts.plan_at.message, asked) < asked:
        plan = (WORDS[language]["before"], *plan)
    now: dict[str, Sequence[str]] = {
        "standing": standing_lines(
            messages,
            artifacts,
            places,
            language,
            asked=asked if carried.brief is None else max(asked, carried.brief[0]),
            tongue=filling.reading.tongue,
            by_program=not carried.said,
            before=before["standing"],
        ),
        "plan": plan,
        "files": file_lines(artifacts, language, "\n".join(carried.guidance)),
        "commands": command_lines(artifacts, language, places),
        "errors": [
            *_reported(filling, ledger),
            *error_lines(artifacts, language, places, finished=finished),
        ],
    }
    fields: dict[str, Any] = {}
    for name, share in STATE_SHARES.items():
        merged = merge_lines(name, before[name], now[name])
        room = min(int(share * filling.target), left)
        fields[name], cost = within(merged, room, filling.count, newest_last=name in ("commands", "errors"))
        left -= cost + (TITLE if fields[name] else 0)
    return replace(ledger, **fields)


def _reported(filling: Filling, ledger: Ledger) -> list[str]:
    """Errors that the user reported or pasted, where no quote holds them."""
    said = "\n".join(s.text for s in ledger.quotes)
    words = WORDS[filling.language]["told"]
    told = (m.content for m in filling.memories if m.is_report and m.content not in said)
    return [f"{one_line(content, LONGEST_ERROR)} — {words}" for content in told]


def merge_lines(section: str, before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Put the lines of an older ledger together with today's, which win where both speak of the same thing.

    A new plan replaces the older one, and so does where the work stands. Files come newest first, the rest newest last.
    """
    if section in ("standing", "plan"):
        return list(now or before)
    known = {_subject(section, line) for line in now}
    older = [line for line in dict.fromkeys(before) if _subject(section, line) not in known]
    return [*now, *older] if section == "files" else [*older, *now]


def _subject(section: str, line: str) -> str:
    """What a line of the state speaks of: a path, a command, what failed."""
    if section == "files":
        return line.split(" — ", 1)[0]
    quoted = _QUOTED.findall(line)
    return (quoted[-1] if section == "errors" else quoted[0]) if quoted else line
