"""Whether an ordinary word (go, react, express) names a technology where it stands.

Evidence: a word before ("use", "in", "switch to") or after ("app", "framework"), a version, a name's spelling
in the middle of a sentence, a label or bullet it stands alone behind, backticks, a sentence in another
script, a technology beside it. Chosen by hand and checked by reading hits and misses.
"""

from __future__ import annotations

import re
from typing import Final

from memory.conversation import LazyPattern

_WINDOW: Final = 40
LONGEST_SEPARATOR: Final = 16
"""Characters between two names of a list, at most: "` instead of `"."""
_OTHER_SCRIPT: Final = r"[\u0370-\u1fff\u2e80-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
_FOREIGN_BEFORE: Final = LazyPattern(_OTHER_SCRIPT + r" ?\Z")
_FOREIGN_AFTER: Final = LazyPattern(" ?" + _OTHER_SCRIPT)
_CJK_CUE_BEFORE: Final = LazyPattern(
    r"(?:用|使用|采用|换成|改用|改成|换到|迁移到|基于|语言|框架|安装|学|写)[ :：]?\Z"
)
_CJK_CUE_AFTER: Final = LazyPattern(r" ?(?:语言|框架|项目|代码|版本|后端|前端|服务|程序|组件|工程|库|で)")
_CUE_BEFORE: Final = LazyPattern(
    r"""(?:^|[^A-Za-z])(?:
      (?:us(?:e|es|ed|ing)|adopt(?:ed|ing)?|prefer|choose|chose|install(?:ed|ing)?|in|with|via|on|like|our
        |plain|latest|written\ in|built\ (?:with|on|in)|based\ on|instead\ of|rather\ than|deploy(?:ed)?\
        (?:to|on)|docker\ run)
      |(?:switch|migrat|mov|port|convert|rewrit|chang|upgrad)(?:e|ed|ing)?(?:\ \w{1,12}){0,3}\ (?:to|from|off)
    )\ \Z""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_CUE_AFTER: Final = LazyPattern(
    r"""[ -](?:app|apps|application|code|codebase|project|framework|server|service|services|backend|frontend|api
      |apis|language|library|package|crate|compiler|runtime|component|components|hook|hooks|router|middleware|plugin
      |developer|sdk|toolchain|cluster|program|binary|endpoint|endpoints|client|docs|fixtures?|blueprint)\b""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_VERSION_AFTER: Final = LazyPattern(r" v?\d{1,4}\.[\dx]| v\d| version \d", re.ASCII | re.IGNORECASE)
_NUMBER_AFTER: Final = LazyPattern(r" \d{1,2}(?![\w.:%])(?! [a-z]{3})", re.ASCII)
_LOWER_WORD_BEFORE: Final = LazyPattern(r"(?:^|[^A-Za-z0-9])[a-z][\w'-]*,? \Z", re.ASCII)
_LABEL_BEFORE: Final = LazyPattern(r"[A-Za-z\u3040-\u9fff]{2,20}\**[:：=]\**[ `]{0,2}\Z")
_BULLET_BEFORE: Final = LazyPattern(r"(?:^|\n)[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+[*`]{0,2}\Z")
_ITEM_END: Final = LazyPattern(r"[*`\"']{0,2}[ \t]{0,4}(?:[\n,;，。；]|\.?\Z|\(|\+)")
_BETWEEN: Final = LazyPattern(
    r"""[`*"]{0,2}
    (?:\ ?[,/&+、，]\ ?(?:and\ |or\ )?|\ (?:and|or|with|vs\.?|over|on|plus|not|instead\ of|和|与|或)\ )
    [`*"]{0,2}""",
    re.VERBOSE,
)
_BETWEEN_STRICT: Final = LazyPattern(r"[`*]{0,2} ?[,/+、] ?[`*]{0,2}")
_VERB_AFTER: Final = LazyPattern(
    r" (?:to|it|them|this|that|these|sure|up|out|back|ahead|through|the|a|an|your|my|our)\b", re.IGNORECASE
)


def has_evidence(text: str, start: int, end: int, *, strict: bool) -> bool:
    """Does the text around the ordinary word `text[start:end]` say that the technology is meant?

    Args:
        text: the whole text; only the 40 characters on either side are read.
        start: where the word begins.
        end: where it ends.
        strict: for the most ordinary words and single letters: a name's spelling and a cue are both asked
        for.
    """
    word = text[start:end]
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW]
    if after.startswith((":\\", "://", "(")) or before.endswith(("://", "'", ".", "/")):
        return False
    is_name = word[0].isupper() and (len(word) == 1 or not word.isupper())
    if (is_name or not strict) and _VERSION_AFTER.match(after):
        return True
    labelled = before.rstrip("*` ").endswith((":", "：", "="))
    if labelled and len(word) > 1 and _ITEM_END.match(after) and _LABEL_BEFORE.search(before):
        return True
    if strict:
        if not text.isascii() and (_CJK_CUE_BEFORE.search(before) or _CJK_CUE_AFTER.match(after)):
            return True
        if not is_name or (len(word) == 1 and before.endswith(("in a ", "Option "))):
            return False
        return _has_cue(before, after)
    if _has_cue(before, after) or (before.endswith("`") and after.startswith("`")):
        return True
    if not text.isascii() and (_FOREIGN_BEFORE.search(before) or _FOREIGN_AFTER.match(after)):
        return True
    if is_name and (_LOWER_WORD_BEFORE.search(before) or _NUMBER_AFTER.match(after)):
        return True
    return bool(_ITEM_END.match(after) and _BULLET_BEFORE.search(before))


def _has_cue(before: str, after: str) -> bool:
    """Is the word before or after one that technologies are spoken of with?"""
    if after[:1] in (" ", "-") and _CUE_AFTER.match(after):
        return True
    return before.endswith(" ") and bool(_CUE_BEFORE.search(before))


def stands_beside(text: str, span: tuple[int, int], near: tuple[int, int], *, strict: bool) -> bool:
    """Does the word at `span` stand in a list with, or right beside, the technology at `near`?"""
    after = text[span[1] : span[1] + _WINDOW]
    if _VERB_AFTER.match(after):
        return False
    between = text[min(span[1], near[1]) : max(span[0], near[0])]
    if len(between) > LONGEST_SEPARATOR:
        return False
    if strict:
        is_name = text[span[0]].isupper()
        return bool(_BETWEEN_STRICT.fullmatch(between)) and (is_name or "," not in between)
    return bool(_BETWEEN.fullmatch(between))
