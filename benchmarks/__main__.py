"""Run every piece and write the report.

usage: python -m benchmarks [--quick] [--peers] [--sessions DIR --label NAME] [--labels FILE] [--cuts N] [--out DIR]

Ten minutes at most on the bundled sessions and two cores, `--quick` one minute; peers are installed and run only with
`--peers` (they need a network the first time). Several sets of sessions stand side by side in one `results.json`.
"""

from __future__ import annotations

import time
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
from benchmarks.gathering import gather, jobs_of
from benchmarks.options import Options, parse_options, save
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.driving import install_peers
from benchmarks.sessions import BUNDLED

if TYPE_CHECKING:
    from collections.abc import Callable


def run(options: Options) -> None:
    """Install the peers, measure all systems, then what is measured of ours alone; write the report."""
    peers = PEERS if options.peers else ()
    start = time.perf_counter()
    states = install_peers(peers, options.venvs)
    if peers:
        print(f"peers installed and started: {time.perf_counter() - start:.0f} s")
        save(options, "peers", states)
    save(options, "about", about(options))
    found = gather(options, jobs_of(peers, states))
    summing: dict[str, Callable[[], object]] = {
        "fidelity": lambda: fidelity.result(found["fidelity"]),
        "repeated": lambda: repeated.result(options, found["repeated"]),
        "verified": lambda: verified.result(options, found["verified"]),
        "replay": lambda: replay.result(options, found["replay"]),
        "native": lambda: native.result(options, found["native"]),
        "importance": lambda: importance.run(options),
        "extraction": lambda: extraction.run(options),
        "speed": lambda: speed.run(options),
    }
    if options.sessions == BUNDLED:
        summing["scale"] = lambda: scale.run(options)
    for name, piece in summing.items():
        begun = time.perf_counter()
        print(f"\n== {name}")
        save(options, name, piece())
        print(f"({time.perf_counter() - begun:.0f} s)")
    report.write(options.out)
    print(f"\n{time.perf_counter() - start:.0f} s in all")


if __name__ == "__main__":
    run(parse_options(__doc__))
