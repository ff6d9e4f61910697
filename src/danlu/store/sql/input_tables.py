"""The table of jobs' inputs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, text

from danlu.store.sql.columns import Key, metadata

# Not tied to jobs: a transfer that only a deleted job needed is still to be cancelled.
job_inputs = Table(
    "job_inputs",
    metadata,
    Column("job_id", Key, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("transfer", Key, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("released", Boolean, nullable=False),
    Index("job_inputs_transfer", "transfer"),
    Index("job_inputs_open", "job_id", sqlite_where=text("NOT released")),
)
