"""A session as one line of MEMORY.md: a model writes it where one is chosen, otherwise what the person said does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from condense.apps.models import open_summarizer
from condense.apps.panel.asking import Problem
from condense.errors import SummarizerError
from condense.summarizing import memory_line
from memory import ConversationMemory
from memory.conversation import redact, typed_text
from memory.stores import PluginError

if TYPE_CHECKING:
    from condense.summarizing import Summarizer
    from memory.conversation import Transcript

LONGEST: Final = 2_000
"""Characters of a line (documented)."""
REQUEST: Final = 200
"""Characters of the first request where nothing else is worth a line."""


def line_of(read: Transcript, model: str | None) -> str | None:
    """Return the line; None where nothing is worth remembering.

    Args:
        read: the session.
        model: "PROVIDER:NAME"; None for none.

    Raises:
        Problem: the model does not answer, or its SDK is missing.
    """
    if model:
        done = memory_line(read.messages, _summarizer(model))
        if done.error is not None:
            raise Problem(502, "no_model", "model", why=done.error)
        return done.text
    memory = ConversationMemory(read.session_id or "session")
    memory.extract_memories(read.messages)
    entries = [entry for entry in memory.get_all_memories() if not entry.is_proposal]
    entries.sort(key=lambda entry: (-entry.standing, -entry.priority.rank, entry.created_at))
    items: list[str] = []
    for item in dict.fromkeys(_item(entry.content) for entry in entries):
        if sum(map(len, items)) + len(items) + len(item) <= LONGEST:
            items.append(item)
    typed = next((text for message in read if (text := typed_text(message))), "")
    return "；".join(items) or _item(redact(typed))[:REQUEST] or None


def _item(text: str) -> str:
    return " ".join(text.split()).replace("|", "｜").strip("；;。. ")


def _summarizer(model: str) -> Summarizer:
    provider, _, name = model.partition(":")
    try:
        return open_summarizer(provider, name)
    except (ImportError, SummarizerError, PluginError) as error:
        raise Problem(502, "no_model", "model", why=" ".join(str(error).split())[:300]) from error
