"""Technologies named in a text: words looked up in a table, never an alternation of patterns.

Names of several words, with a version (`python3.11`, `gpt-4o`) or a suffix (`redis-backed`) and lists with slashes
(`React/Vue`) are understood; paths, flags, addresses and identifiers are no mentions. Names that are ordinary words as
well (go, react) need evidence where they stand: words around them, a version, spelling, backticks, neighbours. Linear.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from memory.conversation import LazyPattern
from memory.extraction.technology_names import CERTAIN, STRICT, WEAK, names_known

if TYPE_CHECKING:
    from memory.extraction.technology_names import Names

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

    Works inside Chinese text: `technologies_in("使用FastAPI框架")` is `("fastapi",)`.
    """
    return tuple(dict.fromkeys(mention.name for mention in technology_mentions(text)))


def technology_kind(name: str) -> str | None:
    """Return what sort of thing a canonical name is ("database", "package manager", ...), None if unknown."""
    return names_known().kinds.get(name)


@lru_cache(maxsize=64)
def technology_mentions(text: str) -> tuple[TechnologyMention, ...]:
    """Return every mention with its span, in order; spans do not overlap."""
    names = names_known()
    found = _decided(text, _candidates(text, names))
    found += [
        TechnologyMention(names.foreign[m.group()], m.start(), m.end()) for m in names.any_foreign.finditer(text)
    ]
    return tuple(sorted(found, key=lambda mention: mention.start))


class _Candidate(NamedTuple):
    name: str
    start: int
    end: int
    certain: int


_RUN: Final = LazyPattern(r"(?a:[\w@.$~/\\+#%&-]+)")
_PHRASE: Final = LazyPattern(r"(?:[ \t]{1,2}|-)([A-Za-z0-9_.+#/&@]+)")
_SHOUTED: Final = LazyPattern(r"\b[A-Z]{2,12} \Z")
_VERSIONED: Final = LazyPattern(r"([a-z+#][a-z.+#]*?)[-@v]?\d{1,2}(?:\.[\dx]{1,3}){0,3}")
_SUFFIXES: Final = frozenset(
    "based backed powered driven related oriented like style only first ready specific native compatible friendly free "
    "side server client app heavy".split()
)
_SCHEMES: Final = frozenset({"database", "data pipeline"})
"""Kinds whose names are evidence even as the scheme of an address (`postgresql://...`)."""


def _candidates(text: str, names: Names) -> list[_Candidate]:
    """Collect what looks like a name, with how certain it is; phrases win over their first word."""
    found: list[_Candidate] = []
    for run in _RUN.finditer(text):
        low = run.group().lower()
        if low.isalpha() and low not in names.singles and low not in names.phrases:
            continue  # a word like most: neither a name nor anything with one inside
        if len(low) > LONGEST_NAME or (found and run.start() < found[-1].end):
            continue
        phrase = _phrase_at(text, run.start(), low.partition("-")[0], names)
        found += [
            candidate
            for candidate in ([phrase] if phrase else _read(text, run.start(), run.group(), names))
            if not text.startswith("://", candidate.end) or names.kinds[candidate.name] in _SCHEMES
        ]
    return found


def _phrase_at(text: str, start: int, head: str, names: Names) -> _Candidate | None:
    """Match the longest name of several words that begins with this word."""
    options = names.phrases.get(head, {})
    at, words = start + len(head), ""
    found: _Candidate | None = None
    for _ in range(LONGEST_PHRASE if options else 0):
        word = _PHRASE.match(text, at)
        if not word:
            break
        at = word.end()
        words = f"{words} {word[1].lower()}".lstrip()
        bare = words.rstrip(".")
        if canonical := options.get(words) or options.get(bare):
            found = _Candidate(canonical, start, at - (len(words) - len(bare)), CERTAIN)
        elif words not in options:
            break
    return found


