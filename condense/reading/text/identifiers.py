"""Names: the words of a text that an agent must have exactly right to use them again, of the kinds of `NameKind`.

Plain words are none. A path also brings its file, a dotted name its last member.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class NameKind(IntEnum):
    """What a name is; the number is its column in tables of weights."""

    URL = 0
    PATH = 1
    FILE = 2
    IDENTIFIER = 3
    DOTTED = 4
    CONSTANT = 5
    FLAG = 6
    HASH = 7
    NUMBER = 8
    VERSION = 9
    KEBAB = 10
    SLASHED = 11


RUN = re.compile(r"[a-z][a-z+]{1,9}://[^\s\"'<>`)\]},;]{3,300}|[A-Za-z0-9_@~./$-]{3,200}")
"""Runs of characters that may hold a name; spaces end a path."""
_EDGE = ".,:;-/$@~"
_VERSION = re.compile(r"v?[0-9]+(?:[.-][0-9A-Za-z]+)+\Z")
_HASH = re.compile(r"(?=[0-9a-f-]*[0-9])(?=[0-9a-f-]*[a-f])[0-9a-f]{7,64}(?:-[0-9a-f]{4,12}){0,4}\Z")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Z][a-z0-9]+[A-Z]")
_FLAG = re.compile(r"--?[A-Za-z][A-Za-z0-9-]*\Z")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")
SHORTEST = 3
"""Characters of the shortest name, digits of the shortest number; chosen."""


@lru_cache(maxsize=200_000)
def read_run(run: str) -> tuple[tuple[str, NameKind], ...]:
    """Read one run of characters: the name it is and the names within it, the longest first; () for plain words."""
    if run.isalpha() and (run[1:].islower() or run.isupper()):
        return ()
    if "://" in run:
        return ((run.rstrip(".,:"), NameKind.URL),)
    if run[0] == "-" and _FLAG.match(run):
        return ((run, NameKind.FLAG),) if len(run) >= SHORTEST and run[1] == "-" else ()
    name = run.strip(_EDGE)
    if len(name) < SHORTEST:
        return ()
    if "/" in name:
        return _read_path(name)
    kind = _plain_kind(name)
    if kind is None:
        return ()
    last = name.rsplit(".", 1)[-1] if kind is NameKind.DOTTED else ""
    inner = _plain_kind(last) if len(last) >= SHORTEST else None
    return ((name, kind),) if inner is None else ((name, kind), (last, inner))


def _read_path(name: str) -> tuple[tuple[str, NameKind], ...]:
    last = name.rsplit("/", 1)[1]
    inner = _plain_kind(last) if len(last) >= SHORTEST else None
    if inner is None:
        plain = name.count("/") == 1 and all(map(_WORD.match, name.split("/")))
        return ((name, NameKind.SLASHED if plain else NameKind.PATH),)
    return (name, NameKind.PATH), (last, inner)


def _plain_kind(name: str) -> NameKind | None:
    """What a name without folders is; None for a plain word and a short number."""
    if name.isalpha() and (name[1:].islower() or name.isupper()):
        return None
    if name.isdigit():
        return NameKind.NUMBER if len(name) >= SHORTEST else None
    if _HASH.match(name):
        return NameKind.HASH
    if _VERSION.match(name):
        return NameKind.VERSION
    if name[0].isdigit():
        return NameKind.IDENTIFIER if len(name) > SHORTEST else None
    if "." in name:
        return NameKind.FILE if name.rpartition(".")[2].lower() in _EXTENSIONS else NameKind.DOTTED
    if "_" in name or "$" in name:
        return NameKind.CONSTANT if name.isupper() else NameKind.IDENTIFIER
    return NameKind.KEBAB if "-" in name and not _CAMEL.search(name) else NameKind.IDENTIFIER


_EXTENSIONS = frozenset(
    """
    py pyi ipynb js jsx ts tsx mjs cjs vue svelte go rs java kt kts scala c h cc cpp cxx hpp cs m mm swift rb php pl
    lua r jl ex exs erl hs clj sh bash zsh fish ps1 bat cmd sql html htm css scss sass less xml xsd svg json jsonl
    json5 yaml yml toml ini cfg conf env lock md mdx rst txt csv tsv log proto graphql gql tf gradle properties dart
    zig nim sol asm s vhd v sv png jpg jpeg gif webp ico pdf zip gz tar tgz whl jar exe dll so dylib o a bin db sqlite
    patch diff map snap tmpl hbs ejs j2 plist
    """.split()
)


def is_garbled(name: str) -> bool:
    """Say whether a name is none that anybody gave: letters of encoded data, a place that a search prints.

    >>> is_garbled("AAChE"), is_garbled("gates.ts-29"), is_garbled("M41.9998"), is_garbled("RGBToHex")
    (True, True, True, False)
    """
    return _GARBLED.fullmatch(name) is not None


_GARBLED = re.compile(
    r"(?=[A-Za-z\d]{5,8}\Z)(?:.*[A-Z](?!(?:To|In|Is|Of|On|By|At|Or|As|Id|Db)[A-Z])[A-Z][a-z]{1,2}[A-Z].*"
    r"|.*[A-Z]{3}\d[A-Z].*)|.{1,200}\.[A-Za-z]\w{0,7}-\d{1,6}|[A-Za-z]-?\d{1,6}\.\d{1,9}"
)


def names_in(text: str) -> tuple[tuple[str, NameKind], ...]:
    """Return the names of a text in order of appearance, each once; linear.

    >>> [name for name, _ in names_in("see src/app/main.py: parse_args() on port 8080")]
    ['src/app/main.py', 'main.py', 'parse_args', '8080']
    """
    runs = filter(None, map(read_run, RUN.findall(text)))
    return tuple({name: kind for names in runs for name, kind in names}.items())


LONGEST_BEGINNING = 18
_GOES_ON = re.compile(r"[\w$/.@~-]")
_LONGER = re.compile(r"[\w$-]")
_BEGINNING = re.compile(
    r"(?:^|[\s\"'`(\[{<=,;|&!]|(?<!\b[A-Za-z]):)((?:(?:\.\./){1,5}|[~.@]?/)[.@]?|[.@$])$", re.ASCII
)
"""What a path may begin with that its name leaves out; anything else is a part no name holds ("${ROOT}/")."""


def beginning_of(name: str, line: str) -> str:
    """What a path of a line begins with that its name leaves out: the root, the home, a hidden folder's dot, an @.

    >>> beginning_of("srv/a/b.py", "cat /srv/a/b.py")
    '/'
    >>> beginning_of("a/b.py", "cat /srv/a/b.py")
    ''
    """
    for at in _places_of(name, line) if "/" in name else ():
        if before := _BEGINNING.search(line, max(0, at - LONGEST_BEGINNING), at):
            return before[1]
        if not _GOES_ON.match(line[max(0, at - 1) : at]):
            return ""
    return ""


def stands_alone(name: str, text: str) -> bool:
    """Say whether a text holds a name by itself, not within a longer one."""
    return any(at == 0 or not _LONGER.match(text, at - 1) for at in _places_of(name, text))


def _places_of(name: str, text: str) -> Iterator[int]:
    """Yield where a name stands in a text that does not go on behind it as a longer one."""
    at = text.find(name)
    while at >= 0:
        if not _LONGER.match(text, at + len(name)):
            yield at
        at = text.find(name, at + 1)


def lines_and_names(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the different lines of some texts, without indentation, and the different names in them; linear."""
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return lines, {name for line in lines for name, _ in names_in(line)}
