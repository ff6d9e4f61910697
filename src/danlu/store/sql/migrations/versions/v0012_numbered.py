"""Every run of a name that has several is shown with its number, the first one too."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("numbered", sa.Boolean, nullable=False, server_default=sa.text("false")))
    op.execute("UPDATE jobs SET numbered = true WHERE run > 1")
    op.execute(
        "UPDATE jobs SET numbered = true, folded = folded || '#1' WHERE run = 1 AND EXISTS"
        " (SELECT 1 FROM job_runs WHERE job_runs.owner = jobs.owner AND job_runs.name = jobs.name"
        " AND job_runs.last > 1)"
    )
