"""Slots: the questions a clause answers.

A slot is a question with one answer at a time (which port, which database, which language to answer in); the
later answer retires the earlier one. Only sayings that set an answer count, not mentions: "use MySQL", not "the
MySQL dump".
"""

from __future__ import annotations

from functools import lru_cache

from memory.conversation import LazyPattern
from memory.entries import Slot
from memory.extraction.slots.retractions import replacements_in, retracted_in
from memory.extraction.technologies import technologies_in, technology_kind, technology_mentions

__all__ = ["retracted_in", "slots_in"]

MOST_SLOTS = 6
"""Slots taken from one clause at most (chosen)."""

_KINDS = {
    "database": "database",
    "package manager": "package manager",
    "frontend": "frontend framework",
    "backend": "backend framework",
    "test tool": "test tool",
    "linter": "linter",
    "model": "model",
    "cloud": "cloud",
}
"""Kinds of technology that a project has one of, and the slot they answer."""

_SETTING = LazyPattern(
    r"\b(?:use|using|uses|used|switch(?:ed|ing)? (?:to|from)|(?:switch|change|move|set) (?:the|our) \w{1,12} to"
    r"|go with|stick (?:to|with)"
    r"|migrat\w{1,4} (?:to|from)"
    r"|mov\w{1,3} (?:to|from)|adopt|choose|chose|prefer|run on|built (?:with|on)|instead|set to|change to"
    r"|default(?:s)? to"
    r"|replac\w{1,3} \S{1,40} (?:with|by)|usa(?:r|mos)?|utiliza\w{0,3}|verwend\w{1,4}|nutz\w{1,3}|utilise\w{0,3}"
    r"|использу\w{1,5}|(?:database|db|framework|package manager|model|back-?end|front-?end|linter"
    r"|test runner|stack)"
    r" (?:is|are|should be|must be|will be))\b"
)
_SET = LazyPattern(
    r"database\s?[:=]|db\s?[:=]|model\s?[:=]|framework\s?[:=]|使用|采用|採用|改用|换成|換成|换用|选用|用|改为|改成"
    r"|设为|を使|にします|に変更|数据库[是为：:]|模型[是为：:]|框架[是为：:]|包管理器[是为：:]"
)
"""What goes with `_SETTING`, apart because a pattern whose every branch begins with a letter is found faster."""
_BEFORE_NEGATION = LazyPattern(
    r"(?i)(?:(?:\b(?:not|no|never|without|avoid|drop|remove|stop"
    r"|no longer|не|sin|sem|nicht|kein\w{0,2}|pas(?: de)?)|n['’]?t)"
    r"(?: (?:use|using|go with|switch to|need|want))?|\b(?:instead of|rather than|over|from|replace|no uses)"
    r"|(?:不要|不|别|別|禁止|不再|弃)(?:再)?(?:使用|用)?|而不是|而非|代替|取代|从|去掉"
    r"|删除)\s?(?:the |a |any |our |of )?$"
)
_AFTER_NEGATION = LazyPattern(r"^\s?(?:不用了|不要了|はもう使わない|は使わない|を使わない|をやめ)")
_PORT = LazyPattern(
    r"(?i)\b(?:port|ports|порт\w{0,2}|puerto|porta|ポート)\b[^\d\n]{0,30}?(?:\d{2,5}[^\d\n]{1,12}(?:to|→|->|改为"
    r"|改成)\s?)?(?P<a>\d{2,5})\b"
    r"|端口(?:号)?[^\d\n]{0,14}?(?:\d{2,5}[^\d\n]{1,8}(?:改为|改成|换成|变成|到)\s?)?(?P<b>\d{2,5})"
    r"|ポート(?:番号)?[^\d\n]{0,10}?(?P<e>\d{2,5})"
    r"|\b(?P<c>\d{2,5}) (?:as|for) the port\b|\b(?:runs?|running|serve\w{0,3}|listen\w{0,3}"
    r"|start\w{0,3}) (?:it )?(?:up )?(?:on|at) "
    r"(?:http://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(?P<d>\d{2,5})"
)
_LANGUAGES = {
    "chinese": "chinese|中文|汉语|漢語|简体中文|繁體中文|中国語|китайск\\w{1,3}|chino|chinês|chinesisch|chinois",
    "english": "english|英文|英语|英語|английск\\w{1,3}|по-английски|inglés|inglês|englisch|anglais|anglicky",
    "japanese": "japanese|日文|日语|日本語|японск\\w{1,3}|japonés|japonês|japanisch|japonais",
    "russian": "russian|俄文|俄语|русск\\w{1,3}|по-русски|ruso|russo|russisch|russe",
    "spanish": "spanish|西班牙语|испанск\\w{1,3}|español|espanhol|spanisch|espagnol",
    "portuguese": "portuguese|葡萄牙语|português|portugués|portugiesisch|portugais",
    "german": "german|德语|немецк\\w{1,3}|alemán|alemão|deutsch|allemand",
    "french": "french|法语|французск\\w{1,3}|francés|francês|französisch|français",
    "korean": "korean|韩语|韓国語|корейск\\w{1,3}|coreano|koreanisch|coréen",
}
_SPEAKING = LazyPattern(
    r"(?i)\b(?:answer|reply|respond|speak|talk|write (?:to me|back)|communicate|chat|explain|responses?"
    r"|answers|replies|conversation|язык\w{0,2}|отвечай\w{0,2}|говори\w{0,2}"
    r"|работа\w{1,5}|пиши\w{0,2}|respond[ea]\w{0,2}|habla\w{0,2}|contesta|fale|antworte|sprich|réponds|parle)\b"
    r"|回答|回复|回覆|交流|对话|說|说|沟通|输出|返答|答えて|話して|回答して"
)
_LANGUAGE = tuple(
    (
        name,
        LazyPattern(rf"(?<![\w-])(?<!plain )(?i:{words})(?!\w)|(?<!plain )(?i:{words})(?=[\u3040-\u9fff]|$)"),
    )
    for name, words in _LANGUAGES.items()
)
_BRANCH = LazyPattern(
    r"(?i)\b(?:use|on|checkout|to|create) (?:the |a )?(?:new )?branch [`'\"]?(?P<e>[\w-]{1,40}/[\w./-]{1,40})"
    r"|\bbranch(?:es)?(?: name)?\s?(?:is|to|=|:|named|called|should be|must be)\s?[`'\"]?(?P<a>[\w./-]{2,60})"
    r"|\b(?:use|using|on|to|from|and|checkout|check out) (?:the )?branch [`'\"]?(?P<f>main|master|dev|develop"
    r"|development|staging|trunk|release)\b"
    r"|\b(?:on|to|from|into|use|off) (?:the |a )?[`'\"]?(?P<b>[\w./-]{2,60})[`'\"]? branch\b"
    r"|\b(?:push|commit|merge)\w{0,3} (?:\w{1,12} ){0,3}(?:to|into) (?:the )?[`'\"]?(?P<c>main|master|dev"
    r"|develop|development|staging|trunk|release)\b"
    r"|分支(?:名)?(?:用|是|为|叫|改为|改成|：|:)\s?(?P<d>[\w./-]{2,60})"
)
_TESTING = LazyPattern(
    r"(?i)\b(?:run|execute) (?:the |all |unit )?tests? (?:with|using|via"
    r"|by running) [`'\"]?(?P<a>[\w./@: -]{2,60}?)[`'\"]?(?=[.,;]| and |$)"
    r"|\btest command (?:is|=|:|should be) ?[`'\"]?(?P<b>[\w./@: -]{2,60}?)[`'\"]?(?=[.,;]|$)"
    r"|\buse [`'\"](?P<c>[^`'\"\n]{2,60})[`'\"] (?:to run|for running|for) (?:the )?tests?\b|测试(?:命令)?(?:用"
    r"|使用|是|改为|：|:)\s?[`'\"]?(?P<d>[\w./@: -]{2,60})"
)
_LOOK = LazyPattern(
    r"(?i)\b(?P<what>theme|colou?r scheme|font|primary colou?r|accent colou?r|background(?: colou?r)?"
    r"|time ?zone|licen[cs]e|indent\w{0,5}|line length|log level|timeout)"
    r"\s(?:is|to|=|:|should be|must be|of)\s?[`'\"]?(?P<to>[\w#.%/+ -]{1,30}?)[`'\"]?(?=[.,;。，]|$| for | in | and )"
    r"|(?P<zh>主题|颜色|字体|背景色?|样式|超时(?:时间)?|时区|日志级别)(?:是|为|改为|改成|设为|设置为|换成|用|："
    r"|:)\s?(?P<zhto>[\w#.%]{1,16})"
)
_NAMED = LazyPattern(
    r"(?i)\b(?:the|this|our|my) (?P<what>project|app|application|product|package|repo|repository|service|bot"
    r"|game|site|company|team) (?:is|name is|will be|should be|is now)?\s?"
    r"(?:called|named|name:?)?\s?(?:is )?[`'\"]?(?P<to>[A-Z][\w.-]{1,40})[`'\"]?(?=[.,;。]|$)"
    r"|\b(?:call|name|rename) (?:it|the (?P<what2>project|app|product|package|repo|service)) (?:to "
    r"|as )?[`'\"]?(?P<to2>[A-Za-z][\w.-]{1,40})"
    r"|(?P<zh>项目|应用|产品|仓库|服务)(?:名|名称|名字)?(?:叫做?|改名为|命名为"
    r"|名为)\s?(?P<zhto>[\w.-]{1,30})"
)
_STATED = (("port", _PORT), ("branch", _BRANCH), ("test command", _TESTING))
"""Slots by the pattern of their answers."""
_VARIABLE = LazyPattern(
    r"\b([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})\s?(?:=|:|\bto\b|改为|设为)\s?[\"'`]?([^\s\"'`,，。]{1,80})"
)


