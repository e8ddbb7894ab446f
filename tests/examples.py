"""How many examples a property draws: all it asks for in the whole run, a share of them in `make unit`."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

FULL, QUICK = 60, 10
"""What the two profiles draw of a property that names no number."""


def examples(count: int, **more: Any) -> settings:
    """Settings to draw `count` examples by, where all are drawn."""
    return settings(max_examples=max(5, count * settings.default.max_examples // FULL), **more)
