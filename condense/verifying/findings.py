"""Findings: what a summary names or claims that nothing in the conversation bears out.

Two degrees. Invented: a path, address or identifier that is nowhere, a quote nobody typed, a rule nobody gave, an
attribution that nothing the person said bears out. Unsupported: what may be honest - a count, a product's name, a path
put together from parts that exist, a paraphrase, a quote that was altered or belongs to somebody else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from condense.reading import RUN, NameKind, language_of, names_in, plain_path, read_run, squeezed
from condense.verifying.claims import scan_of
from condense.verifying.facts import KIND_OF_NAME, Kind
from condense.verifying.sayings import script_of
from condense.verifying.sources import assents
from memory.extraction import technology_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense.verifying.claims import Claim
    from condense.verifying.sources import Ground


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands in a summary and nowhere in its source."""

    kind: Kind  # what it is
    text: str  # as the summary has it
    line: int  # 1-based line of the summary
    reason: str  # why it is not borne out


UNVERIFIED = (
    "[unverified: nobody said this]",
    "【未经证实：没有人这样说过】",
    "[unverified: not found in what the user said]",
    "【未经证实：用户的话中未见】",
)
"""What stands at the beginning of a line that is not to be believed; claims on such lines are disclaimed."""
NOWHERE = ("Nowhere in the conversation:", "对话中从未出现：")
"""How the line begins that lists names without ground; they are disclaimed too."""

_SAME, _ALTERED = 0.9, 0.6
"""Shares of a quote's letters that make it the user's words (a mended typo), or these altered."""
_BORNE, _PART, _SLIGHTLY, _FAR = 0.8, 0.65, 0.4, 0.25
"""How well a rule in other words must be borne out to stand, an attribution to be a paraphrase, a rule to be one, and
what is told in another language not to be doubted (all chosen)."""
_SHORT_QUOTE, _MARK_WITHIN = 8, 80
_OPPOSITE = "the user said the opposite"
_FOREIGN = "told in another language than the user's"
_LOOSE = "a paraphrase that shares few words with the user's"
_UNHEARD = "the user said nothing like it"
_NOT_THEIRS = "it is in the source, but the user did not type it"
_NOWHERE = "nowhere in the source"

Verdict = tuple[bool, str] | None
"""Whether it is invented, and why it is not borne out; None where nothing is wrong."""


def findings_of(summary: str, ground: Ground) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return what is invented and what is unsupported, claims before names, each in the summary's order."""
    named, claims = scan_of(summary, len(ground.messages))
    lines, known = summary.split("\n"), ground.everything
    found: dict[Finding, bool] = {}

    def note(kind: Kind, text: str, line: int, verdict: Verdict) -> None:
        if verdict is not None:
            found.setdefault(Finding(kind, text or kind, line + 1, verdict[1]), verdict[0])

    for claim in claims:
        if not is_disclaimed(lines[claim.line]):
            text, verdict = _judge_claim(claim, lines[claim.line], ground)
            note(claim.kind, text, claim.line, verdict)
    listed = (line for _, line in named if line.startswith(NOWHERE))
    seen = {name.casefold() for line in listed for name, _ in names_in(line)}
    for number, line in named:
        for version in versions_in(line):
            key = version.text.casefold()
            if key not in seen and not any(is_borne_out(version, text) for text in known.lower):
                other = any(is_contradicted(version, text) for text in known.lower)
                why = "the source gives another version" if other else "a version that is nowhere in the source"
                note(Kind.NUMBER, version.text, number, (other, why))
            seen.add(key)
        for name, kind, is_cut in _outer_names(line):
            key = name.casefold()
            if key not in seen and not _HANDLE.search(key) and not (is_cut and known.contains(key)):
                seen.add(key)
                text, verdict = _judge_name(name, kind, line, ground)
                note(KIND_OF_NAME.get(kind, Kind.PATH), text, number, verdict)
    invented = tuple(finding for finding, is_made_up in found.items() if is_made_up)
    return invented, tuple(finding for finding, is_made_up in found.items() if not is_made_up)


def _outer_names(line: str) -> Iterator[tuple[str, NameKind, bool]]:
    for run in RUN.finditer(line):
        for name, kind in read_run(run.group())[:1]:
            before = line[max(0, run.start() - 2) : run.start()].rstrip(" ")
            is_cut = "…" in name or before.endswith("…") or _CUT_AFTER.match(line, run.end())
            yield name.rstrip("…"), kind, bool(is_cut)


_CUT_AFTER = re.compile(r" ?…|(?<=\.\.\.)")
_HANDLE = re.compile(r"hf_[0-9a-f]{12}")


def is_disclaimed(line: str) -> bool:
    """Tell whether a line says of itself that it is not to be believed."""
    return any(mark in line[:_MARK_WITHIN] for mark in UNVERIFIED)


