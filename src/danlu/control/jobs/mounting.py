"""Which volumes and versions a job's mounts mean, and what speaks against mounting them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from danlu.control.jobs.dataset_mounts import KnownDatasets, with_version
from danlu.domain.errors import FieldError
from danlu.domain.ids import looks_like_id
from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.mount import Mount, login_prefix
from danlu.domain.permissions import Caller
from danlu.domain.quantity import show_size
from danlu.domain.rules import CLUSTER_LABEL, Project
from danlu.domain.terms import no_such
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.claims import ClaimState, VolumeClaim
from danlu.domain.volumes.volume import LOCAL_CLUSTER, MountMode, Volume, VolumeKind
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc, guess, near
from danlu.files.mounts import below
from danlu.ports.storage import DiskFigure
from danlu.ports.volumes.records import VolumeSight

_LISTED = Words(
    "`danlu volume ls` lists the volumes that you may mount", "可用 `danlu volume ls` 查看可挂载的存储卷"
)
_USE_ANOTHER = Words("mount another volume, or ask an administrator", "请挂载其他存储卷，或联系管理员")
_NO_BUCKET = Words(
    "volume {volume} is no bucket: it has no login", "存储卷 {volume} 不是存储桶，没有登录凭据"
)
_NOT_YOURS = Words(
    "the login of {volume} is {owner}'s alone; your jobs read the bucket without it",
    "{volume} 的登录凭据仅属于 {owner}；你的任务无需凭据即可读取该存储桶",
)
_NO_LOGIN = Words("{volume} was attached without a login", "{volume} 接入时没有提供登录凭据")
_WITHOUT_LOGIN = Words("leave login out", "请去掉 login")
_ALIKE = Words(
    "the logins of two buckets would have the same variables, {prefix}…: mount one of them without a login",
    "两个存储桶的凭据会使用相同的变量名 {prefix}…：请去掉其中一个的 login",
)
_LOGIN_STAYS = Words(
    "a login is not given to tasks in Kubernetes clusters, where whoever may read pods would read it",
    "凭据不会交给 Kubernetes 集群中的子任务：能查看 Pod 的人都会看到它",
)
_ALWAYS_THERE = {"personal": "/mnt/{name}", "archive": "/archives/{name}"}


class KnownVolumes(KnownDatasets, Protocol):
    """What is read of volumes and datasets."""

    def volume(self, volume_id: str) -> Volume | None: ...

    def find_volume(self, owner: str, name: str) -> Volume | None: ...

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]: ...

    def volume_claim(self, volume_id: str) -> VolumeClaim | None: ...

    def volume_login(self, volume_id: str) -> bytes | None: ...


class Mounting:
    """Finds the volumes of a job file by name, and checks them as the person who is to run the job. Any thread."""

    def __init__(
        self, store: KnownVolumes | None, figure: Callable[[str], DiskFigure | None] = lambda _: None
    ) -> None:
        self._store, self._figure = store, figure

    def resolved(
        self, spec: JobSpec, data: Mapping[str, Any], caller: Caller, project: Project | None
    ) -> tuple[JobSpec, list[FieldError]]:
        """The specification with the volumes that its mounts name, and what is wrong with them."""
        if not spec.mounts:
            return spec, []
        places, found = _places(spec, data), []
        errors: list[FieldError] = []
        for loc, mount in zip(places, spec.mounts, strict=True):
            if mount.dataset:
                mount, wrong = self._version(loc, mount, caller)
                errors += [*wrong, *_covers(loc, mount, caller.name)]
                found.append(mount)
                continue
            volume = self._named(mount.volume, caller) if mount.local is None else None
            if volume is not None:
                mount = _of(mount, volume)
                errors += self._wrong(loc, spec, mount, volume, caller)
            elif mount.local is None:
                errors.append(self._unknown((*loc, "volume"), mount.volume, caller))
            found.append(mount)
            errors += _covers(loc, mount, caller.name)
        spec = replace(spec, mounts=tuple(found))
        return spec, [*errors, *_apart(spec, places, project)]

    def again(self, spec: JobSpec, caller: Caller) -> Iterator[FieldError]:
        """What speaks against it now: by the volumes that the names meant when the job was written."""
        for loc, mount in zip(_places(spec, {}), spec.mounts, strict=True):
            if mount.dataset:
                yield from self._version(loc, mount, caller)[1]
                continue
            if mount.local is not None:
                continue
            volume = self._store.volume(mount.id) if self._store and mount.id else None
            if volume is None or mode_of(caller, volume) is None:
                yield self._unknown((*loc, "volume"), mount.volume, caller)
            else:
                yield from self._wrong(loc, spec, mount, volume, caller)

    def _version(self, loc: Loc, mount: Mount, caller: Caller) -> tuple[Mount, list[FieldError]]:
        return with_version(self._store, loc, mount, caller) if self._store is not None else (mount, [])

    def _named(self, ref: str, caller: Caller) -> Volume | None:
        """By id, by the name of one of one's own, or as owner:name. What one may not read does not exist."""
        if self._store is None:
            return None
        volume = self._store.volume(ref) if looks_like_id(ref) else None
        owner, _, name = ref.rpartition(":")
        volume = volume or self._store.find_volume(owner or caller.name, name)
        return volume if volume is not None and mode_of(caller, volume) is not None else None

    def _unknown(self, loc: Loc, ref: str, caller: Caller) -> FieldError:
        if ref in _ALWAYS_THERE:
            hint: Words | None = say(
                "leave it out: every task has it at {path}",
                "无需挂载：每个子任务都可在 {path} 使用它",
                path=_ALWAYS_THERE[ref].format(name=caller.name),
            )
            return FieldError(loc, "no_such_volume", no_such("volume", ref), ref, hint=hint)
        sight = VolumeSight(caller.name, tuple(caller.projects))
        seen = [one for one in (self._store.volumes(sight) if self._store else ()) if mode_of(caller, one)]
        trashed = {one.title for one in seen if one.trashed_at is not None and one.owner == caller.name}
        if ref in trashed or f"{caller.name}:{ref}" in trashed:
            return _in_trash(loc, ref)
        names = [
            name
            for one in seen
            if one.trashed_at is None
            for name in ((one.name, one.title) if one.owner == caller.name else (one.title,))
        ]
        likely = near(ref, sorted(names))
        hint = guess(likely) if likely else _LISTED
        return FieldError(loc, "no_such_volume", no_such("volume", ref), ref, hint=hint)

    def _wrong(
        self, loc: Loc, spec: JobSpec, mount: Mount, volume: Volume, caller: Caller
    ) -> Iterator[FieldError]:
        """Of a volume that the caller may read."""
        if volume.trashed_at is not None:
            yield _in_trash((*loc, "volume"), volume.title)
            return
        if mount.below and volume.kind is not VolumeKind.BUCKET:
            text = say("volume {volume} is no bucket", "存储卷 {volume} 不是存储桶", volume=volume.title)
            yield FieldError((*loc, "bucket"), "not_a_bucket", text, hint=_AS_VOLUME)
        if mount.login:
            yield from self._login(loc, spec, mount, volume, caller)
        yield from self._lost((*loc, "volume"), volume)
        if mount.read_only:
            return
        mode: Loc = (*loc, "mode")
        if volume.kind.is_attached:
            text = say(
                "{volume} is attached from outside: jobs read a copy of it and cannot write there",
                "{volume} 接入自外部：任务读取其副本，不能写入",
                volume=volume.title,
            )
            yield FieldError(mode, "bucket_mounted_rw", text, "rw", ["ro"], _WRITE_ELSEWHERE)
            return
        if mode_of(caller, volume) is not MountMode.RW:
            yield FieldError(
                mode,
                "read_only_share",
                say(
                    "volume {volume} is shared with you read-only", "存储卷 {volume} 仅以只读方式共享给你",
                    volume=volume.title,
                ),
                "rw",
                ["ro"],
                say(
                    "mount it with mode: ro, or ask {owner} to share it with mode rw",
                    "请使用 mode: ro，或请 {owner} 以 rw 方式共享",
                    owner=volume.owner,
                ),
            )  # fmt: skip
        elif volume.kind is VolumeKind.BLOCK and spec.size > 1:
            yield FieldError(
                mode,
                "block_written_by_many",
                say(
                    "{volume} is a block volume, which one task writes to; this job has {tasks} tasks",
                    "{volume} 是块存储卷，只能由一个子任务写入；该任务有 {tasks} 个子任务",
                    volume=volume.title,
                    tasks=spec.size,
                ),
                "rw",
                ["ro"],
                Words(
                    "mount it with mode: ro, or write to a filesystem volume",
                    "请使用 mode: ro，或写入文件存储卷",
                ),
            )
        yield from self._full(mode, volume)

    def _login(
        self, loc: Loc, spec: JobSpec, mount: Mount, volume: Volume, caller: Caller
    ) -> Iterator[FieldError]:
        """Whoever uses a bucket does so through Danlu; what opens it is its owner's alone."""
        login: Loc = (*loc, "login")
        if volume.kind is not VolumeKind.BUCKET:
            yield FieldError(login, "not_a_bucket", _NO_BUCKET.fill(volume=volume.title), "env")
        elif volume.owner != caller.name:
            text = _NOT_YOURS.fill(volume=volume.title, owner=volume.owner)
            yield FieldError(login, "login_not_yours", text, "env", hint=_WITHOUT_LOGIN)
        elif self._store is None or self._store.volume_login(volume.id) is None:
            yield FieldError(
                login, "no_login", _NO_LOGIN.fill(volume=volume.title), "env", hint=_WITHOUT_LOGIN
            )
        if spec.image != HOST_IMAGE:
            yield FieldError(login, "login_leaves", _LOGIN_STAYS, "env", hint=_WITHOUT_LOGIN)
        prefix = login_prefix(mount, spec.mounts)
        alike = [one for one in spec.mounts if one.login and login_prefix(one, spec.mounts) == prefix]
        if prefix and len({one.volume for one in alike}) > 1:
            yield FieldError(login, "contradiction", _ALIKE.fill(prefix=prefix), "env")

    def _lost(self, loc: Loc, volume: Volume) -> Iterator[FieldError]:
        """Of what a cluster has lost there is nothing to mount; what is only not there yet comes."""
        claim = self._store.volume_claim(volume.id) if self._store and volume.storage_class else None
        if claim is not None and claim.state is ClaimState.LOST:
            text = say(
                "volume {volume} is lost: {why}",
                "存储卷 {volume} 已丢失：{why}",
                volume=volume.title,
                why=claim.said(volume.storage_class),
            )
            yield FieldError(loc, "volume_lost", text, volume.title, hint=_USE_ANOTHER)

    def _full(self, loc: Loc, volume: Volume) -> Iterator[FieldError]:
        figure = self._figure(volume.id)
        if figure is not None and figure.used > volume.capacity:
            text = say(
                "volume {volume} is full: it takes {used}, its capacity is {capacity}",
                "存储卷 {volume} 已满：已用 {used}，容量 {capacity}",
                volume=volume.title,
                used=show_size(figure.used),
                capacity=show_size(volume.capacity),
            )
            hint = Words(
                "delete files or enlarge it, or mount it with mode: ro",
                "请删除文件或扩容，或使用 mode: ro",
            )
            yield FieldError(loc, "volume_full", text, "rw", ["ro"], hint)


