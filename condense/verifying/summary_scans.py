"""What of a summary is read for what: lines for names, and claims; our own ledgers by their fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from condense.ledger import CRITICAL_MARK, EXCERPT_SECTIONS, LINE_SECTIONS, ledger_at
from condense.reading import OPENING
from condense.verifying.claims import Claim, ClaimKind, claims_of
from memory.consolidation import unmarked

if TYPE_CHECKING:
    from condense.ledger import Ledger

_CLIENT_LINES = (
    "This session is being continued from a previous conversation",
    "If you need specific details from before compaction",
    "Continue the conversation from where it left off",
    "Please continue the conversation from where we left off",
)
"""What Claude Code puts around a summary; not part of it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What of a summary is read for what: lines for names, and claims."""

    lines: tuple[tuple[int, str], ...]
    claims: tuple[Claim, ...]


def scan_of(summary: str, messages: int = 0) -> Scan:
    """Read a summary; our own ledgers by their fields, all else by its wording.

    Args:
        summary: the text.
        messages: of the source; "#12" names one of them where there are as many.
    """
    lines: list[tuple[int, str]] = []
    claims: list[Claim] = []
    at = 0
    while at < len(summary):
        start = summary.find(OPENING, at)
        found = ledger_at(summary, start) if start >= 0 else None
        _read_prose(summary[at : start if found else len(summary)], summary.count("\n", 0, at), lines, claims)
        if found is None:
            break
        at = found[1]
        _read_fields(found[0], summary, (start, at), lines, claims)
    named = (
        (at, _OUR_NUMBER.sub(lambda m: "#" if int(m[0][1:]) <= messages else m[0], t)) for at, t in lines
    )
    return Scan(tuple(named), tuple(claims))


def _read_prose(text: str, line: int, lines: list[tuple[int, str]], claims: list[Claim]) -> None:
    lines += [(line + n, t) for n, t in enumerate(text.split("\n")) if not t.startswith(_CLIENT_LINES)]
    claims += [replace(claim, line=claim.line + line) for claim in claims_of(text)]


def _read_fields(
    ledger: Ledger, summary: str, span: tuple[int, int], lines: list[tuple[int, str]], claims: list[Claim]
) -> None:
    """Read a ledger: what is quoted is a claim, what was computed holds names, what a model wrote is prose."""
    first = summary.count("\n", 0, span[0])

    def line_of(text: str) -> int:
        return first + summary.count("\n", span[0], max(span[0], summary.find(text, *span)))

    texts = [text for name in LINE_SECTIONS for text in getattr(ledger, name)]
    texts += [excerpt.body for name in EXCERPT_SECTIONS for excerpt in getattr(ledger, name)]
    texts += [said.text for said in (ledger.brief, *ledger.notes) if said is not None]
    for text in texts:
        lines += [(line_of(text) + n, _OUR_NUMBER.sub("#", t)) for n, t in enumerate(text.split("\n"))]
    if ledger.narrative:
        _read_prose(ledger.narrative, line_of(ledger.narrative), lines, claims)
    said = [(ClaimKind.QUOTE, said.text, said.text) for said in ledger.quotes]
    rules = (*ledger.rules, *ledger.asked, *ledger.project)
    said += [(ClaimKind.RULE, unmarked(rule.removeprefix(CRITICAL_MARK)), rule) for rule in rules]
    claims += [Claim(kind, text, line_of(whole), verbatim=True) for kind, text, whole in said]


_OUR_NUMBER = re.compile(r"(?<!\w)#\d{1,9}\b")
"""How our ledgers number messages."""
