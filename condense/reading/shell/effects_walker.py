"""From simple commands to effects on files and addresses: one walk that knows folders, plain variables and loops."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from condense.reading.calls import SHELLS, ToolAction, given_to_run, read_patch
from condense.reading.shell.commands_table import (
    FINDERS,
    IDLE,
    ROWS,
    Purpose,
    Taking,
    purpose_of,
    without_prefix,
    word_set,
)
from condense.reading.shell.operands import NOWHERE, lines_shown, may_be_path, operands_of, written_by_script
from condense.reading.shell.tokenizing import SimpleCommand, split_commands
from condense.reading.text import GLOB, base_name, join_path, normal_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_A = ToolAction
_VARIABLE = re.compile(r"\$(?:\{(\w{1,80})\}|(\w{1,80}))", re.ASCII)
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,80})=(.*)", re.ASCII | re.DOTALL)
_SET = re.compile(r"\$(\w{1,80})=(?!=)(.*)", re.ASCII | re.DOTALL)
_CMDLET = re.compile(r"[A-Za-z]{2,20}-[A-Z]\w{1,30}")
_GIT_FINDS = (("git", "grep"), ("git", "ls-files"))
_BACK = word_set("-- HEAD -q --quiet -f --force -W --worktree")  # with these files are as they were committed
_WITH_NEW = word_set("-u --include-untracked -a --all")
_AWAY = re.compile(r"[^/\\:]{2,}:")  # on another machine
_FILE = re.compile(r"^\.$|\.\w{1,5}$")  # no branch
_CHANGE_FOLDER = word_set("cd pushd set-location sl chdir")
_FILTERS = word_set("grep egrep rg awk cut uniq jq wc tr xargs select-string findstr python python3 node sort")
_FETCHERS = word_set("curl wget http https invoke-webrequest iwr invoke-restmethod irm")
_ADDRESS = re.compile(r"https?://|(?:localhost|127\.0\.0\.1|\[::1\])(?::\d|/|$)")
_PROGRAM = re.compile(r"python[\d.]{0,5}|py|node|ruby|perl|deno|bun")
_DEEPEST, _MOST_VALUES = 3, 40
_MOST = 2000  # commands of a script, and redirections of a command, that are followed


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a command on a file, a folder or an address."""

    action: ToolAction  # READ, SEARCH, LIST, CREATE, EDIT, DELETE, DISCARD, FETCH; OTHER where git keeps something
    target: str  # the path, seen from the starting folder; for FETCH the address
    how: str  # the command that does it ("sed -i", ">", "git rm")
    lines: tuple[int, int] | None = None  # READ: first and last line shown, None for all
    text: str = ""  # CREATE, EDIT: what is written, "" where the command does not say
    old: str = ""  # EDIT by patch: what is removed
    moved_to: str | None = None  # DELETE: the new path of what is moved away


