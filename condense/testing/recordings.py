"""The recorded session that `holdfast demo` condenses: a real one to try things on."""

from __future__ import annotations

from pathlib import Path

_NAME = "claude_code_session.jsonl.gz"


def demo_session() -> Path:
    """Return the file of a session of Claude Code, recorded on this project: 148 messages, 15 of them typed.

    It stands beside this module where the package was installed from a wheel, else in the repository.
    """
    packaged = Path(__file__).with_name(_NAME)
    return packaged if packaged.is_file() else packaged.parents[2] / "benchmarks" / "data" / _NAME
