"""What is shown of found passages: where they stand, and how much of them fits.

Citations and the clamp are those of OpenClaw's documented memory tool.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.notes.documents import Passage

ChatType = Literal["direct", "group", "channel"]


class CitationMode(StrEnum):
    """When results say where they stand: always, never, or in direct chats only."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


def citation_of(passage: Passage) -> str:
    """Return where a passage stands: "MEMORY.md#L42-L48", or "MEMORY.md#L42" for one line."""
    first = f"{passage.path}#L{passage.start_line}"
    return first if passage.end_line == passage.start_line else f"{first}-L{passage.end_line}"


def chat_type_of(session_key: str) -> ChatType:
    """Tell from a session's key what kind of chat it is: a part "group" or "channel" says so, else it is direct."""
    parts = re.split(r"[:/]", session_key.casefold())
    return "group" if "group" in parts else "channel" if "channel" in parts else "direct"


def cites(mode: CitationMode | str, chat: ChatType = "direct") -> bool:
    """Tell whether results are cited in a chat.

    Raises:
        ValueError: there is no such mode.
    """
    wanted = CitationMode(mode)
    return wanted is CitationMode.ON or (wanted is CitationMode.AUTO and chat == "direct")


def cited(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages whose snippets end with "Source: MEMORY.md#L42-L48"."""
    return tuple(replace(p, snippet=f"{p.snippet.strip()}\n\nSource: {citation_of(p)}") for p in passages)


def clamped(passages: Iterable[Passage], max_injected_chars: int | None) -> tuple[Passage, ...]:
    """Return the first passages whose snippets fit, the last one cut.

    Args:
        passages: best first.
        max_injected_chars: characters of all snippets together; None for no limit.

    Raises:
        ValueError: the limit is negative.
    """
    if max_injected_chars is None:
        return tuple(passages)
    if max_injected_chars < 0:
        raise ValueError(f"max_injected_chars is {max_injected_chars!r}; it should be 0 or more, or None")
    left = max_injected_chars
    kept: list[Passage] = []
    for passage in passages:
        if left <= 0:
            break
        kept.append(replace(passage, snippet=passage.snippet[:left]))
        left -= len(passage.snippet)
    return tuple(kept)
