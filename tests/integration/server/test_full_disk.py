"""Uploads to a disk that is full: told, and nothing half written is seen."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.server import ENGINEER, World, served, world
from tests.fakes.tus import TusClient
from tests.live import PATIENCE


@pytest.fixture
def small(tmp_path: Path) -> Iterator[World]:
    """A world on a disk of 16 MiB."""
    place = tmp_path / "data"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(place)], check=True)
    try:
        with world(place, disk_reserve="0") as made:
            yield made
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_what_does_not_fit_is_told_first_and_what_fills_up_meanwhile_goes_on_later(small: World) -> None:
    data = os.urandom(4 << 20)
    with served(small.app) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        tus = TusClient(client, "/api/v1/volumes/personal/uploads", small.bearer(ENGINEER))
        refused = tus.begin("huge", 100 << 20)
        assert (refused.status_code, refused.json()["type"]) == (507, "disk_full")
        place = tus.begin("fits", len(data)).headers["location"]
        ballast = small.root / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        full = tus.send(place, 0, data)
        assert (full.status_code, full.json()["type"]) == (507, "disk_full")
        assert not (small.root / "volumes" / ENGINEER / "fits").exists()
        ballast.unlink()
        offset = int(tus.offset(place).headers["upload-offset"])
        assert tus.send(place, offset, data[offset:]).status_code == 204
        assert (small.root / "volumes" / ENGINEER / "fits").read_bytes() == data
