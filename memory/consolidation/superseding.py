"""Which memories a later one retires: other answers to the same question, and what is taken back in words.

The later statement wins, but carefully, for a rule retired by mistake is lost: only rules about the same thing (one
scope, one subject, rival technologies), not additions ("also support MySQL"), not said in one breath. A memory that
says several things, or much more than its outdated answer, stays and is marked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memory.consolidation.affirming import answers_for_good, is_passing, only_tells
from memory.consolidation.deduplicating import NEGATIONS, read_wording
from memory.consolidation.rendering import answers_of, chinese_name
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import BARE, replacements_in, rivals, takes_back, technologies_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memory.entries import MemoryEntry, Slot

BESIDE_ANSWER, BESIDE_CHANGE, BESIDE_STATEMENT = 8.0, 8.0, 2.0
"""Words that may stand beside answers (chosen): in a memory that is retired with them; in the later one where it says
that something changes; where it doesn't ("use port 4000 now", not "the payment service listens on 4000")."""

BESIDE_TERM, BESIDE_TERM_CRITICAL, DENIAL, LEAST_SAID = 4.0, 3.0, 1.0, 1.5
"""Words a memory, a critical one, a ban may hold beside a term that is taken back, or allowed, and go; words that two
rules have in common which are opposed (chosen)."""
_CJK_WEIGHT = 0.6  # words that one CJK character stands for (Chinese writes about 1.6 characters a word)
_FIRST_CJK = 0x2E7F
_TECHNOLOGY_SLOTS = frozenset(
    "database,package manager,frontend framework,backend framework,framework,test tool,linter,model,cloud".split(
        ","
    )
)
"""Slots that several technologies may answer side by side; only rivals replace each other."""
_OF_THE_CONVERSATION = frozenset({"answer language"})
"""Slots that hold for the whole conversation: whatever else is said, the later answer counts."""
_OF_A_THING = ("color", "colour", "font", "background", "style", "timeout", "primary ", "accent ", "name of ")
"""Beginnings of slots that every part of a program has one of: the subject must be the same."""
_RULES = frozenset(MemoryType) - {MemoryType.IMPORTANT_ERROR, MemoryType.PROJECT_CONTEXT}
_SCOPES = tuple(
    re.compile(r"\b(?:{})\b|{}".format(*row.split(" = ")), re.IGNORECASE | re.ASCII)
    for row in r"""
front-?end|client|ui|web = 前端|客户端|网页
back-?end|server|api = 后端|服务端|服务器|接口
tests?|testing|e2e|ci = 测试
dev|development|local|locally = 开发环境|本地
prod|production|live = 生产|线上|正式环境
staging|preview = 预发
docs?|documentation|readme = 文档
comments? = 注释
commits?|commit messages?|pull requests?|prs? = 提交
mobile|ios|android|app = 移动端|手机
desktop = 桌面
cache|caching = 缓存
queue|broker = 队列
admin|dashboard = 后台|管理端
variables?|functions?|class(?:es)?|files?|tables?|columns? = 变量|函数|类名|文件名|表名|列名
""".strip().split("\n")
)
"""Words that say where an answer holds; each row is one scope."""
_CHANGING = re.compile(
    r"\b(?:actually|instead|switch\w{0,3}|mov(?:ed?|ing) to|migrat\w{1,4}|chang(?:e|ed|ing)|no longer|rather"
    r"|second thought|changed my mind|scratch that|not any ?more|from now on|now"
    r"|(?:back|revert|return) to|stick with|after all)\b"
    r"|其实|算了|还是|换成|换用|换回|用回|改用|不用|不要用|重新|取代|代替|而不是|以后|现在|やっぱり|теперь|лучше",
    re.IGNORECASE | re.ASCII,
)
_ADDING = re.compile(
    r"\b(?:also|as well|additionally|in addition|too|both|support|alongside|another|second|fallback|optional(?:ly)?)\b"
    r"|也|还要|同时|另外|此外|额外|支持|兼容|备用",
    re.IGNORECASE | re.ASCII,
)
_KEEPING = re.compile(
    r"(?:n['’]t|\bnot|\bnever) (?:ever )?(?:forget|disregard)|[别要能会]忘", re.IGNORECASE | re.ASCII
)
_FORGETTING = re.compile(
    r"\b(?:forget|disregard|never\s?mind|scratch that|ignore (?:the|my|that|what))\b|忘[了掉记]|作废|收回|撤回",
    re.IGNORECASE | re.ASCII,
)
_FOR_GOOD = re.compile(
    r"\b(?:forget|disregard|no longer|any ?more|any longer|again|after all|from now on|in future"
    r"|i (?:said|told you|wrote|asked))\b|忘[了掉记]|作废|收回|撤回|取消|不再|以后|重新",
    re.IGNORECASE | re.ASCII,
)
_REJECTING = frozenset("instead rather than over versus 替 代".split())
_SETTING = frozenset(
    "use using used run make set go with for as in on keep change changed switch actually instead let now want".split()
)
_CJK_SETTING = re.compile(
    "端口号?|数据库|主题|语言|分支|框架|模型|包管理器?|测试命令|颜色|背景色?|字体|样式"
    "|使用|采用|改用|换用|选用|改为|改成|换成|换为|设置为?|设为|当作|作为|其实|还是|现在|以后|统一|[用改换做是成为吧](?!户)"
)
"""What only says that a question has its answer, and the names of questions."""


