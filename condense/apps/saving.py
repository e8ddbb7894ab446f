"""Take in what a person said in a session: the one way, of hooks, the command line and backfill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory import ConversationMemory
from memory.conversation import redact, typed_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memory.conversation import Message
    from memory.projects import PersistentMemoryManager, Saved

TITLE: Final = 100
"""Characters of a session's title."""


def title_of(messages: Iterable[Message]) -> str:
    """Return what a session is called in lists: how its first request begins."""
    typed = next((text for message in messages if (text := typed_text(message))), "")
    return redact(" ".join(typed.split())[:TITLE])


def save_session(
    manager: PersistentMemoryManager,
    task: str,
    messages: Callable[[], Sequence[Message]],
    *,
    title: str,
    now: float | None = None,
    read: ConversationMemory | None = None,
    ready: Callable[[ConversationMemory], object] = lambda _: None,
) -> tuple[ConversationMemory, Saved]:
    """Take a session in: what is known of it goes on, and what is new is shared with the project.

    Args:
        manager: of the project.
        task: the session's name.
        messages: gives what was said, where it must be read.
        title: for lists of conversations.
        now: seconds since 1970 UTC; by the manager's clock when left out.
        read: what was found in the messages already, which does where nothing is known of the session.
        ready: told what the session says before the project is.

    Returns:
        What the session says, and what that changed in the project.
    """
    memory = manager.restore_task(task) or read or ConversationMemory(task)
    if memory is not read:
        memory.extract_memories(messages())
    ready(memory)
    return memory, manager.save_task(memory, now=now, title=title)
