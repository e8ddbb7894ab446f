"""Slots: the questions a clause answers; and what it takes back.

A slot is a question with one answer at a time (which port, which database); a later one retires the earlier. Only
sayings that set an answer count, not mentions: "use MySQL", not "the MySQL dump".
"""

from __future__ import annotations

from functools import lru_cache

from memory.conversation import LazyPattern, holds
from memory.entries import Slot
from memory.extraction.technologies import technologies_in, technology_kind, technology_mentions

MOST_SLOTS = 6
"""Slots taken from one clause at most (chosen)."""

_TERM = r"[`'\"“]?([\w@./+#-]{2,40}(?: [A-Z0-9][\w.+#-]{0,30}){0,2})[`'\"”]?"
_INSTEAD = tuple(
    LazyPattern(pattern.replace("TERM", _TERM))
    for pattern in (
        (
            r"(?i:\b(?:use|using|with|want|prefer|go with|choose|(?:name|call) it) )TERM,? (?i:instead of"
            r"|rather than|in place of|over|not) (?:the |a )?TERM"
        ),
        r"()(?i:\b(?:replace|swap|substitute) )(?:the |our )?TERM (?i:with|by|for) TERM",
        r"()(?i:\b(?:switch|migrate|move|change)(?:ed|ing)? )(?:\w{1,20} ){0,2}(?i:from )TERM (?i:to) TERM",
        r"(?:使用|采用|改用|用)\s?TERM\s?(?:而不是|而非|代替|取代|替代|替换|，?不要用?|，?不用)\s?TERM",
        r"()(?:把|将)\s?TERM\s?(?:改为|改成|换成|换为|替换为|替换成)\s?TERM",
        r"()(?:不用|不要用?|别用|不再使用)\s?TERM\s?了?[，,。;； ]\s?(?:改用|换成|换|用|使用)\s?TERM",
    )
)
"""What is wanted now, then what it replaces; with an empty first group the other way round."""
_TAKEN_BACK = tuple(
    map(
        LazyPattern,
        (
            (
                r"\b(?:don['’]?t|do not|never|must not|should not|avoid) (?:use |using )(?:the |any )?"
                r"([\w.+#-]{2,30})(?=[\s,.;!]|$)(?! v?\d)"
            ),
            r"(?:不要|别|別|禁止|不能|不得)再?(?:使用|用)\s?([a-z][\w.+#-]{1,30})",
            (
                r"\b(?:forget|ignore|disregard|never\s?mind|scratch|drop)\s(?:(?:everything |all )?about\s)?"
                r"(?:what|everything|anything|all|the (?:thing|rule|part|bit))\s(?:(?:that\s)?i(?:['’]ve)?\s(?:just\s)?"
                r"(?:said|told you|mentioned|wrote|asked)(?:\s(?:earlier|before))?\s)?(?:about|regarding|on|with)\s"
                r"([^.,;!?\n]{2,60})"
            ),
            (
                r"\b(?:forget|never\s?mind|disregard)\s(?:about\s)?(?:the\s|my\s|our\s)?(?!to\b|it\b|that\b"
                r"|this\b|what\b|everything\b|about it\b)([^.,;!?\n]{2,50})"
            ),
            (
                r"\b(?:no longer|not)\s(?:use|using|need|want)\s(?:the\s|a\s|any\s)?([^.,;!?\n]{2,40}?)"
                r"(?:\s(?:any\s?more|any longer|at all))?(?=[.,;!]|$)"
            ),
            (
                r"\b(?:(?:you|we) )?(?:don['’]?t|do not|no longer) (?:have|need) to ([^\s.,;!?]{2,20}"
                r" [^.,;!?\n]{2,50}?)(?:\s(?:any\s?more|any longer|now|from now on))*(?=[.,;!]|$)"
            ),
            r"\bno (?:more )?need to ([^\s.,;!?]{2,20} [^.,;!?\n]{2,50}?)(?:\sany\s?more| now)*(?=[.,;!]|$)",
            r"\b([\w.+#-]{2,30}) (?:is|are) out(?=[\s,.;!]|$)(?! of\b)",
            r"\b(?:dropped|dropping|scrap|scrapped|ditch|ditched) (?:the )?([\w.+#-]{2,30})(?=[\s,.;!]|$)",
            (
                r"([\w.+#-]{2,30}|[\u4e00-\u9fff]{2,8})\s?(?:[这那][条條个個步]|的)?(?:规矩|规则|限制|要求)?\s?就?可?以?"
                r"(?:免了|作废|取消|省了|丢掉|废掉?了|去掉)(?=[吧了啦，。；！\n]|$)"
            ),
            r"\bstop (?:using|doing)\s(?:the\s)?([^.,;!?\n]{2,40})",
            (
                r"\b(?:don['’]?t|do not)\s(?:use|need|want)\s(?:the\s)?([^.,;!?\n]{2,40}?)\s"
                r"(?:any\s?more|any longer|now)\b"
            ),
            (
                r"(?:不用|不要|不使用|不需要|不再(?:使用|需要|用)|别再?用|别用|停用|弃用)\s?"
                r"([^，。；！？\s了]{1,24}(?:\s[a-z][\w.]{0,20})?)\s?了"
            ),
            r"不再(?:使用|需要|用)\s?([\w.+#-]{2,30})",
            (
                r"(?:忘掉|忘记|忽略|无视)(?:之前|刚才|我)?(?:说的|提的|讲的)?(?:关于)?\s?([^，。；！？\n]{1,24}?)"
                r"(?:的(?:事|要求|规则|话|说法))?(?=[，。；！\n]|$)"
            ),
            r"(?:之前|刚才|前面)(?:说的|提到的|要求的)\s?([^，。；！？\n]{1,24}?)\s?(?:作废|取消|不算|不要了|收回)",
            r"([\w.+#-]{2,30}|[\u4e00-\u9fff]{2,10})\s?(?:不用了|不要了|不需要了|取消了?)(?=[，。；！\n]|$)",
            r"([\w.+#-]{2,30})\s?(?:はもう使わない|は使わないことに|は不要)",
            r"\b(?:забудь|больше не (?:используй|нужен|нужна|нужно))\s(?:про\s|о\s)?([^.,;!?\n]{2,40})",
            (
                r"\b(?:olvida|ya no (?:uses|usamos|necesitamos)|esqueça|não (?:use|usamos) mais)\s(?:lo de\s|o\s"
                r"|el\s|la\s)?([^.,;!?\n]{2,40})"
            ),
        ),
    )
)
"""In lower case."""
_LIFTED = LazyPattern(
    r"\b(?:(?:you|we)(?: (?:may|can)|['’]re allowed to| are allowed to)|it['’]?s (?:ok(?:ay)?|fine|allowed|alright)"
    r" (?:now |again )?to|feel free to|go ahead and) (?:now )?([^\s.,;!?]{2,20} [^.,;!?\n]{2,50}?)"
    r"(?:\s(?:now|again|after all|from now on|if you \w.{0,30}))*(?=[.,;!]|$)"
    r"|\bjust ([^\s.,;!?]{2,20}(?: [^.,;!?\n]{2,50}?)?) (?:whenever|any ?time)\b|\buse ([\w.+#-]{2,30}) after all\b"
    r"|^\W{0,3}([^.,;!?\n]{3,40}) (?:is|are) (?:ok(?:ay)?|fine|allowed|permitted) (?:now|again|after all)\b"
    r"|(?:(?:还是|還是)用(?=.{1,30}吧)|可以用(?=.{1,30}了))\s?([a-z][\w.+#-]{1,29})"
    r"|可以(?:再|重新)?([^，。！？的]{2,20}?)\s?了|允[许許]([^，。！？\s的]{2,16})"
)  # what was forbidden and may be done now
_CHANGING = LazyPattern(
    r"\b(?:instead|rather|in place|over|not|replace|swap|substitute|switch|migrate|move|change|don['’]?t|never|avoid"
    r"|forget|ignore|disregard|scratch|drop\w{0,4}|scrap\w{0,3}|ditch\w{0,2}|out|just|no longer|stop|again|now"
    r"|after all|you|we|it|feel|need|fine|ok|забудь|больше|olvida|ya no|esqueça|não)"
    r"|[还還可不别別而代取替把将禁停弃忘忽无之刚前允は]"
)
"""Without one of these, in lower case, a clause changes nothing."""
_TRAILING = LazyPattern(r"(?i)\s(?:any\s?more|anymore|now|please|again|for now|and .{1,60})$")


