"""Datasets: what they are, and whom they are shared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Dataset
from danlu.domain.errors import NameTaken, NotFound
from danlu.domain.job import Time
from danlu.domain.terms import no_such
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeShare
from danlu.domain.words import Words
from danlu.ports.datasets.records import DatasetsOf
from danlu.ports.volumes.records import VolumeSight
from danlu.store.sql import audit_log
from danlu.store.sql.datasets.uses import require_unused
from danlu.store.sql.forgetting import when_person_goes, when_project_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import dataset_shares, dataset_versions, datasets

_ALL = select(*datasets.c)
_THIS = datasets.c.id == bindparam("this")
_ONE = _ALL.where(_THIS)
_OF = _ALL.where(datasets.c.owner == bindparam("of"))
_FOUND = _OF.where(datasets.c.name == bindparam("named"), datasets.c.trashed_at.is_(None))
_INSERT = insert(datasets)
_UPDATE = update(datasets).where(_THIS)
_DELETE = delete(datasets).where(_THIS)
_SHARES = select(*dataset_shares.c).order_by(dataset_shares.c.to, dataset_shares.c.name)
_SHARE = insert(dataset_shares)
_UNSHARE = delete(dataset_shares).where(dataset_shares.c.dataset == bindparam("this"))
_UNSHARE_WITH = delete(dataset_shares).where(
    dataset_shares.c.to == bindparam("whom"), dataset_shares.c.name == bindparam("of")
)
_STORED = (
    select(func.coalesce(func.sum(dataset_versions.c.stored), 0))
    .join(datasets, datasets.c.id == dataset_versions.c.dataset)
    .where(datasets.c.owner == bindparam("of"))
)


class SqlDatasets(StorePart):
    """Implements the datasets of ports.datasets.records.DatasetStore."""

    def add_dataset(
        self, one: Dataset, now: Time, *, by: Entry, check: Callable[[DatasetsOf], None]
    ) -> Dataset:
        with self._database.writing(orderly=True, telling=False) as connection:
            check(tuple(_datasets(connection, _OF, {"of": one.owner})))
            _write(connection, _INSERT, one)
            audit_log.append(connection, [_entry(by, None, one)], now)
        return one

    def dataset(self, dataset_id: str) -> Dataset | None:
        with self._database.reading() as connection:
            return read_dataset(connection, dataset_id)

    def find_dataset(self, owner: str, name: str) -> Dataset | None:
        with self._database.reading() as connection:
            return next(_datasets(connection, _FOUND, {"of": owner, "named": name}), None)

    def datasets(self, sight: VolumeSight | None) -> tuple[Dataset, ...]:
        wanted = _ALL if sight is None else _ALL.where(_seen(sight))
        with self._database.reading() as connection:
            return tuple(_datasets(connection, wanted.order_by(datasets.c.name, datasets.c.owner), {}))

    def edit_dataset(
        self, dataset_id: str, change: Callable[[Dataset], Dataset], now: Time, *, by: Entry
    ) -> Dataset:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = read_dataset(connection, dataset_id)
            if before is None:
                raise NotFound(no_such("dataset", dataset_id))
            after = change(before)
            if after.trashed_at is not None and before.trashed_at is None:
                require_unused(connection, before)
            _write(connection, _UPDATE, after)
            audit_log.append(connection, [_entry(by, before, after)], now)
        return after

    def remove_dataset(self, dataset_id: str, now: Time, *, by: Entry) -> bool:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = read_dataset(connection, dataset_id)
            if before is None or before.trashed_at is None:
                return False
            connection.execute(_DELETE, {"this": dataset_id})
            audit_log.append(connection, [_entry(by, before, None)], now)
        return True

    def dataset_bytes(self, owner: str) -> int:
        with self._database.reading() as connection:
            return int(connection.execute(_STORED, {"of": owner}).scalar_one())


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, _by: Entry) -> None:
    """The account is gone: nothing is shared with it any more, and what it owned and shared with nobody is in the
    trash, like volumes."""
    connection.execute(_UNSHARE_WITH, {"whom": SharedWith.USER.value, "of": user})
    used = exists().where(dataset_shares.c.dataset == datasets.c.id)
    alone = and_(datasets.c.owner == user, datasets.c.trashed_at.is_(None), ~datasets.c.public, ~used)
    connection.execute(update(datasets).where(alone).values(trashed_at=now))


@when_project_goes
def forget_project(connection: Connection, project: str, _now: Time, _by: Entry) -> None:
    connection.execute(_UNSHARE_WITH, {"whom": SharedWith.PROJECT.value, "of": project})


def read_dataset(connection: Connection, dataset_id: str) -> Dataset | None:
    return next(_datasets(connection, _ONE, {"this": dataset_id}), None)


def next_number(connection: Connection, one: Dataset) -> int:
    """None is ever given twice."""
    connection.execute(update(datasets).where(datasets.c.id == one.id).values(last=one.last + 1))
    return one.last + 1


def _seen(sight: VolumeSight) -> Any:
    shared = dataset_shares.c.dataset == datasets.c.id
    theirs = and_(dataset_shares.c.to == SharedWith.USER.value, dataset_shares.c.name == sight.user)
    projects = and_(
        dataset_shares.c.to == SharedWith.PROJECT.value, dataset_shares.c.name.in_(sorted(sight.projects))
    )
    return or_(
        datasets.c.owner == sight.user, datasets.c.public, exists().where(shared, or_(theirs, projects))
    )


def _datasets(connection: Connection, wanted: Select[Any], said: dict[str, Any]) -> Iterator[Dataset]:
    rows = connection.execute(wanted, said).mappings().all()
    shares: dict[str, list[VolumeShare]] = {}
    for one in _shares(connection, [row["id"] for row in rows]):
        shares.setdefault(one.dataset, []).append(
            VolumeShare(SharedWith(one.to), one.name, MountMode(one.mode))
        )
    for row in rows:
        yield Dataset(**row, shares=tuple(shares.get(row["id"], ())))


def _shares(connection: Connection, ids: list[str], at_once: int = 500) -> Iterator[Any]:
    for start in range(0, len(ids), at_once):
        some = dataset_shares.c.dataset.in_(ids[start : start + at_once])
        yield from connection.execute(_SHARES.where(some))


def _write(connection: Connection, statement: Any, one: Dataset) -> None:
    values = {column.name: getattr(one, column.name) for column in datasets.c}
    try:
        connection.execute(statement, {**values, "this": one.id})
    except IntegrityError as error:
        raise NameTaken(_TAKEN.fill(owner=one.owner, name=one.name)) from error
    connection.execute(_UNSHARE, {"this": one.id})
    rows = [
        {"dataset": one.id, "to": share.to.value, "name": share.name, "mode": share.mode.value}
        for share in one.shares
    ]
    if rows:
        connection.execute(_SHARE, rows)


def _entry(by: Entry, before: Dataset | None, after: Dataset | None) -> Entry:
    one = after or before
    assert one is not None
    return replace(by, subject=f"dataset:{one.title}", before=_shown(before), after=_shown(after))


def _shown(one: Dataset | None) -> dict[str, Any] | None:
    if one is None:
        return None
    told = ("name", "description", "licence", "public", "sensitive")
    shares = {f"{share.to.value}:{share.name}": share.mode.value for share in one.shares}
    trashed = {"trashed": True} if one.trashed_at is not None else {}
    return {**{name: getattr(one, name) for name in told}, "shares": shares, **trashed}


_TAKEN = Words(
    "{owner} has a dataset named {name} already: choose another name",
    "{owner} 已有名为 {name} 的数据集，请换一个名称",
)
