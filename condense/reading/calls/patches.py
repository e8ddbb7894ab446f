"""Which files a patch touches, what it adds and removes: `*** Begin Patch`, unified and git diffs, SEARCH/REPLACE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from condense.reading.calls.tool_names import ToolAction


class FilePatch(NamedTuple):
    """What a patch does to one file."""

    path: str  # as the patch names it; the old name of a moved file
    action: ToolAction  # CREATE, EDIT or DELETE
    new: str  # the added lines, joined by newlines
    old: str  # the removed lines
    moved_to: str | None


_HEADER = re.compile(r"\*\*\* (Add|Update|Delete) File:(.*)")
_ACTIONS = {"Add": ToolAction.CREATE, "Update": ToolAction.EDIT, "Delete": ToolAction.DELETE}
_MOVE = "*** Move to:"
_NO_FILE = "/dev/null"


@lru_cache(maxsize=64)
def read_patch(text: str) -> tuple[FilePatch, ...]:
    """Return one value for each file section of a patch, whatever stands around it; empty where the text is none."""
    codex = any(mark in text for mark in ("*** Begin Patch", "*** Update File:", "*** Add File:"))
    sections = _begin_patch_sections(text) if codex else _diff_sections(text)
    return tuple(section.value() for section in sections if section.before or section.after)


@dataclass(slots=True)
class _Section:
    """One file of a patch while it is being read."""

    before: str = ""
    after: str = ""
    new: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    action: ToolAction | None = None
    headed: bool = False

    def value(self) -> FilePatch:
        before, after, action = self.before, self.after, self.action
        if action is None:
            made, gone = before == _NO_FILE, after == _NO_FILE
            action = ToolAction.CREATE if made else ToolAction.DELETE if gone else ToolAction.EDIT
            before, after = ("" if made else before), ("" if gone else after)
        moved = after if before and after and before != after else None
        return FilePatch(before or after, action, "\n".join(self.new), "\n".join(self.old), moved)


def _begin_patch_sections(text: str) -> list[_Section]:
    sections = [_Section()]
    for line in text.split("\n"):
        if header := _HEADER.match(line):
            sections.append(_Section(header[2].strip(), action=_ACTIONS[header[1]]))
        elif line.startswith("*** End Patch"):
            sections.append(_Section())
        elif line.startswith(_MOVE) and sections[-1].before:
            sections[-1].after = line[len(_MOVE) :].strip()
        elif line.startswith("+"):
            sections[-1].new.append(line[1:].rstrip("\r"))
        elif line.startswith("-"):
            sections[-1].old.append(line[1:].rstrip("\r"))
    return sections


_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_GIT = re.compile(r"diff --git (?:a/(.{1,1000}?) b/(.*))?")


def _diff_sections(text: str) -> list[_Section]:
    sections = [_Section()]
    before = after = 0  # lines of the old and of the new file that the hunk still owes
    for line in text.split("\n"):
        section, mark = sections[-1], line[:1]
        if (before or after) and mark and mark in "+- \\":
            if mark == "+":
                section.new.append(line[1:])
            elif mark == "-":
                section.old.append(line[1:])
            before, after = max(before - (mark in " -"), 0), max(after - (mark in " +"), 0)
            continue
        before = after = 0
        if git := _GIT.match(line):
            sections.append(_Section((git[1] or ""), (git[2] or "").strip()))
        elif line.startswith("--- "):
            if len(sections) == 1 or section.headed:
                sections.append(_Section())
            sections[-1].before = _diff_path(line[4:], "a/")
        elif len(sections) == 1:
            continue
        elif line.startswith("+++ "):
            section.after, section.headed = _diff_path(line[4:], "b/"), True
        elif line.startswith("deleted file mode"):
            section.after = _NO_FILE
        elif line.startswith("new file mode"):
            section.before = _NO_FILE
        elif line.startswith("@@"):
            m = _HUNK.match(line)  # a bare "@@": everything up to the next header
            before, after = (int(m[1] or 1), int(m[2] or 1)) if m else (1 << 30, 1 << 30)
    return sections


def _diff_path(text: str, prefix: str) -> str:
    return text.split("\t", 1)[0].strip().strip('"').removeprefix(prefix)


_BLOCK_MARKS = re.compile(r"(?:<{5,9} ?SEARCH|-{5,9} ?SEARCH)>?|={5,9}|>{5,9} ?REPLACE|\+{5,9} ?REPLACE")
_BLOCK_HEAD = re.compile(r":(?:start|end)_line:.*|-+")


def read_blocks(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (old, new) texts of SEARCH/REPLACE blocks, in order; unfinished blocks count as far as they go."""
    blocks: list[tuple[list[str], list[str]]] = []
    side, head = -1, False
    for line in text.split("\n"):
        bare = line.strip()
        if _BLOCK_MARKS.fullmatch(bare):
            head = "SEARCH" in bare
            if head:
                blocks.append(([], []))
                side = 0
            elif "REPLACE" in bare:
                side = -1
            elif side == 0:
                side = 1
        elif head and _BLOCK_HEAD.fullmatch(bare):
            head = bare.startswith(":")
        elif side >= 0:
            head = False
            blocks[-1][side].append(line)
    return tuple(("\n".join(old), "\n".join(new)) for old, new in blocks)
