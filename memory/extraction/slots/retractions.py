"""Taking back and replacing: what a clause says is no longer wanted, and what takes its place."""

from __future__ import annotations

from functools import lru_cache

from memory.conversation import LazyPattern

_TERM = r"[`'\"“]?([\w@./+#-]{2,40}(?: [A-Z0-9][\w.+#-]{0,30}){0,2})[`'\"”]?"

_INSTEAD = (
    LazyPattern(
        rf"(?i:\b(?:use|using|with|want|prefer|go with|choose) ){_TERM}(?:,)? (?i:instead of|rather than"
        rf"|in place of|over|not) (?:the |a )?{_TERM}"
    ),
    LazyPattern(
        rf"()(?i:\b(?:replace|swap"
        rf"|substitute) )(?:the "
        rf"|our )?{_TERM} (?i:with|by|for) {_TERM}"
    ),
    LazyPattern(
        rf"()(?i:\b(?:switch|migrate|move|change)(?:ed"
        rf"|ing)? )(?:\w{{1,20}} ){{0,2}}(?i:from ){_TERM} (?i:to) {_TERM}"
    ),
    LazyPattern(
        rf"(?:使用|采用|改用|用)\s?{_TERM}\s?(?:而不是|而非|代替|取代|替代|替换|，?不要用?|，?不用)\s?{_TERM}"
    ),
    LazyPattern(rf"()(?:把|将)\s?{_TERM}\s?(?:改为|改成|换成|换为|替换为|替换成)\s?{_TERM}"),
    LazyPattern(
        rf"()(?:不用|不要用?|别用|不再使用)\s?{_TERM}\s?(?:了)?[，,。;； ]\s?(?:改用|换成|换|用|使用)\s?{_TERM}"
    ),
)
"""What is wanted now, then what it replaces; with an empty first group the other way round."""

_TAKEN_BACK = (
    LazyPattern(
        r"(?i)\b(?:don['’]?t|do not|never|must not|should not"
        r"|avoid) (?:use |using )(?:the |any )?(?P<term>[\w.+#-]{2,30})"
        r"(?=[\s,.;!]|$)|(?:不要|别|別|禁止|不能|不得)(?:再)?(?:使用|用)\s?(?P<zh>[A-Za-z][\w.+#-]{1,30})"
    ),
    LazyPattern(
        r"(?i)\b(?:forget|ignore|disregard|never\s?mind|scratch|drop)\s(?:about\s|everything about\s"
        r"|all about\s)?(?:what|everything|anything|all|the (?:thing|rule|part|bit))\s"
        r"(?:(?:that\s)?i(?:['’]ve)?\s(?:just\s)?(?:said|told you|mentioned|wrote|asked)(?:\s(?:earlier"
        r"|before))?\s)?(?:about|regarding|on|with)\s(?P<term>[^.,;!?\n]{2,60})"
    ),
    LazyPattern(
        r"(?i)\b(?:forget|never\s?mind|disregard)\s(?:about\s)?(?:the\s|my\s|our\s)?(?!to\b|it\b|that\b"
        r"|this\b|what\b|everything\b|about it\b)(?P<term>[^.,;!?\n]{2,50})"
    ),
    LazyPattern(
        r"(?i)\b(?:no longer|not)\s(?:use|using|need|want)\s(?:the\s|a\s"
        r"|any\s)?(?P<term>[^.,;!?\n]{2,40}?)(?:\s(?:any\s?more|any longer|at all))?(?=[.,;!]|$)"
    ),
    LazyPattern(r"(?i)\bstop (?:using|doing)\s(?:the\s)?(?P<term>[^.,;!?\n]{2,40})"),
    LazyPattern(
        r"(?i)\b(?:don['’]?t|do not)\s(?:use|need"
        r"|want)\s(?:the\s)?(?P<term>[^.,;!?\n]{2,40}?)\s(?:any\s?more|any longer|now)\b"
    ),
    LazyPattern(
        r"(?:不用|不要|不使用|不需要|不再(?:使用|需要|用)|别再?用|别用|停用"
        r"|弃用)\s?(?P<term>[^，。；！？\s了]{1,24}(?:\s[A-Za-z][\w.]{0,20})?)\s?了"
    ),
    LazyPattern(r"不再(?:使用|需要|用)\s?(?P<term>[\w.+#-]{2,30})"),
    LazyPattern(
        r"(?:忘掉|忘记|忽略|无视)(?:之前|刚才|我)?(?:说的|提的"
        r"|讲的)?(?:关于)?\s?(?P<term>[^，。；！？\n]{1,24}?)(?:的(?:事|要求|规则|话"
        r"|说法))?(?=[，。；！\n]|$)"
    ),
    LazyPattern(
        r"(?:之前|刚才|前面)(?:说的|提到的|要求的)\s?(?P<term>[^，。；！？\n]{1,24}?)\s?(?:作废|取消|不算|不要了|收回)"
    ),
    LazyPattern(
        r"(?P<term>[\w.+#-]{2,30}|[\u4e00-\u9fff]{2,10})\s?(?:不用了|不要了|不需要了|取消了?)(?=[，。；！\n]|$)"
    ),
    LazyPattern(
        r"(?P<term>[\w.+#-]{2,30})"
        r"\s?(?:はもう使わない|は使わないことに|は不要)"
    ),
    LazyPattern(
        r"(?i)\b(?:забудь|больше не (?:используй|нужен|нужна|нужно))\s(?:про\s|о\s)?(?P<term>[^.,;!?\n]{2,40})"
    ),
    LazyPattern(
        r"(?i)\b(?:olvida|ya no (?:uses|usamos|necesitamos)|esqueça|não (?:use|usamos) mais)\s(?:lo de\s|o\s"
        r"|el\s|la\s)?(?P<term>[^.,;!?\n]{2,40})"
    ),
)
"""What is no longer wanted."""
_TRAILING = LazyPattern(r"(?i)\s(?:any\s?more|anymore|now|please|again|for now|and .{1,60})$")


def retracted_in(text: str) -> tuple[str, ...]:
    """Return what a clause takes back or replaces, as terms in lower case; empty for most."""
    return _changes_in(text)[1]


def replacements_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of what is wanted now and the plain term it replaces, in order of the tables."""
    return _changes_in(text)[0]


@lru_cache(maxsize=64)
def _changes_in(text: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """What `replacements_in` and `retracted_in` return."""
    replaced = tuple(filter(None, [_replaced(pattern, text) for pattern in _INSTEAD]))
    terms: dict[str, None] = {}
    for pattern in _TAKEN_BACK:
        if match := pattern.search(text):
            terms[plain_term(next(filter(None, match.groups())))] = None
    for _, old in replaced:
        terms[old] = None
    terms.pop("", None)
    return replaced, tuple(terms)


def _replaced(pattern: LazyPattern, text: str) -> tuple[str, str] | None:
    """What a pattern of `_INSTEAD` finds: what is wanted now, and the plain term it replaces."""
    match = pattern.search(text)
    if match is None:
        return None
    new, old = [group for group in match.groups() if group]
    if match.group(1) == "":
        new, old = old, new
    return None if new.casefold() == old.casefold() or old.isdigit() else (new, plain_term(old))


def plain_term(term: str) -> str:
    """Write a term for comparison: lower case, without quotes, stops and words like "anymore" at its end."""
    term = _TRAILING.sub("", term.strip())
    return " ".join(term.casefold().strip(" `'\"“”.,;:").split())
