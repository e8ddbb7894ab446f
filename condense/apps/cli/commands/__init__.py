"""The commands of `holdfast`, by subject."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.cli.commands.backfill_command import backfill
    from condense.apps.cli.commands.doctor_command import doctor
    from condense.apps.cli.commands.handoff_commands import handoff, repair
    from condense.apps.cli.commands.install_commands import install, uninstall
    from condense.apps.cli.commands.mcp_command import mcp
    from condense.apps.cli.commands.memory_commands import memory
    from condense.apps.cli.commands.notes_commands import notes
    from condense.apps.cli.commands.panel_command import panel
    from condense.apps.cli.commands.proxy_command import proxy
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "backfill_command": "backfill",
            "doctor_command": "doctor",
            "handoff_commands": "handoff repair",
            "install_commands": "install uninstall",
            "mcp_command": "mcp",
            "memory_commands": "memory",
            "notes_commands": "notes",
            "panel_command": "panel",
            "proxy_command": "proxy",
        },
    )
