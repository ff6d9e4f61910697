"""Does what was asked of datasets, one act after the other, in the process that leads."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from danlu.control.datasets.acts import opened_to_keep
from danlu.control.datasets.datasets import Datasets
from danlu.control.quotas.storage import DATASETS, bound_of
from danlu.control.rules.registry import Registry
from danlu.control.volumes.files import VolumeFiles
from danlu.domain.audit import ITSELF, Entry
from danlu.domain.datasets.dataset import (
    Act,
    ActKind,
    ActProgress,
    ActState,
    Dataset,
    Version,
)
from danlu.domain.errors import DanluError, NotFound
from danlu.domain.file_names import path_of
from danlu.domain.job import Time
from danlu.domain.permissions import Caller
from danlu.domain.terms import no_such
from danlu.domain.volumes.volume import gone_at
from danlu.domain.words import Words
from danlu.ports.clock import Clock, Ids
from danlu.ports.datasets.contents import ActCancelled, ContentStore, SnapshotRefused, StoredSnapshot
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.files import PlaceBelow
from danlu.ports.results import RunKey

log = logging.getLogger(__name__)

_LOOK_S = 1.0
_COLLECT_S = 3600.0


class ActRunner:
    """`as_person` is whom an act is done as: what they may not do by then is not done. `bound` is how much the versions
    of each person may take where no quota says so; `left` where what a task left was put away."""

    def __init__(
        self,
        store: DatasetStore,
        datasets: Datasets,
        files: VolumeFiles,
        kept: ContentStore,
        registry: Registry,
        as_person: Callable[[str], Caller | None],
        clock: Clock,
        ids: Ids,
        bound: int | None,
        trash_time: Time,
        left: Callable[[RunKey], PlaceBelow | None] = lambda _: None,
    ) -> None:
        self._left = left
        self._store, self._datasets, self._files, self._kept = store, datasets, files, kept
        self._registry, self._as_person, self._clock, self._ids = registry, as_person, clock, ids
        self._bound, self._trash_time = bound, trash_time

    def run(self, stop: threading.Event) -> None:
        """What was running when a former process died begins again."""
        rest = 0.0
        while not stop.is_set():
            try:
                self.round(stop)
                rest -= _LOOK_S
                if rest <= 0:
                    rest = _COLLECT_S
                    self.tidy()
            except Exception:
                log.exception("acts on datasets could not be done; retrying")
            stop.wait(_LOOK_S)

    def round(self, stop: threading.Event) -> None:
        for act in self._store.open_acts():
            if stop.is_set():
                return
            if act.kind is not ActKind.IMPORT:  # until its files are there
                self._do(act, stop)

    def tidy(self) -> None:
        """Forget what has been in the trash long enough, and collect what nobody needs."""
        now = self._clock.now()
        for one in self._store.datasets(None):
            due = gone_at(one, self._trash_time)
            if due is not None and due <= now:
                self._store.remove_dataset(one.id, now, by=Entry(ITSELF, "deleted", ""))
        self._kept.collect(self._store.version_roots)

    def _do(self, act: Act, stop: threading.Event) -> None:
        far = ActProgress(parts=act.progress.parts)
        running = replace(act, state=ActState.RUNNING, began_at=self._clock.now(), progress=far)
        if not self._store.save_act(running):
            return
        try:
            if act.kind is ActKind.SNAPSHOT:
                self._snapshot(running, stop)
            else:
                self._verify(running, stop)
        except ActCancelled:
            return  # by whoever asked for it, or since this process ends and another one begins again
        except SnapshotRefused as refused:
            self._fail(running, _why(refused), refused.code)
        except DanluError as error:
            self._fail(running, error.text, error.code)
        except Exception:  # what cannot be done must not keep those that wait behind it
            log.exception("act %s on a dataset failed", act.id)
            self._fail(running, _INTERNAL, "internal")

    # ── snapshots ────────────────────────────────────────────────────────────────────────────────────

    def _snapshot(self, act: Act, stop: threading.Event) -> None:
        person = self._as_person(act.by)
        if person is None or person.user.disabled:
            raise NotFound(no_such("user", act.by))
        one = self._datasets.usable(person, act.dataset, write=True)
        if act.wish.source.run:
            self.make_version(act, one, self._left_by(act), person, stop)
            return
        opened = opened_to_keep(self._files, person, act.wish.source.volume, one)
        place = opened.at.place(path_of(act.wish.source.path))
        self.make_version(act, one, place, person, stop)

    def _left_by(self, act: Act) -> PlaceBelow:
        """What a task left, where it was put away."""
        source = act.wish.source
        left = self._left(RunKey(act.wish.job_id, source.attempt, source.run))
        if left is None:
            raise SnapshotRefused("missing")
        return left.below(path_of(source.path))

    def make_version(
        self, act: Act, one: Dataset, place: PlaceBelow, person: Caller, stop: threading.Event
    ) -> None:
        most = bound_of(self._registry, one.owner, DATASETS, self._bound)
        left = None if most is None else max(0, most - self._store.dataset_bytes(one.owner))

        def keep(made: StoredSnapshot) -> None:
            now = self._clock.now()
            done = replace(
                act,
                ended_at=now,
                progress=replace(self._latest(act), files=made.files, bytes=made.bytes, stored=made.stored),
            )
            version = Version(
                self._ids.new(),
                one.id,
                0,
                made.root,
                made.files,
                made.folders,
                made.bytes,
                made.stored,
                act.by,
                now,
                act.wish.source,
                made.summary,
                act.wish.note,
                act.wish.job_id,
                act.wish.job,
            )
            self._store.add_version(version, act.wish.tags, now, by=person.entry("created", ""), act=done)

        self._kept.snapshot(
            act, place, self._store.version_roots, left, lambda far: self._tell(act, far, stop), keep
        )

    def _verify(self, act: Act, stop: threading.Event) -> None:
        version = self._store.version(act.dataset, act.wish.number)
        if version is None:
            raise NotFound(no_such("version", f"v{act.wish.number}"))
        verdict = self._kept.verify(version.root, lambda far: self._tell(act, far, stop))
        now = self._clock.now()
        self._store.note_verified(version.id, now, verdict.damaged)
        far = replace(self._latest(act), damaged=verdict.damaged)
        self._store.save_act(
            replace(act, state=ActState.DONE, ended_at=now, progress=far, found=verdict.files)
        )

    # ── the record ───────────────────────────────────────────────────────────────────────────────────

    def _tell(self, act: Act, far: ActProgress, stop: threading.Event) -> bool:
        far = replace(far, parts=act.progress.parts)
        return not stop.is_set() and self._store.save_act(replace(act, progress=far))

    def _latest(self, act: Act) -> ActProgress:
        known = self._store.act(act.id)
        return known.progress if known else act.progress

    def _fail(self, act: Act, why: Words, code: str) -> None:
        now = self._clock.now()
        failed = replace(act, state=ActState.FAILED, ended_at=now, error=(why.en, why.zh), failure=code)
        self._store.save_act(replace(failed, progress=self._latest(act)))


def _why(refused: SnapshotRefused) -> Words:
    known = _WHY.get(refused.code)
    return known if known is not None else _FAILED.fill(why=refused.text or refused.code)


_INTERNAL = Words("internal error; see the server's log", "内部错误，请查看服务端日志")
_FAILED = Words("it failed: {why}", "失败：{why}")
_WHY = {
    "over_quota": Words(
        "the new files do not fit into the quota for datasets; remove versions that are no longer needed, or request "
        "more: danlu request quota",
        "新文件超出数据集的存储配额；请删除不再需要的版本，或申请更多配额：danlu request quota",
    ),
    "too_deep": Words(
        "folders are nested deeper than 128 levels: nobody could mount that; flatten them, and try again",
        "目录嵌套超过 128 层，无法挂载；请减少层级后重试",
    ),
    "missing": Words(
        "the folder is not there (any more), or a link is on the way: name a folder of the volume",
        "该目录（已）不存在，或路径中有链接；请指定存储卷中的目录",
    ),
    "full": Words(
        "the server's disk is full: nothing was kept; free some space and try again",
        "服务端磁盘已满，未保留任何内容；请腾出空间后重试",
    ),
}
