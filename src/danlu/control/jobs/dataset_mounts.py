"""Which versions of datasets a job's mounts mean, and what speaks against mounting them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from danlu.control.datasets.versions import KnownVersions, find_version
from danlu.domain.datasets.access import mode_of
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.datasets.reference import read_reference
from danlu.domain.errors import DanluError, FieldError, NotFound
from danlu.domain.mount import Mount
from danlu.domain.permissions import Caller
from danlu.domain.terms import no_such
from danlu.domain.words import Words
from danlu.files.mistakes import Loc

_LISTED = Words(
    "`danlu dataset ls` lists the datasets that you may mount, `danlu dataset versions NAME` their versions",
    "可用 `danlu dataset ls` 查看可挂载的数据集，用 `danlu dataset versions NAME` 查看其版本",
)


class KnownDatasets(KnownVersions, Protocol):
    """What is read of datasets."""

    def dataset(self, dataset_id: str) -> Dataset | None: ...

    def find_dataset(self, owner: str, name: str) -> Dataset | None: ...

    def version_by_id(self, version_id: str) -> Version | None: ...


def with_version(
    store: KnownDatasets, loc: Loc, mount: Mount, caller: Caller
) -> tuple[Mount, list[FieldError]]:
    """The mount with the version that its reference means now, or meant when the job was written."""
    try:
        one, version = _named(store, mount, caller)
    except DanluError as error:
        return mount, [
            FieldError((*loc, "dataset"), "no_such_dataset", error.text, mount.dataset, hint=_LISTED)
        ]
    title = f"{one.title}@{version.name}"
    return replace(mount, dataset=title, version=version.id, cluster=""), []


def _named(store: KnownDatasets, mount: Mount, caller: Caller) -> tuple[Dataset, Version]:
    """Of a dataset that the caller may read; NotFound."""
    version = store.version_by_id(mount.version) if mount.version else None
    ref = read_reference(mount.dataset)
    owner, _, name = ref.dataset.rpartition(":")
    one = store.dataset(version.dataset) if version else store.find_dataset(owner or caller.name, name)
    if one is None or one.trashed_at is not None or mode_of(caller, one) is None:
        raise NotFound(no_such("dataset", ref.dataset))
    return one, version or find_version(store, one, ref.version)
