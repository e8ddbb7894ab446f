"""Sentence embeddings by local ONNX models, through fastembed; extra `embed`.

Models are loaded from a folder that is named, without any network, or downloaded by fastembed within a time limit.
"""

from __future__ import annotations

import json
import threading
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from memory.errors import StoreError
from memory.search import unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_MODEL: Final = "BAAI/bge-small-en-v1.5"
"""fastembed's own default: English, 384 numbers, 67 MB. For other languages name a multilingual one, such as
"sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"."""

BATCH: Final = 16
"""Texts embedded together (measured: 8 to 32 beat 256, which pads everything to the longest)."""

DOWNLOAD_SECONDS: Final = 300.0
"""Time limit of a download (chosen: 67 MB over a slow line)."""


class FastEmbedder:
    """An `Embedder` over an ONNX model.

    About 4 ms for a short text with a model of MiniLM's size on one core, 0.2 s to load, 220 MB of memory.

    Args:
        folder: a folder with model.onnx, tokenizer.json, tokenizer_config.json and config.json; no network is used.
        model: without a folder: a model that fastembed knows; downloaded when it is not there yet.
        pooling: with a folder: how token vectors become one: "mean" (MiniLM, E5) or "cls" (BGE).
        threads: of the model; one is best on a busy machine (measured).
        download_seconds: time limit for getting the model.

    Raises:
        ImportError: fastembed is not installed.
        StoreError: the model is not there, cannot be loaded, or was not there in time.
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        model: str = DEFAULT_MODEL,
        pooling: Literal["mean", "cls"] = "mean",
        threads: int = 1,
        download_seconds: float = DOWNLOAD_SECONDS,
    ) -> None:
        self._lock = threading.Lock()
        if folder is None:
            self.name = f"fastembed:{model}"
            self._model = _loaded(
                lambda: _text_embedding()(model_name=model, threads=threads), model, download_seconds
            )
        else:
            self.name = f"onnx:{_digest(Path(folder))}:{pooling}"
            self._model = _loaded(
                lambda: _from_folder(Path(folder), self.name, pooling, threads), str(folder), download_seconds
            )
        self.dimension = len(self(["probe"])[0])

    def __call__(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one vector of length 1 for each text; long texts count up to the model's limit."""
        with self._lock:
            found = list(self._model.embed([text or " " for text in texts], batch_size=BATCH))
        return [unit(map(float, vector)) for vector in found]


def _text_embedding() -> Any:
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise ImportError("local embedding models need fastembed: pip install 'holdfast-context[embed]'") from error
    return TextEmbedding


def _digest(folder: Path) -> str:
    """Name a model by its content, so that another model in the same folder is another embedder."""
    try:
        with (folder / "model.onnx").open("rb") as file:
            digest = blake2b(digest_size=6)
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise StoreError(
            f"no model in {str(folder)!r}: {error.strerror or error}; it should hold model.onnx, tokenizer.json, "
            "tokenizer_config.json and config.json"
        ) from error
    return digest.hexdigest()


def _from_folder(folder: Path, name: str, pooling: str, threads: int) -> Any:
    text_embedding = _text_embedding()
    from fastembed.common.model_description import ModelSource, PoolingType

    size = json.loads((folder / "config.json").read_text("utf-8"))["hidden_size"]
    if all(known["model"].casefold() != name for known in text_embedding.list_supported_models()):
        text_embedding.add_custom_model(
            name,
            pooling=PoolingType.MEAN if pooling == "mean" else PoolingType.CLS,
            normalization=True,
            sources=ModelSource(hf=name),
            dim=size,
            model_file="model.onnx",
        )
    return text_embedding(model_name=name, specific_model_path=str(folder), threads=threads)


def _loaded(load: Callable[[], Any], what: str, seconds: float) -> Any:
    """Load a model in a thread of its own, and give up in time; a download goes on behind, for the next time."""
    done: list[Any] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            done.append(load())
        except Exception as error:  # noqa: BLE001  # fastembed raises what its parts raise
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True, name="holdfast-model")
    thread.start()
    thread.join(seconds)
    if done:
        return done[0]
    if failed and isinstance(failed[0], ImportError):
        raise failed[0]
    why = f"{type(failed[0]).__name__}: {failed[0]}" if failed else f"it was not there after {seconds:g} seconds"
    raise StoreError(f"cannot load the embedding model {what!r}: {why}") from (failed[0] if failed else None)