_AS_VOLUME = Words("mount it with volume: NAME", "请使用 volume: 名称 挂载")
_WRITE_ELSEWHERE = Words(
    "mount it with mode: ro, and write to a filesystem volume", "请使用 mode: ro，并写入文件存储卷"
)


def _of(mount: Mount, volume: Volume) -> Mount:
    """A bucket is copied to wherever its jobs run."""
    is_bucket = volume.kind is VolumeKind.BUCKET
    return replace(
        mount,
        volume=volume.title,
        id=volume.id,
        block=volume.kind is VolumeKind.BLOCK,
        bucket=volume.kind.is_attached,
        cluster="" if is_bucket else volume.cluster,
    )


def _places(spec: JobSpec, data: Mapping[str, Any]) -> list[Loc]:
    """Where in the file each mount stands: what cannot be mounted at all is not in the specification."""
    said = data.get("mounts")
    parts = said if isinstance(said, list) else []
    there = [
        place
        for place, part in enumerate(parts)
        if isinstance(part, Mapping) and not {"volume", "local", "bucket", "dataset"}.isdisjoint(part)
    ]
    places = there if len(there) == len(spec.mounts) else range(len(spec.mounts))
    return [("mounts", place) for place in places]


def _covers(loc: Loc, mount: Mount, owner: str) -> Iterator[FieldError]:
    for kept in (path.format(name=owner) for path in _ALWAYS_THERE.values()):
        if below(mount.path, kept):
            text = say(
                "{path} is your own folder, which every task has",
                "{path} 是个人目录，每个子任务都有",
                path=kept,
            )
            hint = Words("for example /data", "例如 /data")
            yield FieldError((*loc, "path"), "reserved", text, mount.path, hint=hint)


