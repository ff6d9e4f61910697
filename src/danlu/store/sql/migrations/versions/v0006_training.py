"""For training: checkpoints, and the work that attempts lost."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("saved", sa.Text))
    op.add_column("attempts", sa.Column("progress", sa.Text))
