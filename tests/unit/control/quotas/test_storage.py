"""What people keep on Danlu's own disk, and when that stands against a start."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.control.quotas.storage import Storage, StorageBounds, StorageUse
from danlu.control.rules.registry import Registry
from danlu.data.code import FileCode
from danlu.domain.rules import BUILT_IN, UNLIMITED, Quota, Rule
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.ports.storage import DiskFigure
from danlu.ports.volumes.records import VolumeSight
from tests.fakes.clock import FakeClock

GIB, HOUR = 2**30, 3_600_000


class Rulebook:
    """A store of nothing but rules."""

    def __init__(self, *quotas: Quota) -> None:
        self._quotas = quotas

    def rules(self) -> tuple[Rule, ...]:
        return (*BUILT_IN, *self._quotas)


class Figures(dict[str, DiskFigure]):
    def of(self, owner: str) -> DiskFigure | None:
        return self.get(owner)


class Uses:
    """Which archives jobs name, and which volumes there are."""

    named: frozenset[str] = frozenset()
    kept: tuple[Volume, ...] = ()

    def code_in_use(self, digests: Collection[str]) -> frozenset[str]:
        return self.named & frozenset(digests)

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]:
        return self.kept

    def dataset_bytes(self, owner: str) -> int:
        return 5 << 20 if owner == "lin" else 0


class Built:
    def __init__(self, root: Path, *quotas: Quota, **bounds: Any) -> None:
        self.clock, self.figures, self.uses = FakeClock(), Figures(), Uses()
        self.code = FileCode(root, GIB)
        registry = Registry(Rulebook(*quotas), self.clock)  # type: ignore[arg-type]
        self.storage = Storage(
            registry, self.figures, self.code, self.uses, self.clock, StorageBounds(**bounds)
        )

    def count(self, owner: str, used: int, **more: Any) -> None:
        self.figures[owner] = DiskFigure(used, 1, self.clock.now(), **more)


def test_a_start_is_refused_while_the_directory_takes_more_than_it_may(tmp_path: Path) -> None:
    built = Built(tmp_path, personal=GIB)
    assert built.storage.refusal("lin") is None
    built.count("lin", GIB)
    assert built.storage.refusal("lin") is None
    built.count("lin", 2 * GIB)
    built.clock.advance(90_000)
    refused = built.storage.refusal("lin")
    assert refused is not None
    assert refused.detail == "the personal directory of lin takes 2GiB and may take 1GiB (counted 1m30s ago)"
    assert refused.text.zh == "lin 的个人目录占用 2GiB，上限为 1GiB（1 分钟 30 秒前统计）"
    assert refused.errors[0].hint is not None
    assert "danlu request quota" in refused.errors[0].hint.en
    assert built.storage.refusal("wang") is None


def test_what_cannot_be_counted_counts_as_too_much(tmp_path: Path) -> None:
    built = Built(tmp_path, personal=GIB)
    built.count("lin", 4096, complete=False, too_deep=True)
    refused = built.storage.refusal("lin")
    assert refused is not None
    assert "nested deeper than 128 levels" in refused.detail


@pytest.mark.parametrize(
    ("own", "default", "bound"),
    [(None, None, GIB), (None, 3 * GIB, 3 * GIB), (5 * GIB, 3 * GIB, 5 * GIB), (UNLIMITED, GIB, None)],
)
def test_a_quota_sets_the_bound_of_a_person_or_of_all(
    tmp_path: Path, own: int | None, default: int | None, bound: int | None
) -> None:
    said = (("user:lin", own), ("default", default))
    quotas = [Quota(name, storage={"local": size}) for name, size in said if size is not None]
    built = Built(tmp_path, *quotas, personal=GIB)
    built.count("lin", 7)
    now = built.clock.now()
    assert {use.type: use for use in built.storage.of("lin")} == {
        "block": StorageUse("block", None, 0, now),
        "code": StorageUse("code", None, 0, now),
        "dataset": StorageUse("dataset", None, 5 << 20, now),
        "filesystem": StorageUse("filesystem", None, 0, now),
        "local": StorageUse("local", bound, 7, now),
    }


def test_volumes_of_each_kind_count_by_their_capacity_in_the_trash_too(tmp_path: Path) -> None:
    built = Built(tmp_path, Quota("user:lin", storage={"block": 3 * GIB}), volumes=9 * GIB)
    one = Volume("v1", "lin", "a", VolumeKind.BLOCK, GIB, 1, 1)
    built.uses.kept = (
        one,
        replace(one, id="v2", trashed_at=1),
        replace(one, id="v3", kind=VolumeKind.FILESYSTEM, capacity=5),
        replace(one, id="v4", owner="wang"),
    )
    found = {use.type: (use.used, use.limit) for use in built.storage.of("lin")}
    assert (found["block"], found["filesystem"]) == ((2 * GIB, 3 * GIB), (5, 9 * GIB))


async def _keep(built: Built, owner: str, text: bytes) -> str:
    async def whole() -> Any:
        yield data

    data = gzip.compress(text, mtime=0)
    digest = hashlib.sha256(data).hexdigest()
    await built.code.put_for(owner, digest, whole(), 0)
    return digest


@pytest.mark.anyio
async def test_code_that_no_job_names_any_more_makes_room_an_hour_after_its_upload(tmp_path: Path) -> None:
    built = Built(tmp_path, code=40)
    used, unused = await _keep(built, "lin", b"used"), await _keep(built, "lin", b"unused")
    uploaded = max(one.uploaded_at for one in built.code.kept_by("lin").values())
    built.uses.named = frozenset({used})
    built.clock.advance(uploaded + HOUR - 1 - built.clock.now())
    built.storage.make_room("lin")
    assert built.code.has(unused)
    built.clock.advance(2)
    built.storage.make_room("lin")
    assert not built.code.has(unused)
    assert built.code.has(used)
