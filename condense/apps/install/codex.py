"""Codex: an MCP server by its own command, hooks that the person approves, and a provider in config.toml."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import tomlkit
from tomlkit.exceptions import TOMLKitError

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
from condense.apps.install.records import Installed, earlier, forget, records_file, remember

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

NAME: Final = "codex"
PROVIDER: Final = "holdfast"
EVENTS: Final = ("SessionStart", "PreCompact", "SessionEnd")
APPROVE: Final = "start Codex and approve the hooks once with /hooks; until then it skips them silently"


@dataclass(slots=True)
class Codex:
    """Switch holdfast on and off in Codex.

    Args:
        port: of the proxy; None: no proxy.
        client: its command line, where it is not `codex` on the PATH.
        upstream: where the proxy is to send requests.
    """

    port: int | None = None
    client: str | None = None
    upstream: str | None = None

    @property
    def home(self) -> Path:
        """Codex's own folder."""
        return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")

    @property
    def place(self) -> str:
        """Codex's own folder where a variable names it; else ""."""
        return os.path.realpath(named) if (named := os.environ.get("CODEX_HOME")) else ""

    def traces(self) -> Installed | None:
        """Return what its files say of an installation that no record tells of; None where there is none.

        Raises:
            InstallError: they cannot be read.
        """
        document = read_toml(kept(self.home / "config.toml"))
        hooks = read_json(kept(self.home / "hooks.json"))
        provider = document.get("model_provider") == PROVIDER
        if "holdfast" not in document.get("mcp_servers", {}) and not provider and unhooked(hooks) == hooks:
            return None
        return Installed(NAME, folder=self.place)

    def approved(self) -> bool:
        """Whether the person has approved the hooks; Codex skips them until then.

        Raises:
            InstallError: its files cannot be read.
        """
        hooks = read_json(kept(self.home / "hooks.json"))
        return bool(self._approvals(read_toml(kept(self.home / "config.toml")), hooks))

    def commands(self) -> list[str]:
        """Return what hooks of ours call.

        Raises:
            InstallError: its file cannot be read.
        """
        return [one for one in hook_commands(read_json(kept(self.home / "hooks.json"))) if " hook " in one]

    def steps(self) -> list[str]:
        """Say what `install` does: commands, and how the files change.

        Raises:
            InstallError: it cannot be done; nothing was changed.
        """
        config, hooks = kept(self.home / "config.toml"), kept(self.home / "hooks.json")
        document = read_toml(config)
        program = find_client("codex", self.client, "install Codex first: npm i -g @openai/codex")
        lines = [quoted([program, *self._add()])]
        lines.append(difference(hooks, written(hooked(read_json(hooks)), hooks)).rstrip())
        if (known := earlier(NAME, folder=self.place)) is not None:
            self._unproxied(document, known)
        after = tomlkit.dumps(document).encode() if self.port is None else self._proxied(document)
        lines.append(difference(config, after).rstrip())
        return [line for line in lines if line]

    def install(self) -> Installed:
        """Do it; whatever fails, the files are as they were.

        Raises:
            InstallError: it could not be done.
        """
        program = find_client("codex", self.client, "install Codex first: npm i -g @openai/codex")
        config, hooks = self.home / "config.toml", self.home / "hooks.json"
        with undone_on_failure(config, hooks, start_file(), records_file()):
            if (known := earlier(NAME, folder=self.place)) is not None:
                self.uninstall(known)
            return self._installed(program, kept(config), kept(hooks))

    def _installed(self, program: str, config: Kept, hooks: Kept) -> Installed:
        document, own_hooks = read_toml(config), read_json(hooks)
        done = Installed(NAME, folder=self.place, port=self.port)
        done.backups = [str(copy) for copy in map(back_up, (config, hooks)) if copy]
        done.note(config.path, config.content)
        done.note(hooks.path, hooks.content)
        done.more = {"provider": document.get("model_provider")}
        call([program, *self._add()])
        hooks.put(written(hooked(own_hooks), hooks))
        if self.port is not None:
            config.put(self._proxied(read_toml(kept(config.path))))
            upstream = other_than(self.port, self.upstream, _origin(_address(document)))
            keep_start(self.port, upstream, done.name)
        remember(done)
        return done

    def uninstall(self, record: Installed) -> Path:
        """Undo it and return Codex's folder; its files are as they were where nobody changed them since.

        Raises:
            InstallError: it could not be undone.
        """
        config, hooks = kept(self.home / "config.toml"), kept(self.home / "hooks.json")
        document = read_toml(config)
        servers = document.get("mcp_servers")
        if servers is not None:
            servers.pop("holdfast", None)
            if not servers:
                document.pop("mcp_servers")
        for name in self._approvals(document, read_json(hooks)):
            document["hooks"]["state"].pop(name)
            if not document["hooks"]["state"]:
                document["hooks"].pop("state")
        if document.get("hooks") == {}:
            document.pop("hooks")
        self._unproxied(document, record)
        was = record.before(config.path)
        same = document.unwrap() == tomlkit.parse((was or b"").decode()).unwrap()
        after = was if same else tomlkit.dumps(document).encode()
        config.put(after)
        value = unhooked(read_json(hooks))
        was = record.before(hooks.path)
        same = value == unhooked(read_json(Kept(hooks.path, was)))
        hooks.put(was if same else written(value, hooks))
        remove_start(record.name)
        forget(record)
        return self.home

    def _unproxied(self, document: TOMLDocument, record: Installed) -> None:
        """Remove our provider from settings, and name the one before it."""
        providers = document.get("model_providers")
        if providers is not None:
            providers.pop(PROVIDER, None)
            if not providers:
                document.pop("model_providers")
        if document.get("model_provider") == PROVIDER:
            before_it = record.more.get("provider")
            if before_it:
                document["model_provider"] = before_it
            else:
                document.pop("model_provider")

    def _approvals(self, document: TOMLDocument, hooks: dict[str, Any]) -> list[str]:
        """Return under which names Codex noted that the person approved our hooks: FILE:EVENT:GROUP:HOOK."""
        events = hooks.get("hooks")
        ours = [
            f":{re.sub('(?<!^)(?=[A-Z])', '_', event).lower()}:{i}:"
            for event in EVENTS
            for i, group in enumerate(events.get(event, []) if isinstance(events, dict) else [])
            if _is_ours(group, event)
        ]
        file = self.home / "hooks.json"
        starts = tuple(f"{path}{one}" for path in (file, os.path.realpath(file)) for one in ours)
        return [name for name in document.get("hooks", {}).get("state", {}) if name.startswith(starts)]

    def _add(self) -> list[str]:
        return ["mcp", "add", "holdfast", "--", *our_command(), "mcp"]

    def _proxied(self, document: TOMLDocument) -> bytes:
        chosen, address = _chosen(document), _address(document)
        path = urlsplit(address).path.rstrip("/") if address else "/v1"
        provider = tomlkit.table()
        provider.update({"requires_openai_auth": True} if chosen is None else chosen.unwrap())  # keys, headers
        provider.update(
            {
                "name": PROVIDER,
                "base_url": f"http://127.0.0.1:{self.port}{path}",
                "wire_api": "responses",
            }
        )
        if "model_provider" not in document:  # before the first table: below one it would belong to it
            document = tomlkit.parse(f'model_provider = "{PROVIDER}"\n{tomlkit.dumps(document)}')
        document["model_provider"] = PROVIDER
        if "model_providers" not in document:
            document["model_providers"] = tomlkit.table(is_super_table=True)
        document["model_providers"][PROVIDER] = provider
        return tomlkit.dumps(document).encode()


