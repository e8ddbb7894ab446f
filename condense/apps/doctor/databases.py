"""An SQL database, asked whether it answers; extra `sql`."""

from __future__ import annotations

from sqlalchemy import create_engine, inspect, make_url


def reached(url: str, seconds: int) -> str:
    """Connect and say what is there.

    Raises:
        Exception: whatever its driver raises.
    """
    place = make_url(url.replace("postgres://", "postgresql://", 1))
    if place.get_backend_name() == "postgresql":
        place = place.set(drivername="postgresql+psycopg")
        engine = create_engine(place, connect_args={"connect_timeout": seconds})
    else:
        if place.database and place.database != ":memory:":
            place = place.set(database=f"file:{place.database}", query={"mode": "ro", "uri": "true"})
        engine = create_engine(place)
    try:
        tables = len(inspect(engine).get_table_names())
    finally:
        engine.dispose()
    return f"answers ({place.get_backend_name()}), {tables} tables"