def _in_trash(loc: Loc, ref: str) -> FieldError:
    name = ref.rpartition(":")[2]
    return FieldError(
        loc,
        "volume_in_trash",
        say("volume {volume} is in the trash", "存储卷 {volume} 在回收站中", volume=ref),
        ref,
        hint=say(
            "restore it first: danlu volume restore {name}",
            "请先恢复：danlu volume restore {name}",
            name=name,
        ),
    )


def _apart(spec: JobSpec, places: list[Loc], project: Project | None) -> Iterator[FieldError]:
    """Volumes of two clusters, or of another one than the job is bound to; both are named."""
    bound = [(mount, loc) for mount, loc in zip(spec.mounts, places, strict=True) if mount.cluster]
    if not bound:
        return
    first, first_name = bound[0][0], _name(bound[0][0])
    of_project = project.node_selector.get(CLUSTER_LABEL) if project else None
    for mount, loc in bound:
        other: Words | None = None
        if mount.cluster != first.cluster:
            other = say(
                "{volume} on {cluster}", "{cluster} 上的{volume}", volume=first_name, cluster=first.cluster
            )
        elif project is not None and of_project not in (None, mount.cluster):
            other = say(
                "project {project} on {cluster}", "{cluster} 上的项目组 {project}",
                project=project.name, cluster=of_project,
            )  # fmt: skip
        elif mount.cluster == LOCAL_CLUSTER and spec.image != HOST_IMAGE:
            other = say(
                "image {image}, which runs on Kubernetes",
                "在 Kubernetes 上运行的镜像 {image}",
                image=spec.image,
            )
        if other is not None:
            text = say(
                "{volume} is on cluster {cluster} and does not go together with {other}",
                "{volume} 在集群 {cluster} 上，不能与{other}一起使用",
                volume=_name(mount),
                cluster=mount.cluster,
                other=other,
            )
            hint = Words(
                "a job runs on one cluster: use what is on the same one",
                "一个任务只在一个集群上运行，请使用同一集群上的资源",
            )
            key = "dataset" if mount.dataset else "volume"
            yield FieldError((*loc, key), "other_cluster", text, mount.dataset or mount.volume, hint=hint)


def _name(mount: Mount) -> Words:
    if mount.dataset:
        return say("dataset {name}", "数据集 {name}", name=mount.dataset)
    return say("volume {name}", "存储卷 {name}", name=mount.volume)
