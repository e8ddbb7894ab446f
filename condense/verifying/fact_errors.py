"""Errors as facts: lines of commands that failed and were not seen to succeed afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading import ToolAction, squeezed
from condense.verifying.facts import LONGEST_LINE, MOST_OF_KIND, MOST_SOURCES, Fact, FactKind, line_end
from condense.verifying.sources import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense.verifying.sources import Ground, Passage

_SLIGHT = 0.4
"""What a probe's failure counts of a real one (chosen)."""

_ERROR_LINE = re.compile(
    r"^(?:E\s{1,8})?(?:[\w.]{0,80}(?:Error|Exception|Fault|Panic)\b(?:\s?\[[\w-]{1,20}\])?:\s?\S"
    r"|(?:error|fatal|panic|ERROR|FATAL|Error)(?:\[\w{1,12}\]|\sTS\d{1,6})?\s?[:!]\s?\S|FAILED\s\S|npm (?:ERR!"
    r"|error)\s\S"
    r"|thread '[^']{1,80}' panicked|\S{1,200}(?::\d{1,6}){1,2}:?\s{1,3}-?\s?(?:fatal )?error\b|Uncaught\s\S"
    r"|[\w./-]{1,60}: command not found"
    r"|(?:[\w./-]{1,60}: )?(?:line \d{1,6}: )?[^\n:]{1,120}: (?:No such file or directory|Permission denied"
    r"|command not found))",
    re.MULTILINE,
)
_FAILED = re.compile(
    r"(?:exit(?:ed with)?(?: code| status)?|returncode|exit_code)\W{1,4}[1-9]\d{0,2}\b|Traceback \(most recent"
    r"|\bFAILED\b"
    r"|\bnpm (?:ERR!|error)|\bcommand not found|\berror(?:\[\w{1,12}\])?:|\bfatal:",
    re.ASCII | re.IGNORECASE,
)
_NO_PREFIX = re.compile(
    r"\A(?:\s*(?:cd\s[^&;\n]{1,300}|source\s[^&;\n]{1,300}|export\s[^&;\n]{1,300}|\w{1,60}=\S{0,200})\s*(?:&&"
    r"|;)?\s*)+"
)


def error_facts(ground: Ground) -> Iterator[Fact]:
    """Yield the error lines of commands that last failed, the newest weighing most; those seen to go away less."""
    last: dict[str, tuple[int, tuple[str, ...]]] = {}
    seen: dict[str, int] = {}
    for passage in ground.passages:
        if passage.voice is not Voice.RESULT or (passage.uses and not _runs(passage) and not passage.failed):
            continue
        lines = _error_lines(passage)
        for line in lines:
            seen[line] = seen.get(line, 0) + 1
        last[_command_key(passage)] = (passage.message, lines)
    count = max(1, len(ground.messages))
    open_lines: dict[str, int] = {}
    for index, lines in last.values():
        for line in lines:
            open_lines[line] = max(index, open_lines.get(line, 0))
    weights = {line: 6.0 + 14.0 * index / count + min(seen[line], 4) for line, index in open_lines.items()}
    weights |= {
        line: 2.0 + min(times, 4) for line, times in seen.items() if times > 1 and line not in weights
    }
    weights = {line: weight * (_SLIGHT if _PROBE.search(line) else 1.0) for line, weight in weights.items()}
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    kinds: dict[str, str] = {}
    for line, _ in best:
        kinds.setdefault(_alike(line), line)
    for line in list(kinds.values())[: MOST_OF_KIND[FactKind.ERROR]]:
        weight = weights[line]
        yield Fact(FactKind.ERROR, line, weight, messages=tuple(_holding(ground, line)))


_PROBE = re.compile(
    r"\A(?:ls|cat|stat|find|head|tail|wc|grep|rg|du): .{0,200}No such file or directory", re.ASCII
)
"""Looking whether something is there is no error that anybody must remember."""


def _alike(line: str) -> str:
    """What two lines of one error have in common: their first words without numbers."""
    return "".join(c for c in squeezed(line) if not c.isdigit())[:40]


def _runs(passage: Passage) -> bool:
    return any(use.action is ToolAction.RUN for use in passage.uses)


_SHORTEST_ERROR = 8
_MOST_OF_RESULT = 3


def _error_lines(passage: Passage) -> tuple[str, ...]:
    """Return at most three lines of a failed result that name what went wrong."""
    text = passage.text[-20_000:]
    if not (passage.failed or _FAILED.search(text)):
        return ()
    found = [text[m.start() : line_end(text, m.start())].strip() for m in _ERROR_LINE.finditer(text)]
    found = [line[:LONGEST_LINE] for line in dict.fromkeys(found) if len(line) > _SHORTEST_ERROR]
    return (*found[:2], found[-1]) if len(found) > _MOST_OF_RESULT else tuple(found)


def _command_key(passage: Passage) -> str:
    """Name what was run, so that a later success of the same is seen: its first two words without what prepares it."""
    for use in passage.uses:
        if use.subject:
            command = _NO_PREFIX.sub("", use.subject)
            return " ".join(command.split()[:2]) or use.subject[:80]
    return f"#{passage.message}"


def _holding(ground: Ground, text: str) -> Iterator[int]:
    found = dict.fromkeys(
        p.message for p in ground.passages if p.voice is not Voice.ANCHOR and text in p.text
    )
    yield from list(found)[:MOST_SOURCES]
