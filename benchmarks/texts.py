"""What is counted: tokens, names, runs of words, and what a person typed, of messages in Anthropic form.

Tokens are UTF-8 bytes / 4, rounded up, the same for every system measured, so that none is favoured by its own
tokenizer; a message costs 4 more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Message = dict[str, Any]

MESSAGE_TOKENS = 4
HORIZON = 12
RUN = 8


def count_tokens(text: str) -> int:
    """Return the tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def blocks_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a message's content as a list of blocks."""
    content = message.get("content")
    if content is None:
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {"type": "text", "text": str(block)} for block in content]


def flat(value: Any) -> str:
    """Write a JSON value as a model would read it: keys and strings, no punctuation of JSON."""
    match value:
        case None:
            return ""
        case str():
            return value
        case dict():
            return "\n".join(f"{key}: {flat(inner)}" for key, inner in value.items())
        case list():
            return "\n".join(flat(inner) for inner in value)
        case _:
            return str(value)


def block_text(block: Mapping[str, Any]) -> str:
    """Return the text of a block; images and what is encrypted have none."""
    match block.get("type"):
        case "text":
            return block.get("text") or ""
        case "thinking":
            return block.get("thinking") or ""
        case "tool_use":
            return f"{block.get('name', '')} {flat(block.get('input'))}"
        case "tool_result":
            content = block.get("content")
            if isinstance(content, list):
                return "\n".join(block_text(b) if isinstance(b, dict) else str(b) for b in content)
            return "" if content is None else str(content)
        case _:
            return ""


def text_of(message: Mapping[str, Any]) -> str:
    """Return all text of a message."""
    return "\n".join(block_text(block) for block in blocks_of(message))


def action_of(message: Mapping[str, Any]) -> str:
    """Return what an assistant's message says and does, without its thinking."""
    shown = (block for block in blocks_of(message) if block.get("type") in ("text", "tool_use"))
    return "\n".join(block_text(block) for block in shown)


def size_of(messages: Iterable[Mapping[str, Any]]) -> int:
    """Return the tokens of a conversation."""
    return sum(count_tokens(text_of(message)) + MESSAGE_TOKENS for message in messages)


_ENDINGS = "py ts tsx js jsx go rs java c h cpp md json yaml yml toml sql sh css html txt lock cfg ini ipynb vue"

NAME_KINDS: tuple[tuple[str, str], ...] = (
    ("url", r"https?://[^\s\"'<>)\]]{6,}"),
    ("path", r"(?:[\w.@-]+/)+[\w.@-]+"),
    ("path", rf"\b[\w-]+\.(?:{'|'.join(_ENDINGS.split())})\b"),
    ("identifier", r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b"),
    ("identifier", r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b"),
    ("identifier", r"\b_\w{3,}\b"),
    ("identifier", r"\b[a-z]+(?:[A-Z][a-z0-9]+)+\b"),
    ("identifier", r"\b(?:[A-Z][a-z0-9]+){2,}\b"),
    ("flag", r"--[a-z][a-z0-9-]{2,}"),
    ("identifier", r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"),
    ("number", r"\b\d{3,6}\b"),
)
"""Names, first match wins: addresses, paths and files, identifiers (dotted, snake, camel, hashes), flags, numbers."""

_NAME = re.compile("|".join(pattern for _, pattern in NAME_KINDS))
_SHORTEST_NAME = 3


def names_in(text: str) -> list[str]:
    """Return the names of a text in order, repeated ones repeated."""
    found = (match.group().strip(".,:;-/") for match in _NAME.finditer(text))
    return [name for name in found if len(name) >= _SHORTEST_NAME]


_WORD = re.compile(r"\w+|[^\w\s]")


def words_in(text: str) -> list[str]:
    """Return the word tokens of a text, signs by themselves."""
    return _WORD.findall(text)


def runs_in(text: str, length: int = RUN) -> set[int]:
    """Return the runs of `length` word tokens of a text, as hashes (equal within one process)."""
    words = words_in(text)
    return {hash(tuple(words[i : i + length])) for i in range(len(words) - length + 1)}


_WRAPPER = re.compile(
    r"<(system-reminder|environment_details|environment_context|user_instructions|command-\w+"
    r"|local-command-\w+|ide_\w+)[^>]*>.*?</\1>",
    re.DOTALL,
)
_NOT_TYPED = (
    "Caveat: The messages below",
    "[Request interrupted",
    "This session is being continued",
    "<",
    "[image]",
    "# AGENTS.md",
)


def typed_in(message: Mapping[str, Any]) -> list[str]:
    """Return what a person typed in a message: its text blocks without what clients inject."""
    if message.get("role") != "user" or message.get("isCompactSummary"):
        return []
    texts = (
        _WRAPPER.sub("", block.get("text") or "").strip()
        for block in blocks_of(message)
        if block.get("type") == "text"
    )
    return [text for text in texts if text and not text.startswith(_NOT_TYPED)]


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    return frozenset(names_in(text))


@lru_cache(maxsize=4096)
def _runs(text: str) -> frozenset[int]:
    return frozenset(runs_in(text))


def needed_after(messages: Sequence[Message], cut: int, horizon: int = HORIZON) -> list[str]:
    """Return the names that the agent itself brings up after a cut and had to remember.

    They occur in its next `horizon` messages, stand before the cut, and nothing after the cut showed them first.
    """
    before: set[str] = set().union(*(_names(text_of(m)) for m in messages[:cut]))
    shown: set[str] = set()
    needed: list[str] = []
    left = horizon
    for message in messages[cut:]:
        if message["role"] != "assistant":
            shown |= _names(text_of(message))
            continue
        for name in names_in(action_of(message)):
            if name not in shown:
                shown.add(name)
                if name in before:
                    needed.append(name)
        left -= 1
        if not left:
            break
    return needed


def copied_after(messages: Sequence[Message], cut: int, horizon: int = HORIZON) -> set[int]:
    """Return the runs of words that the agent repeats verbatim after a cut, by the same rule as `needed_after`."""
    before: set[int] = set().union(*(_runs(text_of(m)) for m in messages[:cut]))
    shown: set[int] = set()
    copied: set[int] = set()
    left = horizon
    for message in messages[cut:]:
        if message["role"] != "assistant":
            shown |= _runs(text_of(message))
            continue
        new = _runs(action_of(message)) - shown
        shown |= new
        copied |= new & before
        left -= 1
        if not left:
            break
    return copied
