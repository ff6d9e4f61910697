"""Volumes, whom they are shared with, and which jobs mount them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger


def upgrade() -> None:
    op.create_table(
        "volumes",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("capacity", sa.BigInteger, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("cluster", KEY, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("sensitive", sa.Boolean, nullable=False),
        sa.Column("claim", KEY, nullable=False),
        sa.Column("gid", sa.BigInteger, nullable=False),
        sa.Column("trashed_at", TIME),
    )
    op.create_index("volumes_owner", "volumes", ["owner"])
    which = sa.text("trashed_at IS NULL")
    op.create_index(
        "volumes_named", "volumes", ["owner", "name"],
        unique=True, sqlite_where=which, postgresql_where=which,
    )  # fmt: skip
    op.create_table(
        "volume_shares",
        sa.Column("volume", KEY, sa.ForeignKey("volumes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("to", KEY, primary_key=True),
        sa.Column("name", KEY, primary_key=True),
        sa.Column("mode", KEY, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("volume_shares_name", "volume_shares", ["name", "to"])
    op.create_table("volume_gids", sa.Column("last", sa.BigInteger, primary_key=True, autoincrement=False))
    op.create_table(
        "job_mounts",
        sa.Column("job_id", KEY, sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("volume", KEY, primary_key=True),
        sa.Column("read_only", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("job_mounts_volume", "job_mounts", ["volume"])
