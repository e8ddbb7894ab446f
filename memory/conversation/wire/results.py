"""What a tool gave back, as text: read from a string or a list of blocks, and replaced there.

Codex puts the output of a command into an envelope, `{"output": "...", "metadata": {"exit_code": 0, ...}}` as a string,
or under a line `Exit code: 0`. What is read is the output itself, in its own lines, and whether the command failed,
whatever form the string travels in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from memory.conversation.wire.fields import data_url_name, media_name, write_arguments, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT_TYPES = ("text", "input_text", "output_text")  # no set: what is looked up may be unhashable
_ENVELOPE_STARTS = ('{"output":', '{"metadata":')
_ENVELOPE_KEYS = frozenset({"output", "metadata"})
_EXIT_CODE = "Exit code: "
_LONGEST_EXIT_CODE = 11  # chosen: a 32-bit number with its sign


def medium_text(block: Mapping[str, Any]) -> str:
    """Name the image, document or file of a block of any form, never its data: "image: image/png, 12 kB"."""
    kind = str(block.get("type")).removeprefix("input_").removesuffix("_url")
    source = block.get("source")
    if isinstance(source, dict):
        data = source.get("data")
        if isinstance(data, str):
            return media_name(kind, source.get("media_type"), len(data))
        return data_url_name(kind, source.get("url"))
    url = block.get("image_url", block.get("file_data"))
    if isinstance(url, dict):
        url = url.get("url")
    if url is not None:
        return data_url_name(kind, url)
    audio = block.get(str(block.get("type")))
    if isinstance(audio, dict):
        data = audio.get("data", audio.get("file_data"))
        return media_name(
            kind, audio.get("format") or audio.get("filename"), len(data) if isinstance(data, str) else None
        )
    return media_name(kind, block.get("filename"))


def is_text(block: Any) -> bool:
    """Tell whether a block inside a tool result is text."""
    if isinstance(block, str):
        return True
    return isinstance(block, dict) and block.get("type") in _TEXT_TYPES and isinstance(block.get("text"), str)


def block_text(block: Any) -> str:
    """Read one block inside a tool result; what is no text is named in brackets."""
    if isinstance(block, str):
        return block
    if is_text(block):
        return str(block["text"])
    if not isinstance(block, dict):
        return ""
    name = block.get("tool_name") or block.get("title")
    return f"[{medium_text(block)}{f' {name}' if isinstance(name, str) else ''}]"


def blocks_text(content: str | list[Any] | None) -> str:
    """Read a text, or the texts of blocks joined by newlines; what is no text is named in brackets."""
    if isinstance(content, list):
        return "\n".join([block_text(block) for block in content])
    return content or ""


def read_result(content: Any, index: int | None = None, field: str = "content") -> tuple[str, bool]:
    """Read what a tool gave back, and whether its own words say that it failed.

    Args:
        content: a string, a list of blocks, or None.
        index: position of the message, for the error.
        field: where it stands in the message, for the error.

    Returns:
        The text (blocks joined by newlines, images named in brackets), and True for a non-zero exit code.

    Raises:
        WireError: it is neither a string, a list nor absent.
    """
    if isinstance(content, str):
        if content.startswith(_ENVELOPE_STARTS) and (envelope := _envelope(content)) is not None:
            return envelope["output"], envelope["metadata"]["exit_code"] != 0
        return content, _says_failed(content)
    if content is None or isinstance(content, list):
        text = blocks_text(content)
        return text, _says_failed(text)
    raise wrong(index, field, content, "a string or a list of blocks")


def _says_failed(text: str) -> bool:
    if not text.startswith(_EXIT_CODE):
        return False
    code = text[len(_EXIT_CODE) :].split("\n", 1)[0].strip()
    return len(code) <= _LONGEST_EXIT_CODE and code.lstrip("-").isdecimal() and int(code) != 0


def _envelope(text: str) -> dict[str, Any] | None:
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or value.keys() != _ENVELOPE_KEYS or not isinstance(value["output"], str):
        return None
    metadata = value["metadata"]
    return value if isinstance(metadata, dict) and isinstance(metadata.get("exit_code"), int) else None


def with_text(content: Any, text: str) -> Any:
    """Put a new text in the place of the text of a tool result; images and the like in it stay.

    The lines that name those media in brackets leave the new text, for the media themselves are there. The envelope of
    a command that failed stays around the new text, that of any other goes.
    """
    if isinstance(content, str) and content.startswith(_ENVELOPE_STARTS):
        envelope = _envelope(content)
        failed = envelope is not None and envelope["metadata"]["exit_code"] != 0
        return write_arguments({**(envelope or {}), "output": text}) if failed else text
    if not isinstance(content, list):
        return text
    texts = [at for at, block in enumerate(content) if is_text(block)]
    lines = text.split("\n")
    for block in content:
        if not is_text(block) and (name := block_text(block)) in lines:
            lines.remove(name)
    sample = content[texts[0]] if texts else None
    kind = sample["type"] if isinstance(sample, dict) else "text"
    changed: list[Any] = []
    for at, block in enumerate(content):
        if at not in texts:
            changed.append(block)
        elif at == texts[0] and lines:
            changed.append({"type": kind, "text": "\n".join(lines)})
    if not texts and lines:
        changed.append({"type": kind, "text": "\n".join(lines)})
    return changed
