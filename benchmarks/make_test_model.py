"""Write a tiny sentence model as ONNX, for tests: about 150 kB, deterministic, no network and no torch.

    python benchmarks/make_test_model.py FOLDER

A text's vector is the mean of its tokens' vectors, which are digests of the tokens: texts that share words are near.
The file is written byte by byte (ONNX is protocol buffers), so that the package onnx is not needed.
"""

from __future__ import annotations

import json
import struct
import sys
from hashlib import blake2b
from pathlib import Path

DIMENSION = 128
WORDS = """
the a an is are was to of in on for with and or not use uses using must never always we you it this that which what
when where how do does port server database cache redis postgres postgresql sqlite mysql docker test tests pytest
commit branch main push deploy release friday python rust type types error bug fix log logs file files path config
settings theme dark light user users password token key api http https url json yaml markdown line lines search memory
"""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
FLOAT, INT64 = 1, 7


def vocabulary() -> list[str]:
    """Return the tokens in the order of their numbers."""
    return [*SPECIAL, *dict.fromkeys([*WORDS.split(), *LETTERS]), *(f"##{letter}" for letter in LETTERS)]


def vector_of(token: str) -> list[float]:
    """Return a token's numbers: from its digest; small for letters, none for special tokens."""
    if token in SPECIAL:
        return [0.0] * DIMENSION
    size = 0.2 if len(token.removeprefix("##")) == 1 else 1.0
    digest = b"".join(blake2b(f"{token}{part}".encode()).digest() for part in range(DIMENSION // 64))
    return [size * (byte - 127.5) / 127.5 for byte in digest]


def _number(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    content = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(content)) + content


def _value(name: str, kind: int, *axes: str | int) -> bytes:
    """Return a ValueInfoProto: a tensor's name, type and shape."""
    shape = b"".join(_field(1, _field(2 if isinstance(axis, str) else 1, axis)) for axis in axes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def model_bytes() -> bytes:
    """Return the model: one Gather from the table of token vectors."""
    tokens = vocabulary()
    numbers = [number for token in tokens for number in vector_of(token)]
    table = _field(1, len(tokens)) + _field(1, DIMENSION) + _field(2, FLOAT) + _field(8, "table")
    table += _field(9, struct.pack(f"<{len(numbers)}f", *numbers))
    node = _field(1, "table") + _field(1, "input_ids") + _field(2, "last_hidden_state") + _field(4, "Gather")
    graph = _field(1, node) + _field(2, "tiny") + _field(5, table)
    graph += _field(11, _value("input_ids", INT64, "batch", "tokens"))
    graph += _field(12, _value("last_hidden_state", FLOAT, "batch", "tokens", DIMENSION))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 17))


def write_model(folder: Path) -> None:
    """Write model.onnx and the files of its tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {token: at for at, token in enumerate(vocabulary())}
    special = [
        {"id": numbers[token], "content": token, "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
        for token in SPECIAL
    ]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": numbers,
        },
    }
    (folder / "model.onnx").write_bytes(model_bytes())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    limits = {"model_max_length": 512, "pad_token": "[PAD]", "tokenizer_class": "BertTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(limits), "utf-8")
    (folder / "config.json").write_text(json.dumps({"hidden_size": DIMENSION, "pad_token_id": 0}), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    write_model(Path(sys.argv[1]))
