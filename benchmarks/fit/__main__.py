"""Fit a weight table; each table has a module with a `main(arguments)` of its own.

usage: python -m benchmarks.fit extraction --labels FILE.jsonl [--labels FILE.jsonl ...] [--write]
       python -m benchmarks.fit statements --labels FILE.jsonl ... --statements FILE.jsonl ... [--held-out FILE.jsonl]
       python -m benchmarks.fit lines ...
"""

from __future__ import annotations

import importlib
import sys

TABLES = ("extraction", "lines", "statements")


def main(arguments: list[str]) -> None:
    """Hand the arguments to the module of the table that is named first."""
    if not arguments or arguments[0] not in TABLES:
        raise SystemExit(__doc__)
    importlib.import_module(f"benchmarks.fit.{arguments[0]}").main(arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
