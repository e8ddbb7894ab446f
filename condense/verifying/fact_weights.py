"""Salience: which facts of a conversation matter, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading import squeezed
from condense.verifying.fact_errors import error_facts
from condense.verifying.fact_names import name_facts
from condense.verifying.facts import Fact, FactKind
from condense.verifying.sources import Voice
from memory.consolidation import marked_text
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import prose_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense.verifying.sources import Ground
    from memory.entries import MemoryEntry

LONGEST_ASK = 2_000
"""Characters of a request that must be verbatim; of a longer one its beginning and end (chosen: typed
messages up to here are short enough to stay whole)."""

_ASK_HEAD, _ASK_TAIL = 1_400, 560
_BARE_ASK = 24
"""A last message of fewer letters ("ok, go on") leaves the request before it the one being worked on (chosen)."""


def facts_of(ground: Ground, memories: Iterable[MemoryEntry] = ()) -> tuple[Fact, ...]:
    """Return the facts of a conversation, most important first; linear in its text."""
    found = [*rule_facts(memories), *ask_facts(ground), *error_facts(ground), *name_facts(ground)]
    order = list(FactKind)
    return tuple(sorted(found, key=lambda f: (not f.critical, -f.weight, order.index(f.kind), f.text)))


def rule_facts(memories: Iterable[MemoryEntry]) -> Iterator[Fact]:
    """Yield what the user said once and for all: the active memories, critical ones as critical."""
    for entry in memories:
        if entry.is_active and not entry.is_proposal:
            rule = entry.type is MemoryType.USER_INSTRUCTION or entry.standing or entry.explicit
            weight = 10.0 + 10.0 * entry.priority.rank + (5.0 if rule else 0.0)
            critical = entry.priority is MemoryPriority.CRITICAL
            line = marked_text(entry) if entry.overtaken else ""
            yield Fact(FactKind.RULE, entry.content, weight, critical=critical, line=line)


def ask_facts(ground: Ground) -> Iterator[Fact]:
    """Yield the latest request, and the one before it where the latest only says to go on."""
    typed: dict[int, list[str]] = {}
    for passage in ground.passages:
        if passage.voice is Voice.TYPED:
            typed.setdefault(passage.message, []).append(passage.text)
    for rank, (index, texts) in enumerate(reversed(typed.items())):
        text = "\n".join(texts)
        if len(text) > LONGEST_ASK:
            text = _shortened(text)
        yield Fact(FactKind.ASK, text, 60.0 - rank, critical=True, messages=(index,))
        if len(squeezed(text)) >= _BARE_ASK or rank >= _MOST_BARE:
            return


_MOST_BARE = 2


def _shortened(text: str) -> str:
    """What a long request says: its sentences without what was pasted between them, at worst its beginning and end."""
    out, last = "", 0
    for start, end in prose_spans(text):
        gap = text[last:start]
        out += (gap if not gap.strip(_ITEM_MARKS) else _GAP) if out else ""
        out += text[start:end]
        last = end
    if not out.strip() or len(out) > LONGEST_ASK:
        out = f"{text[:_ASK_HEAD]}{_GAP}{text[-_ASK_TAIL:]}"
    return out


_GAP = " … "
_ITEM_MARKS = " \t\n-*•#.)>0123456789"
