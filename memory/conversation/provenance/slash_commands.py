"""Slash commands: what a person typed as one, and what it stands for, as Claude Code writes both into the user role.

A command that a person typed comes as a wrapper: its name with the slash, the words behind it. The next text of the
same message is what the command stands for, a file of the project or of a plugin: nobody typed that. The same holds
for the text of a skill that the agent called. (As Claude Code 2.1 sends them; in its session files they are apart.)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation.messages import PartKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.conversation.messages import Part

COMMAND_SIGN = "</command-name>"
"""What no text with a command is without."""
_COMMAND = re.compile(
    r"\s{0,9}(?:<command-message>[^<>]{0,300}</command-message>\s{0,20})?"
    r"<command-name>\s{0,9}(?P<name>/[^\s<>]{1,120}(?: \(MCP\))?)\s{0,9}</command-name>\s{0,20}"
    r"(?:<command-message>[^<>]{0,300}</command-message>\s{0,20})?"
    r"(?:<command-args>(?P<words>.*)</command-args>)?\s{0,20}\Z",
    re.DOTALL,
)
"""A whole text; without a slash it is a skill that the agent itself called."""
_CLIENT_COMMANDS = frozenset(
    (
        *("add-dir", "advisor", "agents", "autocompact", "bashes", "branch", "bug", "cd", "chrome"),
        *("clear", "color", "compact", "config", "context", "copy", "cost", "daemon", "design-login"),
        *("desktop", "diff", "doctor", "effort", "exit", "export", "extra-usage", "fast", "feedback"),
        *("focus", "heapdump", "help", "hooks", "ide", "install", "install-github-app"),
        *("install-slack-app", "keybindings", "login", "logout", "mcp", "memory", "mobile", "model"),
        *("output-style", "passes", "pause-memory", "permissions", "plugin", "plugins", "powerup"),
        *("privacy-settings", "quit", "radio", "rate-limit-options", "release-notes", "reload-plugins"),
        *("reload-skills", "remote-control", "remote-env", "rename", "resume", "rewind", "sandbox"),
        *("scroll-speed", "session", "settings", "setup-bedrock", "setup-vertex", "skills", "stats"),
        *("status", "stickers", "stop", "tasks", "teleport", "terminal-setup", "theme", "todos", "tui"),
        *("update", "upgrade", "usage", "usage-credits", "version", "vim", "voice", "web-setup"),
    )
)
"""Slash commands that speak to the client, not to the agent (those of Claude Code 2.1.197, and of some before it)."""


class SlashCommand(NamedTuple):
    """A command to the agent.

    Attributes:
        name: where its name stands, with the slash.
        words: where the words behind it stand; both alike where there are none.
    """

    name: tuple[int, int]
    words: tuple[int, int]


def slash_command(text: str) -> SlashCommand | None:
    """Return the command that a person typed, as a client wraps it; None for other texts, and for the client's own."""
    if COMMAND_SIGN not in text:
        return None
    found = _COMMAND.match(text)
    if found is None or found["name"][1:] in _CLIENT_COMMANDS:
        return None
    words = found.span("words") if found["words"] is not None else (len(text), len(text))
    return SlashCommand(found.span("name"), words)


def expansions(parts: Sequence[Part]) -> frozenset[int]:
    """Return the indexes of those parts of one message that say what a command, or a skill, before them stands for."""
    if len(parts) == 1:
        return _NONE
    found: set[int] = set()
    open_command = 0
    from_server = False
    for index, part in enumerate(parts):
        if part.kind is not _TEXT:
            open_command += part.kind is _RESULT and _LAUNCHED.fullmatch(part.text) is not None
            continue
        lead = part.text.lstrip()
        if command := slash_command(part.text):
            open_command += 1
            from_server = part.text[slice(*command.name)].endswith(" (MCP)")
        elif open_command and lead.startswith("<local-command-"):
            open_command = 0  # it ran in the client
        elif open_command and lead and not _CLIENT_BLOCK.match(lead):
            found.add(index)
            open_command -= not from_server
    return frozenset(found)


_TEXT, _RESULT = PartKind.TEXT, PartKind.TOOL_RESULT
_CLIENT_BLOCK = re.compile(
    r"<(?:system[-_]reminder|command-|local-command-|bash-|ide_|user-prompt-submit-hook|task-notification)"
)
_LAUNCHED = re.compile(r"Launching skill: [^\s<>]{1,120}\s*")
"""How the result begins of a skill that the agent called itself; its text follows in the same message."""
_NONE: frozenset[int] = frozenset()
