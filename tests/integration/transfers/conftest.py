"""A volume on disk, a web server, and workers that transfer between them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.data.transfers.processes import ProcessWorkers, WorkerProcess
from danlu.domain.transfers.ends import read_end
from danlu.domain.transfers.transfer import OnExisting, TransferEnd, TransferWish, WebLogin
from danlu.domain.volumes.source import BucketAddress
from danlu.domain.volumes.source import Login as BucketLogin
from danlu.ports.transfers import OrderEnd, TransferOrder
from danlu.ports.volumes.changing import Hand, OpenVolume, VolumeFolders
from tests.fakes.web_source import WebPlace, web_place
from tests.live import eventually

LOOPBACK = ("127.0.0.0/8",)


class Place:
    """One volume, and what transfers into it."""

    def __init__(self, root: Path, hand: Hand | None = None) -> None:
        self.root, self.hand = root, hand or Hand()
        self.files = root / "files"
        self.files.mkdir(parents=True)
        self.runs: list[WorkerProcess] = []

    @property
    def open(self) -> OpenVolume:
        return OpenVolume(VolumeFolders(str(self.files), str(self.root)), self.hand)

    def begin(self, source: str, target: str = "data:/", **more: Any) -> WorkerProcess:
        """`more` are keys of the wish, and of the workers and the order."""
        allowed, reserve = more.pop("allowed", LOOPBACK), more.pop("reserve", 0)
        limits, login = more.pop("limits", (1 << 30, 10_000)), more.pop("login", None)
        most, start = more.pop("most", None), more.pop("from_place", self)
        name = more.pop("name", "t1")
        bucket, key = more.pop("bucket", None), more.pop("key", None)
        wish = TransferWish(existing=OnExisting(more.pop("existing", "update")), **more)
        ends = read_end(source), read_end(target)
        order = TransferOrder(
            name,
            self._end(ends[0], start, bucket, key),
            self._end(ends[1], self, bucket, key),
            wish,
            most,
            most or 0,
            WebLogin(*login) if login else None,
        )
        run = ProcessWorkers(reserve, limits, allowed, outside_local=True).start(order)
        self.runs.append(run)
        return run

    @staticmethod
    def _end(
        end: TransferEnd, place: Place, bucket: BucketAddress | None, key: BucketLogin | None
    ) -> OrderEnd:
        """What is called `bucket:/…` is in the bucket of the test."""
        if end.kind != TransferEnd.VOLUME:
            return OrderEnd(end)
        return OrderEnd(end, None, bucket, key) if end.address == "bucket" else OrderEnd(end, place.open)

    def carry(self, source: str, target: str = "data:/", **more: Any) -> WorkerProcess:
        run = self.begin(source, target, **more)
        eventually(run.ended)
        return run

    def done(self, source: str, target: str = "data:/", **more: Any) -> WorkerProcess:
        run = self.carry(source, target, **more)
        assert run.problem() is None, run.problem()
        return run

    def refused(self, source: str, target: str = "data:/", **more: Any) -> str:
        problem = self.carry(source, target, **more).problem()
        assert problem is not None
        assert problem.text.en
        assert problem.text.zh
        return problem.code

    def tree(self) -> dict[str, bytes]:
        found = {}
        for folder, _, names in os.walk(self.files):
            for name in names:
                path = Path(folder, name)
                content = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
                found[str(path.relative_to(self.files))] = content
        return found


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "volume")
    yield made
    for run in made.runs:
        run.stop()


@pytest.fixture
def web() -> Iterator[WebPlace]:
    with web_place() as made:
        yield made
