"""A panel of an empty home, and one with sessions whose memories are kept."""

from __future__ import annotations

import pytest
from panels import Asking


@pytest.fixture
def place(request, tmp_path, monkeypatch):
    """Where the person's store is; tests marked EVERYWHERE try all."""
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    name = getattr(request, "param", "file")
    if name == "sqlite":
        monkeypatch.setenv("HOLDFAST_STORE", f"sqlite:///{tmp_path}/kept.db")
    elif name == "postgres":
        monkeypatch.setenv("HOLDFAST_STORE", request.getfixturevalue("postgres_url"))
    return name


@pytest.fixture
def asking(tmp_path, place):
    del place
    made = Asking(tmp_path)
    yield made
    made.close()


@pytest.fixture
def busy(asking):
    asking.file = asking.claude_session()
    asking.codex_session()
    asking.saved(asking.file)
    return asking
