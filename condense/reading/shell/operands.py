"""The words of a command told apart: options, their values, operands; and the lines that a reading command shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from condense.reading.calls import LAST_LINE
from condense.reading.shell.commands_table import CMDLET_VALUES, CMDLETS, GIVEN, PATH_OPTIONS

if TYPE_CHECKING:
    from condense.reading.shell.commands_table import ShellRow
    from condense.reading.shell.tokenizing import SimpleCommand

NOWHERE = re.compile(r"/dev/(?:null|std(?:out|err|in)|tty|fd/\d)|nul|\$null|&?\d|-|\$?\(\)", re.IGNORECASE)


class Operands(NamedTuple):
    """The words of a command behind its name: operands; options and their values, as written."""

    words: list[str]
    options: list[str]
    pattern_given: bool  # by an option, so that every operand is a path

    def has(self, name: str) -> bool:
        """Tell whether an option is there, also with a value attached or within a cluster (`-ni`, `-pi.bak`)."""
        short = rf"|-[a-zA-Z0-9]*{name[1]}[\w.]*" if re.fullmatch(r"-\w", name) else ""
        return any(re.fullmatch(rf"{re.escape(name)}(?:[=.].*)?{short}", o, re.DOTALL) for o in self.options)


def operands_of(command: SimpleCommand, row: ShellRow) -> Operands:
    """Tell options from operands as the row of the command says."""
    operands: list[str] = []
    options: list[str] = []
    pattern, cmdlet = False, command.name in CMDLETS
    valued = CMDLET_VALUES if cmdlet else row.valued.split()
    words = iter(command.words[1:])
    for word in words:
        option = word.lower() if cmdlet else word
        name = option.split("=", 1)[0]
        if word == "--":
            operands.extend(words)
        elif cmdlet and option in PATH_OPTIONS:
            operands.extend(next(words, "").split(","))
        elif (option.startswith("-") and len(option) > 1) or (cmdlet and re.match(r"/[^/]*$", option)):
            attached = name[:2] in GIVEN and not name.startswith("--") and not cmdlet
            pattern = pattern or name in GIVEN or attached
            options.append(word)
            if option in valued:
                options.append(next(words, ""))
        elif word or command.name != "sed":  # sed -i ''
            operands.extend([w.strip() for w in word.split(",")] if cmdlet else [word])
    return Operands(operands, options, pattern)


_SED_RANGE = re.compile(r"(?:^|[;{\s'\"])(\d{1,9})(?:,(\d{1,9}|\$))?p")
_AWK_RANGE = re.compile(r"NR\s{0,2}>=?\s{0,2}(\d{1,9}).{0,10}NR\s{0,2}<=?\s{0,2}(\d{1,9})")
_FIRST = re.compile(r"(?i:-(?:TotalCount|First|Head))\s(\d{1,9})")
_SKIP = re.compile(r"(?i:-Skip)\s(\d{1,9})")
_LAST = re.compile(r"(?i:-(?:Tail|Last))\s(\d{1,9})")
_COUNT = re.compile(r"(?:^|\s)-(?:n\s?|-lines[=\s])?(\d{1,9})(?!\S)")


def lines_shown(command: SimpleCommand) -> tuple[int, int] | None:
    """Return the first and last line a command shows, those of `tail` from `LAST_LINE` down; None where unknown."""
    name = command.name
    text = " ".join(command.words[1:])[:2000]
    if name == "sed":
        found = [(m[1], m[2] or m[1]) for m in _SED_RANGE.finditer(text)]
        ends = [LAST_LINE if last == "$" else int(last) for _, last in found]
        return (min(int(first) for first, _ in found), max(ends)) if found else None
    if name in ("awk", "gawk"):
        m = _AWK_RANGE.search(text)
        return (int(m[1]), int(m[2])) if m else None
    if name in ("head", "tail"):
        m = _COUNT.search(text)
        count = int(m[1]) if m else 10
        if name == "head":
            return (1, count)
        begin = re.search(r"\+(\d{1,9})", text)
        return (int(begin[1]) if begin else LAST_LINE - count + 1, LAST_LINE)
    if m := _FIRST.search(text):
        skipped = _SKIP.search(text)
        start = int(skipped[1]) + 1 if skipped else 1
        return start, start + int(m[1]) - 1
    if m := _LAST.search(text):
        return LAST_LINE - int(m[1]) + 1, LAST_LINE
    return None


def may_be_path(word: str) -> bool:
    """Tell whether a word can be a path: it has letters, and nothing that a shell is still to put in."""
    return bool(
        re.search(r"\w|^\.{1,2}$", word)
        and not any(mark in word for mark in ("$", "`", "\n", "()"))
        and not NOWHERE.fullmatch(word)
    )


_TEXT = r"""r?f?["'`]([^"'`\n]{1,300})["'`]"""
_WRITES = re.compile(
    rf"""open\(\s{{0,3}}{_TEXT}\s{{0,3}},\s{{0,3}}(?:mode=)?["'][wax+]"""
    rf"""|Path\(\s{{0,3}}{_TEXT}\s{{0,3}}\)\.(?:write_text|write_bytes|open\(["'][wa])"""
    rf"""|(?:writeFileSync|appendFileSync|writeFile|outputFileSync|File\.write)\(\s{{0,3}}{_TEXT}"""
)
_NAMED = re.compile(
    rf"""^\s{{0,20}}(?:const\s|let\s|var\s)?(\w{{1,60}})\s{{0,3}}=\s{{0,3}}(?:[\w.]{{0,30}}Path\(\s{{0,3}})?"""
    rf"""{_TEXT}\)?\s{{0,3}};?\s{{0,10}}$""",
    re.MULTILINE,
)
_WRITES_NAMED = re.compile(
    r"""(\w{1,60})\.write_(?:text|bytes)\(|open\(\s{0,3}(\w{1,60})\s{0,3},\s{0,3}["'][wax+]"""
    r"""|(?:writeFileSync|appendFileSync|writeFile)\(\s{0,3}(\w{1,60})\s{0,3},"""
)


def written_by_script(text: str) -> list[str]:
    """Return the files that a small program plainly writes: `open("x", "w")`, `write_text`, `writeFileSync`."""
    text = text[:200_000]
    named = {m[1]: m[2] for m in _NAMED.finditer(text)}
    found = [m[m.lastindex or 0] for m in _WRITES.finditer(text)]
    found += [named.get(m[m.lastindex or 0], "") for m in _WRITES_NAMED.finditer(text)]
    return list(dict.fromkeys(filter(None, found)))
