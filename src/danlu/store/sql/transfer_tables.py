"""The tables of transfers and their schedules."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, Text, text

from danlu.store.sql.columns import Key, metadata

transfers = Table(
    "transfers",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("wish", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("state", Key, nullable=False),
    Column("progress", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("problem", Text),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("not_before", BigInteger),
    Column("cancelling", Boolean, nullable=False),
    Column("schedule", Key),
    Column("login", Text),
    Column("for_job", Text),  # the id and name of the job whose input it is
    Index("transfers_owner", "owner", "created_at"),
    Index("transfers_unfinished", "created_at", sqlite_where=text("ended_at IS NULL")),
)

transfer_schedules = Table(
    "transfer_schedules",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("wish", Text, nullable=False),
    Column("cron", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("due_at", BigInteger),
    Column("last_at", BigInteger),
    Column("last_transfer", Key),
    Column("last_skipped", Boolean, nullable=False),
    Column("login", Text),
)
