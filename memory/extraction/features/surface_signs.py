"""What a clause names, by its letters: addresses, paths, numbers, names of code, settings, quotations."""

from __future__ import annotations

import re

from memory.conversation import LazyPattern

_ROWS = (
    ("has:url", LazyPattern(r":(?:(?<=http:)|(?<=https:))//\S{4}")),
    ("has:url", LazyPattern(r"(?s)\A(?=.*?[/\\.:：]).*?\blocalhost\b", re.ASCII)),
    ("has:url", LazyPattern(r"\b\d{1,3}(?:\.\d{1,3}){3}\b", re.ASCII)),
    (
        "has:path",
        LazyPattern(
            r"[/\\.](?:(?<=[/\\])[\w.@-]|(?<=[\w-]\.)(?:py|tsx?|jsx?|md|json|ya?ml|toml|sql|sh|css|html|env|txt"
            r"|rs|go|java|cs|cpp|vue|jsonl)\b)",
            re.ASCII,
        ),
    ),
    (
        "has:label",
        LazyPattern(
            r"[:：](?:(?:(?<=[^\s:：].)|(?<=[^\s:：]\s.)|(?<=[^\s:：]\*\*.)|(?<=[^\s:：]\*\*\s.))(?:\*\*)?\s\S"
            r"|(?<=[^:：\n]：)\S)"
        ),
    ),
    ("has:code-name", LazyPattern(r"`[^`\n]{1,200}`")),
    ("has:code-name", LazyPattern(r"_(?<=[A-Za-z]_)[A-Za-z0-9]")),
    ("has:code-name", LazyPattern(r"\((?<=\w\()\)", re.ASCII)),
    ("has:code-name", LazyPattern(r"\b[a-z]{1,30}[A-Z][a-z0-9]", re.ASCII)),
    ("has:assign", LazyPattern(r"[A-Za-z][\w.-]\s?:?=\s?\S", re.ASCII)),
    ("has:assign", LazyPattern(r"\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]", re.ASCII)),
    ("has:assign", LazyPattern(r"--[a-z][\w-]{2}", re.ASCII)),
    ("has:assign", LazyPattern(r"#[0-9a-fA-F]{6}\b", re.ASCII)),
    ("has:dashed", LazyPattern(r"[-—–→=](?<=\S\s.)(?:(?<=[-=])>|(?<!=))\s\S")),
    (
        "has:capitals",
        LazyPattern(r"\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b", re.ASCII),
    ),
    (
        "has:proper",
        LazyPattern(
            r"[A-Z](?:(?<=[a-z,:] .)[A-Za-z0-9.+#]|(?<!\w.)[a-z]{1,15}(?:[A-Z]\w|\.js\b)"
            r"|(?:(?<=[\u3040-\u9fff].)|(?<=[\u3040-\u9fff]\s.))[A-Za-z]{2})",
            re.ASCII,
        ),
    ),
    (
        "has:exception",
        LazyPattern(
            r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|Error:|\bERROR\b|ERR_|Failed to|Cannot ", re.ASCII
        ),
    ),
    ("has:quoted", LazyPattern(r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]")),
    ("has:number", LazyPattern(r"\d")),
    (
        "has:unit",
        LazyPattern(
            r"\d\s?(?=[prem%shdgkwlcPREMSHDGKWLCſ\u212a个個行秒分天字倍点件])(?i:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|个|個|行|秒|分|天|字|倍|mm|cm"
            r"|m\b|点|件)"
        ),
    ),
    ("has:version", LazyPattern(r"\d\.\d", re.ASCII)),
    ("has:version", LazyPattern(r"\b[A-Z][\w.]{1,20} \d{1,3}\b", re.ASCII)),
)
"""Evidence, and what it is found by; rows of the same name add up."""


def mentions_of(text: str) -> list[str]:
    """Return the names of what a clause mentions; a name may come twice."""
    return [name for name, pattern in _ROWS if pattern.search(text)]


AFTERWARDS = LazyPattern(
    r"(?i)(?:once|after|before|when)\s(?:\w{2,20}ing|you|it|that|done|complete|each|every|all|the|finish|success)"
    r"|.{0,20}(?:之后|以后|完成后|后再|前に|後に|después de|antes de|depois de|após)"
)
"""A step that is tied to another one."""