def _judge_claim(claim: Claim, line: str, ground: Ground) -> tuple[str, Verdict]:
    if len(squeezed(line)) >= _SHORT_QUOTE and squeezed(line) in ground.person.squeezed:
        return "", None
    if claim.kind is Kind.ATTRIBUTION:
        return claim.text, _judge_attribution(claim, line, ground)
    if not claim.verbatim:
        return claim.text, _judge_wording(claim, ground)
    if _is_typed(claim.text, ground) or ground.is_framed(claim.text):
        return "", None
    pieces = claim.pieces if len(claim.pieces) > 1 else (claim.text,)
    judged = [(piece, _judge_quote(piece, ground, is_rule=claim.kind is Kind.RULE)) for piece in pieces]
    wrong = [(piece, verdict) for piece, verdict in judged if verdict is not None]
    return max(wrong, key=lambda one: one[1][0], default=("", None))


def _judge_attribution(claim: Claim, line: str, ground: Ground) -> Verdict:
    if claim.approval and not ground.agreed:
        repeated = ground.everything.holds(line)
        return not repeated, f"{'the assistant said so, ' if repeated else ''}no yes of the user is there"
    share = ground.sayings.bear(claim.text, approval=claim.approval)
    if share >= 1.0:
        return (True, _OPPOSITE) if ground.sayings.deny(claim.text) else None
    if script_of(claim.text) != ground.sayings.script:
        return None if share >= _FAR else (False, _FOREIGN)
    if share >= _PART:
        return False, _LOOSE
    return True, "no yes of the user to it is there" if claim.approval else _UNHEARD


def _is_typed(text: str, ground: Ground) -> bool:
    if len(squeezed(text)) < _SHORT_QUOTE:
        return any(said.has_word(text.strip()) for said in (ground.person, ground.anchor))
    return any(said.nearly_holds(text, _SAME) for said in (ground.person, ground.anchor))


def _judge_quote(text: str, ground: Ground, *, is_rule: bool) -> Verdict:
    if _is_typed(text, ground):
        return None
    if len(squeezed(text)) < _SHORT_QUOTE and not is_rule:
        may_be_other = ground.everything.has_word(text.strip()) and not assents(text)
        return not may_be_other, "the user did not type it"
    if is_rule and ground.instructions.nearly_holds(text, _SAME):
        return None
    if ground.person.nearly_holds(text, _ALTERED):
        return False, "not quite what the user typed"
    if ground.everything.nearly_holds(text, _SAME):
        return is_rule, _NOT_THEIRS
    return True, "nobody typed it"


def _judge_wording(claim: Claim, ground: Ground) -> Verdict:
    text, is_rule = claim.text, claim.kind is Kind.RULE
    if is_rule and ground.sayings.deny(text):
        return True, _OPPOSITE
    share = ground.sayings.bear(text)
    sources = (ground.person, ground.anchor, *([ground.instructions] if is_rule else []))
    if share >= _BORNE or any(source.nearly_holds(text, _ALTERED) for source in sources):
        return None
    if is_rule and ground.everything.nearly_holds(text, _SAME):
        return True, _NOT_THEIRS
    if share >= _SLIGHTLY:
        return False, _LOOSE
    foreign = language_of([text]) != language_of(ground.texts(*ground.PERSON))
    return not foreign, _FOREIGN if foreign else _UNHEARD


def _judge_name(name: str, kind: NameKind, line: str, ground: Ground) -> tuple[str, Verdict]:
    """Judge a name; nothing is said of one that is known or too plain to tell. The text is what of it is unknown."""
    known, ticked = ground.everything, f"`{name}`" in line
    match kind:
        case NameKind.SLASHED:
            return "", None
        case NameKind.URL:
            bare = re.sub(r"\A[a-z+]{2,9}://(?:www\.)?", "", name, flags=re.IGNORECASE).rstrip("/")
            return name, None if known.has_word(bare) else (True, _NOWHERE)
        case NameKind.PATH | NameKind.FILE:
            return name, _judge_path(name, line, ground)
        case NameKind.NUMBER | NameKind.VERSION:
            missing = next((n for n in _NUMBER.findall(name) if not known.has_number(n)), "")
            return missing, (False, "a number that is nowhere in the source; a count?") if missing else None
        case NameKind.KEBAB if not ticked:
            return "", None
    is_known = known.has_name(name) or ".." in name
    is_known |= kind is NameKind.HASH and known.contains(name.casefold())
    is_known |= kind is NameKind.DOTTED and all(known.has_word(part) for part in name.split("."))
    is_code = kind is not NameKind.KEBAB and (
        ticked or kind is not NameKind.IDENTIFIER or _CODE.search(name) is not None
    )
    return name, None if is_known else (is_code, _NOWHERE)


