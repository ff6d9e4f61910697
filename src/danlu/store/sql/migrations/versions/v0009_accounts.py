"""For accounts: which token a token was made with, and signatures in the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("tokens", sa.Column("parent", KEY))
    op.add_column("audit", sa.Column("signature", sa.Text))
