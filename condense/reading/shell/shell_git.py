"""What git commands do to a repository, and what of them is worth a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.reading.shell.commands_table import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class GitAction:
    """Something done to a repository's history or branches: the verb and what stands behind it."""

    verb: str
    detail: str


_GIT_VERBS = word_set(
    "commit push pull checkout switch merge rebase reset stash tag clone restore rm mv apply cherry-pick "
    "revert init worktree am clean submodule"
)
_LISTING = word_set("-a -v -vv -r -av -l")
_LONGEST_WORD = 120


def changes_repository(verb: str, rest: Sequence[str]) -> bool:
    """Tell whether a git command changes history, branches or the working tree.

    Args:
        verb: the word behind `git` and its options.
        rest: what stands behind the verb.
    """
    if verb == "branch":
        return any(not w.startswith("--") and w not in _LISTING for w in rest)
    return verb in _GIT_VERBS


def git_detail(verb: str, rest: Sequence[str], printed: str = "") -> str:
    """Return what to say of a git command: a commit's subject line, else what stands behind the verb.

    Args:
        verb: the word behind `git`.
        rest: what stands behind the verb.
        printed: the text of a here-document that a substitution in `rest` prints (`-m "$(cat <<EOF ...)"`).
    """
    if verb != "commit":
        return " ".join(w for w in rest if len(w) < _LONGEST_WORD)[:200]
    for i, word in enumerate(rest):
        if word == "--message" or re.fullmatch(r"-[a-z]{0,3}m", word):
            text = rest[i + 1] if i + 1 < len(rest) else ""
            return (printed if text.startswith("$(") else text).strip().split("\n", 1)[0]
        if word.startswith("--message="):
            return word[10:].split("\n", 1)[0]
    return ""
