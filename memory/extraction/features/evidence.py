"""Evidence: what can be said about a clause and its surroundings, as names that weights can be given to."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memory.extraction.cues import cue_names, cue_words, find_cues, words_of
from memory.extraction.features.sentence_forms import forms_of, has_kana, ideographs_in
from memory.extraction.features.specificity import marks_of, specifics_of
from memory.extraction.features.surface_signs import AFTERWARDS, mentions_of
from memory.extraction.technologies import technologies_in
from memory.extraction.text import PASTED, LineKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.extraction.clauses import Clause


class Setting(NamedTuple):
    """What is known of a whole message when its clauses are weighed.

    Attributes:
        size: "few", "mid" or "many": how much prose there is; the same words weigh differently in a short remark
            and in a long specification.
        names: evidence that holds for every clause of the message.
    """

    size: str
    names: tuple[str, ...]


_AGENT_VOICE = re.compile(
    r"would you like me to|let me (?:know|help|break)|i can (?:see|spot|identify|help)|here(?:'s"
    r"| is) (?:the|how|what)"
    r"|your ai developer|looking at (?:the|your)|i(?:'ll| will) (?:now|help|create|update)"
    r"|the (?:issue|error|problem) is (?:happening|with|that|because)"
    r"|您现在|您已经|我们将|下一步行动|建议您|希望这|如果您|我会帮|以下是(?:为您|我)|具体来说"
)
"""Turns of phrase of assistants, in lower case: a long text that has them is probably an answer pasted back."""
_AGENT_REACH = 20_000
_FEW, _MID, _MANY, _LISTY = 2, 8, 20, 5


def setting_of(text: str, clauses: Sequence[Clause], before: str = "") -> Setting:
    """Read what matters of the whole message: how much prose, lists, pasted lines; whose voice; what was asked."""
    prose = items = machine = 0
    for clause in clauses:
        kind = clause.kind
        if kind is _PROSE:
            prose += 1
        elif kind is _ITEM:
            items += 1
            prose += 1
        elif kind in PASTED:
            machine += 1
    names = []
    if len(clauses) == 1:
        names.append("alone")
    if prose >= _MANY:
        names.append("very-many")
    if items >= _LISTY:
        names.append("listy")
    if machine > _FEW:
        names.append("with-paste")
    if len(text) > 400 and _AGENT_VOICE.search(text[:_AGENT_REACH].lower()):  # noqa: PLR2004  # shorter ones are people
        names.append("agent-voice")
    if "?" in before[-200:] or "？" in before[-200:]:
        names.append("answering")
    size = "few" if prose <= _FEW else "mid" if prose < _MID else "many"
    return Setting(size, ("size:" + size, *names))


_DIRECTIVES = frozenset(
    re.findall(
        r"\S+",
        """
        must need should never only ensure keep want remember from-now-on instead build alter take-away use
        please fix let-us always
        """,
    )
)
_DETAIL = frozenset(
    re.findall(
        r"\S+",
        """
        with using in to as like without for from into on at by that which so when if instead via inside
        under only not
        """,
    )
)
_LEADS = {
    **dict.fromkeys(("i", "my", "me", "we", "our", "us"), "lead:i"),
    **dict.fromkeys(("you", "your", "u"), "lead:you"),
    **dict.fromkeys(("it", "that", "this", "they", "them", "these", "those"), "lead:it"),
}
_WIDTHS = (12, 20, 30, 45, 65, 90, 130, 180, 300)
_ENDINGS = {
    **dict.fromkeys(("?", "？", ""), "question"),
    **dict.fromkeys((":", "："), "ends:colon"),
    **dict.fromkeys(("!", "！"), "ends:bang"),
    **dict.fromkeys((".", "。"), "ends:stop"),
}
_ITEM, _PROSE, _HEADING = LineKind.ITEM, LineKind.PROSE, LineKind.HEADING


def evidence_of(clauses: Sequence[Clause], at: int, setting: Setting, text: str) -> set[str]:
    """Return the names of the evidence found in one clause and around it.

    Args:
        clauses: of the whole message.
        at: which of them.
        setting: the message.
        text: of the clause, without its openers where it is weighed without them.

    Cost: about 20 microseconds a clause.
    """
    clause = clauses[at]
    words = words_of(text)
    cues = find_cues(text, words)
    named = cue_names()
    found = {
        "kind:" + clause.kind,
        *setting.names,
        f"directives:{min(len(_DIRECTIVES.intersection(cues)), 3)}",
        f"details:{min(len(_DETAIL.intersection(words)), 4)}",
    }
    for name, place in cues.items():
        cue, lead = named[name]
        found.add(cue)
        if place == 0:
            found.add(lead)
    ideographs = ideographs_in(text)
    kana = ideographs > 0 and has_kana(text)
    found.update(forms_of(text, words, cue_words(), han=ideographs > 0, kana=kana))
    if words and words[0] in _LEADS:
        found.add(_LEADS[words[0]])
    _add_shape(found, text, ideographs)
    found.update(specifics_of(text, words, ideographs=ideographs, kana=kana))
    found.update(marks_of(text))
    _add_mentions(found, text, cues)
    _add_surroundings(found, clauses, at)
    _add_readings(found)
    return found


_STATING = frozenset(
    re.findall(
        r"\S+",
        """
        form:np form:past form:other form:first-person form:gerund form:number form:zh-i form:zh-it
        form:zh-other form:ja-state form:ja-other
        """,
    )
)
"""Forms that state rather than ask."""
_PLACED = frozenset(("has:url", "has:path", "has:assign", "pair", "kind:setting"))
_TROUBLED = frozenset(("cue:broken", "cue:error", "has:exception"))
_TELLING = frozenset(("cue:project", "cue:done", "cue:observe", "cue:fact"))


def _add_readings(found: set[str]) -> None:
    """What form and words say together: a complaint, a fact, a setting, a choice, an order."""
    orders = "directives:0" not in found
    if not _STATING.isdisjoint(found):
        if not _TROUBLED.isdisjoint(found):
            found.add("reads:ordered-complaint" if orders else "reads:complaint")
        elif not orders and not _TELLING.isdisjoint(found):
            found.add("reads:fact")
    if not orders and not _PLACED.isdisjoint(found):
        found.add("reads:setting")
    if "has:tech" in found:
        found.add(
            "reads:choice"
            if "cue:use" in found or "cue:choice" in found
            else "reads:tech-order"
            if orders
            else "reads:tech"
        )
    elif orders and _PLACED.isdisjoint(found) and _TROUBLED.isdisjoint(found):
        found.add("reads:order")
    if "cue:condition" in found and "cue:process" in found:
        found.add("reads:step")
    if "kind:item" in found and "has:code-name" in found and "has:dashed" in found:
        found.add("reads:listing")


def _add_shape(found: set[str], text: str, ideographs: int) -> None:
    """How long it is, how it ends, how it is set."""
    width = len(text) + 1.5 * ideographs
    if ideographs:
        if ideographs > 2:  # noqa: PLR2004  # one or two are names
            found.add("han")
        if text.endswith(("吗", "呢", "嗎")):
            found.add("question")
    found.add(f"width:{bisect_right(_WIDTHS, width)}")
    ending = _ENDINGS.get(text.rstrip("\"'”)*` ")[-1:])
    if ending:
        found.add(ending)
    if _BOLD_ONLY.fullmatch(text):
        found.add("bold-only")
    if _BARE_NAME.fullmatch(text):
        found.add("bare-name")
    if _PAIR.fullmatch(text):
        found.add("pair")


def _add_mentions(found: set[str], text: str, cues: dict[str, int]) -> None:
    """Addresses, paths, names of code, numbers, settings, technologies."""
    found.update(mentions_of(text))
    if "cue:condition" in found and AFTERWARDS.match(text):
        found.add("afterwards")
    named = technologies_in(text)
    if named:
        found.add("has:tech")
        if len(named) > 1:
            found.add("has:techs")
        if 2 * sum(map(len, named)) >= len(text):
            found.add("mostly-tech")
        if "use" in cues:
            found.add("use&tech")


def _add_surroundings(found: set[str], clauses: Sequence[Clause], at: int) -> None:
    """Where it stands: list, heading, place in the message."""
    clause = clauses[at]
    if clause.place > 0:
        found.add("later")
    elif clause.line == 0:
        found.add("first")
    if at == 0:
        found.add("opening")
    if at == len(clauses) - 1:
        found.add("closing")
    elif clause.kind is _ITEM and clauses[at + 1].indent > clause.indent:
        found.add("has-children")
    if clause.cut:
        found.add("cut")
    if clause.run > 1:
        found.add("run")
        if clause.run >= _LISTY:
            found.add("long-run")
    if clause.marker[:1].isdigit():
        found.add("numbered")
    if clause.indent > 1:
        found.add("indented")
    if clause.heading:
        found.add("headed")
        under, listed = _names_under(clause.heading[:120])
        found.update(under)
        if clause.run > 1:
            found.update(listed)


@lru_cache(maxsize=256)
def _names_under(heading: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The evidence that the cues of a heading are for what stands under it, and for a list under it."""
    cues = find_cues(heading)
    return tuple("under:" + cue for cue in cues), tuple("listed-under:" + cue for cue in cues)


_BOLD_ONLY = re.compile(r"\*\*[^*]{1,100}\*\*:?")
_BARE_NAME = re.compile(r"[`'\"@\[(]{0,2}[\w.@~:/\\#-]{3,160}[`'\"\])]{0,2}", re.ASCII)
_PAIR = re.compile(r"(?:\*\*)?[\w ./()#'-]{2,40}+(?:\*\*)?\s?[:：](?:\*\*)?\s{0,3}\S(?:\S|\s(?=\S)){0,80}")
