"""From simple commands to effects: files read, written, moved, removed; git; addresses fetched.

One walk over the commands of a script, which knows the folder (`cd`), the variables set to plain words and
the loops over lists; the table of `shell_rows` says what each command does with its operands.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction, read_patch
from condense.reading.shell.commands_table import (
    SHELLS,
    Taking,
    cmdlets,
    formatter_option,
    shell_rows,
    word_set,
)
from condense.reading.shell.effects import Effect
from condense.reading.shell.operands import (
    NOWHERE,
    Operands,
    cmdlet_paths,
    lines_shown,
    may_be_path,
    operands_of,
    written_by_script,
)
from condense.reading.shell.purposes import purpose_of, without_prefix
from condense.reading.shell.scripts import SimpleCommand
from condense.reading.shell.shell_git import GitAction, changes_repository, git_detail
from condense.reading.shell.tokenizing import split_commands
from condense.reading.text import GLOB, base_name, join_path, normal_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.reading.shell.commands_table import Purpose
    from condense.reading.shell.scripts import Redirect, ShellScript

_A = ToolAction

_VARIABLE = re.compile(r"\$(?:\{(\w{1,80})\}|(\w{1,80}))", re.ASCII)
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,80})=(.*)", re.ASCII | re.DOTALL)
_SET = re.compile(r"\$(\w{1,80})=(?!=)(.*)", re.ASCII | re.DOTALL)
_CMDLET = re.compile(r"[A-Za-z]{2,20}-[A-Z]\w{1,30}")
_SHELLS = SHELLS | word_set("eval wsl")
_CHANGE_FOLDER = word_set("cd pushd set-location sl chdir")
_FILTERS = word_set(
    "grep egrep rg awk cut uniq jq wc tr xargs select-string findstr python python3 node sort"
)
_REMOTE = word_set("ssh docker kubectl podman vagrant")
_PROGRAM = re.compile(r"python[\d.]{0,5}|py|node|ruby|perl|deno|bun")
_DEEPEST, _MOST_VALUES = 3, 40
_MOST = 2000  # commands of a script, and redirections of a command, that are followed (chosen)


class Walk:
    """One walk over a script; collects `effects`, `git` and `purposes`."""

    def __init__(self, workdir: str | None, *, windows: bool) -> None:
        self.effects: list[Effect] = []
        self.git: list[GitAction] = []
        self.purposes: list[Purpose] = []
        self.certain = True
        self.windows = windows
        self._folders: list[str | None] = [workdir]
        self._variables: dict[str, tuple[str, ...]] = {}
        self._nesting = self._pipe_from = 0
        self._printed = ""  # the newest here-document in a substitution: git commit -m "$(cat <<EOF ...)"

    def take(self, script: ShellScript) -> None:
        """Walk over the commands of a script."""
        self.certain = self.certain and script.certain and len(script.commands) <= _MOST
        for command in script.commands[:_MOST]:
            del self._folders[command.depth + 1 :]
            while len(self._folders) <= command.depth:
                self._folders.append(self._folders[-1])
            if command.joined not in ("|", "|&"):
                self._pipe_from = len(self.effects)
            if command.depth and command.name == "cat":
                documents = (r.target for r in command.redirects if r.operator == "<<")
                self._printed = next(documents, self._printed)
            self._command(command)

    def _command(self, command: SimpleCommand) -> None:
        words = self._without_assignments(command.words)
        if words and words[0] in ("for", "foreach"):
            if len(words) > 3 and words[2] == "in":  # noqa: PLR2004  # for NAME in VALUE...
                self._variables[words[1]] = words[3 : 3 + _MOST_VALUES]
            return
        plain = SimpleCommand(without_prefix(words), command.redirects, command.joined, command.depth)
        if plain.words:
            self.purposes.append(purpose_of(plain.words))
        before = len(self.effects)
        if not self._special(plain):
            self._by_table(plain)
        self._redirections(plain, since=before)

    def _without_assignments(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Take off `NAME=value` and PowerShell's `$name = value`, remembering plain values."""
        i = 0
        while i < len(words) and (m := _ASSIGNED.match(words[i])):
            self._variables[m[1]] = (m[2],)
            i += 1
        rest = words[i:]
        if rest and (m := _SET.match(rest[0])):  # PowerShell without blanks: $name='value'
            self._variables[m[1]] = (m[2],)
            return rest[1:]
        if len(rest) > 2 and rest[0].startswith("$") and rest[1] == "=":  # noqa: PLR2004  # $name = value
            alone = len(rest) == 3 and not _CMDLET.fullmatch(rest[2])  # noqa: PLR2004
            self._variables[rest[0][1:]] = (rest[2],) if alone else ()
            return rest[2:]
        return rest

    def _special(self, command: SimpleCommand) -> bool:
        """Commands that the table cannot say in a row; True where one was met."""
        name, words = command.name, command.words
        if not name:
            return True
        if name in _CHANGE_FOLDER:
            target = next((w for w in words[1:] if not w.startswith("-") and w.lower() != "/d"), None)
            if target is not None and "$" not in target:
                self._folders[-1] = join_path(self._folders[-1], target)
            return True
        if name in _SHELLS:
            self._inner_script(command)
            return True
        if name == "git":
            self._git(command)
            return True
        if name in ("gh", "hub"):
            if len(words) > 2 and words[2] in ("create", "merge", "close"):  # noqa: PLR2004  # gh pr create
                self.git.append(GitAction(f"{name} {words[1]} {words[2]}", ""))
            return True
        if name in ("apply_patch", "applypatch", "patch"):
            self._patch(command)
            return True
        if name in ("curl", "wget", "http", "https") or cmdlets().get(name) is _A.FETCH:
            self._fetch(command)
            return True
        if _PROGRAM.fullmatch(name):
            self._program(command)
            return True
        return name in _REMOTE

    def _inner_script(self, command: SimpleCommand) -> None:
        """`bash -lc "..."`, `pwsh -Command ...`, `cmd /c ...`: read what stands inside."""
        rest = list(command.words[1:])
        windows = command.name in ("pwsh", "powershell", "cmd")
        script = ""
        for i, word in enumerate(rest):
            lower = word.lower()
            if re.fullmatch(r"-[a-z]*c", lower) or lower in ("-command", "/c", "/k", "--"):
                script = (
                    " ".join(rest[i + 1 :])
                    if windows or command.name == "wsl"
                    else "".join(rest[i + 1 : i + 2])
                )
                break
        if command.name == "eval":
            script = " ".join(rest)
        if not script:
            script = next((r.target for r in command.redirects if r.operator == "<<"), "")
        if script and self._nesting < _DEEPEST:
            self._nesting += 1
            self.take(split_commands(script, windows=windows))
            self._nesting -= 1

    def _git(self, command: SimpleCommand) -> None:
        words = list(command.words[1:])
        folder = self._folders[-1]
        while words and words[0].startswith("-"):
            if words[0] == "-C" and len(words) > 1:
                folder = join_path(folder, words[1])
            words = words[2:] if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else words[1:]
        if not words:
            return
        verb, rest = words[0], words[1:]
        files = [w for w in (rest[rest.index("--") + 1 :] if "--" in rest else rest) if not w.startswith("-")]
        if verb == "rm" and "--cached" not in rest:
            self._add_all(_A.DELETE, files, "git rm", folder)
        elif verb == "mv" and len(files) > 1:
            self._move(files, "git mv", folder)
        elif (verb == "restore" and "--staged" not in rest) or (verb == "checkout" and "--" in rest):
            self._add_all(_A.EDIT, files, f"git {verb}", folder)
        elif verb in ("apply", "am"):
            self._patch(command, folder)
        if changes_repository(verb, rest):
            self.git.append(GitAction(verb, git_detail(verb, rest, self._printed)))

    def _patch(self, command: SimpleCommand, folder: str | None = None) -> None:
        texts = [r.target for r in command.redirects if r.operator in ("<<", "<<<")] + [
            w for w in command.words[1:] if "\n" in w
        ]
        for patch in read_patch("\n".join(texts)):
            target = join_path(folder or self._folders[-1], patch.path)
            moved = join_path(folder or self._folders[-1], patch.moved_to) if patch.moved_to else None
            self.effects.append(
                Effect(patch.action, target, command.name, text=patch.new, old=patch.old, moved_to=moved)
            )

    def _fetch(self, command: SimpleCommand) -> None:
        words = command.words
        for i, word in enumerate(words[1:], 1):
            bare = word.strip("'\"")
            if re.match(r"https?://|(?:localhost|127\.0\.0\.1|\[::1\])(?::\d|/|$)", bare):
                self.effects.append(Effect(_A.FETCH, bare, command.name))
            elif words[i - 1].lower() in ("-o", "--output", "-outfile", "--output-document"):
                self._add_all(_A.CREATE, [word], command.name)

    def _program(self, command: SimpleCommand) -> None:
        """Programs given on the command line or by here-document: the files they plainly write."""
        texts = [r.target for r in command.redirects if r.operator == "<<"]
        for i, word in enumerate(command.words[:-1]):
            if re.fullmatch(r"-[a-zA-Z]{0,4}[ec]", word):
                texts.append(command.words[i + 1])
        if command.name in ("perl", "ruby") and any(
            re.fullmatch(r"-[a-z0-9]*i[a-z.0-9]*", w) for w in command.words
        ):
            files = [w for w in operands_of(command, frozenset({"-e"})).words if w not in texts]
            self._add_all(_A.EDIT, files, f"{command.name} -i")
            return
        for path in written_by_script("\n".join(texts)):
            self._add_all(_A.EDIT, [path], command.name)

    def _by_table(self, command: SimpleCommand) -> None:
        name = command.name
        writes_with = formatter_option(name)
        if writes_with and writes_with in command.words:
            self._add_all(_A.EDIT, operands_of(command).words, f"{name} {writes_with}")
            return
        if name in cmdlets() and (self.windows or name not in shell_rows()):
            self._cmdlet(command)
            return
        row = shell_rows().get(name)
        if row is None:
            return
        operands = operands_of(command, row.valued, row.given)
        files = operands.words
        if row.taking is Taking.REST and not operands.pattern_given:
            files = files[1:]
        if name == "sed" and operands.has("-i", "--in-place"):
            self._add_all(_A.EDIT, files, "sed -i")
        elif row.taking is Taking.MOVE:
            self._move(files, name)
        elif row.taking is Taking.COPY:
            self._add_all(_A.CREATE, files[-1:] if len(files) > 1 else [], name)
        elif row.action is _A.READ:
            self._read(command, files, operands)
        else:
            edits = row.action is _A.CREATE and name == "tee" and operands.has("-a", "--append")
            self._add_all(_A.EDIT if edits else row.action, files, name)
            if row.action is _A.SEARCH and not files:
                self._narrow(None, _A.SEARCH)

    def _read(self, command: SimpleCommand, files: list[str], operands: Operands) -> None:
        lines = lines_shown(command, operands)
        if files:
            for path in self._resolved(files):
                if not GLOB.search(path):
                    self._add(Effect(_A.READ, path, command.name, lines))
        elif command.joined in ("|", "|&"):
            self._narrow(lines, _A.SEARCH if command.name in _FILTERS and lines is None else _A.READ)

    def _narrow(self, lines: tuple[int, int] | None, action: ToolAction) -> None:
        """What a pipe lets through of the files read before it."""
        for i in range(self._pipe_from, len(self.effects)):
            effect = self.effects[i]
            if effect.action is _A.READ:
                self.effects[i] = replace(effect, action=action, lines=lines or effect.lines)

    def _cmdlet(self, command: SimpleCommand) -> None:
        action = cmdlets()[command.name]
        paths = cmdlet_paths(command)
        if command.name.startswith(("move", "ren", "mi", "rni")) and len(paths) > 1:
            self._move(paths, command.name)
        elif command.name.startswith(("copy", "cp", "xcopy", "robocopy")):
            self._add_all(_A.CREATE, paths[-1:] if len(paths) > 1 else [], command.name)
        elif action is _A.READ:
            for path in self._resolved(paths):
                self._add(Effect(_A.READ, path, command.name, lines_shown(command, operands_of(command))))
        else:
            self._add_all(action, paths, command.name)
        if action is _A.SEARCH and not paths:
            self._narrow(None, _A.SEARCH)

    def _redirections(self, command: SimpleCommand, since: int) -> None:
        texts = [r.target for r in command.redirects if r.operator == "<<"]
        for redirect in command.redirects[:_MOST]:
            if redirect.operator in (">", ">>") and redirect.descriptor in (None, 1):
                self._written(command, redirect, texts, since)
            elif redirect.operator == "<":
                self._add_all(_A.READ, [redirect.target], "<")
        if texts and command.name == "tee":
            for i in range(since, len(self.effects)):
                self.effects[i] = replace(self.effects[i], text=texts[-1])

    def _written(self, command: SimpleCommand, redirect: Redirect, texts: list[str], since: int) -> None:
        if NOWHERE.fullmatch(redirect.target.strip()):
            return
        action = _A.CREATE if redirect.operator == ">" else _A.EDIT
        text = texts[-1] if texts else ""
        if not text and command.name in ("echo", "printf") and len(command.words) > 1:
            text = " ".join(w for w in command.words[1:] if w not in ("-e", "-n", "-en"))
        kept = [
            e for e in self.effects[since:] if e.action is not _A.READ
        ]  # what is read goes into the file unseen
        self.effects[since:] = kept
        for path in self._resolved([redirect.target]):
            self._add(Effect(action, path, redirect.operator, text=text))

    def _move(self, files: list[str], how: str, folder: str | None = None) -> None:
        target = next(iter(self._resolved(files[-1:])), None)
        if len(files) < 2 or target is None:  # noqa: PLR2004  # from and to
            return
        into_folder = len(files) > 2 or files[-1].endswith(("/", "\\", "."))  # noqa: PLR2004  # several sources
        for path in self._resolved(files[:-1]):
            several = GLOB.search(path) is not None
            new = f"{normal_path(target)}/{base_name(path)}" if into_folder and not several else target
            new = join_path(folder or self._folders[-1], new)
            old = join_path(folder or self._folders[-1], path)
            self.effects.append(Effect(_A.DELETE, old, how, moved_to=new))
            if not several:
                self.effects.append(Effect(_A.CREATE, new, how))

    def _add_all(self, action: ToolAction, paths: Iterable[str], how: str, folder: str | None = None) -> None:
        for path in self._resolved(paths):
            if action is not _A.DELETE and GLOB.search(path):
                continue
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
