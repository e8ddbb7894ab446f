"""Which peers there are, what to install for them, and which of their ways to compact are run.

Requirements are floors, so that a peer is measured as people would get it today; a ceiling stands only where an older
way to compact is meant, or where the newest release cannot be resolved together with its own dependencies.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One way of a peer to compact.

    Attributes:
        row: its name in the tables.
        name: what its adapter calls it.
        note: what should be known about the row.
    """

    row: str
    name: str
    note: str = ""


@dataclass(frozen=True)
class Peer:
    """One environment with a peer in it.

    Attributes:
        name: of the environment.
        requirements: what is installed.
        adapter: the file in `adapters/` that speaks for it.
        variants: what is run.
        python: the least version that it needs, as (major, minor).
        node: installed with npm and run by node.
    """

    name: str
    requirements: tuple[str, ...]
    adapter: str
    variants: tuple[Variant, ...]
    python: tuple[int, int] = (3, 11)
    node: bool = False


_STUB = "a stub stands for the model: what is kept without the summary's words"

PEERS: tuple[Peer, ...] = (
    Peer(
        "pydantic-ai-harness",
        ("pydantic-ai-harness>=0.62",),
        "pydantic_ai_harness_adapter.py",
        (
            Variant("pydantic-ai-harness, laddered", "laddered", "tiers without a model, stacked by hand"),
            Variant("pydantic-ai-harness, pinned", "pinned", "the same, every typed message pinned"),
            Variant("pydantic-ai-harness, README", "readme", "tiers as its README stacks them"),
        ),
    ),
    Peer(
        "langchain",
        ("langchain>=1.4,<2",),
        "langchain_adapter.py",
        (
            Variant("langchain trim_messages", "trim"),
            Variant("langchain trim_messages, start_on=human", "trim-human"),
            Variant("langchain ClearToolUsesEdit", "clear", "as few results kept as must be"),
            Variant("langchain ClearToolUsesEdit, inputs too", "clear-inputs"),
            Variant("langchain SummarizationMiddleware", "summarize", _STUB),
        ),
    ),
    Peer(
        "headroom",
        ("headroom-ai>=0.42",),
        "headroom_adapter.py",
        (Variant("headroom-ai", "compress", "compresses contents, drops no message"),),
    ),
    Peer(
        "headroom-0.9.7",
        ("headroom-ai>=0.9.7,<0.9.8",),
        "headroom_adapter.py",
        (
            Variant("headroom-ai 0.9.7 compress", "compress", "the last release that compacted history"),
            Variant("headroom-ai 0.9.7 IntelligentContext", "intelligent"),
            Variant("headroom-ai 0.9.7 RollingWindow", "rolling"),
        ),
    ),
    Peer(
        "openhands",
        ("openhands-sdk>=1.58",),
        "openhands_adapter.py",
        (Variant("OpenHands SDK summarizing", "summarize", _STUB),),
        python=(3, 12),
    ),
    Peer(
        "openhands-0.62",
        ("openhands-ai>=0.59,<0.63",),
        "openhands_legacy_adapter.py",
        (
            Variant("OpenHands 0.62 observation masking", "masking"),
            Variant("OpenHands 0.62 amortized forgetting", "amortized"),
            Variant("OpenHands 0.62 recent events", "recent"),
            Variant("OpenHands 0.62 conversation window", "window"),
        ),
        python=(3, 12),
    ),
    Peer(
        "cline",
        ("@cline/core@>=0.0.86",),
        "cline_adapter.mjs",
        (
            Variant("Cline basic compaction", "basic", "as shipped"),
            Variant("Cline basic compaction, names mapped", "mapped", "tool names changed to its own"),
        ),
        node=True,
    ),
)
