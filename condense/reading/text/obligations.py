"""Which lines of instructions say what to do."""

import re

_ORDER = re.compile(
    r"^\W{0,6}(?:\d{1,3}[.)]\s)?(?:please |then |also )?(?:run|use|prefer|follow|keep|update|write|put|place|format"
    r"|lint|test|commit|push|start|read|check|review|document|ask|verify|build|install|stick|match|favou?r)\s"
    r"|\b[\w/-]{2,60}\.(?:md|mdx|rst|adoc)\b"
    r"|^\W{0,6}(?:\d{1,3}[.)、]\s?)?(?:先|请|使用|运行|遵循|更新|提交)"
    r"|\b(?:before|after|once|when(?:ever)?|if)\b.*\b(?:run|use|update|follow|ask|commit|check|rebuild|regenerate)\b",
    re.IGNORECASE | re.ASCII,
)


def is_order(line: str) -> bool:
    """Tell whether a line says what to do, or on what occasion, or names a document."""
    return _ORDER.search(line) is not None
