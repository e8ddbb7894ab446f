"""What a client asks of the agent in its results and state, beside what it tells: Cline, Roo and their like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reducing.frames import STATE, STATE_ENDS
from memory.messages import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.messages import Message

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
_AFTER_NAME = re.compile(
    r"^\[[\w.-]{2,60} for '[^'\n]{0,400}'\. ([A-Z][^\n]{20,400}?)\] Result:", re.MULTILINE
)
_REFUSED = re.compile(r"^Tool \[\S{2,60}\] was not executed because ([^\n]{20,400})$", re.MULTILINE)
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
            before, mark, after = part.text.rpartition(STATE)
            state = after.partition(STATE_ENDS)[0] if mark else state
            for notice in _notices(before if mark else part.text):
                found.pop(notice, None)
                found[notice] = None
    found |= {_first_sentences(order): None for order in _ORDER.findall(state)}
    return LEADS[language] + " | ".join([*found][-MOST_NOTICES:]) if found else ""


def says_notices(line: str) -> bool:
    """Tell whether a line says what a client asked of the agent."""
    return line.startswith(tuple(LEADS.values()))


def _notices(text: str) -> Iterator[str]:
    """What a client asks in a result."""
    if "<notice>" in text:
        for notice in _NOTICE.findall(text):
            for sentence in _TAG.sub("", notice).strip().split("\n")[:LINES]:
                if len(sentence.strip()) >= SHORTEST_NOTICE and not _ONCE.search(sentence):
                    yield _first_sentences(sentence.strip())
    if text.startswith("["):
        for sentence in _AFTER_NAME.findall(text):
            yield _first_sentences(sentence)
    if "was not executed because" in text:
        for reason in _REFUSED.findall(text):
            yield _first_sentences(reason)


def _first_sentences(text: str) -> str:
    """As many of the first sentences of a line as are short, verbatim."""
    ends = [match.end() for match in _END.finditer(text)] or [len(text)]
    return text[: max((end for end in ends if end <= LONGEST_NOTICE), default=ends[0])].rstrip()


_END = re.compile(r"[.!?](?=\s|$)|$")
SHORTEST_NOTICE = 20
"""Characters of the shortest; chosen."""


def with_notices(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """Lines of today with what a client asked before, where it has not asked it anew."""
    older = next((line for line in before if says_notices(line)), None)
    if older is None:
        return list(lines)
    newer = next((line for line in lines if says_notices(line)), None)
    if newer is None:
        return [*lines, older]
    told = dict.fromkeys((*_split(older), *_split(newer)))
    for notice in _split(newer):
        told.pop(notice)
        told[notice] = None
    lead = next(lead for lead in LEADS.values() if newer.startswith(lead))
    joined = lead + " | ".join([*told][-MOST_NOTICES:])
    return [joined if line is newer else line for line in lines]


def _split(line: str) -> list[str]:
    return next(line.removeprefix(lead) for lead in LEADS.values() if line.startswith(lead)).split(" | ")
