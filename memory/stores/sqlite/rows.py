"""Statements of the SQLite store."""

# ruff: noqa: S608  # statements are put together from column names of ours; values are always bound

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from memory.search import terms_of
from memory.stores.rows import COLUMNS, storable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import MemoryFilter

INSERT: Final = f"INSERT INTO memories ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
UPDATE: Final = f"UPDATE memories SET {', '.join(f'{c} = ?' for c in COLUMNS[3:])} WHERE row = ?"
SELECT: Final = f"SELECT {', '.join(COLUMNS)} FROM memories"
INSERT_TERMS: Final = "INSERT INTO terms (rowid, words, grams, notions) VALUES (?, ?, ?, ?)"
DELETE_TERMS: Final = "INSERT INTO terms (terms, rowid, words, grams, notions) VALUES ('delete', ?, ?, ?, ?)"
_NO_TOKEN: Final = re.compile("[\x00-/:-@\\[-`{-\x7f]")


def term_row(row: int, content: str) -> tuple[int, str, str, str]:
    """Return what the full-text index holds of a text."""
    terms = terms_of(content)
    return (
        row,
        " ".join(map(token_of, terms.words)),
        " ".join(map(token_of, terms.grams)),
        " ".join(map(str, terms.notions)),
    )


def token_of(term: str) -> str:
    """Return a term as one token of FTS5's "ascii" tokenizer, which splits at ASCII punctuation."""
    return term if term.isalnum() else _NO_TOKEN.sub(lambda found: f"z{ord(found[0]):x}", storable(term))


def conditions(wanted: MemoryFilter, number: int) -> tuple[str, list[Any]]:
    """Return what a filter admits as an SQL condition and its values."""
    parts, values = ["project = ?"], [number]  # type: list[str], list[Any]
    listed: tuple[tuple[str, Iterable[str]], ...] = (
        ("task", map(storable, wanted.tasks)),
        ("type", wanted.types),
        ("priority", wanted.priorities),
        ("status", wanted.statuses),
    )
    for column, choices in listed:
        chosen = [str(choice) for choice in choices]
        if chosen:
            parts.append(f"{column} IN ({', '.join('?' * len(chosen))})")
            values += chosen
    if wanted.scope is not None:
        parts.append("scope = ?")
        values.append(wanted.scope.value)
    if wanted.pinned is not None:
        parts.append("pinned = ?")
        values.append(int(wanted.pinned))
    return " AND ".join(parts), values
