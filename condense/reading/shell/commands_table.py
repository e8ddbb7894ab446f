"""What shell commands do with their operands, and what they are run for, as data: bash, PowerShell and cmd."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from condense.reading.calls import SHELLS, ToolAction, command_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Purpose(StrEnum):
    """What a command is run for, the weightiest first."""

    TEST = "test"
    BUILD = "build"
    CHECK = "check"
    OTHER = "other"


class Taking(StrEnum):
    """Which operands (words that are no options) are paths."""

    ALL = "all"
    REST = "rest"  # all but the first, which is a pattern or a script
    COPY = "copy"  # the last is written, the others are read
    MOVE = "move"  # the last is written, the others go away


class ShellRow(NamedTuple):
    """What a command does."""

    action: ToolAction  # what happens to the paths taken
    names: str  # the commands, in lower case
    taking: Taking = Taking.ALL
    valued: str = ""  # options that take the next word
    edits: str = ""  # options with which it changes its operands


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _rows(text: str) -> dict[str, frozenset[str]]:
    """Rows apart by semicolons: a name, and the words behind it."""
    return {name: frozenset(rest) for name, *rest in map(str.split, text.split(";"))}


PATH_OPTIONS = word_set("-path -literalpath -filepath -destination -outfile -newname -name -inputobject -target")
"""PowerShell's options whose value is a path."""
GIVEN = word_set("-e -f --regexp --file --files --expression -pattern")
"""Options that give the pattern or script, so that every operand is a path."""
_GREP = (
    "-A -B -C -m -e -f --regexp --file --glob --iglob --type --type-not --include --exclude --exclude-dir --max-count "
    "--context --threads --sort --max-depth --color --colors --max-columns --replace"
)
_A, _Row = ToolAction, ShellRow
_UNIX = (
    _Row(_A.READ, "cat bat batcat less more tac rev strings zcat hexdump readelf"),
    _Row(_A.READ, "head tail", valued="-n -c --lines --bytes -s"),
    _Row(_A.READ, "nl od xxd fold column pr cut", valued="-b -v -w -s -i -n -N -j -x -t -c -W -L"),
    _Row(_A.READ, "sed", Taking.REST, "-e -f -l", "-i --in-place"),
    _Row(_A.READ, "awk gawk mawk nawk", Taking.REST, "-F -v -f"),
    _Row(_A.READ, "jq yq", Taking.REST, "--arg --argjson --slurpfile --indent -f"),
    _Row(_A.READ, "sort uniq diff cmp comm", valued="-k -t -o -S -T -u -w -U -L --label -C -c -s -f -d"),
    _Row(_A.SEARCH, "rg ag ack", Taking.REST, _GREP + " -g -t -T -j -d -M -r"),
    _Row(_A.SEARCH, "grep egrep fgrep zgrep", Taking.REST, _GREP),
    _Row(_A.LIST, "ls tree dir exa eza", valued="-I -L -P -w -T --ignore --color --sort --time-style"),
    _Row(_A.LIST, "du wc stat file realpath md5sum sha256sum", valued="-d -t --max-depth -h -c --format -m"),
    _Row(_A.CREATE, "tee", edits="-a --append"),
    _Row(_A.CREATE, "touch truncate"),
    _Row(_A.CREATE, "cp install ln rsync scp", Taking.COPY, "-t -S -m -o -g"),
    _Row(_A.CREATE, "mv", Taking.MOVE, "-t -S"),
    _Row(_A.DELETE, "rm unlink shred rmdir trash"),
    _Row(_A.EDIT, "ed ex dos2unix"),
    _Row(_A.OTHER, "perl ruby", valued="-e", edits="-i"),
    _Row(_A.OTHER, "prettier biome", edits="--write"),
    _Row(_A.OTHER, "eslint stylelint", edits="--fix"),
    _Row(_A.OTHER, "gofmt goimports shfmt", edits="-w"),
    _Row(_A.OTHER, "clang-format yapf autopep8", edits="-i"),
)
_CMDLETS = (
    _Row(_A.READ, "get-content gc type import-csv get-filehash"),
    _Row(_A.SEARCH, "select-string sls findstr", Taking.REST),
    _Row(_A.LIST, "get-childitem gci get-item test-path resolve-path"),
    _Row(_A.CREATE, "set-content sc out-file new-item ni export-csv"),
    _Row(_A.EDIT, "add-content ac clear-content"),
    _Row(_A.DELETE, "remove-item ri rd del erase"),
    _Row(_A.CREATE, "copy-item copy cpi xcopy robocopy", Taking.COPY),
    _Row(_A.CREATE, "move-item move mi rename-item ren rni", Taking.MOVE),
)
CMDLET_VALUES = word_set(
    "-value -encoding -filter -include -exclude -pattern -itemtype -totalcount -tail -first -context -delimiter -head "
    "-depth -erroraction -ea -stream -readcount -type"
)
"""PowerShell's options that take a value which is no path."""
CMDLETS = {name for row in _CMDLETS for name in row.names.split()}
"""Commands of PowerShell and cmd: options in any case, lists with commas."""
ROWS = {name: row for row in _UNIX + _CMDLETS for name in row.names.split()}
FINDERS = word_set("find fd ls tree dir exa eza get-childitem gci") | {
    n for n, row in ROWS.items() if row.action is _A.SEARCH
}
"""Commands that print matches and listings."""
_LOOKING = word_set(
    "pwd echo printf which where whereis whoami id date true test [ cd env printenv ps hostname uname for command "
    "write-output write-host if foreach get-location pgrep lsof"
)
LOOKERS = _LOOKING | FINDERS | {n for n, row in ROWS.items() if row.action in (_A.READ, _A.LIST)}
"""Commands that change and start nothing, unless they write where they are told to."""

