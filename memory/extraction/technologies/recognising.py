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
MOST_ASKED: Final = 100
"""Mentions of one ordinary word in one text that are weighed (chosen); further ones need a neighbour."""


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
    if not text.isascii() and names.any_foreign.search(text):
        found += _in_other_scripts(text, names)
        found.sort(key=lambda m: m.start)
    return tuple(found)


# --- candidates ---------------------------------------------------------------------------------------------

_RUN: Final = re.compile(r"[\w@.$~/\\+#%&-]+", re.ASCII)
_SHOUTED: Final = re.compile(r"\b[A-Z]{2,12} \Z", re.ASCII)
_VERSIONED: Final = re.compile(r"([a-z+#][a-z.+#]*?)[-@v]?\d{1,2}(?:\.[\dx]{1,3}){0,3}")
_VERSION_END: Final = "0123456789x"
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
    singles, phrases = names.singles, names.phrases
    behind = 0
    for run in _RUN.finditer(text):
        start, end, raw = run.start(), run.end(), run.group()
        low = raw.lower()
        simple = low.isalpha()
        head = low if simple else low.partition("-")[0]
        if start < behind or len(raw) > LONGEST_NAME:
            continue
        phrase = _phrase_at(text, start, len(head), phrases[head]) if head in phrases else None
        if phrase is not None:
            out.append(phrase)
            behind = phrase.end
        elif low in singles:
            name, certain, exact = singles[low]
            if _is_scheme(text, end, name, names):
                continue
            if certain:
                shouted = raw.isupper() and _SHOUTED.search(text, max(0, start - LONGEST_NAME), start)
                certain = CERTAIN if raw == exact else certain
                certain = max(certain, WEAK) if shouted else certain
            out.append(_Candidate(name, start, end, certain))
        elif not simple:
            out += _composed(raw, start, text, names)
    return out


def _single(raw: str, names: Names) -> tuple[str, int] | None:
    """Look one word up: (canonical, how certain)."""
    entry = names.singles.get(raw.lower())
    if entry is None:
        return None
    canonical, certain, exact = entry
    return canonical, CERTAIN if exact and raw == exact else certain


def _is_scheme(text: str, end: int, name: str, names: Names) -> bool:
    """Is this word the scheme of an address, and no evidence of itself?"""
    return text.startswith("://", end) and names.kinds.get(name) not in _SCHEMES


_GAPS: Final = frozenset(" \t-")
_GAP: Final = re.compile(r"[ \t]{1,2}|-")
_NEXT: Final = re.compile(r"[A-Za-z0-9_.+#/&@]+")


def _phrase_at(text: str, start: int, size: int, options: dict[str, str]) -> _Candidate | None:
    """Match the longest name of several words that begins here, with a word of this size that has these options."""
    at = start + size
    if text[at : at + 1] not in _GAPS:
        return None
    words = ""
    found: _Candidate | None = None
    for _ in range(LONGEST_PHRASE):
        gap = _GAP.match(text, at)
        word = gap and _NEXT.match(text, gap.end())
        if not word:
            break
        at = word.end()
        part = word.group().lower()
        words = f"{words} {part}" if words else part
        canonical = options.get(words) or options.get(words.rstrip("."))
        if canonical:
            found = _Candidate(canonical, start, at - len(part) + len(part.rstrip(".")), CERTAIN)
        elif canonical is None and words not in options:
            break
    return found


