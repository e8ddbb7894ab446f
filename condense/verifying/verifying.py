"""Verifying: what any summary kept, lost and made up, held against the conversation it stands for; and its mending.

The summary may be ours, a model's or another agent's. Facts of the source (`facts`) are retained, recoverable or lost;
what the summary names or claims without ground is invented, or unsupported where it may be a count, a proposal or a
paraphrase. What is lost can be appended verbatim, what is made up marked or taken out: the result always holds every
critical rule and the latest request. Deterministic, without a model; nothing is raised whatever the texts are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import orjson

from condense.reading import TextIndex, content_handle, handle_of, language_of, squeezed
from condense.verifying.claims import BULLET
from condense.verifying.facts import Fact, Kind, facts_of
from condense.verifying.findings import NOWHERE, UNVERIFIED, Finding, findings_of, is_disclaimed
from condense.verifying.sources import Ground, Voice, strings_of
from memory.conversation import Message, canonical_json, parse_messages
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.entries import MemoryEntry

Lookup = Callable[[str], "bytes | str | None"]
"""Returns the original under a handle, or None (or raises LookupError) when there is none."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome, every list most important first; `unsupported` may be honest: counts, paraphrases."""

    retained: tuple[Fact, ...] = ()  # facts that stand in the summary or in messages kept beside it
    recoverable: tuple[Fact, ...] = ()  # by a handle or a file that is named
    lost: tuple[Fact, ...] = ()  # facts that are gone
    invented: tuple[Finding, ...] = ()  # names and claims without any ground
    unsupported: tuple[Finding, ...] = ()

    @property
    def missing_critical(self) -> tuple[Fact, ...]:
        """Critical rules and the latest request that are not in sight, recoverable or not."""
        return tuple(fact for fact in (*self.lost, *self.recoverable) if fact.critical)

    @property
    def ok(self) -> bool:
        """Nothing critical is missing, nothing is invented."""
        return not self.missing_critical and not self.invented

    def rows(self) -> tuple[tuple[str, int, int, int, int, int], ...]:
        """Return (kind, retained, recoverable, lost, invented, unsupported), one row a kind that occurs."""
        kinds = dict.fromkeys([*map(str, Kind), *map(str, Kind)])
        lists = [getattr(self, name) for name in self.__slots__]
        rows = [(kind, *(sum(entry.kind == kind for entry in entries) for entries in lists)) for kind in kinds]
        return tuple(row for row in rows if any(row[1:]))

    def table(self, limit: int = 10) -> str:
        """Return the rows as text, then the first of what is lost, invented and unsupported."""
        lines = [" " * 14 + "".join(f"{name:>13}" for name in self.__slots__)]
        lines += [f"{row[0]:<14}" + "".join(f"{count:>13}" for count in row[1:]) for row in self.rows()]
        for title in self.__slots__[2:]:
            entries = getattr(self, title)
            lines += [f"\n{title}:"] if entries else []
            lines += [_entry_line(entry) for entry in entries[:limit]]
            lines += [f"  ... and {len(entries) - limit} more"] if len(entries) > limit else []
        return "\n".join(lines)


def _entry_line(entry: Fact | Finding) -> str:
    text = " ".join(entry.text.split())
    text = text if len(text) <= _TABLE_TEXT else text[: _TABLE_TEXT - 1] + "…"
    if isinstance(entry, Finding):
        return f"  {entry.kind:<13} line {entry.line}: {text}  ({entry.reason})"
    return f"  {entry.kind:<13} {'critical: ' if entry.critical else ''}{text}"


_TABLE_TEXT = 100


def verify(
    summary: str,
    source: Sequence[Message | Mapping[str, Any]],
    *,
    memories: Iterable[MemoryEntry] = (),
    recoverable: Iterable[str] | Lookup = (),
    kept: Sequence[Message | Mapping[str, Any]] = (),
) -> Verification:
    """Hold a summary against its source; linear in source, summary and kept messages.

    Args:
        summary: any text.
        source: the messages it stands for, in any form. Earlier summaries among them are no source of facts; what is
            taken over from them is not invented either.
        memories: what is remembered of the user's words; the active ones are the rules that must be there.
        recoverable: handles that can be fetched, or a function that fetches one; they count where they are named.
        kept: messages that stay beside the summary.
    """
    entries = tuple(memories)
    ground = Ground(parse_messages(source), entries)
    near = Ground(parse_messages(kept))
    listed = (summary, *near.texts(*Ground.PERSON, Voice.ANCHOR))
    shown = TextIndex((summary, *near.texts(*Voice), *(item for text in listed for item in carried_in(text))))
    named = dict.fromkeys(handle for text in shown.lower for handle in _HANDLE.findall(text))
    if callable(recoverable):
        handles, fetched = frozenset[str](), TextIndex(_fetched(named, recoverable))
    else:
        handles, fetched = frozenset(map(str.casefold, recoverable)) & frozenset(named), TextIndex(())

    def is_again(fact: Fact) -> bool:
        """By a handle or a file that is named."""
        sources = [ground.messages[index] for index in fact.messages] if handles else ()
        names = (
            name for m in sources for name in (content_handle(canonical_json(m.original)), handle_of(m.digest))
        )
        by_file = fact.kind in (Kind.IDENTIFIER, Kind.NUMBER)
        near_by = by_file and any(shown.has_path(path) for path in fact.files)
        return near_by or not handles.isdisjoint(names) or is_retained(fact, fetched)

    retained, again, lost = list[Fact](), list[Fact](), list[Fact]()
    for fact in facts_of(ground, entries):
        (retained if is_retained(fact, shown) else again if is_again(fact) else lost).append(fact)
    return Verification(tuple(retained), tuple(again), tuple(lost), *findings_of(summary, ground))


