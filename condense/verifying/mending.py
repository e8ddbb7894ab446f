"""Mending: a summary made whole. What it lost is appended verbatim, what it made up is marked or taken out.

Never blocks and asks nobody: the result always holds every critical rule and the latest request. Everything is added
once, in one labelled block at the end; mending a mended summary changes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from condense.reading import TextIndex, language_of
from condense.verifying.facts import Fact, FactKind
from condense.verifying.findings import NOWHERE, UNVERIFIED, FindingKind, is_disclaimed
from condense.verifying.verifying import is_retained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from condense.verifying.findings import Finding
    from condense.verifying.verifying import Verification

LABELS = {
    "en": {
        "title": "## Added after checking the summary against the conversation (verbatim)",
        FactKind.ASK: "Latest request (the user's words):",
        FactKind.RULE: "Rules and facts the user gave:",
        FactKind.ERROR: "Errors:",
        FactKind.PATH: "Files:",
        FactKind.IDENTIFIER: "Names:",
        FactKind.URL: "Addresses:",
        FactKind.NUMBER: "Numbers:",
        "mark": UNVERIFIED[0],
        "doubt": UNVERIFIED[2],
        "nowhere": NOWHERE[0],
    },
    "zh": {
        "title": "## 对照对话核对后的补充（原文）",
        FactKind.ASK: "最新请求（用户原话）：",
        FactKind.RULE: "用户给出的规则与事实：",
        FactKind.ERROR: "错误：",
        FactKind.PATH: "文件：",
        FactKind.IDENTIFIER: "名称：",
        FactKind.URL: "网址：",
        FactKind.NUMBER: "数字：",
        "mark": UNVERIFIED[1],
        "doubt": UNVERIFIED[3],
        "nowhere": NOWHERE[1],
    },
}
"""Our own words in a mended summary."""

_ORDER = (
    FactKind.ASK,
    FactKind.RULE,
    FactKind.ERROR,
    FactKind.PATH,
    FactKind.IDENTIFIER,
    FactKind.URL,
    FactKind.NUMBER,
)
_CLAIMS = (FindingKind.RULE, FindingKind.QUOTE, FindingKind.ATTRIBUTION)
_LONGEST_LINE = 160
"""Characters of a source line that is quoted for the name in it; of longer ones only the name (chosen)."""


def mend(
    summary: str,
    verification: Verification,
    *,
    budget_tokens: int,
    count: Callable[[str], int],
    language: Literal["auto", "en", "zh"] = "auto",
    invented: Literal["mark", "remove"] = "mark",
) -> str:
    """Return a summary with what it lost and without what it made up.

    Args:
        summary: the text that was verified.
        verification: what `verify` found.
        budget_tokens: tokens the whole result may have. Critical rules and the latest request are added even beyond it.
        count: counts tokens.
        language: of our labels; "auto" follows the summary.
        invented: what to do with lines that quote, rule or confirm what nobody said: "mark" begins them with a
            warning, "remove" takes them out.

    Cost: one count of the result for each fact that is added.
    """
    labels = LABELS[language_of([summary]) if language == "auto" else language]
    doubtful = [f for f in verification.unsupported if f.kind is FindingKind.ATTRIBUTION]
    text = _disclaimed(summary, doubtful, labels["doubt"], remove=False)
    text = _disclaimed(text, verification.invented, labels["mark"], remove=invented == "remove")
    shown = TextIndex([text])
    wanted = [fact for fact in _by_weight(verification) if not is_retained(fact, shown)]
    block = _Block(text, labels)
    for fact in wanted:
        if not block.add(fact):
            continue
        if not fact.critical and count(block.render()) > budget_tokens:
            block.drop(fact)
    names = [f.text for f in verification.invented if f.kind not in _CLAIMS and f.text not in _listed(text)]
    if names:
        block.nowhere = ", ".join(dict.fromkeys(names))
        if count(block.render()) > budget_tokens:
            block.nowhere = ""
    return block.render()


def _by_weight(verification: Verification) -> tuple[Fact, ...]:
    """All facts that must be in sight: the critical ones, what is lost, and what was there before lines went."""
    facts = (*verification.missing_critical, *verification.lost, *verification.retained)
    return tuple(sorted(dict.fromkeys(facts), key=lambda f: (not f.critical, -f.weight)))


def _listed(text: str) -> str:
    """The lines that already list names without ground."""
    return "\n".join(line for line in text.split("\n") if line.startswith(NOWHERE))


class _Block:
    """The appended block while it grows."""

    def __init__(self, text: str, labels: Mapping[str, str]) -> None:
        self._text = text
        self._labels = labels
        self._entries: dict[FactKind, dict[Fact, str]] = {kind: {} for kind in _ORDER}
        self.nowhere = ""

    def add(self, fact: Fact) -> bool:
        """Take a fact in, unless what was added before says it already."""
        if any(fact.text in entry for own in self._entries.values() for entry in own.values()):
            return False
        self._entries[fact.kind][fact] = _entry(fact)
        return True

    def drop(self, fact: Fact) -> None:
        """Take a fact out again."""
        del self._entries[fact.kind][fact]

    def render(self) -> str:
        """The whole text; the summary untouched where nothing is to be added."""
        lines: list[str] = []
        for kind in _ORDER:
            entries = dict.fromkeys(self._entries[kind].values())
            if entries:
                lines += [self._labels[kind], *entries]
        if self.nowhere:
            lines.append(f"{self._labels['nowhere']} {self.nowhere}")
        if not lines:
            return self._text
        title = self._labels["title"]
        head = [self._text.rstrip()] if self._text.strip() else []
        head += [] if title in self._text else ["", title] if head else [title]
        return "\n".join([*head, *lines])


def _entry(fact: Fact) -> str:
    """One fact as it stands in the block: requests as they are, all else as a list item, names in their line."""
    if fact.kind is FactKind.ASK:
        return fact.text + "\n"
    if fact.kind is FactKind.RULE and fact.line:
        return f"- {fact.line}"
    line = " ".join(fact.line.split())
    return f"- {line}" if line and len(line) <= _LONGEST_LINE and fact.text in line else f"- {fact.text}"


_BULLET = re.compile(r"\s{0,24}(?:[-*•·>]\s{1,4}|\(?\d{1,3}[.)、]\s{0,4})?")


def _disclaimed(summary: str, findings: Iterable[Finding], mark: str, *, remove: bool) -> str:
    """Mark or take out the lines that claim what nobody said."""
    lines = summary.split("\n")
    numbers = {f.line - 1 for f in findings if f.kind in _CLAIMS and f.line <= len(lines)}
    for number in sorted(numbers, reverse=True):
        line = lines[number]
        if remove:
            del lines[number : _item_end(lines, number)]
        elif not is_disclaimed(line):
            bullet = _BULLET.match(line)
            at = bullet.end() if bullet else 0
            lines[number] = f"{line[:at]}{mark} {line[at:]}"
    return "\n".join(lines)


def _item_end(lines: list[str], number: int) -> int:
    """The line after a list item and the indented lines that belong to it."""
    end = number + 1
    while end < len(lines) and lines[end][:1] in (" ", "\t") and not _MARKER.match(lines[end]):
        end += 1
    return end


_MARKER = re.compile(r"\s{0,24}(?:[-*•·>]\s|\(?\d{1,3}[.)、])")
