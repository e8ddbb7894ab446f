"""What Alembic runs: our migrations, in the transaction that `SqlDatabase` opened."""

from alembic import context

from memory.stores.sql.schema import METADATA, VERSIONS

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    version_table=VERSIONS,
    render_as_batch=connection.dialect.name == "sqlite",
)
context.run_migrations()
