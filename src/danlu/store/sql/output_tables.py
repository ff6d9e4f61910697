"""The table of what becomes of jobs' outputs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text, text

from danlu.store.sql.columns import Key, metadata

# One for each output of an attempt that its job ended with. What was made is kept when the job is deleted: `target` is
# the id of the dataset or volume, by which lineage finds it.
job_outputs = Table(
    "job_outputs",
    metadata,
    Column("job_id", Key, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("job", Key, nullable=False),
    Column("run", Key, nullable=False),
    Column("wish", Text, nullable=False),
    Column("target", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("state", Key, nullable=False),
    Column("work", Key, nullable=False),
    Column("number", BigInteger),
    Column("files", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("problem", Text),
    Column("ended_at", BigInteger),
    Index("job_outputs_open", "created_at", sqlite_where=text("ended_at IS NULL")),
    Index("job_outputs_target", "target"),
    sqlite_with_rowid=False,
)