def _read(text: str, start: int, raw: str, names: Names) -> list[_Candidate]:
    """Read a run: a word as it is, with punctuation, a version or a suffix, or a list with slashes."""
    if found := _single(raw, names):
        name, certain = found
        exact = names.singles[raw.lower()][2] if raw.isupper() else ""
        if certain == CERTAIN and exact and _SHOUTED.search(text, max(0, start - LONGEST_NAME), start):
            certain = WEAK
        return [_Candidate(name, start, start + len(raw), certain)]
    if raw[0] == "@" and "/" in raw:  # a scoped package: @nestjs/core
        scope = raw[1 : raw.index("/")]
        found = _single(scope, names)
        sure = found is not None and found[1] == CERTAIN
        return [_Candidate(found[0], start, start + 1 + len(scope), CERTAIN)] if found and sure else []
    if raw[0] in "/~\\$%" or raw[:2] in ("--", "./", "..") or "@" in raw[1:] or "\\" in raw:
        return []
    core = raw.rstrip("./~-&").removeprefix("-").removeprefix("#")
    if not core or (raw[0] == "-" and text[max(0, start - 1) : start] not in ("", "\n")):
        return []
    begin = start + raw.index(core)
    if found := _word(core, names):
        return [_Candidate(found[0], begin, begin + len(core), found[1])]
    mark = next((mark for mark in "/&+" if mark in core), None)
    return _listed(core, begin, mark, names) if mark else []


def _single(raw: str, names: Names) -> tuple[str, int] | None:
    """Look one word up: (canonical, how certain)."""
    canonical, certain, exact = names.singles.get(raw.lower(), ("", CERTAIN, ""))
    return (canonical, CERTAIN if raw == exact else certain) if canonical else None


def _word(word: str, names: Names) -> tuple[str, int] | None:
    """Look a word up as it is, without its version, or without its suffix."""
    low = word.lower()
    if found := _single(word, names):
        return found
    if version := _VERSIONED.fullmatch(low):
        found = _single(version[1], names)
        is_letter = len(version[1]) == 1  # r2 and c1 name other things
        return found if found is None or is_letter else (found[0], CERTAIN)
    first, _, rest = low.partition("-")
    found = _single(word[: len(first)], names) if rest else None
    if found and names.kinds[found[0]] == "model":
        return found[0], CERTAIN
    return found if found and (rest[0].isdigit() or rest in _SUFFIXES) else None


def _listed(core: str, begin: int, mark: str, names: Names) -> list[_Candidate]:
    """Read `React/Vue/Svelte`: names only where every member is one, so that paths are not."""
    found: list[_Candidate] = []
    for member in core.split(mark):
        if not (read := _word(member, names)):
            return []
        certain = CERTAIN if read[1] == WEAK else read[1]
        found.append(_Candidate(read[0], begin, begin + len(member), certain))
        begin += len(member) + 1
    sure = any(c.certain == CERTAIN for c in found)
    return [c._replace(certain=CERTAIN) for c in found] if sure else found


def _decided(text: str, candidates: list[_Candidate]) -> list[TechnologyMention]:
    """Keep the certain candidates and those that have evidence; neighbours are asked in both directions."""
    kept = [c.certain == CERTAIN or _has_evidence(text, c) for c in candidates]
    order = range(1, len(candidates))
    for i, near in [(i, i - 1) for i in order] + [(i - 1, i) for i in reversed(order)]:
        if not kept[i] and kept[near]:
            kept[i] = _stands_beside(text, candidates[i], candidates[near])
    return [TechnologyMention(*c[:3]) for c, keep in zip(candidates, kept, strict=True) if keep]


