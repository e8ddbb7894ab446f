"""Forms of plain rules: how people lay down a way of working in one short sentence, by the words they lead in with."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from memory.conversation import LazyPattern


class Reach(Enum):
    """How far a plain rule reaches: beyond the task, perhaps only this one; or it tells a fact, or chooses."""

    STANDING = 1
    TASK = 2
    FACT = 3
    CHOICE = 4


class Form(NamedTuple):
    """A form of a plain rule.

    Attributes:
        reach: how far what has it reaches.
        leads: the words it begins with, after words of courtesy; for scripts without blanks letters that stand in it.
        pattern: matches the clause, in lower case.
    """

    reach: Reach
    leads: tuple[str, ...]
    pattern: LazyPattern


POLITE = r"^\W{0,3}(?:(?:please|pls|and|also|but|so|ok|okay|hey|just|you should|let['’]?s|we)[,\s]{1,3}){0,3}"
_DOING = (
    *("run", "write", "add", "update", "test", "check", "format", "lint", "commit", "document", "cover"),
    *("include", "keep", "sign", "prefix", "validate", "review", "annotate"),
)
_WORK = f"(?:{'|'.join(_DOING)})"
TOUCH = (
    r"(?:touch|change|edit|modify|delete|remove|commit|push|run|write|use|install|test|format|deploy|merge|rename|ask"
    r"|import|upgrade|force|rebase|reset|answer|reply|respond|squash|mock|hard-?code)"
)
_EVENT = r"(?:code )?(?:changes?|commits?|edits?|push|steps?|tasks?|features?|fix(?:es)?|releases?|prs?|pull requests?)"
PART = r"(?:new |public |exported )?(?:functions?|methods?|class(?:es)?|modules?|code|files? you \w+)"
_RISK = (
    r"(?:delet|remov|add|install|chang|push|commit|merg|deploy|renam|upgrad|refactor|rewrit|touch|dropp?|overwrit"
    r"|modify|edit)\w{0,4}"
)
_TONGUE = r"(?:english|german|french|spanish|chinese|japanese|russian|portuguese|italian|korean)"
_IN_TONGUE = rf"\s(?:(?:should |must |shall )?(?:be |go |stay )?)?(?:written |all )?in {_TONGUE}\b"
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
_ALL = r"(?:everything|all|every|each|any)"
_STANDING, _TASK, _FACT = Reach.STANDING, Reach.TASK, Reach.FACT


def form(reach: Reach, leads: str | tuple[str, ...], pattern: str, *, polite: bool = True) -> Form:
    """A form in a script with blanks; `polite`: words of courtesy may stand before it."""
    words = tuple(leads.split()) if isinstance(leads, str) else leads
    return Form(reach, words, LazyPattern(f"{POLITE}(?:{pattern})" if polite else pattern))


FORMS = (
    form(_STANDING, "always", rf"always\s{TOUCH}\b"),
    form(
        _STANDING,
        _DOING,
        rf"{_WORK}\s[^?]{{2,100}}\b(?:(?:every|each|any) {_EVENT}|everything you \w{{2,}}|whenever you \w{{2,}}"
        r"|all (?:new|your) (?:code|functions|methods|classes|modules|commits|changes))\b",
    ),
    form(
        _STANDING,
        "keep",
        r"keep\s[^?]{2,60}\b(?:under|below|within|at most|no more than|shorter than|smaller than)\s\d{1,4}\s"
        r"(?:lines|characters|chars|columns|words)\b",
    ),
    form(
        _STANDING,
        "prefer",
        r"(?:i (?:always |strongly |really )?)?prefer\s"
        r"(?!(?:the|this|that|it|your|an?|option|version|number|not|to)\b|\W|\d)\S.{2,80}",
    ),
    form(
        _STANDING,
        "no",
        r"no\s[a-z][\w -]{1,40}\bin (?:the |this |our |any |your )?(?:code|comments?|commits?|commit messages|docs"
        r"|tests|names|repo|repository)\W{0,3}$"
        r"|no\s(?:new|additional|extra|external|third[- ]party|unnecessary|more)\s"
        r"(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|libs?|frameworks?|comments?|emojis?|mocks?|abstractions?)\b",
    ),
    form(
        _STANDING,
        "ask check consult confirm",
        rf"(?:ask|check with|consult|confirm with) (?:me |us )?(?:first )?before (?:you )?{_RISK}\b[^?]{{0,80}}",
    ),
    form(
        _STANDING,
        "pregúntame pregunta consúltame pergunte pergunta demande frag frage спроси спрашивай antes avant bevor vor"
        " прежде перед before",
        r"(?:me )?(?:preg[uú]nta|consúlta|pergunt[ea]|demande|frage?|спр(?:оси|ашивай)(?:те)?)"
        r"[\s-]?(?:me|moi|mich|у? ?меня)?\b"
        r".{0,24}\b(?:antes|avant|bevor|vorher|vor|прежде|перед)\b.{3,}"
        r"|(?:antes d|avant d|bevor|vor|прежде чем|перед|before)\S{0,3}\s.{3,60}[,\s]"
        r"(?:preg[uú]nta|consúlta|pergunt[ea]"
        r"|demande|frage?|спр(?:оси|ашивай)|ask|check with)[\s-]?(?:me|moi|mich|меня|у меня)\b",
    ),
    form(
        _STANDING,
        "siempre sempre immer toujours всегда",
        r"(?!(?:me|se|es|está|é|est|ist|hay|ich|il|я|он|она|у|i|j['’])\b)(?:[^\s,]{2,20}\s){0,3}"
        r"(?:siempre|sempre|immer|toujours|всегда)\s(?!(?:noch|wieder|me|se|es|está|é)\b).{5,}",
    ),
    form(
        _STANDING,
        "all commit code comment comments docstring docstrings variable identifiers log error",
        r"(?:all )?(?:commit messages?|(?:code )?comments?|docstrings?|variable names|identifiers|log messages"
        rf"|error messages){_IN_TONGUE}",
    ),
    form(
        _STANDING,
        "use prefer stick keep usa utilise benutze verwende используй",
        r"(?:use|usa|utilise|benutze|verwende|используй)\s(?:des |los |die )?(?:tab[su]\w*"
        r"|espa[cç]\w+|leerzeichen|табы|пробелы"
        r"|(?:\d|two|four|eight)[- ]spaces?(?! between))\b"
        r"|(?:use|prefer|stick (?:to|with)|keep to)\s(?:snake|camel|pascal|kebab)[-_ ]?case\b",
    ),
    form(
        _STANDING,
        "keep make",
        rf"(?:keep|make)\s(?:the |your |all |all your )?{_OUTPUT}\s{_MANNER}\W{{0,3}}$",
    ),
    form(
        _STANDING,
        "follow stick adhere conform comply respect match",
        r"(?:follow|stick (?:to|with)|adhere to|conform to|comply with|respect|match)\s(?:the |our |this )?"
        r"(?:pep ?-?8\b|(?:\w+ ){0,2}?(?:existing|current|project(?:['’]s)?|repo(?:['’]s)?|same|google|airbnb|standard"
        r"|conventional|semantic)\s(?:\w+ ){0,2}?(?:style|conventions?|patterns?|structure|guidelines?|architecture"
        r"|naming|formatting|standards?|guide|commits?|versioning)\b)",
    ),
    form(
        _TASK,
        "only",
        r"only\s(?:edit|touch|change|modify|write|work|create)\s[^?]{0,40}?\b(?:in|under|inside|within|to)\s"
        r"(?:\S*[/.]\w?|(?:the |our |this )?\w+ (?:folder|director(?:y|ies)|package|module)\b)",
    ),
    form(_TASK, "we", rf"we {TOUCH}\s[^?]{{2,60}}\bonly\W{{0,3}}$", polite=False),
    form(
        _TASK,
        _DOING,
        rf"{_WORK}\s[^?]{{2,80}}\b(?:(?:for|on|to|in) (?:every|each|all) {PART}"
        r"|(?:before|after) (?:committing|pushing|you (?:commit|push)))\b"
        rf"|(?:write|add) tests? for {_ALL}\b",
    ),
    form(
        _TASK,
        "write the all doc docs documentation readme changelog issues",
        rf"(?:write )?(?:the |all )?(?:docs?|documentation|readme|changelog|issues){_IN_TONGUE}",
    ),
    form(_TASK, "always", r"(?:please )?always\s\w{2,} tests?\b"),
    form(
        _TASK,
        "make ensure",
        r"(?:make sure|ensure)(?: that)?\s(?:all|every|each|any|no|none)\s(?:of the |the |our |new )?\w",
    ),
    form(
        _TASK,
        "every each all",
        rf"(?:every|each|all)\s(?:\w+ ){{0,2}}{_KINDS}\s(?:\w+ ){{0,2}}?"
        r"(?:needs?|must|should|has to|have to|gets?|requires?)\s",
    ),
    form(
        _TASK,
        "it this everything the all",
        r"(?:it|this|everything|the (?:code|app|api|tool|script|result|output)|all)\s(?:also |still )?"
        r"(?:has|have|needs?) to\s(?:\w+ )?"
        r"(?:work|run|build|compile|support|stay|remain|be compatible|be backwards?)\b",
        polite=False,
    ),
    form(
        _TASK,
        "i i' all",
        r"(?:i want |i(?:['’]d| would) like )?all\s(?:the )?(?:ui |user[- ]facing |visible )?"
        rf"(?:text|texts|strings|labels|messages|copy){_IN_TONGUE}",
        polite=False,
    ),
    form(
        _FACT,
        "our the we",
        r"(?:our |the )(?:unit |integration |e2e )?(?:tests?|build|lint(?:ing)?|start|dev|deploy(?:ment)?"
        r"|format(?:ting)?) (?:command|script|task) is\s(?!(?:failing|hanging|stuck|missing|wrong|slow|too|not)\b)\S"
        r"|we (?:deploy|host|ship|release)\s(?:\w+ )?(?:on|to|with|via|in) \S",
        polite=False,
    ),
    form(
        _TASK, "ne n'", r"(?:s['’]il te pla[iî]t,? )?n(?:e |['’])\w{3,14} (?:pas|jamais)\s.{4,}", polite=False
    ),
    form(
        _TASK,
        "die den das keine keinen keiner",
        r"(?:bitte )?\w{3,12}e?\s(?:bitte )?(?:die|den|das|keine[nr]?)\s.{2,40}\snicht(?: \w{2,4})?\W{0,3}$",
        polite=False,
    ),
    form(
        _TASK,
        "jede jeder jedes alle chaque cada",
        r"(?:jede[rs]?|alle|chaque|cada)\s.{2,40}\s(?:brauch(?:t|en)|bekomm(?:t|en)|a besoin|necesita|precisa)\s.{3,}",
    ),
    form(
        _TASK,
        "pas",
        r"pas d(?:e |['’])(?!probl|souci|chance|idée|changement|erreur|réponse|quoi)\w.{5,}",
        polite=False,
    ),
)
"""The forms in scripts with blanks between words."""

_TONGUES = r"(?:英文|中文|英[语語]|中[语語]|日文|德文|[简簡]体中文|繁[体體]中文)"
_CASES = r"(?:[驼駝]峰|下[划劃]|小写|小寫|大[写寫]|帕斯卡)"


def han_form(reach: Reach, signs: str, pattern: str) -> Form:
    """A form in a script without blanks; `signs`: letters without one of which it can't match."""
    return Form(reach, tuple(signs.split()), LazyPattern(pattern))


