"""Which project a folder belongs to: worktrees and clones of one repository share it, forks don't.

A project is named by the address of the git remote it came from, without one by the folder its history lies in; a clone
of a repository on this machine is the project of that repository. Read from files; git itself is not run.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

MOST_READ: Final = 1_000_000
MOST_HOPS: Final = 4
"""Bytes of a git file that are read; clones of clones on one machine that are followed to their origin (chosen)."""
_GITDIR: Final = re.compile(r"\Agitdir:[ \t]{0,8}([^\r\n]{1,4000})")
_SECTION: Final = re.compile(r"\[\s{0,8}([A-Za-z0-9.-]{1,80})(?:\s{1,8}\"((?:[^\"\\\n]|\\.){0,400})\")?\s{0,8}\]")
_URL: Final = re.compile(r"\s{0,40}url\s{0,40}=((?:[^\"\\#;\r\n]|\\.|\"(?:[^\"\\\r\n]|\\.)*\")*)", re.IGNORECASE)
_QUOTING: Final = re.compile(r"\\(.)|\"")
_SCP: Final = re.compile(r"(?:[^@/\s]{1,100}@)?([A-Za-z0-9._-]{2,255})():(?!//)(.{1,2000})")
_WEB: Final = re.compile(
    r"(?!(?i:file):)[A-Za-z][A-Za-z0-9+.-]{0,20}://(?:[^@/\s]{0,400}@)?"
    r"(\[[^\]/\s]{1,100}\]|[^/:\s]{1,255})(?::(\d{1,5}))?(/.{0,2000})?"
)
_FILE: Final = re.compile(r"(?i:file)://[^/]{0,255}(?=/)")
_USUAL_PORTS: Final = frozenset({"22", "80", "443", "9418"})
_OTHER_DOOR: Final = re.compile(r"(?:www|ssh|altssh)\.(?=[^.]+\.)")
"""Names under which one service answers besides its own: on the web, and for SSH through port 443."""
_HERE: Final = frozenset({"localhost", "127.0.0.1", "[::1]", "ext"})
"""Hosts that mean another machine to everybody, and the beginning of a transport that is a command."""


@dataclass(frozen=True, slots=True)
class Project:
    """What tasks in one repository share.

    `key` ("p_" and 16 hexadecimal digits) is the same for worktrees and clones; `root` the top folder of the working
    tree; `remote` the address without user, password, scheme and ".git", "" without one; `name` what people call it.
    """

    key: str
    root: str
    remote: str
    name: str


def project_of(path: Path | str) -> Project | None:
    """Return the project that a file or folder lies in; None where there is no git repository.

    The remote is "origin", else the first by name that has an address. A path that is not there counts by its existing
    parents, a damaged repository by its folder.
    """
    return _project_of(Path(os.path.realpath(path)), MOST_HOPS)


def _project_of(start: Path, hops: int) -> Project | None:
    for folder in (start, *start.parents):
        git = _repository(folder)
        if git is None:
            continue
        shared = _text(git / "commondir").strip()  # by all worktrees
        common = Path(os.path.realpath(git / shared)) if shared else git
        remotes = _remotes(_text(common / "config"))
        first = _cloned_from(remotes.get("origin", ""), common, folder, hops)
        if first is not None:
            return Project(first.key, os.fspath(folder), first.remote, first.name)
        addresses = {name: address for name, url in sorted(remotes.items()) if (address := _address(url))}
        remote = addresses.get("origin") or next(iter(addresses.values()), "")
        home = common.parent.name if common.name == ".git" else _plain(common.name)
        name = (remote.rpartition("/")[2] if remote else home or folder.name) or os.fspath(folder)
        named = (remote or os.fspath(common)).encode("utf-8", "surrogateescape")
        return Project("p_" + blake2b(named, digest_size=8).hexdigest(), os.fspath(folder), remote, name)
    return None


def _cloned_from(url: str, common: Path, folder: Path, hops: int) -> Project | None:
    if not url or not hops or _address(url):
        return None
    place = (common.parent if common.name == ".git" else folder) / canonical_remote(url)
    for found in (place, place.with_name(f"{place.name}.git")):
        if _repository(found):
            return _project_of(Path(os.path.realpath(found)), hops - 1)
    return None


def _repository(folder: Path) -> Path | None:
    """Return the git folder of a working tree (a worktree's and a submodule's ".git" points to it) or a bare one."""
    place = folder / ".git"
    if (place / "HEAD").is_file():
        return place
    pointer = _GITDIR.match(_text(place))
    if pointer is not None:
        place = Path(os.path.realpath(folder / pointer[1].strip()))
        if (place / "HEAD").is_file():
            return place
    return folder if (folder / "HEAD").is_file() and (folder / "objects").is_dir() else None


def canonical_remote(address: str) -> str:
    """Return what is the same for all spellings of a remote's address; a path on this machine stays as it is.

    `git@host:a/b.git`, `ssh://git@ssh.host:443/a/b` and `https://user:token@www.Host/a/b/` are all "host/a/b".
    """
    return _address(address) or _FILE.sub("", address.strip().rstrip("/"))


def _address(url: str) -> str:
    """Return the canonical address that a URL names, "" for a path: as git tells them, by what precedes a slash."""
    text = url.strip().rstrip("/")
    found = _WEB.fullmatch(text) or _SCP.fullmatch(text)
    path = (found[3] or "").strip("/") if found else ""
    host = _OTHER_DOOR.sub("", found[1].casefold(), count=1) if found else ""
    if found is None or host in _HERE or not (path or found.re is _SCP):
        return ""
    port = f":{found[2]}" if found[2] and found[2] not in _USUAL_PORTS else ""
    return f"{host}{port}/{_plain(path)}"


def _plain(path: str) -> str:
    return path.rstrip("/").removesuffix(".git").rstrip("/")


def _text(place: Path) -> str:
    try:
        with place.open("rb") as file:
            return file.read(MOST_READ).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _remotes(config: str) -> dict[str, str]:
    remotes: dict[str, str] = {}
    section = None
    for line in config.splitlines():
        said = line.strip()
        if head := _SECTION.match(said):
            section = head[2] if head[1].casefold() == "remote" else None
            said = said[head.end() :]
        url = _URL.match(said) if section else None
        if section and url and (value := _QUOTING.sub(r"\1", url[1]).strip()):
            remotes.setdefault(section, value)
    return remotes
