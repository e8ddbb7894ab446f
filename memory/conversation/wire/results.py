"""Images and files, named in a text or moved to another form; and what a tool gave back, as text.

Codex puts the output of a command into an envelope, `{"output": "...", "metadata": {"exit_code": 0, ...}}` as a string,
or under a line `Exit code: 0`. What is read is the output itself, in its own lines, and whether the command failed,
whatever form the string travels in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from memory.conversation.messages import Form
from memory.conversation.wire.fields import write_arguments, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

_PDF = "application/pdf"
_TEXT_TYPES = ("text", "input_text", "output_text")  # no set: what is looked up may be unhashable
_ENVELOPE_STARTS = ('{"output":', '{"metadata":')
_FAILED = re.compile(r"Exit code: [ \t]*(?=[-0-9]{1,11}[ \t\r]*(?:\n|\Z))-*0*[1-9]")


def medium_text(block: Mapping[str, Any]) -> str:
    """Name the image, document or file of a block of any form, never its data: "image: image/png, 12 kB"."""
    kind = str(block.get("type")).removeprefix("input_").removesuffix("_url")
    source = block.get("source")
    if isinstance(source, dict):
        if isinstance(source.get("data"), str):
            return _named(kind, source.get("media_type"), source["data"])
        return _url_named(kind, source.get("url"))
    url = block.get("image_url", block.get("file_data"))
    if isinstance(url, dict):
        url = url.get("url")
    if url is not None:
        return _url_named(kind, url)
    held = block.get(str(block.get("type")))
    if isinstance(held, dict):
        data = held.get("data", held.get("file_data"))
        return _named(kind, held.get("format") or held.get("filename"), data)
    return _named(kind, block.get("filename"))


def _named(kind: str, media_type: Any, data: Any = None) -> str:
    about = [str(media_type)] if media_type else []
    if isinstance(data, str):
        about.append(f"{max(1, len(data) * 3 // 4 // 1000)} kB")
    return f"{kind}: {', '.join(about)}" if about else kind


def _url_named(kind: str, url: Any) -> str:
    if not isinstance(url, str):
        return kind
    if not url.startswith("data:"):
        return _named(kind, "url")
    head, _, data = url.partition(",")
    return _named(kind, head[5:].partition(";")[0], data)


def moved_medium(block: Any, form: Form) -> dict[str, Any] | None:
    """Write an image or file of any form as a block of a form; None where it is neither, or cannot be carried."""
    url, filename = _address(block) if isinstance(block, dict) else (None, None)
    if not isinstance(url, str) or not url:
        return None
    is_image, given = "image" in str(block.get("type")), url.startswith("data:")
    file = {"filename": filename or "document.pdf", "file_data": url}
    if form is Form.ANTHROPIC:
        source = {"type": "url", "url": url}
        if given:
            head, _, data = url.partition(",")
            source = {"type": "base64", "media_type": head[5:].partition(";")[0], "data": data}
        return {"type": "image" if is_image else "document", "source": source}
    if form is Form.OPENAI_CHAT:
        if is_image:
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "file", "file": file} if given else None
    if is_image:
        return {"type": "input_image", "image_url": url}
    return {"type": "input_file", **(file if given else {"file_url": url})}


def _address(block: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return where the data of an image or file is, as `https:` or `data:<media type>;base64,<data>`, and its name."""
    kind, source = str(block.get("type")), block.get("source")
    if isinstance(source, dict):
        url = source.get("url")
        if source.get("type") == "base64" and isinstance(source.get("data"), str):
            media_type = source.get("media_type") or ("image/png" if "image" in kind else _PDF)
            url = f"data:{media_type};base64,{source['data']}"
        return url if kind in {"image", "document"} else None, None
    held: Any = block.get("file") if kind == "file" else block
    url = None
    if kind in {"image_url", "input_image"}:
        url = block.get("image_url")
        url = url.get("url") if isinstance(url, dict) else url
    elif kind in {"file", "input_file"} and isinstance(held, dict):
        url = held.get("file_data") or held.get("file_url")
        if isinstance(url, str) and url and not url.startswith(("data:", "http")):
            url = f"data:{_PDF};base64,{url}"
    return url, held.get("filename") if isinstance(held, dict) else None


def is_text(block: Any) -> bool:
    """Tell whether a block inside a tool result is text."""
    if not isinstance(block, dict):
        return isinstance(block, str)
    return block.get("type") in _TEXT_TYPES and isinstance(block.get("text"), str)


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


def blocks_text(content: Any) -> str:
    """Read a text, the texts of blocks joined by newlines (others named in brackets), anything else as its JSON."""
    if isinstance(content, list):
        return "\n".join(map(block_text, content))
    return "" if content is None else write_arguments(content)


class ResultText(NamedTuple):
    """What a tool gave back: blocks joined by newlines, images named in brackets; how it ended, where it says so."""

    text: str
    failed: bool = False
    exit_code: int | None = None


def read_result(content: Any, index: int | None = None, field: str = "content") -> ResultText:
    """Read what a tool gave back.

    Raises:
        WireError: the content of message `index` is neither a string, a list of blocks nor absent.
    """
    if content is not None and not isinstance(content, (str, list)):
        raise wrong(index, field, content, "a string or a list of blocks")
    envelope = _envelope(content)
    if envelope is not None:
        code = envelope["metadata"]["exit_code"]
        return ResultText(envelope["output"], code != 0, code)
    text = blocks_text(content)
    return ResultText(text, _FAILED.match(text) is not None)


def _envelope(text: Any) -> dict[str, Any] | None:
    if not isinstance(text, str) or not text.startswith(_ENVELOPE_STARTS):
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if value.keys() != {"output", "metadata"} or not isinstance(value["output"], str):
        return None
    metadata = value["metadata"]
    known = isinstance(metadata, dict) and isinstance(metadata.get("exit_code"), int)
    return dict(value) if known else None


def with_text(content: Any, text: str) -> Any:
    """Put a new text in the place of the text of a tool result; images and the like in it stay.

    The lines that name those media in brackets leave the new text, for the media themselves are there. The envelope of
    a command that failed stays around the new text, that of any other goes.
    """
    if not isinstance(content, list):
        envelope = _envelope(content)
        failed = envelope is not None and envelope["metadata"]["exit_code"] != 0
        return write_arguments({**(envelope or {}), "output": text}) if failed else text
    lines = text.split("\n")
    for block in content:
        if not is_text(block) and (name := block_text(block)) in lines:
            lines.remove(name)
    changed = [block for block in content if not is_text(block)]
    if lines:
        first = next((at for at, block in enumerate(content) if is_text(block)), len(content))
        sample = content[first] if first < len(content) else None
        kind = sample["type"] if isinstance(sample, dict) else "text"
        changed.insert(first, {"type": kind, "text": "\n".join(lines)})
    return changed
