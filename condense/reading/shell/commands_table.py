"""What shell commands do with their operands, as data: which are read, written, removed, and what a command is for.

Bash tools and PowerShell cmdlets stand in one table. `Taking` says which operands of a command are paths;
options that swallow the next word are named, so that their values are not taken for files.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction

if TYPE_CHECKING:
    from collections.abc import Mapping


class Purpose(StrEnum):
    """What a command is run for."""

    TEST = "test"
    CHECK = "check"
    BUILD = "build"
    INSTALL = "install"
    SERVE = "serve"
    GIT = "git"
    OTHER = "other"


class Taking(StrEnum):
    """Which operands (words that are no options) are paths."""

    ALL = "all"
    REST = "rest"  # all but the first, which is a pattern or a script
    LAST = "last"
    COPY = "copy"  # the last is written, the others are read
    MOVE = "move"  # the last is written, the others go away


@dataclass(frozen=True, slots=True)
class ShellRow:
    """One row: what a command does.

    Attributes:
        action: what happens to the paths taken.
        taking: which operands they are.
        valued: options that take the next word.
        given: options that give the pattern or script themselves, so that every operand is a path.
    """

    action: ToolAction
    taking: Taking = Taking.ALL
    valued: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


_set = word_set
SHELLS = word_set("bash sh zsh dash ksh fish pwsh powershell cmd")
"""Programs that take commands, as `command_name` writes them."""


_A = ToolAction
_GREP = ShellRow(
    _A.SEARCH,
    Taking.REST,
    _set(
        "-A -B -C -m -e -f --regexp --file -g --glob --iglob -t -T --type --type-not --include --exclude --exclude-dir "
        "--max-count --context -j --threads --sort -d --max-depth --color --colors -M --max-columns -r --replace"
    ),
    _set("-e -f --regexp --file --files"),
)
_PLAIN_GREP = ShellRow(
    _A.SEARCH, Taking.REST, _GREP.valued - {"-r", "-d", "-t", "-T", "-g", "-M", "-j"}, _GREP.given
)

_ROWS: tuple[tuple[ShellRow, str], ...] = (
    (ShellRow(_A.READ), "cat bat batcat less more tac rev strings zcat hexdump readelf"),
    (ShellRow(_A.READ, valued=_set("-n -c --lines --bytes -s")), "head tail"),
    (
        ShellRow(_A.READ, valued=_set("-b -v -w -s -i -n -N -j -x -t -c -W -L")),
        "nl od xxd fold column pr cut",
    ),
    (ShellRow(_A.READ, Taking.REST, _set("-e -f -l"), _set("-e -f --expression --file")), "sed"),
    (ShellRow(_A.READ, Taking.REST, _set("-F -v -f"), _set("-f")), "awk gawk mawk nawk"),
    (ShellRow(_A.READ, Taking.REST, _set("--arg --argjson --slurpfile --indent -f"), _set("-f")), "jq yq"),
    (
        ShellRow(_A.READ, valued=_set("-k -t -o -S -T -u -w -U -L --label -C -c -s -f -d")),
        "sort uniq diff cmp comm",
    ),
    (_GREP, "rg ag ack"),
    (_PLAIN_GREP, "grep egrep fgrep zgrep"),
    (
        ShellRow(_A.LIST, valued=_set("-I -L -P -w -T --ignore --color --sort --time-style")),
        "ls tree dir exa eza",
    ),
    (
        ShellRow(_A.LIST, valued=_set("-d -t --max-depth -h -c --format -m")),
        "du wc stat file realpath md5sum sha256sum",
    ),
    (ShellRow(_A.CREATE), "tee touch truncate"),
    (ShellRow(_A.CREATE, Taking.COPY, _set("-t -S -m -o -g")), "cp install ln rsync scp"),
    (ShellRow(_A.CREATE, Taking.MOVE, _set("-t -S")), "mv"),
    (ShellRow(_A.DELETE), "rm unlink shred rmdir trash"),
    (ShellRow(_A.EDIT), "ed ex dos2unix"),
)

_EDITING_FORMATTERS = {
    "prettier": "--write", "eslint": "--fix", "gofmt": "-w", "goimports": "-w", "clang-format": "-i", "yapf": "-i",
    "autopep8": "-i", "shfmt": "-w", "stylelint": "--fix", "biome": "--write", "sort": "-o",
}  # fmt: skip
"""Tools that change their operands when this option is there."""

CMDLET_PATHS = _set("-path -literalpath -filepath -destination -outfile -newname -name -inputobject -target")
"""PowerShell parameters whose value is a path (the others' values are not)."""

CMDLET_VALUES = _set(
    "-value -encoding -filter -include -exclude -pattern -itemtype -totalcount -tail -first -context -delimiter -head "
    "-depth -erroraction -ea -stream -readcount -type"
)
"""PowerShell parameters that take a value which is no path."""

_CMDLETS: tuple[tuple[ToolAction, str], ...] = (
    (_A.READ, "get-content gc type import-csv get-filehash"),
    (_A.SEARCH, "select-string sls findstr"),
    (_A.LIST, "get-childitem gci get-item test-path resolve-path"),
    (_A.CREATE, "set-content sc out-file new-item ni export-csv"),
    (_A.EDIT, "add-content ac clear-content"),
    (_A.DELETE, "remove-item ri rd del erase"),
    (_A.CREATE, "copy-item copy cpi move-item move mi rename-item ren rni xcopy robocopy"),
    (_A.FETCH, "invoke-webrequest iwr invoke-restmethod irm"),
)


@cache
def shell_rows() -> Mapping[str, ShellRow]:
    """Return the rows of Unix commands, name to row."""
    return {name: row for row, names in _ROWS for name in names.split()}


@cache
def cmdlets() -> Mapping[str, ToolAction]:
    """Return the rows of PowerShell and cmd commands, name in lower case to action."""
    return {name: action for action, names in _CMDLETS for name in names.split()}


def formatter_option(name: str) -> str | None:
    """Return the option with which this formatter writes its files, None for other commands."""
    return _EDITING_FORMATTERS.get(name)


PREFIXES: Mapping[str, frozenset[str]] = {
    "sudo": _set("-u -g -h -p -C"), "env": _set("-u -C -S"), "nohup": _set(""), "nice": _set("-n"),
    "ionice": _set("-c -n"), "timeout": _set("-k -s"), "stdbuf": _set("-i -o -e"), "command": _set(""),
    "exec": _set("-a"), "builtin": _set(""), "xargs": _set("-n -I -P -L -d -s -E"), "winpty": _set(""),
    "doas": _set("-u"), "unbuffer": _set(""), "caffeinate": _set(""), "setsid": _set(""), "chronic": _set(""),
    "npx": _set("-p --package"), "bunx": _set(""), "pnpx": _set(""), "gtimeout": _set("-k -s"), "&": _set(""),
    "start-process": _set(""), "call": _set(""), "watch": _set("-n"), "script": _set("-c"), "strace": _set("-o -e"),
}  # fmt: skip
"""Commands that run another one: name to the options that take a value. A `timeout` also takes its duration."""

RUNNERS: Mapping[str, frozenset[str]] = {
    "uv": _set("run"), "poetry": _set("run"), "pipenv": _set("run"), "rye": _set("run"), "hatch": _set("run"),
    "pdm": _set("run"), "conda": _set("run"), "pnpm": _set("exec dlx"), "yarn": _set("dlx exec"), "bun": _set("x"),
    "npm": _set("exec"), "bundle": _set("exec"), "mise": _set("exec x"), "direnv": _set("exec"), "fvm": _set("spawn"),
    "pixi": _set("run"),
}  # fmt: skip
"""Commands that run another one behind a word of their own (`uv run pytest`)."""

_PURPOSES: tuple[tuple[Purpose, str], ...] = (
    (
        Purpose.TEST,
        "pytest py.test tox nox jest vitest mocha ava ctest rspec phpunit behave robot nose2 cypress karma",
    ),
    (
        Purpose.TEST,
        "cargo:test cargo:nextest go:test npm:test npm:t npm:tst yarn:test pnpm:test bun:test deno:test",
    ),
    (
        Purpose.TEST,
        "mvn:test mvn:verify mvnw:test mvnw:verify gradle:test gradlew:test gradle:check gradlew:check",
    ),
    (
        Purpose.TEST,
        "dotnet:test flutter:test dart:test mix:test swift:test zig:test sbt:test bazel:test rake:test",
    ),
    (
        Purpose.TEST,
        "make:test make:check just:test hatch:test stack:test cabal:test playwright:test node:--test",
    ),
    (
        Purpose.TEST,
        "lein:test manage.py:test artisan:test rails:test catkin:test colcon:test nx:test turbo:test",
    ),
    (Purpose.TEST, "unittest:* doctest:* pest ginkgo gotestsum invoke:test task:test ng:test ruby:-itest"),
    (
        Purpose.CHECK,
        "mypy pyright basedpyright flake8 pylint ruff eslint shellcheck golangci-lint stylelint hadolint",
    ),
    (
        Purpose.CHECK,
        "cargo:clippy cargo:check cargo:fmt go:vet make:lint npm:lint yarn:lint pnpm:lint tflint rubocop",
    ),
    (
        Purpose.CHECK,
        "black isort prettier biome next:lint dart:analyze flutter:analyze npm:typecheck npm:type-check",
    ),
    (
        Purpose.CHECK,
        "npm:check pnpm:typecheck pnpm:type-check pnpm:check yarn:typecheck deno:lint deno:check bandit vulture",
    ),
    (
        Purpose.BUILD,
        "cmake ninja tsc webpack esbuild rollup gcc g++ clang clang++ cc javac rustc msbuild xcodebuild",
    ),
    (
        Purpose.BUILD,
        "make cargo:build cargo:b go:build go:install npm:build yarn:build pnpm:build bun:build vite:build",
    ),
    (
        Purpose.BUILD,
        "mvn:* mvnw:* gradle:* gradlew:* dotnet:build dotnet:publish docker:build docker-compose:build",
    ),
    (
        Purpose.BUILD,
        "next:build catkin_make catkin:build colcon:build bazel:build flutter:build swift:build zig:build",
    ),
    (
        Purpose.BUILD,
        "sbt:compile mix:compile stack:build cabal:build tauri:build npm:compile meson pyinstaller nuxt:build",
    ),
    (
        Purpose.BUILD,
        "uv:build poetry:build hatch:build nx:build turbo:build ng:build just:build anchor:build forge:build",
    ),
    (
        Purpose.INSTALL,
        "pip:install pip3:install pipx:install uv:add uv:sync uv:pip poetry:add poetry:install npm:i",
    ),
    (
        Purpose.INSTALL,
        "npm:install npm:ci npm:add yarn:add yarn:install pnpm:add pnpm:install pnpm:i bun:add bun:install",
    ),
    (
        Purpose.INSTALL,
        "cargo:add cargo:install go:get apt:install apt-get:install brew:install gem:install yum:install",
    ),
    (
        Purpose.INSTALL,
        "dnf:install apk:add composer:require composer:install conda:install dotnet:add mix:deps.get",
    ),
    (
        Purpose.INSTALL,
        "bundle:install pipenv:install pacman:-s choco:install winget:install scoop:install rustup:*",
    ),
    (
        Purpose.INSTALL,
        "flutter:pub dart:pub snap:install npm:uninstall pip:uninstall uv:remove poetry:remove mamba:install",
    ),
    (
        Purpose.SERVE,
        "uvicorn gunicorn npm:start npm:dev yarn:dev yarn:start pnpm:dev pnpm:start bun:dev next:dev vite",
    ),
    (
        Purpose.SERVE,
        "flask:run http.server:* docker-compose:up docker:compose roslaunch nodemon next:start streamlit:run",
    ),
    (
        Purpose.SERVE,
        "manage.py:runserver rails:server flutter:run cargo:run go:run dotnet:run ng:serve serve live-server",
    ),
    (Purpose.GIT, "git gh hub"),
)


@cache
def purposes() -> Mapping[str, Purpose]:
    """Return what commands are for: "name" or "name:subcommand" ("name:*" for any) to purpose; first row wins."""
    table: dict[str, Purpose] = {}
    for purpose, names in _PURPOSES:
        for name in names.split():
            table.setdefault(name, purpose)
    return table