@lru_cache(maxsize=64)
def slots_in(text: str, *, technical: bool = True) -> tuple[Slot, ...]:
    """Return the questions a clause answers, each name once, in order of appearance; linear in the clause.

    Args:
        text: the clause.
        technical: False when the clause is known to name no technology.
    """
    answers = _answers(text, technical=technical)
    if not answers:
        return ()
    found: dict[str, Slot] = {}
    for name, answer in answers:
        value = " ".join(answer.casefold().strip(" `'\"“”.,;:").split())
        if value and name not in found:
            found[name] = Slot(name, value)
    return tuple(found.values())[:MOST_SLOTS]


def _answers(text: str, *, technical: bool) -> list[tuple[str, str]]:
    low = text.lower()
    found: list[tuple[str, str]] = []
    if _SPEAKING.search(text):
        spoken = [name for name, pattern in _LANGUAGE if pattern.search(text)]
        if len(spoken) == 1:
            found.append(("answer language", spoken[0]))
    if technical and (_SET.search(low) or _SETTING.search(low)):
        found.extend(_technologies(text))
    for slot, pattern in _STATED:
        answers = {m[m.lastgroup or 0] for m in pattern.finditer(text)}
        if len(answers) == 1:
            found.append((slot, answers.pop()))
    if look := _LOOK.search(text):
        what = look["what"] or look["zh"]
        found.append((_SAME.get(what, what.lower()), look["to"] or look["zhto"]))
    if named := _NAMED.search(text):
        what = named["what"] or named["what2"] or _SAME.get(named["zh"] or "", "project")
        found.append((f"name of {what.lower()}", named["to"] or named["to2"] or named["zhto"]))
    found.extend((f"setting:{m[1].lower()}", m[2]) for m in _VARIABLE.finditer(text))
    for new, old in replacements_in(text):
        if technology_kind(old) not in _KINDS:
            found.append((f"replaces:{old}", new))
    return found


_SAME = {
    "主题": "theme",
    "颜色": "color",
    "字体": "font",
    "背景": "background",
    "背景色": "background",
    "样式": "style",
    "超时": "timeout",
    "超时时间": "timeout",
    "时区": "timezone",
    "time zone": "timezone",
    "日志级别": "log level",
    "项目": "project",
    "应用": "app",
    "产品": "product",
    "仓库": "repo",
    "服务": "service",
    "repository": "repo",
    "application": "app",
}


def _technologies(text: str) -> list[tuple[str, str]]:
    """The slots that technologies answer, without those that are named to be left out."""
    found: list[tuple[str, str]] = []
    old = {name for _, replaced in replacements_in(text) for name in technologies_in(replaced)}
    for mention in technology_mentions(text):
        slot = _KINDS.get(technology_kind(mention.name) or "")
        if slot is None or mention.name in old:
            continue
        if _BEFORE_NEGATION.search(text[max(0, mention.start - 24) : mention.start]):
            continue
        if _AFTER_NEGATION.match(text[mention.end : mention.end + 12]):
            continue
        found.append((slot, text[mention.start : mention.end] if slot == "model" else mention.name))
    return found
