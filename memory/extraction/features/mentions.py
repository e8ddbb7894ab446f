"""What a clause names: files, endpoints, ports, symbols."""

from __future__ import annotations

import re

from memory.conversation import LazyPattern

_ADDRESS = LazyPattern(r"https?://[^\s\"'<>)\]，。、；）」』`]{3,300}", re.ASCII)
_HOST = LazyPattern(r"\b(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}\b", re.ASCII)
_ROUTE = LazyPattern(
    r"/(?<![\w./~-]/)(?:api|v\d|rest|graphql|auth|health)(?:/[\w{}:.-]{1,60}){0,8}", re.ASCII
)
_WINDOWS = LazyPattern(r"\b[A-Za-z]:\\(?:[^\s\\/:*?\"<>|，。]{1,80}\\){0,12}[^\s\\/:*?\"<>|，。,;]{1,80}")
_SUFFIXES = (
    "py|pyi|tsx?|jsx?|mjs|cjs|md|mdx|json|jsonl|ya?ml|toml|sql|sh|bash|ps1|css|scss|less|html?|env|txt|rs|go|java|kt|cs|c|h|"
    "cc|cpp|hpp|vue|svelte|rb|php|swift|lock|cfg|ini|xml|csv|ipynb|proto|graphql|tf|gradle|log|pdf|png|svg|example|local|dll"
)
_NAME = (
    rf"(?<![\w/@.-])\.?[\w-]{{1,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_SUFFIXES})\b"
    r"|(?<![\w/.])(?:\.env|Dockerfile|Makefile)\b"
)
_PATH = LazyPattern(
    rf"(?<![\w/@.:-])(?:~/|\.{{1,2}}/|/)?(?:[\w.@()$\[\]-]{{1,80}}/){{1,14}}(?:[\w.@$\[\]-]{{1,80}})?|{_NAME}",
    re.ASCII,
)
_ASCII = LazyPattern("[!-~]+")
_SYMBOL = LazyPattern(
    r"`([A-Za-z_$][\w.$:]{1,60})(?:\(\))?`|\b(?:([a-z_]\w{0,40}(?:_\w{1,40}){1,5})\b|([a-z]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,5})\b"
    r"|([A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,5})\b|(\w{2,40})\(\))",
    re.ASCII,
)
_NOT_FILES = frozenset(
    re.findall(
        r"\S+",
        """
        and/or he/she his/her yes/no n/a i/o input/output client/server on/off w/o
        """,
    )
)
MOST_MENTIONS = 12
"""Names of one sort kept for one clause (chosen)."""


def endpoints_in(text: str) -> tuple[str, ...]:
    """Return web addresses, host:port pairs and API routes, each once, in order of appearance."""
    found = [
        (m.start(), m.group().rstrip(".,:;!?"))
        for pattern in (_ADDRESS, _HOST, _ROUTE)
        for m in pattern.finditer(text)
    ]
    found.sort()
    kept: list[str] = []
    for _, name in found:
        if not any(name in other for other in kept):
            kept.append(name)
    return tuple(kept[:MOST_MENTIONS])


def files_in(text: str) -> tuple[str, ...]:
    """Return paths and file names, each once, in order of appearance; addresses and API routes are none."""
    rest = _ADDRESS.sub(lambda m: " " * len(m.group()), text)
    if ":\\" not in rest:
        return _files_among(_paths_in(rest))
    names = [
        name for piece in rest.split() for name in (_with_drives if ":\\" in piece else _paths_in)(piece)
    ]
    return _files_among(names)


def _paths_in(text: str) -> list[str]:
    """The paths in a text, in order."""
    return [m.group().rstrip(".") for piece in _pieces(text) for m in _PATH.finditer(piece)]


def _with_drives(piece: str) -> list[str]:
    """The paths between two blanks of which some begin with the letter of a drive, in order."""
    found = [(m.start(), m.group()) for m in _WINDOWS.finditer(piece)]
    rest = _WINDOWS.sub(lambda m: " " * len(m.group()), piece)
    for run in _ASCII.finditer(rest):
        found += [(run.start() + m.start(), m.group().rstrip(".")) for m in _PATH.finditer(run.group())]
    return [name for _, name in sorted(found)]


def _pieces(text: str) -> list[str]:
    """The parts of a text between blanks and what is beyond ASCII: no path, file or symbol goes on behind these."""
    return text.split() if text.isascii() else _ASCII.findall(text)


def _files_among(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([name for name in names if _is_file(name)]))[:MOST_MENTIONS]


def symbols_in(text: str) -> tuple[str, ...]:
    """Return identifiers (snake_case, camelCase, PascalCase, calls, names in backticks), each once, in order."""
    names = [next(filter(None, m.groups())) for piece in _pieces(text) for m in _SYMBOL.finditer(piece)]
    return tuple(dict.fromkeys(names))[:MOST_MENTIONS]


def _is_file(name: str) -> bool:
    """A path with a slash inside, or a name with a suffix; not an API route, a choice of words or a version."""
    if len(name) < 3 or name.lower() in _NOT_FILES or _ROUTE.fullmatch(name):  # noqa: PLR2004  # "a/" names nothing
        return False
    if "/" in name and "." not in name and not name.startswith(("/", "~", "./", "../")):
        return name.endswith("/") or name.count("/") > 1 or name.islower()
    return not name.replace(".", "").replace("/", "").isdigit()
