"""Handles of archived originals: how they are made and recognised."""

from __future__ import annotations

import re
from hashlib import blake2b

from condense.reading.text.own_blocks import handle_of

HANDLE = re.compile(r"hf_[0-9a-f]{12}")
"""How a handle is written."""


def content_handle(content: bytes) -> str:
    """Name a content by its bytes."""
    return handle_of(_digest(content))


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()
