"""For several processes: the leader's lease, and the nodes as the leader sees them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("name", KEY, primary_key=True),
        sa.Column("holder", KEY, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "nodes",
        sa.Column("name", KEY, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
    )
