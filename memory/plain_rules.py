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
    """How far a plain rule reaches: beyond the task, perhaps only this one; or it says how the project is run."""

    STANDING = 1
    TASK = 2
    FACT = 3


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
_KINDS = (
    r"(?:functions?|methods?|class(?:es)?|modules?|files?|endpoints?|routes?|apis?|components?|tests?|pages?|forms?|quer(?:y|ies)"
    r"|commits?|migrations?|strings?|inputs?|requests?|responses?|errors?|features?|prs?|variables?)"
)
_OUTPUT = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|comments?|commits?|commit messages?|functions?"
    r"|changes?|diffs?|prs?|code|files?|names?)"
)
_MANNER = (
    r"(?:very |as )?(?:short|brief|concise|terse|small|simple|minimal|clean|focused|atomic|readable|dry|consistent"
    r"|typed)"
)
_STYLE = LazyPattern(
    rf"{_POLITE}use\s(?:tabs|(?:\d|two|four|eight)[- ]spaces?(?! between))\b"
    r"|" + _POLITE + r"(?:use|prefer|stick (?:to|with)|keep to)\s(?:snake|camel|pascal|kebab)[-_ ]?case\b"
    rf"|{_POLITE}(?:keep|make)\s(?:the |your |all |all your )?{_OUTPUT}\s{_MANNER}\W{{0,3}}$"
    rf"|{_POLITE}no\s(?:new|additional|extra|external|third[- ]party|unnecessary|more)\s"
    r"(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|libs?|frameworks?|comments?|emojis?|mocks?|abstractions?)\b"
    r"|"
    + _POLITE
    + r"(?:follow|stick (?:to|with)|adhere to|conform to|comply with|respect|match)\s(?:the |our |this )?"
    r"(?:pep ?-?8\b|(?:\w+ ){0,2}?(?:existing|current|project(?:['’]s)?|repo(?:['’]s)?|same|google|airbnb|standard"
    r"|conventional|semantic)\s(?:\w+ ){0,2}?(?:style|conventions?|patterns?|structure|guidelines?|architecture|naming"
    r"|formatting|standards?|guide|commits?|versioning)\b)"
    r"|^.{0,12}(?:[使采採]?用)\s?(?:\d|两|四|二|兩)\s?[个個]?空格(?:[缩縮][进進])?"
    r"|^.{0,8}(?:注[释釋解]|提交[信訊资資]息|[错錯][误誤][信訊]息|提示|文案|界面|介面|日[志誌]|[变變]量|[变變][数數]|函[数數]|[类類]|文件|方法|字段)"
    r"(?:名称|名稱|名|命名)?(?:都|一律|[统統]一|全部)?(?:要|[请請])?(?:用|使用|采用|採用|遵循)\s?"
    r"(?:英文|中文|英[语語]|中[语語]|日文|德文|[简簡]体中文|繁[体體]中文|[驼駝]峰|下[划劃]|小写|小寫|大[写寫]|[帕]斯卡)"
    r"|^.{0,6}(?:回答|回复|回覆|解[释釋]|代[码碼]|程式[码碼]|函[数數]|注[释釋]|提交).{0,4}(?:尽量|盡量|要|[务務]必|保持|[请請])"
    r"(?:[简簡](?:短|[洁潔]|[单單])|精[简簡]|[详詳][细細]|清晰|短)"
    r"|^(?:コメント|変数名|コミット(?:メッセージ)?|回答|返答|エラーメッセージ|ドキュメント|ログ).{0,6}(?:日本語|英語|中国語)で"
)
"""How a style is laid down: indentation, names, language, brevity, dependencies, conventions, commands."""
_FACT = LazyPattern(
    r"(?:our |the )(?:unit |integration |e2e )?(?:tests?|build|lint(?:ing)?|start|dev|deploy(?:ment)?|format(?:ting)?)"
    r" (?:command|script|task) is\s\S"
    r"|we (?:deploy|host|ship|release)\s(?:\w+ )?(?:on|to|with|via|in) \S"
    r"|^.{0,10}(?:部署|托管|[运運]行)在\s?\S{2,20}(?:上|[里裡])\W{0,2}$"
    r"|^.{0,10}(?:[测測][试試]|[构構]建|[启啟][动動]|打包|部署|[编編][译譯])命令(?:是|[为為])\s?\S"
)
"""How a project is run: where it is deployed, by which command it is tested."""
_SCOPE = LazyPattern(
    rf"{_POLITE}(?:make sure|ensure)(?: that)?\s(?:all|every|each|any|no|none)\s(?:of the |the |our |new )?\w"
    rf"|{_POLITE}(?:every|each|all)\s(?:\w+ ){{0,2}}{_KINDS}\s(?:\w+ ){{0,2}}?"
    r"(?:needs?|must|should|has to|have to|gets?|requires?)\s"
    r"|(?:it|this|everything|the (?:code|app|api|tool|script|result|output)|all)\s(?:also |still )?"
    r"(?:has|have|needs?) to\s(?:\w+ )?"
    r"(?:work|run|build|compile|support|stay|remain|be compatible|be backwards?)\b"
    rf"|{_POLITE}(?:write|add) tests? for (?:everything|all|every|each|any)\b"
    r"|(?:i want |i(?:['’]d| would) like )?all\s(?:the )?(?:ui |user[- ]facing |visible )?"
    r"(?:text|texts|strings|labels|messages|copy)"
    rf"{_IN_TONGUE}"
    r"|^.{0,8}(?:[项項]目|[专專]案|[仓倉][库庫]|工程|前端|后端|後端|系[统統]|服[务務]|[这這][里裡])[里裡中]?(?:只能|[统統]一|一律|必[须須]|只)"
    r"(?:用|使用|支持|支援|兼容)\s?\S"
    r"|^[请請]?(?:[确確]保|保[证證])\s?(?:所有|每[个個次]|全部|任何)\s?\S"
    r"|^(?:所有|每[个個一]|全部|任何)[^,，。？?]{1,16}?(?:都|均)?(?:要|必[须須]|需要|得|[应應][该該]?)(?!不要).{2,}"
    r"|^.{1,12}?(?:[时時]|的[时時]候|[过過]程中|代[码碼][里裡中])[,，]?[请請]?(?:不要|别|別|勿|不得|禁止|不[准許许])\s?\S{2,}"
    r"|^[请請]?(?:不用|不需要|無需|无需)(?:写|寫|加|[测測][试試]|[添新]加|考[虑慮])\s?(?:[测測][试試]|注[释釋解]|文[档檔]|日[志誌]|兼容)"
    r"|^(?:s['’]il te pla[iî]t,? )?n(?:e |['’])\w{3,14} (?:pas|jamais)\s.{4,}"
    r"|^(?:bitte )?\w{3,12}e?\s(?:bitte )?(?:die|den|das|keine[nr]?)\s.{2,40}\snicht\W{0,3}$"
)
"""How far work may go, and what all of it must have."""
_SIGNS = (
    *(
        "use ",
        "keep",
        "make",
        "follow",
        "stick",
        "adhere",
        "conform",
        "comply",
        "respect",
        "match",
        "ensure",
        "command is",
    ),
    *(
        "task is",
        "script is",
        "deploy",
        "host",
        "ship",
        "release",
        "to work",
        "to run",
        "to be",
        "to support",
        "to stay",
    ),
    *(
        "tests for",
        "空格",
        "命名",
        "用",
        "简",
        "簡",
        "精",
        "详",
        "詳",
        "部署",
        "运行",
        "運行",
        "命令",
        "日本語",
        "英語",
        "確保",
        "确保",
    ),
    *(
        "保证",
        "保證",
        "任何",
        "全部",
        "时",
        "時",
        "過程",
        "过程",
        "代码",
        "代碼",
        "不需",
        "无需",
        "無需",
        "ne ",
        "n'",
        "n’",
        " nicht",
    ),
    *("always", "every", "each", "all ", "whenever", "before", "after", "under", "below"),
    *("within", "at most", "no more", "shorter", "smaller", "prefer", "no ", "first", "only"),
    *("in english", " in ", "以后", "每", "所有", "注释", "提交", "变量名", "文档", "日志"),
    *("回", "超过", "控制在", "保持在", "限制在", "前", "喜欢", "偏好", "倾向", "只", "报错"),
)
"""Letters without one of which nothing here matches; looking for them is cheaper."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t"
    r"|error(?!s?[- ](?:handling|messages?|codes?))|fails?|failed|broken|still|"
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
    reach = None
    if _STANDING.match(low) or _STYLE.match(low):
        reach = Reach.STANDING
    elif _TASK.match(low) or _SCOPE.match(low):
        reach = Reach.TASK
    elif _FACT.match(low):
        reach = Reach.FACT
    return None if reach is None or _NO_RULE.search(low) else reach
