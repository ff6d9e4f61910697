"""What lists tell of a job on its way: where it runs, how long it may, and what it reported last."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_AT_ONCE = 500
_FILLED = ("expected_time", "max_time", "placed")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("expected_time", sa.BigInteger))
    op.add_column("jobs", sa.Column("max_time", sa.BigInteger))
    op.add_column("jobs", sa.Column("placed", sa.Text))
    op.add_column("jobs", sa.Column("latest", sa.Text))
    bind = op.get_bind()
    found = bind.execute(
        sa.text(
            "SELECT jobs.id, spec, state, tasks_of.tasks FROM jobs LEFT JOIN attempts AS tasks_of "
            "ON tasks_of.job_id = jobs.id AND tasks_of.number = jobs.attempts"
        )
    ).all()
    rows = [row for row in map(_filled, found) if any(row[name] for name in _FILLED)]
    change = sa.text(
        "UPDATE jobs SET expected_time = :expected_time, max_time = :max_time, placed = :placed WHERE id = :job"
    )
    for start in range(0, len(rows), _AT_ONCE):
        bind.execute(change, rows[start : start + _AT_ONCE])


def _filled(row: Any) -> dict[str, Any]:
    job, spec, state, tasks = row
    told = json.loads(spec)
    nodes = (
        [] if tasks is None or state in ("created", "queued") else [one["node"] for one in json.loads(tasks)]
    )
    return {
        "job": job,
        "expected_time": told.get("expected_time"),
        "max_time": told.get("max_time"),
        "placed": json.dumps(list(dict.fromkeys(nodes))) if nodes else None,
    }