HAN_FORMS = (
    han_form(_STANDING, "以后", r"\W{0,3}以后(?!再).{1,24}(?:都|要|先|只|用|必)"),
    han_form(
        _STANDING,
        "用 写成 寫成 遵循",
        r".{0,8}(?:注[释釋解]|提交[信訊资資]息|提交[说說]明|[错錯][误誤][信訊]息|提示|文案|界面|介面|日[志誌]|回[复覆]|回答|[变變]量|[变變][数數]|函[数數]"
        r"|[类類]|文件|方法|字段)(?:名称|名稱|名|命名)?(?:都|一律|[统統]一|全部)?(?:要|[请請])?(?:用|使用|采用|採用|[写寫]成|遵循)\s?"
        rf"(?:{_TONGUES}|{_CASES})",
    ),
    han_form(
        _STANDING,
        "超过 超過 控制在 限制在",
        r".{0,10}(?:函数|方法|每行|单个文件|代码|提交).{0,10}(?:不要?超过|控制在|限制在)\s?\d+\s?(?:行|个?字符|列)",
    ),
    han_form(
        _STANDING,
        "前",
        r".{0,10}(?:前|之前)(?:要|请|必须|一定)?先?(?:问我|问一下我|跟我确认|和我确认|找我确认|征求我)",
    ),
    han_form(
        _STANDING,
        "喜欢 偏好 倾向",
        r"\W{0,3}我?更?(?:喜欢|偏好|倾向于?)(?:用|使用|写)\s?(?!第|这|那|上|下|方案|一)\S",
    ),
    han_form(_STANDING, "缩进 縮進", r".{0,8}用\s?\S{1,10}\s?[缩縮][进進]"),
    han_form(
        _TASK,
        "前",
        r".{0,10}(?:提交|推送|部署|合并|发布|上线|删除|修改|安装)[^,，。]{0,6}前(?:都|要|请|必须|一定)?(?:先|得|要)[^?？]{2,}",
    ),
    han_form(_TASK, "前に", r".{2,20}前に.{2,40}(?:てください|て下さい)[。.]?$"),
    han_form(_TASK, "こと", r".{4,60}(?<!でき)(?<!あ)[るうくすつぬぶむぐ]こと[。.!！]?$"),
    han_form(
        _TASK, "お願いします してください", r".{1,16}は.{1,16}[でに](?:お願いします|してください)[。.!！]?$"
    ),
    han_form(
        _STANDING, "空格", r".{0,12}(?:[使采採]?用)\s?(?:\d|两|四|二|兩)\s?[个個]?空格(?:[缩縮][进進])?"
    ),
    han_form(
        _STANDING,
        "简 簡 精 详 詳 清晰 短",
        r".{0,6}(?:回答|回复|回覆|解[释釋]|代[码碼]|程式[码碼]|函[数數]|注[释釋]|提交).{0,4}(?:尽量|盡量|要|[务務]必|保持|[请請])"
        r"(?:[简簡](?:短|[洁潔]|[单單])|精[简簡]|[详詳][细細]|清晰|短)",
    ),
    han_form(
        _STANDING,
        "日本語で 英語で 中国語で",
        r"(?:コメント|変数名|コミット(?:メッセージ)?|回答|返答|エラーメッセージ|ドキュメント|ログ).{0,6}(?:日本語|英語|中国語)で",
    ),
    han_form(
        _TASK, "只", r".{0,8}(?:只能|只许|只准|只允许|只改|只动|只修改)\s?\S{1,40}?\s?(?:目录|文件夹|下的|/)"
    ),
    han_form(
        _TASK, "文档 文檔", rf"文[档檔](?:都|一律|[统統]一|全部|[请請])?(?:用|使用|[写寫]成|要用){_TONGUES}"
    ),
    han_form(
        _TASK,
        "用 使用 支持 支援 兼容",
        r".{0,8}(?:[项項]目|[专專]案|[仓倉][库庫]|工程|前端|后端|後端|系[统統]|服[务務]|[这這][里裡])[里裡中]?"
        r"(?:只能|[统統]一|一律|必[须須]|只)(?:用|使用|支持|支援|兼容)\s?\S",
    ),
    han_form(
        _TASK, "确保 確保 保证 保證", r"[请請]?(?:[确確]保|保[证證])\s?(?:所有|每[个個次]|全部|任何)\s?\S"
    ),
    han_form(
        _TASK,
        "所有 每 全部 任何",
        r"(?:所有|每[个個一]|全部|任何)[^,，。？?]{1,16}?(?:都|均)?(?:要|必[须須]|需要|得|[应應][该該]?)(?!不要).{2,}",
    ),
    han_form(
        _TASK,
        "不要 别 別 勿 不得 禁止 不准 不许 不許",
        r".{1,12}?(?:[时時]|的[时時]候|[过過]程中|代[码碼][里裡中])[,，]?[请請]?(?:不要|别|別|勿|不得|禁止|不[准许許])\s?\S{2,}",
    ),
    han_form(
        _TASK,
        "不用 不需 無需 无需",
        r"[请請]?(?:不用|不需要|無需|无需)(?:写|寫|加|[测測][试試]|[添新]加|考[虑慮])\s?(?:[测測][试試]|注[释釋解]|文[档檔]|日[志誌]|兼容)",
    ),
    han_form(
        _FACT, "部署 托管 运行 運行", r".{0,10}(?:部署|托管|[运運]行)在\s?\S{2,20}(?:上|[里裡])\W{0,2}$"
    ),
    han_form(
        _FACT,
        "命令",
        r".{0,10}(?:[测測][试試]|[构構]建|[启啟][动動]|打包|部署|[编編][译譯])命令(?:是|[为為])\s?\S",
    ),
)
"""The forms in scripts without blanks; their leads are letters without one of which they can't match."""
