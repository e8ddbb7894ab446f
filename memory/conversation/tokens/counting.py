"""Counting tokens: exactly where tiktoken's ranks are at hand, else by an estimate; no network unless asked for.

    count = default_counter()
    count("some text")                    tokens of a text
    count_message(message, count)         tokens of a message

A counter is any callable from text to a whole number; these are for `o200k_base`, OpenAI's encoding since GPT-4o,
which is within some 10 % of other vendors' for English and code.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, Protocol

import tiktoken

from memory.conversation.messages import Part, PartKind
from memory.conversation.tokens.estimating import estimate_tokens
from memory.conversation.tokens.tiktoken_ranks import has_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.messages import Message

__all__ = [
    "TokenCounter",
    "count_message",
    "default_counter",
    "estimate_tokens",
    "exact_counter",
    "message_text",
    "quarters",
]

CHUNK: Final = 16_000
"""Characters counted at a time, at most 64 kB: `o200k_base` panics on a megabyte of blanks. Measured: cutting adds
0.02 to 0.12 % to a count even at a quarter of this size."""
OVERHEAD: Final = 4
"""Tokens of a message beside its text: role and separators (OpenAI's cookbook counts 3 and a name's 1)."""
IMAGE_TOKENS: Final = 1_600
"""An image of usual size (Anthropic: width times height / 750, at most about 1,600 after scaling; OpenAI: 85 to
1,105); also for an image given by its address."""
SMALLEST_IMAGE: Final = 85
"""An image of a few pixels (OpenAI's low detail)."""
IMAGE_CHARACTERS: Final = 64
"""Characters of base64 to a token of a small image, up to `IMAGE_TOKENS` (chosen: a 100 kB screenshot is full size)."""
PAGE_TOKENS, PAGE_CHARACTERS = 2_000, 60_000
"""A page of a document costs 1,500 to 3,000 tokens (Anthropic's documentation); base64 characters to a page, chosen."""
SEALED_CHARACTERS: Final = 4
"""Characters of encrypted or unknown content to a token (chosen; what a provider bills for it is not known)."""


class TokenCounter(Protocol):
    """A callable from a text to its number of tokens, 0 or more."""

    def __call__(self, text: str, /) -> int:
        """Return the number of tokens of a text."""
        ...


def quarters(sample: str, count: TokenCounter) -> float:
    """Tokens of a counter for one of characters / 4 in texts like a sample; 1 where it is empty, never under 0.3."""
    return max(0.3, count(sample) / (len(sample) / 4)) if sample else 1.0


class _ExactCounter:
    """Counts with one of tiktoken's encodings, a chunk at a time."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encode = encoding.encode_ordinary
        self.name = encoding.name

    def __call__(self, text: str, /) -> int:
        """Return the number of tokens; special tokens in the text count as the text they are."""
        if len(text) <= CHUNK:
            return len(self._encode(text))
        return sum(len(self._encode(chunk)) for chunk in _chunks(text))

    def __repr__(self) -> str:
        return f"<exact counter {self.name}>"


def _chunks(text: str) -> Iterator[str]:
    """Cut a text into chunks, behind a line break where one is near the end of a chunk."""
    at = 0
    while at < len(text):
        end = at + CHUNK
        if end < len(text):
            line = text.rfind("\n", end - CHUNK // 4, end)
            end = line + 1 if line > 0 else end
        yield text[at:end]
        at = end


def default_counter() -> TokenCounter:
    """Return the exact counter where the ranks of `o200k_base` are on this machine, else the estimate.

    Never touches the network. Costs 0.7 s the first time the ranks are loaded, 10 microseconds without them.
    """
    return exact_counter() or estimate_tokens


def exact_counter(
    encoding: str = "o200k_base", *, download: bool = False, timeout: float = 10.0
) -> TokenCounter | None:
    """Return a counter for one of tiktoken's encodings, None where its ranks can't be had.

    Ranks that this process or tiktoken's folder already has are used; a damaged file is left as it is and counts as
    missing. Thread-safe.

    Args:
        encoding: tiktoken's name of it.
        download: let tiktoken fetch missing ranks (and replace damaged ones), as it would by itself.
        timeout: seconds to wait for the download, above 0; tiktoken itself knows no limit. The download goes on in a
            daemon thread, so a later call may find the ranks.

    Raises:
        ValueError: `timeout` is not above 0.
    """
    if timeout <= 0:
        raise ValueError(f"timeout is {timeout!r}; it should be above 0 seconds")
    if encoding in tiktoken.registry.ENCODINGS or has_ranks(encoding):
        return _ExactCounter(tiktoken.get_encoding(encoding))
    if not download:
        return None
    loaded: list[tiktoken.Encoding] = []

    def load() -> None:
        try:
            loaded.append(tiktoken.get_encoding(encoding))
        except (OSError, ValueError, ImportError):  # no network (requests' errors are OSErrors), no such name
            return

    thread = threading.Thread(target=load, name=f"tiktoken {encoding}", daemon=True)
    thread.start()
    thread.join(timeout)
    return _ExactCounter(loaded[0]) if loaded else None


# --- messages ---


def count_message(message: Message, count: TokenCounter) -> int:
    """Return the tokens of a message: its text, 4 for the message itself, and what cannot be read by its size.

    Text is what `message_text` returns, so with a counter of bytes / 4 the result is never below that of the joined
    text. Images and documents count by the size of their data, sealed content (encrypted reasoning, unknown blocks) a
    token per 4 characters. Signatures do not count.
    """
    total = OVERHEAD + count(message_text(message))
    for i, part in enumerate(message.parts):
        if part.kind in _SIZED or (part.kind is PartKind.THINKING and part.signed and not part.text):
            block = _block(message, i)
            total += (
                _media_tokens(block) if part.kind is PartKind.MEDIA else _size(block) // SEALED_CHARACTERS
            )
        elif part.kind is PartKind.TOOL_RESULT:
            total += sum(map(_media_tokens, _media_within(_block(message, i))))
    return total


def message_text(message: Message) -> str:
    """Return what a model would read of a message: texts, thinking, calls as "name key: value", results; by lines."""
    return "\n".join(filter(None, map(part_text, message.parts)))


def part_text(part: Part) -> str:
    """Return what a model would read of one part; "" for media and sealed content."""
    if part.kind is PartKind.TOOL_CALL:
        return f"{part.name or ''} {_flat(part.arguments)}"
    return "" if part.kind in _SIZED else part.text


_SIZED: Final = frozenset({PartKind.MEDIA, PartKind.OPAQUE})


def _flat(value: Any) -> str:
    """Flatten a JSON value: strings as they are, objects as lines "key: value"."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_flat(held)}" for key, held in value.items())
    if isinstance(value, list):
        return "\n".join(map(_flat, value))
    return "" if value is None else str(value)


