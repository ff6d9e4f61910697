"""Volumes as they are read from their rows, with whom they are shared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, select

from danlu.domain.volumes.source import VolumeOutside
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare
from danlu.store.sql.schema import volume_shares

_SHARES = select(*volume_shares.c).order_by(volume_shares.c.to, volume_shares.c.name)


def read_volumes(connection: Connection, wanted: Select[Any], said: dict[str, Any]) -> Iterator[Volume]:
    rows = connection.execute(wanted, said).mappings().all()
    shares: dict[str, list[VolumeShare]] = {}
    for one in _shares(connection, [row["id"] for row in rows]):
        shares.setdefault(one.volume, []).append(
            VolumeShare(SharedWith(one.to), one.name, MountMode(one.mode))
        )
    for row in rows:
        source = None if row["source"] is None else VolumeOutside(**json.loads(row["source"]))
        told = {"kind": VolumeKind(row["kind"]), "source": source, "shares": tuple(shares.get(row["id"], ()))}
        yield Volume(**{**row, **told})


def _shares(connection: Connection, ids: list[str], at_once: int = 500) -> Iterator[Any]:
    for start in range(0, len(ids), at_once):
        some = volume_shares.c.volume.in_(ids[start : start + at_once])
        yield from connection.execute(_SHARES.where(some))
