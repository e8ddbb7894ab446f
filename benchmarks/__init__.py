"""The benchmark: what a compaction keeps, costs and takes, on real sessions, beside the alternatives.

Each piece runs alone: `python -m benchmarks.fidelity`, `.replay`, `.native`, `.extraction`, `.importance`,
`.speed`, `.scale`, `.peers`; `python -m benchmarks` runs them all and `python -m benchmarks.report` writes the
report. Everything is offline except installing the peers.
"""
