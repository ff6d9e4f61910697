"""For the console: preferences, known browsers, clones, what ended last, and events by node."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger()


def upgrade() -> None:
    # Columns are added in place: `jobs` keeps its triggers.
    op.add_column("users", sa.Column("preferences", sa.Text, nullable=False, server_default="{}"))
    op.add_column("jobs", sa.Column("cloned_from", sa.Text))
    ended = ["project", "kind", "state", "folded"]
    _partial("jobs_ended", "jobs", ["ended_at", "id", "owner", *ended], "ended_at IS NOT NULL")
    _partial("jobs_ended_of_owner", "jobs", ["owner", "ended_at", "id", *ended], "ended_at IS NOT NULL")
    op.add_column("events", sa.Column("subject", KEY))
    _partial("events_of_subject", "events", ["subject", "seq", "owner"], "subject IS NOT NULL")
    _sessions()


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    only = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)


def _sessions() -> None:
    """Existing sessions stay valid; their browser and address are unknown."""
    op.add_column("sessions", sa.Column("id", KEY, nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("seen_at", TIME, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("agent", sa.Text, nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("address", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    name = sa.text("UPDATE sessions SET id = :id, seen_at = created_at WHERE secret_hash = :hash")
    for (secret_hash,) in connection.execute(sa.text("SELECT secret_hash FROM sessions")).all():
        connection.execute(name, {"id": secrets.token_hex(8), "hash": secret_hash})
    op.create_index("sessions_id", "sessions", ["id"], unique=True)
