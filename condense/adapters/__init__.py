"""Edges to other people's packages: each file needs its own extra and is imported by nothing inside."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.adapters.anthropic import AnthropicSummarizer
    from condense.adapters.langchain import HoldfastMiddleware, holdfast_summarizer
    from condense.adapters.openai import OpenAISummarizer
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "anthropic": "AnthropicSummarizer",
            "langchain": "HoldfastMiddleware holdfast_summarizer",
            "openai": "OpenAISummarizer",
        },
    )
