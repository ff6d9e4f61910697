"""The first tables: jobs with their attempts, events, and people with their credentials."""

import sqlalchemy as sa
from alembic import op

from danlu.store.sql.migrations import counting

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.BigInteger()


def upgrade() -> None:
    _jobs()
    _what_belongs_to_jobs()
    _people()
    counting.install(op.get_bind().dialect.name, op.execute)


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("folded", KEY, nullable=False),
        sa.Column("project", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("job_class", KEY, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("live", sa.Boolean, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("spec_version", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("restarts", sa.Integer, nullable=False),
        sa.Column("warned", sa.Boolean, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("queued_at", TIME),
        sa.Column("started_at", TIME),
        sa.Column("ended_at", TIME),
        sa.Column("priority", KEY, nullable=False),
        sa.Column("gpu_milli", sa.BigInteger, nullable=False),
        sa.Column("gpu_model", KEY),
        sa.Column("cpu_milli", sa.BigInteger, nullable=False),
        sa.Column("memory", sa.BigInteger, nullable=False),
        sa.Column("tasks", sa.Integer, nullable=False),
        sa.Column("image", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("waiting", sa.Text),
        sa.Column("ending", sa.Text),
        sa.Column("idempotency_key", KEY),
        sa.Column("fingerprint", KEY),
        sa.Column("spec", sa.Text, nullable=False),
        sa.UniqueConstraint("owner", "name", name="jobs_owner_name"),
    )
    op.create_index("jobs_created", "jobs", ["created_at", "id"])
    op.create_index("jobs_of_owner", "jobs", ["owner", "created_at", "id"])
    sorted_in = ["state", "kind", "created_at", "id"]
    op.create_index("jobs_by_owner", "jobs", ["owner", *sorted_in, "project", "folded"])
    op.create_index("jobs_by_project", "jobs", ["project", *sorted_in, "folded"])
    op.create_index("jobs_by_state", "jobs", [*sorted_in, "folded"])
    op.create_index(
        "jobs_by_name", "jobs", ["folded", "id", "owner", "project", "kind", "state", "created_at"]
    )
    _partial("jobs_live", ["id"], "live")
    _partial("jobs_owner_key", ["owner", "idempotency_key"], "idempotency_key IS NOT NULL", unique=True)


def _partial(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    only = sa.text(where)
    op.create_index(name, "jobs", columns, unique=unique, sqlite_where=only, postgresql_where=only)


def _what_belongs_to_jobs() -> None:
    op.create_table(
        "job_counts",
        sa.Column("owner", KEY, primary_key=True),
        sa.Column("project", KEY, primary_key=True),
        sa.Column("kind", KEY, primary_key=True),
        sa.Column("state", KEY, primary_key=True),
        sa.Column("jobs", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "attempts",
        sa.Column("job_id", KEY, sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("ended_at", TIME),
        sa.Column("reason", sa.Text),
        sa.Column("tasks", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("seq", SEQ, primary_key=True, autoincrement=True),
        sa.Column("time", TIME, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("job_id", KEY),
        sa.Column("owner", KEY),
        sa.Column("actor", KEY),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("text_en", sa.Text, nullable=False),
        sa.Column("text_zh", sa.Text, nullable=False),
    )
    op.create_index("events_of_job", "events", ["job_id", "seq"])


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("name", KEY, primary_key=True),
        sa.Column("role", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("secret_hash", KEY, primary_key=True),
        sa.Column("user", KEY, nullable=False, index=True),
        sa.Column("csrf", sa.Text, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False, index=True),
    )
    op.create_table(
        "tokens",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("user", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("secret_hash", KEY, nullable=False, unique=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("expires_at", TIME),
        sa.Column("last_used_at", TIME),
        sa.UniqueConstraint("user", "name", name="tokens_user_name"),
    )
    op.create_table(
        "sign_in_links",
        sa.Column("secret_hash", KEY, primary_key=True),
        sa.Column("user", KEY, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
    )
