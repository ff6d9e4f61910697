"""The tables, as the migrations leave them (a test holds the two equal)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

from danlu.store.sql.columns import Key, Seq
from danlu.store.sql.columns import metadata as metadata
from danlu.store.sql.dataset_tables import dataset_acts as dataset_acts
from danlu.store.sql.dataset_tables import dataset_reads as dataset_reads
from danlu.store.sql.dataset_tables import dataset_shares as dataset_shares
from danlu.store.sql.dataset_tables import dataset_tags as dataset_tags
from danlu.store.sql.dataset_tables import dataset_versions as dataset_versions
from danlu.store.sql.dataset_tables import datasets as datasets
from danlu.store.sql.input_tables import job_inputs as job_inputs
from danlu.store.sql.output_tables import job_outputs as job_outputs
from danlu.store.sql.transfer_tables import transfer_schedules as transfer_schedules
from danlu.store.sql.transfer_tables import transfers as transfers

HEAD = "0019"
"""The newest migration; a database at this version is opened without loading Alembic."""

jobs = Table(
    "jobs",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column(
        "folded", Key, nullable=False
    ),  # the name in lower case, with the number of its run if it is numbered: what sorting and searching look at
    Column("project", Key, nullable=False),
    Column("kind", Key, nullable=False),
    Column("job_class", Key, nullable=False),
    Column("state", Key, nullable=False),
    Column("live", Boolean, nullable=False),  # active, or with tasks that may still hold something
    Column("version", BigInteger, nullable=False),
    Column("spec_version", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("restarts", Integer, nullable=False),
    Column("warned", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("queued_at", BigInteger),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("priority", Key, nullable=False),
    Column("gpu_milli", BigInteger, nullable=False),
    Column("gpu_model", Key),
    Column("cpu_milli", BigInteger, nullable=False),
    Column("memory", BigInteger, nullable=False),
    Column("tasks", Integer, nullable=False),
    Column("image", Text, nullable=False),
    Column("reason", Text),
    Column("waiting", Text),
    Column("ending", Text),
    Column("idempotency_key", Key),
    Column("fingerprint", Key),
    Column("spec", Text, nullable=False),  # behind what lists read: the long one
    Column("turn", Text),
    Column("cloned_from", Text),
    Column("gpu_mix", Text),  # thousandths by model, of jobs whose roles name different ones
    Column("saved", Text),  # the checkpoint from which the next attempt goes on
    Column("run", Integer, nullable=False, server_default="1"),  # which run of its name it is
    Column("expected_time", BigInteger),
    Column("max_time", BigInteger),
    Column("placed", Text),  # the nodes of its latest attempt, unless it waits
    Column("latest", Text),  # what its training reported last
    Column(
        "numbered", Boolean, nullable=False, server_default=text("false")
    ),  # whether its name has had further runs
    UniqueConstraint("owner", "name", "run", name="jobs_owner_name_run"),
    Index(
        "jobs_owner_key",
        "owner",
        "idempotency_key",
        unique=True,
        sqlite_where=text("idempotency_key IS NOT NULL"),
    ),
    # Every list is an ordered walk over one of these, which hold all it looks at; `listing` says which.
    Index("jobs_created", "created_at", "id"),
    Index("jobs_of_owner", "owner", "created_at", "id"),
    Index("jobs_by_owner", "owner", "state", "kind", "created_at", "id", "project", "folded"),
    Index("jobs_by_project", "project", "state", "kind", "created_at", "id", "folded"),
    Index("jobs_by_state", "state", "kind", "created_at", "id", "folded"),
    Index("jobs_by_name", "folded", "id", "owner", "project", "kind", "state", "created_at"),
    Index("jobs_live", "id", sqlite_where=text("live")),
    Index(
        "jobs_ended",
        *("ended_at", "id", "owner", "project", "kind", "state", "folded"),
        sqlite_where=text("ended_at IS NOT NULL"),
    ),
    Index(
        "jobs_ended_of_owner",
        *("owner", "ended_at", "id", "project", "kind", "state", "folded"),
        sqlite_where=text("ended_at IS NOT NULL"),
    ),
)

# The number of the latest run of each name that has any: no number is given twice meanwhile.
job_runs = Table(
    "job_runs",
    metadata,
    Column("owner", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("last", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# How many jobs there are of each sort, kept true by triggers: totals without counting. An empty owner or
# project stands for all of them, so that every list reads few rows.
job_counts = Table(
    "job_counts",
    metadata,
    Column("owner", Key, primary_key=True),
    Column("project", Key, primary_key=True),
    Column("kind", Key, primary_key=True),
    Column("state", Key, primary_key=True),
    Column("jobs", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

attempts = Table(
    "attempts",
    metadata,
    Column("job_id", Key, ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("reason", Text),
    Column("tasks", Text, nullable=False),
    Column("progress", Text),  # checkpoints, work lost, and what was done about its end
)

# Append only, so that SQLite numbers it upwards without AUTOINCREMENT, which costs a further write.
# No foreign key: what happened to a job is remembered longer than the job.
events = Table(
    "events",
    metadata,
    Column("seq", Seq, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("kind", Key, nullable=False),
    Column("job_id", Key),
    Column("owner", Key),
    Column("actor", Key),
    Column("data", Text, nullable=False),
    Column("text_en", Text, nullable=False),
    Column("text_zh", Text, nullable=False),
    Column("subject", Key),  # what it is about beside its job, such as node:NAME
    Index("events_of_job", "job_id", "seq"),
    # With the owner in it, what others did on a node is passed over without being read.
    Index(
        "events_of_subject",
        *("subject", "seq", "owner"),
        sqlite_where=text("subject IS NOT NULL"),
    ),
)

# What administrators rule with: one JSON document each, read whole.
rules = Table(
    "rules",
    metadata,
    Column("kind", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("data", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

# Who leads: one row. The epoch counts leaders and never falls.
leases = Table(
    "leases",
    metadata,
    Column("name", Key, primary_key=True),
    Column("holder", Key, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)

# A view of the leader's, for processes that have no engines.
nodes = Table(
    "nodes",
    metadata,
    Column("name", Key, primary_key=True),
    Column("data", Text, nullable=False),
)

scores = Table(
    "scores",
    metadata,
    Column("user", Key, primary_key=True),
    Column("model", Key, primary_key=True),
    Column("value", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Append only. No foreign key: what was used is remembered longer than the job.
ledger = Table(
    "ledger",
    metadata,
    Column("seq", Seq, primary_key=True, autoincrement=True),
    Column("user", Key, nullable=False),
    Column("model", Key, nullable=False),
    Column("milli", BigInteger, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("job_id", Key, nullable=False),
    Column("job_name", Key, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("task", Key, nullable=False),
    Column("project", Key, nullable=False, server_default=""),
    Column("job_class", Key, nullable=False, server_default=""),
    Column("priority", Key, nullable=False, server_default=""),
    Index("ledger_of_user", "user", "ended", "seq"),
)

users = Table(
    "users",
    metadata,
    Column("name", Key, primary_key=True),
    Column("role", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("password_hash", Text),
    Column("disabled", Boolean, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("groups", Text, nullable=False, server_default="[]"),
    Column("preferences", Text, nullable=False, server_default="{}"),
    Column("email", Text, nullable=False, server_default=""),
    Column("subject", Key, nullable=False, server_default=""),
    Column("uid", BigInteger, nullable=False),
    UniqueConstraint("uid", name="users_uid"),
    # One account for each person of a provider.
    Index(
        "users_subject",
        "subject",
        unique=True,
        sqlite_where=text("subject <> ''"),
    ),
)

sessions = Table(
    "sessions",
    metadata,
    Column("secret_hash", Key, primary_key=True),
    Column("user", Key, nullable=False, index=True),
    Column("csrf", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    Column("id", Key, nullable=False, server_default=""),
    Column("seen_at", BigInteger, nullable=False, server_default="0"),
    Column("agent", Text, nullable=False, server_default=""),
    Column("address", Text, nullable=False, server_default=""),
    Index("sessions_id", "id", unique=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Key, primary_key=True),
    Column("user", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("secret_hash", Key, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("expires_at", BigInteger),
    Column("last_used_at", BigInteger),
    Column("parent", Key),
    UniqueConstraint("user", "name", name="tokens_user_name"),
)

sign_in_links = Table(
    "sign_in_links",
    metadata,
    Column("secret_hash", Key, primary_key=True),
    Column("user", Key, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

ssh_keys = Table(
    "ssh_keys",
    metadata,
    Column("id", Key, primary_key=True),
    Column("user", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("type", Key, nullable=False),
    Column("fingerprint", Key, nullable=False, unique=True),
    Column("line", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("user", "name", name="ssh_keys_user_name"),
)

templates = Table(
    "templates",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("description", Text, nullable=False),
    Column("project", Key, index=True),
    Column("kind", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("job", Text, nullable=False),
    UniqueConstraint("owner", "name", name="templates_owner_name"),
)

members = Table(
    "members",
    metadata,
    Column("project", Key, primary_key=True),
    Column("user", Key, primary_key=True),
    Column("role", Key, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("by", Key, nullable=False),
    Index("members_user", "user", "project"),
)

requests = Table(
    "requests",
    metadata,
    Column("id", Key, primary_key=True),  # sorts by time
    Column("kind", Key, nullable=False),
    Column("user", Key, nullable=False),
    Column("subject", Key, nullable=False),
    Column("state", Key, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("decided_by", Key, nullable=False),
    Column("decided_at", BigInteger),
    Column("answer", Text, nullable=False),
    Index("requests_state", "state", "id"),
    Index("requests_user", "user", "id"),
    # Nobody asks twice for the same while the first is open.
    Index(
        "requests_open",
        *("kind", "user", "subject"),
        unique=True,
        sqlite_where=text("state = 'open'"),
    ),
)

volumes = Table(
    "volumes",
    metadata,
    Column("id", Key, primary_key=True),
    Column("owner", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("kind", Key, nullable=False),
    Column("capacity", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("cluster", Key, nullable=False),
    Column("description", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("sensitive", Boolean, nullable=False),
    Column("claim", Key, nullable=False),
    Column("gid", BigInteger, nullable=False),
    Column("trashed_at", BigInteger),
    Column("storage_class", Text, nullable=False),
    Column("source", Text),
    Index("volumes_owner", "owner"),
    # What is in the trash holds no name.
    Index("volumes_named", "owner", "name", unique=True, sqlite_where=text("trashed_at IS NULL")),
)

# What attached volumes sign in with, sealed with a key that is not in the database.
volume_logins = Table(
    "volume_logins",
    metadata,
    Column("volume", Key, ForeignKey("volumes.id", ondelete="CASCADE"), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)

volume_shares = Table(
    "volume_shares",
    metadata,
    Column("volume", Key, ForeignKey("volumes.id", ondelete="CASCADE"), primary_key=True),
    Column("to", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("mode", Key, nullable=False),
    Index("volume_shares_name", "name", "to"),
    sqlite_with_rowid=False,
)

# The highest group id that a volume ever had: none is given twice.
volume_gids = Table(
    "volume_gids", metadata, Column("last", BigInteger, primary_key=True, autoincrement=False)
)

# What was found of the claims that Danlu makes for volumes, as JSON; `leaving`: the volume is gone, its claim is to be.
volume_claims = Table(
    "volume_claims",
    metadata,
    Column("volume", Key, primary_key=True),
    Column("leaving", Boolean, nullable=False),
    Column("data", Text, nullable=False),
)

# Which volumes a job mounts, as its specification says.
job_mounts = Table(
    "job_mounts",
    metadata,
    Column("job_id", Key, ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("volume", Key, primary_key=True),
    Column("read_only", Boolean, nullable=False),
    Index("job_mounts_volume", "volume"),
    sqlite_with_rowid=False,
)

# Append only, which triggers hold; each row is sealed together with the one before it.
audit = Table(
    "audit",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("time", BigInteger, nullable=False),
    Column("by", Key, nullable=False),
    Column("act", Key, nullable=False),
    Column("subject", Key, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Column("reason", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("means", Text, nullable=False),
    Column("seal", Text, nullable=False),
    Column("signature", Text),
    Index("audit_by", "by", "seq"),
    Index("audit_act", "act", "seq"),
    Index("audit_subject", "subject", "seq"),
    Index("audit_time", "time"),
)


def _sums_of_use(name: str, *keys: str, kind: TypeEngine[Any] | None = None) -> Table:
    kind = kind or BigInteger()
    return Table(
        name,
        metadata,
        Column("hour", BigInteger, primary_key=True, autoincrement=False),
        *(Column(key, Key, primary_key=True) for key in keys),
        *(
            Column(sum_, kind, nullable=False)
            for sum_ in ("held", "queued", "busy", "measured", "starts", "waited", "ended", "failed")
        ),
        sqlite_with_rowid=False,
    )


# What was held and asked for, summed by the hour as time passes; and by the day, for whoever looks back further.
hours = _sums_of_use("hours", "project", "user", "job_class", "model")
days = _sums_of_use("days", "project", "user", "job_class", "model")
# The same of all people together: far fewer rows, for whoever asks of no person. What each may ask for is bounded, what
# all of them do is not: no sum of theirs may overflow.
project_hours = _sums_of_use("project_hours", "project", "job_class", "model", kind=Double())
project_days = _sums_of_use("project_days", "project", "job_class", "model", kind=Double())

capacity = Table(
    "capacity",
    metadata,
    Column("hour", BigInteger, primary_key=True, autoincrement=False),
    Column("model", Key, primary_key=True),
    Column("total", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# When recording began, and up to when both are written, which moves on with what it tells of.
recorded = Table(
    "recorded",
    metadata,
    Column("name", Key, primary_key=True),
    Column("until", BigInteger, nullable=False),
)