_HANDLE = re.compile(r"hf_[0-9a-f]{12}")


def _fetched(handles: Iterable[str], lookup: Lookup) -> Iterator[str]:
    for handle in handles:
        try:
            content = lookup(handle)
        except LookupError:
            continue
        try:
            yield "\n".join(strings_of(orjson.loads(content or b"null")))
        except orjson.JSONDecodeError:
            yield content.decode("utf-8", "replace") if isinstance(content, bytes) else content or ""


_COMMON_FILE = re.compile(
    r"(?:\A|[/\\])(?:__init__|__main__|index|main|mod|lib|setup|conftest|page|layout|types?|utils?|config|README"
    r"|package|Makefile|Dockerfile)(?:\.\w{1,8})?\Z",
    re.IGNORECASE,
)
"""Files of which every folder has one: their name alone does not say which is meant."""
_TELLING_MEMBER, _TELLING_MESSAGE, _TELLING_RUN, _ERROR_SHARE = 5, 16, 32, 0.7
"""Letters of the last member of a dotted name that says enough by itself. An error line is kept when 70 % of its long
stretch between colons (16 letters at least) or any run of 32 letters of it is: the message without the path in front
and the list behind (chosen)."""


def is_retained(fact: Fact, shown: TextIndex) -> bool:
    """Tell whether a text holds a fact; requests and rules in all their letters."""
    text = fact.text
    match fact.kind:
        case Kind.RULE | Kind.ASK:
            return shown.holds(text)
        case Kind.PATH:
            return shown.has_path(text, bare=not _COMMON_FILE.search(text))
        case Kind.URL:
            plain = re.sub(r"\A[a-z+]{2,9}://(?:www\.)?", "", text, flags=re.IGNORECASE)
            return shown.has_word(plain.rstrip("/"))
        case Kind.ERROR:
            message, letters = max(text.split(": "), key=len), squeezed(text)
            is_long = len(squeezed(message)) >= _TELLING_MESSAGE
            if shown.holds(text) or (is_long and shown.nearly_holds(message, _ERROR_SHARE)):
                return True
            runs = (letters[i : i + _TELLING_RUN] for i in range(0, len(letters) - _TELLING_RUN + 1, 4))
            return any(run in shown.squeezed for run in runs)
    owner, _, member = text.rpartition(".")
    is_telling = owner and not text[0].isdigit() and len(member) > _TELLING_MEMBER
    return shown.has_name(text) or bool(is_telling and shown.has_name(member))


_WORDS = {
    "title": (
        "## Added after checking the summary against the conversation (verbatim)",
        "## 对照对话核对后的补充（原文）",
    ),
    Kind.ASK: ("Latest request (the user's words):", "最新请求（用户原话）："),
    Kind.RULE: ("Rules and facts the user gave:", "用户给出的规则与事实："),
    Kind.ERROR: ("Errors:", "错误："),
    Kind.PATH: ("Files:", "文件："),
    Kind.IDENTIFIER: ("Names:", "名称："),
    Kind.URL: ("Addresses:", "网址："),
    Kind.NUMBER: ("Numbers:", "数字："),
    "mark": UNVERIFIED[:2],
    "doubt": UNVERIFIED[2:],
    "nowhere": NOWHERE,
}
LABELS = {code: {name: words[k] for name, words in _WORDS.items()} for k, code in enumerate(("en", "zh"))}
"""Our own words in a mended summary, in their order."""
_CLAIMS = (Kind.RULE, Kind.QUOTE, Kind.ATTRIBUTION)
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
    """Return a summary with what it lost and without what it made up; one count for each fact that is added.

    Args:
        summary, verification: the text, and what `verify` found in it.
        budget_tokens: of the whole result; critical rules and the latest request are added even beyond it.
        count: counts tokens.
        language: of our labels; "auto" follows the summary.
        invented: "mark" begins lines that quote, rule or confirm what nobody said with a warning, "remove" drops them.
    """
    labels = LABELS[language_of([summary]) if language == "auto" else language]
    doubtful = [f for f in verification.unsupported if f.kind is Kind.ATTRIBUTION]
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
    if fact.kind is Kind.ASK:
        return fact.text + "\n"
    if fact.kind is Kind.RULE and fact.line:
        return f"- {fact.line}"
    line = " ".join(fact.line.split())
    return f"- {line if len(line) <= _LONGEST_LINE and fact.text in line else fact.text}"


def _disclaimed(summary: str, findings: Iterable[Finding], mark: str, *, remove: bool) -> str:
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
