"""What the commands print: screens for people, JSON for programs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.cli.screens.memory_screens import (
        ID_DIGITS,
        graph_text,
        memory_table,
        search_table,
        told_memory,
    )
    from condense.apps.cli.screens.payloads import release
    from condense.apps.cli.screens.showing import (
        show_condensation,
        show_memory_summary,
        show_plan,
        show_receipt,
        show_record,
        show_scores,
        show_verification,
        tell,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "memory_screens": "ID_DIGITS graph_text memory_table search_table told_memory",
            "payloads": "release",
            "showing": (
                "show_condensation show_memory_summary show_plan show_receipt show_record show_scores "
                "show_verification tell"
            ),
        },
    )
