"""How a short text reads when only its meaning counts: `Wording`, by which duplicates are told.

Words of alphabetic text count as they are (plural "s" and case aside); runs of Chinese and Japanese, where
splitting on blanks sees one word, count as character bigrams. Paths, flags, identifiers, numbers stay whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

_CJK = "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK_LETTER = re.compile(f"[{_CJK}]")
_PIECES = re.compile(rf"([{_CJK}]+)|([^\s{_CJK}]+)")
"""Runs of Chinese and Japanese, and of what is neither these nor a blank."""
_TERM = re.compile(
    r"(?:--?(?=[^\W\d_])|(?:~|\.{1,2})?/\.?|[@$]|(?<!\.)\.)?"
    r"\w+(?:[-./\\@:#+%&=~'’*]{1,3}\w+){0,60}(?:\+\+|#(?!\w))?"
)
_QUOTES, _STOPS = "\"'`([{<*", ".,:;!?\"'`)]}>*，。、；：！？）」』”"
"""What may stand before and behind a term without being part of it."""
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_KANA = re.compile("[\u3040-\u30fa]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")

MAX_READ = 4000
"""Characters of a text that are compared (chosen: a memory is a clause; longer ones are pasted)."""

_NEGATION_WORDS = """
not no never don't dont doesn't doesnt didn't won't wont can't cant cannot mustn't shouldn't isn't aren't
without avoid stop nor none neither nothing forbid forbidden
не нет никогда нельзя без ni nunca jamas sin nao sem jamais ne pas sans nicht kein keine nie niemals ohne
"""
NEGATIONS = frozenset(_NEGATION_WORDS.split())
_CJK_NEGATION = re.compile(
    "(?P<must>[不非]得不|不能不|必不可少)|不要|不能|不可以?|不许|不准|不得|不该|不应该?|不用|不必|不再|不"
    "|(?<![特分类级识区性个判告])别(?![的人处名墅])|勿|禁止|避免|没有?|无需|无须|切莫|莫|ません|ない|しなく|せず|ぬ"
)
_CJK_NEGATING = re.compile("[不非必没别勿禁避无切莫まなしせぬ]")
"""What a negation begins with."""
_FILLER_WORDS = """
a an the please pls plz kindly just also then so very really be is are was were am been will shall would
should must need needs needed require required has have had do does did always ensure sure remember note
important critical that this these those it its it's we you i our your my us me of to and let's lets ok
okay well
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_CJK_FILLERS = re.compile(
    "必须|一定要|一定|务必|需要|应该|应当|记住|注意|重要|关键|我们|咱们|你们|这个|那个|ください|です|ます"
)
_FILLING = frozenset("请要的了吧啊呢哦呀嘛你您我把将会也都就得をはが")
"""Fillers of one character, of what the longer ones leave."""
_CJK_FILLER_PARTS = _FILLING.union(_CJK_FILLERS.pattern)
"""Characters that may be part of a filler."""
_QUALIFYING_WORDS = """
in on at for from with within inside under over during before after until till while when whenever where if
unless except excluding including only but by via or than instead against between outside through per as like
may might can could maybe sometimes usually temporarily first last
"""
QUALIFIERS = frozenset(_QUALIFYING_WORDS.split())
_CJK_QUALIFIER = re.compile("[除非仅只若当时但前后内外在对于给里中或可比每暂先如]")


class Wording(NamedTuple):
    """One text, read for comparison.

    Attributes:
        units: what it says in order: words without fillers and modality, single CJK characters.
        bag: `units` as a set.
        negations: how many negations it holds; two texts with different counts never say the same.
        key: equal for texts that say the same but for fillers, case, blanks and punctuation.
        text: the characters that are compared.
    """

    units: tuple[str, ...]
    bag: frozenset[str]
    negations: int
    key: str
    text: str

    @property
    def tokens(self) -> frozenset[str]:
        """Words and CJK bigrams, lower case; what Jaccard similarity counts.  Read when first asked for: few are."""
        return _token_set(self.text)


@lru_cache(maxsize=2048)
def read_wording(text: str) -> Wording:
    """Read a text for comparison. Linear in its length; only the first `MAX_READ` characters are compared."""
    head = text[:MAX_READ]
    units, negations = _plain_units(head) if head.isascii() else _units(head)
    said = tuple(units or _tokens_of(head))
    key = "\x1f".join(said) if said else " ".join(text.split())
    if len(text) > MAX_READ:
        key += "\x1f" + text[MAX_READ:]
    return Wording(said, frozenset(said), negations, key, head)


@lru_cache(maxsize=2048)
def _token_set(text: str) -> frozenset[str]:
    return frozenset(_tokens_of(text))


