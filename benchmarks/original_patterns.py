"""The extraction rules that the original documents, as written there: what its patterns find by themselves."""

from __future__ import annotations

import re

_INSTRUCTIONS = (
    r"(?:必须|一定要|务必|记住|注意|重要|关键)\s*[:：]?\s*.{10,200}",
    r"(?:require|must|need to|important|critical|remember|note)\s*[:：]?\s*.{10,200}",
)
_DECISIONS = (
    r"(?:use|使用|采用)\s+(?:postgresql|redis|mongodb|mysql|jwt|oauth)",
    r"(?:port|端口)\s*(?:is|为|设置为|change\s+to|to)?\s*\d{2,5}",
    r"(?:theme|主题|color|颜色|style|样式)\s*(?:is|为|设置为|change to)?\s*(?:[a-zA-Z]+|#[0-9a-fA-F]{3,6})",
)
_CHANGES = (
    r"(?:change|改|修改|update|switch)\s+(?:.*?\s+)?(?:to|为|成)\s+.+",
    r"(?:all|所有|全部)\s+.+?\s+(?:need|需要|must|应该)",
)
_ENDPOINT = r"https?://[^\s]+|/api/[\w\-/]+|localhost:\d+"
_SHORT_COMMAND = 100
_SHORT_ERROR = 300


def documented(text: str, before: str = "") -> list[tuple[str, str, str]]:  # noqa: ARG001  # one signature for all
    """Return (content, type, priority) of what the documented rules find in a typed message."""
    found = [(m, "user_instruction", "critical") for m in _all(_INSTRUCTIONS, text)]
    found += [(m, "technical_decision", "high") for m in _all(_DECISIONS, text)]
    if len(text) < _SHORT_COMMAND:
        found += [(m, "configuration", "high") for m in _all(_CHANGES, text)]
    found += [(f"API端点: {m}", "configuration", "high") for m in _all((_ENDPOINT,), text)]
    if len(text) < _SHORT_ERROR and re.search("error|错误|问题", text, re.IGNORECASE):
        found.append((text.strip(), "important_error", "medium"))
    return found


def _all(patterns: tuple[str, ...], text: str) -> list[str]:
    return [m.group().strip() for pattern in patterns for m in re.finditer(pattern, text, re.IGNORECASE)]
