"""Whether a text holds something: names, paths, quotes and errors compared as a reader would compare them.

Marks, layout, width, capitals and thousands separators do not matter; a path may have more or fewer folders in front.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from condense.reading.text.identifiers import RUN, NameKind, names_in, read_run
from condense.reading.text.paths import base_name, ends_with_path

if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_LETTERS = re.compile(r"[\W_]+")
_THOUSANDS = re.compile(r"(?<=\d)[,_](?=\d{3}(?!\d))", re.ASCII)
_LEFT_OUT = re.compile(r"\[REDACTED(?::[\w-]{1,40})?\]|\[?\.{3,6}\]?|\[?…{1,3}\]?")
_ESCAPE = re.compile(r"\\+[nrt]")
GRAM, _MOST_GRAMS = 5, 64
"""Letters of the runs that near-verbatim quotes are compared by (a word, two Chinese ones), and how many runs."""
_CHINESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SHORT = 8


def squeezed(text: str) -> str:
    """Return the letters and digits of a text in one case: what is left when layout and marks do not matter."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def stands_in(quote: str, ground: str, least: float = 1.0) -> bool:
    """Tell whether a quote stands in a squeezed text: all of it in order, or a share (0 to 1) of its five-letter runs.

    Ellipses and redactions in the quote stand for anything. Cost: at most 64 searches of the ground.
    """
    pieces = [piece for piece in map(squeezed, _LEFT_OUT.split(quote)) if piece]
    at = 0
    for piece in pieces:
        found = ground.find(piece, at)
        if found < 0:
            break
        at = found + len(piece)
    else:
        return True
    whole = "".join(pieces)
    last = len(whole) - GRAM
    if least >= 1.0 or last < 0:
        return False
    grams = [whole[i : i + GRAM] for i in range(0, last + 1, 1 + last // _MOST_GRAMS)]
    may_miss = len(grams) * (1.0 - least)
    for gram in grams:
        may_miss -= gram not in ground
        if may_miss < 0:
            return False
    return True


def plain_path(path: str) -> str:
    """Return a path as it is compared: slashes forward, no "./", "~/" or drive in front, no slash behind."""
    plain = path.replace("\\", "/").casefold()
    return re.sub(r"\A(?:[a-z]:)?(?:(?:\.{1,2}|~)?/+)*", "", plain).rstrip("/.")


def _joined(left: str, right: str) -> bool:
    """Tell whether two neighbouring characters belong to one word; Chinese is written without spaces."""
    return left.isalnum() and right.isalnum() and not _CHINESE.search(left + right)


class TextIndex:
    """Texts, ready to be asked whether they hold a name, a path, an address, a number or a quote; built lazily.

    A text with escaped line breaks (JSON in an output) is searched as it is and as it would be read.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        given = tuple(texts)
        self._texts = (*given, *(_ESCAPE.sub("\n", text) for text in given if _ESCAPE.search(text)))

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The texts in one case, slashes forward, numbers without separators."""
        return tuple(_THOUSANDS.sub("", text.replace("\\", "/").casefold()) for text in self._texts)

    @cached_property
    def squeezed(self) -> str:
        """The letters and digits of all texts; a line feed between two texts keeps quotes from running over."""
        return "\n".join(squeezed(text) for text in self._texts)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name, in one case."""
        return frozenset(name.casefold() for text in self._texts for name, _ in names_in(text))

    @cached_property
    def _paths(self) -> dict[str, set[str]]:
        """Paths and files by their last part."""
        found: dict[str, set[str]] = {}
        for text in self._texts:
            for run in RUN.findall(text.replace("\\", "/")):
                for name, kind in read_run(run)[:1]:
                    if kind in (NameKind.PATH, NameKind.FILE, NameKind.SLASHED, NameKind.DOTTED):
                        plain = plain_path(name)
                        found.setdefault(base_name(plain), set()).add(plain)
        return found

    def has_word(self, word: str) -> bool:
        """Tell whether a word stands here with no letter or digit touching it."""
        plain = _THOUSANDS.sub("", word.replace("\\", "/").casefold())
        if not plain:
            return True
        for text in self.lower:
            at = text.find(plain)
            while at >= 0:
                end = at + len(plain)
                if not _joined(text[at - 1 : at], plain[0]) and not _joined(plain[-1], text[end : end + 1]):
                    return True
                at = text.find(plain, at + 1)
        return False

    def contains(self, letters: str) -> bool:
        """Tell whether some letters, in one case, stand here, within a word or not."""
        return any(letters in text for text in self.lower)

    def has_name(self, name: str) -> bool:
        """Tell whether an identifier, number, version or address stands here."""
        return name.casefold() in self.names or self.has_word(name)

    def has_number(self, number: str) -> bool:
        """Tell whether a number stands here; a date or version also with letters around it: v1.2.0, 2026-05-16T10."""
        if self.has_name(number):
            return True
        alone = re.compile(rf"(?<![\d.]){re.escape(number)}(?!\d)")
        return not number.isdigit() and any(map(alone.search, self.lower))

    def has_path(self, path: str, *, bare: bool = False) -> bool:
        """Tell whether a path stands here, with more or fewer folders in front; `bare`: or its file's name alone."""
        plain = plain_path(path)
        for known in self._paths.get(base_name(plain), ()):
            if ends_with_path(known, plain) or (ends_with_path(plain, known) and (bare or "/" in known)):
                return True
        folder = "/".join(plain.split("/")[-2:]) + "/" if "." not in base_name(plain) else ""
        if "/" in plain and folder and self.contains(folder):  # within a longer path
            return True
        return ("/" in plain or bare) and self.has_word(path)

    def holds(self, quote: str) -> bool:
        """Tell whether a quote stands here: all its letters in order, its ellipses aside; a short one as a word."""
        if len(squeezed(quote)) < _SHORT:
            return self.has_word(quote.strip())
        return stands_in(quote, self.squeezed)

    def nearly_holds(self, quote: str, least: float) -> bool:
        """Tell whether a share of a quote's runs stands here, wherever (see `stands_in`)."""
        return stands_in(quote, self.squeezed, least)
