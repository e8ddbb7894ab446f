"""One key for one file, whatever way its path is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading.text import base_name, ends_with_path, home_path, is_absolute, join_path, normal_path

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_FOLDERS = 40
"""Folders tried for a relative path, the newest first."""


class FileKeys:
    """Gives paths their keys, and learns from each.

    An absolute path is its own key, its home directory written as `~`. A relative one is joined to the
    folder that its command ran in; where that is not known, it is the one known file whose path ends with it
    (two parts at least), else it stands for itself until an absolute path ends with it; `current` then tells
    its new key.
    """

    def __init__(self, keys: Iterable[str] = (), workdirs: Iterable[str] = ()) -> None:
        self.workdirs = list(dict.fromkeys(workdirs))
        self._known: set[str] = set()
        self._absolute_by_base: dict[str, list[str]] = {}
        self._relative_by_base: dict[str, list[str]] = {}
        self._renamed: dict[str, str] = {}
        self._former: dict[str, str] = {}
        for key in keys:
            self._enter(key)

    def key_of(self, path: str, workdir: str | None) -> str:
        """Return the key of a file.

        Args:
            path: as a call has it.
            workdir: the folder it is seen from, None where unknown.
        """
        if workdir and workdir not in self.workdirs:
            self.workdirs.append(workdir)
        key = home_path(join_path(workdir, path) if workdir else normal_path(path))
        if key in self._known:
            return key
        found = self._absolute(key) if is_absolute(key) else self._relative(key)
        if found not in self._known:
            self._enter(found)
        return found

    def current(self, key: str) -> str:
        """Return the key that a key has become."""
        return self._renamed.get(key, key)

    def former(self, key: str) -> str | None:
        """Return the relative key that a key has taken the place of, None where there was none."""
        return self._former.get(key)

    def _absolute(self, key: str) -> str:
        relatives = self._relative_by_base.get(base_name(key), [])
        for other in relatives:
            if ends_with_path(key, other) and self._same(key, other):
                self._renamed[other] = key
                self._former[key] = other
                self._known.discard(other)
                relatives.remove(other)
                break
        return key

    def _relative(self, key: str) -> str:
        for folder in reversed(self.workdirs[-_MOST_FOLDERS:]):
            joined = home_path(join_path(folder, key))
            if joined in self._known:
                return joined
        if "/" not in key:
            return key
        tails = [k for k in self._absolute_by_base.get(base_name(key), []) if ends_with_path(k, key)]
        return tails[0] if len(tails) == 1 else key

    def _same(self, absolute: str, relative: str) -> bool:
        folder = absolute[: -len(relative) - 1]
        return "/" in relative or any(home_path(normal_path(w)) == folder for w in self.workdirs)

    def _enter(self, key: str) -> None:
        self._known.add(key)
        by_base = self._absolute_by_base if is_absolute(key) else self._relative_by_base
        by_base.setdefault(base_name(key), []).append(key)
