"""One reader per session format."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.conversation.transcripts.formats.markdown import render_markdown
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "markdown": "render_markdown",
        },
    )
