"""What a client tells the agent of the machine and asks of it: Codex, Cline, Roo and their like.

Each becomes one ledger line of its own, in the client's words, and survives compactions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.ledger.state_lines import one_line
from condense.reading import clients_state
from memory.conversation import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation import Message, Part

TOLD = {"en": "told by the client: ", "zh": "客户端告知："}
ASKED = {"en": "asked by the client: ", "zh": "客户端要求："}
"""How the lines begin."""
_LISTED, BETWEEN = "; ", " | "
"""Stand between the values of the one, and between the notices of the other."""
MOST_TOLD, MOST_NOTICES = 10, 5
"""Values, and notices (the newest), that are taken over; chosen."""
SHORTEST_NOTICE, LONGEST_NOTICE, HARD_LIMIT = 20, 120, 300
"""Characters of the shortest notice; up to which whole sentences are taken; beyond which a sentence is left out."""
LINES = 2
"""Lines of each notice that are taken over; chosen."""
LONGEST_PLACES, LONGEST_TOLD = 200, 2000
"""Characters of the places of one kind of access, and of a block that are looked at; chosen."""

_VALUE = re.compile(
    r"^\s{0,8}(?:<(\w{2,30})>([^<>\n]{1,120})</\1>|([A-Z][\w ]{2,30}): ([^\n]{1,120}))$", re.MULTILINE
)
_STATE = {
    "mode": re.compile(r"^# Current Mode\n<slug>([\w-]{2,60})</slug>", re.MULTILINE),
    "workspace": re.compile(
        r"^# Current Work(?:space|ing) Directory \(([^\n]{1,300}?)\) Files", re.MULTILINE
    ),
}
_ENTRY = re.compile(r'<entry access="(\w{2,12})"><(?:special|path)>([^<>;\n]{1,300})</')
_NOTICE = re.compile(r"<notice>(.{20,2000}?)</notice>", re.DOTALL)
_TAG = re.compile(r"</?i>")
_AFTER_NAME = re.compile(r"\s{0,9}\[[\w.-]{2,60} for '[^'\n]{0,400}'\. ([A-Z][^\n]{20,400}?)\] Result:")
_REFUSED = re.compile(r"^Tool \[\S{2,60}\] was not executed because ([^\n]{20,400})$", re.MULTILINE)
_RESULT = re.compile(r"\s{0,9}\[([\w.-]{2,60})(?: for |\(|\] Result:)")
_RUNS = re.compile(r"command|terminal|shell|bash|mcp|browser|fetch")
"""Tools whose results hold what others wrote."""
_CONTENT = re.compile(r"<content\b.*?(?:</content>|\Z)", re.DOTALL)
"""What a result shows of a file."""
_ORDER = re.compile(r"^IMPORTANT: [^\n]{20,400}$", re.MULTILINE)
"""What stands among the state and wants something; only the newest state holds."""
_ONCE = re.compile(r"\breview the user's feedback\b|\bnew baseline\b", re.IGNORECASE)
"""Sentences about one result."""
_END = re.compile(r"[.!?](?=\s|$)|[。！？]|$")


def told_line(messages: Sequence[Message], language: str) -> str:
    """What a client told of the machine and the agent's limits, the newest of each name; "" where it told nothing."""
    told: dict[str, str] = {}
    for message in messages:
        for part in message.parts if message.role is Role.USER else ():
            state = clients_state(part)
            told |= {k: one_line(m[1], LONGEST_PLACES) for k, p in _STATE.items() if (m := p.search(state))}
            _, opened, block = part.text.partition("<environment_context>")
            if opened and part.kind is PartKind.TEXT and not message.results:
                block = block[:LONGEST_TOLD].partition("</environment_context>")[0]
                now = {tag or name: value or said for tag, value, name, said in _VALUE.findall(block)}
                now |= _access(block, now.get("cwd") or told.get("cwd", ""))
                told = _told_anew(told, now)
    values = [f"{name}: {value}" for name, value in told.items()][:MOST_TOLD]
    return TOLD[language] + _LISTED.join(values) if values else ""


