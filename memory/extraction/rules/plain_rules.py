"""Plain rules: how people lay down a way of working in one short sentence, without "must" or "never".

"Keep functions under 50 lines", "run the linter on everything you change", "only edit files under src/",
"I prefer tabs", "ask before deleting anything", 以后提交前都要跑测试, 代码注释用英文.
They are looked for only where they speak of the way of working (commits, changes, code,
paths): "add a button to every row" and "I prefer option B" are work at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.conversation import LazyPattern
from memory.extraction.rules.plain_forms import FORMS, HAN_FORMS, PART, POLITE, TOUCH, Reach
from memory.extraction.rules.plain_turns import HAN_TURNS, TURNS

if TYPE_CHECKING:
    from memory.extraction.rules.plain_forms import Form

_ALL = (*FORMS, *TURNS)
_HAN_BY_LEAD = tuple((lead, form) for form in (*HAN_FORMS, *HAN_TURNS) for lead in form.leads)
_BY_LEAD = {lead: tuple(form for form in _ALL if lead in form.leads) for form in _ALL for lead in form.leads}
_LEADING = 6
"""Words among which the leading one stands: up to three of courtesy, some of two words, may come before it."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t"
    r"|error(?!s?[- ](?:handling|messages?|codes?))|fails?|failed|broken|still|"
    r"not working|once|for now|this time|just this|only (?:one|once|a few|works?)"
    r"|no (?:problem|idea|worries|way|longer|one|need(?! (?:to|for) )|changes?|difference)"
    r"|i (?:only|just) (?:see|have|get|got|want to know))\b|为什么|怎么|吗|报错了|还是|这次|先不|暂时"
)


_GENERAL = LazyPattern(
    rf"{POLITE}(?:always|never|under no circumstances)\s{TOUCH}\b"
    rf"|^(?:all|every|any) {PART}\s(?:must|should|needs?|has to|have to)\b"
    r"|^.{0,6}(?:永远|始终|任何时候|任何情况下|总是要|一律)"
)


def is_general(low: str) -> bool:
    """Tell whether a rule, in lower case, is laid down for good: "always ...", "all code must ...", 永远不要 ..."""
    return _GENERAL.match(low) is not None


def plain_rule(low: str) -> Reach | None:
    """Tell how far a clause reaches as a plain rule; None for most.

    Args:
        low: the clause in lower case.
    """
    forms = [form for word in low[:80].split(None, _LEADING)[:_LEADING] for form in _led_by(word)]
    if not low.isascii():
        forms += [form for lead, form in _HAN_BY_LEAD if lead in low]
    if not forms or low.endswith(("?", "？")):
        return None
    matched = [form.reach for form in forms if form.pattern.match(low)]
    if not matched or _NO_RULE.search(low):
        return None
    return min(matched, key=_ORDER.__getitem__)


_ORDER = {Reach.STANDING: 0, Reach.TASK: 1, Reach.FACT: 2, Reach.CHOICE: 3}


def _led_by(word: str) -> tuple[Form, ...]:
    """The forms that a word may begin; an elided word ("i'd", "n'oublie") counts up to its apostrophe."""
    found = _BY_LEAD.get(word)
    if found is None and not word.isalpha():
        bare = word.strip(",.:;!-*(\"'’`")
        cut = bare.replace("’", "'").find("'")
        found = _BY_LEAD.get(bare[:cut] + "'" if cut > 0 else bare)
    return found or ()
