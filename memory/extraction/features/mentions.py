"""What a clause names: addresses, endpoints, files, settings, numbers, symbols."""

from __future__ import annotations

from memory.conversation import LazyPattern, holds

_SIGNS = tuple(
    (LazyPattern(needed), {name: LazyPattern(pattern) for name, pattern in signs.items()})
    for needed, signs in {
        r"[/\\.:：]": {
            "has:url": r"https?://\S{4}|[/.:：]\s?localhost\b|\blocalhost[:/]|\b\d{1,3}(?:\.\d{1,3}){3}\b",
            "has:path": (
                r"(?a:[/\\][\w.@-]|[\w-]\.(?:py|tsx?|jsx?|md|json|ya?ml|toml|sql|sh|css|html|env|txt|rs|go|java|cs|cpp"
                r"|vue|jsonl)\b)"
            ),
        },
        r"[:：]": {"has:label": r"[^\s:：]\s?(?:\*\*)?\s?[:：](?:\*\*)?\s\S|[^:：\n]：\S"},
        r"[`_(=#]|--|[a-z][A-Z]": {
            "has:code-name": r"(?a:`[^`\n]{1,200}`|[A-Za-z]_[A-Za-z0-9]|\w\(\)|\b[a-z]{1,30}[A-Z][a-z0-9])",
            "has:assign": (
                r"(?a:[A-Za-z][\w.-]\s?:?=\s?\S|\b[A-Z][A-Z0-9]{1,20}_[A-Z0-9]|--[a-z][\w-]{2}|#[0-9a-fA-F]{6}\b)"
            ),
        },
        r"[A-Z]": {
            "has:capitals": r"(?a:\b(?:NOT|NEVER|ONLY|ALWAYS|MUST|DON'T|ALL|EXACTLY|IMPORTANT|CRITICAL)\b)",
            "has:proper": (
                r"(?a:[a-z,:] [A-Z][A-Za-z0-9.+#]|(?<!\w)[A-Z][a-z]{1,15}(?:[A-Z]\w|\.js\b)"
                r"|[\u3040-\u9fff]\s?[A-Z][A-Za-z]{2})"
            ),
            "has:exception": (
                r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|Error:|\bERROR\b|ERR_|Failed to|Cannot "
            ),
        },
        r"[\"“'‘「《『]": {"has:quoted": r"[\"“'‘「《『][^\"”'’」》』\n]{2,80}[\"”'’」》』]"},
        r"[-—–→=]": {"has:dashed": r"\S\s?(?:->|=>|[-—–→=])\s\S"},
        r"\d": {
            "has:number": r"\d",
            "has:unit": (
                r"(?i:\d\s?(?:px|rem|em|%|ms|s\b|sec|min|hours?|days?|mb|gb|kb|words?|lines?|chars?|mm|cm|m\b"
                r"|[个個行秒分天字倍点件]))"
            ),
            "has:version": r"(?a:\d\.\d|\b[A-Z][\w.]{1,20} \d{1,3}\b)",
        },
        r"\A": {
            "boilerplate": (
                r"(?i)\A\W{0,4}(?:warning\b(?: \S{1,40})?:|= ?(?:note|help):|note:|\[notice\]|\[deprecat|hint:"
                r"|more info|read more|for more information|this error occurred|re-?run with)"
            )
        },
    }.items()
)
"""What each is told by, below what at least one of them needs."""


def signs_of(text: str) -> list[str]:
    """Return the names of what a clause mentions, told by its letters."""
    return [
        name
        for needed, signs in _SIGNS
        if needed.search(text)
        for name, pattern in signs.items()
        if pattern.search(text)
    ]


