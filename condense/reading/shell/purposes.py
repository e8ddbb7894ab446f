"""What a command is run for: tests, checks, builds, installs, servers, git.

A command is known by its name and the word behind it (`cargo test`, `npm run build`), after whatever only
starts it (`sudo`, `uv run`, `python -m`, `npx`) is taken off.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading.shell.commands_table import PREFIXES, RUNNERS, SHELLS, Purpose, purposes
from condense.reading.shell.scripts import command_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,80}=", re.ASCII)
_PYTHON = re.compile(r"python[\d.]{0,5}w?|py|pypy3?", re.ASCII)
_TEST_FILE = re.compile(
    r"(?:^|[/\\])(?:test_[^/\\]{1,80}|[^/\\]{1,80}[_.](?:test|spec))\.\w{1,4}$|^tests?[/\\]"
)
_ORDER = (Purpose.TEST, Purpose.BUILD, Purpose.CHECK, Purpose.INSTALL, Purpose.SERVE, Purpose.GIT)
_MOST_PREFIXES = 8


def without_prefix(words: Sequence[str]) -> tuple[str, ...]:
    """Take off assignments, `sudo`, `timeout 30`, `uv run`, `npx` and their like."""
    left = list(words)
    for _ in range(_MOST_PREFIXES):
        while left and _ASSIGNMENT.match(left[0]):
            left.pop(0)
        if not left:
            break
        name = command_name(left[0])
        if name in PREFIXES:
            left = _behind_options(left[1:], PREFIXES[name])
            if name in ("timeout", "gtimeout") and left:
                left.pop(0)
        elif name in RUNNERS and len(left) > 1 and left[1] in RUNNERS[name]:
            left = _behind_options(
                left[2:], frozenset({"--with", "-p", "--python", "-n", "--package", "--extra", "-m"})
            )
        else:
            break
    return tuple(left)


def _behind_options(words: list[str], valued: frozenset[str]) -> list[str]:
    i = 0
    while i < len(words) and words[i].startswith("-"):
        i += 2 if words[i] in valued else 1
    return words[i:]


_NO_SHELL = ("--version", "--help", "-c")


def opens_shell(words: Sequence[str]) -> bool:
    """Tell whether a command opens a shell to type into: a shell without anything to run (`bash -l`)."""
    left = without_prefix(words)
    return (
        bool(left)
        and command_name(left[0]) in SHELLS
        and all(word.startswith("-") and word not in _NO_SHELL for word in left[1:])
    )


def purpose_of(words: Sequence[str]) -> Purpose:
    """Return what one command is for.

    Args:
        words: its words, prefixes taken off (`without_prefix`).
    """
    name = command_name(words[0]) if words else ""
    if not name:
        return Purpose.OTHER
    rest = list(words[1:])
    if _PYTHON.fullmatch(name):
        return _python_purpose(rest)
    operands = [w for w in rest if not w.startswith(("-", "+"))]
    sub = operands[0].lower() if operands else ""
    if name in ("npm", "yarn", "pnpm", "bun") and sub in ("run", "run-script", "--") and len(operands) > 1:
        sub = operands[1].lower()
    if name in ("docker", "podman") and sub == "compose" and len(operands) > 1:
        name, sub = "docker-compose", operands[1].lower()
    if name == "node" and ("--test" in rest or _is_test_file(operands)):
        return Purpose.TEST
    if name == "tsc" and "--noEmit" in rest:
        return Purpose.CHECK
    if name == "make" and not sub:
        return Purpose.BUILD
    table = purposes()
    for key in (f"{name}:{sub}", f"{name}:{re.split('[:_-]', sub)[0]}", f"{name}:*", name):
        if key in table:
            return table[key]
    return Purpose.OTHER


def _python_purpose(rest: list[str]) -> Purpose:
    for i, word in enumerate(rest):
        if word == "-m" and i + 1 < len(rest):
            return purpose_of(
                [rest[i + 1].rsplit(".", 1)[-1] if "http" not in rest[i + 1] else rest[i + 1], *rest[i + 2 :]]
            )
        if word == "-c":
            return Purpose.OTHER
        if not word.startswith("-"):
            if _is_test_file([word]):
                return Purpose.TEST
            return purpose_of([word, *rest[i + 1 :]])
    return Purpose.OTHER


def _is_test_file(operands: list[str]) -> bool:
    return bool(operands) and bool(_TEST_FILE.search(operands[0]))


def main_purpose(found: Iterable[Purpose]) -> Purpose:
    """Return the weightiest of several purposes: tests before builds, checks, installs, servers, git."""
    there = set(found)
    return next((p for p in _ORDER if p in there), Purpose.OTHER)
