"""Fill the state of the work into a ledger: what the tool calls say now, and what older ledgers said before."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from condense.ledger.history import is_report, is_stopped, last_finished
from condense.ledger.state_lines import (
    DONE,
    LONGEST_ERROR,
    PROSE,
    TOLD,
    changes_of,
    command_lines,
    error_lines,
    file_lines,
    left_behind,
    one_line,
    plan_lines,
    say,
    within,
)
from condense.reading import NAMES, Purpose, ToolAction, read_shell, typed_language
from memory.conversation import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from condense.ledger.document import Ledger
    from condense.ledger.readings import Filling, HistoryReading
    from condense.reading import Artifacts
    from memory.conversation import Message

STATE_SHARES = {"standing": 0.04, "plan": 0.06, "files": 0.05, "commands": 0.05, "errors": 0.08}
"""Shares of the target that the sections of the state may take; chosen on how people's sessions read."""
TOLD_BY_NARRATIVE = ("files", "commands", "errors")  # they would repeat what a model wrote, or contradict it
TITLE = 24  # tokens kept free for a section's title; chosen
OLD_PLAN = 10  # calls after which a plan says how old it is; chosen
SPOKEN_LAST = 3  # newest requests whose language is the person's, where it is clear; chosen
MOST_TOLD, LONGEST_TOLD = 10, 2000
"""Values that a client told which are taken over, and characters that are looked at for them; chosen."""
_QUOTED = re.compile(r"`([^`\n]+)`")
_MORE = re.compile(r"… \D{1,9}(\d{1,6})\D{1,9}")  # the last line of a section that was cut
_READ = tuple(say(tongue, title) for tongue in NAMES for title in ("read only", "read to go by"))
DISCARDED = tuple(say(tongue, "uncommitted changes discarded") for tongue in NAMES)
_LISTING = re.compile(rf"({'|'.join((*_READ, 'created', '新建'))}): (.+?)( (?:and|及另外) \d+ (?:more|个))?")
_IN_FOLDER = re.compile(r"(?:(?:in|在) (.+?)(?::| 下：) )?(.+)")
_ENDS = re.compile(r" — [^/]*(?:deleted|moved to|删除|移动到)")
_NOT_STARTED = re.compile(  # errors of commands that could not even begin
    r"command not found|: not found\s*$|is not recognized as|executable file not found"
    r"|\bJAVA_HOME\b.{0,40}\bnot\b|^error: (?:rustup could not|no such command)"
    r"|^(?:\S{0,40}/)?(?:ba|z|da|k)?sh: (?:line )?(?:\d{1,6}: )?\S{1,200}: "
    r"(?:Permission denied|No such file or directory)\s*$",
    re.MULTILINE,
)
_VALUE = re.compile(
    r"^\s{0,8}(?:<(\w{2,30})>([^<>\n]{1,120})</\1>|([A-Z][\w ]{2,30}): ([^\n]{1,120}))$", re.MULTILINE
)


def standing_lines(reading: HistoryReading, language: str, before: Iterable[str] = ()) -> tuple[str, ...]:
    """Say in at most four lines where the work on the latest request, or task, stands; `before`: of older ledgers."""
    messages, said = reading.history.messages, reading.carried.said
    texts = [one.text for _, one in said]
    tongue = typed_language(texts[-SPOKEN_LAST:]) or typed_language(texts)
    asked = max((i for i, _ in said or filter(None, (reading.carried.brief,))), default=-1)
    lines = []
    if tongue and tongue != language:
        lines.append(say(language, "the user writes in {}", NAMES[language][tongue]))
    if asked >= 0:
        lines.append(_progress(messages[asked + 1 :], language, by_program=not said))
    if path := _unverified(reading.artifacts, reading.places, asked):
        still = "still to verify: nothing was compiled, run or tested since the last change ({})"
        lines.append(say(language, still, path))
    if told := list(_told(messages, before).items())[:MOST_TOLD]:
        lines.append(say(language, TOLD) + "; ".join(f"{name}: {value}" for name, value in told))
    return tuple(lines)


