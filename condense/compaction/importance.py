"""How important each message is, 0 to 100, with reasons.

    scores = score_all_messages(messages)
    scores[0].score, scores[0].band, scores[0].reasons

Every signal adds its weight; the sum is cut to 0..100.  `MEASURED`, the default, has weights justified by what messages
of real sessions were needed for later; `SEED` has those that the documents of the Roo-Code memory system give
(`message-importance.ts`); where these are silent, a bare acknowledgement is no command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from condense.ledger import brief_at
from condense.reading import is_agent_summary, is_context_block
from memory.conversation import Message, count_message, default_counter, message_text, parse_messages, typed_text
from memory.extraction import technologies_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memory.conversation import TokenCounter


class Band(StrEnum):
    """What may be done with a message of some importance."""

    MUST_KEEP = "must_keep"
    KEEP_FIRST = "keep_first"
    MAY_COMPRESS = "may_compress"
    MAY_DROP = "may_drop"


BANDS: Final = ((90, Band.MUST_KEEP), (70, Band.KEEP_FIRST), (40, Band.MAY_COMPRESS), (0, Band.MAY_DROP))
MEMORY_SCORE: Final = 80
"""Lowest score of each band, and of a message that is related to memory whatever it says (documented)."""
SHORT, BRIEF, LONG = 20, 100, 5_000
"""Tokens: below 20 a short command, below 100 a brief one, over 5,000 a long message (documented)."""
EARLY, LAST, MOST_TECHNICAL = 5, 3, 4
"""The first five and the last three messages, and up to four technical words count (documented)."""
RECENT, SUBSTANCE = 20, 50
"""The newest messages, and the tokens from which one says something (chosen, the latter by the measure)."""
HEAD, TAIL, TECHNICAL_HEAD = 4_000, 1_000, 2_000
"""Characters of a message's text that are read: beginning and end, where tests say how it went; for technical words."""
REMEMBER_TOOLS: Final = frozenset({"remember", "memory_write", "save_memory", "update_memory"})
"""Tools by which an agent keeps a memory: ours, and those of Gemini CLI and Windsurf."""

COMMAND_WORDS: Final = re.compile(
    r"\b(?:must|shall|should|always|never|don'?t|do not|need to|needs to|have to|has to|make sure|ensure|please|use"
    r"|using|change|switch|replace|rename|move|add|remove|delete|drop|fix|implement|create|build|write|update|refactor"
    r"|run|stop|keep|set|install|only|instead|avoid|remember|require[ds]?|important|critical|note)\b|必须|一定|务必"
    r"|记住|注意|重要|关键|不要|不能|不许|禁止|只能|别再|请|使用|采用|改为|改成|换成|设为|设置|修改|修复|添加|增加"
    r"|新增|加上|删除|去掉|移除|实现|创建|生成"
    r"|编写|重构|运行|停止|保持|确保|需要|应该|以后|每次|してください|必ず|しないで|ないこと",
    re.ASCII | re.IGNORECASE,
)
MEMORY_WORDS: Final = re.compile(
    r"\b(?:must|need to|require[ds]?|important|critical|remember|note|always|never|from now on|make sure"
    r"|don'?t forget)\b|必须|一定要|务必|记住|注意|重要|关键|以后|永远|不要|禁止|切记|必ず|覚えて",
    re.ASCII | re.IGNORECASE,
)
ERROR_WORDS: Final = re.compile(
    r"(?P<name>\b\w{0,60}(?:(?-i:[a-z\d](?:Error|Exception)s?)|_(?:error|exception)s?)\b)"
    r"|\b(?:errors?|bugs?|fail(?:s|ed|ing|ures?)?|exceptions?|traceback|crash(?:es|ed)?|broken|panic(?:ked)?"
    r"|fatal|undefined|not working|doesn'?t work|segfault)\b"
    r"|错误|报错|问题|失败|异常|崩溃|出错|不工作|无法|エラー|失敗",
    re.ASCII | re.IGNORECASE,
)
TECHNICAL_TERMS: Final = frozenset(
    """
algorithm api apis architecture async authentication authorization backend branch cache class client commit compile
compiler component config configuration database dependencies dependency deploy deployment endpoint framework frontend
function index interface library merge method migration module parameter performance port query regex repository
runtime schema security server thread token variable
""".split()
)
CHINESE_TERMS: Final = re.compile(
    "接口|数据库|函数|方法|模块|组件|服务器|客户端|端口|配置|部署|架构|认证|授权|缓存|索引|迁移|算法|性能|安全|框架|依赖"
    "|后端|前端|仓库|分支|提交|合并|编译|线程|异步|变量|参数|单元测试|日志"
)
ACKNOWLEDGEMENT: Final = re.compile(
    r"\s*(?:(?:ok(?:ay|ey)?|k|yes|yep|yeah|yup|sure|right|correct|thanks?(?: you| a lot| so much)?|thx|ty|great|good"
    r"|nice|cool|perfect|awesome|excellent|fine|done|got it|i see|understood|agreed|sounds good|looks good|lgtm"
    r"|well done|go ahead|go on|continue|proceed|next|please|no problem|hi|hello|hey|alright|all right|very good"
    r"|good job|好的?|好吧|好啊|可以的?|行|嗯+|是的?|对的?|没错|谢谢你?|感谢|多谢|辛苦了|收到|明白了?|了解|知道了"
    r"|没问题|不错|很好|太好了|完美|棒|继续吧?|请继续|开始吧?|你好"
    r"|はい|ありがとう(?:ございます)?|続けて)[\s,.!?~，。！？、~👍🙏🎉😊]*){1,4}",
    re.IGNORECASE,
)
_TAG_WORDS: Final = {
    "user_instruction": MEMORY_WORDS,
    "technical_decision": re.compile(
        r"\b(?:use|using|adopt|choose|go with|switch to|migrate to|instead of|prefer)\b"
        r"|使用|采用|选用|换成|改用|用的是",
        re.ASCII | re.IGNORECASE,
    ),
    "configuration": re.compile(
        r"\b(?:port|theme|color|style|config(?:ure|uration)?|setting|env(?:ironment)? var\w*|url|endpoint"
        r"|version|path|change \S.{0,60} to)\b"
        r"|localhost:\d|端口|主题|颜色|样式|配置|设置为?|改为|改成|环境变量|版本|路径|地址",
        re.ASCII | re.IGNORECASE,
    ),
    "important_error": ERROR_WORDS,
}