_WINDOW: Final = 40
LONGEST_SEPARATOR: Final = 16
"""Characters between two names of a list, at most: "` instead of `"."""
_OTHER_SCRIPT: Final = r"[\u0370-\u1fff\u2e80-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
_FOREIGN_BEFORE: Final = LazyPattern(_OTHER_SCRIPT + r" ?\Z")
_FOREIGN_AFTER: Final = LazyPattern(" ?" + _OTHER_SCRIPT)
_WIDE_CUE_BEFORE: Final = LazyPattern(
    r"(?:用|使用|采用|换成|改用|改成|换到|迁移到|基于|语言|框架|安装|学|写)[ :：]?\Z"
)
_WIDE_CUE_AFTER: Final = LazyPattern(r" ?(?:语言|框架|项目|代码|版本|后端|前端|服务|程序|组件|工程|库|で)")
_CUE_BEFORE: Final = LazyPattern(
    r"(?ai)(?:^|[^A-Za-z])(?:us(?:e|es|ed|ing)|adopt(?:ed|ing)?|prefer|choose|chose|install(?:ed|ing)?|in|with|via|on"
    r"|like|our|plain|latest|written in|built (?:with|on|in)|based on|instead of|rather than|deploy(?:ed)? (?:to|on)"
    r"|docker run|(?:switch|migrat|mov|port|convert|rewrit|chang|upgrad)(?:e|ed|ing)?(?: \w{1,12}){0,3} (?:to|from|off)"
    r") \Z"
)
_CUE_AFTER: Final = LazyPattern(
    r"(?ai)[ -](?:apps?|application|code|codebase|project|framework|servers?|services?|backend|frontend|apis?|language"
    r"|library|package|crate|compiler|runtime|components?|hooks?|router|middleware|plugin|developer|sdk|toolchain"
    r"|cluster|program|binary|endpoints?|client|docs|fixtures?|blueprint)\b"
)
_VERSION_AFTER: Final = LazyPattern(r"(?ai) v?\d{1,4}\.[\dx]| v\d| version \d")
_NUMBER_AFTER: Final = LazyPattern(r"(?a: \d{1,2}(?![\w.:%])(?! [a-z]{3}))")
_LOWER_WORD_BEFORE: Final = LazyPattern(r"(?a:(?:^|[^A-Za-z0-9])[a-z][\w'-]*,? \Z)")
_LABEL_BEFORE: Final = LazyPattern(r"[A-Za-z\u3040-\u9fff]{2,20}\**[:：=]\**[ `]{0,2}\Z")
_BULLET_BEFORE: Final = LazyPattern(r"(?:^|\n)[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+[*`]{0,2}\Z")
_ITEM_END: Final = LazyPattern(r"[*`\"']{0,2}[ \t]{0,4}(?:[\n,;，。；]|\.?\Z|\(|\+)")
_BETWEEN: Final = LazyPattern(
    r"[`*\"]{0,2}(?: ?[,/&+、，] ?(?:and |or )?| (?:and|or|with|vs\.?|over|on|plus|not|instead of|和|与|或) )"
    r"[`*\"]{0,2}"
)
_BETWEEN_STRICT: Final = LazyPattern(r"[`*]{0,2} ?[,/+、] ?[`*]{0,2}")
_VERB_AFTER: Final = LazyPattern(
    r"(?i) (?:to|it|them|this|that|these|sure|up|out|back|ahead|through|the|a|an|your|my|our)\b"
)


def _has_evidence(text: str, found: _Candidate) -> bool:
    """Tell whether the text around an ordinary word says that the technology is meant."""
    strict = found.certain == STRICT
    word = text[found.start : found.end]
    before, after = text[max(0, found.start - _WINDOW) : found.start], text[found.end : found.end + _WINDOW]
    if after.startswith((":\\", "://", "(")) or before.endswith(("://", "'", ".", "/")):
        return False
    is_name = word[0].isupper() and (len(word) == 1 or not word.isupper())
    if (is_name or not strict) and _VERSION_AFTER.match(after):
        return True
    if len(word) > 1 and _ITEM_END.match(after) and _LABEL_BEFORE.search(before):
        return True
    cued = _CUE_AFTER.match(after) or _CUE_BEFORE.search(before)
    if strict:
        if _WIDE_CUE_BEFORE.search(before) or _WIDE_CUE_AFTER.match(after):
            return True
        return is_name and not (len(word) == 1 and before.endswith(("in a ", "Option "))) and bool(cued)
    if cued or (before.endswith("`") and after.startswith("`")):
        return True
    if _FOREIGN_BEFORE.search(before) or _FOREIGN_AFTER.match(after):
        return True
    if is_name and (_LOWER_WORD_BEFORE.search(before) or _NUMBER_AFTER.match(after)):
        return True
    return bool(_ITEM_END.match(after) and _BULLET_BEFORE.search(before))


def _stands_beside(text: str, found: _Candidate, near: _Candidate) -> bool:
    """Tell whether an ordinary word stands in a list with, or right beside, a technology."""
    between = text[min(found.end, near.end) : max(found.start, near.start)]
    if len(between) > LONGEST_SEPARATOR or _VERB_AFTER.match(text[found.end : found.end + _WINDOW]):
        return False
    if found.certain == STRICT:
        is_name = text[found.start].isupper()
        return bool(_BETWEEN_STRICT.fullmatch(between)) and (is_name or "," not in between)
    return bool(_BETWEEN.fullmatch(between))
