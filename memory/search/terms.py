"""What a text can be found by: stems, parts of identifiers, notions of the trade, bigrams of Chinese and Japanese.

One analysis for all keyword search: what is kept, what is asked, in every store.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from memory.search.stemming import stem
from memory.search.synonyms import TOGETHER, notions

MOST_READ: Final = 8000
"""Characters of a text that are analysed (chosen: a memory is a clause; longer ones are pasted)."""

MOST_ASKED: Final = 40
"""Things that one query can ask for (chosen: bounds the cost where a whole message is the query)."""

MOST_WITH_NOTIONS: Final = 16
"""Words of a query (two bigrams are one) up to which words of like meaning count as well (chosen: who says more
says it in several words)."""

_CJK: Final = "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE: Final = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+(?:[-'’.+#@][^\W{_CJK}]+){{0,20}}(?:\+\+|#(?!\w))?")
_PART: Final = re.compile(r"[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,60}|[A-Z]|\d{1,40}|[^\W\d_a-zA-Z]{1,60}")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_BEFORE_CJK: Final = "\u2e7f"
_STOP: Final = """
a an the this that these those it its is are was were be been being am do does did doing done have has had
i you he she we they me my your our their his her us them who whom whose which what when where why how of
to in on at by for from with as into onto about over under up out and or but if so than then too very just
can could will would shall should may might there here please also any some each both own same such s t re
ve ll d m don doesn didn isn aren wasn de la le el los las un una du des et en es que por para com o os da
do das dos em um uma e y в и на не что это как по к из за для с у о от же
"""
_STOP_WORDS: Final = frozenset(_STOP.split())
"""Words that say nothing alone (chosen); they count only where a text has no others."""


_JOINTS: Final = str.maketrans("", "", "-_.'@#")


class Terms(NamedTuple):
    """What one text can be found by; each in order of appearance, without repetitions.

    Attributes:
        words: stems of words and of parts of identifiers, identifiers whole.
        grams: bigrams of Chinese and Japanese runs, lone characters as they are.
        notions: rows of the table of synonyms.
    """

    words: tuple[str, ...]
    grams: tuple[str, ...]
    notions: tuple[int, ...]


class Asked(NamedTuple):
    """One thing that a query asks for.

    Attributes:
        shown: as it stands in the query, lower case.
        term: the stem or bigram.
        is_gram: a bigram.
        notions: rows of the table that serve as well.
    """

    shown: str
    term: str
    is_gram: bool
    notions: tuple[int, ...]


def terms_of(text: str) -> Terms:
    """Return what a text can be found by. About 30 microseconds for a line; linear; only `MOST_READ` characters."""
    words: list[str] = []
    grams: list[str] = []
    rows: list[int] = []
    recent: list[str] = []
    enders = notions().phrase_ends
    for piece in _PIECE.findall(text if len(text) <= MOST_READ else text[:MOST_READ]):
        if piece[0] > _BEFORE_CJK:
            for one in _cjk(piece):
                grams.append(one.term)
                rows += one.notions
            recent.clear()
            continue
        read = _terms_of_word(piece)
        words += read.telling
        rows += read.notions
        recent += read.stems
        if read.stems[-1] in enders:
            rows += [row for _, found in _phrases(recent) for row in found]
    if not words and not grams:
        words += recent
    return Terms(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(grams)), tuple(dict.fromkeys(rows)))


def asked_by(query: str) -> tuple[Asked, ...]:
    """Return what a query asks for, each once, stop words left out where there is anything else.

    Of a long text, its beginning and its end: people speak before and after what they paste.
    """
    found: dict[tuple[str, bool], Asked] = {}
    for one in _read(query):
        key = (one.term, one.is_gram)
        known = found.get(key)
        rows = one.notions if known is None else (*known.notions, *one.notions)
        found[key] = one._replace(notions=tuple(dict.fromkeys(rows)))
    asked = [one for one in found.values() if one.term]
    if len(asked) > MOST_ASKED:
        asked = asked[: MOST_ASKED // 2] + asked[-MOST_ASKED // 2 :]
    if sum(0.5 if one.is_gram else 1.0 for one in asked) > MOST_WITH_NOTIONS:
        asked = [one._replace(notions=()) for one in asked]
    return tuple(asked)


def _read(text: str) -> list[Asked]:
    """Return everything in a text, stop words only where there is nothing else."""
    found: list[Asked] = []
    recent: list[str] = []
    enders = notions().phrase_ends
    for piece in _PIECE.findall(text if len(text) <= MOST_READ else text[:MOST_READ]):
        if piece[0] > _BEFORE_CJK:
            recent.clear()
            found += _cjk(piece)
            continue
        for one in _word(piece):
            found.append(one)
            recent.append(one.term)
            if one.term in enders:
                for width, rows in _phrases(recent):
                    first = found[-width]
                    found[-width] = first._replace(notions=tuple(dict.fromkeys((*first.notions, *rows))))
    telling = [one for one in found if one.shown not in _STOP_WORDS]
    return telling or found


def _phrases(recent: list[str]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the phrases that end here: how many words, and the rows they stand in."""
    table = notions().of_phrase
    found = [
        (width, table.get(tuple(recent[-width:]), ())) for width in range(2, min(TOGETHER, len(recent)) + 1)
    ]
    return [(width, rows) for width, rows in found if rows]


@lru_cache(maxsize=32_768)
def _word(piece: str) -> tuple[Asked, ...]:
    """Read one run of word characters: a word, an identifier, a version, a hyphenated compound."""
    plain = _ACCENTS.sub("", normalize("NFKD", piece)) if not piece.isascii() else piece
    plain = plain.replace("’", "'").removesuffix("'s")
    whole = plain.casefold()
    parts = _PART.findall(plain)
    if len(parts) <= 1:
        return (_asked(whole),)
    pieces = [part.casefold() for part in parts]
    kept = [_asked(part) for part in dict.fromkeys(pieces) if len(part) > 1 or part.isdigit()]
    joined = whole.translate(_JOINTS)
    if joined not in pieces and len(pieces) <= 4:  # noqa: PLR2004  # longer ones are sentences in disguise
        kept.append(_asked(joined))
    return tuple(kept) or (_asked(whole),)


class _WordTerms(NamedTuple):
    """What one run of word characters adds: all its stems, those of no stop word, and their notions."""

    stems: tuple[str, ...]
    telling: tuple[str, ...]
    notions: tuple[int, ...]


@lru_cache(maxsize=32_768)
def _terms_of_word(piece: str) -> _WordTerms:
    found = _word(piece)
    telling = [one for one in found if one.shown not in _STOP_WORDS]
    return _WordTerms(
        tuple(one.term for one in found),
        tuple(one.term for one in telling),
        tuple(row for one in telling for row in one.notions),
    )


def _asked(word: str) -> Asked:
    rooted = stem(word)
    return Asked(word, rooted, False, notions().of_stem.get(rooted, ()))


def _cjk(run: str) -> list[Asked]:
    if len(run) == 1:
        return [Asked(run, run, True, notions().of_cjk.get(run, ()))]
    table, firsts, longest = notions().of_cjk, notions().cjk_firsts, notions().longest_cjk
    found: list[Asked] = []
    for start in range(len(run) - 1):
        rows: tuple[int, ...] = ()
        if run[start] in firsts:
            for end in range(start + 2, min(start + longest, len(run)) + 1):
                rows += table.get(run[start:end], ())
        gram = run[start : start + 2]
        found.append(Asked(gram, gram, True, rows))
    return found
