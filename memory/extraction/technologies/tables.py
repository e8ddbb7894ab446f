"""The tables of technologies, parsed: what is looked up, and by what a text is known to hold none of it.

0.4 MB, parsed at first use, in 4 ms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory.extraction.technologies.names import KINDS

CERTAIN, WEAK, STRICT = 0, 1, 2
"""How certain it is that a name is one: always, with evidence, with strong evidence."""


@dataclass(frozen=True, slots=True)
class Names:
    """The tables, parsed.

    Attributes:
        singles: lower-case name -> (canonical, how certain, exact spelling that makes it certain or "").
        phrases: first word -> further words, joined by blanks -> canonical ("" where a longer name goes on).
        foreign: names in other scripts -> canonical, the longest first.
        any_foreign: finds one of them.
        kinds: canonical -> kind.
    """

    singles: dict[str, tuple[str, int, str]]
    phrases: dict[str, dict[str, str]]
    foreign: dict[str, str]
    any_foreign: re.Pattern[str]
    kinds: dict[str, str]


@cache
def names_known() -> Names:
    """Parse the tables (once, 4 ms)."""
    singles: dict[str, tuple[str, int, str]] = {}
    phrases: dict[str, dict[str, str]] = {}
    foreign: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for kind, table in KINDS.items():
        for entry in re.split(r"[;\n]", table.strip()):
            head, _, rest = entry.strip().partition(" = ")
            canonical = head.lstrip("~!").lower()
            kinds.setdefault(canonical, kind)
            for alias in (head, *(a.strip() for a in rest.split(",") if a.strip())):
                name = alias.lstrip("~!")
                words = tuple(name.lower().replace("-", " ").split())
                if not name.isascii():
                    foreign[name] = canonical
                    continue
                if len(words) > 1:
                    options = phrases.setdefault(words[0], {})
                    for k in range(2, len(words)):
                        options.setdefault(" ".join(words[1:k]), "")
                    options[" ".join(words[1:])] = canonical
                if " " not in name:
                    certain = {"~": STRICT if alias.startswith("~~") else WEAK, "!": WEAK}
                    exact = name if alias.startswith("!") else ""
                    singles.setdefault(name.lower(), (canonical, certain.get(alias[0], CERTAIN), exact))
    by_length = {name: foreign[name] for name in sorted(foreign, key=len, reverse=True)}
    any_foreign = re.compile("|".join(map(re.escape, by_length)))
    return Names(singles, phrases, by_length, any_foreign, kinds)
