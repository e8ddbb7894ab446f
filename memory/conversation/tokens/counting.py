"""Counting tokens: exactly where tiktoken's ranks are at hand, else by an estimate; never over the network.

A counter is any callable from text to a whole number; these are for `o200k_base`, OpenAI's encoding since GPT-4o,
which is within some 10 % of other vendors' for English and code. tiktoken itself would fetch missing or damaged ranks
without a time limit, so the file is looked at before tiktoken is asked for anything. The one core file that reads
environment variables: they are tiktoken's own.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import tiktoken

from memory.conversation.messages import Part, PartKind
from memory.conversation.tokens.estimating import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation.messages import Message

_CHUNK: Final = 16_000  # characters counted at a time: `o200k_base` panics on a megabyte of blanks
_OVERHEAD: Final = 4  # tokens of a message beside its text (OpenAI's cookbook counts 3 and a name's 1)
_IMAGE_TOKENS, _SMALLEST_IMAGE, _IMAGE_CHARACTERS = 1_600, 85, 64
"""An image of usual size, also one given by its address (Anthropic: width times height / 750, at most about 1,600 after
scaling; OpenAI: 85 to 1,105); one of a few pixels; base64 characters to a token between them (chosen)."""
_PAGE_TOKENS, _PAGE_CHARACTERS = 2_000, 60_000
"""A page of a document costs 1,500 to 3,000 tokens (Anthropic's documentation); base64 characters to a page, chosen."""
_SEALED_CHARACTERS: Final = 4  # chosen: characters of encrypted or unknown content to a token
_SIZED: Final = frozenset({PartKind.MEDIA, PartKind.OPAQUE})
_MEDIA_TYPES: Final = "image image_url input_image computer_screenshot document file input_file audio".split()

RANK_ADDRESS: Final = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
RANK_DIGESTS: Final = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of each encoding's ranks, as in `tiktoken_ext/openai_public.py` of tiktoken 0.12."""


class TokenCounter(Protocol):
    """A callable from a text to its number of tokens, 0 or more."""

    def __call__(self, text: str, /) -> int:
        """Return the number of tokens of a text."""


def quarters(sample: str, count: TokenCounter) -> float:
    """Tokens of a counter for one of characters / 4 in texts like a sample; 1 where it is empty, never under 0.3."""
    return max(0.3, count(sample) / (len(sample) / 4)) if sample else 1.0


def _count_exactly(encoding: tiktoken.Encoding, text: str, /) -> int:
    return sum(len(encoding.encode_ordinary(chunk)) for chunk in _chunks(text))


def _chunks(text: str) -> Iterator[str]:
    """Cut a text into chunks, behind a line break where one is near the end of a chunk."""
    at = 0
    while at < len(text):
        end = at + _CHUNK
        if end < len(text):
            line = text.rfind("\n", end - _CHUNK // 4, end)
            end = line + 1 if line > 0 else end
        yield text[at:end]
        at = end


def default_counter() -> TokenCounter:
    """Return the exact counter where the ranks of `o200k_base` are here (0.7 s to load), else the estimate."""
    return exact_counter() or estimate_tokens


def exact_counter(encoding: str = "o200k_base") -> TokenCounter | None:
    """Return a counter for one of tiktoken's encodings, None where its ranks are not on this machine, or damaged."""
    if encoding in tiktoken.registry.ENCODINGS or has_ranks(encoding):
        return partial(_count_exactly, tiktoken.get_encoding(encoding))
    return None


def ranks_folder() -> Path | None:
    """Return the folder tiktoken keeps ranks in (as in `tiktoken/load.py`); None where it is told to keep none."""
    default = str(Path(tempfile.gettempdir(), "data-gym-cache"))
    named = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    return Path(named) if named else None


def has_ranks(encoding: str) -> bool:
    """Are the ranks of an encoding here, whole and unaltered? Reads the file (3.6 MB, 5 ms); changes nothing."""
    folder = ranks_folder()
    if folder is None or encoding not in RANK_DIGESTS:
        return False
    path = folder / hashlib.sha1(RANK_ADDRESS.format(encoding).encode()).hexdigest()
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == RANK_DIGESTS[encoding]
    except OSError:
        return False


def count_message(message: Message, count: TokenCounter) -> int:
    """Return the tokens of a message: its `message_text`, 4 for itself, and what cannot be read by its size.

    Images and documents count by the size of their data, sealed content (encrypted reasoning, unknown blocks) a token
    per 4 characters, signatures not at all.
    """
    total = _OVERHEAD + count(message_text(message))
    for at, part in enumerate(message.parts):
        block = _block(message, at)
        if part.kind is PartKind.MEDIA:
            total += _media_tokens(block)
        elif part.kind is PartKind.OPAQUE or (part.signed and not part.text):
            total += sum(map(len, _strings(block))) // _SEALED_CHARACTERS
        elif part.kind is PartKind.TOOL_RESULT:
            held = block.get("content", block.get("output")) if isinstance(block, dict) else None
            media = (i for i in (held if isinstance(held, list) else [held]) if isinstance(i, dict))
            total += sum(_media_tokens(item) for item in media if item.get("type") in _MEDIA_TYPES)
    return total


def message_text(message: Message) -> str:
    """Return what a model would read of a message: texts, thinking, calls as "name key: value", results; by lines."""
    return "\n".join(filter(None, map(_part_text, message.parts)))


def _part_text(part: Part) -> str:
    if part.kind is PartKind.TOOL_CALL:
        return f"{part.name or ''} {_flat(part.arguments)}"
    return "" if part.kind in _SIZED else part.text


def _flat(value: Any) -> str:
    """Flatten a JSON value: strings as they are, objects as lines "key: value"."""
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


def _media_tokens(block: Any) -> int:
    """Count an image or document by the size of its data, an image at an address as one of usual size."""
    kind, strings = str(block.get("type")) if isinstance(block, dict) else "", list(_strings(block))
    size = sum(map(len, strings))
    if "image" in kind or "screenshot" in kind or not kind:
        linked = any(one.startswith(("http://", "https://")) for one in strings)
        return _IMAGE_TOKENS if linked else min(_IMAGE_TOKENS, _SMALLEST_IMAGE + size // _IMAGE_CHARACTERS)
    return _PAGE_TOKENS * max(1, -(-size // _PAGE_CHARACTERS))


def _strings(value: Any) -> Iterator[str]:
    """Yield all strings in a JSON value, keys of objects too."""
    if isinstance(value, str):
        yield value
    for held in value if isinstance(value, (dict, list)) else ():
        yield from _strings(held)
        if isinstance(value, dict):
            yield from _strings(value[held])