def _tokens_of(text: str) -> list[str]:
    """The tokens of a text, in order."""
    if text.isascii():
        return _plain_words(text)
    tokens: list[str] = []
    for cjk, piece in _PIECES.findall(text):
        if cjk:
            tokens += [cjk[at : at + 2] for at in range(len(cjk) - 1)] or [cjk]
        else:
            tokens += map(plain_form, _TERM.findall(piece))
    return tokens


def _plain_words(text: str) -> list[str]:
    """The words of a text in ASCII, as `plain_form` writes them."""
    words: list[str] = []
    for piece in text.lower().split():
        if piece.isalpha():
            words.append(piece)
        elif (bare := piece.rstrip(_STOPS)).isalpha():
            words.append(bare)
        else:
            bare = bare.lstrip(_QUOTES)
            words += [bare] if bare.isalnum() else _TERM.findall(bare)
    return [plain_form(word) if word[-1] == "s" else word for word in words]


def _plain_units(text: str) -> tuple[list[str], int]:
    """The units of a text in ASCII, and how many negations it holds."""
    words = _plain_words(text)
    negations = 0 if NEGATIONS.isdisjoint(words) else sum([word in NEGATIONS for word in words])
    return [word for word in words if word not in _FILLERS], negations


def _units(text: str) -> tuple[list[str], int]:
    """The units of any text, and how many negations it holds."""
    units: list[str] = []
    negations = 0
    for cjk, piece in _PIECES.findall(text):
        if cjk:
            if _CJK_NEGATING.search(cjk):
                negations += sum(1 for match in _CJK_NEGATION.finditer(cjk) if not match["must"])
            units += [letter for letter in _CJK_FILLERS.sub("", cjk) if letter not in _FILLING]
        elif bare := piece.rstrip(_STOPS):
            for word in map(plain_form, [bare] if bare.isalnum() else _TERM.findall(bare)):
                if word in NEGATIONS:
                    negations += 1
                if word not in _FILLERS:
                    units.append(word)
    return units, negations


def _plain(text: str) -> str:
    """Lower case, no accents, straight apostrophes."""
    if text.isascii():
        return text.lower()
    return _ACCENTS.sub("", normalize("NFKD", text.casefold().replace("’", "'")))


def plain_form(term: str) -> str:
    """Lower case, no accents, straight apostrophe; a plain word without its plural or third-person "s"."""
    word = _plain(term)
    if word in NEGATIONS:
        return word
    if word[-1:] == "s" and len(word) > 3 and word[-2] not in "sui'" and _PLAIN_WORD.fullmatch(word):  # noqa: PLR2004  # "is", "gas", "class", "status", "axis" keep theirs
        return word[:-1]
    return word


def is_qualified(units: tuple[str, ...]) -> bool:
    """Tell whether these words restrict what they are added to ("in tests", "unless", "只", "之前", ...)."""
    return any(
        unit in QUALIFIERS or unit in NEGATIONS or _CJK_QUALIFIER.match(unit) is not None for unit in units
    )


def left_over(short: tuple[str, ...], long: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what `long` says beyond `short`, in order; None where `long` lacks part of it or its order."""
    extra: list[str] = []
    at = 0
    for unit in long:
        if at < len(short) and unit == short[at]:
            at += 1
        else:
            extra.append(unit)
    return tuple(extra) if at == len(short) else None


def stands_together(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Tell whether `short` stands in `long` without a gap; quadratic at worst, in a few dozen words."""
    width = len(short)
    return any(long[at : at + width] == short for at in range(len(long) - width + 1))


_MOST_SEEN = 8
"""Words of a text that are seen at a glance (chosen: two texts that begin alike are read)."""


def lacks(text: str, other: str) -> bool:
    """Tell at a glance that a text lacks a word of another one; False proves nothing.

    A text that lacks a word of the other says something else, or less. Takes about a word's time.
    """
    if len(other) > MAX_READ:
        return False
    if not other.isascii():
        for letter in other:
            if "\u4e00" <= letter <= "\u9fff" and letter not in text and letter not in _CJK_FILLER_PARTS:
                return True
    plain = _plain(text)
    for piece in other.split(None, _MOST_SEEN):
        if not piece.isalpha():
            continue
        word = _plain(piece)
        if word in plain or word in _FILLERS or word.endswith("s"):
            continue
        if word.isascii() or (word.isalpha() and not _CJK_LETTER.search(word)):
            return True
    return False


def main_language(texts: tuple[str, ...]) -> str:
    """Return "zh" where Chinese characters are at least as many as other words, otherwise "en".

    Chinese writes about 1.6 characters a word and keeps product and file names in Latin letters, so one
    character weighs as much as one Latin word (chosen). Text with Japanese kana is not Chinese.
    """
    han = kana = words = 0
    for text in texts:
        han += len(_HAN.findall(text))
        kana += len(_KANA.findall(text))
        words += len(_PLAIN_WORD.findall(_HAN.sub(" ", text)))
    return "zh" if han and han >= words and kana * 10 < han else "en"
