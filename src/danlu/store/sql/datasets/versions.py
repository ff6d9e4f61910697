"""Versions of datasets and their tags: numbered once, and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Act, ActState, Dataset, Version, VersionRead
from danlu.domain.errors import NotFound
from danlu.domain.job import Time
from danlu.domain.terms import no_such
from danlu.store.sql import audit_log
from danlu.store.sql.codec import dump, load_dataset_source, load_summary
from danlu.store.sql.datasets.acts import load_act, write_act
from danlu.store.sql.datasets.datasets import next_number, read_dataset
from danlu.store.sql.datasets.uses import reads_of_dataset, reads_of_job, require_unused, roots_in_use
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import dataset_tags, dataset_versions

_V = dataset_versions.c
_OF = select(*_V).where(_V.dataset == bindparam("of"))
_NEWEST = _OF.order_by(_V.number.desc())
_NUMBERED = _OF.where(_V.number == bindparam("number"))
_BY_ID = select(*_V).where(_V.id == bindparam("this"))
_TAGGED = (
    select(*_V)
    .join(dataset_tags, dataset_tags.c.version == _V.id)
    .where(dataset_tags.c.dataset == bindparam("of"), dataset_tags.c.tag == bindparam("tag"))
)
_TAGS = select(*dataset_tags.c).order_by(dataset_tags.c.tag)
_UNTAG = delete(dataset_tags).where(
    dataset_tags.c.dataset == bindparam("of"), dataset_tags.c.tag == bindparam("named")
)


class SqlVersions(StorePart):
    """Implements the versions of ports.datasets.records.DatasetStore."""

    def add_version(
        self, version: Version, tags: Sequence[str], now: Time, *, by: Entry, act: Act
    ) -> Version:
        with self._database.writing(orderly=True, telling=False) as connection:
            one = read_dataset(connection, version.dataset)
            if one is None:
                raise NotFound(no_such("dataset", version.dataset))
            known = load_act(connection, act.id)
            if known is not None and known.state is ActState.DONE and known.number is not None:
                return next(_versions(connection, _NUMBERED, {"of": one.id, "number": known.number}))
            made = replace(version, number=next_number(connection, one), tags=tuple(sorted(tags)))
            values = {column.name: getattr(made, column.name) for column in _V}
            connection.execute(
                insert(dataset_versions),
                {**values, "source": dump(made.source), "summary": dump(made.summary)},
            )
            for tag in made.tags:
                _move_tag(connection, one, tag, made.id)
            write_act(connection, replace(act, number=made.number, state=ActState.DONE))
            audit_log.append(connection, [_entry(by, one, made, None, _shown(made))], now)
        return made

    def versions(
        self, dataset_id: str, before: int | None = None, limit: int | None = None
    ) -> tuple[Version, ...]:
        wanted = _NEWEST if before is None else _NEWEST.where(_V.number < before)
        with self._database.reading() as connection:
            return tuple(_versions(connection, wanted.limit(limit), {"of": dataset_id}))

    def version(self, dataset_id: str, number: int | None) -> Version | None:
        with self._database.reading() as connection:
            if number is None:
                return next(_versions(connection, _NEWEST.limit(1), {"of": dataset_id}), None)
            return next(_versions(connection, _NUMBERED, {"of": dataset_id, "number": number}), None)

    def version_by_id(self, version_id: str) -> Version | None:
        with self._database.reading() as connection:
            return next(_versions(connection, _BY_ID, {"this": version_id}), None)

    def tagged(self, dataset_id: str, tag: str) -> Version | None:
        with self._database.reading() as connection:
            return next(_versions(connection, _TAGGED, {"of": dataset_id, "tag": tag}), None)

    def remove_version(self, version: Version, now: Time, *, by: Entry) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            one = read_dataset(connection, version.dataset)
            if one is None:
                return
            require_unused(connection, one, version)
            gone = connection.execute(delete(dataset_versions).where(_V.id == version.id))
            if not gone.rowcount:
                return
            following = connection.execute(
                select(_V.id)
                .where(_V.dataset == version.dataset, _V.number > version.number)
                .order_by(_V.number)
            ).first()
            if following is not None:
                # What it had stored is mostly there still, for those that came after it.
                more = _V.stored + version.stored
                connection.execute(update(dataset_versions).where(_V.id == following[0]).values(stored=more))
            audit_log.append(connection, [_entry(by, one, version, _shown(version), None)], now)

    def tag_version(self, dataset_id: str, tag: str, number: int | None, now: Time, *, by: Entry) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            one = read_dataset(connection, dataset_id)
            if one is None:
                raise NotFound(no_such("dataset", dataset_id))
            before = next(_versions(connection, _TAGGED, {"of": dataset_id, "tag": tag}), None)
            after = None
            if number is not None:
                after = next(_versions(connection, _NUMBERED, {"of": dataset_id, "number": number}), None)
                if after is None:
                    raise NotFound(no_such("version", f"{one.name}@v{number}"))
            _move_tag(connection, one, tag, after.id if after else None)
            was, now_at = before.name if before else None, after.name if after else None
            entry = replace(
                by,
                subject=f"dataset:{one.title}",
                before={"tag": tag, "version": was},
                after={"tag": tag, "version": now_at},
            )
            audit_log.append(connection, [entry], now)

    def note_verified(self, version_id: str, at: Time, damaged: int) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            connection.execute(
                update(dataset_versions).where(_V.id == version_id).values(verified_at=at, damaged=damaged)
            )

    def version_roots(self) -> frozenset[str]:
        with self._database.reading() as connection:
            return frozenset(row[0] for row in connection.execute(select(_V.root).distinct()))

    def version_roots_in_use(self) -> frozenset[str]:
        with self._database.reading() as connection:
            return roots_in_use(connection)

    def version_reads(self, dataset_id: str) -> tuple[VersionRead, ...]:
        with self._database.reading() as connection:
            return reads_of_dataset(connection, dataset_id)

    def reads_of_job(self, job_id: str) -> tuple[VersionRead, ...]:
        with self._database.reading() as connection:
            return reads_of_job(connection, job_id)


def _move_tag(connection: Connection, one: Dataset, tag: str, version_id: str | None) -> None:
    connection.execute(_UNTAG, {"of": one.id, "named": tag})
    if version_id is not None:
        connection.execute(insert(dataset_tags), {"dataset": one.id, "tag": tag, "version": version_id})


def _versions(connection: Connection, wanted: Any, said: dict[str, Any]) -> Iterator[Version]:
    rows = connection.execute(wanted, said).mappings().all()
    tags: dict[str, list[str]] = {}
    for one in _tags(connection, [row["id"] for row in rows]):
        tags.setdefault(one.version, []).append(one.tag)
    for row in rows:
        told = {"source": load_dataset_source(row["source"]), "summary": load_summary(row["summary"])}
        yield Version(**{**row, **told, "tags": tuple(tags.get(row["id"], ()))})


def _tags(connection: Connection, ids: list[str], at_once: int = 500) -> Iterable[Any]:
    for start in range(0, len(ids), at_once):
        some = dataset_tags.c.version.in_(ids[start : start + at_once])
        yield from connection.execute(_TAGS.where(some))


def _entry(
    by: Entry, one: Dataset, version: Version, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> Entry:
    return replace(by, subject=f"dataset:{one.title}@{version.name}", before=before, after=after)


def _shown(one: Version) -> dict[str, Any]:
    told: dict[str, Any] = {name: getattr(one, name) for name in ("root", "files", "bytes")}
    return {**told, "place": one.source.place, **({"job": one.job} if one.job else {})}
