"""What a clause names, by its letters: addresses, paths, numbers, names of code, settings, quotations.

Every row stands behind what must be in a clause before its pattern is worth a try; few clauses get that far. Where
it can be, a pattern begins with a class of characters and looks back from there: the engine skips to the next such.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    _Search = Callable[[str], re.Match[str] | None]


class _Row(NamedTuple):
    """A name, and when a clause has it.

    Attributes:
        name: the evidence; rows of the same name add up.
        signs: characters one of which must occur before the last one. "A" stands for capitals behind the first
            character, "B" for one there, "0" for digits, "L" for "localhost".
        pattern: what must be found.
        first: what must be found as well before the pattern is tried, because it is cheaper.
    """

    name: str
    signs: str
    pattern: re.Pattern[str]
    first: re.Pattern[str] | None = None


_ROWS: tuple[_Row, ...] = (
    _Row("has:url", ":", re.compile(r":(?:(?<=http:)|(?<=https:))//\S{4}")),
    _Row("has:url", "L", re.compile(r"\blocalhost\b", re.ASCII), re.compile(r"[/\\.:：]")),
    _Row(
        "has:url",
        ".",
        re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", re.ASCII),
        re.compile(r"\.[0-9]{1,3}\.[0-9]"),
    ),
    _Row(
        "has:path",
        "/\\.",
        re.compile(
            r"[/\\.](?:(?<=[/\\])[\w.@-]|(?<=[\w-]\.)(?:py|tsx?|jsx?|md|json|ya?ml|toml|sql|sh|css|html|env|txt"
            r"|rs|go|java|cs|cpp|vue|jsonl)\b)",
            re.ASCII,
        ),
    ),
    _Row(
        "has:label",
        ":：",
        re.compile(
            r"[:：](?:(?:(?<=[^\s:：].)|(?<=[^\s:：]\s.)|(?<=[^\s:：]\*\*.)|(?<=[^\s:：]\*\*\s.))(?:\*\*)?\s\S"
            r"|(?<=[^:：\n]：)\S)"
        ),
    ),
    _Row("has:code-name", "`", re.compile(r"`[^`\n]{1,200}`")),
    _Row("has:code-name", "_", re.compile(r"_(?<=[A-Za-z]_)[A-Za-z0-9]")),
    _Row("has:code-name", "(", re.compile(r"\((?<=\w\()\)", re.ASCII)),
    _Row(
        "has:code-name",
        "A",
        re.compile(r"\b[a-z]{1,30}[A-Z][a-z0-9]", re.ASCII),
        re.compile(r"[A-Z](?<=[a-z].)[a-z0-9]"),
    ),
    _Row("has:assign", "=", re.compile(r"[A-Za-z][\w.-]\s?:?=\s?\S", re.ASCII)),
    _Row(
        "has:assign",
        "_",
        re.compile(r"\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]", re.ASCII),
        re.compile(r"_(?<=[A-Z0-9]_)[A-Z0-9]"),
    ),
    _Row("has:assign", "-", re.compile(r"--[a-z][\w-]{2}", re.ASCII)),
    _Row("has:assign", "#", re.compile(r"#[0-9a-fA-F]{6}\b", re.ASCII)),
    _Row("has:dashed", "-—–→=", re.compile(r"[-—–→=](?<=\S\s.)(?:(?<=[-=])>|(?<!=))\s\S")),
    _Row(
        "has:capitals",
        "A",
        re.compile(r"\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b", re.ASCII),
        re.compile(r"[A-Z][A-Z][A-Z]"),
    ),
    _Row(
        "has:proper",
        "AB",
        re.compile(
            r"[A-Z](?:(?<=[a-z,:] .)[A-Za-z0-9.+#]|(?<!\w.)[a-z]{1,15}(?:[A-Z]\w|\.js\b)"
            r"|(?:(?<=[\u3040-\u9fff].)|(?<=[\u3040-\u9fff]\s.))[A-Za-z]{2})",
            re.ASCII,
        ),
    ),
    _Row(
        "has:exception",
        "AB",
        re.compile(
            r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|\bERROR\b|Failed to|Cannot |Error:|ERR_", re.ASCII
        ),
        re.compile(r"E(?:rror|xception|RR)|Failed to|Cannot "),
    ),
    _Row("has:quoted", "\"“'‘「《『", re.compile(r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]")),
    _Row("has:number", "0", re.compile(r"\d")),
    _Row(
        "has:unit",
        "0",
        re.compile(
            r"\d\s?(?:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|个|個|行|秒|分|天|字|倍|mm|cm"
            r"|m\b|点|件)",
            re.IGNORECASE,
        ),
    ),
    _Row("has:version", ".", re.compile(r"\.(?<=[0-9]\.)[0-9]")),
    _Row("has:version", "0", re.compile(r"\b[A-Z][\w.]{1,20} \d{1,3}\b", re.ASCII), re.compile(r" [0-9]")),
)
_SIGN = re.compile("[" + re.escape("".join(sorted({*"".join(row.signs for row in _ROWS)} - {*"AB0L"}))) + "]")
_CAPITAL = re.compile(r"[A-Z]")
_NUMBER = re.compile(r"\d")
_ASCII_NUMBER = re.compile(r"[0-9]")


@lru_cache(maxsize=1024)
def _rows_behind(signs: frozenset[str]) -> tuple[tuple[str, _Search, _Search | None], ...]:
    """The rows whose signs occur in a clause that has these: name, how to find it, and what first."""
    return tuple(
        (row.name, row.pattern.search, row.first.search if row.first else None)
        for row in _ROWS
        if not signs.isdisjoint(row.signs)
    )


def mentions_of(text: str) -> list[str]:
    """Return the names of what a clause mentions; a name may come twice."""
    signs = set(_SIGN.findall(text, 0, len(text) - 1))
    if "localhost" in text:
        signs.add("L")
    if not text[1:].islower() and _CAPITAL.search(text, 1):
        signs.add("A")
    if "A" <= text[:1] <= "Z":
        signs.add("B")
    if (_ASCII_NUMBER if text.isascii() else _NUMBER).search(text):
        signs.add("0")
    return [
        name
        for name, search, first in _rows_behind(frozenset(signs))
        if (first is None or first(text)) and search(text)
    ]


AFTERWARDS = re.compile(
    r"(?i)(?:once|after|before|when)\s(?:\w{2,20}ing|you|it|that|done|complete|each|every|all|the|finish|success)"
    r"|.{0,20}(?:之后|以后|完成后|后再|前に|後に|después de|antes de|depois de|após)"
)
"""A step that is tied to another one."""
