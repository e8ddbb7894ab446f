"""Threads: whole conversations in a store, pruned, trimmed and recalled; their settings, their databases."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.adapters.threads.config import ThreadMemoryConfig
    from condense.adapters.threads.embedding import OpenAIEmbedder
    from condense.adapters.threads.keeping import Strategy, ThreadMemory
    from condense.adapters.threads.pruning import Pruned, prune_thread
    from condense.adapters.threads.recalling import recall_thread, recall_thread_tool
    from condense.adapters.threads.tiers import tier_budget, tier_summary, trim_to_tiers
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "config": "ThreadMemoryConfig",
            "embedding": "OpenAIEmbedder",
            "keeping": "Strategy ThreadMemory",
            "pruning": "Pruned prune_thread",
            "recalling": "recall_thread recall_thread_tool",
            "tiers": "tier_budget tier_summary trim_to_tiers",
        },
    )
