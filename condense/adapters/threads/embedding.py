"""Vectors for threads: by an embedding model behind OpenAI's API (extra `openai`), and what is done where one fails."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from condense.adapters.failures import failure_of
from memory.search import unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memory.search import Embedder

TIMEOUT = 30.0
"""Seconds for one attempt; chosen: a turn waits for it."""
BATCH = 64
"""Texts of one request; chosen: providers take 64 at least."""


def vectors_of(
    embedder: Embedder | None, texts: Sequence[str], failed: Callable[[Exception], object]
) -> list[tuple[float, ...]] | None:
    """Embed texts; None without an embedder, or where it fails or its answer is none, which `failed` is told."""
    if embedder is None or not texts:
        return None
    try:
        vectors = [unit(map(float, vector)) for vector in embedder(texts)]
        sizes = {len(vector) for vector in vectors}
        if len(vectors) != len(texts) or len(sizes) != 1 or 0 in sizes or not all(map(isfinite, sum(vectors, ()))):
            raise ValueError(f"{len(vectors)} vectors of {sorted(sizes)} numbers came for {len(texts)} texts")  # noqa: TRY301  # told like all else
    except Exception as error:  # noqa: BLE001  # a plug-in: words have to do
        failed(error)
        return None
    return vectors


class OpenAIEmbedder:
    """An `Embedder` over the embeddings API that OpenAI and many other servers speak.

    Args:
        model: the model's id.
        api_key, base_url: as the SDK takes them; "" leaves them to its environment variables.
        client: an SDK client with settings of your own, in place of both.

    Calling it raises `SummarizerError` where the model is out of reach or refuses, without any key in its text.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str = "",
        base_url: str = "",
        client: Any = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.name = f"openai:{base_url}:{model}"
        self._model = model
        self._dimension = 0
        if client is None:
            try:
                import openai
            except ImportError as missing:
                raise ImportError(
                    "an embedding model needs the SDK: pip install 'holdfast-context[openai]'"
                ) from missing
            key = api_key or ("none" if base_url else None)
            client = openai.OpenAI(api_key=key, base_url=base_url or None, timeout=timeout, max_retries=1)
        self._client = client

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; asked of the model once."""
        if not self._dimension:
            self(["probe"])
        return self._dimension

    def __call__(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one vector of length 1 for each text, in order."""
        found: list[tuple[float, ...]] = []
        for start in range(0, len(texts), BATCH):
            batch = [text or " " for text in texts[start : start + BATCH]]
            try:
                answer = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
                rows = sorted(answer.data, key=lambda row: row.index)
                found += [unit(map(float, row.embedding)) for row in rows]
            except Exception as error:  # a plug-in: the SDK passes on what the HTTP library and its parsing raise
                raise failure_of(error, begun=False, keys=(str(self._client.api_key),)) from error
        self._dimension = len(found[0]) if found else self._dimension
        return found
