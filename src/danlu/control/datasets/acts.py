"""Snapshots and verifications: asked for here, done in the background by the process that leads."""

from __future__ import annotations

from dataclasses import replace

from danlu.control.datasets.datasets import Datasets
from danlu.control.datasets.versions import Versions, check_tags
from danlu.control.volumes.files import FilesOfVolume, VolumeFiles
from danlu.domain.datasets.dataset import (
    OPEN_ACTS,
    Act,
    ActKind,
    ActProgress,
    ActState,
    ActWish,
    Dataset,
    SourcePlace,
)
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import ANYBODY, Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock, Ids
from danlu.ports.datasets.contents import Collected, ContentStore
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.volumes.changing import IN_BUCKET

_MOST_OPEN = 20


class Acts:
    """Any thread."""

    def __init__(
        self,
        store: DatasetStore,
        datasets: Datasets,
        versions: Versions,
        files: VolumeFiles,
        kept: ContentStore,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store, self._datasets, self._versions = store, datasets, versions
        self._files, self._kept, self._clock, self._ids = files, kept, clock, ids

    def list(self, caller: Caller, ref: str) -> tuple[Act, ...]:
        """The newest first."""
        return self._store.acts(self._datasets.get(caller, ref).id)

    def get(self, caller: Caller, ref: str, act_id: str) -> Act:
        one = self._datasets.get(caller, ref)
        found = self._store.act(act_id)
        if found is None or found.dataset != one.id:
            raise NotFound(
                say(
                    "there is no act '{id}' on dataset {name}",
                    "数据集 {name} 没有操作“{id}”",
                    id=act_id,
                    name=one.name,
                )
            )
        return found

    def snapshot(
        self,
        caller: Caller,
        ref: str,
        volume: str,
        path: bytes,
        tags: tuple[str, ...] = (),
        note: str = "",
        reread: bool = False,
    ) -> Act:
        """Ask for a version of what a folder of a volume holds; `personal` and `archive` are one's own directories."""
        check_tags(tags, ("tags",))
        one = self._datasets.usable(caller, ref, write=True)
        opened = opened_to_keep(self._files, caller, volume, one)
        source = SourcePlace(opened.id or opened.name, opened.title or opened.name, escaped_path(path))
        wish = ActWish(source, tuple(sorted(set(tags))), note, reread=reread)
        return self._ask(caller, one, ActKind.SNAPSHOT, wish)

    def verify(self, caller: Caller, ref: str, version: str) -> Act:
        """Ask to read all files of a version again."""
        one = self._datasets.usable(caller, ref)
        _, found = self._versions.get(caller, one.id, version)
        return self._ask(caller, one, ActKind.VERIFY, ActWish(number=found.number))

    def cancel(self, caller: Caller, ref: str, act_id: str) -> Act:
        """What is over already stays as it is."""
        one = self._datasets.usable(caller, ref, write=True)
        act = self.get(caller, one.id, act_id)
        cancelled = replace(act, state=ActState.CANCELLED, ended_at=self._clock.now())
        if act.state in OPEN_ACTS:
            self._store.save_act(cancelled)
        return self.get(caller, one.id, act_id)

    def collect(self, caller: Caller) -> Collected:
        """Remove what no version needs; for who may change everybody's. Conflict while something is made."""
        caller.require(Permission.DATASET_WRITE, ANYBODY)
        collected = self._kept.collect(self._store.version_roots)
        if collected is None:
            raise Conflict(_AT_WORK)
        return collected

    def figure(self) -> tuple[int, int]:
        """How many contents the store has, and their bytes."""
        return self._kept.figure()

    def import_(self, caller: Caller, ref: str, wish: ActWish, parts: int = 0) -> Act:
        """Ask for a version of what the wish's transfers bring; so many `parts` are there already."""
        one = self._datasets.usable(caller, ref, write=True)
        opened_to_keep(self._files, caller, wish.source.volume, one)
        return self._ask(caller, one, ActKind.IMPORT, wish, parts)

    def _ask(self, caller: Caller, one: Dataset, kind: ActKind, wish: ActWish, parts: int = 0) -> Act:
        if sum(act.state in OPEN_ACTS for act in self._store.acts(one.id)) >= _MOST_OPEN:
            raise Conflict(_TOO_MANY.fill(name=one.name, most=_MOST_OPEN))
        now = self._clock.now()
        act = Act(self._ids.new(), one.id, kind, caller.name, wish, now, progress=ActProgress(parts=parts))
        try:
            self._store.add_act(act, now, by=caller.entry(_NOTED[kind], ""))
        except NotFound:
            raise NotFound(no_such("dataset", one.name)) from None
        return act


def opened_to_keep(files: VolumeFiles, caller: Caller, volume: str, one: Dataset) -> FilesOfVolume:
    """A volume that goes into a dataset: what is sensitive stays so, whoever makes the version. Conflict, also where
    its files are outside."""
    opened = files.open(caller, volume)
    if opened.at.files.startswith(IN_BUCKET):
        raise Conflict(_OUTSIDE.fill(volume=opened.name))
    if opened.sensitive and not one.sensitive:
        raise Conflict(_STAYS_SENSITIVE.fill(volume=opened.title, name=one.name))
    return opened


_NOTED = {ActKind.IMPORT: "imported", ActKind.SNAPSHOT: "snapshot", ActKind.VERIFY: "verified"}
_TOO_MANY = Words(
    "{most} snapshots and verifications of {name} wait or run already; wait until some are done",
    "{name} 已有 {most} 个快照或校验在等待或进行，请等其完成",
)
_STAYS_SENSITIVE = Words(
    "volume {volume} is sensitive, and dataset {name} is not: mark it first: danlu dataset edit {name} --sensitive",
    "存储卷 {volume} 含敏感数据，而数据集 {name} 未标记为敏感；请先标记：danlu dataset edit {name} --sensitive",
)
_OUTSIDE = Words(
    "volume {volume} is attached from outside; versions are made of what is on Danlu's own disk: copy it there first",
    "存储卷 {volume} 接入自外部；数据集版本只能由丹炉自己磁盘上的内容生成，请先复制到普通存储卷",
)
_AT_WORK = Words(
    "versions are being made, read or mounted right now; try again in a moment",
    "正在生成、读取或挂载版本，请稍后重试",
)
