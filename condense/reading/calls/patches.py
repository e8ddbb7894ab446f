"""Reading patches: which files a patch text touches, what it adds and what it removes.

Three forms are read: the `*** Begin Patch` form of Codex and Cursor, unified and git diffs, and the
    SEARCH/REPLACE
blocks of Aider, Cline and Roo. Nothing is applied; everything is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from condense.reading.calls.tool_names import ToolAction


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a patch does to one file.

    Attributes:
        path: the file as the patch names it (the old name of a moved file).
        action: CREATE, EDIT or DELETE.
        new: the added lines, joined by newlines.
        old: the removed lines, joined by newlines.
        moved_to: the new name of a moved file, None otherwise.
    """

    path: str
    action: ToolAction
    new: str = ""
    old: str = ""
    moved_to: str | None = None


_HEADERS = {
    "*** Add File:": ToolAction.CREATE,
    "*** Update File:": ToolAction.EDIT,
    "*** Delete File:": ToolAction.DELETE,
}
_MOVE = "*** Move to:"
NO_FILE = "/dev/null"


def read_patch(text: str) -> tuple[FilePatch, ...]:
    """Return one value for each file section of a patch, in order; empty where the text is no patch.

    Args:
        text: a `*** Begin Patch` text (also with other text around it) or a unified or git diff.
    """
    return _read_again(text) if len(text) <= REMEMBERED else _read(text)


REMEMBERED = 20_000
"""Characters of the longest patch whose reading is remembered (chosen)."""


def _read(text: str) -> tuple[FilePatch, ...]:
    if "*** Begin Patch" in text or "*** Update File:" in text or "*** Add File:" in text:
        return _read_begin_patch(text)
    return _read_diff(text)


_read_again = lru_cache(maxsize=512)(_read)
"""The same for patches read lately: a compaction asks twice, and so does the next one."""


def _read_begin_patch(text: str) -> tuple[FilePatch, ...]:
    found: list[FilePatch] = []
    path, action, moved = "", ToolAction.EDIT, None
    new: list[str] = []
    old: list[str] = []
    for line in [*text.split("\n"), "*** End Patch"]:
        if not line.startswith("***"):
            if line.startswith("+"):
                new.append(line[1:].rstrip("\r"))
            elif line.startswith("-"):
                old.append(line[1:].rstrip("\r"))
            continue
        if line.startswith(_MOVE):
            moved = line[len(_MOVE) :].strip()
            continue
        header = next((h for h in _HEADERS if line.startswith(h)), None)
        if header is None and not line.startswith("*** End Patch"):
            continue
        if path:
            found.append(FilePatch(path, action, "\n".join(new), "\n".join(old), moved))
        path = line[len(header) :].strip() if header else ""
        action = _HEADERS[header] if header else action
        moved, new, old = None, [], []
    return tuple(found)


_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")


class _DiffSection:
    """One file of a unified diff while it is being read."""

    def __init__(self, old_path: str = "", new_path: str = "") -> None:
        self.old_path = old_path
        self.new_path = new_path
        self.new: list[str] = []
        self.old: list[str] = []
        self.counted = False

    def value(self) -> FilePatch | None:
        before, after = self.old_path, self.new_path
        if not (before or after):
            return None
        joined = ("\n".join(self.new), "\n".join(self.old))
        if before == NO_FILE:
            return FilePatch(after, ToolAction.CREATE, *joined)
        if after == NO_FILE:
            return FilePatch(before, ToolAction.DELETE, *joined)
        moved = after if before and after and before != after else None
        return FilePatch(before or after, ToolAction.EDIT, *joined, moved)


def _read_diff(text: str) -> tuple[FilePatch, ...]:
    sections: list[_DiffSection] = []
    left = (0, 0)  # lines of the old and of the new file that the hunk still owes
    for line in text.split("\n"):
        if left != (0, 0) and sections and line[:1] in "+- \\":
            mark = line[:1]
            if mark == "+":
                sections[-1].new.append(line[1:])
            elif mark == "-":
                sections[-1].old.append(line[1:])
            left = _after(left, mark)
            continue
        left = (0, 0)
        if line.startswith("diff --git "):
            sections.append(_DiffSection(*_git_paths(line)))
        elif line.startswith("--- "):
            if not sections or sections[-1].counted:
                sections.append(_DiffSection())
            sections[-1].old_path = _diff_path(line[4:], "a/")
        elif line.startswith("+++ ") and sections:
            sections[-1].new_path = _diff_path(line[4:], "b/")
            sections[-1].counted = True
        elif line.startswith("deleted file mode") and sections:
            sections[-1].new_path = NO_FILE
        elif line.startswith("new file mode") and sections:
            sections[-1].old_path = NO_FILE
        elif line.startswith("@@") and sections:
            left = _owed(line)
    values = (section.value() for section in sections)
    return tuple(v for v in values if v is not None)


def _owed(line: str) -> tuple[int, int]:
    m = _HUNK.match(line)
    if m is None:
        return (1 << 30, 1 << 30)  # a bare "@@": everything up to the next header
    return int(m[1] or 1), int(m[2] or 1)


def _after(left: tuple[int, int], mark: str) -> tuple[int, int]:
    before, now = left
    if mark in " -":
        before = max(before - 1, 0)
    if mark in " +":
        now = max(now - 1, 0)
    return before, now


def _diff_path(text: str, prefix: str) -> str:
    path = text.split("\t", 1)[0].strip().strip('"')
    return path.removeprefix(prefix)


def _git_paths(line: str) -> tuple[str, str]:
    """The two paths of a `diff --git a/x b/x` line; empty where blanks in them make it ambiguous."""
    rest = line[len("diff --git ") :]
    half = rest.find(" b/")
    if not rest.startswith("a/") or half < 0:
        return "", ""
    return rest[2:half], rest[half + 3 :].strip()


_BLOCK_MARKS = re.compile(r"(?:<{5,9} ?SEARCH|-{5,9} ?SEARCH)>?|={5,9}|>{5,9} ?REPLACE|\+{5,9} ?REPLACE")


def read_blocks(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (old, new) texts of SEARCH/REPLACE blocks, in order; unfinished blocks count as far as they go.

    Roo's `:start_line:N` lines and the rule under them belong to the block's head and are left out.
    """
    blocks: list[tuple[list[str], list[str]]] = []
    side = -1
    head = False
    for line in text.split("\n"):
        bare = line.strip()
        if _BLOCK_MARKS.fullmatch(bare):
            if "SEARCH" in bare:
                blocks.append(([], []))
                side, head = 0, True
            elif "REPLACE" in bare:
                side = -1
            elif side == 0:
                side, head = 1, False
            continue
        if head and (bare.startswith((":start_line:", ":end_line:")) or (bare and not bare.strip("-"))):
            head = bare.startswith(":")
            continue
        head = False
        if side >= 0:
            blocks[-1][side].append(line)
    return tuple(("\n".join(old), "\n".join(new)) for old, new in blocks)
