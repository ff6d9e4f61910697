"""Volumes: what they are, and whom they are shared with."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NameTaken, NotFound
from danlu.domain.job import Time
from danlu.domain.terms import no_such
from danlu.domain.volumes.volume import (
    FIRST_VOLUME_GID,
    SharedWith,
    Volume,
)
from danlu.domain.words import Words, say
from danlu.ports.volumes.records import VolumeLoad, VolumeSight, VolumesOf, VolumeUse
from danlu.store.sql import audit_log, volume_claims
from danlu.store.sql.forgetting import when_person_goes, when_project_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import job_mounts, jobs, volume_gids, volume_logins, volume_shares, volumes
from danlu.store.sql.volume_rows import read_volumes

_ALL = select(*volumes.c)
_THIS = volumes.c.id == bindparam("this")
_ONE = _ALL.where(_THIS)
_OF = _ALL.where(volumes.c.owner == bindparam("of"))
_FOUND = _OF.where(volumes.c.name == bindparam("named"), volumes.c.trashed_at.is_(None))
_CLAIMED = _ALL.where(volumes.c.cluster == bindparam("at"), volumes.c.claim == bindparam("named"))
_INSERT = insert(volumes)
_UPDATE = update(volumes).where(_THIS)
_DELETE = delete(volumes).where(_THIS)
_SHARE = insert(volume_shares)
_UNSHARE = delete(volume_shares).where(volume_shares.c.volume == bindparam("this"))
_UNSHARE_WITH = delete(volume_shares).where(
    volume_shares.c.to == bindparam("whom"), volume_shares.c.name == bindparam("of")
)
_SEALED = select(volume_logins.c.sealed).where(volume_logins.c.volume == bindparam("this"))
_SEAL = insert(volume_logins)
_UNSEAL = delete(volume_logins).where(volume_logins.c.volume == bindparam("this"))
_USES = (
    select(jobs.c.id, jobs.c.owner, jobs.c.name, job_mounts.c.read_only)
    .join(job_mounts, job_mounts.c.job_id == jobs.c.id)
    .where(job_mounts.c.volume == bindparam("this"), jobs.c.live == true())
    .order_by(jobs.c.created_at, jobs.c.id)
)
_PLACE = func.row_number().over(partition_by=job_mounts.c.volume, order_by=(jobs.c.created_at, jobs.c.id))
_RANKED = (
    select(
        job_mounts.c.volume,
        jobs.c.id,
        jobs.c.owner,
        jobs.c.name,
        job_mounts.c.read_only,
        _PLACE.label("place"),
        func.count().over(partition_by=job_mounts.c.volume).label("among"),
    )
    .join(jobs, job_mounts.c.job_id == jobs.c.id)
    .where(job_mounts.c.volume.in_(bindparam("these", expanding=True)), jobs.c.live == true())
    .subquery()
)
_LOADS = (
    select(_RANKED).where(_RANKED.c.place <= bindparam("most")).order_by(_RANKED.c.volume, _RANKED.c.place)
)


class SqlVolumes(StorePart):
    """Implements ports.volumes.records.VolumeStore."""

    def add_volume(
        self,
        volume: Volume,
        now: Time,
        *,
        by: Entry,
        check: Callable[[VolumesOf], None],
        login: bytes | None = None,
    ) -> Volume:
        with self._database.writing(orderly=True, telling=False) as connection:
            check(_of(connection, volume.owner))
            _require_unclaimed(connection, volume)
            made = replace(volume, gid=_next_gid(connection))
            _write(connection, _INSERT, made)
            _seal(connection, made.id, login)
            audit_log.append(connection, [_entry(by, None, made)], now)
        return made

    def volume(self, volume_id: str) -> Volume | None:
        with self._database.reading() as connection:
            return _read(connection, volume_id)

    def find_volume(self, owner: str, name: str) -> Volume | None:
        with self._database.reading() as connection:
            return next(read_volumes(connection, _FOUND, {"of": owner, "named": name}), None)

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]:
        wanted = _ALL if sight is None else _ALL.where(_seen(sight))
        with self._database.reading() as connection:
            return tuple(read_volumes(connection, wanted.order_by(volumes.c.name, volumes.c.owner), {}))

    def edit_volume(
        self, volume_id: str, change: Callable[[Volume, VolumesOf], Volume], now: Time, *, by: Entry
    ) -> Volume:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = _read(connection, volume_id)
            if before is None:
                raise NotFound(no_such("volume", volume_id))
            after = change(before, _of(connection, before.owner))
            if after.trashed_at is not None and before.trashed_at is None:
                _require_unused(connection, before)
            _write(connection, _UPDATE, after)
            audit_log.append(connection, [_entry(by, before, after)], now)
        return after

    def remove_volume(self, volume_id: str, now: Time, *, by: Entry) -> bool:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = _read(connection, volume_id)
            if before is None or before.trashed_at is None:
                return False
            connection.execute(_DELETE, {"this": volume_id})
            volume_claims.let_go(connection, before)
            audit_log.append(connection, [_entry(by, before, None)], now)
        return True

    def volume_login(self, volume_id: str) -> bytes | None:
        with self._database.reading() as connection:
            found: bytes | None = connection.execute(_SEALED, {"this": volume_id}).scalar()
            return found

    def set_volume_login(self, volume_id: str, login: bytes | None, now: Time, *, by: Entry) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            one = _read(connection, volume_id)
            if one is None:
                raise NotFound(no_such("volume", volume_id))
            _seal(connection, volume_id, login)
            audit_log.append(connection, [replace(by, subject=f"volume:{one.title}")], now)

    def volume_uses(self, volume_id: str) -> tuple[VolumeUse, ...]:
        with self._database.reading() as connection:
            return _uses(connection, volume_id)

    def volume_loads(self, volume_ids: Collection[str], most: int) -> Mapping[str, VolumeLoad]:
        first: dict[str, list[VolumeUse]] = {}
        among: dict[str, int] = {}
        with self._database.reading() as connection:
            said = {"these": list(volume_ids), "most": most}
            for one in connection.execute(_LOADS, said) if volume_ids else ():
                among[one.volume] = one.among
                first.setdefault(one.volume, []).append(VolumeUse(one.id, one.owner, one.name, one.read_only))
        return {volume: VolumeLoad(among[volume], tuple(uses)) for volume, uses in first.items()}


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, _by: Entry) -> None:
    """The account is gone: nothing is shared with it any more, and what it owned and shared with nobody is in the
    trash. What others use stays."""
    connection.execute(_UNSHARE_WITH, {"whom": SharedWith.USER.value, "of": user})
    used = exists().where(volume_shares.c.volume == volumes.c.id)
    alone = and_(volumes.c.owner == user, volumes.c.trashed_at.is_(None), ~volumes.c.public, ~used)
    connection.execute(update(volumes).where(alone).values(trashed_at=now))


@when_project_goes
def forget_project(connection: Connection, project: str, _now: Time, _by: Entry) -> None:
    connection.execute(_UNSHARE_WITH, {"whom": SharedWith.PROJECT.value, "of": project})


def _seen(sight: VolumeSight) -> Any:
    shared = volume_shares.c.volume == volumes.c.id
    theirs = and_(volume_shares.c.to == SharedWith.USER.value, volume_shares.c.name == sight.user)
    projects = and_(
        volume_shares.c.to == SharedWith.PROJECT.value, volume_shares.c.name.in_(sorted(sight.projects))
    )
    return or_(volumes.c.owner == sight.user, volumes.c.public, exists().where(shared, or_(theirs, projects)))


def _read(connection: Connection, volume_id: str) -> Volume | None:
    return next(read_volumes(connection, _ONE, {"this": volume_id}), None)


def _of(connection: Connection, owner: str) -> VolumesOf:
    return tuple(read_volumes(connection, _OF, {"of": owner}))


def _write(connection: Connection, statement: Any, one: Volume) -> None:
    values = {column.name: getattr(one, column.name) for column in volumes.c}
    try:
        values["source"] = json.dumps(asdict(one.source)) if one.source else None
        connection.execute(statement, {**values, "kind": one.kind.value, "this": one.id})
    except IntegrityError as error:
        raise NameTaken(_TAKEN.fill(owner=one.owner, name=one.name)) from error
    connection.execute(_UNSHARE, {"this": one.id})
    if rows := list(_share_rows(one)):
        connection.execute(_SHARE, rows)


def _share_rows(one: Volume) -> Iterable[dict[str, str]]:
    for share in one.shares:
        yield {"volume": one.id, "to": share.to.value, "name": share.name, "mode": share.mode.value}


def _next_gid(connection: Connection) -> int:
    """None is ever given twice."""
    last = connection.execute(select(volume_gids.c.last)).scalar()
    following: int = FIRST_VOLUME_GID if last is None else last + 1
    change = insert(volume_gids) if last is None else update(volume_gids)
    connection.execute(change.values(last=following))
    return following


def _seal(connection: Connection, volume_id: str, login: bytes | None) -> None:
    connection.execute(_UNSEAL, {"this": volume_id})
    if login is not None:
        connection.execute(_SEAL, {"volume": volume_id, "sealed": login})


def _uses(connection: Connection, volume_id: str) -> tuple[VolumeUse, ...]:
    return tuple(VolumeUse(*row) for row in connection.execute(_USES, {"this": volume_id}))


def _require_unused(connection: Connection, one: Volume) -> None:
    uses = _uses(connection, one.id)
    if uses:
        raise Conflict(
            say(
                "volume {name} is in use by job {job} of {owner}; stop it first",
                "存储卷 {name} 正被 {owner} 的任务 {job} 使用，请先停止该任务",
                name=one.name,
                job=uses[0].name,
                owner=uses[0].owner,
            )
        )


def _require_unclaimed(connection: Connection, one: Volume) -> None:
    """A claim is one volume: who may write it at a time is decided by volume."""
    claimed = next(read_volumes(connection, _CLAIMED, {"at": one.cluster, "named": one.claim}), None)
    if one.claim and claimed is not None:
        raise Conflict(
            say(
                "claim {claim} of cluster {cluster} is volume {title} already",
                "集群 {cluster} 的 PVC {claim} 已是存储卷 {title}",
                claim=one.claim,
                cluster=one.cluster,
                title=claimed.title,
            )
        )


def _entry(by: Entry, before: Volume | None, after: Volume | None) -> Entry:
    one = after or before
    assert one is not None
    return replace(by, subject=f"volume:{one.title}", before=_shown(before), after=_shown(after))


def _shown(one: Volume | None) -> dict[str, Any] | None:
    if one is None:
        return None
    told = (
        "name",
        "kind",
        "capacity",
        "cluster",
        "description",
        "public",
        "sensitive",
        "claim",
        "storage_class",
    )
    shares = {f"{share.to.value}:{share.name}": share.mode.value for share in one.shares}
    trashed = {"trashed": True} if one.trashed_at is not None else {}
    source = {"source": asdict(one.source)} if one.source else {}
    return {**{name: getattr(one, name) for name in told}, "shares": shares, **trashed, **source}


_TAKEN = Words(
    "{owner} has a volume named {name} already: choose another name",
    "{owner} 已有名为 {name} 的存储卷，请换一个名称",
)
