"""Words of messages."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Say how many there are: "1 message", "2,000 messages"; `plural` where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
