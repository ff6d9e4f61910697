"""For the scheduler: rules, scores with their ledger, a job's turn and people's groups."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.BigInteger()


def upgrade() -> None:
    # Columns are added in place: `jobs` keeps its triggers.
    op.add_column("jobs", sa.Column("turn", sa.Text))
    op.add_column("users", sa.Column("groups", sa.Text, nullable=False, server_default="[]"))
    op.create_table(
        "rules",
        sa.Column("kind", KEY, primary_key=True),
        sa.Column("name", KEY, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
    )
    op.create_table(
        "scores",
        sa.Column("user", KEY, primary_key=True),
        sa.Column("model", KEY, primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
    op.create_table(
        "ledger",
        sa.Column("seq", SEQ, primary_key=True, autoincrement=True),
        sa.Column("user", KEY, nullable=False),
        sa.Column("model", KEY, nullable=False),
        sa.Column("milli", sa.BigInteger, nullable=False),
        sa.Column("began", TIME, nullable=False),
        sa.Column("ended", TIME, nullable=False),
        sa.Column("job_id", KEY, nullable=False),
        sa.Column("job_name", KEY, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("task", KEY, nullable=False),
    )
    op.create_index("ledger_of_user", "ledger", ["user", "ended", "seq"])
