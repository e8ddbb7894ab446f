"""Processes that tests start and talk to: none outlives its limit, whatever the test waits for."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@contextlib.contextmanager
def started(command: Sequence[str], *, limit: float = 60, **options: Any) -> Iterator[subprocess.Popen]:
    """A process that is waited for at the end of the block, and killed after some seconds.

    It can be interrupted, also where a shell in the background ignores that for all that it starts; not so what
    another thread than the main one starts.
    """
    may = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler) if may else None
    try:
        process = subprocess.Popen(command, **options)
    finally:
        if may:
            signal.signal(signal.SIGINT, before)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    try:
        with process:
            yield process
    finally:
        timer.cancel()
