"""The tables of datasets."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table, Text, text

from danlu.store.sql.columns import Key, metadata

# A dataset; `last` is the highest number that a version of it ever had.
datasets = Table(
    "datasets",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("description", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("card", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("sensitive", Boolean, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("trashed_at", BigInteger),
    Index("datasets_owner", "owner"),
    Index("datasets_named", "owner", "name", unique=True, sqlite_where=text("trashed_at IS NULL")),
)

dataset_shares = Table(
    "dataset_shares",
    metadata,
    Column("dataset", Key, ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
    Column("to", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("mode", Key, nullable=False),
    Index("dataset_shares_name", "name", "to"),
    sqlite_with_rowid=False,
)

dataset_versions = Table(
    "dataset_versions",
    metadata,
    Column("id", Key, primary_key=True),
    Column("dataset", Key, ForeignKey("datasets.id", ondelete="CASCADE"), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("root", Key, nullable=False),
    Column("files", BigInteger, nullable=False),
    Column("folders", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("stored", BigInteger, nullable=False),
    Column("made_by", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("source", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("job_id", Key, nullable=False),
    Column("job", Key, nullable=False),
    Column("verified_at", BigInteger),
    Column("damaged", BigInteger, nullable=False),
    Index("dataset_versions_number", "dataset", "number", unique=True),
    Index("dataset_versions_job", "job_id"),
)

dataset_tags = Table(
    "dataset_tags",
    metadata,
    Column("dataset", Key, ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", Key, primary_key=True),
    Column("version", Key, ForeignKey("dataset_versions.id", ondelete="CASCADE"), nullable=False),
    Index("dataset_tags_version", "version"),
    sqlite_with_rowid=False,
)

dataset_acts = Table(
    "dataset_acts",
    metadata,
    Column("id", Key, primary_key=True),  # sorts by time
    Column("dataset", Key, ForeignKey("datasets.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Key, nullable=False),
    Column("by", Key, nullable=False),
    Column("state", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("began_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("number", BigInteger),
    Column("wish", Text, nullable=False),
    Column("progress", Text, nullable=False),
    Column("error", Text),
    Column("found", Text, nullable=False),
    Column("failure", Key),
    Index("dataset_acts_dataset", "dataset", "id"),
    Index("dataset_acts_state", "state", "id"),
)

# Which jobs mount or mounted a version: kept when a job is deleted.
dataset_reads = Table(
    "dataset_reads",
    metadata,
    Column("version", Key, ForeignKey("dataset_versions.id", ondelete="CASCADE"), primary_key=True),
    Column("job_id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("job", Key, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("dataset_reads_job", "job_id"),
    sqlite_with_rowid=False,
)