_ADDRESS = LazyPattern(r"(?a:https?://[^\s\"'<>)\]，。、；）」』`]{3,300})")
_HOST = LazyPattern(r"(?a:\b(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}\b)")
_ROUTE = LazyPattern(r"(?a:(?<![\w./~-])/(?:api|v\d|rest|graphql|auth|health)(?:/[\w{}:.-]{1,60}){0,8})")
_WINDOWS = LazyPattern(r"\b[A-Za-z]:\\(?:[^\s\\/:*?\"<>|，。]{1,80}\\){0,12}[^\s\\/:*?\"<>|，。,;]{1,80}")
_SUFFIXES = (
    "py|pyi|tsx?|jsx?|mjs|cjs|md|mdx|json|jsonl|ya?ml|toml|sql|sh|bash|ps1|css|scss|less|html?|env|txt|rs|go|java|kt|cs|c|h|"
    "cc|cpp|hpp|vue|svelte|rb|php|swift|lock|cfg|ini|xml|csv|ipynb|proto|graphql|tf|gradle|log|pdf|png|svg|example|local|dll"
)
_PATH = LazyPattern(
    r"(?a:(?<![\w/@.:-])(?:~/|\.{1,2}/|/)?(?:[\w.@()$\[\]-]{1,80}/){1,14}(?:[\w.@$\[\]-]{1,80})?"
    rf"|(?<![\w/@.-])\.?[\w-]{{1,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_SUFFIXES})\b"
    r"|(?<![\w/.])(?:\.env|Dockerfile|Makefile)\b)"
)
_FILED = LazyPattern(r"[/\\]|\.[A-Za-z]|file")
"""What stands in the name of any file."""
_SYMBOL = LazyPattern(
    r"(?a:`([A-Za-z_$][\w.$:]{1,60})(?:\(\))?`|\b(?:([a-z_]\w{0,40}(?:_\w{1,40}){1,5})\b|([a-z]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,5})\b"
    r"|([A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,5})\b|(\w{2,40})\(\)))"
)
_NOT_FILES = frozenset("and/or he/she his/her yes/no n/a i/o input/output client/server on/off w/o".split())
MOST_MENTIONS = 12
"""Names of one sort kept for one clause (chosen)."""


def endpoints_in(text: str) -> tuple[str, ...]:
    """Return web addresses, host:port pairs and API routes, each once, in order of appearance."""
    found = sorted(
        (m.start(), m.group().rstrip(".,:;!?"))
        for pattern in ((_ADDRESS, _HOST, _ROUTE) if holds(text, ":/") else ())
        for m in pattern.finditer(text)
    )
    kept: list[str] = []
    for _, name in found:
        if not any(name in other for other in kept):
            kept.append(name)
    return tuple(kept[:MOST_MENTIONS])


def files_in(text: str) -> tuple[str, ...]:
    """Return paths and file names, each once, in order of appearance; addresses and API routes are none."""
    rest = _ADDRESS.sub(lambda m: " " * len(m.group()), text)
    if not _FILED.search(rest):
        return ()
    found = [(m.start(), m.group()) for m in _WINDOWS.finditer(rest)]
    if found:
        rest = _WINDOWS.sub(lambda m: " " * len(m.group()), rest)
    found += [(m.start(), m.group().rstrip(".")) for m in _PATH.finditer(rest)]
    return tuple(dict.fromkeys(name for _, name in sorted(found) if _is_file(name)))[:MOST_MENTIONS]


def symbols_in(text: str) -> tuple[str, ...]:
    """Return identifiers (snake_case, camelCase, PascalCase, calls, names in backticks), each once, in order."""
    names = (next(filter(None, m.groups())) for m in _SYMBOL.finditer(text))
    return tuple(dict.fromkeys(names))[:MOST_MENTIONS]


def _is_file(name: str) -> bool:
    """A path with a slash inside, or a name with a suffix; not an API route, a choice of words or a version."""
    if len(name) < 3 or name.lower() in _NOT_FILES or _ROUTE.fullmatch(name):  # noqa: PLR2004  # "a/" names nothing
        return False
    if "/" in name and "." not in name and not name.startswith(("/", "~", "./", "../")):
        return name.endswith("/") or name.count("/") > 1 or name.islower()
    return not name.replace(".", "").replace("/", "").isdigit()