IDLE = LOOKERS | {name for name, row in ROWS.items() if row.action is not _A.OTHER}
IDLE |= word_set(
    "git gh hub glab svn hg mkdir chmod chown kill pkill killall sleep export unset set source . alias wait exit break "
    "return continue read local apply_patch applypatch patch tar zip unzip gzip apt apt-get brew yum dnf apk pip pip3 "
    "pipx nvm rustup clear code open df free pushd popd logs images list get describe info show status version help i "
    "config ci add remove uninstall init sync mod pull push tag lock update upgrade login search --version -v --help -h"
)
IDLE -= {"test"}
"""Commands that run nothing of a project, and words behind a program's name with which it does not."""

_PREFIXES = _rows(
    "sudo -u -g -h -p -C; env -u -C -S; nohup; nice -n; ionice -c -n; timeout -k -s; gtimeout -k -s; stdbuf -i -o -e; "
    "command; exec -a; builtin; xargs -n -I -P -L -d -s -E; winpty; doas -u; unbuffer; caffeinate; setsid; chronic; "
    "npx -p --package; bunx; pnpx; start-process; call; watch -n; script -c; strace -o -e"
)  # commands that run another one, with those of their options that take a value
_RUNNERS = _rows(
    "uv run; poetry run; pipenv run; rye run; hatch run; pdm run; conda run; pixi run; pnpm exec dlx; yarn dlx exec; "
    "bun x; npm exec; bundle exec; mise exec x; direnv exec; fvm spawn"
)  # commands that run another one behind a word of their own (`uv run pytest`)
_RUNNER_VALUED = word_set("--with -p --python -n --package --extra -m")
_MOST_PREFIXES = 8


def without_prefix(words: Sequence[str]) -> tuple[str, ...]:
    """Take off assignments, `sudo`, `timeout 30`, `uv run`, `npx` and their like."""
    left = list(words)
    for _ in range(_MOST_PREFIXES):
        while left and re.match(r"[A-Za-z_]\w{0,80}=", left[0], re.ASCII):
            left.pop(0)
        name = command_name(left[0]) if left else ""
        if name in _PREFIXES:
            left = _behind_options(left[1:], _PREFIXES[name])
            if name.endswith("timeout"):
                left = left[1:]
        elif name in _RUNNERS and len(left) > 1 and left[1] in _RUNNERS[name]:
            left = _behind_options(left[2:], _RUNNER_VALUED)
        else:
            break
    return tuple(left)