_AT_ALL = frozenset("anything any yet now for until it".split())
_DOING = dict.fromkeys("touch edit modify alter update".split(), "chang")


class Retirement(NamedTuple):
    """What happens to one earlier memory: retired whole, or kept without `slots`, its answers that no longer hold."""

    entry_id: str
    slots: tuple[Slot, ...]
    whole: bool


def is_forgetting(text: str) -> bool:
    """Tell whether a text asks to forget something: "forget ...", "忘掉..."."""
    return _FORGETTING.search(text) is not None and not is_keeping(text)


def is_keeping(text: str) -> bool:
    """Tell whether a text asks not to forget something: "don't forget ...", "别忘了..."."""
    return _KEEPING.search(text) is not None


def is_for_good(text: str) -> bool:
    """Tell whether a text that takes something back means all tasks: "forget ...", "again", no "you may do it"."""
    return _FOR_GOOD.search(text) is not None and not (is_passing(text) or only_tells(text) or is_keeping(text))


def outdated_by(later: MemoryEntry, earlier: Iterable[MemoryEntry]) -> tuple[Retirement, ...]:
    """Return what a later memory does to earlier active ones that answer one of its slots, in their order.

    Without a scope it says nothing about earlier answers of different scopes that stand beside each other.
    """
    if not later.slots or not (later.type in _RULES or _CHANGING.search(later.content)):
        return ()
    if later.is_report or not _answers_for_good(later):
        return ()
    again = takes_back(later.parts[1]) or (BARE in later.tags and _CHANGING.search(later.content))
    here = frozenset() if BARE in later.tags else _scopes(later.content)
    outdated = [
        (entry, old)
        for entry in earlier
        if entry.id != later.id
        and entry.type in _RULES
        and not (entry.source and later.source and entry.source.message == later.source.message and not again)
        and not (entry.parts[0] and entry.parts[0].casefold() == later.parts[0].casefold())  # one list
        and (old := tuple(slot for slot in entry.slots if _replaces(later, entry, slot)))
        and here <= _scopes(entry.content)
    ]
    if not here and len({_scopes(entry.content) for entry, _ in outdated}) > 1:
        outdated = [(entry, old) for entry, old in outdated if not _scopes(entry.content)]
    return tuple(_retirement(entry, old) for entry, old in outdated)


def _answers_for_good(later: MemoryEntry) -> bool:
    return not is_passing(later.content) if BARE in later.tags else answers_for_good(later.content)


