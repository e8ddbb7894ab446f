"""Files while a trail is being folded: one entry a file, its operations and the names it defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.trail.file_keys import FileKeys
from condense.reading.trail.trails import FileOperation, FileTrail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_NAMES = 40
"""Names kept of one file (chosen: a screenful)."""


class FileFold:
    """Trails of files by key, growing."""

    def __init__(self, files: Iterable[FileTrail], workdirs: Sequence[str]) -> None:
        files = tuple(files)
        self._keys = FileKeys((f.key for f in files), workdirs)
        self._paths = {f.key: f.path for f in files}
        self._operations = {f.key: list(f.operations) for f in files}
        self._names = {f.key: f.names for f in files}

    @property
    def workdirs(self) -> tuple[str, ...]:
        """Folders that paths were seen from, in order of first use."""
        return tuple(self._keys.workdirs)

    def trails(self) -> tuple[FileTrail, ...]:
        """The trails as values, in order of first touch."""
        return tuple(
            FileTrail(self._paths[key], key, tuple(operations), self._names.get(key, ()))
            for key, operations in self._operations.items()
        )

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
        key = self._keys.key_of(path, workdir)
        if key not in self._operations:
            self._take_over(key, path.strip())
        self._operations[key].append(operation)
        if not operation.happened:
            return
        if operation.action is ToolAction.CREATE:
            self._names[key] = operation.names
        elif operation.action is ToolAction.EDIT:
            gone = set(old_names) - set(operation.names)
            kept = [n for n in self._names.get(key, ()) if n not in gone]
            self._names[key] = tuple(dict.fromkeys([*kept, *operation.names]))[:_MOST_NAMES]
        elif operation.action is ToolAction.DELETE:
            self._names[key] = ()

    def _take_over(self, key: str, path: str) -> None:
        """Open a trail; one that was kept under a relative path goes on under its absolute one, in its place."""
        old = self._keys.former(key)
        if old is None or old not in self._operations:
            self._paths[key] = path
            self._operations[key] = []
            return
        self._operations = {key if k == old else k: v for k, v in self._operations.items()}
        self._paths[key] = self._paths.pop(old)
        if old in self._names:
            self._names[key] = self._names.pop(old)
