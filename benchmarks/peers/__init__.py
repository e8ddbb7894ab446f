"""The peers: other people's compaction, each installed into its own environment and run in its own process.

usage: python -m benchmarks.peers [--sessions DIR] [--venvs DIR]
"""
