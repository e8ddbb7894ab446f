"""Images and files: named for the text of a message, and moved from one form to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

_PDF = "application/pdf"


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


@dataclass(frozen=True, slots=True)
class Medium:
    """An image or file that every form can carry.

    Attributes:
        is_image: an image; otherwise a file, which is taken for a PDF where it does not say.
        url: where it is: `https:` or `data:<media type>;base64,<data>`.
        filename: its name, where the form says so.
    """

    is_image: bool
    url: str
    filename: str | None = None


def read_medium(block: Mapping[str, Any]) -> Medium | None:
    """Read a block of any form; None where it is audio, an id of the provider's store, or else."""
    kind, source = str(block.get("type")), block.get("source")
    is_image = "image" in kind
    if isinstance(source, dict):
        url = source.get("url")
        if source.get("type") == "base64" and isinstance(source.get("data"), str):
            media_type = source.get("media_type") or ("image/png" if is_image else _PDF)
            url = f"data:{media_type};base64,{source['data']}"
        return Medium(is_image, url) if kind in {"image", "document"} and isinstance(url, str) else None
    held: Any = block.get("file") if kind == "file" else block
    if kind in {"image_url", "input_image"}:
        url = block.get("image_url")
        url = url.get("url") if isinstance(url, dict) else url
    elif kind in {"file", "input_file"} and isinstance(held, dict):
        url = held.get("file_data") or held.get("file_url")
        if isinstance(url, str) and url and not url.startswith(("data:", "http")):
            url = f"data:{_PDF};base64,{url}"
    else:
        return None
    return Medium(is_image, url, held.get("filename")) if isinstance(url, str) and url else None


def write_medium(medium: Medium, form: Form) -> dict[str, Any] | None:
    """Write a medium as a block of a form; None where the form cannot carry it (a file at a URL in Chat)."""
    url, given = medium.url, medium.url.startswith("data:")
    file = {"filename": medium.filename or "document.pdf", "file_data": url}
    if form is Form.ANTHROPIC:
        source = {"type": "url", "url": url}
        if given:
            head, _, data = url.partition(",")
            source = {"type": "base64", "media_type": head[5:].partition(";")[0], "data": data}
        return {"type": "image" if medium.is_image else "document", "source": source}
    if form is Form.OPENAI_CHAT:
        if medium.is_image:
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "file", "file": file} if given else None
    if medium.is_image:
        return {"type": "input_image", "image_url": url}
    return {"type": "input_file", **(file if given else {"file_url": url})}
