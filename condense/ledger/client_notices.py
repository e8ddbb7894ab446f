"""What a client asks of the agent in its results and state, beside what it tells: Cline, Roo and their like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading import clients_state
from memory.conversation import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation import Message, Part

LEADS = {"en": "asked by the client: ", "zh": "客户端要求："}
"""How the line begins that says it."""
MOST_NOTICES = 5
"""Notices that are taken over, the newest; chosen."""
LONGEST_NOTICE = 120
"""Characters up to which whole sentences of each are taken, at least the first; chosen."""
LINES = 2
"""Lines of each that are taken over; chosen."""
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


def notices_line(messages: Sequence[Message], language: str) -> str:
    """What a client asked of the agent, in its own words, each once, the newest last; "" where it asked nothing."""
    found: dict[str, None] = {}
    state = ""
    for message in messages:
        if message.role is not Role.USER:
            continue
        for part in message.parts:
            state = clients_state(part) or state
            for notice in _notices(part):
                found.pop(notice, None)
                found[notice] = None
    found |= {_first_sentences(order): None for order in _ORDER.findall(state)}
    found.pop("", None)
    return LEADS[language] + BETWEEN.join([*found][-MOST_NOTICES:]) if found else ""


def says_notices(line: str) -> bool:
    """Tell whether a line says what a client asked of the agent."""
    return line.startswith(tuple(LEADS.values()))


def _notices(part: Part) -> Iterator[str]:
    """What a client asks in a result of its own form, outside what the result shows."""
    text = part.text
    named = _RESULT.match(text) if part.kind in (PartKind.TOOL_RESULT, PartKind.TEXT) else None
    if named is None or _RUNS.search(named[1]):
        return
    if "<notice>" in text:
        for notice in _NOTICE.findall(_CONTENT.sub("", text)):
            for sentence in _TAG.sub("", notice).strip().split("\n")[:LINES]:
                if len(sentence.strip()) >= SHORTEST_NOTICE and not _ONCE.search(sentence):
                    yield _first_sentences(sentence.strip())
    if said := _AFTER_NAME.match(text):
        yield _first_sentences(said[1])
    if "was not executed because" in text:
        for reason in _REFUSED.findall(text):
            yield _first_sentences(reason)


def _first_sentences(text: str) -> str:
    """As many of the first sentences of a line as are short, verbatim; "" where the first is far too long."""
    ends = [match.end() for match in _END.finditer(text)]
    most = max((end for end in ends if end <= LONGEST_NOTICE), default=ends[0])
    return text[:most].rstrip() if most <= HARD_LIMIT and BETWEEN not in text[:most] else ""


HARD_LIMIT = 300
"""Characters beyond which a sentence is left out; chosen."""
BETWEEN = " | "
"""Stands between notices."""
_END = re.compile(r"[.!?](?=\s|$)|[。！？]|$")
SHORTEST_NOTICE = 20
"""Characters of the shortest; chosen."""


def with_notices(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """Lines of today with what a client asked before, where it has not asked it anew; orders of its state are over."""
    older = next((line for line in before if says_notices(line)), None)
    if older is None:
        return list(lines)
    standing = [notice for notice in _split(older) if not _ORDER.match(notice)]
    newer = next((line for line in lines if says_notices(line)), None)
    if newer is None:
        lead = next(lead for lead in LEADS.values() if older.startswith(lead))
        return [*lines, lead + BETWEEN.join(standing)] if standing else list(lines)
    told = dict.fromkeys((*standing, *_split(newer)))
    for notice in _split(newer):
        told.pop(notice)
        told[notice] = None
    lead = next(lead for lead in LEADS.values() if newer.startswith(lead))
    joined = lead + BETWEEN.join([*told][-MOST_NOTICES:])
    return [joined if line is newer else line for line in lines]


def _split(line: str) -> list[str]:
    return next(line.removeprefix(lead) for lead in LEADS.values() if line.startswith(lead)).split(BETWEEN)
