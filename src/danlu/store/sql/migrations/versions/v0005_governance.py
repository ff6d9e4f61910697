"""For administration: members, requests, keys, the audit log, hourly usage, and people of a provider."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.BigInteger()
SUMS = ("held", "queued", "busy", "measured", "starts", "waited", "ended", "failed")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("gpu_mix", sa.Text))
    for column in ("project", "job_class", "priority"):
        op.add_column("ledger", sa.Column(column, KEY, nullable=False, server_default=""))
    op.add_column("users", sa.Column("email", sa.Text, nullable=False, server_default=""))
    op.add_column("users", sa.Column("subject", KEY, nullable=False, server_default=""))
    _unique_where("users_subject", "users", ["subject"], "subject <> ''")
    _people()
    _members()
    _requests()
    _audit()
    _hours()


def _unique_where(name: str, table: str, columns: list[str], where: str) -> None:
    only = sa.text(where)
    op.create_index(name, table, columns, unique=True, sqlite_where=only, postgresql_where=only)


def _people() -> None:
    op.create_table(
        "ssh_keys",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("user", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("type", KEY, nullable=False),
        sa.Column("fingerprint", KEY, nullable=False, unique=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.UniqueConstraint("user", "name", name="ssh_keys_user_name"),
    )


def _members() -> None:
    """Creators of a project and owners of jobs in it become members; `public` stays open to everybody. Deleted
    projects and accounts give no membership, since their name may be used again."""
    op.create_table(
        "members",
        sa.Column("project", KEY, primary_key=True),
        sa.Column("user", KEY, primary_key=True),
        sa.Column("role", KEY, nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.Column("by", KEY, nullable=False),
    )
    op.create_index("members_user", "members", ["user", "project"])
    connection = op.get_bind()
    found = connection.execute(
        sa.text("SELECT name, data, changed_at FROM rules WHERE kind = 'project'")
    ).all()
    roles: dict[tuple[str, str], tuple[str, int]] = {}
    owned = sa.text("SELECT DISTINCT project, owner FROM jobs WHERE project <> 'public'")
    since = max((row.changed_at for row in found), default=0)
    here = {row.name for row in found}
    people = set(connection.execute(sa.text("SELECT name FROM users WHERE NOT deleted")).scalars())
    for row in connection.execute(owned):
        if row.project in here and row.owner in people:
            roles[row.project, row.owner] = ("member", since)
    for row in found:
        data = json.loads(row.data)
        if (creator := data.get("creator")) in people:
            roles[row.name, creator] = ("creator", row.changed_at)
        if row.name == "public":
            opened = {"data": json.dumps({**data, "open": True}, separators=(",", ":"))}
            connection.execute(
                sa.text("UPDATE rules SET data = :data WHERE kind = 'project' AND name = 'public'"), opened
            )
    put = sa.text("INSERT INTO members VALUES (:project, :person, :role, :since, :danlu)")
    for (project, person), (role, at) in sorted(roles.items()):
        values = {"project": project, "person": person, "role": role, "since": at, "danlu": "danlu"}
        connection.execute(put, values)


def _requests() -> None:
    op.create_table(
        "requests",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("user", KEY, nullable=False),
        sa.Column("subject", KEY, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("decided_by", KEY, nullable=False),
        sa.Column("decided_at", TIME),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_index("requests_state", "requests", ["state", "id"])
    op.create_index("requests_user", "requests", ["user", "id"])
    _unique_where("requests_open", "requests", ["kind", "user", "subject"], "state = 'open'")


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("time", TIME, nullable=False),
        sa.Column("by", KEY, nullable=False),
        sa.Column("act", KEY, nullable=False),
        sa.Column("subject", KEY, nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("means", sa.Text, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
    )
    op.create_index("audit_by", "audit", ["by", "seq"])
    op.create_index("audit_act", "audit", ["act", "seq"])
    op.create_index("audit_subject", "audit", ["subject", "seq"])
    op.create_index("audit_time", "audit", ["time"])
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()"
    )


def _hours() -> None:
    people, projects = ("project", "user", "job_class", "model"), ("project", "job_class", "model")
    tables = {"hours": people, "days": people, "project_hours": projects, "project_days": projects}
    for table, names in tables.items():
        kind: sa.types.TypeEngine[Any] = sa.BigInteger() if names is people else sa.Double()
        keys = [sa.Column(name, KEY, primary_key=True) for name in names]
        sums = [sa.Column(name, kind, nullable=False) for name in SUMS]
        op.create_table(
            table,
            sa.Column("hour", TIME, primary_key=True, autoincrement=False),
            *keys,
            *sums,
            sqlite_with_rowid=False,
        )
    op.create_table(
        "capacity",
        sa.Column("hour", TIME, primary_key=True, autoincrement=False),
        sa.Column("model", KEY, primary_key=True),
        sa.Column("total", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "recorded",
        sa.Column("name", KEY, primary_key=True),
        sa.Column("until", TIME, nullable=False),
    )
