"""What people keep on Danlu's own disk: personal directories, code, results and volumes, with their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from danlu.control.rules.registry import Registry
from danlu.domain import quota as law
from danlu.domain.errors import DiskLimit, FieldError
from danlu.domain.job import Time
from danlu.domain.quantity import show_size, time_said
from danlu.domain.rules import DEFAULT_QUOTA, UNLIMITED, Amounts
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.code import CodeUses, PeoplesCode
from danlu.ports.disk_use import DEEPEST
from danlu.ports.results import Results
from danlu.ports.storage import PersonalUse
from danlu.ports.volumes.records import VolumeSight

PERSONAL, CODE, RESULTS, DATASETS = "local", "code", "results", "dataset"
"""Types of storage: the personal directory, uploaded code, what is kept of jobs that have ended, and datasets."""
_HOUR = 3_600_000


class CodeAndVolumes(CodeUses, Protocol):
    """The parts of the store that are needed here."""

    def dataset_bytes(self, owner: str) -> int: ...

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]: ...


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Storage of one type, in bytes; `limit` None is unlimited. `counted_at` is when it was counted, None if it is not
    counted (yet)."""

    type: str
    limit: int | None
    used: int = 0
    counted_at: Time | None = None


@dataclass(frozen=True, slots=True)
class StorageBounds:
    """What everybody may keep if no quota says so, in bytes; None is unlimited."""

    personal: int | None = None
    code: int | None = None
    results: int | None = None
    volumes: int | None = None
    """Of each kind."""
    datasets: int | None = None


class Storage:
    """Any thread."""

    def __init__(
        self,
        registry: Registry,
        personal: PersonalUse,
        code: PeoplesCode,
        store: CodeAndVolumes,
        clock: Clock,
        bounds: StorageBounds,
        results: Results | None = None,
    ) -> None:
        self._results = results
        self._registry, self._personal, self._clock = registry, personal, clock
        self._code, self._store, self._bounds = code, store, bounds

    def of(self, owner: str) -> tuple[StorageUse, ...]:
        """Every type of storage that is counted for a person or that a quota bounds, by name."""
        code = sum(one.size for one in self._code.kept_by(owner).values())
        figure = self._personal.of(owner)
        counted = {
            CODE: StorageUse(CODE, self._bounds.code, code, self._clock.now()),
            PERSONAL: StorageUse(
                PERSONAL,
                self.personal_bound(owner),
                figure.used if figure else 0,
                figure.counted_at if figure else None,
            ),
        }
        if self._results is not None:
            used = sum(one.size or 0 for one in self._results.of_owner(owner))
            counted[RESULTS] = StorageUse(
                RESULTS, self.results_bound(owner), used, self._results.counted_at()
            )
        for kind, used in self._volumes(owner).items():
            counted[kind] = StorageUse(
                kind, bound_of(self._registry, owner, kind, self._bounds.volumes), used, self._clock.now()
            )
        counted[DATASETS] = StorageUse(
            DATASETS, self.datasets_bound(owner), self._store.dataset_bytes(owner), self._clock.now()
        )
        others = {use.type: use for use in uses_of(self._quota(owner))}
        return tuple(use for _, use in sorted({**others, **counted}.items()))

    def refusal(self, owner: str) -> DiskLimit | None:
        """Why this person may start nothing until they have cleaned up; what runs is left alone."""
        figure, bound = self._personal.of(owner), self.personal_bound(owner)
        if figure is None or bound is None or (figure.used <= bound and not figure.too_deep):
            return None
        age = max(0, self._clock.now() - figure.counted_at)
        said = {
            "owner": owner,
            "used": show_size(figure.used),
            "bound": show_size(bound),
            "age": time_said(age - age % 1000),
            "levels": DEEPEST,
        }
        text = (_TOO_DEEP if figure.too_deep else _TOO_MUCH).fill(**said)
        return DiskLimit(text, (FieldError((), DiskLimit.code, text, said["used"], said["bound"], _NEXT),))

    def make_room(self, owner: str) -> None:
        """Forget code that this person uploaded and that no job or template names any more, if there is more than may
        be; what was uploaded within the last hour may be for a job that is about to come."""
        kept = self._code.kept_by(owner)
        if self._bounds.code is None or sum(one.size for one in kept.values()) <= self._bounds.code // 2:
            return
        old = {name for name, one in kept.items() if one.uploaded_at < self._clock.now() - _HOUR}
        for digest in old - self._store.code_in_use(old):
            self._code.drop(owner, digest)

    def results_bound(self, owner: str) -> int | None:
        return bound_of(self._registry, owner, RESULTS, self._bounds.results)

    def datasets_bound(self, owner: str) -> int | None:
        return bound_of(self._registry, owner, DATASETS, self._bounds.datasets)

    def _volumes(self, owner: str) -> dict[str, int]:
        """The capacity of a person's volumes of each kind, those in the trash too."""
        used = dict.fromkeys((kind.value for kind in VolumeKind if not kind.is_attached), 0)
        for one in self._store.volumes(VolumeSight(owner)):
            if one.owner == owner and not one.claim_was_there:
                used[one.kind.value] += one.capacity
        return used

    def personal_bound(self, owner: str) -> int | None:
        return bound_of(self._registry, owner, PERSONAL, self._bounds.personal)

    def _quota(self, owner: str) -> dict[str, int]:
        return _quota(self._registry, owner)


def bound_of(registry: Registry, owner: str, kind: str, usual: int | None) -> int | None:
    """How much of a type of storage a person may take, as a quota says, else as usual; None is unlimited."""
    said = _quota(registry, owner).get(kind)
    return usual if said is None else _bound(said)


def _quota(registry: Registry, owner: str) -> dict[str, int]:
    quotas = registry.quotas()
    default, own = quotas.get(DEFAULT_QUOTA), quotas.get(law.of_user(owner))
    return {**(default.storage if default else {}), **(own.storage if own else {})}


def uses_of(storage: Amounts) -> tuple[StorageUse, ...]:
    """Bounds of which nothing is counted."""
    return tuple(StorageUse(kind, _bound(size)) for kind, size in sorted(storage.items()))


def _bound(size: int) -> int | None:
    return None if size == UNLIMITED else size


_TOO_MUCH = Words(
    "the personal directory of {owner} takes {used} and may take {bound} (counted {age} ago)",
    "{owner} 的个人目录占用 {used}，上限为 {bound}（{age}前统计）",
)
_TOO_DEEP = Words(
    "the personal directory of {owner} has folders nested deeper than {levels} levels, which cannot be counted "
    "(looked at {age} ago)",
    "{owner} 的个人目录嵌套超过 {levels} 层，无法统计（{age}前检查）",
)
_NEXT = Words(
    "delete what is no longer needed and start again in a minute or two, when it was counted anew, or ask for more: "
    "danlu request quota",
    "请删除不再需要的文件，一两分钟后（重新统计后）再启动，或申请更多配额：danlu request quota",
)