def read_toml(file: Kept) -> TOMLDocument:
    """Read settings in TOML, with their comments.

    Raises:
        InstallError: it is no TOML; names line and column.
    """
    try:
        return tomlkit.parse(file.text)
    except TOMLKitError as error:
        raise InstallError(f"{file.path}: {error}; fix it first") from error


def hooked(settings: dict[str, Any]) -> dict[str, Any]:
    """Return hooks with ours among them."""
    value = unhooked(settings)
    hooks = value.setdefault("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in EVENTS):
        raise InstallError("hooks.json: hooks should be an object with a list for each event; fix it first")
    for event in EVENTS:
        command = quoted([*our_command(), "hook", event])
        seconds = 3 if event == "SessionEnd" else 20  # it warns where that one is longer
        hooks.setdefault(event, []).append({"hooks": [{"type": "command", "command": command, "timeout": seconds}]})
    return value


def unhooked(settings: dict[str, Any]) -> dict[str, Any]:
    """Return hooks without ours."""
    value: dict[str, Any] = json.loads(json.dumps(settings))
    hooks = value.get("hooks")
    if not isinstance(hooks, dict):
        return value
    for event in list(hooks):
        groups = hooks[event] if isinstance(hooks[event], list) else []
        left = [group for group in groups if not _is_ours(group, event)]
        if len(left) != len(groups):
            hooks[event] = left
            if not left:
                del hooks[event]
    if not hooks:
        del value["hooks"]
    return value


def _is_ours(group: object, event: str) -> bool:
    inner = group.get("hooks") if isinstance(group, dict) else None
    commands = (
        [str(one.get("command")) for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
    )
    return bool(commands) and all(
        command.endswith(f" hook {event}") and ("holdfast" in command or "condense.apps.cli" in command)
        for command in commands
    )


def _chosen(document: TOMLDocument) -> Any:
    """Return the table of the provider in use; None for the built-in one."""
    return (document.get("model_providers") or {}).get(document.get("model_provider"))


def _address(document: TOMLDocument) -> str | None:
    """Return where the provider in use sends its requests; None for the built-in one."""
    chosen = _chosen(document)
    address = chosen.get("base_url") if chosen is not None else document.get("openai_base_url")
    return str(address) if address else None


def _origin(address: str | None) -> str | None:
    parts = urlsplit(address or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else None
