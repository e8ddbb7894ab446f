"""What makes a message important: signals as a data table, each with its weight, its reason and what it reads.

Two presets. `MEASURED`, the default, has weights justified by what messages of real sessions were needed for later.
`SEED` has those that the documents of the Roo-Code memory system give (`message-importance.ts`): a person's message
+20; the first message +30, one of the last three +25, one of the first five +10; command words +15; technical words
+5 each, up to 20; errors +10; a code block +10; a short command of a person +15 below 20 tokens, +10 below 100; over
5,000 tokens -10; a summary +25; a bare acknowledgement -10. Where the documents are silent: positions are taken in the
order given, the first that holds; command words count in what a person typed; a bare acknowledgement is no command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memory.extraction import technologies_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory.conversation import Message


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read once for all signals.

    Attributes:
        message: the message.
        index, total: its place in the conversation, both None where that is not known.
        typed: what a person typed in it, "" where nobody did.
        excerpt: the beginning and end of all its text; signals read no more than that.
        is_user: a person typed it (a tool result in the user role is none).
        is_summary: a compaction summary, an agent's or ours.
        tokens: of the whole message.
        typed_tokens: of what was typed.
    """

    message: Message
    index: int | None
    total: int | None
    typed: str
    excerpt: str
    is_user: bool
    is_summary: bool
    tokens: int
    typed_tokens: int


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that makes a message more or less important.

    Attributes:
        name: stable, to switch it off by.
        weight: points for each time it counts.
        reason: what is said about it; `{}` stands for what `found` returns.
        found: reading -> what it found, one item for each time it counts; empty where it does not hold.
    """

    name: str
    weight: int
    reason: str
    found: Callable[[Reading], tuple[str, ...]]


MOST_TECHNICAL: Final = 4
"""Technical words that count (documented: +5 each, up to 20)."""
TECHNICAL_HEAD: Final = 2_000
"""Characters read for technical words (chosen: four are found by then where there are any)."""
SHORT, BRIEF, LONG = 20, 100, 5_000
"""Tokens: below 20 a short command, below 100 a brief one, over 5,000 a long message (documented)."""

# --- words ---

COMMAND_WORDS: Final = re.compile(
    r"\b(?:must|shall|should|always|never|don'?t|do not|need to|needs to|have to|has to|make sure|ensure"
    r"|please|use|using"
    r"|change|switch|replace|rename|move|add|remove|delete|drop|fix|implement|create|build|write|update|refactor|run"
    r"|stop|keep|set|install|only|instead|avoid|remember|require[ds]?|important|critical|note)\b"
    r"|必须|一定|务必|记住|注意|重要|关键|不要|不能|不许|禁止|只能|别再|请|使用|采用|改为|改成|换成|设为"
    r"|设置|修改|修复|添加|增加|新增|加上|删除|去掉"
    r"|移除|实现|创建|生成|编写|重构|运行|停止|保持|确保|需要|应该|以后|每次|してください|必ず|しないで|ないこと",
    re.ASCII | re.IGNORECASE,
)
"""Words people give commands with, English and Chinese (some Japanese); the documents name the idea, not the list."""

MEMORY_WORDS: Final = re.compile(
    r"\b(?:must|need to|require[ds]?|important|critical|remember|note|always|never|from now on|make sure"
    r"|don'?t forget)\b"
    r"|必须|一定要|务必|记住|注意|重要|关键|以后|永远|不要|禁止|切记|必ず|覚えて",
    re.ASCII | re.IGNORECASE,
)
"""The documented cues of instructions, and their nearest relatives."""

DECISION_WORDS: Final = re.compile(
    r"\b(?:use|using|adopt|choose|go with|switch to|migrate to|instead of|prefer)\b|使用|采用|选用|换成|改用|用的是",
    re.ASCII | re.IGNORECASE,
)
SETTING_WORDS: Final = re.compile(
    r"\b(?:port|theme|color|style|config(?:ure|uration)?|setting|env(?:ironment)? var\w*|url|endpoint"
    r"|version|path|change \S.{0,60} to)\b"
    r"|localhost:\d|端口|主题|颜色|样式|配置|设置为?|改为|改成|环境变量|版本|路径|地址",
    re.ASCII | re.IGNORECASE,
)
ERROR_WORDS: Final = re.compile(
    r"\b(?:errors?|bugs?|fail(?:s|ed|ing|ures?)?|exceptions?|traceback|crash(?:es|ed)?|broken|panic(?:ked)?"
    r"|fatal|undefined"
    r"|not working|doesn'?t work|segfault)\b|(?-i:[a-z\d](?:Error|Exception)s?)\b|_(?:error|exception)s?\b"
    r"|错误|报错|问题|失败|异常|崩溃|出错|不工作|无法|エラー|失敗",
    re.ASCII | re.IGNORECASE,
)
"""The documented error|错误|bug|问题|失败|failed, and what errors call themselves."""
_NAME_ERROR: Final = re.compile(r"\w(?:Error|Exception|(?<=_)error|(?<=_)exception)s?\Z")
_NAME_BEFORE: Final = re.compile(r"\w+\Z")
LONGEST_NAME: Final = 60
"""Characters of an error's name before its end that are told; chosen."""

