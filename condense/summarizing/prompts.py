"""The prompts: files of the package, one a purpose and language, filled in one pass: no content is a placeholder."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files

LANGUAGES = ("en", "zh")
PROMPTS = (
    "role",
    "sections",
    "custom",
    "security",
    "memories",
    "project",
    "previous",
    "transcript",
    "ask",
    "part",
    "merge",
    "rolling/rolling",
    "rolling/rolling_request",
    "compress",
    "retry",
    "notes/memory_line",
    "notes/memory_merge",
    "notes/overflow",
)
"""Every prompt there is; each exists in both languages."""

_PLACE = re.compile(r"\{\{(\w{1,40})\}\}", re.ASCII)


@cache
def template(name: str, language: str) -> str:
    """Read a prompt's text.

    Raises:
        KeyError: there is no such prompt.
    """
    if name not in PROMPTS or language not in LANGUAGES:
        raise KeyError(f"no prompt {name!r} in {language!r}; there are {PROMPTS} in {LANGUAGES}")
    path = files("condense.summarizing") / "prompts" / language / f"{name}.md"
    return path.read_text(encoding="utf-8").rstrip("\n")


def places(name: str, language: str) -> frozenset[str]:
    """Return the names that a prompt wants filled."""
    return frozenset(_PLACE.findall(template(name, language)))


def prompt(name: str, language: str, **values: object) -> str:
    """Fill a prompt; what is filled in is never read as a prompt itself.

    Raises:
        KeyError: there is no such prompt, or a value is missing.
    """
    return _PLACE.sub(lambda place: str(values[place[1]]), template(name, language))


def fenced(name: str, content: str) -> str:
    """Put a content between tags that it cannot close: they carry the content's own digest."""
    mark = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f'<{name} id="{mark}">\n{content}\n</{name} id="{mark}">'
