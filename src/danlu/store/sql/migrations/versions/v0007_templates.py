"""Templates of people's own."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "templates",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("project", KEY),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.UniqueConstraint("owner", "name", name="templates_owner_name"),
    )
    op.create_index("ix_templates_project", "templates", ["project"])