def _progress(since: Sequence[Message], language: str, *, by_program: bool) -> str:
    answers = [m for m in since if m.role is Role.ASSISTANT]
    if not answers:
        return say(language, "work on the latest request has not begun")
    number = sum(not is_report(call) for m in since for call in m.calls)
    calls = say(language, "1 call") if number == 1 else say(language, "{} calls", number)
    last = answers[-1]
    if any(map(is_stopped, takewhile(lambda m: m.role is not Role.ASSISTANT, reversed(since)))):
        return say(language, "the user stopped the work after {}; nothing says that it is to go on", calls)
    if any(map(is_report, last.calls)) or (since[-1] is last and not last.calls):
        return say(language, "the assistant ended its turn after {} for the latest request", calls)
    if by_program:
        return say(language, "work on the task goes on: {} so far, no closing report yet", calls)
    goes_on = "work on the latest request goes on: {} so far, no closing report to the user yet"
    return say(language, goes_on, calls)


def _unverified(artifacts: Artifacts, places: Mapping[str, int], asked: int) -> str:
    """The last file of code changed for the latest request, where no check that could begin ran afterwards."""
    states, there = {f.path: f.state for f in artifacts.files}, (ToolAction.CREATE, ToolAction.EDIT)
    code = [
        (at, path)
        for at, path, action in changes_of(artifacts, places)
        if at > asked and action in there and states[path] in there and not PROSE.search(path)
    ]
    checks = (Purpose.TEST, Purpose.BUILD, Purpose.CHECK)
    ran = -1
    for c in artifacts.commands:
        checked = c.purpose in checks or c.tally is not None or read_shell(c.command).runs
        begun = not c.outcome.refused and not (c.outcome.failed and _NOT_STARTED.search(c.outcome.error))
        ran = max(ran, places.get(c.last.message, -1)) if checked and begun else ran
    return code[-1][1] if code and ran < code[-1][0] else ""


def _told(messages: Sequence[Message], before: Iterable[str]) -> dict[str, str]:
    told: dict[str, str] = {}
    for line in before:
        for mark in (say("en", TOLD), say("zh", TOLD)):
            if line.startswith(mark):
                older = (value.partition(": ") for value in line.removeprefix(mark).split("; "))
                told |= {name: value for name, _, value in older}
    for message in messages:
        for part in message.parts if message.role is Role.USER else ():
            _, opened, block = part.text.partition("<environment_context>")
            if opened and part.kind is PartKind.TEXT and not message.results:
                values = _VALUE.findall(block[:LONGEST_TOLD].partition("</environment_context>")[0])
                told |= {tag or name: value or said for tag, value, name, said in values}
    return told


