"""What was found of the claims that Danlu makes for volumes: one JSON document each."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Executable, bindparam, delete, select

from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim
from danlu.domain.volumes.volume import Volume
from danlu.ports.volumes.claims import KeptClaims
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import volume_claims, volumes
from danlu.store.sql.upsert import insert_for
from danlu.store.sql.volume_rows import read_volumes

_ALL = select(volume_claims.c.volume, volume_claims.c.data)
_ONE = select(volume_claims.c.data).where(volume_claims.c.volume == bindparam("this"))
_MADE = select(*volumes.c).where(volumes.c.storage_class != "").order_by(volumes.c.id)
_DELETE = delete(volume_claims).where(
    volume_claims.c.volume == bindparam("this"), volume_claims.c.leaving.is_(True)
)


class SqlVolumeClaims(StorePart):
    """Implements ports.volumes.claims.ClaimStore."""

    def volume_claim(self, volume_id: str) -> VolumeClaim | None:
        with self._database.reading() as connection:
            return _one(connection, volume_id)

    def kept_claims(self) -> KeptClaims:
        with self._database.reading() as connection:
            made = tuple(read_volumes(connection, _MADE, {}))
            known = {row.volume: _load(row.data) for row in connection.execute(_ALL)}
        leaving = tuple(claim for claim in known.values() if claim.leaving)
        return KeptClaims(tuple((one, known.get(one.id)) for one in made), leaving)

    def keep_claims(self, found: Sequence[VolumeClaim]) -> None:
        with self._writing(telling=False) as connection:
            there = {row.id for row in connection.execute(_MADE)}
            for claim in found:
                if claim.volume in there:
                    _put(connection, claim)

    def claims_left(self, volume_ids: Collection[str]) -> None:
        with self._writing(telling=False) as connection:
            for volume_id in volume_ids:
                connection.execute(_DELETE, {"this": volume_id})


def let_go(connection: Connection, gone: Volume) -> None:
    """The volume's record goes in this transaction: its claim is to follow."""
    if gone.storage_class:
        known = _one(connection, gone.id) or VolumeClaim(gone.id, gone.cluster, gone.claim)
        _put(connection, dataclasses.replace(known, leaving=True))


def _one(connection: Connection, volume_id: str) -> VolumeClaim | None:
    data = connection.execute(_ONE, {"this": volume_id}).scalar()
    return None if data is None else _load(data)


def _put(connection: Connection, claim: VolumeClaim) -> None:
    data = json.dumps({**dataclasses.asdict(claim), "nodes": dict(claim.nodes)}, sort_keys=True)
    row = {"volume": claim.volume, "leaving": claim.leaving, "data": data}
    connection.execute(_upsert(connection.dialect.name), row)


@functools.cache
def _upsert(dialect: str) -> Executable:
    insert = insert_for(dialect, volume_claims)
    values = {"leaving": insert.excluded.leaving, "data": insert.excluded.data}
    return insert.on_conflict_do_update(index_elements=["volume"], set_=values)


@functools.lru_cache(maxsize=4_096)
def _load(data: str) -> VolumeClaim:
    said = json.loads(data)
    return VolumeClaim(**{**said, "state": ClaimState(said["state"]), "note": ClaimNote(said["note"])})
