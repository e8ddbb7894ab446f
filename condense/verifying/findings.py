"""Findings: what a summary names or claims that nothing in the conversation bears out.

Two degrees. Invented: a path, address or identifier that is nowhere, a quote nobody typed, a rule nobody gave, an
attribution that nothing the person said bears out. Unsupported: what may be honest - a count, a product's name, a path
put together from parts that exist, a paraphrase, a quote that was altered or belongs to somebody else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading import RUN, NameKind, language_of, names_in, plain_path, read_run, squeezed
from condense.verifying.claims import ClaimKind, scan_of
from condense.verifying.sayings import script_of
from condense.verifying.versions import is_borne_out, is_contradicted, versions_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense.verifying.claims import Claim
    from condense.verifying.sources import Ground


class FindingKind(StrEnum):
    """What a summary says without ground."""

    RULE = "rule"
    QUOTE = "quote"
    ATTRIBUTION = "attribution"
    PATH = "path"
    URL = "url"
    IDENTIFIER = "identifier"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands in a summary and nowhere in its source.

    Attributes:
        kind: what it is.
        text: as the summary has it.
        line: 1-based line of the summary.
        reason: why it is not borne out.
    """

    kind: FindingKind
    text: str
    line: int
    reason: str


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
"""Shares of a quote's letters that make it the user's words (a mended typo), or these altered; chosen."""
_BORNE, _PART, _SLIGHTLY, _FAR = 0.8, 0.65, 0.4, 0.25
"""How well a rule in other words must be borne out to stand, an attribution to be a paraphrase, a rule to be one, and
what is told in another language not to be doubted; chosen."""
_SHORT_QUOTE, _MARK_WITHIN = 8, 80
_OPPOSITE = "the user said the opposite"
_FOREIGN = "told in another language than the user's"
_LOOSE = "a paraphrase that shares few words with the user's"
_UNHEARD = "the user said nothing like it"
_NOT_THEIRS = "it is in the source, but the user did not type it"
_NOWHERE = "nowhere in the source"
_OTHER_VERSION = "the source gives another version"
_NO_VERSION = "a version that is nowhere in the source"
_COUNT = "a number that is nowhere in the source; a count?"
_ELSEWHERE = "its parts are in the source, the path is not"

Judged = tuple[bool, Finding] | None
"""Whether it is invented, and the finding; None where nothing is wrong."""


def findings_of(summary: str, ground: Ground) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return what is invented and what is unsupported, claims before names, each in the summary's order."""
    scan = scan_of(summary, len(ground.messages))
    lines = summary.split("\n")
    claims = (claim for claim in scan.claims if not is_disclaimed(lines[claim.line]))
    judged = [_judge_claim(claim, lines[claim.line], ground) for claim in claims]
    known = ground.everything
    seen = {
        name.casefold() for _, line in scan.lines if line.startswith(NOWHERE) for name, _ in names_in(line)
    }
    for number, line in scan.lines:
        for version in versions_in(line):
            key = version.text.casefold()
            if key not in seen and not any(is_borne_out(version, text) for text in known.lower):
                other = any(is_contradicted(version, text) for text in known.lower)
                reason = _OTHER_VERSION if other else _NO_VERSION
                judged.append((other, Finding(FindingKind.NUMBER, version.text, number + 1, reason)))
            seen.add(key)
        for name, kind, is_cut in _outer_names(line):
            key = name.casefold()
            if key not in seen and not _HANDLE.search(key) and not (is_cut and known.contains(key)):
                seen.add(key)
                judged.append(_judge_name(name, kind, number, line, ground))
    found = dict.fromkeys(one for one in judged if one is not None)
    invented, unsupported = (
        tuple(f for is_made_up, f in found if is_made_up is made) for made in (True, False)
    )
    return invented, unsupported


