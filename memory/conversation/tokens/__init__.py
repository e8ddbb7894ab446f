"""Count tokens: exact where tiktoken's ranks are at hand, estimated elsewhere."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.conversation.tokens.counting import TokenCounter
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "counting": "TokenCounter",
        },
    )