_TERMS: Final = """
algorithm api apis architecture async authentication authorization backend branch cache class client commit compile
compiler component config configuration database dependencies dependency deploy deployment endpoint framework frontend
function index interface library merge method migration module parameter performance port query regex repository
runtime schema security server thread token variable
"""
TECHNICAL_TERMS: Final = frozenset(_TERMS.split())
"""Technical words beside the names of technologies (chosen; the documents give no list)."""
CHINESE_TERMS: Final = re.compile(
    "接口|数据库|函数|方法|模块|组件|服务器|客户端|端口|配置|部署|架构|认证|授权|缓存|索引|迁移|算法|性能|安全|框架|依赖"
    "|后端|前端|仓库|分支|提交|合并|编译|线程|异步|变量|参数|单元测试|日志"
)
_WORD: Final = re.compile(r"[a-z]{3,14}")

ACKNOWLEDGEMENT: Final = re.compile(
    r"\s*(?:(?:ok(?:ay|ey)?|k|yes|yep|yeah|yup|sure|right|correct|thanks?(?: you| a lot| so much)?|thx|ty"
    r"|great|good|nice|cool"
    r"|perfect|awesome|excellent|fine|done|got it|i see|understood|agreed|sounds good|looks good|lgtm"
    r"|well done|go ahead|go on"
    r"|continue|proceed|next|please|no problem|hi|hello|hey|alright|all right|very good|good job"
    r"|好的?|好吧|好啊|可以的?|行|嗯+|是的?|对的?|没错|谢谢你?|感谢|多谢|辛苦了|收到|明白了?|了解|知道了"
    r"|没问题|不错|很好|太好了|完美|棒"
    r"|继续吧?|请继续|开始吧?|你好|はい|ありがとう(?:ございます)?|続けて)[\s,.!?~，。！？、~👍🙏🎉😊]*){1,4}",
    re.IGNORECASE,
)
"""Whole messages of agreement, thanks and "go on", up to four of them in a row."""


# --- what the signals look for ---


def _yes(holds: bool) -> tuple[str, ...]:  # noqa: FBT001  # one flag is all there is
    return ("",) if holds else ()


def is_acknowledgement(text: str) -> bool:
    """Is a text nothing but agreement, thanks or "go on"? At most 60 characters are looked at as one."""
    return 0 < len(text) <= 60 and ACKNOWLEDGEMENT.fullmatch(text) is not None  # noqa: PLR2004  # four phrases


def _place(reading: Reading) -> str:
    """Name the place of a message: "first", "last", "early" or ""."""
    index, total = reading.index, reading.total
    if index is None or total is None:
        return ""
    if index == 0:
        return "first"
    if index >= total - 3:
        return "last"
    return "early" if index < 5 else ""  # noqa: PLR2004  # documented


def _commands(reading: Reading) -> tuple[str, ...]:
    found = COMMAND_WORDS.search(reading.typed)
    return (found.group().lower(),) if found and not is_acknowledgement(reading.typed) else ()


def technical_words(text: str) -> tuple[str, ...]:
    """Return the technologies a text names and technical terms in it, each once, technologies first."""
    found = [*technologies_in(text), *(w for w in _WORD.findall(text.lower()) if w in TECHNICAL_TERMS)]
    if not text.isascii():
        found += CHINESE_TERMS.findall(text)
    return tuple(dict.fromkeys(found))


