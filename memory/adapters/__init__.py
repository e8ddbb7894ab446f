"""Ways to use memory with other packages. Edges, each behind an extra."""
