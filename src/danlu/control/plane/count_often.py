"""Which folders are counted more often than the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from danlu.control.plane.full_volumes import KeptVolume, written
from danlu.domain.job import Job, Time
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.ports.clock import Clock
from danlu.ports.storage import DiskFigure

CALM_MS: Time = 20_000
QUICK_MS: Time = 10_000
_HALF, _GREW = 2, 20
"""Parts of the capacity: from half on, and what grew by a twentieth between two counts, it may soon be full."""

Figure = Callable[[str], DiskFigure | None]
Bound = Callable[[str], int | None]


class CountOften:
    """By one thread. `wanted` are the folders to look after, `bound` is what each may take (None: it is gone, or
    anything)."""

    def __init__(
        self, wanted: Callable[[], Collection[str]], bound: Bound, figure: Figure, clock: Clock
    ) -> None:
        self._wanted, self._bound, self._figure, self._clock = wanted, bound, figure, clock
        self._last: dict[str, tuple[DiskFigure, bool]] = {}

    def due(self) -> Sequence[str]:
        """Those whose last count is too old by now, the oldest first."""
        now, found = self._clock.now(), []
        last, self._last = self._last, {}
        for name in sorted(self._wanted()):
            figure = self._figure(name)
            if figure is None:
                found.append((0, name))
                continue
            known = last.get(name)
            if known is None or known[0] != figure:
                known = (figure, self._soon(name, known[0] if known else None, figure))
            self._last[name] = known
            if now - figure.counted_at >= (QUICK_MS if known[1] else CALM_MS):
                found.append((figure.counted_at, name))
        return [name for _, name in sorted(found)]

    def _soon(self, name: str, before: DiskFigure | None, figure: DiskFigure) -> bool:
        bound = self._bound(name)
        if bound is None:
            return False
        grew = figure.used - before.used if before is not None else 0
        return figure.used * _HALF >= bound or grew * _GREW >= bound


def volumes_often(
    store: KeptVolume, jobs: Callable[[], Iterable[Job]], figure: Figure, clock: Clock
) -> CountOften:
    """`jobs` are those that run and those that wait."""

    def capacity(name: str) -> int | None:
        one = store.volume(name)
        return one.capacity if one is not None else None

    def is_full(name: str) -> bool:
        counted, bound = figure(name), capacity(name)
        return counted is not None and bound is not None and counted.used > bound

    def of(job: Job) -> Iterable[str]:
        """Local ones that it writes to, or that it would write to if they had room."""
        local = {mount.id for mount in job.spec.mounts if mount.cluster in ("", LOCAL_CLUSTER)}
        names = written(job) & local
        return names if job.live_tasks else filter(is_full, names)

    return CountOften(lambda: {name for job in jobs() for name in of(job)}, capacity, figure, clock)


def personal_often(
    jobs: Callable[[], Iterable[Job]], bound: Bound, figure: Figure, clock: Clock
) -> CountOften:
    """`jobs` are those that run where personal directories are. Below half of its bound a directory, which may be of
    very many small files, is counted with all the others."""

    def fills_up(name: str) -> bool:
        counted, most = figure(name), bound(name)
        return counted is not None and most is not None and counted.used * _HALF >= most

    return CountOften(
        lambda: {owner for owner in {job.owner for job in jobs()} if fills_up(owner)}, bound, figure, clock
    )
