"""Evidence: what can be said about a clause and its surroundings, as names that weights can be given to."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import LazyPattern
from memory.extraction.cues import find_cues, words_of
from memory.extraction.features.mentions import signs_of
from memory.extraction.features.wording import IDEOGRAPHS, form_of, specifics_of
from memory.extraction.technologies import technologies_in
from memory.extraction.text import PASTED, LineKind

if TYPE_CHECKING:
    from collections.abc import Sequence, Set as AbstractSet

    from memory.extraction.clauses import Clause


class Setting(NamedTuple):
    """What is known of a message: how much prose ("few", "mid", "many"), and evidence that holds for every clause.

    `answers`: it is an assistant's answer, pasted back; only what is certain in it is a memory.
    """

    size: str
    names: tuple[str, ...]
    answers: bool = False


_TO_ITS_READER = LazyPattern(
    r"\b(?:your|let me know|optional(?:ly)?|you(?:['’]ll| can| could| may| might| already| now)"
    r"|if you(?:['’]d| want| prefer| need| would| hit| see| get| still)|i(?:['’]ll| can(?:['’]?t|not)?| will))\b"
    r"|您|[你您]可以|如果[你您]|建议[你您]|我会"
)
_OF_ITS_OWN = LazyPattern(
    r"\b(?:my|me|please|pls|let['’]?s|we|our|i(?:['’](?:m|d|ve)| want| need| would| don| was| get| have| am| think))\b"
    r"|我[想要的们现在]|帮我|请|麻烦"
)
"""In lower case: how an assistant speaks to a person, and how a person speaks of what they want."""
_ANSWER_LEAST, _ANSWER_REACH, _ADDRESSED, _ADDRESSED_MORE = 400, 20_000, 4, 2
"""Characters of an answer and those that are read; turns of phrase it has at least, and how often those of its own."""
_FEW, _MID, _MANY, _LISTY = 2, 8, 20, 5


def _is_answer(text: str) -> bool:
    """Tell whether a long text speaks to its reader as an assistant does, and hardly of what its writer wants."""
    if len(text) < _ANSWER_LEAST:
        return False
    low = text[:_ANSWER_REACH].lower()
    addressed = sum(1 for _ in _TO_ITS_READER.finditer(low))
    return addressed >= _ADDRESSED and addressed > _ADDRESSED_MORE * sum(1 for _ in _OF_ITS_OWN.finditer(low))


def setting_of(text: str, clauses: Sequence[Clause], before: str = "") -> Setting:
    """Read what matters of the whole message: how much prose, lists, pasted lines; whose voice; what was asked."""
    kinds = [clause.kind for clause in clauses]
    items = kinds.count(LineKind.ITEM)
    prose = kinds.count(LineKind.PROSE) + items
    size = "few" if prose <= _FEW else "mid" if prose < _MID else "many"
    names = {
        "size:" + size: True,
        "alone": len(clauses) == 1,
        "very-many": prose >= _MANY,
        "listy": items >= _LISTY,
        "with-paste": sum(kind in PASTED for kind in kinds) > _FEW,
        "answering": "?" in before[-200:] or "？" in before[-200:],
    }
    return Setting(size, tuple(name for name, holds in names.items() if holds), _is_answer(text))


_WIDTHS = (12, 20, 30, 45, 65, 90, 130, 180, 300)
_WIDER = 1.5
_ENDINGS = dict.fromkeys("?？", "question") | dict.fromkeys(":：", "ends:colon")
_ENDINGS |= dict.fromkeys("!！", "ends:bang") | dict.fromkeys(".。", "ends:stop")
_DIRECTIVES = frozenset(
    "must need should never only ensure keep want remember from-now-on instead build alter take-away use please fix "
    "let-us always".split()
)
_DETAIL = frozenset(
    "with using in to as like without for from into on at by that which so when if instead via inside under only "
    "not".split()
)
_PRONOUNS = {"i": "i my me we our us", "you": "you your u", "it": "it that this they them these those"}
_LEADS = {word: f"lead:{lead}" for lead, words in _PRONOUNS.items() for word in words.split()}
_STATING = frozenset(
    "form:np form:past form:other form:first-person form:gerund form:number form:zh-i form:zh-it form:zh-other "
    "form:ja-state form:ja-other".split()
)
_PLACED = frozenset("has:url has:path has:assign pair kind:setting".split())
_TROUBLED = frozenset("cue:broken cue:error has:exception".split())
_TELLING = frozenset("cue:project cue:done cue:observe cue:fact".split())
_PAIR = re.compile(r"(?:\*\*)?[\w ./()#'-]{2,40}+(?:\*\*)?\s?[:：](?:\*\*)?\s{0,3}\S(?:\S|\s(?=\S)){0,80}")
_BOLD_ONLY = re.compile(r"\*\*[^*]{1,100}\*\*:?")
_BARE_NAME = re.compile(r"[`'\"@\[(]{0,2}[\w.@~:/\\#-]{3,160}[`'\"\])]{0,2}", re.ASCII)


def evidence_of(clauses: Sequence[Clause], at: int, setting: Setting, text: str) -> set[str]:
    """Return the evidence found in one clause of a message, whose `text` may lack its openers, and around it."""
    words = words_of(text)
    cues = find_cues(text, words)
    found = {*setting.names, *form_of(text, words), *specifics_of(text, words), *signs_of(text)}
    found.update("cue:" + name for name in cues)
    found.add(f"directives:{min(len(_DIRECTIVES & cues.keys()), 3)}")
    found.add(f"details:{min(len(_DETAIL.intersection(words)), 4)}")
    found.update("lead:" + name for name, place in cues.items() if place == 0)
    width = len(text) + _WIDER * len("".join(IDEOGRAPHS.findall(text)))
    found.add(f"width:{bisect_right(_WIDTHS, width)}")
    if ending := _ENDINGS.get(text.rstrip("\"'”)*` ")[-1:]):
        found.add(ending)
    names = {
        "question": text.endswith(("吗", "呢", "嗎")),
        "pair": _PAIR.fullmatch(text),
        "bold-only": _BOLD_ONLY.fullmatch(text),
        "bare-name": _BARE_NAME.fullmatch(text),
        "has:tech": technologies_in(text),
    }
    found.update(name for name, holds in names.items() if holds)
    if words and (lead := _LEADS.get(words[0])):
        found.add(lead)
    found.update(_surroundings(clauses, at))
    found.update(_readings(found))
    return found


def _readings(found: AbstractSet[str]) -> list[str]:
    """What form and words say together: a complaint, a fact, a setting, a choice, an order."""
    orders, technical = "directives:0" not in found, "has:tech" in found
    stating, troubled = not _STATING.isdisjoint(found), not _TROUBLED.isdisjoint(found)
    placed, chosen = not _PLACED.isdisjoint(found), not found.isdisjoint(("cue:use", "cue:choice"))
    names = {
        "reads:ordered-complaint": stating and troubled and orders,
        "reads:complaint": stating and troubled and not orders,
        "reads:fact": stating and not troubled and not orders and not _TELLING.isdisjoint(found),
        "reads:setting": placed and not orders,
        "reads:choice": technical and chosen,
        "reads:tech-order": technical and not chosen and orders,
        "reads:tech": technical and not chosen and not orders,
        "reads:order": not technical and orders and not placed and not troubled,
        "reads:step": {"cue:condition", "cue:process"} <= found,
        "reads:listing": {"kind:item", "has:code-name", "has:dashed"} <= found,
    }
    return [name for name, holds in names.items() if holds]


def _surroundings(clauses: Sequence[Clause], at: int) -> set[str]:
    """Where a clause stands: list, heading, place in the message."""
    clause = clauses[at]
    behind = clauses[at + 1 : at + 2]
    names = {
        "kind:" + clause.kind: True,
        "later": clause.place > 0,
        "first": clause.place == 0 and clause.line == 0,
        "opening": at == 0,
        "closing": at == len(clauses) - 1,
        "cut": clause.cut,
        "has-children": clause.kind is LineKind.ITEM and behind and behind[0].indent > clause.indent,
        "run": clause.run > 1,
        "long-run": clause.run >= _LISTY,
        "numbered": clause.marker[:1].isdigit(),
        "indented": clause.indent > 1,
        "headed": clause.heading,
    }
    return {name for name, holds in names.items() if holds}
