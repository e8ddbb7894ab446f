"""What a clause names, by its letters: addresses, paths, numbers, names of code, settings, quotations.

Every row stands behind what must be in a clause before its pattern is worth a try; few clauses get that far. Where
it can be, a pattern begins with a class of characters and looks back from there: the engine skips to the next such.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class _Row(NamedTuple):
    """A name, and when a clause has it.

    Attributes:
        name: the evidence; rows of the same name add up.
        signs: characters one of which must occur.
        pattern: what must be found.
        letters: pieces of text one of which must occur as well, if any are given.
        first: what must be found as well before the pattern is tried, because it is cheaper.
    """

    name: str
    signs: frozenset[str]
    pattern: re.Pattern[str]
    letters: tuple[str, ...] = ()
    first: re.Pattern[str] | None = None


_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_PLACES = frozenset("/\\.:：")
_SHOUT = re.compile(r"[A-Z]{3}")
_HUMP = re.compile(r"[A-Z](?<=[a-z].)")

_ROWS: tuple[_Row, ...] = (
    _Row("has:url", _PLACES, re.compile(r"https?://\S{4}|\blocalhost\b", re.ASCII), ("://", "localhost")),
    _Row(
        "has:path",
        _PLACES,
        re.compile(
            r"[/\\.](?:(?<=[/\\])[\w.@-]|(?<=[\w-]\.)(?:py|tsx?|jsx?|md|json|ya?ml|toml|sql|sh|css|html|env|txt"
            r"|rs|go|java|cs|cpp|vue|jsonl)\b)",
            re.ASCII,
        ),
    ),
    _Row(
        "has:label",
        frozenset(":："),
        re.compile(
            r"[:：](?:(?:(?<=[^\s:：].)|(?<=[^\s:：]\s.)|(?<=[^\s:：]\*\*.)|(?<=[^\s:：]\*\*\s.))(?:\*\*)?\s\S"
            r"|(?<=[^:：\n]：)\S)"
        ),
    ),
    _Row("has:code-name", frozenset("`"), re.compile(r"`[^`\n]{1,200}`")),
    _Row("has:code-name", frozenset("_"), re.compile(r"_(?<=[A-Za-z]_)[A-Za-z0-9]")),
    _Row("has:code-name", frozenset("("), re.compile(r"\w\(\)", re.ASCII), ("()",)),
    _Row("has:code-name", _CAPITALS, re.compile(r"\b[a-z]{1,30}[A-Z][a-z0-9]", re.ASCII), first=_HUMP),
    _Row("has:assign", frozenset("="), re.compile(r"[A-Za-z][\w.-]\s?:?=\s?\S", re.ASCII)),
    _Row("has:assign", frozenset("_"), re.compile(r"\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]", re.ASCII)),
    _Row("has:assign", frozenset("-"), re.compile(r"--[a-z][\w-]{2}", re.ASCII), ("--",)),
    _Row("has:assign", frozenset("#"), re.compile(r"#[0-9a-fA-F]{6}\b", re.ASCII)),
    _Row("has:dashed", frozenset("-—–→="), re.compile(r"\S\s(?:—|–|-|->|→|=>)\s\S")),
    _Row(
        "has:capitals",
        _CAPITALS,
        re.compile(r"\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b", re.ASCII),
        first=_SHOUT,
    ),
    _Row(
        "has:proper",
        _CAPITALS,
        re.compile(
            r"[A-Z](?:(?<=[a-z,:] .)[A-Za-z0-9.+#]|(?<!\w.)[a-z]{1,15}(?:[A-Z]\w|\.js\b)"
            r"|(?:(?<=[\u3040-\u9fff].)|(?<=[\u3040-\u9fff]\s.))[A-Za-z]{2})",
            re.ASCII,
        ),
    ),
    _Row(
        "has:exception",
        _CAPITALS,
        re.compile(
            r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|\bERROR\b|Failed to|Cannot |Error:|ERR_", re.ASCII
        ),
        ("Error", "Exception", "ERROR", "Failed to", "Cannot ", "ERR_"),
    ),
    _Row(
        "has:quoted",
        frozenset("\"“'‘「《『"),
        re.compile(r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]"),
    ),
)
_CAPITAL = re.compile(r"[A-Z]")
_SIGN = re.compile(
    "[" + re.escape("".join(sorted(frozenset[str]().union(*(r.signs for r in _ROWS)) - _CAPITALS))) + "]"
)


@lru_cache(maxsize=1024)
def _rows_behind(signs: frozenset[str]) -> tuple[_Row, ...]:
    """The rows whose signs occur in a clause that has these."""
    return tuple(row for row in _ROWS if not row.signs.isdisjoint(signs))


_NUMBER = re.compile(r"\d")
_ASCII_NUMBER = re.compile(r"[0-9]")
_NUMBERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("has:url", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", re.ASCII)),
    (
        "has:unit",
        re.compile(
            r"\d\s?(?:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|个|個|行|秒|分|天|字|倍|mm|cm"
            r"|m\b|点|件)",
            re.IGNORECASE,
        ),
    ),
    ("has:version", re.compile(r"\d\.\d|\b[A-Z][\w.]{1,20} \d{1,3}\b", re.ASCII)),
)
"""What a number may belong to."""


def mentions_of(text: str) -> list[str]:
    """Return the names of what a clause mentions; a name may come twice."""
    signs = _SIGN.findall(text)
    if _CAPITAL.search(text):
        signs.append("A")
    found = [
        row.name
        for row in _rows_behind(frozenset(signs))
        if (not row.letters or any(map(text.__contains__, row.letters)))
        and (row.first is None or row.first.search(text))
        and row.pattern.search(text)
    ]
    if (_ASCII_NUMBER if text.isascii() else _NUMBER).search(text):
        found.append("has:number")
        found.extend(name for name, pattern in _NUMBERS if pattern.search(text))
    return found


AFTERWARDS = re.compile(
    r"(?i)(?:once|after|before|when)\s(?:\w{2,20}ing|you|it|that|done|complete|each|every|all|the|finish|success)"
    r"|.{0,20}(?:之后|以后|完成后|后再|前に|後に|después de|antes de|depois de|após)"
)
"""A step that is tied to another one."""
