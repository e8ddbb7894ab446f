"""Synonyms of software work: what a person calls "db" today was called 数据库 last week.

A row of `synonyms.txt` is one notion: words and phrases that search takes for one another, at less weight than the
word itself; "_" joins the words of a phrase. The first word of a row is English: what its words mean.
Chosen by hand from general vocabulary in English and Chinese, with some Japanese and Russian. A word may stand in
several rows, in any of its forms. Kinds stand with their best-known names ("database": postgres, mysql).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from memory.search.stemming import stem

LONGEST_PHRASE: Final = 3
FIRST_CJK: Final = "\u2e80"


class Notions(NamedTuple):
    """The table: row numbers by wide word, stem or stems of a phrase; the rows' first words; the longest wide word."""

    rows: dict[str, tuple[int, ...]]
    names: tuple[str, ...]
    longest_cjk: int


@cache
def notions() -> Notions:
    """Return the table, read once."""
    text = (files("memory.search") / "synonyms.txt").read_text(encoding="utf-8")
    listed = [[word.replace("_", " ") for word in row.split()] for row in text.splitlines()]
    rows: dict[str, dict[int, None]] = {}
    for number, words in enumerate(listed):
        for word in words:
            key = word if word[0] >= FIRST_CJK else " ".join(map(stem, word.split()))
            rows.setdefault(key, {})[number] = None
    return Notions(
        {key: tuple(numbers) for key, numbers in rows.items()},
        tuple(words[0] for words in listed),
        max(len(key) for key in rows if key[0] >= FIRST_CJK),
    )
