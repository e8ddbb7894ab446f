"""Paths of Windows and Unix as text: joining, normalising, telling whether two ways of writing mean one file."""

from __future__ import annotations

import re

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HOME = re.compile(r"(?:/home/[^/]{1,80}|/Users/[^/]{1,80}|/root|[a-z]:/[Uu]sers/[^/]{1,80})(?=/|$)")
_LONGEST = 1000
VENDORED = re.compile(
    r"(?:^|[/\\])(?:node_modules|site-packages|dist-packages|bower_components|__pycache__|\.venv|\.git|\.next|\.tox)[/\\]"
)
"""A path in the folders of dependencies, of version control, or of what tools make: nobody works on it."""
GLOB = re.compile(
    r"[*?]|(?:(?<=[^/\\\[])\[|\[(?!\[?(?:\.{3})?[A-Za-z_][\w-]{1,40}\]{1,2}(?:[/\\.]|$)))[^\]]{1,40}\]|\{[^}]{1,200},"
)
"""A pattern; a whole folder in brackets is a name (`app/[slug]/page.tsx` of Next.js)."""


def is_absolute(path: str) -> bool:
    """Tell whether a path begins at a root, a drive, a share or a home directory."""
    return path.startswith(("/", "~", "\\\\")) or bool(_DRIVE.match(path))


def is_windows(folder: str | None) -> bool:
    """Tell whether a folder is one of Windows: it begins with a drive or a share."""
    return bool(folder and (_DRIVE.match(folder) or folder.startswith("\\\\")))


def normal_path(path: str) -> str:
    """Write a path in one way: `/` between folders, `.` and `..` resolved, drive in lower case, no quotes or `file://`."""
    path = path.strip().strip("\"'").removeprefix("file://")[:_LONGEST]
    if _DRIVE.match(path) or ("\\" in path and "/" not in path) or path.startswith("\\\\"):
        path = path.replace("\\", "/")
    if _DRIVE.match(path):
        path = path[0].lower() + path[1:]
    elif path[:1] == "/" and _DRIVE.match(path[1:]):  # /C:/x of a URI
        path = path[1].lower() + path[2:]
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts) or "."


def join_path(folder: str | None, path: str) -> str:
    """Return `path` seen from `folder`, normalised; `path` itself where it is absolute or there is no folder."""
    if not folder or folder == "." or is_absolute(path):
        return normal_path(path)
    return normal_path(f"{normal_path(folder)}/{path.strip()}")


def base_name(path: str) -> str:
    """Return the last part of a path."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def ends_with_path(path: str, tail: str) -> bool:
    """Tell whether a normalised `tail` is the end of a normalised `path`, by whole parts."""
    return path == tail or (path.endswith(tail) and path[-len(tail) - 1 : -len(tail)] == "/")


def home_path(path: str) -> str:
    """Return a normalised path with a home directory written as `~`, as shells write it."""
    m = _HOME.match(path)
    return "~" + path[m.end() :] if m else path
