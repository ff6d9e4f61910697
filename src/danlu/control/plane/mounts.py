"""What a job's tasks get mounted, decided when they start: shares may have been revoked since the job was written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from danlu.domain.audit import ITSELF, Entry
from danlu.domain.datasets import access as datasets
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.job import Job
from danlu.domain.mount import Mount, login_prefix
from danlu.domain.permissions import Caller
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.claims import VolumeClaim
from danlu.domain.volumes.source import Login
from danlu.domain.volumes.volume import LOCAL_CLUSTER, MountMode, Volume
from danlu.ports.engine import ClaimOrder, MountOrder
from danlu.ports.volumes.claims import claim_order


class NotGranted(Exception):
    """The owner of the job may not, or no longer, use this volume in this way."""

    def __init__(self, volume: str) -> None:
        super().__init__(volume)
        self.volume = volume


class VolumesById(Protocol):
    def volume(self, volume_id: str) -> Volume | None: ...

    def version_by_id(self, version_id: str) -> Version | None: ...

    def dataset(self, dataset_id: str) -> Dataset | None: ...

    def volume_claim(self, volume_id: str) -> VolumeClaim | None: ...


class MountAccess:
    """Resolves mounts in the name of the job's owner. Without a store no volume is granted. `bucket_bound` is how many
    bytes of a bucket a pod may take."""

    def __init__(
        self,
        store: VolumesById | None = None,
        as_owner: Callable[[str], Caller | None] = lambda _: None,
        bucket_bound: int = 0,
        login_of: Callable[[Volume], Login | None] = lambda _: None,
        given: Callable[[Job, Volume], None] = lambda *_: None,
    ) -> None:
        """`login_of` opens what is sealed; `given` notes that a job gets it."""
        self._store, self._as_owner, self._bucket_bound = store, as_owner, bucket_bound
        self._login_of, self._given = login_of, given

    def granted(self, job: Job) -> tuple[MountOrder, ...]:
        """NotGranted names the first volume that is not available."""
        if not job.spec.mounts:
            return ()
        owner = self._as_owner(job.owner)
        return tuple(self._numbered(job, owner, number) for number in range(len(job.spec.mounts)))

    def granted_one(self, job: Job, number: int) -> MountOrder:
        """One of them alone; NotGranted."""
        return self._numbered(job, self._as_owner(job.owner), number)

    def _numbered(self, job: Job, owner: Caller | None, number: int) -> MountOrder:
        return replace(self._order(job, owner, job.spec.mounts[number]), number=number)

    def logins(self, job: Job) -> dict[str, str]:
        """Variables for the logins that its mounts ask for; they are in no record of the job. Only the owner of a
        bucket gets its login, whoever else may use it: NotGranted."""
        found: dict[str, str] = {}
        for mount in job.spec.mounts:
            if not mount.login:
                continue
            volume = self._store.volume(mount.id) if self._store is not None and mount.id else None
            owner = self._as_owner(job.owner)
            if (
                volume is None
                or owner is None
                or volume.owner != job.owner
                or not _usable(volume, owner, mount)
            ):
                raise NotGranted(mount.volume)
            login, source = self._login_of(volume), volume.source
            if login is None or source is None:
                raise NotGranted(mount.volume)
            self._given(job, volume)
            prefix = login_prefix(mount, job.spec.mounts)
            found[f"{prefix}AWS_ACCESS_KEY_ID"] = login.key
            found[f"{prefix}AWS_SECRET_ACCESS_KEY"] = login.secret
            found[f"{prefix}AWS_ENDPOINT_URL"] = source.bucket.endpoint
            found[f"{prefix}AWS_REGION"] = source.bucket.region
        return found

    def _order(self, job: Job, owner: Caller | None, mount: Mount) -> MountOrder:
        if mount.local is not None:
            return MountOrder(mount.path, read_only=False, local=mount.local)
        if mount.dataset:
            return self._version(owner, mount)
        volume = self._store.volume(mount.id) if self._store is not None and mount.id else None
        if volume is None or owner is None or not _usable(volume, owner, mount) or _elsewhere(job, volume):
            raise NotGranted(mount.volume)
        return MountOrder(
            mount.path,
            mount.read_only,
            volume=volume.id,
            title=volume.title,
            gid=volume.gid,
            claim=volume.claim,
            bucket=volume.kind.is_attached,
            size=self._bucket_bound if volume.kind.is_attached else 0,
            below=mount.below,
            new=self._new_claim(volume),
        )

    def _version(self, owner: Caller | None, mount: Mount) -> MountOrder:
        version = self._store.version_by_id(mount.version) if self._store is not None else None
        one = self._store.dataset(version.dataset) if self._store is not None and version else None
        if version is None or one is None or owner is None or one.trashed_at is not None:
            raise NotGranted(mount.dataset)
        if datasets.mode_of(owner, one) is None:
            raise NotGranted(mount.dataset)
        return MountOrder(
            mount.path,
            read_only=True,
            title=mount.dataset,
            tree=version.root,
            size=version.bytes,
            files=version.files + version.folders,
        )

    def _new_claim(self, volume: Volume) -> ClaimOrder | None:
        """Of a volume that nobody has seen a claim of yet: its first job need not wait until somebody looks."""
        if not volume.storage_class or self._store is None:
            return None
        claim = self._store.volume_claim(volume.id)
        return claim_order(volume) if claim is None or not claim.uid else None


def login_given(job: Job, volume: Volume) -> tuple[Entry, ...]:
    """For the audit log: never what it is."""
    after = {"job": job.id, "owner": job.owner}
    return (Entry(ITSELF, "login_given", f"volume:{volume.title}", after=after),)


def _usable(volume: Volume, owner: Caller, mount: Mount) -> bool:
    mode = mode_of(owner, volume)
    return volume.trashed_at is None and (mode is MountMode.RW or (mode is MountMode.RO and mount.read_only))


def _elsewhere(job: Job, volume: Volume) -> bool:
    """Whether the job was placed on another cluster than the volume's, whose nodes are `<node>.<cluster>`, or the
    volume has no claim there yet."""
    if volume.cluster == LOCAL_CLUSTER:
        return False
    away = any(not task.node.endswith(f".{volume.cluster}") for task in job.live_tasks)
    return away or not volume.claim
