"""Codes for terminals in outputs (colours, cursor movements, window titles): nothing that anybody reads."""

from __future__ import annotations

import re

_ESCAPE = "\x1b"
_CODE = re.compile(
    r"\x1b(?:\[[0-9:;<=>?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|P[^\x1b\n]{0,4000}\x1b\\"
    r"|O[A-Z]|%[@G]|#[0-9]|[()][0-9A-Z]|[=>78cDEHMNZ])"
)
"""Control sequences, operating system commands and the short codes of ECMA-48 and xterm."""


def without_codes(text: str) -> str:
    """Return a text without codes for terminals: the same number of lines, the very text where it has none."""
    return _CODE.sub("", text) if _ESCAPE in text else text