def _technical(reading: Reading) -> tuple[str, ...]:
    return technical_words(reading.excerpt[:TECHNICAL_HEAD])[:MOST_TECHNICAL]


def _error(reading: Reading) -> tuple[str, ...]:
    if any(part.is_error for part in reading.message.results):
        return ("tool error",)
    text = reading.excerpt
    found = ERROR_WORDS.search(text)
    if found is None:
        return ()
    name = _NAME_BEFORE.search(text, max(0, found.start() - LONGEST_NAME), found.start())
    if _NAME_ERROR.search(found[0]):
        return (f"{name[0] if name else ''}{found[0]}",)
    return (found[0].lower(),)


def _is_command(reading: Reading) -> bool:
    return reading.is_user and not is_acknowledgement(reading.typed)


SEED: Final = (
    Signal("user", 20, "user message", lambda r: _yes(r.is_user)),
    Signal("first", 30, "first message", lambda r: _yes(_place(r) == "first")),
    Signal("last", 25, "among the last three messages", lambda r: _yes(_place(r) == "last")),
    Signal("early", 10, "among the first five messages", lambda r: _yes(_place(r) == "early")),
    Signal("command", 15, "command word: {}", _commands),
    Signal("technical", 5, "technical words: {}", _technical),
    Signal("error", 10, "error: {}", _error),
    Signal("code", 10, "code block", lambda r: _yes("```" in r.excerpt)),
    Signal("short", 15, "short user command", lambda r: _yes(_is_command(r) and r.typed_tokens < SHORT)),
    Signal(
        "brief", 10, "brief user command", lambda r: _yes(_is_command(r) and SHORT <= r.typed_tokens < BRIEF)
    ),
    Signal("long", -10, "over 5000 tokens", lambda r: _yes(r.tokens > LONG)),
    Signal("summary", 25, "conversation summary", lambda r: _yes(r.is_summary)),
    Signal(
        "acknowledgement",
        -10,
        "bare acknowledgement",
        lambda r: _yes(is_acknowledgement((r.typed or r.excerpt).strip())),
    ),
)
"""The documented weights. To try without a signal: `without(SEED, "technical")`."""


def without(signals: tuple[Signal, ...], *names: str) -> tuple[Signal, ...]:
    """Return the signals without those of some names.

    Raises:
        ValueError: there is no signal of one of the names.
    """
    known = {signal.name for signal in signals}
    for name in names:
        if name not in known:
            raise ValueError(f"no signal is named {name!r}; there are {', '.join(sorted(known))}")
    return tuple(signal for signal in signals if signal.name not in names)


SUBSTANCE: Final = 50
"""Tokens from which a message says something (chosen among 20 to 500 by the measure)."""
RECENT: Final = 20
"""Newest messages that count as recent (chosen)."""


def _is_recent(reading: Reading) -> bool:
    return reading.index is not None and reading.total is not None and reading.index >= reading.total - RECENT


def _rule_words(reading: Reading) -> tuple[str, ...]:
    found = MEMORY_WORDS.search(reading.typed)
    return (found.group().lower(),) if found else ()


_MEASURED_WEIGHTS: Final = {"command": 10, "short": -10}

MEASURED: Final = (
    *(replace(s, weight=_MEASURED_WEIGHTS.get(s.name, s.weight)) for s in without(SEED, "long")),
    Signal("rule", 20, "word of a rule: {}", _rule_words),
    Signal("substance", 20, "50 tokens or more", lambda r: _yes(r.tokens >= SUBSTANCE)),
    Signal("action", 25, "tool call", lambda r: _yes(bool(r.message.calls))),
    Signal("recent", 10, "among the last twenty messages", lambda r: _yes(_is_recent(r))),
)
"""The default: the documented weights where the measure (`benchmarks/importance.py`) has nothing against them.

On 69 sessions and 446 labelled messages: ROC-AUC of "referenced in the next 12 messages" 0.59 -> 0.73, of "holds
something durable" 0.63 -> 0.84; weights fitted freely reach 0.73 and 0.83 on sessions and persons held out. What
changed and why: very short messages of a person hold durable things least often (AUC 0.23 by itself), so `short` costs
points; `long` punished what is needed; tool calls are what is repeated most. `rule` is chosen, not measured (-0.004):
a short standing rule should not end below small talk.
"""

PRESETS: Final = {"measured": MEASURED, "seed": SEED}
