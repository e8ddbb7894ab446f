"""What a run ran on: the machine in a line, versions, sessions by number, seeds."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import spread

if TYPE_CHECKING:
    from benchmarks.options import Options

_PACKAGES = ("holdfast", "pydantic", "regex", "orjson", "tiktoken")
SEEDS = {"generated sessions": 1, "cross-validation": 1}


def machine_line() -> str:
    """Return processor, cores, memory and Python in a line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()} {platform.machine()}, {platform.python_implementation()} {platform.python_version()}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def versions() -> dict[str, str]:
    """Return the versions of this project and its dependencies."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "source"
    return found


def about(options: Options) -> dict[str, object]:
    """Describe a run: no names, no paths."""
    sessions = options.load()
    return {
        "machine": machine_line(),
        "versions": versions(),
        "sessions": len(sessions),
        "languages": {one: sum(s.language == one for s in sessions) for one in ("en", "zh")},
        "tokens": spread(s.tokens for s in sessions),
        "budgets": list(options.budgets),
        "cuts": options.cuts,
        "quick": options.quick,
        "seeds": SEEDS,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "argv": [argument for argument in sys.argv[1:] if "/" not in argument],
    }