class Walk:
    """One walk over a script; collects `effects` and `purposes`, whether a command `finds` or `runs` something."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.purposes: list[Purpose] = []
        self.finds = self.runs = False
        self._folders: list[str | None] = [None]
        self._variables: dict[str, Sequence[str]] = {}
        self._nesting = self._pipe_from = 0

    def take(self, commands: Sequence[SimpleCommand]) -> None:
        """Walk over the commands of a script."""
        for command in commands[:_MOST]:
            del self._folders[command.depth + 1 :]
            self._folders += self._folders[-1:] * (command.depth + 1 - len(self._folders))
            if not command.is_piped:
                self._pipe_from = len(self.effects)
            words = self._without_assignments(command.words)
            if words and words[0] in ("for", "foreach"):
                if words[2:3] == ("in",):  # for NAME in VALUE...
                    self._variables[words[1]] = words[3 : 3 + _MOST_VALUES]
                continue
            plain = replace(command, words=without_prefix(words))
            self.purposes.append(purpose_of(plain.words))
            self.finds = self.finds or plain.name in FINDERS or plain.words[:2] in _GIT_FINDS
            before = len(self.effects)
            if plain.name and not self._special(plain):
                self._by_table(plain)
            self.runs = self.runs or self._is_run(plain, before)
            self._redirections(plain, since=before)

    def _is_run(self, command: SimpleCommand, before: int) -> bool:
        """Whether a command may run something of the project: it does not just look, move files, edit or fetch."""
        name, words = command.name, command.words
        opened = name in SHELLS and bool(given_to_run(words) or command.documents)  # what it runs was looked at
        fetches = name in _FETCHERS and not re.search(r"localhost|127\.0\.0|\[::1\]", " ".join(words))
        own = "/" in "".join(words[:1]).removeprefix("/bin/").removeprefix("/usr/bin/")
        idle = opened or fetches or (not own and IDLE.intersection((name, *words[1:2])))
        return bool(name) and not idle and all(e.action in (_A.READ, _A.FETCH) for e in self.effects[before:])

    def _without_assignments(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Take off `NAME=value` and PowerShell's `$name = value`, remembering plain values."""
        while words and (m := _ASSIGNED.match(words[0])):
            self._variables[m[1]] = (m[2],)
            words = words[1:]
        if words and (m := _SET.match(words[0])):
            self._variables[m[1]] = (m[2],)
            return words[1:]
        if words[1:2] == ("=",) and words[0].startswith("$"):
            value = words[2:]
            runs = len(value) > 1 or _CMDLET.fullmatch("".join(value))
            self._variables[words[0][1:]] = () if runs else value
            return value
        return words

    def _special(self, command: SimpleCommand) -> bool:
        """Commands that the table cannot say in a row; True where one was met."""
        name, words = command.name, command.words
        if name in _CHANGE_FOLDER:
            target = next((w for w in words[1:] if not w.startswith("-") and w.lower() != "/d"), "$")
            if "$" not in target:
                self._folders[-1] = join_path(self._folders[-1], target)
        elif name in SHELLS or name in ("eval", "wsl"):
            self._inner_script(command)
        elif name == "git":
            self._git(command)
        elif name in ("apply_patch", "applypatch", "patch"):
            self._patch(command)
        elif name in _FETCHERS:
            for option, word in pairwise(words):
                if _ADDRESS.match(word.strip("'\"")):
                    self.effects.append(Effect(_A.FETCH, word.strip("'\""), name))
                elif option.lower() in ("-o", "--output", "-outfile", "--output-document"):
                    self._add_all(_A.CREATE, [word], name)
        elif _PROGRAM.fullmatch(name):
            given = [w for o, w in pairwise(words) if re.fullmatch(r"-[a-zA-Z]{0,4}[ec]", o)]
            self._add_all(_A.EDIT, written_by_script("\n".join(command.documents + given)), name)
            return name not in ROWS
        else:
            return False
        return True

    def _inner_script(self, command: SimpleCommand) -> None:
        """`bash -lc "..."`, `pwsh -Command ...`, `cmd /c ...`: read what stands inside."""
        script = given_to_run(command.words) or "\n".join(command.documents[:1])
        if script and self._nesting < _DEEPEST:
            self._nesting += 1
            self.take(split_commands(script, windows=command.name in ("pwsh", "powershell", "cmd")))
            self._nesting -= 1

    def _git(self, command: SimpleCommand) -> None:
        words = list(command.words[1:])
        folder = self._folders[-1]
        while words and words[0].startswith("-"):
            if words[0] == "-C" and len(words) > 1:
                folder = join_path(folder, words[1])
            words = words[2:] if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else words[1:]
        verb, rest = "".join(words[:1]), words[1:]
        files = [w for w in (rest[rest.index("--") + 1 :] if "--" in rest else rest) if not w.startswith("-")]
        if verb == "rm" and "--cached" not in rest:
            self._add_all(_A.DELETE, files, "git rm", folder)
        elif verb == "mv":
            self._move(files, "git mv", folder)
        elif verb in ("restore", "checkout") and "--staged" not in rest:
            plain = verb == "restore" or "--" in rest
            files = files if plain else [w for w in files if _FILE.search(w)]
            back = all(w in _BACK or w in files for w in rest)
            if back or plain:
                action, how = _A.DISCARD if back else _A.EDIT, f"git {verb}" if plain else "git checkout ?"
                self._add_all(action, files, how, folder)
        elif verb == "reset" and "--hard" in rest:
            self._add_all(_A.DISCARD, ["."], "git reset", folder)
        elif verb in ("add", "commit", "clean") or (verb == "stash" and "--" not in rest):
            aside = verb == "stash" and files[:1] in ([], ["push"], ["save"])
            what = ["-u"] * (not _WITH_NEW.isdisjoint(rest)) if aside else files * (verb == "stash")
            where = files if verb == "add" and files else ["."]
            self._add_all(_A.OTHER, where, " ".join(("git", verb, *what)), folder)
        elif verb in ("apply", "am"):
            self._patch(command, folder)

    def _patch(self, command: SimpleCommand, folder: str | None = None) -> None:
        folder = folder or self._folders[-1]
        texts = [r.target for r in command.redirects if r.operator in ("<<", "<<<")]
        for p in read_patch("\n".join(texts + [w for w in command.words[1:] if "\n" in w])):
            moved = join_path(folder, p.moved_to) if p.moved_to else None
            target = join_path(folder, p.path)
            self.effects.append(Effect(p.action, target, command.name, None, p.new, p.old, moved))

    def _by_table(self, command: SimpleCommand) -> None:
        name = command.name
        row = ROWS.get(name)
        if row is None:
            return
        operands = operands_of(command, row)
        files = operands.words[row.taking is Taking.REST and not operands.pattern_given :]
        edits = next((option for option in row.edits.split() if operands.has(option)), None)
        if edits:
            self._add_all(_A.EDIT, files, f"{name} {edits}")
        elif row.taking is Taking.MOVE:
            self._move(files, name)
        elif row.taking is Taking.COPY:
            self._add_all(_A.CREATE, [path for path in files[1:][-1:] if not _AWAY.match(path)], name)
        elif row.action is _A.READ:
            lines = lines_shown(command)
            for path in self._resolved(files):
                if not GLOB.search(path):
                    self._add(Effect(_A.READ, path, name, lines))
            if not files and command.is_piped:
                self._narrow(lines, _A.SEARCH if name in _FILTERS and lines is None else _A.READ)
        elif row.action is not _A.OTHER:
            self._add_all(row.action, files, name)
            if row.action is _A.SEARCH and not files:
                self._narrow(None, _A.SEARCH)

    def _narrow(self, lines: tuple[int, int] | None, action: ToolAction) -> None:
        """What a pipe lets through of the files read before it."""
        for i, effect in enumerate(self.effects[self._pipe_from :], self._pipe_from):
            if effect.action is _A.READ:
                self.effects[i] = replace(effect, action=action, lines=lines or effect.lines)

    def _redirections(self, command: SimpleCommand, since: int) -> None:
        text = "".join(command.documents[-1:])
        if text and command.name == "tee":
            self.effects[since:] = [replace(effect, text=text) for effect in self.effects[since:]]
        if not text and command.name in ("echo", "printf"):
            text = " ".join(w for w in command.words[1:] if w not in ("-e", "-n", "-en"))
        for operator, target, descriptor in command.redirects[:_MOST]:
            if operator == "<":
                self._add_all(_A.READ, [target], "<")
            elif operator in (">", ">>") and descriptor in ("", "1") and not NOWHERE.fullmatch(target.strip()):
                self.effects[since:] = [e for e in self.effects[since:] if e.action is not _A.READ]
                action = _A.CREATE if operator == ">" else _A.EDIT
                for path in self._resolved([target]):
                    self._add(Effect(action, path, operator, text=text))

    def _move(self, files: list[str], how: str, folder: str | None = None) -> None:
        target = next(iter(self._resolved(files[-1:])), None)
        if len(files) < 2 or target is None:  # noqa: PLR2004  # from and to
            return
        into_folder = len(files) > 2 or files[-1].endswith(("/", "\\", "."))  # noqa: PLR2004  # several sources
        for path in self._resolved(files[:-1]):
            several = GLOB.search(path) is not None
            new = f"{normal_path(target)}/{base_name(path)}" if into_folder and not several else target
            new = join_path(folder or self._folders[-1], new)
            self._add(Effect(_A.DELETE, path, how, moved_to=new), folder)
            if not several:
                self.effects.append(Effect(_A.CREATE, new, how))
                self.effects += [Effect(_A.OTHER, new, "git add")] if how == "git mv" else []

    def _add_all(self, action: ToolAction, paths: Iterable[str], how: str, folder: str | None = None) -> None:
        for path in self._resolved(paths):
            if action is _A.DELETE or not GLOB.search(path):
                self._add(Effect(action, path, how), folder)

    def _add(self, effect: Effect, folder: str | None = None) -> None:
        target = join_path(folder or self._folders[-1], effect.target)
        self.effects.append(effect if target == effect.target else replace(effect, target=target))

    def _resolved(self, words: Iterable[str]) -> list[str]:
        """Words as paths: known variables put in, unknown ones and what is no path left out."""
        found: list[str] = []
        for word in words:
            m = _VARIABLE.search(word)
            if m is None or word.startswith(("$HOME", "${HOME}")):
                found.append(word.replace("${HOME}", "~", 1).replace("$HOME", "~", 1))
                continue
            values = self._variables.get(m[1] or m[2], ())
            found.extend(word[: m.start()] + v + word[m.end() :] for v in values if "$" not in v)
        return [word for word in found if may_be_path(word)]
