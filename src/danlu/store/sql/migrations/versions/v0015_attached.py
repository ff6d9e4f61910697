"""Volumes attached to addresses outside, and their logins, sealed."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("volumes", sa.Column("source", sa.Text))
    op.create_table(
        "volume_logins",
        sa.Column("volume", KEY, sa.ForeignKey("volumes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
