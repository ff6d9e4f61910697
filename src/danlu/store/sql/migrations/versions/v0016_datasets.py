"""Datasets, their versions and tags, the acts on them, and which jobs read them."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger


def upgrade() -> None:
    op.create_table(
        "datasets",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("sensitive", sa.Boolean, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("trashed_at", TIME),
    )
    op.create_index("datasets_owner", "datasets", ["owner"])
    which = sa.text("trashed_at IS NULL")
    op.create_index(
        "datasets_named", "datasets", ["owner", "name"],
        unique=True, sqlite_where=which, postgresql_where=which,
    )  # fmt: skip
    op.create_table(
        "dataset_shares",
        sa.Column("dataset", KEY, sa.ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("to", KEY, primary_key=True),
        sa.Column("name", KEY, primary_key=True),
        sa.Column("mode", KEY, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("dataset_shares_name", "dataset_shares", ["name", "to"])
    op.create_table(
        "dataset_versions",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("dataset", KEY, sa.ForeignKey("datasets.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("root", KEY, nullable=False),
        sa.Column("files", sa.BigInteger, nullable=False),
        sa.Column("folders", sa.BigInteger, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("stored", sa.BigInteger, nullable=False),
        sa.Column("made_by", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("job_id", KEY, nullable=False),
        sa.Column("job", KEY, nullable=False),
        sa.Column("verified_at", TIME),
        sa.Column("damaged", sa.BigInteger, nullable=False),
    )
    op.create_index("dataset_versions_number", "dataset_versions", ["dataset", "number"], unique=True)
    op.create_index("dataset_versions_job", "dataset_versions", ["job_id"])
    op.create_table(
        "dataset_tags",
        sa.Column("dataset", KEY, sa.ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tag", KEY, primary_key=True),
        sa.Column("version", KEY, sa.ForeignKey("dataset_versions.id", ondelete="CASCADE"), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("dataset_tags_version", "dataset_tags", ["version"])
    op.create_table(
        "dataset_acts",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("dataset", KEY, sa.ForeignKey("datasets.id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("by", KEY, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("began_at", TIME),
        sa.Column("ended_at", TIME),
        sa.Column("number", sa.BigInteger),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("found", sa.Text, nullable=False),
    )
    op.create_index("dataset_acts_dataset", "dataset_acts", ["dataset", "id"])
    op.create_index("dataset_acts_state", "dataset_acts", ["state", "id"])
    op.create_table(
        "dataset_reads",
        sa.Column("version", KEY, sa.ForeignKey("dataset_versions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("job_id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("job", KEY, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("dataset_reads_job", "dataset_reads", ["job_id"])
