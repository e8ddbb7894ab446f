"""Edges to other people's packages: each file needs its own extra and is imported by nothing inside."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.adapters.anthropic import AnthropicMiddleware, AnthropicSummarizer
    from condense.adapters.clients import with_holdfast
    from condense.adapters.litellm import LiteLLMCompletions
    from condense.adapters.openai import OpenAISummarizer
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "anthropic": "AnthropicMiddleware AnthropicSummarizer",
            "clients": "with_holdfast",
            "litellm": "LiteLLMCompletions",
            "openai": "OpenAISummarizer",
        },
    )