@dataclass(frozen=True, slots=True)
class MessageImportanceScore:
    """How important one message is, and why."""

    message: Message
    score: int  # 0 to 100
    reasons: tuple[str, ...]  # one line a signal, with its points: "user message (+20)"
    is_user_message: bool  # a person typed it; a tool result in the user role is not one
    token_count: int  # tokens of the whole message
    is_memory_related: bool = False  # 80 or more, a summary, a call of a remember tool, a word of memory
    memory_tags: tuple[str, ...] = ()  # what it is about: types of memories, technologies

    @property
    def band(self) -> Band:
        """What may be done with it."""
        return next((band for least, band in BANDS if self.score >= least), Band.MAY_DROP)


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read once for all signals."""

    message: Message
    place: str  # "first", "last", "early" or ""
    is_recent: bool  # it is among the newest
    typed: str  # what a person typed in it, if anything
    is_command: bool  # whether that is more than agreement or thanks
    excerpt: str  # the beginning and end of all its text
    is_summary: bool  # a compaction summary, an agent's or ours
    tokens: int  # of the whole message
    typed_tokens: int


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that makes a message more or less important, its points for each time it counts, what is said of it.

    `found` tells of a reading whether it holds, or what there is, one item a time; `{}` in the reason stands for it.
    """

    name: str
    weight: int
    reason: str
    found: Callable[[Reading], bool | tuple[str, ...]]


def is_acknowledgement(text: str) -> bool:
    """Is a text nothing but agreement, thanks or "go on"? At most 60 characters are looked at as one."""
    text = text.strip()
    return 0 < len(text) <= 60 and ACKNOWLEDGEMENT.fullmatch(text) is not None  # noqa: PLR2004  # four phrases


def technical_words(text: str) -> tuple[str, ...]:
    """Return the technologies a text names and technical terms in it, each once, technologies first."""
    text = text[:TECHNICAL_HEAD]
    terms = [word for word in re.findall(r"[a-z]{3,14}", text.lower()) if word in TECHNICAL_TERMS]
    return tuple(dict.fromkeys([*technologies_in(text), *terms, *CHINESE_TERMS.findall(text)]))


def _word(words: re.Pattern[str], text: str) -> tuple[str, ...]:
    found = words.search(text)
    return (found.group().lower(),) if found else ()


def _error(reading: Reading) -> tuple[str, ...]:
    if any(part.is_error for part in reading.message.results):
        return ("tool error",)
    found = ERROR_WORDS.search(reading.excerpt)
    if found is None:
        return ()
    return (found["name"] or found[0].lower(),)


SEED: Final = (  # the documented weights
    Signal("user", 20, "user message", lambda r: bool(r.typed)),
    Signal("first", 30, "first message", lambda r: r.place == "first"),
    Signal("last", 25, "among the last three messages", lambda r: r.place == "last"),
    Signal("early", 10, "among the first five messages", lambda r: r.place == "early"),
    Signal("command", 15, "command word: {}", lambda r: r.is_command and _word(COMMAND_WORDS, r.typed)),
    Signal("technical", 5, "technical words: {}", lambda r: technical_words(r.excerpt)[:MOST_TECHNICAL]),
    Signal("error", 10, "error: {}", _error),
    Signal("code", 10, "code block", lambda r: "```" in r.excerpt),
    Signal("short", 15, "short user command", lambda r: r.is_command and r.typed_tokens < SHORT),
    Signal("brief", 10, "brief user command", lambda r: r.is_command and SHORT <= r.typed_tokens < BRIEF),
    Signal("long", -10, "over 5000 tokens", lambda r: r.tokens > LONG),
    Signal("summary", 25, "conversation summary", lambda r: r.is_summary),
    Signal("acknowledgement", -10, "bare acknowledgement", lambda r: is_acknowledgement(r.typed or r.excerpt)),
)

