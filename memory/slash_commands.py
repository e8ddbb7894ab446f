"""Slash commands: the words that a person typed behind one, as Claude Code writes them into the user role."""

from __future__ import annotations

import re

ARGUMENTS_END = "</command-args>"
"""What no text with such words is without."""
_COMMAND = re.compile(
    r"\s{0,9}<command-(?:name|message)>[^<>]{0,300}</command-(?:name|message)>\s{0,20}"
    r"(?:<command-(?:name|message)>[^<>]{0,300}</command-(?:name|message)>\s{0,20})?<command-args>\s{0,20}"
)
"""What Claude Code writes before the words that a person typed behind a slash command."""
_COMMAND_NAME = re.compile(r"<command-name>\s{0,9}/?([\w:.-]{1,80})\s{0,9}</command-name>")
_CLIENT_COMMANDS = frozenset(
    (
        *("add-dir", "agents", "bashes", "bug", "clear", "compact", "config", "context", "copy", "cost"),
        *("doctor", "exit", "export", "extra-usage", "fast", "feedback", "help", "hooks", "ide"),
        *("install-github-app", "install-slack-app", "keybindings-help", "login", "logout", "mcp", "memory"),
        *("mobile", "model", "output-style", "permissions", "plugin", "plugins", "privacy-settings", "quit"),
        *("release-notes", "reload-plugins", "remote-control", "rename", "resume", "rewind", "sandbox"),
        *("settings", "skills", "stats", "status", "tasks", "terminal-setup", "theme", "todos", "upgrade"),
        *("usage", "vim"),
    )
)
"""Slash commands that speak to the client, not to the agent."""


def command_in(text: str) -> str:
    """Return the slash command, "/" before it, behind which the words of a user text were typed; "" for most texts."""
    if ARGUMENTS_END in text and behind_command(text) and (name := _COMMAND_NAME.search(text)):
        return f"/{name[1]}"
    return ""


def behind_command(text: str) -> tuple[int, int] | None:
    """Where the words stand that a person typed behind a slash command which the agent was to follow, if any do."""
    opening = _COMMAND.match(text)
    if opening is None:
        return None
    name = _COMMAND_NAME.search(text, 0, opening.end())
    if name is None or name[1] in _CLIENT_COMMANDS:
        return None
    end = text.rfind(ARGUMENTS_END)
    if end <= opening.end() or text[end + len(ARGUMENTS_END) :].strip():
        return None
    return opening.end(), end
