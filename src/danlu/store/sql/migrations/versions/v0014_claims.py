"""Volumes whose claims Danlu makes in clusters, and what was found of those claims."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("volumes", sa.Column("storage_class", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "volume_claims",
        sa.Column("volume", KEY, primary_key=True),
        sa.Column("leaving", sa.Boolean, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