_MEASURED_WEIGHTS: Final = {"command": 10, "short": -10}
MEASURED: Final = (
    *(replace(s, weight=_MEASURED_WEIGHTS.get(s.name, s.weight)) for s in SEED if s.name != "long"),
    Signal("rule", 20, "word of a rule: {}", lambda r: _word(MEMORY_WORDS, r.typed)),
    Signal("substance", 20, "50 tokens or more", lambda r: r.tokens >= SUBSTANCE),
    Signal("action", 25, "tool call", lambda r: bool(r.message.calls)),
    Signal("recent", 10, "among the last twenty messages", lambda r: r.is_recent),
)
"""The default: the documented weights where the measure (`benchmarks/importance.py`) has nothing against them.

Very short messages of a person hold durable things least often, so `short` costs points; `long` punished what is
needed; tool calls are what is repeated most; `rule` is chosen: a short standing rule should not end below small talk.
"""
PRESETS: Final = {"measured": MEASURED, "seed": SEED}


def score_all_messages(
    messages: Sequence[Message | Mapping[str, Any]],
    count_tokens: TokenCounter | None = None,
    *,
    signals: Sequence[Signal] = MEASURED,
) -> tuple[MessageImportanceScore, ...]:
    """Score every message of a conversation, in order; `WireError` where one fits no form.

    `signals` say what counts: `MEASURED`, or `SEED` for the documented weights.
    """
    parsed = parse_messages(messages)
    count = count_tokens or default_counter()
    scores = [_score(message, i, len(parsed), count, signals) for i, message in enumerate(parsed)]
    if not any(score.is_user_message for score in scores) and (at := brief_at(parsed)) is not None:
        least = BANDS[0][0] - scores[at].score
        if least > 0:
            reasons = (*scores[at].reasons, f"the task, as a program gave it ({least:+d})")
            scores[at] = replace(scores[at], score=BANDS[0][0], reasons=reasons)
    return tuple(scores)


def calculate_message_importance(
    message: Message | Mapping[str, Any],
    *,
    index: int | None = None,
    total: int | None = None,
    count_tokens: TokenCounter | None = None,
    signals: Sequence[Signal] = MEASURED,
) -> MessageImportanceScore:
    """Score one message, as `score_all_messages` does.

    `index` (from 0) and `total` are its place in the conversation and that one's length, which do not count where not
    given; a `ValueError` where only one is, or `index` is not within 0..total-1.
    """
    if (index is None) != (total is None):
        raise ValueError(f"index is {index!r} and total is {total!r}; give both or neither")
    if index is not None and total is not None and not 0 <= index < total:
        raise ValueError(f"index is {index!r}; it should be 0 to {total - 1} for a total of {total!r}")
    return _score(parse_messages([message])[0], index, total, count_tokens or default_counter(), signals)


def _score(
    message: Message, index: int | None, total: int | None, count: TokenCounter, signals: Sequence[Signal]
) -> MessageImportanceScore:
    typed, text = typed_text(message), message_text(message)
    place, is_recent = "", False
    if index is not None and total is not None:
        places = {"first": index == 0, "last": index >= total - LAST, "early": index < EARLY}
        place = next((name for name, holds in places.items() if holds), "")
        is_recent = index >= total - RECENT
    reading = Reading(
        message,
        place,
        is_recent,
        typed[: HEAD + TAIL],
        is_command=bool(typed) and not is_acknowledgement(typed),
        excerpt=text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}",
        is_summary=is_context_block(message) or is_agent_summary(message),
        tokens=count_message(message, count),
        typed_tokens=count(typed) if typed else 0,
    )
    points = 0
    reasons: list[str] = []
    for signal in signals:
        found = signal.found(reading)
        if found:
            items = found if isinstance(found, tuple) else ()
            added = signal.weight * max(1, len(items))
            points += added
            reasons.append(f"{signal.reason.format(', '.join(items))} ({added:+d})")
    score = min(max(points, 0), 100)
    tags = ["summary"] if reading.is_summary else []
    if any(call.name in REMEMBER_TOOLS for call in reading.message.calls):
        tags.append("remember")
    if reading.typed:
        tags += [name for name, words in _TAG_WORDS.items() if words.search(reading.typed)]
        tags += technologies_in(reading.typed)
    is_related = score >= MEMORY_SCORE or not {"remember", "summary", "user_instruction"}.isdisjoint(tags)
    return MessageImportanceScore(
        message,
        score,
        tuple(reasons),
        bool(typed),
        reading.tokens,
        is_related,
        tuple(dict.fromkeys(tags)) if is_related else (),
    )
