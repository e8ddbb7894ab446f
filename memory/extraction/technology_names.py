"""The technologies known by name, and their table parsed for look-up; chosen by hand.

A row of the table is "kind: entries", an entry `canonical = alias, alias`; entries stand between ";". The canonical
name is in lower case and is an alias of itself. Names of several words match with blanks or hyphens between them.
Marks before a name:

    ~   an ordinary English word as well: counts only with evidence around it ("use Flask", "in Rust")
    ~~  a very ordinary word or a single letter (go, make, next, c): only with stronger evidence
    !   counts in exactly this spelling (REST, RAG, ARM); in any other as if marked ~
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from memory.extraction.cue_tables import read_table

CERTAIN, WEAK, STRICT = 0, 1, 2
"""How certain it is that a name is one: always, with evidence, with strong evidence."""

TECHNOLOGIES = read_table("technologies.txt")


class Names(NamedTuple):
    """The table, parsed: names by themselves, by their first and further words ("" where a longer one goes on).

    `singles` have the canonical name, how certain it is, and the spelling that makes it so ("" for most).
    """

    singles: dict[str, tuple[str, int, str]]
    phrases: dict[str, dict[str, str]]
    foreign: dict[str, str]
    any_foreign: re.Pattern[str]
    kinds: dict[str, str]


@cache
def names_known() -> Names:
    """Parse the table (once, 4 ms)."""
    singles: dict[str, tuple[str, int, str]] = {}
    phrases: dict[str, dict[str, str]] = {}
    foreign: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for row in re.split(r"\n(?=\S)", TECHNOLOGIES.strip()):
        kind, _, entries = " ".join(row.split()).partition(": ")
        for entry in entries.split(";"):
            aliases = [alias.strip() for alias in re.split(r" = |, ", entry)]
            canonical = aliases[0].lstrip("~!").lower()
            kinds.setdefault(canonical, kind)
            for alias in aliases:
                name = alias.lstrip("~!")
                first, *more = name.lower().replace("-", " ").split()
                if not name.isascii():
                    foreign[name] = canonical
                    continue
                if more:
                    options = phrases.setdefault(first, {})
                    for size in range(1, len(more)):
                        options.setdefault(" ".join(more[:size]), "")
                    options[" ".join(more)] = canonical
                if " " not in name:
                    certain = STRICT if alias.startswith("~~") else WEAK if alias[0] in "~!" else CERTAIN
                    singles.setdefault(name.lower(), (canonical, certain, name if alias[0] == "!" else ""))
    longest_first = sorted(foreign, key=len, reverse=True)
    return Names(singles, phrases, foreign, re.compile("|".join(map(re.escape, longest_first))), kinds)


@cache
def rivals() -> dict[str, str]:
    """Return by name the row of technologies that take each other's place; Redis and PostgreSQL live side by side."""
    return {name: row for row in read_table("rivals.txt").splitlines() for name in row.split(", ")}
