"""What a clause names, by its letters: addresses, paths, numbers, names of code, settings, quotations.

Every row stands behind what must be in a clause before its pattern is worth a try; few clauses get that far. Most of
that is read off the clause's shape: its bytes, where every capital is an A, every other letter an a, every digit a 0.
Where it can be, a pattern begins with a class of characters and looks back from there: the engine skips to the next
such.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import holds

if TYPE_CHECKING:
    from collections.abc import Callable

    _Search = Callable[[str], re.Match[str] | None]


class _Row(NamedTuple):
    """A name, and when a clause has it.

    Attributes:
        name: the evidence; rows of the same name add up.
        signs: characters one of which must occur before the last one. "A" stands for capitals behind the first
            character, "B" for one there, "0" for digits (also the last), "L" for "localhost", "E" for a word of
            `_TROUBLE`.
        pattern: what must be found; None where sign and shape say it all.
        shape: must be in the shape of the clause.
    """

    name: str
    signs: str
    pattern: re.Pattern[str] | None
    shape: str = ""


_ROWS: tuple[_Row, ...] = (
    _Row("has:url", ":", re.compile(r":(?:(?<=http:)|(?<=https:))//\S{4}"), "://"),
    _Row("has:url", "L", re.compile(r"(?s)\A(?=.*?[/\\.:：]).*?\blocalhost\b", re.ASCII)),
    _Row("has:url", ".", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", re.ASCII), "0.0"),
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
    _Row("has:code-name", "(", re.compile(r"\((?<=\w\()\)", re.ASCII), "()"),
    _Row("has:code-name", "A", re.compile(r"\b[a-z]{1,30}[A-Z][a-z0-9]", re.ASCII), "aA"),
    _Row("has:assign", "=", re.compile(r"[A-Za-z][\w.-]\s?:?=\s?\S", re.ASCII)),
    _Row("has:assign", "_", re.compile(r"\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]", re.ASCII)),
    _Row("has:assign", "-", re.compile(r"--[a-z][\w-]{2}", re.ASCII), "--a"),
    _Row("has:assign", "#", re.compile(r"#[0-9a-fA-F]{6}\b", re.ASCII)),
    _Row("has:dashed", "-—–→=", re.compile(r"[-—–→=](?<=\S\s.)(?:(?<=[-=])>|(?<!=))\s\S")),
    _Row(
        "has:capitals",
        "A",
        re.compile(r"\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b", re.ASCII),
        "AAA",
    ),
    _Row(
        "has:proper",
        "A",
        re.compile(
            r"[A-Z](?:(?<=[a-z,:] .)[A-Za-z0-9.+#]|(?<!\w.)[a-z]{1,15}(?:[A-Z]\w|\.js\b)"
            r"|(?:(?<=[\u3040-\u9fff].)|(?<=[\u3040-\u9fff]\s.))[A-Za-z]{2})",
            re.ASCII,
        ),
    ),
    _Row("has:proper", "B", re.compile(r"\A[A-Z][a-z]{1,15}\.js\b", re.ASCII), "a.aa"),
    _Row(
        "has:exception",
        "E",
        re.compile(
            r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|Error:|\bERROR\b|ERR_|Failed to|Cannot ", re.ASCII
        ),
    ),
    _Row("has:quoted", "\"“'‘「《『", re.compile(r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]")),
    _Row("has:number", "0", None),
    _Row(
        "has:unit",
        "0",
        re.compile(
            r"\d\s?(?=[prem%shdgkwlcPREMSHDGKWLCſ\u212a个個行秒分天字倍点件])(?i:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|个|個|行|秒|分|天|字|倍|mm|cm"
            r"|m\b|点|件)"
        ),
    ),
    _Row("has:version", ".", None, "0.0"),
    _Row("has:version", "0", re.compile(r"\b[A-Z][\w.]{1,20} \d{1,3}\b", re.ASCII), " 0"),
)
_TROUBLE = ("Error", "Exception", "ERR", "Failed to", "Cannot ")
"""Letters of which every exception has some."""
_SIGNS = {*"".join(row.signs for row in _ROWS)}
_WIDE_SIGN = re.compile(r"[\d" + "".join(sorted(sign for sign in _SIGNS if not sign.isascii())) + "]")
_SHAPE = bytes(
    ord("A" if char.isupper() else "a" if char.islower() else "0" if char.isdigit() else char)
    if char.isascii()
    else byte
    for byte, char in enumerate(map(chr, range(256)))
)
_NO_SIGNS = bytes(byte for byte in range(256) if chr(_SHAPE[byte]) not in _SIGNS - {*"BEL"})


_ROWS_BEHIND: dict[int, tuple[tuple[str, _Search | None, str], ...]] = {
    ord(sign): tuple(
        (row.name, row.pattern.search if row.pattern else None, row.shape)
        for row in _ROWS
        if sign in row.signs
    )
    for sign in _SIGNS
}
"""The rows behind each sign: name, search for the pattern, and shape."""
_CAPITAL, _CAPITAL_FIRST, _DIGIT, _LOCALHOST, _EXCEPTION = map(ord, "AB0LE")


def mentions_of(text: str) -> list[str]:
    """Return the names of what a clause mentions; a name may come twice."""
    letters = text.encode("latin-1", "replace")
    capital = "A" <= text[:1] <= "Z"
    signs = set(letters[capital:-1].translate(_SHAPE, _NO_SIGNS))
    if capital:
        signs.add(_CAPITAL_FIRST)
    if letters[-1:].isdigit():
        signs.add(_DIGIT)
    if not text.isascii():
        signs.update([_DIGIT if sign.isdecimal() else ord(sign) for sign in _WIDE_SIGN.findall(text)])
    if "localhost" in text:
        signs.add(_LOCALHOST)
    if (capital or _CAPITAL in signs) and holds(text, _TROUBLE):
        signs.add(_EXCEPTION)
    if not signs:
        return []
    shape = letters.translate(_SHAPE).decode("latin-1")
    return [
        name
        for sign in signs
        for name, search, part in _ROWS_BEHIND[sign]
        if (not part or part in shape) and (search is None or search(text))
    ]


AFTERWARDS = re.compile(
    r"(?i)(?:once|after|before|when)\s(?:\w{2,20}ing|you|it|that|done|complete|each|every|all|the|finish|success)"
    r"|.{0,20}(?:之后|以后|完成后|后再|前に|後に|después de|antes de|depois de|após)"
)
"""A step that is tied to another one."""
