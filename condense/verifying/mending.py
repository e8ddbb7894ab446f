"""Mending: a summary made whole. What it lost is appended verbatim, what it made up is marked or taken out.

Never blocks and asks nobody: the result always holds every critical rule and the latest request. Everything is added
once, in one labelled block at the end; mending a mended summary changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from condense.reading import TextIndex, language_of
from condense.verifying.claims import BULLET, FindingKind
from condense.verifying.facts import Fact, FactKind
from condense.verifying.findings import NOWHERE, UNVERIFIED, is_disclaimed
from condense.verifying.verifying import is_retained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from condense.verifying.findings import Finding
    from condense.verifying.verifying import Verification

_WORDS = {
    "title": (
        "## Added after checking the summary against the conversation (verbatim)",
        "## 对照对话核对后的补充（原文）",
    ),
    FactKind.ASK: ("Latest request (the user's words):", "最新请求（用户原话）："),
    FactKind.RULE: ("Rules and facts the user gave:", "用户给出的规则与事实："),
    FactKind.ERROR: ("Errors:", "错误："),
    FactKind.PATH: ("Files:", "文件："),
    FactKind.IDENTIFIER: ("Names:", "名称："),
    FactKind.URL: ("Addresses:", "网址："),
    FactKind.NUMBER: ("Numbers:", "数字："),
    "mark": UNVERIFIED[:2],
    "doubt": UNVERIFIED[2:],
    "nowhere": NOWHERE,
}
LABELS = {code: {name: words[k] for name, words in _WORDS.items()} for k, code in enumerate(("en", "zh"))}
"""Our own words in a mended summary, in their order."""
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
    facts = dict.fromkeys((*verification.missing_critical, *verification.lost, *verification.retained))
    added: dict[Fact, str] = {}
    for fact in sorted(facts, key=lambda f: (not f.critical, -f.weight)):
        if not is_retained(fact, shown) and not any(fact.text in entry for entry in added.values()):
            more = {**added, fact: _entry(fact)}
            if fact.critical or count(_with_block(text, more, "", labels)) <= budget_tokens:
                added = more
    listed = "\n".join(line for line in text.split("\n") if line.startswith(NOWHERE))
    names = [f.text for f in verification.invented if f.kind not in _CLAIMS and f.text not in listed]
    nowhere = ", ".join(dict.fromkeys(names))
    whole = _with_block(text, added, nowhere, labels)
    return whole if not nowhere or count(whole) <= budget_tokens else _with_block(text, added, "", labels)


def _with_block(text: str, added: Mapping[Fact, str], nowhere: str, labels: Mapping[str, str]) -> str:
    """The text with a block of what is added, by kind, at its end; itself where nothing is."""
    lines: list[str] = []
    for kind in labels:
        entries = dict.fromkeys(entry for fact, entry in added.items() if fact.kind == kind)
        lines += [labels[kind], *entries] if entries else []
    lines += [f"{labels['nowhere']} {nowhere}"] if nowhere else []
    if not lines:
        return text
    title = [] if labels["title"] in text else [labels["title"]]
    head = [text.rstrip(), *([""] if title else [])] if text.strip() else []
    return "\n".join([*head, *title, *lines])


def _entry(fact: Fact) -> str:
    """One fact as it stands in the block: requests as they are, all else as a list item, names in their line."""
    if fact.kind is FactKind.ASK:
        return fact.text + "\n"
    if fact.kind is FactKind.RULE and fact.line:
        return f"- {fact.line}"
    line = " ".join(fact.line.split())
    return f"- {line if len(line) <= _LONGEST_LINE and fact.text in line else fact.text}"


def _disclaimed(summary: str, findings: Iterable[Finding], mark: str, *, remove: bool) -> str:
    """Mark or take out the lines that claim what nobody said, with the indented lines that belong to them."""
    lines = summary.split("\n")
    numbers = {f.line - 1 for f in findings if f.kind in _CLAIMS and f.line <= len(lines)}
    for number in sorted(numbers, reverse=True):
        line = lines[number]
        if remove:
            end = number + 1
            while end < len(lines) and lines[end][:1] in (" ", "\t") and not BULLET.match(lines[end]):
                end += 1
            del lines[number:end]
        elif not is_disclaimed(line):
            at = bullet.end() if (bullet := BULLET.match(line)) else 0
            lines[number] = f"{line[:at]}{mark} {line[at:]}"
    return "\n".join(lines)
