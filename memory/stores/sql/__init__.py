"""Threads and memories in one SQL database, SQLite or PostgreSQL, of any number of processes."""

try:
    import sqlalchemy
except ImportError as error:
    raise ImportError(
        "the SQL store needs SQLAlchemy: pip install 'holdfast-context[sql]', or "
        "'holdfast-context[postgres]' for PostgreSQL"
    ) from error
