"""What becomes of jobs' outputs; and the code of what an act on a dataset failed of."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger


def upgrade() -> None:
    op.add_column("dataset_acts", sa.Column("failure", KEY))
    op.create_table(
        "job_outputs",
        sa.Column("job_id", KEY, primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("job", KEY, nullable=False),
        sa.Column("run", KEY, nullable=False),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("target", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("work", KEY, nullable=False),
        sa.Column("number", sa.BigInteger),
        sa.Column("files", sa.BigInteger, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("problem", sa.Text),
        sa.Column("ended_at", TIME),
        sqlite_with_rowid=False,
    )
    unfinished = sa.text("ended_at IS NULL")
    op.create_index(
        "job_outputs_open", "job_outputs", ["created_at"],
        sqlite_where=unfinished, postgresql_where=unfinished,
    )  # fmt: skip
    op.create_index("job_outputs_target", "job_outputs", ["target"])
