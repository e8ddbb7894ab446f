"""What a clause names, by its letters: addresses, paths, numbers, names of code, settings, quotations."""

from __future__ import annotations

import re

MENTIONS: tuple[tuple[re.Pattern[str], tuple[tuple[str, re.Pattern[str]], ...]], ...] = (
    (
        re.compile(r"[/\\.:：]"),
        (
            ("has:url", re.compile(r"https?://\S{4}|\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b", re.ASCII)),
            (
                "has:path",
                re.compile(
                    r"[/\\][\w.@-]|[\w-]\.(?:py|tsx?|jsx?|md|json|ya?ml|toml|sql|sh|css|html|env|txt|rs|go"
                    r"|java|cs|cpp|vue"
                    r"|jsonl)\b",
                    re.ASCII,
                ),
            ),
        ),
    ),
    (
        re.compile(r"[:：]"),
        (("has:label", re.compile(r"[^\s:：](?:\*\*)?\s?[:：](?:\*\*)?\s\S|[^:：\n]：\S")),),
    ),
    (
        re.compile(r"\d"),
        (
            ("has:number", re.compile(r"\d")),
            (
                "has:unit",
                re.compile(
                    r"\d\s?(?:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|个|個|行|秒"
                    r"|分|天|字|倍|mm"
                    r"|cm|m\b|点|件)",
                    re.IGNORECASE,
                ),
            ),
            ("has:version", re.compile(r"\d\.\d|\b[A-Z][\w.]{1,20} \d{1,3}\b", re.ASCII)),
        ),
    ),
    (
        re.compile(r"[=_#`()—–→-]|[a-z][A-Z]"),
        (
            (
                "has:code-name",
                re.compile(
                    r"`[^`\n]{1,200}`|[A-Za-z]_[A-Za-z0-9]|\b[a-z]{1,30}[A-Z][a-z0-9]|\w\(\)", re.ASCII
                ),
            ),
            (
                "has:assign",
                re.compile(
                    r"[A-Za-z][\w.-]\s?:?=\s?\S|\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]|--[a-z][\w-]{2}"
                    r"|#[0-9a-fA-F]{6}\b",
                    re.ASCII,
                ),
            ),
            ("has:dashed", re.compile(r"\S\s(?:—|–|-|->|→|=>)\s\S")),
        ),
    ),
    (
        re.compile(r"[A-Z]"),
        (
            (
                "has:capitals",
                re.compile(
                    r"\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b", re.ASCII
                ),
            ),
            (
                "has:proper",
                re.compile(
                    r"(?<=[a-z,:] )[A-Z][A-Za-z0-9.+#]|\b[A-Z][a-z]{1,15}[A-Z]\w|\b[A-Z][a-z]{1,15}\.js\b"
                    r"|[\u3040-\u9fff]\s?[A-Z][A-Za-z]{2}",
                    re.ASCII,
                ),
            ),
            (
                "has:exception",
                re.compile(
                    r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|\bERROR\b|Failed to|Cannot |Error:"
                    r"|ERR_",
                    re.ASCII,
                ),
            ),
        ),
    ),
    (
        re.compile(r"[\"“'‘「《『]"),
        (("has:quoted", re.compile(r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]")),),
    ),
)
"""What a clause names: a sign without which none of a group can be there, and the group."""

AFTERWARDS = re.compile(
    r"(?i)(?:once|after|before|when)\s(?:\w{2,20}ing|you|it|that|done|complete|each|every|all|the|finish|success)"
    r"|.{0,20}(?:之后|以后|完成后|后再|前に|後に|después de|antes de|depois de|após)"
)
"""A step that is tied to another one."""