def _block(message: Message, index: int) -> Any:
    """Return the raw block a part was read from; the whole raw message where it holds one part."""
    content = message.raw.get("content")
    if isinstance(content, list) and index < len(content):
        return content[index]
    return message.raw if len(message.parts) == 1 else None


def _media_within(block: Any) -> Iterator[Mapping[str, Any]]:
    """Yield images and documents inside a tool result."""
    held = block.get("content", block.get("output")) if isinstance(block, dict) else None
    for item in held if isinstance(held, list) else ():
        if isinstance(item, dict) and str(item.get("type")) in _MEDIA_TYPES:
            yield item


_MEDIA_TYPES: Final = frozenset(
    {"image", "image_url", "input_image", "document", "file", "input_file", "audio"}
)


def _media_tokens(block: Any) -> int:
    """Count an image or document by the size of its data."""
    size = _size(block)
    kind = str(block.get("type")) if isinstance(block, dict) else ""
    if "image" in kind or not kind:
        small = SMALLEST_IMAGE + size // IMAGE_CHARACTERS
        return IMAGE_TOKENS if _is_address(block) else min(IMAGE_TOKENS, small)
    return PAGE_TOKENS * max(1, -(-size // PAGE_CHARACTERS))


def _is_address(block: Any) -> bool:
    """Is the medium given by its address rather than its data?"""
    if isinstance(block, dict):
        return any(_is_address(held) for held in block.values())
    return isinstance(block, str) and block.startswith(("http://", "https://"))


def _size(value: Any) -> int:
    """Count the characters of all strings in a JSON value."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _size(held) for key, held in value.items())
    return sum(map(_size, value)) if isinstance(value, list) else 0
