"""Which transfers fetch the inputs of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("transfers", sa.Column("for_job", sa.Text))
    op.create_table(
        "job_inputs",
        sa.Column("job_id", KEY, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("transfer", KEY, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("released", sa.Boolean, nullable=False),
    )
    op.create_index("job_inputs_transfer", "job_inputs", ["transfer"])
    still_open = sa.text("NOT released")
    op.create_index(
        "job_inputs_open", "job_inputs", ["job_id"], sqlite_where=still_open, postgresql_where=still_open
    )
