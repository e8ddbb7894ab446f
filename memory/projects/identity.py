"""Which project a folder belongs to: worktrees and clones of one repository share it, forks don't.

A project is named by the address of the git remote it came from, so that every clone on every machine agrees; a
repository without one by the folder its history lies in, so that its worktrees agree. A clone of a repository on this
machine is the project of that repository; any other path, as a remote, names nothing. Read from files; git itself is
not asked, and nothing is run.
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
_SETTING: Final = re.compile(r"\s{0,40}([A-Za-z][A-Za-z0-9-]{0,80})\s{0,40}=([^\r\n]{0,4000})")
_VALUE: Final = re.compile(r"(?:[^\"\\#;]|\\.|\"(?:[^\"\\]|\\.)*\")*")
_QUOTING: Final = re.compile(r"\\(.)|\"")
_SCP: Final = re.compile(r"(?:[^@/\s]{1,100}@)?([A-Za-z0-9._-]{2,255}):(?!//)(.{1,2000})")
_WEB: Final = re.compile(
    r"(?!(?i:file):)[A-Za-z][A-Za-z0-9+.-]{0,20}://(?:[^@/\s]{0,400}@)?"
    r"(\[[^\]/\s]{1,100}\]|[^/:\s]{1,255})(?::(\d{1,5}))?(/.{0,2000})?"
)
_FILE: Final = re.compile(r"(?i:file)://[^/]{0,255}(?=/)")
_USUAL_PORTS: Final = frozenset({"22", "80", "443", "9418"})
_OTHER_DOOR: Final = re.compile(r"(?:www|ssh|altssh)\.(?=[^.]+\.)")
"""Names under which one service answers besides its own: on the web, and for SSH through port 443."""


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

    The remote is "origin"; without an address of that name, the only one there is, or the first by name.
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
        remotes = _remotes(_text(common / "config"))
        cloned = _on_this_machine(remotes.get("origin", ""), common, folder) if hops else None
        if cloned is not None and (first := _project_of(cloned, hops - 1)) is not None:
            return Project(first.key, os.fspath(folder), first.remote, first.name)
        addresses = {name: address for name, url in sorted(remotes.items()) if (address := _address(url))}
        remote = addresses.get("origin") or next(iter(addresses.values()), "")
        root = os.fspath(folder)
        name = (remote.rpartition("/")[2] if remote else _folder_name(common, folder)) or root
        return Project(_key(remote or os.fspath(common)), root, remote, name)
    return None


def _on_this_machine(url: str, common: Path, folder: Path) -> Path | None:
    """Return the repository that a remote names on this machine; None for an address, or where there is none."""
    if not url or _address(url):
        return None
    top = common.parent if common.name == ".git" else folder
    path = canonical_remote(url)
    for place in (top / path, top / f"{path}.git"):
        if _git_folder(place / ".git") or _bare(place):
            return Path(os.path.realpath(place))
    return None


def _bare(folder: Path) -> Path | None:
    """Return a folder that is itself a repository without a working tree."""
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def canonical_remote(address: str) -> str:
    """Return what is the same for all spellings of a remote's address.

    `git@host:a/b.git`, `ssh://git@ssh.host:443/a/b` and `https://user:token@www.Host/a/b/` are all "host/a/b". A path
    on this machine stays as it is.
    """
    return _address(address) or _FILE.sub("", address.strip().rstrip("/"))


def _address(url: str) -> str:
    """Return the canonical address that a URL names, "" for a path: as git tells them, by what precedes a slash."""
    text = url.strip().rstrip("/")
    if web := _WEB.fullmatch(text):
        if not (web[3] or "").strip("/") or _host(web[1]) in _HERE:
            return ""
        port = f":{web[2]}" if web[2] and web[2] not in _USUAL_PORTS else ""
        return f"{_host(web[1])}{port}/{_without_suffix((web[3] or '').strip('/'))}"
    if (scp := _SCP.fullmatch(text)) and _host(scp[1]) not in _HERE:
        return f"{_host(scp[1])}/{_without_suffix(scp[2].strip('/'))}"
    return ""


_HERE = frozenset(("localhost", "127.0.0.1", "[::1]", "ext"))
"""Hosts that mean another machine to everybody, and the beginning of a transport that is a command."""


def _host(name: str) -> str:
    return _OTHER_DOOR.sub("", name.casefold(), count=1)


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


def _remotes(config: str) -> dict[str, str]:
    """Return the address of every remote, by name, as a git configuration has it; of several, the first."""
    remotes: dict[str, str] = {}
    section = None
    for line in config.splitlines():
        said = line.strip()
        if head := _SECTION.match(said):
            section = head[2] if head[1].casefold() == "remote" else None
            said = said[head.end() :]
        setting = _SETTING.fullmatch(said) if section else None
        if section and setting and setting[1].casefold() == "url" and (url := _value(setting[2])):
            remotes.setdefault(section, url)
    return remotes


def _value(said: str) -> str:
    """Return what git reads as a value: up to a comment, without quotes."""
    found = _VALUE.match(said)
    return _QUOTING.sub(r"\1", found[0] if found else "").strip()
