"""What makes a message important: signals as a data table, each with its weight, its reason and what it reads.

`MEASURED`, the default, has weights justified by what messages of real sessions were needed for later; `SEED` has those
that the documents of the Roo-Code memory system give (`message-importance.ts`).  Where these are silent: positions are
taken in the order given, the first that holds; command words count in what a person typed; a bare acknowledgement is no
command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memory.extraction import technologies_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory.conversation import Message

MOST_TECHNICAL, TECHNICAL_HEAD = 4, 2_000
"""Technical words that count (documented: +5 each, up to 20), and characters read for them (chosen)."""
SHORT, BRIEF, LONG = 20, 100, 5_000
"""Tokens: below 20 a short command, below 100 a brief one, over 5,000 a long message (documented)."""
EARLY, LAST, RECENT = 5, 3, 20
"""The first five and the last three messages (documented), and the newest that count as recent (chosen)."""
SUBSTANCE: Final = 50
"""Tokens from which a message says something (chosen among 20 to 500 by the measure)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read once for all signals.

    Attributes:
        message: the message.
        index, total: its place in the conversation, both None where that is not known.
        typed: what a person typed in it, "" where nobody did (a tool result in the user role is not typed).
        excerpt: the beginning and end of all its text; signals read no more than that.
        is_summary: a compaction summary, an agent's or ours.
        tokens, typed_tokens: of the whole message, and of what was typed.
    """

    message: Message
    index: int | None
    total: int | None
    typed: str
    excerpt: str
    is_summary: bool
    tokens: int
    typed_tokens: int

    @property
    def place(self) -> str:
        """Where it stands: "first", "last", "early" or ""."""
        if self.index is None or self.total is None:
            return ""
        if self.index == 0:
            return "first"
        if self.index >= self.total - LAST:
            return "last"
        return "early" if self.index < EARLY else ""

    @property
    def is_recent(self) -> bool:
        """Whether it is among the newest."""
        return self.index is not None and self.total is not None and self.index >= self.total - RECENT

    @property
    def is_command(self) -> bool:
        """Whether a person typed more than agreement or thanks."""
        return bool(self.typed) and not is_acknowledgement(self.typed)


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that makes a message more or less important.

    Attributes:
        name: stable.
        weight: points for each time it counts.
        reason: what is said about it; `{}` stands for what `found` returns.
        found: reading -> whether it holds, or what it found, one item for each time it counts.
    """

    name: str
    weight: int
    reason: str
    found: Callable[[Reading], bool | tuple[str, ...]]


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
"""Words people give commands with; the documents name the idea, not the list."""

MEMORY_WORDS: Final = re.compile(
    r"\b(?:must|need to|require[ds]?|important|critical|remember|note|always|never|from now on|make sure"
    r"|don'?t forget)\b"
    r"|必须|一定要|务必|记住|注意|重要|关键|以后|永远|不要|禁止|切记|必ず|覚えて",
    re.ASCII | re.IGNORECASE,
)
"""The documented cues of instructions, and their nearest relatives."""

ERROR_WORDS: Final = re.compile(
    r"(?P<name>\b\w{0,60}(?:(?-i:[a-z\d](?:Error|Exception)s?)|_(?:error|exception)s?)\b)"
    r"|\b(?:errors?|bugs?|fail(?:s|ed|ing|ures?)?|exceptions?|traceback|crash(?:es|ed)?|broken|panic(?:ked)?"
    r"|fatal|undefined"
    r"|not working|doesn'?t work|segfault)\b"
    r"|错误|报错|问题|失败|异常|崩溃|出错|不工作|无法|エラー|失敗",
    re.ASCII | re.IGNORECASE,
)
"""The documented error|错误|bug|问题|失败|failed, and what errors call themselves."""
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


def is_acknowledgement(text: str) -> bool:
    """Is a text nothing but agreement, thanks or "go on"? At most 60 characters are looked at as one."""
    return 0 < len(text) <= 60 and ACKNOWLEDGEMENT.fullmatch(text) is not None  # noqa: PLR2004  # four phrases


def technical_words(text: str) -> tuple[str, ...]:
    """Return the technologies a text names and technical terms in it, each once, technologies first."""
    terms = [word for word in re.findall(r"[a-z]{3,14}", text.lower()) if word in TECHNICAL_TERMS]
    return tuple(dict.fromkeys([*technologies_in(text), *terms, *CHINESE_TERMS.findall(text)]))


def _word(words: re.Pattern[str], text: str) -> tuple[str, ...]:
    found = words.search(text)
    return (found.group().lower(),) if found else ()


def _error(reading: Reading) -> tuple[str, ...]:
    """What went wrong, by its whole name where it has one."""
    if any(part.is_error for part in reading.message.results):
        return ("tool error",)
    found = ERROR_WORDS.search(reading.excerpt)
    if found is None:
        return ()
    return (found["name"] or found[0].lower(),)


SEED: Final = (
    Signal("user", 20, "user message", lambda r: bool(r.typed)),
    Signal("first", 30, "first message", lambda r: r.place == "first"),
    Signal("last", 25, "among the last three messages", lambda r: r.place == "last"),
    Signal("early", 10, "among the first five messages", lambda r: r.place == "early"),
    Signal("command", 15, "command word: {}", lambda r: r.is_command and _word(COMMAND_WORDS, r.typed)),
    Signal(
        "technical",
        5,
        "technical words: {}",
        lambda r: technical_words(r.excerpt[:TECHNICAL_HEAD])[:MOST_TECHNICAL],
    ),
    Signal("error", 10, "error: {}", _error),
    Signal("code", 10, "code block", lambda r: "```" in r.excerpt),
    Signal("short", 15, "short user command", lambda r: r.is_command and r.typed_tokens < SHORT),
    Signal("brief", 10, "brief user command", lambda r: r.is_command and SHORT <= r.typed_tokens < BRIEF),
    Signal("long", -10, "over 5000 tokens", lambda r: r.tokens > LONG),
    Signal("summary", 25, "conversation summary", lambda r: r.is_summary),
    Signal(
        "acknowledgement",
        -10,
        "bare acknowledgement",
        lambda r: is_acknowledgement((r.typed or r.excerpt).strip()),
    ),
)
"""The documented weights."""

_MEASURED_WEIGHTS: Final = {"command": 10, "short": -10}
MEASURED: Final = (
    *(replace(s, weight=_MEASURED_WEIGHTS.get(s.name, s.weight)) for s in SEED if s.name != "long"),
    Signal("rule", 20, "word of a rule: {}", lambda r: _word(MEMORY_WORDS, r.typed)),
    Signal("substance", 20, "50 tokens or more", lambda r: r.tokens >= SUBSTANCE),
    Signal("action", 25, "tool call", lambda r: bool(r.message.calls)),
    Signal("recent", 10, "among the last twenty messages", lambda r: r.is_recent),
)
"""The default: the documented weights where the measure (`benchmarks/importance.py`) has nothing against them.

On 69 sessions and 446 labelled messages: ROC-AUC of "referenced in the next 12 messages" 0.59 -> 0.73, of "holds
something durable" 0.63 -> 0.84. Very short messages of a person hold durable things least often, so `short` costs
points; `long` punished what is needed; tool calls are what is repeated most. `rule` is chosen, not measured: a short
standing rule should not end below small talk.
"""
PRESETS: Final = {"measured": MEASURED, "seed": SEED}
