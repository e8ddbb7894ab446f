"""Parse shell commands: what they read, write and run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.reading.shell.commands_table import Purpose, opens_shell, purpose_of, without_prefix
    from condense.reading.shell.effects_walker import Effect
    from condense.reading.shell.reading import ShellReading, is_powershell, looks_only, read_shell
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "commands_table": "Purpose opens_shell purpose_of without_prefix",
            "effects_walker": "Effect",
            "reading": "ShellReading is_powershell looks_only read_shell",
        },
    )
