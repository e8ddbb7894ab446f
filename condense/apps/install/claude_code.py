"""Claude Code: a plugin, installed by its own commands, and two lines of settings for the proxy."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from condense.apps.install.files import (
    InstallError,
    Kept,
    back_up,
    difference,
    hook_commands,
    kept,
    read_json,
    undone_on_failure,
    written,
)
from condense.apps.install.programs import call, find_client, our_command, quoted
from condense.apps.install.proxy_start import keep_start, other_than, remove_start, start_file
from condense.apps.install.records import Installed, earlier, forget, installed, records_file, remember
from memory.stores import data_folder, made_data_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NAME: Final = "claude-code"
PLUGIN: Final = "holdfast@holdfast"
PARTS: Final = (
    "a plugin with four hooks (SessionStart, UserPromptSubmit, PreCompact, SessionEnd), the MCP server holdfast, "
    "the commands /holdfast:recall and /holdfast:receipt, and the skill holdfast"
)
BASE, HINTS = "ANTHROPIC_BASE_URL", "CLAUDE_CODE_GATEWAY_HINT_HEADERS"
CLIENT_OWN: Final = ("enabledPlugins", "extraKnownMarketplaces")
"""Keys of the settings that its own commands write."""


@dataclass(slots=True)
class ClaudeCode:
    """Switch holdfast on and off in Claude Code.

    Args:
        scope: "user" or "project".
        folder: of the project.
        port: of the proxy; None: no proxy.
        client: its command line, where it is not `claude` on the PATH.
        upstream: where the proxy is to send requests, in place of what the settings say now.
    """

    scope: str = "user"
    folder: str = "."
    port: int | None = None
    client: str | None = None
    upstream: str | None = None

    @property
    def settings(self) -> Path:
        """The file of settings."""
        if self.scope == "project":
            return Path(self.folder).resolve() / ".claude" / "settings.json"
        return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "settings.json"

    @property
    def place(self) -> str:
        """What tells it from others of its scope: the project, or the client's folder where a variable names it."""
        if self.scope == "project":
            return str(Path(self.folder).resolve())
        return os.path.realpath(named) if (named := os.environ.get("CLAUDE_CONFIG_DIR")) else ""

    def traces(self) -> Installed | None:
        """Return what its settings say of an installation that no record tells of; None where there is none.

        Raises:
            InstallError: they cannot be read.
        """
        plugins = read_json(kept(self.settings)).get("enabledPlugins")
        if not isinstance(plugins, dict) or PLUGIN not in plugins:
            return None
        return Installed(NAME, self.scope, self.place, port=self.proxy_port())

    def proxy_port(self) -> int | None:
        """Return the port of the proxy that its settings send requests to; None without one.

        Raises:
            InstallError: they cannot be read.
        """
        env = read_json(kept(self.settings)).get("env")
        base = str(env.get(BASE)) if isinstance(env, dict) and HINTS in env else ""
        port = base.removeprefix("http://127.0.0.1:")
        return int(port) if port.isdigit() else None

    def commands(self) -> list[str]:
        """Return what the plugin's hooks call.

        Raises:
            InstallError: its file is no JSON.
        """
        return hook_commands(read_json(kept(self._plugin_folder() / "holdfast" / "hooks" / "hooks.json")))

    def steps(self) -> list[str]:
        """Say what `install` does: commands, and how the settings change.

        Raises:
            InstallError: it cannot be done; nothing was changed.
        """
        file = kept(self.settings)
        before = read_json(file)
        program = find_client(
            "claude", self.client, "install Claude Code first: npm i -g @anthropic-ai/claude-code"
        )
        known = earlier(NAME, self.scope, self.place)
        after = self._unproxied(before, known) if known is not None else before
        if self.port is not None:
            after = self._proxied(after)
        lines = [f"write {self._plugin_folder()}: {PARTS}"]
        lines += [quoted([program, *command]) for command in self._commands()]
        if after != before:
            lines.append(difference(file, written(after, file)).rstrip())
        return lines

    def install(self) -> Installed:
        """Do it; whatever fails, the settings are as they were.

        Raises:
            InstallError: it could not be done.
        """
        program = find_client(
            "claude", self.client, "install Claude Code first: npm i -g @anthropic-ai/claude-code"
        )
        done = Installed(NAME, self.scope, self.place, port=self.port)
        known = earlier(NAME, self.scope, self.place)

        def undo() -> None:
            self._remove(done)
            if known is not None:  # it was on before, and stays so
                with contextlib.suppress(InstallError):
                    self._add_plugin(program)

        with undone_on_failure(self.settings, start_file(), records_file(), undo=undo):
            if known is not None:
                self.uninstall(known)
            file = kept(self.settings)
            before = read_json(file)
            copy = back_up(file)
            done.backups = [str(copy)] if copy else []
            done.note(file.path, file.content)
            written_keys = before.get("env", {})
            done.more = {"base": written_keys.get(BASE) if isinstance(written_keys, dict) else None}
            self._add_plugin(program)
            if self.port is not None:
                now = read_json(kept(self.settings))
                file.put(written(self._proxied(now), file))
                upstream = other_than(self.port, self.upstream, done.more["base"], os.environ.get(BASE))
                keep_start(self.port, upstream, done.name)
            remember(done)
        return done

    def _add_plugin(self, program: str) -> None:
        write_plugin(self._plugin_folder())
        for command in self._commands():
            call([program, *command], folder=self.folder)

    def uninstall(self, record: Installed) -> Path:
        """Undo it and return the file of settings, which is as it was before where nobody changed it since.

        Raises:
            InstallError: it could not be undone.
        """
        settings = kept(self.settings)
        read_json(settings)
        self._remove(record)
        now = kept(self.settings)
        value = self._without(read_json(now), record)
        before = record.before(now.path)
        was = read_json(Kept(now.path, before))
        same = _plain(value) == _plain(was)
        now.put(before if same else written(value, now))
        if before is None and not list(now.path.parent.iterdir()):
            now.path.parent.rmdir()
        forget(record)
        return now.path

    def _remove(self, record: Installed) -> None:
        """Let the client forget the plugin, and remove it unless it is on elsewhere, too."""
        try:
            program = find_client("claude", self.client, "")
        except InstallError:
            program = ""
        elsewhere = any(one.client == NAME and one.key != record.key for one in installed())
        commands = [["plugin", "uninstall", PLUGIN, "--scope", self.scope]]
        if not elsewhere:  # without it the plugin is gone in every project
            commands.append(["plugin", "marketplace", "remove", "holdfast"])
        for command in commands:
            try:
                if program:
                    call([program, *command], folder=self.folder)
            except InstallError:
                continue  # it was removed by hand
        if not elsewhere:
            shutil.rmtree(self._plugin_folder(), ignore_errors=True)
        remove_start(record.name)

    def _commands(self) -> list[list[str]]:
        scope = ["--scope", self.scope]
        return [
            ["plugin", "marketplace", "add", str(self._plugin_folder()), *scope],
            ["plugin", "install", PLUGIN, *scope],
        ]

    def _plugin_folder(self) -> Path:
        return data_folder() / NAME

    def _proxied(self, settings: dict[str, Any]) -> dict[str, Any]:
        env = settings.get("env", {})
        if not isinstance(env, dict):
            raise InstallError(f"{self.settings}: env should be an object, not {type(env).__name__}")
        return {**settings, "env": {**env, BASE: f"http://127.0.0.1:{self.port}", HINTS: "1"}}

    def _without(self, settings: dict[str, Any], record: Installed) -> dict[str, Any]:
        """Return settings without our part, where it still is ours."""
        settings = self._unproxied(settings, record)
        for key in CLIENT_OWN:
            value = settings.get(key)
            if isinstance(value, dict):
                value.pop(PLUGIN, None)
                value.pop("holdfast", None)
                if not value:
                    del settings[key]
        return settings

    def _unproxied(self, settings: dict[str, Any], record: Installed) -> dict[str, Any]:
        """Return settings without those of the proxy."""
        settings = json.loads(json.dumps(settings))
        env = settings.get("env")
        if record.port is not None and isinstance(env, dict):
            if env.get(BASE) == f"http://127.0.0.1:{record.port}":
                del env[BASE]
                if record.more.get("base"):
                    env[BASE] = record.more["base"]
            env.pop(HINTS, None)
            if not env:
                del settings["env"]
        return settings


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings without what is empty: the client leaves empty objects behind."""
    return {key: value for key, value in settings.items() if value != {}}


def write_plugin(folder: Path) -> None:
    """Write the plugin, with our command in it.

    Raises:
        InstallError: it cannot be written.
    """
    command = our_command()
    places = {
        "{version}": version("holdfast-context"),
        "{command}": quoted(command),
        "{program}": command[0],
        "{arguments}": json.dumps([*command[1:], "mcp"]),
    }
    try:
        made_data_folder()
        shutil.rmtree(folder, ignore_errors=True)
        _copy(files("condense.apps.install") / "plugin", folder, places)
    except OSError as error:
        raise InstallError(f"{folder} cannot be written: {error.strerror or error}") from error


def _copy(source: Traversable, target: Path, places: dict[str, str]) -> None:
    if source.is_dir():
        target.mkdir(mode=0o700)
        for inner in source.iterdir():
            _copy(inner, target / inner.name, places)
        return
    text = source.read_text("utf-8")
    for place, value in places.items():
        quoted_in = value
        if target.suffix == ".json" and place != "{arguments}":
            quoted_in = json.dumps(value)[1:-1]
        text = text.replace(place, quoted_in)
    target.write_text(text, "utf-8")