def _outer_names(line: str) -> Iterator[tuple[str, NameKind, bool]]:
    """Yield the names of a line, without the names within them, and whether an ellipsis cuts them short."""
    for run in RUN.finditer(line):
        for name, kind in read_run(run.group())[:1]:
            before = line[max(0, run.start() - 2) : run.start()]
            is_cut = "…" in name or _CUT_AFTER.match(line, run.end()) or _CUT_BEFORE.search(before)
            yield name.rstrip("…"), kind, bool(is_cut)


_CUT_AFTER = re.compile(r" ?…|(?<=\.\.\.)")
_CUT_BEFORE = re.compile(r"… ?\Z")
_HANDLE = re.compile(r"hf_[0-9a-f]{12}")


def is_disclaimed(line: str) -> bool:
    """Tell whether a line says of itself that it is not to be believed."""
    return any(mark in line[:_MARK_WITHIN] for mark in UNVERIFIED)


def _judge_claim(claim: Claim, line: str, ground: Ground) -> Judged:
    """Return (is invented, finding), or None where the claim stands."""
    if len(squeezed(line)) >= _SHORT_QUOTE and squeezed(line) in ground.person.squeezed:
        return None
    if claim.kind is ClaimKind.ATTRIBUTION:
        return _judge_attribution(claim, line, ground)
    if claim.verbatim:
        return _judge_quote(claim, ground)
    return _judge_wording(claim, ground)


def _finding(claim: Claim, reason: str, text: str = "") -> Finding:
    said = text or claim.text or claim.kind.value
    return Finding(FindingKind(claim.kind.value), said, claim.line + 1, reason)


def _judge_attribution(claim: Claim, line: str, ground: Ground) -> Judged:
    """What is attributed to the person stands where some one message of theirs, or a yes, bears it out."""
    if claim.approval and not ground.agreed:
        repeated = ground.everything.holds(line)
        said = "the assistant said so, " if repeated else ""
        return not repeated, _finding(claim, f"{said}no yes of the user is there")
    share = ground.sayings.bear(claim.text, approval=claim.approval)
    if share >= 1.0:
        return (True, _finding(claim, _OPPOSITE)) if ground.sayings.deny(claim.text) else None
    if script_of(claim.text) != ground.sayings.script:
        return None if share >= _FAR else (False, _finding(claim, _FOREIGN))
    if share >= _PART:
        return False, _finding(claim, _LOOSE)
    return True, _finding(claim, "no yes of the user to it is there" if claim.approval else _UNHEARD)


def _judge_quote(claim: Claim, ground: Ground) -> Judged:
    """A quote stands on typed words, whole or in its pieces, with what the client put around them or without."""
    if _is_typed(claim.text, ground) or ground.is_framed(claim.text):
        return None
    if len(claim.pieces) > 1:
        judged = [_judge_piece(claim, piece, ground) for piece in claim.pieces]
        found = [j for j in judged if j is not None]
        return max(found, key=lambda j: j[0], default=None)
    return _judge_piece(claim, claim.text, ground)


def _is_typed(text: str, ground: Ground) -> bool:
    if len(squeezed(text)) < _SHORT_QUOTE:
        return ground.person.has_word(text.strip()) or ground.anchor.has_word(text.strip())
    return ground.person.nearly_holds(text, _SAME) or ground.anchor.nearly_holds(text, _SAME)


def _judge_piece(claim: Claim, text: str, ground: Ground) -> Judged:
    if _is_typed(text, ground):
        return None
    is_rule = claim.kind is ClaimKind.RULE
    if len(squeezed(text)) < _SHORT_QUOTE and not is_rule:
        known = ground.everything.has_word(text.strip()) and not _YES.search(text)
        return not known, _finding(claim, "the user did not type it", text)
    if is_rule and ground.instructions.nearly_holds(text, _SAME):
        return None
    if ground.person.nearly_holds(text, _ALTERED):
        return False, _finding(claim, "not quite what the user typed", text)
    if ground.everything.nearly_holds(text, _SAME):
        return is_rule, _finding(claim, _NOT_THEIRS, text)
    return True, _finding(claim, "nobody typed it", text)


_YES = re.compile(
    r"\A\W*(?:yes|yep|yeah|yup|ok(?:ay)?|sure|approved?|agreed|confirmed|lgtm|go|好|可以|同意|行|确认|是)",
    re.IGNORECASE,
)


