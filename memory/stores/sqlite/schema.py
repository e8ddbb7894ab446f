"""The tables of the SQLite store and how older files come up to date."""

# ruff: noqa: S608  # statements are put together from column names of ours; values are always bound

from __future__ import annotations

from typing import Final

from memory.stores.rows import ANALYSIS

APPLICATION: Final = 0x486F6C64
"""SQLite's `application_id` of our files: "Hold"."""

PROJECT_BITS: Final = 32
"""A memory's row number is its project's number shifted by this, plus a sequence within the project, so that a
range of row numbers is a project: in the table, and in every list of the full-text index."""

_FIRST: Final = (
    """
    CREATE TABLE projects (
        number INTEGER PRIMARY KEY,     -- 0: tasks outside any project
        key TEXT NOT NULL UNIQUE
    )
    """,
    "INSERT INTO projects VALUES (0, '')",
    """
    CREATE TABLE memories (
        row INTEGER PRIMARY KEY,        -- project << 32 | sequence
        project INTEGER NOT NULL REFERENCES projects (number),
        id TEXT NOT NULL,
        task TEXT NOT NULL,
        scope TEXT NOT NULL,
        pinned INTEGER NOT NULL,
        type TEXT NOT NULL,
        priority TEXT NOT NULL,
        status TEXT NOT NULL,
        created REAL NOT NULL,
        accessed REAL NOT NULL,
        uses INTEGER NOT NULL,
        content TEXT NOT NULL,
        superseded_by TEXT,             -- id of the memory that took its place
        details TEXT NOT NULL           -- JSON: what is seldom there
    )
    """,
    "CREATE UNIQUE INDEX memories_by_id ON memories (project, id)",
    "CREATE INDEX memories_by_task ON memories (project, task)",
    """
    CREATE TABLE sightings (
        row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        task TEXT NOT NULL,
        seen REAL NOT NULL,
        message TEXT,
        part INTEGER,
        start INTEGER,
        end INTEGER,
        PRIMARY KEY (row, ordinal)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE answers (              -- which memories answer a question
        project INTEGER NOT NULL,
        slot TEXT NOT NULL,
        row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
        PRIMARY KEY (project, slot, row)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX answers_by_row ON answers (row)",
    """
    CREATE VIRTUAL TABLE terms USING fts5 (
        words, grams, notions,          -- stems; bigrams of Chinese and Japanese; rows of the synonyms
        content = '', detail = column, columnsize = 0, tokenize = 'ascii'
    )
    """,
    """
    CREATE TABLE conversations (
        project INTEGER NOT NULL REFERENCES projects (number),
        task TEXT NOT NULL,
        started REAL NOT NULL,
        updated REAL NOT NULL,
        title TEXT NOT NULL,
        snapshot BLOB NOT NULL,         -- zlib
        PRIMARY KEY (project, task)
    )
    """,
    """
    CREATE TABLE records (
        ordinal INTEGER PRIMARY KEY,
        project INTEGER NOT NULL REFERENCES projects (number),
        task TEXT NOT NULL,
        id TEXT NOT NULL,
        made REAL NOT NULL,
        content BLOB NOT NULL,          -- zlib
        UNIQUE (project, id)
    )
    """,
    "CREATE INDEX records_by_task ON records (project, task)",
    """
    CREATE TABLE originals (
        ordinal INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,    -- BLAKE2b-256 of what was put in
        redacted INTEGER NOT NULL,      -- secrets were taken out, so that the digest is another
        content BLOB NOT NULL           -- zlib
    )
    """,
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    f"INSERT INTO settings VALUES ('store.analysis', '{ANALYSIS}')",
)

_OWNERS: Final = (
    """
    CREATE TABLE owners (               -- who may ask for an original
        original INTEGER NOT NULL REFERENCES originals (ordinal),
        project INTEGER REFERENCES projects (number),   -- NULL: kept before originals belonged to anybody
        task TEXT NOT NULL,             -- outside any project; '' in one
        UNIQUE (original, project, task)
    )
    """,
    "INSERT INTO owners SELECT ordinal, NULL, '' FROM originals",
)

MIGRATIONS: Final = (_FIRST, _OWNERS)
"""Statements that lead from each version of the schema to the next; `PRAGMA user_version` counts those done."""
