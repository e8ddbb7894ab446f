"""headroom-ai: `compress` as it comes, the current release and the last that compacted history (0.9.7).

0.9.7 drops messages down to `model_limit` less an output reserve; the limit is set so that the budget remains. Its two
ways of choosing what to drop are run alone as well. The current release compresses contents and drops nothing.
"""

from __future__ import annotations

import os
from typing import Any

os.environ.update(
    {
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HEADROOM_TELEMETRY": "off",
        "HEADROOM_TELEMETRY_DISABLED": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
)

from headroom import compress  # the environment comes first
from serving import count_tokens, serve, size_of

_RESERVE = 4000
_MODEL = "claude-sonnet-4-5-20250929"


class _Counter:
    """The benchmark's counter where headroom asks for a tokenizer."""

    model = _MODEL

    def count_text(self, text: str) -> int:
        return count_tokens(text)

    def count_message(self, message: dict[str, Any]) -> int:
        return size_of([message])

    def count_messages(self, messages: list[dict[str, Any]]) -> int:
        return size_of(messages)


def _compress(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    result = compress(messages, model=_MODEL, model_limit=budget + _RESERVE, kompress_model="disabled")
    return list(result.messages)


def _intelligent(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    from headroom.transforms.intelligent_context import IntelligentContextManager

    done = IntelligentContextManager().apply(messages, _Counter(), model_limit=budget, output_buffer=0)
    return list(done.messages)


def _rolling(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    from headroom.transforms.rolling_window import RollingWindow

    done = RollingWindow().apply(messages, _Counter(), model_limit=budget, output_buffer=0)
    return list(done.messages)


if __name__ == "__main__":
    serve({"compress": _compress, "intelligent": _intelligent, "rolling": _rolling}, ["headroom-ai"])
