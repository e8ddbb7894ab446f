"""Fill the state of the work into a ledger: what the tool calls say now, and what older ledgers said before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.ledger.error_lines import error_lines, left_behind
from condense.ledger.history import last_finished
from condense.ledger.progress_lines import standing_lines
from condense.ledger.state_lines import (
    LONGEST_ERROR,
    WORDS,
    command_lines,
    file_lines,
    one_line,
    plan_lines,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.ledger.document import Ledger
    from condense.ledger.readings import Filling

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