def _told_anew(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The newest value of each name; what may be read and written is told as a whole, as seen from one folder."""
    anew = now.get("cwd", before.get("cwd")) != before.get("cwd") or any(n.endswith(" access") for n in now)
    kept = {name: value for name, value in before.items() if not (anew and name.endswith(" access"))}
    return kept | dict(now)


def _access(block: str, folder: str) -> dict[str, str]:
    """What the agent may read and write, by kind of access; paths as seen from the folder it works in."""
    found: dict[str, list[str]] = {}
    for access, place in _ENTRY.findall(block):
        path = "." if place == folder else place.removeprefix(f"{folder}/") if folder else place
        found.setdefault(f"{access} access", []).append(path)
    return {access: one_line(", ".join(paths), LONGEST_PLACES) for access, paths in found.items()}


def notices_line(messages: Sequence[Message], language: str) -> str:
    """What a client asked of the agent, in its own words, each once, the newest last; "" where it asked nothing."""
    asked: list[str] = []
    state = ""
    for message in messages:
        for part in message.parts if message.role is Role.USER else ():
            state = clients_state(part) or state
            asked += _notices(part)
    asked += map(_first_sentences, _ORDER.findall(state))
    return ASKED[language] + BETWEEN.join(_newest(asked)) if any(asked) else ""


def _notices(part: Part) -> Iterator[str]:
    """What a client asks in a result of its own form, outside what the result shows."""
    text = part.text
    named = _RESULT.match(text) if part.kind in (PartKind.TOOL_RESULT, PartKind.TEXT) else None
    if named is None or _RUNS.search(named[1]):
        return
    for notice in _NOTICE.findall(_CONTENT.sub("", text)):
        for sentence in _TAG.sub("", notice).strip().split("\n")[:LINES]:
            if len(sentence.strip()) >= SHORTEST_NOTICE and not _ONCE.search(sentence):
                yield _first_sentences(sentence.strip())
    if said := _AFTER_NAME.match(text):
        yield _first_sentences(said[1])
    yield from map(_first_sentences, _REFUSED.findall(text))


def _first_sentences(text: str) -> str:
    """As many of the first sentences of a line as are short, verbatim; "" where the first is far too long."""
    ends = [match.end() for match in _END.finditer(text)]
    most = max((end for end in ends if end <= LONGEST_NOTICE), default=ends[0])
    return text[:most].rstrip() if most <= HARD_LIMIT and BETWEEN not in text[:most] else ""


def _newest(notices: Sequence[str]) -> list[str]:
    """Each notice once, where it was given last, at most five."""
    return [*dict.fromkeys(filter(None, reversed(notices)))][:MOST_NOTICES][::-1]


def with_earlier(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """Lines of today with what a client told and asked before; orders of its state are over."""
    kept = list(lines)
    (at, lead, now), (_, older, old) = _values(kept, TOLD, _LISTED), _values(before, TOLD, _LISTED)
    if old:
        told = _told_anew(*({v.partition(": ")[0]: v for v in values} for values in (old, now)))
        kept[at : at + 1] = [(lead or older) + _LISTED.join([*told.values()][:MOST_TOLD])]
    (at, lead, now), (_, older, old) = _values(kept, ASKED, BETWEEN), _values(before, ASKED, BETWEEN)
    asked = [notice for notice in old if not _ORDER.match(notice)]
    if asked:
        kept[at : at + 1] = [(lead or older) + BETWEEN.join(_newest([*asked, *now]))]
    return kept


def _values(lines: Sequence[str], leads: Mapping[str, str], between: str) -> tuple[int, str, list[str]]:
    """The number of the line with such a lead, that lead, and its values; the end and nothing where there is none."""
    for i, line in enumerate(lines):
        for lead in leads.values():
            if line.startswith(lead):
                return i, lead, line.removeprefix(lead).split(between)
    return len(lines), "", []
