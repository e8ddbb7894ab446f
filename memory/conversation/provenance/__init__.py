"""Which text of a message a person typed, and which came from tools, clients and pastes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.conversation.provenance.tool_answers import named_results
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "tool_answers": "named_results",
        },
    )
