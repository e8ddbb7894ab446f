"""Technologies named in a text: words looked up in a table, never an alternation of patterns.

Every run of name characters is lower-cased and looked up (`technologies.names`); names of several words,
names with a version glued on (`python3.11`, `vue3`, `gpt-4o`), with a suffix (`redis-backed`) and lists with
slashes (`React/Vue`) are understood. Paths, flags, addresses and identifiers (`src/redis/client.py`,
`REDIS_URL`) are not mentions. Names that are ordinary words as well (go, react, express) need evidence:
`memory.extraction.technologies.ambiguous_words`.

Linear. The tables (0.4 MB) are parsed at first use, in 4 ms.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from memory.extraction.technologies.ambiguous_words import has_evidence, stands_beside
from memory.extraction.technologies.tables import CERTAIN, STRICT, WEAK, names_known

if TYPE_CHECKING:
    from memory.extraction.technologies.tables import Names

LONGEST_NAME: Final = 64
"""Runs of name characters beyond this are data, not names (chosen; the longest name has 27)."""
LONGEST_PHRASE: Final = 4
"""Words that may follow the first word of a name (weights and biases, swift package manager)."""


class TechnologyMention(NamedTuple):
    """One mention: the canonical name and the span of characters it stands in."""

    name: str
    start: int
    end: int


def technologies_in(text: str) -> tuple[str, ...]:
    """Return the canonical names of the technologies in a text, each once, in order of appearance.

    Works inside Chinese text: `technologies_in("使用FastAPI框架")` is `("fastapi",)`. Linear time; never
    raises.
    """
    return tuple(dict.fromkeys(mention.name for mention in technology_mentions(text)))


def technology_kind(name: str) -> str | None:
    """Return what sort of thing a canonical name is ("database", "package manager", ...), None if unknown.

    The kinds are the keys of `memory.extraction.technologies.names.KINDS`.
    """
    return names_known().kinds.get(name)


@lru_cache(maxsize=64)
def technology_mentions(text: str) -> tuple[TechnologyMention, ...]:
    """Return every mention with its span, in order; spans do not overlap.  Remembered: several tables ask."""
    names = names_known()
    found = _decide(text, _candidates(text, names))
    if not text.isascii():
        foreign = names.any_foreign.finditer(text)
        found += [TechnologyMention(names.foreign[m.group()], m.start(), m.end()) for m in foreign]
        found.sort(key=lambda m: m.start)
    return tuple(found)


_RUN: Final = re.compile(r"[\w@.$~/\\+#%&-]+", re.ASCII)
_SHOUTED: Final = re.compile(r"\b[A-Z]{2,12} \Z", re.ASCII)
_VERSIONED: Final = re.compile(r"([a-z+#][a-z.+#]*?)[-@v]?\d{1,2}(?:\.[\dx]{1,3}){0,3}")
_SUFFIXES: Final = frozenset(
    (
        *("based", "backed", "powered", "driven", "related", "oriented", "like", "style", "only", "first"),
        *("ready", "specific", "native", "compatible", "friendly", "free", "side", "server", "client"),
        *("app", "heavy"),
    )
)
_SCHEMES: Final = frozenset({"database", "data pipeline"})
"""Kinds whose names are evidence even as the scheme of an address (`postgresql://...`)."""


class _Candidate(NamedTuple):
    name: str
    start: int
    end: int
    certain: int


def _candidates(text: str, names: Names) -> list[_Candidate]:
    """Collect what looks like a name, with how certain it is; phrases win over their first word."""
    out: list[_Candidate] = []
    behind = 0
    for run in _RUN.finditer(text):
        start, raw = run.start(), run.group()
        if start < behind or len(raw) > LONGEST_NAME:
            continue
        head = raw.lower().partition("-")[0]
        phrase = _phrase_at(text, start, len(head), names.phrases[head]) if head in names.phrases else None
        found = [phrase] if phrase else _read(raw, start, text, names)
        if found:
            behind = found[-1].end
        out += [c for c in found if not _is_scheme(text, c, names)]
    return out


def _is_scheme(text: str, found: _Candidate, names: Names) -> bool:
    """Is this word the scheme of an address, and no evidence of itself?"""
    return text.startswith("://", found.end) and names.kinds.get(found.name) not in _SCHEMES


_PHRASE: Final = re.compile(r"(?:[ \t]{1,2}|-)([A-Za-z0-9_.+#/&@]+)")


def _phrase_at(text: str, start: int, size: int, options: dict[str, str]) -> _Candidate | None:
    """Match the longest name of several words that begins here, with a word of this size that has these options."""
    at = start + size
    words = ""
    found: _Candidate | None = None
    for _ in range(LONGEST_PHRASE):
        word = _PHRASE.match(text, at)
        if not word:
            break
        at = word.end()
        words = f"{words} {word[1].lower()}".lstrip()
        bare = words.rstrip(".")
        canonical = options.get(words) or options.get(bare)
        if canonical:
            found = _Candidate(canonical, start, at - (len(words) - len(bare)), CERTAIN)
        elif words not in options:
            break
    return found


def _read(raw: str, start: int, text: str, names: Names) -> list[_Candidate]:
    """Read a run: a word as it is, with punctuation, a version or a suffix, or a list with slashes."""
    found = _single(raw, names)
    if found is not None:
        name, certain = found
        if certain == CERTAIN and raw.isupper() and names.singles[raw.lower()][1]:
            certain = WEAK if _SHOUTED.search(text, max(0, start - LONGEST_NAME), start) else certain
        return [_Candidate(name, start, start + len(raw), certain)]
    if raw[0] == "@" and "/" in raw:  # a scoped package: @nestjs/core
        scope = raw[1 : raw.index("/")]
        found = _single(scope, names)
        certain = found is not None and found[1] == CERTAIN
        return [_Candidate(found[0], start, start + 1 + len(scope), CERTAIN)] if found and certain else []
    if raw[0] in "/~\\$%" or raw[:2] in ("--", "./", "..") or "@" in raw[1:] or "\\" in raw:
        return []
    core = raw.rstrip("./~-&").removeprefix("-").removeprefix("#")
    if not core or (raw[0] == "-" and text[max(0, start - 1) : start] not in ("", "\n")):
        return []
    begin = start + raw.index(core)
    found = _word(core, names)
    if found is not None:
        return [_Candidate(found[0], begin, begin + len(core), found[1])]
    mark = next((mark for mark in "/&+" if mark in core), None)
    return _listed(core, begin, mark, names) if mark else []


def _single(raw: str, names: Names) -> tuple[str, int] | None:
    """Look one word up: (canonical, how certain)."""
    entry = names.singles.get(raw.lower())
    if entry is None:
        return None
    canonical, certain, exact = entry
    return canonical, CERTAIN if raw == exact else certain


def _word(word: str, names: Names) -> tuple[str, int] | None:
    """Look a word up as it is, without its version, or without its suffix."""
    found = _single(word, names)
    if found is not None:
        return found
    low = word.lower()
    if version := _VERSIONED.fullmatch(low):
        found = _single(version[1], names)
        is_letter = len(version[1]) == 1  # r2 and c1 name other things
        return found if found is None or is_letter else (found[0], CERTAIN)
    first, _, rest = low.partition("-")
    found = _single(word[: len(first)], names) if rest else None
    if found is None:
        return None
    is_model = names.kinds[found[0]] == "model"
    if is_model or rest[0].isdigit() or rest in _SUFFIXES:
        return found[0], CERTAIN if is_model else found[1]
    return None


def _listed(core: str, begin: int, mark: str, names: Names) -> list[_Candidate]:
    """Read `React/Vue/Svelte`: names only where every member is one, so that paths are not."""
    out: list[_Candidate] = []
    for member in core.split(mark):
        found = _word(member, names) if member else None
        if found is None:
            return []
        out.append(
            _Candidate(found[0], begin, begin + len(member), CERTAIN if found[1] == WEAK else found[1])
        )
        begin += len(member) + 1
    sure = any(c.certain == CERTAIN for c in out)
    return [c._replace(certain=CERTAIN) for c in out] if sure else out


def _decide(text: str, candidates: list[_Candidate]) -> list[TechnologyMention]:
    """Keep the certain candidates and those that have evidence; neighbours are asked in both directions."""
    kept = [
        c.certain == CERTAIN or has_evidence(text, c.start, c.end, strict=c.certain == STRICT)
        for c in candidates
    ]
    order = range(1, len(candidates))
    for i, near in [(i, i - 1) for i in order] + [(i - 1, i) for i in reversed(order)]:
        if not kept[i] and kept[near]:
            c, other = candidates[i], candidates[near]
            spans = (c.start, c.end), (other.start, other.end)
            kept[i] = stands_beside(text, *spans, strict=c.certain == STRICT)
    return [
        TechnologyMention(c.name, c.start, c.end) for c, keep in zip(candidates, kept, strict=True) if keep
    ]
