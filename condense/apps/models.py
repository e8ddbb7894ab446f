"""The model that people name, "PROVIDER:NAME", as a summariser: ours, or a plug-in's."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from condense.errors import SummarizerError
from memory.stores import OURS, plugged

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.summarizing import Summarizer


def open_summarizer(
    provider: str,
    name: str,
    *,
    base_url: str | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Summarizer:
    """Make the summariser; keys and further settings are read by the SDK from its own environment variables.

    Raises:
        ImportError: the SDK is not installed; says how it is.
        SummarizerError: the SDK has no key, or refuses otherwise.
        PluginError: a plug-in failed.
    """
    if provider not in OURS["summarizers"]:
        return cast("Summarizer", plugged("summarizers", provider, name))
    try:
        if provider == "anthropic":
            from condense.adapters import AnthropicSummarizer

            return AnthropicSummarizer(name, base_url=base_url, progress=progress)
        from condense.adapters import OpenAISummarizer

        api = "responses" if provider == "openai-responses" else "chat"
        return OpenAISummarizer(name, api=api, base_url=base_url, progress=progress)  # type: ignore[arg-type]  # one of two
    except ImportError:
        raise
    except Exception as error:  # a plug-in: SDKs complain about missing keys in their own ways
        raise SummarizerError(f"{provider}: {' '.join(str(error).split())}", retriable=False) from error
