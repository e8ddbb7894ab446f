"""What a text says for itself, and for good: not what it denies, what somebody else says, what holds for a moment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.consolidation.deduplicating import read_wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import Slot

_BOUNDED = re.compile(
    r"\b(?:(?:in|for) (?:just |only )?(?:this|the current) (?:\w{1,20} )?(?:task|session|conversation|once|run|question"
    r"|pr|branch|fix|spike|experiment|demo)\b(?! (?:queue|runner|manager|list|project|repo|app))|today only|this once"
    r"|(?:just|only|for|until|for the \w{1,20}) (?:today|tonight|tomorrow)(?!['’])|until \w{1,6}day|nur heute"
    r"|heute nur|por hoy)\b|[Тт]олько сегодня|[这這本][个個次]?(?:任[务務]|[会會][话話])(?![队隊列调調管])"
    r"|就[这這]一?次|今天[先只就]|今[回日]だけ",
    re.IGNORECASE | re.ASCII,
)
"""What bounds a text to one task or a day, even where it says "never"."""
_PASSING = re.compile(
    r"\b(?:this time|temporarily|just once|for (?:now|a moment)|until then"
    r"|(?:this|these|that)(?: (?:one|question))? (?:in|using) \w{1,20})\b"
    r"|[这這][一]?[次回]|[这這][个個]?[问問][题題]|今天|暂时|暫時|[临臨][时時](?![文目变變数數表])|先用",
    re.IGNORECASE | re.ASCII,
)
"""What holds for a moment or for one task."""
_TROUBLE = re.compile(r"\b(?:errors?|fail\w{0,3}|crash\w{0,3})\b|报错|失败|错误|崩溃", re.IGNORECASE | re.ASCII)
_TOLD = re.compile(
    r"\b(?:used to|previous\w{0,2}|formerly|(?:last|old|former|other|another) (?:week|month|year|time|company|job"
    r"|project|repo|team)|considered|thought about|tutorial|colleagues?|coworkers?|teammates?|some(?:one|body)|says?"
    r"|(?<!i )said|heard|imagine|suppos\w{1,3}|assum\w{1,3}|pretend|let['’]?s say|what if|why"
    r"|if (?:we|i|you|it|they)|maybe|perhaps|(?:might|could|would)(?! (?:you|like)\b)"
    r"|(?:write|draft) (?:me )?(?:a|an|the) \w+|(?:explain|describe) (?:why|how|what)"
    r"|you (?:just )?(?:used|started|ran|put|set|answered|wrote|switched|changed|chose|picked|did|replied))\b"
    r"|^\W{0,3}(?:kill|free|check|inspect|curl|open|visit|look|debug|close|test it)\b"
    r"|以前|之前用|上次|曾[经經]|同事|老板|别人|[网網]上|[听聽聞]说|[据據][说說]|如果|要是|假如|假[设設]|[为為]什[么麼]"
    r"|[为為]啥|怎[么麼]|又用|你(?:刚才?|剛才?)?用[了过過]?|[谁誰][让讓]|考[虑慮][过過]|[别別其]他?的?[项項]目",
    re.IGNORECASE | re.ASCII,
)
"""What somebody else says, what was or might be, what the agent did, what is only looked at: it answers nothing."""
_DENIAL = re.compile(
    r"(?:\b(?:not|never|no|nobody|neither|nor|without|except|avoid|stop|drop(?:ped)?|\w{2,7}n['’]?t|cannot|нельзя|не"
    r"|niemals|nie|nicht|keine?|nunca|jamais)(?:\s(?!(?:and|but|then|so|instead)\b)[\w/-]{1,12}){0,5}:?"
    r"|(?:不(?:要|用|能|许|準|准|再|是|考虑|考慮)|别|別|禁止?|[严嚴]禁|勿|拒[绝絕]|停用|弃用)[^，。,.;；]{0,6}[:：]?)\s?[`'\"]?\Z"
)
_DENIED = re.compile(
    r"\S{0,30}\s?(?:is|are)\s(?:strictly |absolutely )?(?:forbidden|banned|prohibited|not|out|off[- ]limits|gone"
    r"|dead)\b"
    r"|\S{0,12}\s?(?:不能|不可以?|不[许许准行]|禁止|[严嚴]禁|淘汰)"
)
"""How something is denied before it is named, and behind that."""
_KNOWN_BY = 5
"""Characters by which a value is found in a text that may write its name differently (postgres, PostgreSQL)."""


def is_bounded(text: str) -> bool:
    """Tell whether a text says that it holds for one task or day only: "in this PR", "until tomorrow", 这个任务."""
    return _BOUNDED.search(text) is not None


def is_passing(text: str) -> bool:
    """Tell whether a text says what holds for a moment, or one task, only: "in this PR", "for now", 这次."""
    return _PASSING.search(text) is not None or is_bounded(text)


def only_tells(text: str) -> bool:
    """Tell whether a text tells what others say, what was, what might be: "my last company used MySQL"."""
    return _TOLD.search(text) is not None


def answers_for_good(text: str) -> bool:
    """Tell whether an answer in a text may take the place of earlier ones: it is not passing, and no failure."""
    return not is_passing(text) and _TROUBLE.search(text) is None


def affirmed(slots: Iterable[Slot], content: str) -> tuple[Slot, ...]:
    """Return the slots whose value a text states and does not deny: "never push to main" does not answer "main"."""
    low = content.casefold()
    if only_tells(low):
        return ()
    denies = read_wording(content).negations > 0
    places = [(slot, low.find(slot.value[:_KNOWN_BY])) for slot in slots]

    def denied(at: int) -> bool:
        return bool(_DENIAL.search(low[:at][-60:]) or _DENIED.match(low, at)) if at >= 0 else denies

    return tuple(slot for slot, at in places if not denied(at))
