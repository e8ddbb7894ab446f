"""Threads and memories in one SQL database, SQLite or PostgreSQL, of any number of processes."""
