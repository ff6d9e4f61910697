"""A job's name may be used again: each job is one run of its name. What there is becomes the first run."""

import sqlalchemy as sa
from alembic import op

from danlu.store.sql.migrations import counting

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "job_runs",
        sa.Column("owner", KEY, primary_key=True),
        sa.Column("name", KEY, primary_key=True),
        sa.Column("last", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO job_runs (owner, name, last) SELECT owner, name, 1 FROM jobs")
    with op.batch_alter_table("jobs") as table:
        table.add_column(sa.Column("run", sa.Integer, nullable=False, server_default="1"))
        table.drop_constraint("jobs_owner_name", type_="unique")
        table.create_unique_constraint("jobs_owner_name_run", ["owner", "name", "run"])
    if op.get_bind().dialect.name == "sqlite":  # where the table was made anew
        counting.install("sqlite", op.execute)
