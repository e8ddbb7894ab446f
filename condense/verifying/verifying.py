"""Verifying: what any summary kept, lost and made up, held against the conversation it stands for.

The summary may be ours, a model's or another agent's. Facts of the source (`facts`) are retained, recoverable or lost;
what the summary names or claims without ground is invented, or unsupported where it may be a count, a proposal or a
paraphrase. Deterministic, without a model; nothing is raised whatever the texts are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from condense.reading import TextIndex, content_handle, handle_of, squeezed
from condense.verifying.claims import FindingKind
from condense.verifying.facts import Fact, FactKind, facts_of
from condense.verifying.findings import Finding, findings_of
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
    """The outcome, every list most important first.

    Attributes:
        retained: facts that stand in the summary or in messages kept beside it.
        recoverable: facts that do not, but can be had again: by a handle or a file that is named.
        lost: facts that are gone.
        invented: names and claims without any ground.
        unsupported: the same where they may be honest: counts, proposed names, paraphrases, altered quotes.
    """

    retained: tuple[Fact, ...] = ()
    recoverable: tuple[Fact, ...] = ()
    lost: tuple[Fact, ...] = ()
    invented: tuple[Finding, ...] = ()
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
        kinds = dict.fromkeys([*map(str, FactKind), *map(str, FindingKind)])
        lists = [getattr(self, name) for name in self.__slots__]
        rows = [
            (kind, *(sum(entry.kind == kind for entry in entries) for entries in lists)) for kind in kinds
        ]
        return tuple(row for row in rows if any(row[1:]))  # type: ignore[misc]  # five counts, one a list

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
    """Hold a summary against its source.

    Args:
        summary: any text.
        source: the messages it stands for, in any of the three forms. Earlier summaries among them are no source of
            facts; what is taken over from them is not invented either.
        memories: what is remembered of the user's words; the active ones are the rules that must be there.
        recoverable: the handles that can be fetched, or a function that fetches one. A handle counts only where the
            summary or a kept message names it.
        kept: messages that stay beside the summary.

    Cost: linear in source, summary and kept messages.
    """
    entries = tuple(memories)
    ground = Ground(parse_messages(source), entries)
    near = Ground(parse_messages(kept))
    listed = (summary, *near.texts(*Ground.PERSON))
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
            name
            for m in sources
            for name in (content_handle(canonical_json(m.original)), handle_of(m.digest))
        )
        by_file = fact.kind in (FactKind.IDENTIFIER, FactKind.NUMBER)
        near_by = by_file and any(shown.has_path(path) for path in fact.files)
        return near_by or not handles.isdisjoint(names) or is_retained(fact, fetched)

    retained, again, lost = list[Fact](), list[Fact](), list[Fact]()
    for fact in facts_of(ground, entries):
        (retained if is_retained(fact, shown) else again if is_again(fact) else lost).append(fact)
    return Verification(tuple(retained), tuple(again), tuple(lost), *findings_of(summary, ground))


_HANDLE = re.compile(r"hf_[0-9a-f]{12}")


def _fetched(handles: Iterable[str], lookup: Lookup) -> Iterator[str]:
    """The texts of archived messages, which are kept as JSON; other contents as they are."""
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
    r"(?:\A|[/\\])(?:__init__|__main__|index|main|mod|lib|setup|conftest|page|layout|types?|utils?|config"
    r"|README"
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
        case FactKind.RULE | FactKind.ASK:
            return shown.holds(text)
        case FactKind.PATH:
            return shown.has_path(text, bare=not _COMMON_FILE.search(text))
        case FactKind.URL:
            plain = re.sub(r"\A[a-z+]{2,9}://(?:www\.)?", "", text, flags=re.IGNORECASE)
            return shown.has_word(plain.rstrip("/"))
        case FactKind.ERROR:
            message, letters = max(text.split(": "), key=len), squeezed(text)
            is_long = len(squeezed(message)) >= _TELLING_MESSAGE
            if shown.holds(text) or (is_long and shown.nearly_holds(message, _ERROR_SHARE)):
                return True
            runs = (letters[i : i + _TELLING_RUN] for i in range(0, len(letters) - _TELLING_RUN + 1, 4))
            return any(run in shown.squeezed for run in runs)
    owner, _, member = text.rpartition(".")
    is_telling = owner and not text[0].isdigit() and len(member) > _TELLING_MEMBER
    return shown.has_name(text) or bool(is_telling and shown.has_name(member))
