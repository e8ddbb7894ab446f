"""The words of a command told apart: options, their values, operands; and the lines that a reading command shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.reading.calls import LAST_LINE
from condense.reading.shell.commands_table import CMDLET_PATHS, CMDLET_VALUES

if TYPE_CHECKING:
    from condense.reading.shell.scripts import SimpleCommand

NOWHERE = re.compile(r"/dev/(?:null|std(?:out|err|in)|tty|fd/\d)|nul|\$null|&?\d|-|\$?\(\)", re.IGNORECASE)
"""What stands where a path does and is none."""
_WORD = re.compile(r"\w|^\.{1,2}$")


@dataclass(frozen=True, slots=True)
class Operands:
    """The words of a command behind its name.

    Attributes:
        words: operands: what is neither an option nor an option's value.
        options: options as written.
        pattern_given: an option has given the pattern or script, so that every operand is a path.
    """

    words: list[str]
    options: tuple[str, ...]
    pattern_given: bool = False

    def has(self, *names: str) -> bool:
        """Tell whether one of the options is there, also with a value attached or within a cluster (`-ni`)."""
        for option in self.options:
            for name in names:
                if option == name or option.startswith((name + "=", name + ".")):
                    return True
                short = len(name) == 2 and name[0] == "-" and name[1] != "-"  # noqa: PLR2004  # -x
                if short and re.fullmatch(r"-[a-zA-Z]{2,5}", option) and name[1] in option:
                    return True
        return False


def operands_of(
    command: SimpleCommand, valued: frozenset[str] = frozenset(), given: frozenset[str] = frozenset()
) -> Operands:
    """Tell options from operands.

    Args:
        command: the command.
        valued: options that take the next word.
        given: options that give the pattern themselves.
    """
    operands: list[str] = []
    options: list[str] = []
    pattern = False
    words = command.words[1:]
    i = 0
    while i < len(words):
        word = words[i]
        if word == "--":
            operands.extend(words[i + 1 :])
            break
        if word.startswith("-") and len(word) > 1:
            options.append(word)
            name = word.split("=", 1)[0]
            pattern = pattern or name in given or (name[:2] in given and not name.startswith("--"))
            if word in valued and not (command.name == "sed" and word == "-i"):
                i += 1
                if i < len(words):
                    options.append(words[i])
        elif word or command.name != "sed":
            operands.append(word)
        i += 1
    return Operands(operands, tuple(options), pattern)


_SED_RANGE = re.compile(r"(?:^|[;{\s'\"])(\d{1,9})(?:,(\d{1,9}|\$))?p")
_AWK_RANGE = re.compile(r"NR\s{0,2}>=?\s{0,2}(\d{1,9}).{0,10}NR\s{0,2}<=?\s{0,2}(\d{1,9})")
_COUNT = re.compile(r"-(?:n|-lines=)?(\d{1,9})")


def lines_shown(command: SimpleCommand, operands: Operands) -> tuple[int, int] | None:
    """Return the lines that a reading command shows: first and last; None for the whole file or where unknown.

    Several ranges of a `sed -n` count as one from the first to the last. The last lines of a file (`tail`)
    are counted down from `LAST_LINE`.
    """
    name = command.name
    text = " ".join(command.words[1:])[:2000]
    if name == "sed":
        ranges = [
            (int(m[1]), LAST_LINE if m[2] == "$" else int(m[2] or m[1])) for m in _SED_RANGE.finditer(text)
        ]
        return (min(r[0] for r in ranges), max(r[1] for r in ranges)) if ranges else None
    if name in ("awk", "gawk"):
        m = _AWK_RANGE.search(text)
        return (int(m[1]), int(m[2])) if m else None
    if name == "head":
        count = _count(operands)
        return (1, 10 if count is None else count)
    if name == "tail":
        start = re.search(r"\+(\d{1,9})", text)
        if start:
            return int(start[1]), LAST_LINE
        count = _count(operands)
        return (LAST_LINE - (10 if count is None else count) + 1, LAST_LINE)
    return _cmdlet_lines(text)


def _count(operands: Operands) -> int | None:
    for option, following in zip(operands.options, [*operands.options, ""][1:], strict=True):
        if option in ("-n", "--lines") and following.isdigit():
            return int(following)
        m = _COUNT.fullmatch(option)
        if m:
            return int(m[1])
    return None


def _cmdlet_lines(text: str) -> tuple[int, int] | None:
    first = re.search(r"-(?:TotalCount|First|Head)\s(\d{1,9})", text, re.IGNORECASE)
    skip = re.search(r"-Skip\s(\d{1,9})", text, re.IGNORECASE)
    last = re.search(r"-(?:Tail|Last)\s(\d{1,9})", text, re.IGNORECASE)
    if first:
        start = int(skip[1]) + 1 if skip else 1
        return start, start + int(first[1]) - 1
    if last:
        return LAST_LINE - int(last[1]) + 1, LAST_LINE
    return None


def may_be_path(word: str) -> bool:
    """Tell whether a word can be a path: it has letters, and nothing that a shell is still to put in."""
    return (
        _WORD.search(word) is not None
        and not any(mark in word for mark in ("$", "`", "\n", "()"))
        and not NOWHERE.fullmatch(word)
    )


def cmdlet_paths(command: SimpleCommand) -> list[str]:
    """Return the paths that a PowerShell or cmd command names, in order; comma lists are taken apart."""
    found: list[str] = []
    words = command.words[1:]
    pattern_first = command.name in ("select-string", "sls", "findstr") and "-pattern" not in [
        w.lower() for w in words
    ]
    i = 0
    while i < len(words):
        lower = words[i].lower()
        if lower in CMDLET_PATHS and i + 1 < len(words):
            i += 1
            found.extend(_comma_list(words[i]))
        elif lower in CMDLET_VALUES:
            i += 1
        elif not lower.startswith(("-", "/")) or "/" in lower[1:]:
            if pattern_first:
                pattern_first = False
            else:
                found.extend(_comma_list(words[i]))
        i += 1
    return found


def _comma_list(word: str) -> list[str]:
    return [w.strip() for w in word.split(",") if w.strip()]


_WRITES = re.compile(
    r"""open\(\s{0,3}r?f?["']([^"'\n]{1,300})["']\s{0,3},\s{0,3}(?:mode=)?["'][wax+]"""
    r"""|Path\(\s{0,3}r?["']([^"'\n]{1,300})["']\s{0,3}\)\.(?:write_text|write_bytes|open\(["'][wa])"""
    r"""|(?:writeFileSync|appendFileSync|writeFile|outputFileSync)\(\s{0,3}["'`]([^"'`\n]{1,300})["'`]"""
    r"""|File\.write\(\s{0,3}["']([^"'\n]{1,300})["']"""
)
_NAMED = re.compile(
    r"""^\s{0,20}(?:const\s|let\s|var\s)?(\w{1,60})\s{0,3}=\s{0,3}(?:[\w.]{0,30}Path\(\s{0,3})?"""
    r"""r?["']([^"'\n]{1,300})["']\)?\s{0,3};?\s{0,10}$""",
    re.MULTILINE,
)
_WRITES_NAMED = re.compile(
    r"""(\w{1,60})\.write_(?:text|bytes)\(|open\(\s{0,3}(\w{1,60})\s{0,3},\s{0,3}["'][wax+]"""
    r"""|(?:writeFileSync|appendFileSync|writeFile)\(\s{0,3}(\w{1,60})\s{0,3},"""
)


def written_by_script(text: str) -> tuple[str, ...]:
    """Return the files that a small program plainly writes: `open("x", "w")`, `Path("x").write_text`, `writeFileSync`.

    Args:
        text: Python, JavaScript or Ruby, at most its first 200,000 characters are read.
    """
    text = text[:200_000]
    if not text.strip():
        return ()
    found = [next(g for g in m.groups() if g) for m in _WRITES.finditer(text)]
    named = {m[1]: m[2] for m in _NAMED.finditer(text)}
    found += [
        named[n] for m in _WRITES_NAMED.finditer(text) if (n := next(g for g in m.groups() if g)) in named
    ]
    return tuple(dict.fromkeys(found))
