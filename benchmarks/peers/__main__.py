"""Run every peer on the same cuts as ours."""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks import fidelity
from benchmarks.options import parse_options, save
from benchmarks.peers import __doc__ as usage
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.driving import start_peers
from benchmarks.systems import baselines, our_system


def main() -> None:
    """Run this piece alone."""
    options = parse_options(usage)
    with ExitStack() as stack:
        systems, states = start_peers(PEERS, options.venvs, stack)
        save(options, "peers", states)
        save(options, "fidelity", fidelity.run(options, [our_system(), *baselines(), *systems]))


if __name__ == "__main__":
    main()
