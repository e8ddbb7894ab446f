"""What a text can be found by: stems, parts of identifiers, synonyms, bigrams of Chinese and Japanese.

One analysis for all keyword search: what is kept, what is asked, in every store.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from memory.search.stemming import stem
from memory.search.synonyms import FIRST_CJK, LONGEST_PHRASE, notions

MOST_READ: Final = 8000
"""Characters of a text that are analysed (chosen: a memory is a clause; longer ones are pasted)."""
MOST_ASKED: Final = 40
"""Things that one query can ask for (chosen: bounds the cost where a whole message is the query)."""
MOST_WITH_NOTIONS: Final = 16
"""Words of a query (two bigrams are one) up to which synonyms count as well (chosen)."""

_CJK: Final = "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE: Final = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+(?:[-'’.+#@][^\W{_CJK}]+){{0,20}}(?:\+\+|#(?!\w))?")
_PART: Final = re.compile(r"[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,60}|[A-Z]|\d{1,40}|[^\W\d_a-zA-Z]{1,60}")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_JOINTS: Final = str.maketrans("", "", "-_.'@#")
_STOP: Final = """
a an the this that these those it its it is are was were be been being am do does did doing done have has had
i you he she we they me my your our their his her us them who whom whose which what when where why how of
to in on at by for from with as into onto about over under up out and or but if so than then too very just
can could will would shall should may might there here please also any some each both own same such s t re
ve ll d m don doesn didn isn aren wasn de la le el los las un una du des et en es que por para com o os da
do das dos em um uma e y в и на не что это как по к из за для с у о от же
"""
_STOP_WORDS: Final = frozenset(_STOP.split())
"""Words that say nothing alone (chosen); they count only where a text has no others."""


class Terms(NamedTuple):
    """What one text can be found by: stems of words and identifiers, bigrams of wide characters, rows of synonyms."""

    words: tuple[str, ...]
    grams: tuple[str, ...]
    notions: tuple[int, ...]


class Asked(NamedTuple):
    """One thing that a query asks for: as shown there, its stem or bigram, and rows of synonyms that serve as well."""

    shown: str
    term: str
    is_gram: bool
    notions: tuple[int, ...]


def terms_of(text: str) -> Terms:
    """Return what a text can be found by. Linear; only `MOST_READ` characters are read."""
    found = _read(text)
    return Terms(
        tuple(dict.fromkeys(one.term for one in found if not one.is_gram)),
        tuple(dict.fromkeys(one.term for one in found if one.is_gram)),
        tuple(dict.fromkeys(row for one in found for row in one.notions)),
    )


def asked_by(query: str) -> tuple[Asked, ...]:
    """Return what a query asks for, each once, stop words only alone; of a long one, its beginning and end."""
    found: dict[tuple[str, bool], Asked] = {}
    for one in _read(query):
        known = found.setdefault((one.term, one.is_gram), one)
        found[one.term, one.is_gram] = _with_notions(one, known.notions, one.notions)
    asked = [one for one in found.values() if one.term]
    if len(asked) > MOST_ASKED:
        asked = asked[: MOST_ASKED // 2] + asked[-MOST_ASKED // 2 :]
    if sum(0.5 if one.is_gram else 1.0 for one in asked) > MOST_WITH_NOTIONS:
        asked = [one._replace(notions=()) for one in asked]
    return tuple(asked)


def _with_notions(one: Asked, *rows: tuple[int, ...]) -> Asked:
    return one._replace(notions=tuple(dict.fromkeys(sum(rows, ()))))


def _read(text: str) -> list[Asked]:
    """Everything in a text, stop words only where there is nothing else; a phrase counts with its first word."""
    found: list[Asked] = []
    rows = notions().rows
    first = 0
    for piece in _PIECE.findall(text[:MOST_READ]):
        if piece[0] >= FIRST_CJK:
            found += _cjk(piece)
            first = len(found)
            continue
        for one in _word(piece):
            found.append(one)
            for start in range(max(first, len(found) - LONGEST_PHRASE), len(found) - 1):
                if more := rows.get(" ".join([each.term for each in found[start:]])):
                    found[start] = _with_notions(found[start], found[start].notions, more)
    return [one for one in found if one.shown not in _STOP_WORDS] or found


@lru_cache(maxsize=32_768)
def _word(piece: str) -> tuple[Asked, ...]:
    """Read one run of word characters: a word, an identifier, a version, a hyphenated compound."""
    plain = _ACCENTS.sub("", normalize("NFKD", piece)).replace("’", "'").removesuffix("'s")
    whole = plain.casefold()
    parts = [part.casefold() for part in _PART.findall(plain)]
    kept = [part for part in dict.fromkeys(parts) if len(part) > 1 or part.isdigit()]
    joined = whole.translate(_JOINTS)
    if joined not in parts and len(parts) <= 4:  # noqa: PLR2004  # longer ones are sentences in disguise
        kept.append(joined)
    words = kept if kept and len(parts) > 1 else [whole]
    return tuple(Asked(word, stem(word), False, notions().rows.get(stem(word), ())) for word in words)


def _cjk(run: str) -> list[Asked]:
    table = notions()
    found: list[Asked] = []
    for start in range(max(1, len(run) - 1)):
        ends = range(start + min(2, len(run)), min(start + table.longest_cjk, len(run)) + 1)
        rows = tuple(row for end in ends for row in table.rows.get(run[start:end], ()))
        gram = run[start : start + 2]
        found.append(Asked(gram, gram, True, rows))
    return found