def withdrawn_by(
    terms: Iterable[str], earlier: Iterable[MemoryEntry], *, forgetting: bool = False
) -> tuple[Retirement, ...]:
    """Return what taking back some terms ("redis", "the dark theme") does to earlier active memories, in their order.

    A memory is retired when its answer, or its question, is the term, or when it is a rule about the term and little
    else. A single ordinary word is no term for that unless `forgetting`; nor does "no longer use X" retire "never use
    X". A term that begins with "not " is allowed again: only bans of it go.
    """
    bare = [(term.casefold().strip().removeprefix("not "), term.startswith("not ")) for term in terms]
    wanted = [(term, read_wording(term), lifts) for term, lifts in bare]
    found: list[Retirement] = []
    for entry in earlier:
        for term, said, lifts in wanted:
            denies = read_wording(entry.content).negations > said.negations
            if not said.bag or (denies != lifts and (lifts or not forgetting)):
                continue
            if not lifts and (old := tuple(slot for slot in entry.slots if _is_about(slot, term, said.bag))):
                found.append(_retirement(entry, old))
                break
            telling = forgetting or _weight(said.bag) > 1 or bool(technologies_in(term))
            if (
                telling
                and entry.type in _RULES
                and len(entry.slots) <= 1
                and _is_all_about(entry, term, said.bag, DENIAL if lifts else None)
            ):
                found.append(Retirement(entry.id, entry.slots, whole=True))
                break
    return tuple(found)


_POLARITY = NEGATIONS | frozenset(
    "again now anymore more longer from on can may allowed able okay fine free feel sure ever either"
    " always alway 不 别 禁 止 勿 没 无 再 以 后 可 能 现 在 总 始 终 一 律 永 远 还 又".split()
)
"""Words that say whether, and from when on, something is done, not what."""


def laid_down(entry: MemoryEntry) -> frozenset[str]:
    """What a rule that holds on is about, in words; nothing for an order, what passes, or what somebody else says."""
    said = read_wording(entry.content)
    about = said.bag - _POLARITY
    holds = said.negations or said.universal or entry.standing
    if entry.type not in _RULES or not holds or _weight(about) < LEAST_SAID or is_passing(entry.content):
        return frozenset()
    return frozenset() if only_tells(entry.content) else about


def opposed_by(later: MemoryEntry, earlier: Iterable[MemoryEntry]) -> tuple[Retirement, ...]:
    """Return what a rule does to earlier active ones that say the opposite of the same: "always", "never add tests".

    An order alone lifts no ban: "push to main" is done once.
    """
    about, said = laid_down(later), read_wording(later.content)
    return tuple(
        Retirement(entry.id, entry.slots, whole=True)
        for entry in earlier
        if about
        and entry.type in _RULES
        and not (entry.source and later.source and entry.source.message == later.source.message)
        and bool(read_wording(entry.content).negations) != bool(said.negations)
        and read_wording(entry.content).bag - _POLARITY == about
    )


def answered_by(later: MemoryEntry, earlier: Iterable[MemoryEntry]) -> tuple[Retirement, ...]:
    """Return what an answer to a question does to earlier active answers to the same question, in their order."""
    question, said = (read_wording(part).key for part in later.parts)
    return tuple(
        Retirement(entry.id, entry.slots, whole=True)
        for entry in earlier
        if entry.is_answer
        and read_wording(entry.parts[0]).key == question
        and read_wording(entry.parts[1]).key != said
    )


def united(steps: Iterable[Retirement], known: Mapping[str, MemoryEntry]) -> dict[str, Retirement]:
    """Return one step for each memory, by its id: all that is said to happen to it, those that go whole last."""
    found: dict[str, Retirement] = {}
    for step in steps:
        other = found.get(step.entry_id)
        if other is None or step.whole:
            found[step.entry_id] = step
        elif not other.whole:
            slots = tuple(dict.fromkeys((*other.slots, *step.slots)))
            found[step.entry_id] = _retirement(known[step.entry_id], slots)
    return dict(sorted(found.items(), key=lambda pair: pair[1].whole))


def _retirement(entry: MemoryEntry, gone: tuple[Slot, ...]) -> Retirement:
    whole = frozenset(gone) >= frozenset(entry.slots) and _says_little_else(entry)
    return Retirement(entry.id, gone, whole=whole)