_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9}){2,4}|\d{4}-\d{2}-\d{2}|(?<![\d.])\d{3,}(?![\d.])", re.ASCII)
"""Versions of three parts, dates, numbers of three digits and more; "3-day" and "1.5-2" say nothing."""
_CODE = re.compile(r"[_$]|\A[a-z]+[A-Z]")
_FILE_END = re.compile(r"\.[A-Za-z]\w{0,7}\Z", re.ASCII)


def _judge_path(name: str, line: str, ground: Ground) -> Verdict:
    known = ground.everything
    if known.has_path(name, bare=True):
        return None
    parts = [part for part in plain_path(name).split("/") if part]
    is_file = _FILE_END.search(name) is not None
    has_parts = all(known.has_word(part) for part in parts)
    if not is_file and (has_parts or all(part.isdigit() for part in parts)):
        return None  # "error/warning/info": words, not a path
    if len(parts) > 1 and has_parts:
        return False, "its parts are in the source, the path is not"
    at = line.find(name)
    return is_file or line[max(0, at - 1) : at] in ("/", "~", "\\"), _NOWHERE


# Versions (Python 3.9, Node 20, v2.1, 版本 2.1): of few digits a number is anywhere by chance, so it is one only where
# a word says so: a technology before it, "version", or a "v". Of three parts, it is a name of its own.
_COUNTED = r"(?! (?!is\b|was\b|has\b|as\b|this\b)[a-z]{2,20}s\b|\s?[个次行条项张台份種种倍分秒])"
"""After a whole number: what is counted ("Redis 5 times"), or a verb as it might be."""
_END = r"(?![\w%…]|\.\d|-\w| ?…)"
_AFTER_NAME = re.compile(
    rf"(?: ?(?:version )?[v^~]?|@[v^~]?| ?[=><~]=? ?|-)(?P<number>\d{{1,3}}(?:\.\d{{1,4}}|{_COUNTED})){_END}",
    re.ASCII | re.IGNORECASE,
)
_GLUED = re.compile(r"(?P<word>[A-Za-z]{2,20})-?(?P<number>\d{1,3}\.\d{1,4})\Z", re.ASCII)
_BY_WORD = re.compile(
    r"(?:(?<![\w./-])(?:versions?|release) v?|版本号?\s?[:：]?\s?v?|(?<![\w./@-])v)"
    rf"(?P<number>\d{{1,3}}(?:\.\d{{1,4}})?){_END}",
    re.ASCII | re.IGNORECASE,
)
_BESIDE = r"\W{0,8}(?:version\W{0,4})?v?"
"""What may stand between a name and its version in a source: blanks, quotes, colons, comparisons."""


class Version(NamedTuple):
    """A version as written, the name of the technology ("" where only "version" or "v" says it is one), its number."""

    text: str
    word: str
    number: str


def versions_in(line: str) -> Iterator[Version]:
    """Yield the versions of one or two parts that a line names; linear."""
    taken: set[int] = set()
    for mention in technology_mentions(line) if any(map(str.isdigit, line)) else ():
        named = line[mention.start : mention.end]
        if glued := _GLUED.match(named):
            yield Version(named, glued["word"], glued["number"])
        elif found := _AFTER_NAME.match(line, mention.end):
            taken.add(found.start("number"))
            yield Version(line[mention.start : found.end()], named, found["number"])
    for found in _BY_WORD.finditer(line):
        if found.start("number") not in taken:
            yield Version(found[0], "", found["number"])


def is_borne_out(version: Version, text: str) -> bool:
    """Tell whether a lower-case text has a version, beside its name or where the number says enough by itself."""
    whole, _, part = version.number.partition(".")
    number = rf"(?<![\d.]){re.escape(version.number)}(?!\d)|[a-z]{{2}}-?{whole}{part}(?!\d)"  # also py39, net48
    if part and re.search(number, text):
        return True
    before = _named(version.word) + _BESIDE if version.word else r"(?<![\w.])"
    pattern = rf"(?<![a-z])v{whole}(?!\d)|(?<![\d.]){whole}\.(?:\d|x)|{before}{whole}(?!\d)"
    return not part.strip("0") and re.search(pattern, text) is not None


def is_contradicted(version: Version, text: str) -> bool:
    """Tell whether a lower-case text gives another version of the same thing right behind its name."""
    other = rf"{_named(version.word)}{_BESIDE}\d{{1,3}}(?:\.\d|(?![\w.]))"
    return bool(version.word) and re.search(other, text) is not None


def _named(word: str) -> str:
    """A pattern for a name in a lower-case text, or by its beginning: postgres and PostgreSQL, node and Node.js."""
    begin = re.match(r"\w{1,6}", word.lower())
    like = rf"|{begin[0]}\w{{0,9}}(?:\.?js)?" if begin else ""
    return rf"(?<!\w)(?:{re.escape(word.lower())}{like})"
