"""Plain rules: how people lay down a way of working in one short sentence, without "must" or "never".

"Keep functions under 50 lines", "run the linter on everything you change", "only edit files under src/",
"I prefer tabs", "ask before deleting anything", 以后提交前都要跑测试, 代码注释用英文.
They are looked for in short messages only: in a long task the same words describe the work at hand.
"""

from __future__ import annotations

from enum import Enum

from memory.patterns import LazyPattern


class Reach(Enum):
    """How far a plain rule reaches: beyond the task, or perhaps only this one."""

    STANDING = 1
    TASK = 2


_POLITE = r"^\W{0,3}(?:(?:please|pls|and|also|but|so|ok|okay|hey|just|you should|you can|let['’]?s|we)[,\s]{1,3}){0,3}"
_WORK = (
    r"(?:run|write|add|use|update|test|check|format|lint|commit|document|cover|include|put|keep|make|create|push|sign"
    r"|prefix|name|start|log|validate|review|type|annotate|return|wrap|follow|respect)"
)
_DEED = (
    r"(?:edit|touch|change|modify|use|write|commit|push|work|deploy|merge|read|log|support|accept|allow|import|add|"
    r"create|run|test|target|install|reply|answer|respond|ask|call|return)"
)
_PAPER = (
    r"(?:commit messages?|commits|(?:code )?comments?|docs?|documentation|docstrings?|variable names|names|identifiers|"
    r"logs?|log messages|error messages|readme|changelog|pr descriptions?|issues)"
)
_TONGUE = r"(?:english|german|french|spanish|chinese|japanese|russian|portuguese|italian|korean)"
_STANDING = LazyPattern(
    rf"{_POLITE}(?:always\s(?!been|was|is\b|the\b|a\b|get|fail|have\b|had)\w{{2,}}"
    rf"|{_WORK}\s[^?]{{2,100}}\b(?:every|each|everything|everywhere|all (?:new|code|your|our|public)|whenever"
    r"|(?:before|after) (?:every|each|committing|you commit|you push|pushing|any))\b"
    r"|keep\s[^?]{2,60}\b(?:under|below|within|at most|no more than|shorter than|smaller than)\s\S{0,12}\d"
    r"|prefer\s(?!not to answer)\S.{2,80}|i (?:always |strongly |really )?prefer\s\S.{2,80}"
    r"|no\s[a-z][\w -]{1,40}\b(?:in (?:the |this |our |any |your )?(?:code|comments?|commits?|docs|tests"
    r"|commit messages|names|repo|repository|project|output|answers?|replies)|please|anywhere|ever)\b"
    r"|(?:ask|check with|tell|warn|consult|confirm with) (?:me |us )?(?:first\b|before\b)[^?]{0,80}"
    rf"|(?:all )?{_PAPER}\s(?:(?:should |must |shall |need to )?(?:be |go |stay )?)?(?:written |all )?in {_TONGUE}\b"
    rf"|write\s(?:the |all |your )?{_PAPER}\sin {_TONGUE}\b)"
    rf"|^[^?]{{2,60}},? (?:we|i) (?:always|only) {_DEED}\b"
    r"|^\W{0,3}以后.{1,24}(?:都|要|先|只|用|必)|^.{0,6}(?:每次|每个|所有).{1,24}(?:都要|都得|都用|都需|前要|后要|要先)"
    r"|^.{0,8}(?:代码注释|注释|提交信息|提交说明|变量名|文档|日志|回复|回答|报错信息)(?:都|一律|统一|全部|请)?(?:用|使用|写成|要用)"
    r"(?:英文|中文|英语|日文|德文|简体中文|繁体中文)"
    r"|^.{0,12}(?:不要?超过|控制在|保持在|限制在)\s?\d+.{0,10}$"
    r"|^.{0,10}(?:前|之前)(?:要|请|先|必须|一定)?先?(?:问我|问一下我|跟我确认|和我确认|找我确认|征求我)"
    r"|^\W{0,3}(?:我)?(?:更)?(?:喜欢|偏好|倾向于?)(?:用|使用|写)\S"
)
_TASK = LazyPattern(
    rf"{_POLITE}only\s{_DEED}\s\S|^we (?:only )?{_DEED}\s[^?]{{2,60}}\bonly\W{{0,3}}$"
    rf"|{_POLITE}{_DEED}\s[^?]{{1,60}}\bonly\W{{0,3}}$"
    r"|^.{0,8}(?:只能|只许|只准|只允许|只改|只动|只修改|只用)\s?\S"
)
_SIGNS = (
    *(
        "always",
        "every",
        "each",
        "all ",
        "whenever",
        "before",
        "after",
        "under",
        "below",
        "within",
        "at most",
    ),
    *("no more", "shorter", "smaller", "prefer", "no ", "first", "only", "in english", " in "),
    *(
        "以后",
        "每",
        "所有",
        "注释",
        "提交",
        "变量名",
        "文档",
        "日志",
        "回",
        "超过",
        "控制在",
        "保持在",
        "限制在",
        "前",
    ),
    *("喜欢", "偏好", "倾向", "只", "报错"),
)
"""Letters without one of which nothing here matches; looking for them is cheaper."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t|error|fails?|failed|broken|still|"
    r"not working|once|for now|this time|just this|only (?:one|once|a few|works?)"
    r"|no (?:problem|idea|worries|way|longer|one|need|changes?|difference)"
    r"|i (?:only|just) (?:see|have|get|got|want to know))\b|为什么|怎么|吗|报错了|还是|这次|先不|暂时"
)


_GENERAL = LazyPattern(
    rf"{_POLITE}(?:always|never|under no circumstances)\s(?!mind)"
    r"|^(?:all|every|any) (?:new |public |our )?(?:code|files?|functions?|methods?|class(?:es)?|tests?|modules?"
    r"|commits?|comments?|changes?|endpoints?|apis?)\s(?:must|should|needs?|has to|have to)\b"
    r"|^.{0,6}(?:永远|始终|任何时候|任何情况下|总是要|一律)"
)


def is_general(low: str) -> bool:
    """Tell whether a rule, in lower case, is laid down for good: "always ...", "all code must ...", 永远不要 ..."""
    return _GENERAL.search(low) is not None


def plain_rule(low: str) -> Reach | None:
    """Tell how far a clause of a short message reaches as a plain rule; None for most.

    Args:
        low: the clause in lower case.
    """
    if not any(map(low.__contains__, _SIGNS)) or low.endswith(("?", "？")) or _NO_RULE.search(low):
        return None
    if _STANDING.search(low):
        return Reach.STANDING
    return Reach.TASK if _TASK.search(low) else None
