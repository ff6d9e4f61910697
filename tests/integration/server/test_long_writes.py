"""Copies and uploads that take long: answered in the end, and stopped when room or access is gone meanwhile."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import httpx
import pytest

from danlu.data.files.changes import DiskChanges
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeKind, VolumeShare
from danlu.ports.storage import DiskFigure
from danlu.ports.supervision import write_json
from danlu.server.volumes import copying, uploads
from tests.fakes.server import ENGINEER, OTHER, World, served, world
from tests.fakes.tus import TusClient
from tests.live import PATIENCE

MIB = 1 << 20


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world")) as made:
        yield made


@pytest.fixture(scope="module")
def client(here: World) -> Iterator[httpx.Client]:
    with (
        served(here.app) as url,
        httpx.Client(base_url=f"{url}/api/v1/", timeout=PATIENCE) as client,
    ):
        yield client


class SharedVolume:
    """Which another person may write."""

    def __init__(self, here: World) -> None:
        self._here, self.name = here, f"v{secrets.token_hex(4)}"
        caller = here.caller(ENGINEER)
        made = here.services.volumes.create(caller, self.name, VolumeKind.FILESYSTEM, capacity=64 * MIB)
        self.id, self.files = made.id, here.root / "volume-data" / made.id / "files"
        self.share()

    def share(self) -> None:
        self._share(VolumeShare(SharedWith.USER, OTHER, MountMode.RW))

    def revoke(self) -> None:
        self._share()

    def fill(self) -> None:
        """As the counter would tell it."""
        figure = DiskFigure(64 * MIB, 1, self._here.services.ports.clock.now(), True, False)
        write_json(str(self._here.root / "usage" / "volumes.json"), {self.id: asdict(figure)})

    def _share(self, *shares: VolumeShare) -> None:
        self._here.services.volumes.share(self._here.caller(ENGINEER), self.name, shares)


@pytest.fixture
def volume(here: World) -> SharedVolume:
    return SharedVolume(here)


class Held:
    """Every copy waits after its first step until it may go on."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def copy(self, *given: Any) -> Iterator[int]:
        yield 0
        assert self.released.wait(PATIENCE)
        yield from COPY(*given)


COPY = DiskChanges.copy


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    made = Held()
    monkeypatch.setattr(DiskChanges, "copy", lambda *given: made.copy(*given))
    for name in ("_STEP_S", "_SOON_S", "_SIGN_EVERY_S"):
        monkeypatch.setattr(copying, name, 0.01)
    monkeypatch.setattr(copying, "_CHECK_EVERY_S", -1.0)
    yield made
    made.released.set()


def copied(
    here: World, client: httpx.Client, volume: SharedVolume, held: Held, meanwhile: Callable[[], None]
) -> dict[str, Any]:
    """The answer to a copy, of which the beginning came long before it was done."""
    own = here.root / "volumes" / OTHER
    own.mkdir(exist_ok=True)
    (own / "large").write_bytes(os.urandom(MIB))
    body = {"path": "large", "to": "copy", "volume": f"{ENGINEER}:{volume.name}"}
    with client.stream(
        "POST", "volumes/personal/files/copy", headers=here.bearer(OTHER), json=body
    ) as answer:
        assert answer.status_code == 200
        pieces = answer.iter_raw()
        assert next(pieces) == b" "
        meanwhile()
        held.released.set()
        told: dict[str, Any] = json.loads(b"".join(pieces))
    return told


def test_a_copy_that_takes_long_is_answered_when_it_is_done(
    here: World, client: httpx.Client, volume: SharedVolume, held: Held
) -> None:
    told = copied(here, client, volume, held, lambda: None)
    assert told == {"items": [{"path": "large", "to": "copy"}], "failed": []}
    assert (volume.files / "copy").stat().st_size == MIB


@pytest.mark.parametrize(("act", "code"), [("revoke", "not_found"), ("fill", "too_large")])
def test_a_copy_ends_when_it_may_not_go_on(
    here: World, client: httpx.Client, volume: SharedVolume, held: Held, act: str, code: str
) -> None:
    told = copied(here, client, volume, held, getattr(volume, act))
    assert [one["code"] for one in told["failed"]] == [code]
    assert not (volume.files / "copy").exists()


@pytest.mark.parametrize(("act", "status"), [("revoke", 404), ("fill", 413)])
def test_an_upload_ends_when_it_may_not_go_on_and_keeps_what_is_there(
    here: World,
    client: httpx.Client,
    volume: SharedVolume,
    monkeypatch: pytest.MonkeyPatch,
    act: str,
    status: int,
) -> None:
    monkeypatch.setattr(uploads, "_CHECK_EVERY_S", -1.0)
    at = f"volumes/{ENGINEER}:{volume.name}/uploads"
    tus = TusClient(client, at, here.bearer(OTHER))
    place = f"{at}/{tus.begin('large', 8 * MIB).headers['location'].rpartition('/')[2]}"
    first = tus.send(place, 0, bytes(2 * MIB))
    assert first.headers["upload-offset"] == str(2 * MIB)
    getattr(volume, act)()
    assert tus.send(place, 2 * MIB, bytes(6 * MIB)).status_code == status
    write_json(str(here.root / "usage" / "volumes.json"), {})
    volume.share()
    assert tus.offset(place).headers["upload-offset"] == str(2 * MIB)
    assert tus.send(place, 2 * MIB, bytes(6 * MIB)).status_code == 204
    assert (volume.files / "large").stat().st_size == 8 * MIB