def fill_state(filling: Filling, ledger: Ledger, left: int) -> Ledger:
    """Say where the work stands: plan, files, commands, errors; computed from all tool calls, the kept ones too."""
    carried, language, reading = filling.carried, filling.language, filling.reading
    artifacts, places = reading.artifacts, reading.places
    before: dict[str, list[str]] = {
        name: [line for _, older in carried.ledgers for line in getattr(older, name)] for name in STATE_SHARES
    }
    requests = [i for i, _ in carried.said]
    asked, finished = max(requests, default=-1), last_finished(filling.history.messages, requests)
    before["errors"] = [
        left_behind(line) if i < finished else line for i, one in carried.ledgers for line in one.errors
    ]
    plan = plan_lines(artifacts)
    before["plan"] = [] if plan else before["plan"]  # a new one replaces an older one wholly
    written = places.get(artifacts.plan_at.message, asked) if artifacts.plan_at is not None else asked
    if plan and written < asked:
        left_open = [line for line in plan if not line.startswith(DONE)]
        plan = (say(language, "(as it stood before the latest request)"), *left_open) if left_open else ()
    elif plan and (since := sum(at > written for at, _, _ in changes_of(artifacts, places))) > 1:
        plan = (say(language, "(written before the last {} changes of files)", since), *plan)
    elif plan and (since := sum(len(m.calls) for m in filling.history.messages[written + 1 :])) > OLD_PLAN:
        plan = (say(language, "(written at least {} calls ago)", since), *plan)
    said, by_user = "\n".join(s.text for s in ledger.quotes), say(language, "reported by the user")
    pasted = [one_line(m.content, LONGEST_ERROR) for m in filling.memories if m.is_report and m.content not in said]
    now: dict[str, Sequence[str]] = {
        "standing": standing_lines(reading, language, before["standing"]),
        "plan": plan,
        "files": file_lines(artifacts, language, "\n".join(carried.guidance)),
        "commands": command_lines(artifacts, language, places),
        "errors": [
            *(f"{line} — {by_user}" for line in pasted),
            *error_lines(artifacts, language, places, finished=finished),
        ],
    }
    fields: dict[str, Any] = {}
    for name, share in STATE_SHARES.items():
        cut = [m for line in before[name] if (m := _MORE.fullmatch(line))]
        merged = merge_lines(name, [line for line in before[name] if not _MORE.fullmatch(line)], now[name])
        if ledger.narrative and name in TOLD_BY_NARRATIVE:
            continue
        room = min(int(share * filling.target), left)
        newest_last = name in ("commands", "errors")
        kept, cost = within(merged, room, filling.count, newest_last=newest_last)
        if kept and (hidden := len(merged) - len(kept) + sum(int(m[1]) for m in cut)):
            more = "… " + say(language, "and {} more", hidden)
            kept = (more, *kept) if newest_last else (*kept, more)
        fields[name], left = kept, left - cost - (TITLE if kept else 0)
    return replace(ledger, **fields)


def merge_lines(section: str, before: Sequence[str], now: Sequence[str]) -> list[str]:
    """An older ledger's lines and today's, which win (a plan wholly); files come newest first, the rest newest last."""
    if section in ("standing", "plan"):
        return list(now or before)

    def subject(line: str) -> str:
        """What a line speaks of: a path, a command, what failed."""
        if section == "files":
            return line.split(" — ", 1)[0]
        quoted = _QUOTED.findall(line)
        return (quoted[-1] if section == "errors" else quoted[0]) if quoted else line

    if section == "files":
        before = tuple(_untold(before, now))
    known = {subject(line) for line in now if not line.endswith(DISCARDED)}
    older = [line for line in dict.fromkeys(before) if subject(line) not in known]
    return [*now, *older] if section == "files" else [*older, *now]


def _paths(line: str) -> list[str]:
    """The files that a line tells of."""
    listing = _LISTING.fullmatch(line)
    parts = (_IN_FOLDER.fullmatch(part) for part in listing[2].split("; ")) if listing else ()
    found = [(part[1] or "") + name for part in parts if part for name in part[2].split(", ")]
    return found or [line.split(" — ", 1)[0]]


def _untold(before: Iterable[str], now: Iterable[str]) -> Iterator[str]:
    """Lines of older ledgers about files, without those that today's tell of, however their paths are written."""
    lines = {line: _paths(line) for line in before}
    older = [path for paths in lines.values() for path in paths]
    gone: dict[str, bool] = {}  # whether the file is there no more, or is spoken of again
    for line in now:
        ends = _ENDS.search(line) is not None
        for new in () if line.startswith(_READ) or line.endswith(DISCARDED) else _paths(line):
            same = [p for p in older if f"/{p}".endswith(f"/{new}") or ("/" in p and f"/{new}".endswith(f"/{p}"))]
            same += [p for p in older if ends and f"/{new}/" in f"/{p}"]
            gone |= dict.fromkeys(same, ends) if "/" in new or (ends and len(same) == 1) else {}
    for line, paths in lines.items():
        m = _LISTING.fullmatch(line)
        made = m is not None and m[1] not in _READ
        if left := [path for path in paths if path not in gone or (made and not gone[path])]:
            yield line if left == paths or not m else f"{m[1]}: {', '.join(left)}{m[3] or ''}"