def _composed(raw: str, start: int, text: str, names: Names) -> list[_Candidate]:
    """Read a run that is more than a plain word: punctuation, versions, suffixes, lists with slashes."""
    if raw[0] == "@" and "/" in raw:  # a scoped package: @nestjs/core
        scope = raw[1 : raw.index("/")]
        found = _single(scope, names)
        if found is None or found[1] != CERTAIN:
            return []
        return [_Candidate(found[0], start, start + 1 + len(scope), CERTAIN)]
    if raw[0] in "/~\\$%" or raw[:2] in ("--", "./", "..") or "@" in raw[1:] or "\\" in raw:
        return []
    core = raw.rstrip("./~-&").removeprefix("-").removeprefix("#")
    begin = start + raw.index(core) if core else start
    if not core or (raw[0] == "-" and text[max(0, start - 1) : start] not in ("", "\n")):
        return []
    found = _word(core, names)
    if found is not None:
        end = begin + len(core)
        return [] if _is_scheme(text, end, found[0], names) else [_Candidate(found[0], begin, end, found[1])]
    for mark in "/&+":
        if mark in core:
            return _listed(core, begin, mark, names)
    return []


def _word(word: str, names: Names) -> tuple[str, int] | None:
    """Look a word up as it is, without its version, or without its suffix."""
    found = _single(word, names)
    if found is not None:
        return found
    low = word.lower()
    version = _VERSIONED.fullmatch(low) if low[-1] in _VERSION_END else None
    if version is not None:
        found = _single(version.group(1), names)
        is_letter = len(version.group(1)) == 1  # r2 and c1 name other things
        return found if found is None or is_letter else (found[0], CERTAIN)
    first, _, rest = low.partition("-")
    if rest:
        found = _single(word[: len(first)], names)
        is_model = found is not None and names.kinds[found[0]] == "model"
        if found is not None and (is_model or rest[0].isdigit() or rest in _SUFFIXES):
            return found[0], CERTAIN if is_model else found[1]
    return None


def _listed(core: str, begin: int, mark: str, names: Names) -> list[_Candidate]:
    """Read `React/Vue/Svelte`: names only where every member is one, so that paths are not."""
    out: list[_Candidate] = []
    at = begin
    for member in core.split(mark):
        found = _word(member, names) if member else None
        if found is None:
            return []
        out.append(_Candidate(found[0], at, at + len(member), CERTAIN if found[1] == WEAK else found[1]))
        at += len(member) + 1
    if any(c.certain == CERTAIN for c in out):
        return [c._replace(certain=CERTAIN) for c in out]
    return out


# --- which to keep ------------------------------------------------------------------------------------------


def _decide(text: str, candidates: list[_Candidate]) -> list[TechnologyMention]:
    """Keep the certain candidates and those that have evidence; neighbours are asked in both directions."""
    if not any(c.certain for c in candidates):
        return [TechnologyMention(c.name, c.start, c.end) for c in candidates]
    kept: list[bool] = []
    asked: dict[str, int] = {}
    for c in candidates:
        if c.certain != CERTAIN:
            asked[c.name] = asked.get(c.name, 0) + 1
        kept.append(
            c.certain == CERTAIN
            or (
                asked[c.name] <= MOST_ASKED and has_evidence(text, c.start, c.end, strict=c.certain == STRICT)
            )
        )
    if any(kept) and not all(kept):
        order = range(1, len(candidates))
        for i, near in [(i, i - 1) for i in order] + [(i - 1, i) for i in reversed(order)]:
            if not kept[i] and kept[near]:
                kept[i] = _is_beside(text, candidates[i], candidates[near])
    return [
        TechnologyMention(c.name, c.start, c.end) for c, keep in zip(candidates, kept, strict=True) if keep
    ]


def _is_beside(text: str, candidate: _Candidate, near: _Candidate) -> bool:
    """Is a technology beside it evidence enough?"""
    span, other = (candidate.start, candidate.end), (near.start, near.end)
    return stands_beside(text, span, other, strict=candidate.certain == STRICT)


def _in_other_scripts(text: str, names: Names) -> list[TechnologyMention]:
    """Find names written in Chinese: each is searched for, there are few; the longest wins where two overlap."""
    spans: list[TechnologyMention] = []
    for name in names.foreign:
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if not any(s.start < end and at < s.end for s in spans):
                spans.append(TechnologyMention(names.foreign[name], at, end))
            at = text.find(name, end)
    return spans
