"""Images and files moved from one form to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

_PDF = "application/pdf"


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
    kind = str(block.get("type"))
    source = block.get("source")
    if isinstance(source, dict):
        return _from_source(kind, source)
    if kind in {"image_url", "input_image"}:
        url = block.get("image_url")
        if isinstance(url, dict):
            url = url.get("url")
        return Medium(is_image=True, url=url) if isinstance(url, str) and url else None
    if kind in {"file", "input_file"}:
        held = block.get("file") if kind == "file" else block
        url = held.get("file_data") or held.get("file_url") if isinstance(held, dict) else None
        if isinstance(held, dict) and isinstance(url, str) and url:
            url = url if url.startswith(("data:", "http")) else f"data:{_PDF};base64,{url}"
            return Medium(is_image=False, url=url, filename=held.get("filename"))
    return None


def _from_source(kind: str, source: Mapping[str, Any]) -> Medium | None:
    is_image = kind == "image"
    if not is_image and kind != "document":
        return None
    if source.get("type") == "base64" and isinstance(source.get("data"), str):
        media_type = source.get("media_type") or ("image/png" if is_image else _PDF)
        return Medium(is_image, f"data:{media_type};base64,{source['data']}")
    if isinstance(source.get("url"), str):
        return Medium(is_image, source["url"])
    return None


def write_medium(medium: Medium, form: Form) -> dict[str, Any] | None:
    """Write a medium as a block of a form; None where the form cannot carry it (a file at a URL in Chat)."""
    url = medium.url
    if form is Form.ANTHROPIC:
        kind = "image" if medium.is_image else "document"
        if not url.startswith("data:"):
            return {"type": kind, "source": {"type": "url", "url": url}}
        head, _, data = url.partition(",")
        media_type = head[len("data:") :].partition(";")[0]
        return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}}
    if form is Form.OPENAI_CHAT:
        if medium.is_image:
            return {"type": "image_url", "image_url": {"url": url}}
        if not url.startswith("data:"):
            return None
        return {"type": "file", "file": {"filename": medium.filename or "document.pdf", "file_data": url}}
    if medium.is_image:
        return {"type": "input_image", "image_url": url}
    if not url.startswith("data:"):
        return {"type": "input_file", "file_url": url}
    return {"type": "input_file", "filename": medium.filename or "document.pdf", "file_data": url}
