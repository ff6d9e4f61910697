"""The past: what was used hour by hour, and who did what."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, Executable, Table, func, insert, select

from bench.govern.size import DAY, HOUR, MODELS, Size, project, user
from danlu.domain.audit import Entry
from danlu.domain.job import JobClass, Time
from danlu.ports.governance import CapacityRow
from danlu.store.sql import SqlStore
from danlu.store.sql.schema import days, hours, project_days, project_hours

_CLASSES = tuple(JobClass)
_ACTS = (
    "signed_in",
    "signed_in",
    "signed_in",
    "edited",
    "stopped",
    "token_made",
    "member_set",
    "sign_in_failed",
)
_AT_ONCE = 500
_SUMS = list(hours.c)[5:]
_DAY = (hours.c.hour - hours.c.hour % DAY).label("day")


def _rolled_up(table: Table, at: ColumnElement[int]) -> Executable:
    """The hours summed into a table that tells fewer things apart."""
    names = [column.name for column in table.c]
    kept = [hours.c[column.name] for column in list(table.primary_key)[1:]]
    sums = [func.sum(column) for column in _SUMS]
    return insert(table).from_select(names, select(at, *kept, *sums).group_by(at, *kept))


_ROLLED_UP = (
    _rolled_up(days, _DAY),
    _rolled_up(project_hours, hours.c.hour),
    _rolled_up(project_days, _DAY),
)


def fill_hours(store: SqlStore, size: Size, now: Time) -> None:
    """As the recorder leaves them. People come and go: of four who work in an hour, three also work in the next."""
    end = now - now % HOUR
    first = end - end % DAY - size.days * DAY
    for day in range(first, end, DAY):
        rows = [
            _used(size, hour, number)
            for hour in range(day, min(day + DAY, end), HOUR)
            for number in range(size.sorts)
        ]
        with store._database.writing() as connection:
            _write(connection, rows)
    with store._database.writing() as connection:
        for statement in _ROLLED_UP:
            connection.execute(statement)
    capacity = [(hour, model) for hour in range(first, end, HOUR) for model in MODELS]
    store.add_hours(
        [], [CapacityRow(hour, model, size.nodes_of(model) * 8_000 * HOUR) for hour, model in capacity], end
    )


def _write(connection: Connection, rows: list[dict[str, int | str]]) -> None:
    """Two million rows: PostgreSQL takes them as a stream."""
    if connection.dialect.name == "sqlite":
        connection.execute(insert(hours), rows)
        return
    columns = ", ".join(f'"{name}"' for name in rows[0])
    with connection.connection.cursor().copy(f"COPY hours ({columns}) FROM STDIN") as stream:
        for row in rows:
            stream.write_row(tuple(row.values()))


def _used(size: Size, hour: Time, number: int) -> dict[str, int | str]:
    who = (number + hour // HOUR * (size.sorts // 4)) % size.users
    turn = number + hour // HOUR
    held = (1 + turn % 16) * 1000 * HOUR
    return {
        "hour": hour, "project": project(who % size.projects), "user": user(who),
        "job_class": _CLASSES[(who // 4 + (turn % 8 == 0)) % 4].value, "model": MODELS[who % 4],
        "held": held, "queued": held // 2, "busy": held // 3, "measured": held,
        "starts": turn % 3, "waited": turn % 3 * 90_000, "ended": turn % 2, "failed": int(turn % 7 == 0),
    }  # fmt: skip


def fill_audit(store: SqlStore, size: Size, now: Time) -> None:
    """Sealed as they come, a few hundred in a transaction."""
    step = size.days * DAY // size.audit
    for begin in range(0, size.audit, _AT_ONCE):
        numbers = range(begin, min(size.audit, begin + _AT_ONCE))
        store.note([_entry(size, number) for number in numbers], now - size.days * DAY + begin * step)


def _entry(size: Size, number: int) -> Entry:
    act = _ACTS[number % len(_ACTS)]
    who = user(number * 7 % size.users)
    address, means = f"10.0.{number % 200}.{number % 250}", "session" if number % 2 else "token laptop"
    match act:
        case "stopped":
            return Entry("admin", act, f"job:{who}:train-{number:06d}", reason="it held nodes for nothing")
        case "edited":
            before = {"name": f"user:{who}", "amounts": {"all": {"gpus": number % 64 * 1000}}}
            after = {**before, "amounts": {"all": {"gpus": number % 128 * 1000}}}
            return Entry("admin", act, f"quota:user:{who}", before, after, address=address, means=means)
        case "member_set":
            after = {"member": who, "role": "member"}
            return Entry(
                "admin", act, f"project:{project(number % size.projects)}", None, after, "", address, means
            )
    return Entry(who, act, f"user:{who}", address=address, means=means)
