"""Edges to other people's packages: each file needs its own extra and is imported by nothing inside."""
