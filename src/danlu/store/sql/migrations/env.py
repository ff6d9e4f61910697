"""How Alembic runs the migrations: in the transaction that `upgrade` opened."""

from alembic import context

from danlu.store.sql.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
