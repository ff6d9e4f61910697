"""Transfers between places outside and volumes, and their schedules."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger


def upgrade() -> None:
    op.create_table(
        "transfers",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text),
        sa.Column("started_at", TIME),
        sa.Column("ended_at", TIME),
        sa.Column("not_before", TIME),
        sa.Column("cancelling", sa.Boolean, nullable=False),
        sa.Column("schedule", KEY),
        sa.Column("login", sa.Text),
    )
    op.create_index("transfers_owner", "transfers", ["owner", "created_at"])
    unfinished = sa.text("ended_at IS NULL")
    op.create_index(
        "transfers_unfinished", "transfers", ["created_at"],
        sqlite_where=unfinished, postgresql_where=unfinished,
    )  # fmt: skip
    op.create_table(
        "transfer_schedules",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False, index=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("cron", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("due_at", TIME),
        sa.Column("last_at", TIME),
        sa.Column("last_transfer", KEY),
        sa.Column("last_skipped", sa.Boolean, nullable=False),
        sa.Column("login", sa.Text),
    )
