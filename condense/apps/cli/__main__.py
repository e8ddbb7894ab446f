"""`python -m condense.apps.cli` is `holdfast`."""

from __future__ import annotations

import sys

from condense.apps.cli import main

if __name__ == "__main__":
    sys.exit(main())
