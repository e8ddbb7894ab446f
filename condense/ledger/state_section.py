"""Fill the state of the work into a ledger: what the tool calls say now, and what older ledgers said before."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.ledger.assistant_text import is_report
from condense.ledger.client_notices import with_earlier
from condense.ledger.error_lines import LONGEST_ERROR, error_lines, left_behind
from condense.ledger.progress_lines import says_loaded, standing_lines
from condense.ledger.state_lines import (
    WORDS,
    command_lines,
    file_lines,
    is_page,
    one_line,
    plan_lines,
    repeated_line,
    stale_plan,
    test_lines,
    url_lines,
    within,
)
from memory.conversation import Role, canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.ledger.document import Ledger
    from condense.ledger.draft import Filling
    from memory.conversation import Message

STATE_SHARES = {
    "standing": 0.04,
    "plan": 0.06,
    "files": 0.05,
    "tests": 0.025,
    "commands": 0.03,
    "urls": 0.015,
    "errors": 0.04,
}
"""Shares of the target that the sections of the state may take; chosen on how people's sessions read."""
TITLE = 24
"""Tokens kept free for a section's title; chosen."""
LATELY = 12
"""How many of the newest calls are looked at for one that is made again and again; chosen."""
REPEATED = 3
"""How often it must have been made among them; chosen."""
MOST_LOADS = 2
"""Lines of older ledgers on what was loaded on demand that stay, the newest; chosen."""
_QUOTED = re.compile(r"`([^`\n]+)`")


def fill_state(filling: Filling, ledger: Ledger, left: int) -> Ledger:
    """Say where the work stands: plan, files, tests, commands; computed from all tool calls, the kept ones too."""
    artifacts = filling.reading.artifacts
    language = filling.language
    messages = filling.history.messages
    places = {m.digest: i for i, m in enumerate(messages)}
    plan = plan_lines(artifacts)
    asked = max((i for i, _ in filling.carried.said), default=-1)
    if plan and artifacts.plan_at is not None and places.get(artifacts.plan_at.message, asked) < asked:
        plan = (stale_plan(language), *plan)
    finished = last_finished(messages, [i for i, _ in filling.carried.said])
    again = repeated_call(messages)
    commands = command_lines(artifacts, language, places)
    if again is not None:
        commands = (*commands, repeated_line(*again, language))
    brief = filling.carried.brief
    now = {
        "standing": standing_lines(
            messages,
            artifacts,
            places,
            language,
            asked=asked if brief is None else max(asked, brief[0]),
            tongue=filling.reading.tongue,
            by_program=not filling.carried.said,
        ),
        "plan": plan,
        "files": file_lines(artifacts, language, "\n".join(filling.carried.guidance)),
        "tests": test_lines(artifacts, language, places),
        "commands": commands,
        "urls": url_lines(artifacts, language),
        "errors": (
            *_reported(filling, ledger),
            *error_lines(artifacts, language, places, finished=finished),
        ),
    }
    before = {name: [x for _, one in filling.carried.ledgers for x in getattr(one, name)] for name in now}
    older = [(i < finished, line) for i, one in filling.carried.ledgers for line in one.errors]
    before["errors"] = [left_behind(line) if left else line for left, line in older]
    fields: dict[str, tuple[str, ...]] = {}
    for name, lines in now.items():
        newest_last = name not in ("standing", "plan", "files")
        room = min(int(STATE_SHARES[name] * filling.target), left)
        merged = merge_lines(name, before[name], lines)
        fields[name], cost = within(merged, room, filling.count, newest_last=newest_last)
        left -= cost + (TITLE if fields[name] else 0)
    return replace(
        ledger,
        standing=fields["standing"],
        plan=fields["plan"],
        files=fields["files"],
        tests=fields["tests"],
        commands=fields["commands"],
        urls=fields["urls"],
        errors=fields["errors"],
    )


def _reported(filling: Filling, ledger: Ledger) -> list[str]:
    """Errors that the user reported or pasted, where no quote holds them."""
    said = "\n".join(s.text for s in (*ledger.earlier, *((ledger.latest,) if ledger.latest else ())))
    words = WORDS[filling.language]["told"]
    told = (m.content for m in filling.memories if m.is_report and m.content not in said)
    return [f"{one_line(content, LONGEST_ERROR)} — {words}" for content in told]


def merge_lines(section: str, before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Put the lines of an older ledger together with today's, which win where both speak of the same thing.

    A new plan replaces the older one, and so does where the work stands, but for what was loaded on demand and what the
    client told and asked. Files come newest first, everything else newest last.
    """
    if section in ("standing", "plan"):
        loaded = [line for line in before if says_loaded(line) and line not in now]
        lines = [*now, *loaded[:MOST_LOADS]]
        return with_earlier(lines, before) if now else list(before)
    known = {_subject(section, line) for line in now}
    older = [line for line in dict.fromkeys(before) if _subject(section, line) not in known]
    if section == "urls":
        return sorted([*older, *now], key=is_page)
    return [*now, *older] if section == "files" else [*older, *now]


def last_finished(messages: Sequence[Message], asked: Sequence[int]) -> int:
    """Index of the newest request behind which the assistant ended its turn, -1 where there is none.

    Args:
        messages: the history.
        asked: indexes of the requests, in order.
    """
    ends = [message.role is Role.ASSISTANT and all(map(is_report, message.calls)) for message in messages]
    turns = zip(asked, [*asked[1:], len(messages)], strict=False)
    return max((i for i, end in turns if end > i + 1 and ends[end - 1]), default=-1)


def _subject(section: str, line: str) -> str:
    """What a line of the state speaks of: a path, a command, an address, what failed."""
    if section == "files":
        return line.split(" — ", 1)[0]
    if section == "urls":
        return line.split(" → ", 1)[0] if is_page(line) else line
    quoted = _QUOTED.findall(line)
    return (quoted[-1] if section == "errors" else quoted[0]) if quoted else line


def repeated_call(messages: Sequence[Message]) -> tuple[str, int, int] | None:
    """Find a call that was made again and again lately, as it was.

    Returns:
        What it does, how often, and among how many of the newest calls; None where there is none.
    """
    newest = [part for message in messages[-4 * LATELY :] for part in message.calls][-LATELY:]
    made = Counter((part.name or "", canonical_json(part.arguments)) for part in newest)
    if not made:
        return None
    (name, arguments), times = made.most_common(1)[0]
    if times < REPEATED:
        return None
    part = next(p for p in newest if (p.name or "", canonical_json(p.arguments)) == (name, arguments))
    values = part.arguments.values() if isinstance(part.arguments, dict) else [part.arguments]
    words = " ".join(v for v in values if isinstance(v, str) and v.strip())
    return one_line(f"{name} {words}", 160), times, len(newest)
