"""Where memories are kept: in the process, in one SQLite file, in a vector database. Edges."""
