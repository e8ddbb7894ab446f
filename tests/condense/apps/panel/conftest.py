"""A panel of an empty home, and one with sessions whose memories are kept."""

from __future__ import annotations

import pytest
from panels import Asking


@pytest.fixture
def asking(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    made = Asking(tmp_path)
    yield made
    made.close()


@pytest.fixture
def busy(asking):
    asking.file = asking.claude_session()
    asking.codex_session()
    asking.saved(asking.file)
    return asking
