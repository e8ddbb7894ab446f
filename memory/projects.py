"""Which project a folder belongs to: worktrees and clones of one repository share it, forks don't.

A project is named by the address of the git remote it came from, so that every clone on every machine agrees; a
repository without a remote by the folder its history lies in, so that its worktrees agree, and a clone of a folder
on this machine is the project of that folder. Read from files; git itself is not asked, and nothing is run.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

MOST_READ: Final = 1_000_000
"""Bytes of a git file that are read (chosen: real ones have a few hundred)."""

MOST_HOPS: Final = 4
"""Clones of clones on one machine that are followed to where they came from (chosen)."""

_GITDIR: Final = re.compile(r"\Agitdir:[ \t]{0,8}([^\r\n]{1,4000})")
_SECTION: Final = re.compile(
    r"\[\s{0,8}([A-Za-z0-9.-]{1,80})(?:\s{1,8}\"((?:[^\"\\\n]|\\.){0,400})\")?\s{0,8}\]"
)
_SETTING: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,80})\s{0,40}=\s{0,40}([^\r\n]{0,4000})")
_SCP: Final = re.compile(r"(?:[^@/\s]{1,100}@)?([A-Za-z0-9.-]{2,255}):(?!//)(.{1,2000})")
_WEB: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,20}://(?:[^@/\s]{0,400}@)?([^/:\s]{1,255})(?::(\d{1,5}))?(/.{0,2000})?"
)
_USUAL_PORTS: Final = frozenset({"22", "80", "443", "9418"})


@dataclass(frozen=True, slots=True)
class Project:
    """What tasks in one repository share.

    Attributes:
        key: names the project; the same for worktrees and clones, another for forks. "p_" and 16 hexadecimal digits.
        root: the top folder of the working tree it was read from.
        remote: address of the remote it is named by, without user, password, scheme and ".git"; "" without one.
        name: what people call it: last part of the remote or of the folder.
    """

    key: str
    root: str
    remote: str
    name: str


def project_of(path: Path | str) -> Project | None:
    """Return the project that a file or folder lies in; None where there is no git repository.

    The remote is "origin"; without one of that name, the only remote there is, or the first by name.
    Reads at most a handful of small files. A damaged repository counts by its folder.

    Args:
        path: need not exist; its existing parents are looked at.
    """
    return _project_of(Path(os.path.realpath(path)), MOST_HOPS)


def _project_of(start: Path, hops: int) -> Project | None:
    for folder in (start, *start.parents):
        found = _git_folder(folder / ".git") or _bare(folder)
        if found is None:
            continue
        common = _common_folder(found)
        remote = _remote(_text(common / "config"))
        origin = _on_this_machine(remote, folder)
        if origin is not None and hops:
            first = _project_of(origin, hops - 1)
            if first is not None:
                return Project(first.key, os.fspath(folder), first.remote, first.name)
        named = os.fspath(origin or common) if origin is not None or not remote else remote
        root = os.fspath(folder)
        name = (remote.rpartition("/")[2] if remote else _folder_name(common, folder)) or root
        return Project(_key(named), root, remote, name)
    return None


def _on_this_machine(remote: str, folder: Path) -> Path | None:
    """Return the folder that a remote names on this machine; None for an address elsewhere."""
    if remote.startswith(("/", "./", "../")):
        return Path(os.path.realpath(folder / remote))
    return None


def _bare(folder: Path) -> Path | None:
    """Return a folder that is itself a repository without a working tree."""
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def canonical_remote(address: str) -> str:
    """Return what is the same for all spellings of a remote's address.

    `git@host:a/b.git`, `ssh://git@host:22/a/b` and `https://user:token@host/a/b/` are all "host/a/b"; hosts in
    lower case. A path on this machine stays as it is.
    """
    text = address.strip().rstrip("/")
    if text.casefold().startswith("file://"):
        return text[7:]
    if text.startswith(("/", "./", "../")):
        return text
    if web := _WEB.fullmatch(text):
        host = web[1].casefold()
        port = f":{web[2]}" if web[2] and web[2] not in _USUAL_PORTS else ""
        return f"{host}{port}/{_without_suffix((web[3] or '').strip('/'))}"
    if scp := _SCP.fullmatch(text):
        return f"{scp[1].casefold()}/{_without_suffix(scp[2].strip('/'))}"
    return _without_suffix(text)


def _without_suffix(path: str) -> str:
    return path.rstrip("/").removesuffix(".git").rstrip("/")


def _key(named: str) -> str:
    return "p_" + blake2b(named.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def _folder_name(common: Path, folder: Path) -> str:
    """Return the main working tree's name for all its worktrees; that of a bare repository without ".git"."""
    if common.name == ".git":
        return common.parent.name
    return _without_suffix(common.name) or folder.name


def _git_folder(place: Path) -> Path | None:
    """Return where ".git" leads: itself, or what a ".git" file of a worktree or submodule points to."""
    if (place / "HEAD").is_file():
        return place
    pointer = _GITDIR.match(_text(place)) if place.is_file() else None
    if pointer is None:
        return None
    target = Path(os.path.realpath(place.parent / pointer[1].strip()))
    return target if (target / "HEAD").is_file() else None


def _common_folder(git: Path) -> Path:
    """Return the folder that all worktrees share."""
    said = _text(git / "commondir").strip()
    return Path(os.path.realpath(git / said)) if said else git


def _text(place: Path) -> str:
    try:
        with place.open("rb") as file:
            return file.read(MOST_READ).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _remote(config: str) -> str:
    """Return the canonical address of the remote that names a repository, "" without one."""
    remotes: dict[str, str] = {}
    section = None
    for line in config.splitlines():
        said = line.strip()
        if head := _SECTION.match(said):
            section = head[2] if head[1].casefold() == "remote" else None
        elif section and (setting := _SETTING.fullmatch(said)) and setting[1].casefold() == "url":
            remotes.setdefault(section, _unquoted(setting[2]))
    if not remotes:
        return ""
    return canonical_remote(remotes.get("origin") or remotes[min(remotes)])


def _unquoted(value: str) -> str:
    said = value.strip()
    return said[1:-1] if len(said) > 1 and said[0] == said[-1] == '"' else said
