"""Messages and measures that many tests use."""

from __future__ import annotations

from memory import ConversationMemory
from memory.conversation import count_message, parse_messages


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def quarter(text):
    """Tokens as UTF-8 bytes / 4, rounded up: the same in every environment."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4


def size(messages):
    """Tokens of messages of any form, by `quarter`."""
    return sum(count_message(message, quarter) for message in parse_messages(messages))


def memories_of(text):
    """What is remembered of one typed text."""
    memory = ConversationMemory("t")
    memory.extract_memories([user(text)])
    return memory.get_all_memories()


def contents(memory):
    """The words of all memories of a conversation."""
    return [entry.content for entry in memory.get_all_memories()]
