"""Which datasets and volumes a job's outputs mean, and what speaks against writing there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from danlu.domain.datasets import access as datasets_access
from danlu.domain.datasets.dataset import Dataset
from danlu.domain.errors import FieldError
from danlu.domain.ids import looks_like_id
from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.output import Output
from danlu.domain.permissions import Caller
from danlu.domain.rules import CLUSTER_LABEL, Project
from danlu.domain.terms import no_such
from danlu.domain.transfers.transfer import TransferEnd
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.volume import LOCAL_CLUSTER, RESERVED_NAMES, MountMode, Volume
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc, did_you_mean, guess, near
from danlu.files.outputs import named_end, volume_end
from danlu.ports.volumes.records import VolumeSight


class KnownTargets(Protocol):
    """What is read of volumes and datasets."""

    def volume(self, volume_id: str) -> Volume | None: ...

    def find_volume(self, owner: str, name: str) -> Volume | None: ...

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]: ...

    def dataset(self, dataset_id: str) -> Dataset | None: ...

    def find_dataset(self, owner: str, name: str) -> Dataset | None: ...

    def datasets(self, sight: VolumeSight | None) -> tuple[Dataset, ...]: ...


class OutputTargets:
    """Finds what outputs name, as the person who is to run the job. Any thread. With `all_serve` jobs run nowhere, and
    so anywhere."""

    def __init__(self, store: KnownTargets, *, all_serve: bool = False) -> None:
        self._store, self._all_serve = store, all_serve

    def resolved(
        self, spec: JobSpec, caller: Caller, project: Project | None
    ) -> tuple[JobSpec, list[FieldError]]:
        """The specification with what its outputs name, and what is wrong with them."""
        errors: list[FieldError] = list(self._elsewhere(spec, project)) if spec.outputs else []
        found: list[Output] = []
        for place, output in enumerate(spec.outputs):
            loc: Loc = ("outputs", place)
            known, wrong = self._known(loc, output, caller)
            found.append(known)
            errors += [*_no_task(loc, spec, output), *wrong]
        return (replace(spec, outputs=tuple(found)) if found else spec), errors

    def again(self, spec: JobSpec, caller: Caller) -> Iterator[FieldError]:
        """What speaks against it now: by what the names meant when the job was written."""
        for place, output in enumerate(spec.outputs):
            yield from self._known(("outputs", place), output, caller)[1]

    def _known(self, loc: Loc, output: Output, caller: Caller) -> tuple[Output, list[FieldError]]:
        if output.dataset:
            return self._dataset((*loc, "dataset"), output, caller)
        end = volume_end(output.to)
        if end is None:
            return output, []  # told as a mistake of the file
        if end.address in RESERVED_NAMES:
            return replace(output, id=end.address), []
        return self._volume((*loc, "to"), output, caller)

    # ── datasets ─────────────────────────────────────────────────────────────────────────────────────

    def _dataset(self, loc: Loc, output: Output, caller: Caller) -> tuple[Output, list[FieldError]]:
        ref = output.dataset
        owner, _, name = ref.rpartition(":")
        one = (
            self._store.dataset(output.id)
            if output.id
            else self._store.find_dataset(owner or caller.name, name)
        )
        if one is None or one.trashed_at is not None or not datasets_access.sees(caller, one):
            return output, [self._no_dataset(loc, ref, caller)]
        known = replace(output, dataset=one.title, id=one.id)
        if datasets_access.mode_of(caller, one) is not MountMode.RW:
            text = say("you may not make versions of {name}", "你不能为 {name} 生成版本", name=one.title)
            return known, [FieldError(loc, "read_only_share", text, ref, hint=_ask(one.owner))]
        return known, []

    def _no_dataset(self, loc: Loc, ref: str, caller: Caller) -> FieldError:
        seen = self._store.datasets(VolumeSight(caller.name, tuple(caller.projects)))
        names = [
            one.name if one.owner == caller.name else one.title
            for one in seen
            if one.trashed_at is None and datasets_access.mode_of(caller, one) is MountMode.RW
        ]
        likely = near(ref, sorted(names))
        owner, _, name = ref.rpartition(":")
        create = say(
            "create it first: danlu dataset create {name}", "请先创建：danlu dataset create {name}", name=name
        )
        own = owner in ("", caller.name)
        hint = guess(likely) if likely else create if own else _LIST_DATASETS
        return FieldError(loc, "no_such_dataset", no_such("dataset", ref), ref, hint=hint)

    # ── volumes ──────────────────────────────────────────────────────────────────────────────────────

    def _volume(self, loc: Loc, output: Output, caller: Caller) -> tuple[Output, list[FieldError]]:
        end = volume_end(output.to)
        assert end is not None
        ref = end.address
        owner, _, name = ref.rpartition(":")
        one = self._store.volume(output.id) if output.id else None
        if one is None and not output.id:
            one = self._store.volume(ref) if looks_like_id(ref) else None
            one = one or self._store.find_volume(owner or caller.name, name)
        if one is None or (mode := mode_of(caller, one)) is None:
            return output, [self._no_volume(loc, output.to, end, caller)]
        known = replace(output, to=named_end(end, one.title), id=one.id)
        wrong = _unwritable(one, mode)
        return known, [] if wrong is None else [FieldError(loc, wrong[0], wrong[1], output.to, hint=wrong[2])]

    def _no_volume(self, loc: Loc, said: str, end: TransferEnd, caller: Caller) -> FieldError:
        seen = self._store.volumes(VolumeSight(caller.name, tuple(caller.projects)))
        names = [
            one.name if one.owner == caller.name else one.title
            for one in seen
            if one.trashed_at is None and mode_of(caller, one) is MountMode.RW
        ]
        likely = near(end.address, sorted(names))
        hint = guess(named_end(end, likely)) if likely else _LIST_VOLUMES
        return FieldError(loc, "no_such_volume", no_such("volume", end.address), said, hint=hint)

    # ── where it runs ────────────────────────────────────────────────────────────────────────────────

    def _elsewhere(self, spec: JobSpec, project: Project | None) -> Iterator[FieldError]:
        """What pods leave behind goes with them."""
        if self._all_serve:
            return
        images = [spec.image, *(role.image for role in spec.roles if role.image)]
        of_project = project.node_selector.get(CLUSTER_LABEL) if project else None
        clusters = [
            *(mount.cluster for mount in spec.mounts if mount.cluster),
            spec.node_selector.get(CLUSTER_LABEL, LOCAL_CLUSTER),
            of_project or LOCAL_CLUSTER,
        ]
        if any(image != HOST_IMAGE for image in images) or any(one != LOCAL_CLUSTER for one in clusters):
            yield FieldError(("outputs",), "not_available", _NOT_OF_PODS, hint=_MOUNT_INSTEAD)


def _unwritable(one: Volume, mode: MountMode) -> tuple[str, Words, Words] | None:
    """Of a volume that the caller may read."""
    if one.trashed_at is not None:
        text = say("volume {name} is in the trash", "存储卷 {name} 在回收站中", name=one.title)
        hint = say(
            "restore it first: danlu volume restore {name}",
            "请先恢复：danlu volume restore {name}",
            name=one.name,
        )
        return "volume_in_trash", text, hint
    if one.source is not None:
        text = say(
            "{name} is at an address outside, where outputs are not written",
            "{name} 位于外部地址，不能写入输出",
            name=one.title,
        )
        return "not_available", text, _ON_DISK
    if one.cluster != LOCAL_CLUSTER:
        text = say(
            "{name} is in cluster {cluster}, whose files Danlu does not write itself",
            "{name} 位于集群 {cluster}，丹炉不直接写入其中的文件",
            name=one.title,
            cluster=one.cluster,
        )
        return "other_cluster", text, _ON_DISK
    if mode is not MountMode.RW:
        text = say(
            "volume {name} is shared with you read-only", "存储卷 {name} 仅以只读方式共享给你", name=one.title
        )
        return "read_only_share", text, _ask(one.owner)
    return None


def _no_task(loc: Loc, spec: JobSpec, output: Output) -> Iterator[FieldError]:
    names = [f"{role.name}-{index}" for role, index in spec.wanted()]
    if output.task and not spec.total and output.task not in names:
        text = say("the job has no task {task}", "任务没有子任务 {task}", task=output.task)
        hint = did_you_mean(output.task, names[:200])
        yield FieldError((*loc, "task"), "bad_value", text, output.task, hint=hint)


def _ask(owner: str) -> Words:
    return say("ask {owner} to share it with you with mode rw", "请 {owner} 以 rw 方式共享给你", owner=owner)


_LIST_DATASETS = Words(
    "`danlu dataset ls` lists the datasets that you see", "可用 `danlu dataset ls` 查看数据集"
)
_LIST_VOLUMES = Words(
    "`danlu volume ls` lists the volumes that you may write to; personal:/ is your own directory",
    "可用 `danlu volume ls` 查看可写入的存储卷；personal:/ 是个人目录",
)
_ON_DISK = Words(
    "name a volume on Danlu's own disk; from there it can be transferred on: danlu transfer",
    "请指定丹炉自己磁盘上的存储卷，之后可再传输：danlu transfer",
)
_NOT_OF_PODS = Words(
    "outputs are kept of tasks on Danlu's own machine: the working folders of pods on Kubernetes go with their pods",
    "输出只能取自丹炉所在机器上的子任务：Kubernetes 上 Pod 的工作目录随 Pod 一起消失",
)
_MOUNT_INSTEAD = Words(
    "mount a volume of the cluster with mode: rw and write there, or use image: host",
    "请以 mode: rw 挂载该集群的存储卷并写入其中，或使用 image: host",
)