def _behind_options(words: list[str], valued: frozenset[str]) -> list[str]:
    i = 0
    while i < len(words) and words[i].startswith("-"):
        i += 2 if words[i] in valued else 1
    return words[i:]


def opens_shell(words: Sequence[str]) -> bool:
    """Tell whether a command opens a shell to type into: a shell without anything to run (`bash -l`)."""
    name, *rest = without_prefix(words) or ("",)
    inert = ("--version", "--help", "-c")
    return command_name(name) in SHELLS and all(w.startswith("-") and w not in inert for w in rest)


_TOOLS = word_set(
    "cargo go npm yarn pnpm bun deno mvn mvnw gradle gradlew dotnet flutter dart mix swift zig sbt bazel rake make "
    "just hatch stack cabal playwright lein manage.py artisan rails catkin colcon nx turbo task ng invoke next nuxt "
    "vite tauri anchor forge docker docker-compose uv poetry"
)
_TASKS = {
    Purpose.TEST: "test t tst nextest verify",
    Purpose.BUILD: "build b compile publish",
    Purpose.CHECK: "lint check clippy fmt vet analyze typecheck type-check",
}
_COMMANDS = {
    Purpose.TEST: "pytest py.test tox nox jest vitest mocha ava ctest rspec phpunit behave robot nose2 cypress karma "
    "unittest doctest pest ginkgo gotestsum make:check gradle:check gradlew:check ruby:-itest",
    Purpose.BUILD: "cmake ninja tsc webpack esbuild rollup gcc g++ clang clang++ cc javac rustc msbuild xcodebuild "
    "catkin_make meson pyinstaller go:install mvn mvnw gradle gradlew make",
    Purpose.CHECK: "mypy pyright basedpyright flake8 pylint ruff eslint shellcheck golangci-lint stylelint hadolint "
    "tflint rubocop black isort prettier biome bandit vulture",
}
_PURPOSES = {f"{tool}:{word}": p for p, words in _TASKS.items() for word in words.split() for tool in _TOOLS}
_PURPOSES |= {name: purpose for purpose, names in _COMMANDS.items() for name in names.split()}
_TEST_FILE = re.compile(r"(?:^|[/\\])(?:test_[^/\\]{1,80}|[^/\\]{1,80}[_.](?:test|spec))\.\w{1,4}$|^tests?[/\\]")


def purpose_of(words: Sequence[str]) -> Purpose:
    """Return what a command without prefixes is for, by its name and the word behind it (`npm run build`)."""
    name = command_name(words[0]) if words else ""
    rest = list(words[1:])
    if re.fullmatch(r"(?:python[\d.]{0,5}w?|py|pypy3?)", name, re.ASCII):
        return _python_purpose(rest)
    operands = [w.lower() for w in rest if not w.startswith(("-", "+"))] + ["", ""]
    sub = operands[0]
    if name in ("npm", "yarn", "pnpm", "bun") and sub in ("run", "run-script", "--"):
        sub = operands[1]
    if name in ("docker", "podman") and sub == "compose" and operands[1]:
        name, sub = "docker-compose", operands[1]
    if name == "node" and ("--test" in rest or _TEST_FILE.search(operands[0])):
        return Purpose.TEST
    if name == "tsc" and "--noEmit" in rest:
        return Purpose.CHECK
    keys = (f"{name}:{sub}", f"{name}:{re.split('[:_-]', sub)[0]}", name)
    return next((_PURPOSES[key] for key in keys if key in _PURPOSES), Purpose.OTHER)


def _python_purpose(rest: list[str]) -> Purpose:
    """What Python runs: a module (`-m`), or a file."""
    for i, word in enumerate(rest):
        if word == "-c":
            break
        if word == "-m" and i + 1 < len(rest):
            module = rest[i + 1]
            return purpose_of([module if "http" in module else module.rsplit(".", 1)[-1], *rest[i + 2 :]])
        if not word.startswith("-"):
            return Purpose.TEST if _TEST_FILE.search(word) else purpose_of(rest[i:])
    return Purpose.OTHER


def main_purpose(found: Iterable[Purpose]) -> Purpose:
    """Return the weightiest of several purposes."""
    there = set(found)
    return next((purpose for purpose in Purpose if purpose in there), Purpose.OTHER)