def _replaces(later: MemoryEntry, earlier: MemoryEntry, old: Slot) -> bool:
    new = next((slot for slot in later.slots if slot.name == old.name), None)
    if new is None or new.value == old.value:
        return False
    if old.name in _TECHNOLOGY_SLOTS and rivals().get(new.value, new.value) != rivals().get(old.value):
        return False
    beside = _beside_answers(later)
    same_subject = beside <= _beside_answers(earlier)
    if old.name.startswith(_OF_A_THING):
        return same_subject
    named = read_wording(old.value).bag <= read_wording(later.content).bag
    told = BARE in later.tags or bool(_CHANGING.search(later.content)) or takes_back(later.parts[1])
    changing = named or old.name in _OF_THE_CONVERSATION or told
    others = _beside_answers(earlier)
    if not changing and (_ADDING.search(later.content) or (beside and others and beside.isdisjoint(others))):
        return False  # it is added, or said of something else
    limit = BESIDE_CHANGE if changing else BESIDE_STATEMENT
    return same_subject or _weight(beside) <= limit


def _is_about(slot: Slot, term: str, said: frozenset[str]) -> bool:
    """Tell whether a term is an answer ("dark"), its question ("theme", "主题"), or both ("the dark theme")."""
    if slot.name.startswith("replaces:"):
        return slot.value.casefold() == term
    if term in {slot.value.casefold(), slot.name.casefold(), chinese_name(slot.name)}:
        return True
    value = read_wording(slot.value).bag
    return bool(value) and value <= said <= value | read_wording(f"{slot.name} {chinese_name(slot.name)}").bag


def _doing(word: str) -> str:
    """A word by what is done: "deleting" as "delete", "touch" as "change"."""
    stem = word[:-3] if word.isascii() and word.endswith("ing") and len(word) > len("sting") else word
    stem = stem[:-1] if stem != word and stem[-1] == stem[-2] else stem.removesuffix("e")
    return _DOING.get(word, stem)


def _is_all_about(entry: MemoryEntry, term: str, said: frozenset[str], most: float | None = None) -> bool:
    """Tell whether a memory holds a term, does not name it as the rejected one, and says little, or so much, beside."""
    bag, at_all = read_wording(entry.content).bag, _AT_ALL if most is not None else frozenset()
    bag, said = (frozenset(map(_doing, words - at_all)) for words in (bag, said))
    if not said <= bag or not _REJECTING.isdisjoint(bag - said):
        return False
    if any(name not in term for name in entry.related_tech if name not in technologies_in(term)):
        return False
    limit = BESIDE_TERM_CRITICAL if entry.priority is MemoryPriority.CRITICAL else BESIDE_TERM
    words = read_wording(_CJK_SETTING.sub(" ", entry.content)).bag - _SETTING - at_all
    return _weight(frozenset(map(_doing, words)) - said) <= (limit if most is None else most)


def _beside_answers(entry: MemoryEntry) -> frozenset[str]:
    """The words of a memory that are neither its answers nor the saying of them."""
    stated = {unit for slot in entry.slots for unit in read_wording(f"{slot.name} {slot.value}").bag}
    said = entry.parts[1] if entry.is_answer else entry.content
    return read_wording(_CJK_SETTING.sub(" ", said)).bag - stated - _SETTING


def _says_little_else(entry: MemoryEntry) -> bool:
    """Tell whether a memory is its answers and few words beside them, no other technology among them."""
    whole = replace(entry, slots=answers_of(entry)) if entry.overtaken else entry
    if _weight(_beside_answers(whole)) > BESIDE_ANSWER:
        return False
    replaced = (old for _, old in replacements_in(entry.content))
    stated = " ".join((*(f"{slot.name} {slot.value}" for slot in whole.slots), *replaced))
    return all(name in stated or name in technologies_in(stated) for name in entry.related_tech)


def _weight(units: frozenset[str]) -> float:
    short = sum(len(unit) == 1 and ord(unit) > _FIRST_CJK for unit in units)
    return len(units) - short + short * _CJK_WEIGHT


def _scopes(text: str) -> frozenset[int]:
    return frozenset(number for number, scope in enumerate(_SCOPES) if scope.search(text))
