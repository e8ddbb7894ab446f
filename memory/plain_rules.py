"""Plain rules: how people lay down a way of working in one short sentence, without "must" or "never".

"Keep functions under 50 lines", "run the linter on everything you change", "only edit files under src/",
"I prefer tabs", "ask before deleting anything", 以后提交前都要跑测试, 代码注释用英文.
They are looked for in short messages only, and only where they speak of the way of working (commits, changes, code,
paths): "add a button to every row" and "I prefer option B" are work at hand.
"""

from __future__ import annotations

from enum import Enum

from memory.patterns import LazyPattern, holds


class Reach(Enum):
    """How far a plain rule reaches: beyond the task, or perhaps only this one."""

    STANDING = 1
    TASK = 2


_POLITE = (
    r"^\W{0,3}(?:(?:please|pls|and|also|but|so|ok|okay|hey|just|you should|let['’]?s|we)[,\s]{1,3}){0,3}"
)
_WORK = (
    r"(?:run|write|add|update|test|check|format|lint|commit|document|cover|include|keep|sign|prefix|validate|review"
    r"|annotate)"
)
_TOUCH = (
    r"(?:touch|change|edit|modify|delete|remove|commit|push|run|write|use|install|test|format|deploy|merge|rename|ask"
    r"|import|upgrade|force|rebase|reset|answer|reply|respond|squash|mock|hard-?code)"
)
_EVENT = r"(?:code )?(?:changes?|commits?|edits?|push|steps?|tasks?|features?|fix(?:es)?|releases?|prs?|pull requests?)"
_PART = r"(?:new |public |exported )?(?:functions?|methods?|class(?:es)?|modules?|code|files? you \w+)"
_RISK = (
    r"(?:delet|remov|add|install|chang|push|commit|merg|deploy|renam|upgrad|refactor|rewrit|touch|dropp?|overwrit"
    r"|modify|edit)\w{0,4}"
)
_TONGUE = r"(?:english|german|french|spanish|chinese|japanese|russian|portuguese|italian|korean)"
_IN_TONGUE = rf"\s(?:(?:should |must |shall )?(?:be |go |stay )?)?(?:written |all )?in {_TONGUE}\b"
_STANDING = LazyPattern(
    rf"{_POLITE}(?:always\s{_TOUCH}\b"
    rf"|{_WORK}\s[^?]{{2,100}}\b(?:(?:every|each|any) {_EVENT}|everything you \w{{2,}}|whenever you \w{{2,}}"
    r"|all (?:new|your) (?:code|functions|methods|classes|modules|commits|changes))\b"
    r"|keep\s[^?]{2,60}\b(?:under|below|within|at most|no more than|shorter than|smaller than)\s\d{1,4}\s"
    r"(?:lines|characters|chars|columns|words)\b"
    r"|(?:i (?:always |strongly |really )?)?prefer\s"
    r"(?!(?:the|this|that|it|your|an?|option|version|number|not|to)\b|\W|\d)\S.{2,80}"
    r"|no\s[a-z][\w -]{1,40}\bin (?:the |this |our |any |your )?(?:code|comments?|commits?|commit messages|docs|tests"
    r"|names|repo|repository)\W{0,3}$"
    rf"|(?:ask|check with|consult|confirm with) (?:me |us )?(?:first )?before (?:you )?{_RISK}\b[^?]{{0,80}}"
    r"|(?:all )?(?:commit messages?|(?:code )?comments?|docstrings?|variable names|identifiers|log messages"
    rf"|error messages){_IN_TONGUE})"
    r"|^\W{0,3}以后(?!再).{1,24}(?:都|要|先|只|用|必)"
    r"|^.{0,8}(?:注释|提交信息|提交说明|变量名|日志|回复|回答)(?:都|一律|统一|全部|请)?(?:用|使用|写成|要用)"
    r"(?:英文|中文|英语|日文|德文|简体中文|繁体中文)"
    r"|^.{0,10}(?:函数|方法|每行|单个文件|代码|提交).{0,10}(?:不要?超过|控制在|限制在)\s?\d+\s?(?:行|个?字符|列)"
    r"|^.{0,10}(?:前|之前)(?:要|请|必须|一定)?先?(?:问我|问一下我|跟我确认|和我确认|找我确认|征求我)"
    r"|^\W{0,3}我?更?(?:喜欢|偏好|倾向于?)(?:用|使用|写)\s?(?!第|这|那|上|下|方案|一)\S"
)
_TASK = LazyPattern(
    rf"{_POLITE}only\s(?:edit|touch|change|modify|write|work|create)\s[^?]{{0,40}}?\b(?:in|under|inside|within|to)\s\S*[/.]\w?"
    rf"|^we {_TOUCH}\s[^?]{{2,60}}\bonly\W{{0,3}}$"
    rf"|{_POLITE}{_WORK}\s[^?]{{2,80}}\b(?:(?:for|on|to|in) (?:every|each|all) {_PART}"
    r"|(?:before|after) (?:committing|pushing|you (?:commit|push)))\b"
    rf"|{_POLITE}(?:write )?(?:the |all )?(?:docs?|documentation|readme|changelog|issues){_IN_TONGUE}"
    rf"|{_POLITE}(?:please )?always\s\w{{2,}} tests?\b"
    r"|^.{0,8}(?:只能|只许|只准|只允许|只改|只动|只修改)\s?\S{1,40}?\s?(?:目录|文件夹|下的|/)"
    r"|^文档(?:都|一律|统一|全部|请)?(?:用|使用|写成|要用)(?:英文|中文|英语)"
)
_SIGNS = (
    *("always", "every", "each", "all ", "whenever", "before", "after", "under", "below"),
    *("within", "at most", "no more", "shorter", "smaller", "prefer", "no ", "first", "only"),
    *("in english", " in ", "以后", "每", "所有", "注释", "提交", "变量名", "文档", "日志"),
    *("回", "超过", "控制在", "保持在", "限制在", "前", "喜欢", "偏好", "倾向", "只", "报错"),
)
"""Letters without one of which nothing here matches; looking for them is cheaper."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t|error|fails?|failed|broken|still|"
    r"not working|once|for now|this time|just this|only (?:one|once|a few|works?)"
    r"|no (?:problem|idea|worries|way|longer|one|need|changes?|difference)"
    r"|i (?:only|just) (?:see|have|get|got|want to know))\b|为什么|怎么|吗|报错了|还是|这次|先不|暂时"
)


_GENERAL = LazyPattern(
    rf"{_POLITE}(?:always|never|under no circumstances)\s{_TOUCH}\b"
    rf"|^(?:all|every|any) {_PART}\s(?:must|should|needs?|has to|have to)\b"
    r"|^.{0,6}(?:永远|始终|任何时候|任何情况下|总是要|一律)"
)


def is_general(low: str) -> bool:
    """Tell whether a rule, in lower case, is laid down for good: "always ...", "all code must ...", 永远不要 ..."""
    return _GENERAL.match(low) is not None


def plain_rule(low: str) -> Reach | None:
    """Tell how far a clause of a short message reaches as a plain rule; None for most.

    Args:
        low: the clause in lower case.
    """
    if not holds(low, _SIGNS) or low.endswith(("?", "？")):
        return None
    reach = Reach.STANDING if _STANDING.match(low) else Reach.TASK if _TASK.match(low) else None
    return None if reach is None or _NO_RULE.search(low) else reach
