"""Facts: what of a conversation a summary must not lose, most important first.

Not every number and name counts, only those that mattered: what the user named, files that were changed, what calls
were made with, what came up again and again, errors that were not seen to go away; above all the rules the user gave
and the latest request.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading import ToolAction, squeezed
from condense.verifying.sources import Voice
from memory.consolidation import marked_text
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import prose_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense.verifying.sources import Ground, Passage
    from memory.entries import MemoryEntry


class FactKind(StrEnum):
    """What a fact is; in order of how much its loss hurts."""

    RULE = "rule"
    ASK = "ask"
    ERROR = "error"
    PATH = "path"
    IDENTIFIER = "identifier"
    URL = "url"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a summary should hold.

    Attributes:
        kind: what it is.
        text: verbatim.
        weight: how much it matters; comparable within one conversation only.
        critical: a summary without it is not acceptable.
        line: the line it stood in, "" where the text says enough by itself.
        messages: indexes of (the newest twenty) messages that hold it.
        files: paths of files that hold it.
    """

    kind: FactKind
    text: str
    weight: float
    critical: bool = False
    line: str = ""
    messages: tuple[int, ...] = ()
    files: tuple[str, ...] = ()


MOST_OF_KIND = {
    FactKind.ERROR: 8,
    FactKind.PATH: 30,
    FactKind.IDENTIFIER: 30,
    FactKind.URL: 8,
    FactKind.NUMBER: 12,
}
"""Facts of a kind that are compared; rules and requests are never cut. Chosen: a list that can still be read."""
MOST_SOURCES, LONGEST_LINE = 20, 200
"""Messages remembered of a fact, and characters of its line (chosen: enough to find one that is there)."""
LONGEST_ASK, _ASK_HEAD, _ASK_TAIL = 2_000, 1_400, 560
"""Characters of a request that must be verbatim; of a longer one what is said, at worst its beginning and end."""
_BARE_ASK, _MOST_BARE = 24, 2
"""A last message of fewer letters ("ok, go on") leaves the request before it the one being worked on (chosen)."""
SLIGHT = 0.4
"""What counts of a failed look, and of names that are mostly found again anyway (chosen)."""
_GAP = " … "
_ITEM_MARKS = " \t\n-*•#.)>0123456789"


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
        text = _shortened(text) if len(text) > LONGEST_ASK else text
        yield Fact(FactKind.ASK, text, 60.0 - rank, critical=True, messages=(index,))
        if len(squeezed(text)) >= _BARE_ASK or rank >= _MOST_BARE:
            return


def _shortened(text: str) -> str:
    """What a long request says: its sentences without what was pasted between them, at worst its beginning and end."""
    out, last = "", 0
    for start, end in prose_spans(text):
        gap = text[last:start]
        out += (gap if not gap.strip(_ITEM_MARKS) else _GAP) if out else ""
        out += text[start:end]
        last = end
    is_short = out.strip() and len(out) <= LONGEST_ASK
    return out if is_short else f"{text[:_ASK_HEAD]}{_GAP}{text[-_ASK_TAIL:]}"


_ERROR_LINE = re.compile(
    r"^(?:E\s{1,8})?(?:[\w.]{0,80}(?:Error|Exception|Fault|Panic)\b(?:\s?\[[\w-]{1,20}\])?:\s?\S"
    r"|(?:error|fatal|panic|ERROR|FATAL|Error)(?:\[\w{1,12}\]|\sTS\d{1,6})?\s?[:!]\s?\S|FAILED\s\S"
    r"|npm (?:ERR!|error)\s\S|thread '[^']{1,80}' panicked|Uncaught\s\S|[\w./-]{1,60}: command not found"
    r"|\S{1,200}(?::\d{1,6}){1,2}:?\s{1,3}-?\s?(?:fatal )?error\b"
    r"|(?:[\w./-]{1,60}: )?(?:line \d{1,6}: )?[^\n:]{1,120}: (?:No such file or directory|Permission denied"
    r"|command not found))",
    re.MULTILINE,
)
_FAILED = re.compile(
    r"(?:exit(?:ed with)?(?: code| status)?|returncode|exit_code)\W{1,4}[1-9]\d{0,2}\b|Traceback \(most recent"
    r"|\bFAILED\b|\bnpm (?:ERR!|error)|\bcommand not found|\berror(?:\[\w{1,12}\])?:|\bfatal:",
    re.ASCII | re.IGNORECASE,
)
_NO_PREFIX = re.compile(
    r"\A(?:\s*(?:cd\s[^&;\n]{1,300}|source\s[^&;\n]{1,300}|export\s[^&;\n]{1,300}|\w{1,60}=\S{0,200})\s*(?:&&"
    r"|;)?\s*)+"
)
_LOOK = re.compile(
    r"\A(?:ls|cat|stat|find|head|tail|wc|grep|rg|du): .{0,200}No such file or directory", re.ASCII
)
"""Looking whether something is there is no error that anybody must remember."""
_SHORTEST_ERROR, _MOST_OF_RESULT = 8, 3


def error_facts(ground: Ground) -> Iterator[Fact]:
    """Yield the error lines of commands that last failed, the newest weighing most; those seen to go away less."""
    last: dict[str, tuple[int, list[str]]] = {}
    seen: Counter[str] = Counter()
    for passage in ground.passages:
        runs = not passage.uses or any(use.action is ToolAction.RUN for use in passage.uses)
        if passage.voice is Voice.RESULT and (runs or passage.failed):
            lines = _error_lines(passage)
            seen.update(lines)
            last[_command_key(passage)] = (passage.message, lines)
    count = max(1, len(ground.messages))
    weights = {line: 2.0 + min(times, 4) for line, times in seen.items() if times > 1}
    for index, lines in sorted(last.values(), key=lambda one: one[0]):
        weights |= {line: 6.0 + 14.0 * index / count + min(seen[line], 4) for line in lines}
    weights = {line: weight * (SLIGHT if _LOOK.search(line) else 1.0) for line, weight in weights.items()}
    kinds: dict[str, str] = {}
    for line in sorted(weights, key=lambda line: (-weights[line], line)):
        alike = "".join(c for c in squeezed(line) if not c.isdigit())[:40]
        kinds.setdefault(alike, line)
    for line in list(kinds.values())[: MOST_OF_KIND[FactKind.ERROR]]:
        held = dict.fromkeys(
            p.message for p in ground.passages if p.voice is not Voice.ANCHOR and line in p.text
        )
        yield Fact(FactKind.ERROR, line, weights[line], messages=tuple(held)[:MOST_SOURCES])


def _error_lines(passage: Passage) -> list[str]:
    """Return at most three lines of a failed result that name what went wrong."""
    text = passage.text[-20_000:]
    if not (passage.failed or _FAILED.search(text)):
        return []
    found = dict.fromkeys(line_at(text, m.start()) for m in _ERROR_LINE.finditer(text))
    lines = [line[:LONGEST_LINE] for line in found if len(line) > _SHORTEST_ERROR]
    return [*lines[:2], lines[-1]] if len(lines) > _MOST_OF_RESULT else lines


def line_at(text: str, at: int) -> str:
    """The line that holds a position."""
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : len(text) if end < 0 else end].strip()


def _command_key(passage: Passage) -> str:
    """Name what was run, so that a later success of the same is seen: its first two words without what prepares it."""
    subject = next((use.subject for use in passage.uses if use.subject), "")
    words = _NO_PREFIX.sub("", subject).split()[:2]
    return " ".join(words) or subject[:80] or f"#{passage.message}"
