"""A local ONNX model as an embedder: a tiny one, generated here."""

from __future__ import annotations

import time

import pytest

from memory.entries.stored import MemoryFilter
from memory.errors import StoreError
from memory.search.embeddings import cosine
from memory.stores.embedding import FastEmbedder, _loaded
from memory.stores.qdrant.places import open_qdrant
from memory.stores.qdrant.store import VectorMemoryStore


@pytest.fixture
def folder(model_folder):
    return model_folder


def test_the_test_model_is_small(folder):
    assert sum(path.stat().st_size for path in folder.iterdir()) < 200_000


def test_a_model_in_a_folder_puts_like_texts_near(folder):
    embed = FastEmbedder(folder)
    assert embed.dimension == 128
    one, like, other = embed(["use redis cache", "the cache is redis", "never push to main on friday"])
    assert cosine(one, like) > cosine(one, other)
    assert sum(x * x for x in one) == pytest.approx(1)
    assert embed(["use redis cache"])[0] == pytest.approx(one, abs=1e-6)
    assert len(embed(["", "数据库"])) == 2


def test_the_same_model_has_the_same_name_and_may_be_opened_twice(folder, tmp_path):
    assert FastEmbedder(folder).name == FastEmbedder(str(folder)).name
    changed = tmp_path / "changed"
    changed.mkdir()
    for path in folder.iterdir():
        (changed / path.name).write_bytes(path.read_bytes())
    with (changed / "model.onnx").open("ab") as file:
        file.write(b"\x1a\x00")  # an empty domain changes nothing but the digest
    assert FastEmbedder(changed).name != FastEmbedder(folder).name


def test_memories_are_found_by_a_local_model(folder):
    from stored_memories import stored

    store = VectorMemoryStore(open_qdrant(":memory:"), FastEmbedder(folder))
    store.put([stored("a", "the cache is redis"), stored("b", "never push to main on friday")])
    assert store.search("which cache", MemoryFilter("p_one"))[0].memory.id == "a"


def test_a_folder_without_a_model_says_what_is_missing(tmp_path):
    with pytest.raises(StoreError, match=r"model\.onnx"):
        FastEmbedder(tmp_path)


def test_a_damaged_model_is_a_clear_error(folder, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(StoreError, match="cannot load the embedding model"):
        FastEmbedder(tmp_path)


@pytest.mark.timing
def test_a_model_that_takes_too_long_is_given_up():
    started = time.monotonic()
    with pytest.raises(StoreError, match=r"after 0\.05 seconds"):
        _loaded(lambda: time.sleep(2), "slow", 0.05)
    assert time.monotonic() - started < 1.5
