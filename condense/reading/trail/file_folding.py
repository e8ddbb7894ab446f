"""Files while a trail is being folded: one key a file, whatever way its path is written, its operations and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.text import base_name, ends_with_path, home_path, is_absolute, join_path, normal_path
from condense.reading.trail.trails import FileTrail

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.reading.trail.trails import FileOperation

_MOST_FOLDERS = 40
"""Folders tried for a relative path, the newest first."""
_MOST_NAMES = 40
"""Names kept of one file (chosen: a screenful)."""


class FileKeys:
    """Gives paths their keys, and learns from each.

    An absolute path is its own key, its home directory written as `~`. A relative one is joined to the folder that its
    command ran in; where that is not known, it is the one known file whose path ends with it (two parts at least), else
    it stands for itself until an absolute path ends with it; `renamed` then tells its new key.
    """

    def __init__(self) -> None:
        self.workdirs: list[str] = []
        self.renamed: dict[str, str] = {}
        self._known: set[str] = set()
        self._by_base: dict[tuple[bool, str], list[str]] = {}

    def key_of(self, path: str, workdir: str | None) -> str:
        """Return the key of a file, its path as a call has it, seen from a folder (None where unknown)."""
        if workdir and workdir not in self.workdirs:
            self.workdirs.append(workdir)
        key = home_path(join_path(workdir, path))
        if key in self._known:
            return key
        found = self._absolute(key) if is_absolute(key) else self._relative(key)
        if found not in self._known:
            self._enter(found)
        return found

    def _absolute(self, key: str) -> str:
        relatives = self._by_base.get((False, base_name(key)), [])
        old = next((k for k in relatives if ends_with_path(key, k) and self._same(key, k)), None)
        if old is not None:
            self.renamed[old] = key
            self._known.discard(old)
            relatives.remove(old)
        return key

    def _relative(self, key: str) -> str:
        joined = (home_path(join_path(w, key)) for w in reversed(self.workdirs[-_MOST_FOLDERS:]))
        found = next((path for path in joined if path in self._known), None)
        if found is not None or "/" not in key:
            return found or key
        tails = [k for k in self._by_base.get((True, base_name(key)), []) if ends_with_path(k, key)]
        return tails[0] if len(tails) == 1 else key

    def _same(self, absolute: str, relative: str) -> bool:
        folder = absolute[: -len(relative) - 1]
        return "/" in relative or any(home_path(normal_path(w)) == folder for w in self.workdirs)

    def _enter(self, key: str) -> None:
        self._known.add(key)
        self._by_base.setdefault((is_absolute(key), base_name(key)), []).append(key)


class FileFold:
    """Trails of files by key, growing, in order of first touch."""

    def __init__(self) -> None:
        self.trails: dict[str, FileTrail] = {}
        self._keys = FileKeys()

    def add(
        self, path: str, workdir: str | None, operation: FileOperation, old_names: Iterable[str] = ()
    ) -> None:
        """Add an operation to the trail of a file.

        Args:
            path: as the call has it.
            workdir: the folder it is seen from, None where unknown.
            operation: what was done.
            old_names: names that the replaced text defined.
        """
        renamed = len(self._keys.renamed)
        key = self._keys.key_of(path, workdir)
        if (
            len(self._keys.renamed) > renamed
        ):  # what was kept under a relative path goes on under its absolute one
            old = next(reversed(self._keys.renamed))
            self.trails = {key if k == old else k: file for k, file in self.trails.items()}
        file = self.trails.get(key, FileTrail(path.strip(), key, ()))
        names = file.names
        if operation.happened and operation.action is not ToolAction.READ:
            gone = set(old_names) - set(operation.names)
            kept = [n for n in names if n not in gone] if operation.action is ToolAction.EDIT else []
            names = tuple(dict.fromkeys([*kept, *operation.names]))[:_MOST_NAMES]
        self.trails[key] = FileTrail(file.path, key, (*file.operations, operation), names)