def _judge_wording(claim: Claim, ground: Ground) -> Judged:
    """A rule or message told in other words stands when they share their words with the user's."""
    text, is_rule = claim.text, claim.kind is ClaimKind.RULE
    if is_rule and ground.sayings.deny(text):
        return True, _finding(claim, _OPPOSITE)
    sources = (ground.person, ground.anchor, *([ground.instructions] if is_rule else []))
    share = ground.sayings.bear(text)
    if share >= _BORNE or any(source.nearly_holds(text, _ALTERED) for source in sources):
        return None
    if is_rule and ground.everything.nearly_holds(text, _SAME):
        return True, _finding(claim, _NOT_THEIRS)
    if share >= _SLIGHTLY:
        return False, _finding(claim, _LOOSE)
    foreign = language_of([text]) != language_of(ground.texts(*ground.PERSON))
    return not foreign, _finding(claim, _FOREIGN if foreign else _UNHEARD)


def _judge_name(name: str, kind: NameKind, line: int, text: str, ground: Ground) -> Judged:
    """Judge a name: nothing is said of one that is known or too plain to tell."""
    known = ground.everything
    match kind:
        case NameKind.SLASHED:
            return None
        case NameKind.URL:
            bare = re.sub(r"\A[a-z+]{2,9}://(?:www\.)?", "", name, flags=re.IGNORECASE).rstrip("/")
            found = Finding(FindingKind.URL, name, line + 1, _NOWHERE)
            return None if known.has_word(bare) else (True, found)
        case NameKind.PATH | NameKind.FILE:
            return _judge_path(name, line, text, ground)
        case NameKind.NUMBER | NameKind.VERSION:
            missing = next((n for n in _NUMBER.findall(name) if not known.has_number(n)), None)
            return (False, Finding(FindingKind.NUMBER, missing, line + 1, _COUNT)) if missing else None
        case _:
            code = _is_unknown_code(name, kind, ground, ticked=f"`{name}`" in text)
            return None if code is None else (code, Finding(FindingKind.IDENTIFIER, name, line + 1, _NOWHERE))


_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9}){2,4}|\d{4}-\d{2}-\d{2}|(?<![\d.])\d{3,}(?![\d.])", re.ASCII)
"""Versions of three parts, dates, numbers of three digits and more; "3-day" and "1.5-2" say nothing."""

_CODE = re.compile(r"[_$]|\A[a-z]+[A-Z]")


def _is_unknown_code(name: str, kind: NameKind, ground: Ground, *, ticked: bool) -> bool | None:
    """Return whether an unknown name is code for certain; None where it is known or a plain compound."""
    known = ground.everything
    if known.has_name(name) or ".." in name or (kind is NameKind.HASH and known.contains(name.casefold())):
        return None
    if kind is NameKind.DOTTED and all(known.has_word(part) for part in name.split(".")):
        return None
    if kind is NameKind.KEBAB:
        return False if ticked else None
    return ticked or kind is not NameKind.IDENTIFIER or bool(_CODE.search(name))


def _judge_path(name: str, line: int, text: str, ground: Ground) -> Judged:
    known = ground.everything
    if known.has_path(name, bare=True):
        return None
    parts = [part for part in plain_path(name).split("/") if part]
    is_file = bool(_FILE_END.search(name))
    has_parts = all(known.has_word(part) for part in parts)
    if not is_file and (has_parts or all(part.isdigit() for part in parts)):
        return None  # "error/warning/info": words, not a path
    if len(parts) > 1 and has_parts:
        return (False, Finding(FindingKind.PATH, name, line + 1, _ELSEWHERE))
    rooted = text[max(0, text.find(name) - 1) : text.find(name)] in ("/", "~", "\\")
    return (is_file or rooted, Finding(FindingKind.PATH, name, line + 1, _NOWHERE))


_FILE_END = re.compile(r"\.[A-Za-z]\w{0,7}\Z", re.ASCII)
