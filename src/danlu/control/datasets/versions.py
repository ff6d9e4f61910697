"""Versions of datasets: found by number or tag, tagged, compared, read and removed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from danlu.control.datasets.datasets import Datasets
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.datasets.reference import LATEST, may_be_tag, number_of
from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound
from danlu.domain.permissions import Caller
from danlu.domain.terms import no_such
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.datasets.contents import Contents, VersionChange
from danlu.ports.datasets.records import DatasetStore


class KnownVersions(Protocol):
    """What is read of versions."""

    def version(self, dataset_id: str, number: int | None) -> Version | None: ...

    def tagged(self, dataset_id: str, tag: str) -> Version | None: ...


class Versions:
    """Any thread."""

    def __init__(self, store: DatasetStore, datasets: Datasets, contents: Contents, clock: Clock) -> None:
        self._store, self._datasets, self._contents, self._clock = store, datasets, contents, clock

    def list(
        self, caller: Caller, ref: str, before: int | None, limit: int
    ) -> tuple[Dataset, tuple[Version, ...]]:
        """The newest first."""
        one = self._datasets.get(caller, ref)
        return one, self._store.versions(one.id, before, limit)

    def get(self, caller: Caller, ref: str, version: str) -> tuple[Dataset, Version]:
        """By `v3`, `3`, a tag or `latest`, of a dataset that they may know of."""
        one = self._datasets.get(caller, ref)
        return one, find_version(self._store, one, version)

    def open(self, caller: Caller, ref: str, version: str) -> tuple[Dataset, Version, Contents]:
        """To read its files."""
        one = self._datasets.usable(caller, ref)
        found = find_version(self._store, one, version)
        return one, found, self._contents.dated(found.created_at)

    def tag(self, caller: Caller, ref: str, tag: str, version: str) -> Version:
        """Give a tag to a version; another loses it."""
        check_tags((tag,))
        one = self._datasets.usable(caller, ref, write=True)
        found = find_version(self._store, one, version)
        self._store.tag_version(one.id, tag, found.number, self._clock.now(), by=caller.entry("tagged", ""))
        return find_version(self._store, one, found.name)

    def untag(self, caller: Caller, ref: str, tag: str) -> None:
        if tag == LATEST:
            raise Conflict(_ALWAYS_LATEST)
        one = self._datasets.usable(caller, ref, write=True)
        if self._store.tagged(one.id, tag) is None:
            raise NotFound(_NO_TAG.fill(name=one.name, tag=tag))
        self._store.tag_version(one.id, tag, None, self._clock.now(), by=caller.entry("untagged", ""))

    def remove(self, caller: Caller, ref: str, version: str) -> None:
        """Conflict while an active job uses it."""
        one = self._datasets.own(caller, ref)
        found = find_version(self._store, one, version)
        self._store.remove_version(found, self._clock.now(), by=caller.entry("deleted", ""))

    def differences(
        self, caller: Caller, ref: str, old: str | None, new: str, after: bytes, limit: int
    ) -> tuple[Version | None, Version, tuple[VersionChange, ...]]:
        """What is in the newer and not, or not the same, in the older, by default the one before it; at most so many,
        by path."""
        one = self._datasets.usable(caller, ref)
        second = find_version(self._store, one, new)
        before = self._store.versions(one.id, second.number, 1)
        first = find_version(self._store, one, old) if old else next(iter(before), None)
        found: Iterator[VersionChange] = self._contents.differences(
            first.root if first else None, second.root, after
        )
        return first, second, tuple(islice(found, limit))


def find_version(store: KnownVersions, one: Dataset, version: str) -> Version:
    """NotFound tells of a dataset without versions apart from a version that is not there."""
    number = number_of(version)
    if number is not None:
        found = store.version(one.id, number)
    elif version == LATEST:
        found = store.version(one.id, None)
        if found is None:
            raise NotFound(_NONE_YET.fill(name=one.name))
    else:
        found = store.tagged(one.id, version)
    if found is None:
        raise NotFound(no_such("version", f"{one.name}@{version}"))
    return found


def check_tags(tags: tuple[str, ...], loc: tuple[str | int, ...] = ("tag",)) -> None:
    wrong = [tag for tag in tags if not may_be_tag(tag)]
    if wrong:
        raise Invalid(
            tuple(FieldError(loc, "bad_tag", _NO_NAME.fill(tag=tag[:100]), tag[:100]) for tag in wrong)
        )


_NO_NAME = Words(
    "'{tag}' cannot be a tag: 1–63 lower-case letters, digits, -, _ and ., not `latest` and not a number such as v3",
    "“{tag}”不能作为标签：应为 1–63 个小写字母、数字、-、_ 和 .，不能是 latest，也不能是 v3 这样的编号",
)
_ALWAYS_LATEST = Words(
    "latest is always the newest version and cannot be taken away",
    "latest 始终指向最新版本，不能移除",
)
_NO_TAG = Words("no version of {name} has the tag {tag}", "{name} 没有带标签 {tag} 的版本")
_NONE_YET = Words(
    "dataset {name} has no version yet; make one: danlu dataset snapshot {name} VOLUME:/path",
    "数据集 {name} 还没有版本。可以这样生成：danlu dataset snapshot {name} VOLUME:/path",
)