def retracted_in(text: str) -> tuple[str, ...]:
    """Return what a clause takes back or replaces, as terms in lower case; empty for most."""
    return _changes_in(text)[1]


def replacements_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of what is wanted now and the plain term it replaces."""
    return _changes_in(text)[0]


@lru_cache(maxsize=64)
def _changes_in(text: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    low = text.lower()
    if not _CHANGING.search(low):
        return (), ()
    replaced = []
    for match in filter(None, (pattern.search(text) for pattern in _INSTEAD)):
        new, old = [group for group in match.groups() if group]
        if match[1] == "":
            new, old = old, new
        if new.casefold() != old.casefold() and not old.isdigit():
            replaced.append((new, _plain_term(old)))
    matches = filter(None, (pattern.search(low) for pattern in _TAKEN_BACK))
    lifted = (f"not {_plain_term(m[m.lastindex or 0])}" for m in _LIFTED.finditer(low))
    terms = dict.fromkeys((*(_plain_term(m[1]) for m in matches), *(old for _, old in replaced), *lifted))
    terms.pop("", None)
    return tuple(replaced), tuple(terms)


def _plain_term(term: str) -> str:
    return _plain(_TRAILING.sub("", term.strip()))


def _plain(value: str) -> str:
    return " ".join(value.casefold().strip(" `'\"“”.,;:").split())


_KINDS = {
    "frontend": "frontend framework",
    "backend": "backend framework",
    **{kind: kind for kind in ("database", "package manager", "test tool", "linter", "model", "cloud")},
}
_SETTING = LazyPattern(
    r"\b(?:use|using|uses|used|switch(?:ed|ing)? (?:to|from)|(?:switch|change|move|set) (?:the|our) \w{1,12} to"
    r"|go with|stick (?:to|with)|migrat\w{1,4} (?:to|from)|mov\w{1,3} (?:to|from)|adopt|choose|chose|prefer|run on"
    r"|built (?:with|on)|instead|set to|change to|defaults? to|replac\w{1,3} \S{1,40} (?:with|by)|usa(?:r|mos)?"
    r"|utiliza\w{0,3}|verwend\w{1,4}|nutz\w{1,3}|utilise\w{0,3}|использу\w{1,5}|(?:database|db|framework"
    r"|package manager|model|back-?end|front-?end|linter|test runner|stack) (?:is|are|should be|must be|will be))\b"
    r"|(?:database|db|model|framework)\s?[:=]|使用|采用|採用|改用|换成|換成|换用|选用|用|改为|改成|设为|を使|にします"
    r"|に変更|(?:数据库|模型|框架|[前后後]端|包管理器)[是为：:]|(?:データベース|(?:バック|フロント)エンド|フレームワーク)は"
)
_BEFORE_NEGATION = LazyPattern(
    r"(?i)(?:(?:\b(?:not|no|never|without|avoid|drop|remove|stop|no longer|не|sin|sem|nicht|kein\w{0,2}|pas(?: de)?)"
    r"|n['’]?t)(?: (?:use|using|go with|switch to|need|want))?|\b(?:instead of|rather than|over|from|replace|no uses)"
    r"|(?:不要|不|别|別|禁止|不再|弃)再?(?:使用|用)?|而不是|而非|代替|取代|从|去掉|删除)\s?(?:the |a |any |our |of )?$"
)
_AFTER_NEGATION = LazyPattern(r"^\s?(?:不用了|不要了|はもう使わない|は使わない|を使わない|をやめ)")
LANGUAGES = {
    name: LazyPattern(rf"(?<![\w-])(?<!plain )(?:{words})(?!\w)|(?<!plain )(?:{words})(?=[\u3040-\u9fff]|$)")
    for name, words in {
        "chinese": r"chinese|中文|汉语|漢語|简体中文|繁體中文|中国語|китайск\w{1,3}|chino|chinês|chinesisch|chinois",
        "english": r"english|英文|英语|英語|английск\w{1,3}|по-английски|inglés|inglês|englisch|anglais|anglicky",
        "japanese": r"japanese|日文|日语|日本語|японск\w{1,3}|japonés|japonês|japanisch|japonais",
        "russian": r"russian|俄文|俄语|русск\w{1,3}|по-русски|ruso|russo|russisch|russe",
        "spanish": r"spanish|西班牙语|испанск\w{1,3}|español|espanhol|spanisch|espagnol",
        "portuguese": r"portuguese|葡萄牙语|português|portugués|portugiesisch|portugais",
        "german": r"german|德语|немецк\w{1,3}|alemán|alemão|deutsch|allemand",
        "french": r"french|法语|французск\w{1,3}|francés|francês|französisch|français",
        "korean": r"korean|韩语|韓国語|корейск\w{1,3}|coreano|koreanisch|coréen",
    }.items()
}
_SPEAKING = LazyPattern(
    r"\b(?:answer|reply|respond|speak|talk|write (?:to me|back)|communicate|chat|explain|responses?|answers|replies"
    r"|conversation|язык\w{0,2}|отвечай\w{0,2}|говори\w{0,2}|работа\w{1,5}|пиши\w{0,2}|respond[ea]\w{0,2}|habla\w{0,2}"
    r"|contesta|fale|antworte|sprich|réponds|parle)\b|回答|回复|回覆|交流|对话|說|说|沟通|输出|返答|答えて|話して"
)
_BRANCHES = "main|master|dev|develop|development|staging|trunk|release"
_STATED = {
    slot: LazyPattern(pattern)
    for slot, pattern in {
        "indentation": (
            r"\b(?:use|prefer|indent with|indentation:?) (?:(\d|two|four|eight)[- ]spaces?|(tabs|spaces))"
            r"(?: for indent\w{0,5}| to indent)?(?:,? not [\w -]{3,20})?\W{0,3}$"
            r"|用\s?(?:(\d|两|二|四)\s?[个個]?空格|(tab|制表符))\s?(?:[缩縮][进進])?\W{0,3}$"
        ),
        "port": (
            r"\b(?:ports?|порт\w{0,2}|puerto|porta|ポート)\b[^\d\n]{0,30}?(?:\d{2,5}[^\d\n]{1,12}(?:to|→|->|改为"
            r"|改成)\s?)?(\d{2,5})\b|端口(?:号)?[^\d\n]{0,14}?(?:\d{2,5}[^\d\n]{1,8}(?:改为|改成|换成|变成"
            r"|到)\s?)?(\d{2,5})|(?<!么)(?:[在用到走开開]|[监監][听聽])\s?(\d{2,5})\s?[号號]?端口[。.!！]?$"
            r"|ポート(?:番号)?[^\d\n]{0,10}?(\d{2,5})|\b(\d{2,5}) (?:as|for) the port\b|\b(?:runs?|running"
            r"|serve\w{0,3}|listen\w{0,3}|start\w{0,3}) (?:it )?(?:up )?(?:on|at) (?:http://)?(?:localhost"
            r"|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})"
        ),
        "branch": (
            r"\b(?:use|on|checkout|to|create) (?:the |a )?(?:new )?branch [`'\"]?([\w-]{1,40}/[\w./-]{1,40})"
            r"|\bbranch(?:es)?(?: name)?\s?(?:is|to|=|:|named|called|should be|must be)\s?[`'\"]?([\w./-]{2,60})"
            rf"|\b(?:use|using|on|to|from|and|checkout|check out) (?:the )?branch [`'\"]?({_BRANCHES})\b"
            r"|\b(?:on|to|from|into|use|off) (?:the |a )?[`'\"]?([\w./-]{2,60})[`'\"]? branch\b"
            r"|\b(?:push|commit|merge)\w{0,3} (?:\w{1,12} ){0,3}(?:to|into) (?:the )?"
            rf"[`'\"]?({_BRANCHES})\b|分支名?(?:用|是|为|叫|改为|改成|：|:)\s?([\w./-]{{2,60}})"
        ),
        "test command": (
            r"\b(?:run|execute) (?:the |all |unit )?tests? (?:with|using|via|by running) [`'\"]?([\w./@: -]{2,60}?)[`'"
            r"\"]?(?=[.,;]| and |$)|\btest command (?:is|=|:|should be) ?[`'\"]?([\w./@: -]{2,60}?)[`'\"]?(?=[.,;]|$)"
            r"|\buse [`'\"]([^`'\"\n]{2,60})[`'\"] (?:to run|for running|for) (?:the )?tests?\b|测试(?:命令)?(?:用"
            r"|使用|是|改为|：|:)\s?[`'\"]?([\w./@: -]{2,60})"
        ),
    }.items()
}
_LOOK = LazyPattern(
    r"\b(?P<what>theme|colou?r scheme|font|primary colou?r|accent colou?r|background(?: colou?r)?|time ?zone"
    r"|licen[cs]e|indent\w{0,5}|line length|log level|timeout)\s(?:is|to|=|:|should be|must be|of)\s?[`'\"]?(?P<to>[\w#"
    r".%/+ -]{1,30}?)[`'\"]?(?=[.,;。，]|$| for | in | and )|(?P<zh>主题|颜色|字体|背景色?|样式|超时(?:时间)?|时区"
    r"|日志级别)(?:是|为|改为|改成|设为|设置为|换成|用|：|:)\s?(?P<zhto>[\w#.%]{1,16})"
)
_NAMED = LazyPattern(
    r"\b(?:the|this|our|my) (?P<what>project|app|application|product|package|repo|repository|service|bot|game|site"
    r"|company|team) (?:is|name is|will be|should be|is now)?\s?(?:called|named|name:?)?\s?(?:is )?[`'\"]?(?P<to>[a-z]["
    r"\w.-]{1,40})[`'\"]?(?=[.,;。]|$)|\b(?:call|name|rename) (?:it|the (?P<what2>project|app|product|package|repo"
    r"|service)) (?:to |as )?[`'\"]?(?P<to2>[a-z][\w.-]{1,40})|(?P<zh>项目|应用|产品|仓库|服务)(?:名|名称"
    r"|名字)?(?:叫做?|改名为|命名为|名为)\s?(?P<zhto>[\w.-]{1,30})"
)
_NEEDED = {
    name: tuple(signs.split("|"))
    for name, signs in {
        "indentation": "tab|space|空格|制表符",
        "port": "port|порт|puerto|porta|ポート|端口|localhost:|127.0.0.1:|0.0.0.0:",
        "branch": "branch|push|commit|merge|分支",
        "test command": "test|测试",
        "look": (
            "theme|scheme|font|colo|background|time|licen|indent|line length|log level|主题|颜色|字体|背景|样式|超时"
            "|时区|日志级别"
        ),
        "named": (
            "project|app|product|package|repo|service|bot|game|site|company|team|call |name |项目|应用|产品|仓库|服务"
        ),
    }.items()
}
"""Letters, in lower case, without one of which there is no such answer."""
_VARIABLE = LazyPattern(
    r"\b([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})\s?(?:=|:|\bto\b|改为|设为)\s?[\"'`]?([^\s\"'`,，。]{1,80})"
)
_VERSION = LazyPattern(r"(?i) (?:version |v)?(\d{1,4}(?:\.\d{1,4}){0,2})\W{0,3}$")
_SAME = dict(
    pair.split(":")
    for pair in (
        "主题:theme|颜色:color|字体:font|背景:background|背景色:background|样式:style|超时:timeout|超时时间:timeout"
        "|时区:timezone|日志级别:log level|项目:project|应用:app|application:app|产品:product|仓库:repo"
        "|repository:repo|服务:service"
    ).split("|")
)


@lru_cache(maxsize=64)
def slots_in(text: str, *, technical: bool = True) -> tuple[Slot, ...]:
    """Return the questions a clause answers, each name once, in order; not `technical`: it names no technology."""
    found: dict[str, Slot] = {}
    for name, answer in _answers(text, technical=technical):
        if value := _plain(answer):
            found.setdefault(name, Slot(name, value))
    return tuple(found.values())[:MOST_SLOTS]


def _answers(text: str, *, technical: bool) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    low = text.lower()
    if _SPEAKING.search(low):
        spoken = [name for name, pattern in LANGUAGES.items() if pattern.search(low)]
        if len(spoken) == 1:
            found.append(("answer language", spoken[0]))
    if technical and _SETTING.search(low):
        found.extend(_technologies(text))
    told = {name for name, signs in _NEEDED.items() if holds(low, signs)}
    for slot, pattern in _STATED.items():
        answers = {m[m.lastindex or 0] for m in pattern.finditer(low)} if slot in told else ()
        if len(answers) == 1:
            found.append((slot, answers.pop()))
    if "look" in told and (look := _LOOK.search(low)):
        what = (look["what"] or look["zh"]).replace("time zone", "timezone")
        found.append((_SAME.get(what, what), look["to"] or look["zhto"]))
    if "named" in told and (named := _NAMED.search(low)):
        what = named["what"] or named["what2"] or named["zh"] or "project"
        found.append((f"name of {_SAME.get(what, what)}", named["to"] or named["to2"] or named["zhto"]))
    found.extend((f"setting:{m[1].lower()}", m[2]) for m in _VARIABLE.finditer(text))
    for new, old in replacements_in(text):
        if technology_kind(old) not in _KINDS:
            found.append((f"replaces:{old}", new))
    return found


def _technologies(text: str) -> list[tuple[str, str]]:
    """The slots that technologies answer, without those that are named to be left out."""
    found: list[tuple[str, str]] = []
    old = {name for _, replaced in replacements_in(text) for name in technologies_in(replaced)}
    for mention in technology_mentions(text):
        slot = _KINDS.get(technology_kind(mention.name) or "")
        before, after = text[max(0, mention.start - 24) : mention.start], text[mention.end : mention.end + 12]
        denied = _BEFORE_NEGATION.search(before) or _AFTER_NEGATION.match(after)
        if slot and not denied and mention.name not in old:
            found.append((slot, text[mention.start : mention.end] if slot == "model" else mention.name))
        if not denied and (version := _VERSION.match(text, mention.end)):
            found.append((f"version of {mention.name}", version[1]))
    return found
