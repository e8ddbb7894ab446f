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
_PIECES = re.compile(rf"([{_CJK}]+)|([^\s{_CJK}]+)")
_TERM = re.compile(
    r"(?:--?(?=[^\W\d_])|(?:~|\.{1,2})?/\.?|[@$]|(?<!\.)\.)?"
    r"\w+(?:[-./\\@:#+%&=~'’*]{1,3}\w+){0,60}(?:\+\+|#(?!\w))?"
)
_STOPS = ".,:;!?\"'`)]}>*，。、；：！？）」』”"
"""What may stand behind a term without being part of it."""
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
_FILLER_WORDS = """
a an the please pls plz kindly just also then so very really be is are was were am been will shall would
should must need needs needed require required has have had do does did always ensure sure remember note
important critical that this these those it its it's we you i our your my us me of to and let's lets ok
okay well
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_CJK_FILLERS = re.compile(
    "必须|一定要|一定|务必|需要|应该|应当|记住|注意|重要|关键|我们|咱们|你们|这个|那个|ください|です|ます"
    "|[请要的了吧啊呢哦呀嘛你您我把将会也都就得をはが]"
)
_QUALIFYING_WORDS = """
in on at for from with within inside under over during before after until till while when whenever where if
unless except excluding including only but by via or than instead against between outside through per as like
may might can could maybe sometimes usually temporarily first last
"""
QUALIFIERS = frozenset(_QUALIFYING_WORDS.split())
_CJK_QUALIFIER = re.compile("[除非仅只若当时但前后内外在对于给里中或可比每暂先如]")


class Wording(NamedTuple):
    """One text, read for comparison.

    `units` is what it says in order: words without fillers and modality, single CJK characters; `bag` the same as a
    set. Texts with different numbers of `negations` never say the same. `key` is equal for texts that differ only in
    fillers, case, blanks and punctuation. `tokens` (words and CJK bigrams) is what similarity counts.
    """

    units: tuple[str, ...]
    bag: frozenset[str]
    negations: int
    key: str
    tokens: frozenset[str]


@lru_cache(maxsize=2048)
def read_wording(text: str) -> Wording:
    """Read a text for comparison. Linear in its length; only the first `MAX_READ` characters are compared."""
    units: list[str] = []
    tokens: list[str] = []
    negations = 0
    for cjk, piece in _PIECES.findall(text[:MAX_READ]):
        if cjk:
            negations += sum(not match["must"] for match in _CJK_NEGATION.finditer(cjk))
            tokens += [cjk[at : at + 2] for at in range(len(cjk) - 1)] or [cjk]
            units += _CJK_FILLERS.sub("", cjk)
        else:
            words = [plain_form(term) for term in _TERM.findall(piece.rstrip(_STOPS))]
            negations += sum(word in NEGATIONS for word in words)
            tokens += words
            units += [word for word in words if word not in _FILLERS]
    said = tuple(units or tokens)
    key = "\x1f".join(said) if said else " ".join(text.split())
    if len(text) > MAX_READ:
        key += "\x1f" + text[MAX_READ:]
    return Wording(said, frozenset(said), negations, key, frozenset(tokens))


def plain_form(term: str) -> str:
    """Lower case, no accents, straight apostrophe; a plain word without its plural or third-person "s"."""
    word = term.lower() if term.isascii() else term.casefold().replace("’", "'")
    if not word.isascii():
        word = _ACCENTS.sub("", normalize("NFKD", word))
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


def main_language(texts: tuple[str, ...]) -> str:
    """Return "zh" where Chinese characters (but few kana) are at least as many as other words, otherwise "en"."""
    text = "\n".join(texts)
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    return "zh" if han and han >= len(_PLAIN_WORD.findall(_HAN.sub(" ", text))) and kana * 10 < han else "en"
