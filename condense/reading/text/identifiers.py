"""Names: the words of a text that an agent must have exactly right to use them again.

A name is a path, a file, an address, a flag, a hash, a number of some length, a version, or an identifier
(snake_case, camelCase, dotted, CONSTANT, kebab-case). Plain words are not: they can be said otherwise. A name made of
others (a path, a dotted call) also brings the parts that stand for themselves: the file of a path, the last member of
a dotted name.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
"""Runs of characters that may hold a name; everything a name can be is one run (spaces end a path)."""

_EDGE = ".,:;-/$@~"
_VERSION = re.compile(r"v?[0-9]+(?:[.-][0-9A-Za-z]+)+\Z")
_HASH = re.compile(r"(?=[0-9a-f-]*[0-9])(?=[0-9a-f-]*[a-f])[0-9a-f]{7,64}(?:-[0-9a-f]{4,12}){0,4}\Z")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Z][a-z0-9]+[A-Z]")
_FLAG = re.compile(r"--?[A-Za-z][A-Za-z0-9-]*\Z")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")

SHORTEST = 3
"""Characters of the shortest name (chosen)."""
SHORTEST_HASH = 7
"""Digits of the shortest hash (as git shortens them)."""
SHORTEST_NUMBER = 3
"""Digits a bare number needs to count (chosen: ports, lines, ids; smaller ones are anywhere by chance)."""


LONGEST_RUN = 200
"""Characters of the longest run; what goes on longer is more than one."""
_RUN_BYTES = bytes(b if b == ord("\n") or RUN.match(chr(b) * 3) else ord(" ") for b in range(128)).ljust(256)
_LINE_END = b" | "


LINE_END = "|"
"""Stands behind the runs of a line in what `runs_of` returns; no run itself."""


def runs_of(lines: Sequence[str]) -> list[str]:
    """Return the runs of some lines, which hold no line breaks, and `LINE_END` behind those of each.

    The same runs as `RUN` finds, in a third of the time, but for those over `LONGEST_RUN` characters, which are one.
    """
    text = "\n".join((*lines, ""))
    blanked = text.encode("ascii", "replace").translate(_RUN_BYTES)
    if "://" not in text:
        return blanked.replace(b"\n", _LINE_END).decode("ascii").split()
    out = blanked.decode("ascii").split("\n")
    for i, line in enumerate(lines):
        if "://" in line:
            out[i] = " ".join(RUN.findall(line))
    return f" {LINE_END} ".join(out).split()


def read_long_run(run: str) -> tuple[tuple[str, NameKind], ...]:
    """Read one run of characters of any length."""
    if len(run) <= LONGEST_RUN or "://" in run:
        return read_run(run)
    pieces = (run[at : at + LONGEST_RUN] for at in range(0, len(run), LONGEST_RUN))
    return tuple(found for piece in pieces for found in read_run(piece))


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
    if kind is NameKind.DOTTED:
        last = name.rsplit(".", 1)[1]
        inner = _plain_kind(last)
        return (
            ((name, kind), (last, inner)) if inner is not None and len(last) >= SHORTEST else ((name, kind),)
        )
    return ((name, kind),)


def _read_path(name: str) -> tuple[tuple[str, NameKind], ...]:
    last = name.rsplit("/", 1)[1]
    inner = _plain_kind(last) if len(last) >= SHORTEST else None
    if inner is NameKind.DOTTED:
        inner = NameKind.FILE
    plain = inner is None and name.count("/") == 1 and all(map(_WORD.match, name.split("/")))
    kind = NameKind.SLASHED if plain else NameKind.PATH
    return ((name, kind),) if inner is None else ((name, kind), (last, inner))


def _plain_kind(name: str) -> NameKind | None:
    """What a name without folders is; the usual ones are told without a pattern."""
    if name.isalpha():
        return None if name[1:].islower() or name.isupper() else _IDENTIFIER
    if name[0].isdigit():
        return _digits_kind(name)
    if name[0] == "v" and _VERSION.match(name):
        return NameKind.VERSION
    if "." in name:
        return NameKind.FILE if has_extension(name) else NameKind.DOTTED
    if "_" in name or "$" in name:
        return NameKind.CONSTANT if name.isupper() else _IDENTIFIER
    if not name.islower() and _CAMEL.search(name):
        return _IDENTIFIER
    if len(name) >= SHORTEST_HASH and _HASH.match(name):
        return NameKind.HASH
    return NameKind.KEBAB if "-" in name else _IDENTIFIER


def has_extension(name: str) -> bool:
    """Say whether a name ends as names of files do."""
    return name.rpartition(".")[2].lower() in _EXTENSIONS


def _digits_kind(name: str) -> NameKind | None:
    if name.isdigit():
        return NameKind.NUMBER if len(name) >= SHORTEST_NUMBER else None
    if len(name) >= SHORTEST_HASH and _HASH.match(name):
        return NameKind.HASH
    if ("." in name or "-" in name) and _VERSION.match(name):
        return NameKind.VERSION
    return _IDENTIFIER if len(name) > SHORTEST else None


_IDENTIFIER = NameKind.IDENTIFIER
_EXTENSIONS = frozenset(
    """
    py pyi ipynb js jsx ts tsx mjs cjs vue svelte go rs java kt kts scala c h cc cpp cxx hpp cs m mm swift rb php pl
    lua r jl ex exs erl hs clj sh bash zsh fish ps1 bat cmd sql html htm css scss sass less xml xsd svg json jsonl
    json5 yaml yml toml ini cfg conf env lock md mdx rst txt csv tsv log proto graphql gql tf gradle properties dart
    zig nim sol asm s vhd v sv png jpg jpeg gif webp ico pdf zip gz tar tgz whl jar exe dll so dylib o a bin db sqlite
    patch diff map snap tmpl hbs ejs j2 plist
    """.split()  # read as one text; a list would take a hundred lines
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
    seen: dict[str, NameKind] = {}
    for run in RUN.findall(text):
        for name, kind in read_run(run):
            seen.setdefault(name, kind)
    return tuple(seen.items())


LONGEST_BEGINNING = 18
_BEGINNING = re.compile(
    r"(?:^|[\s\"'`(\[{<=,;|&!]|(?<!\b[A-Za-z]):)((?:(?:\.\./){1,5}|[~.@]?/)[.@]?|[.@$])$", re.ASCII
)
"""What a path may begin with that its name leaves out, behind what may stand before a path: anything else is a part
of it that no name holds ("[id]/", "${ROOT}/")."""


def beginning_of(name: str, line: str) -> str:
    """What a path of a line begins with that its name leaves out: the root, the home, a hidden folder's dot, an @.

    >>> beginning_of("srv/a/b.py", "cat /srv/a/b.py")
    '/'
    >>> beginning_of("a/b.py", "cat /srv/a/b.py")
    ''
    """
    at = line.find(name) if "/" in name else -1
    while at >= 0:
        end = at + len(name)
        if not goes_on(line[end : end + 1]):
            before = _BEGINNING.search(line, max(0, at - LONGEST_BEGINNING), at)
            if before:
                return before[1]
            if at == 0 or not (goes_on(line[at - 1]) or line[at - 1] in "/.@~"):
                return ""
        at = line.find(name, end)
    return ""


def stands_alone(name: str, text: str) -> bool:
    """Say whether a text holds a name by itself, not within a longer one."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        around = text[at - 1 : at] if at else "", text[end : end + 1]
        if not any(map(goes_on, around)):
            return True
        at = text.find(name, end)
    return False


def goes_on(sign: str) -> bool:
    """Say whether a name that stands beside this character, if there is one, is a part of a longer one."""
    return sign.isalnum() or (sign != "" and sign in "_$-")


def lines_and_names(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the different lines of some texts, without indentation, and the different names in them; linear."""
    lines = {line.strip() for text in texts for line in text.splitlines()}
    runs = set(runs_of([*lines]))
    return lines, {name for read in map(read_long_run, runs) for name, _ in read}
