"""Run every piece and write the report.

usage: python -m benchmarks [--quick] [--peers] [--sessions DIR --label NAME] [--labels FILE] [--out DIR]

Ten minutes at most on the bundled sessions and two cores, `--quick` one minute; peers are installed and run only with
`--peers` (they need a network the first time). Several sets of sessions stand side by side in one `results.json`.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from benchmarks import (
    extraction,
    fidelity,
    importance,
    native,
    repeated,
    replay,
    report,
    scale,
    speed,
    verified,
)
from benchmarks.about import about
from benchmarks.options import Options, parse_options, save
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.driving import start_peers
from benchmarks.sessions import BUNDLED
from benchmarks.systems import System, baselines, everything, our_system

if TYPE_CHECKING:
    from collections.abc import Callable


def run(options: Options) -> None:
    """Run the pieces in order, and write the report; each one's numbers are saved as soon as they are there."""
    with ExitStack() as stack:
        peers: list[System] = []
        if options.peers:
            peers, states = start_peers(PEERS, options.venvs, stack)
            save(options, "peers", states)
        _run_pieces(options, peers)
    report.write(options.out)


def _run_pieces(options: Options, peers: list[System]) -> None:
    systems = [our_system(), *baselines(), *peers]
    save(options, "about", about(options))
    pieces: dict[str, Callable[[], object]] = {
        "fidelity": lambda: fidelity.run(options, systems),
        "repeated": lambda: repeated.run(options, systems),
        "verified": lambda: verified.run(options, systems),
        "replay": lambda: replay.run(options, [*systems[:1], everything(), *systems[1:]]),
        "native": lambda: native.run(options, systems),
        "importance": lambda: importance.run(options),
        "extraction": lambda: extraction.run(options),
        "speed": lambda: speed.run(options),
    }
    if options.sessions == BUNDLED:
        pieces["scale"] = lambda: scale.run(options)
    for name, piece in pieces.items():
        start = time.perf_counter()
        print(f"\n== {name}")
        save(options, name, piece())
        print(f"({time.perf_counter() - start:.0f} s)")


if __name__ == "__main__":
    run(parse_options(__doc__))
