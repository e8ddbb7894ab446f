"""What a client tells of the machine: the folder, the shell, the date, what the agent may read and write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.ledger.state_lines import one_line
from condense.reading import STATE, clients_state
from memory.conversation import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import Message

LEADS = {"en": "told by the client: ", "zh": "客户端告知："}
"""How the line begins that says it."""
_TOLD = "<environment_context>"
_VALUE = re.compile(
    r"^\s{0,8}(?:<(\w{2,30})>([^<>\n]{1,120})</\1>|([A-Z][\w ]{2,30}): ([^\n]{1,120}))$", re.MULTILINE
)
MOST_TOLD = 10
"""Values that are taken over of what a client tells of the machine; chosen."""
_STATE = {
    "mode": re.compile(r"^# Current Mode\n<slug>([\w-]{2,60})</slug>", re.MULTILINE),
    "workspace": re.compile(
        r"^# Current Work(?:space|ing) Directory \(([^\n]{1,300}?)\) Files", re.MULTILINE
    ),
}
_ENTRY = re.compile(r'<entry access="(\w{2,12})"><(?:special|path)>([^<>;\n]{1,300})</')

LONGEST_PLACES = 200
"""Characters of the places of one kind of access; chosen."""
LONGEST_TOLD = 2000
"""Characters of such a block that are looked at; chosen."""


def told_line(messages: Sequence[Message], language: str) -> str:
    """What a client told of the machine and the agent's limits, the newest of each name; "" where it told nothing."""
    told: dict[str, str] = {}
    for message in messages:
        if message.role is not Role.USER:
            continue
        for part in message.parts:
            if STATE in part.text:
                told |= _state_values(clients_state(part))
            if message.results:
                continue
            start = part.text.find(_TOLD) if part.kind is PartKind.TEXT else -1
            if start >= 0:
                block = part.text[start : start + LONGEST_TOLD].partition("</environment_context>")[0]
                now = {tag or name: value or said for tag, value, name, said in _VALUE.findall(block)}
                now |= _access(block, now.get("cwd") or told.get("cwd", ""))
                told = _told_anew(told, now)
    values = [f"{name}: {value}" for name, value in told.items()][:MOST_TOLD]
    return LEADS[language] + "; ".join(values) if values else ""


def _state_values(state: str) -> dict[str, str]:
    """What the state that Cline, Roo and their like add says of where and how the agent works."""
    return {
        name: one_line(found[1], LONGEST_PLACES)
        for name, pattern in _STATE.items()
        if (found := pattern.search(state))
    }


def says_told(line: str) -> bool:
    """Tell whether a line says what a client told of the machine."""
    return line.startswith(tuple(LEADS.values()))


def with_told(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """Lines of today with what a client told before, where it has not told it anew."""
    older = next((line for line in before if says_told(line)), None)
    newer = next((line for line in lines if says_told(line)), None)
    if older is None or newer is None:
        return [*lines, *([older] if older is not None else [])]
    told = _told_anew(*({v.partition(": ")[0]: v for v in _values_told(line)} for line in (older, newer)))
    lead = newer.removesuffix("; ".join(_values_told(newer)))
    return [lead + "; ".join([*told.values()][:MOST_TOLD]) if line is newer else line for line in lines]


def _values_told(line: str) -> list[str]:
    return next(line.removeprefix(lead) for lead in LEADS.values() if line.startswith(lead)).split("; ")


def _told_anew(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The newest value of each name; what may be read and written is told as a whole, as seen from one folder."""
    moved = "cwd" in now and now["cwd"] != before.get("cwd")
    anew = moved or any(map(_is_access, now))
    return {name: value for name, value in before.items() if not (anew and _is_access(name))} | dict(now)


def _is_access(name: str) -> bool:
    return name.endswith(" access")


def _access(block: str, folder: str) -> dict[str, str]:
    """What the agent may read and write, by kind of access; paths as seen from the folder it works in."""
    found: dict[str, list[str]] = {}
    for access, place in _ENTRY.findall(block):
        path = "." if place == folder else place.removeprefix(f"{folder}/") if folder else place
        found.setdefault(f"{access} access", []).append(path)
    return {access: one_line(", ".join(paths), LONGEST_PLACES) for access, paths in found.items()}
