"""Edges to other people's packages: each file needs its own extra and is imported by nothing inside."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.adapters.anthropic import AnthropicMiddleware, AnthropicSummarizer
    from condense.adapters.clients import with_holdfast
    from condense.adapters.crewai import HoldfastHook
    from condense.adapters.google_adk import HoldfastPlugin
    from condense.adapters.langchain import HoldfastMiddleware, holdfast_summarizer
    from condense.adapters.litellm import LiteLLMCompletions
    from condense.adapters.openai import OpenAISummarizer
    from condense.adapters.openai_agents import HoldfastFilter, HoldfastSession
    from condense.adapters.otel import HoldfastInstrumentor
    from condense.adapters.pydantic_ai import Holdfast
    from condense.adapters.threads import ThreadMemory, ThreadMemoryConfig, recall_thread_tool
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "anthropic": "AnthropicMiddleware AnthropicSummarizer",
            "clients": "with_holdfast",
            "crewai": "HoldfastHook",
            "google_adk": "HoldfastPlugin",
            "litellm": "LiteLLMCompletions",
            "langchain": "HoldfastMiddleware holdfast_summarizer",
            "openai": "OpenAISummarizer",
            "openai_agents": "HoldfastFilter HoldfastSession",
            "otel": "HoldfastInstrumentor",
            "pydantic_ai": "Holdfast",
            "threads": "ThreadMemory ThreadMemoryConfig recall_thread_tool",
        },
    )
