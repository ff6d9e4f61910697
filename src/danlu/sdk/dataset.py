"""`danlu.dataset("name@v3")`: a version to read, from its folder in a task that mounts it, else from the server.

    for path, data in danlu.dataset("cifar@v3"):
        ...

Each rank of a distributed training gets its own share of the files; `shuffle(seed, epoch)` mixes them."""

from __future__ import annotations

import hashlib
import json
import os
from io import BytesIO
from itertools import islice
from typing import IO, TYPE_CHECKING, Iterator, NamedTuple

from danlu.domain.words import say
from danlu.sdk.http.errors import DownloadFailed, NotFound
from danlu.sdk.resources.datasets.cache import ContentCache
from danlu.sdk.resources.datasets.datasets import split

if TYPE_CHECKING:
    from danlu.sdk.client import Client

MOUNTED = "DANLU_DATASETS"
CACHE_BYTES = 20 << 30
_TRIES = 3


class DatasetSample(NamedTuple):
    """A file and what it holds."""

    path: str
    data: bytes


def dataset(
    ref: str,
    rank: int | None = None,
    world: int | None = None,
    cache: str | None = None,
    cache_bytes: int = CACHE_BYTES,
    client: Client | None = None,
) -> DatasetReader:
    """A version of a dataset: NAME@v3, NAME@TAG, OWNER:NAME@v3, or NAME for the newest.

    In a task that mounts it, files are read where they are, and `path` is their folder. Elsewhere they are fetched
    from the server one by one, checked against their SHA-256, and kept in the folder `cache` (by default
    ~/.cache/danlu/datasets) within `cache_bytes`. `rank` and `world` say which share of the files comes, by default
    DANLU_RANK and DANLU_WORLD_SIZE."""
    path = mounted(ref)
    share = _Share.of(rank, world)
    if path is not None:
        return DatasetReader(path, share, None)
    if client is None:
        from danlu.sdk.client import Client

        client = Client()
    found = client.datasets.version(ref)
    pinned = f"{split(ref)[0]}@{found.version}"
    home = cache or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "danlu", "datasets"
    )
    return DatasetReader(None, share, _Remote(client, pinned, ContentCache(home, cache_bytes)))


def mounted(ref: str) -> str | None:
    """Where this task finds a version; None if it mounts none of that name. A tag finds the version that is mounted."""
    try:
        known = json.loads(os.environ.get(MOUNTED, "{}"))
    except ValueError:
        return None
    name, version = split(ref)
    wanted = version if version.startswith("v") else f"v{version}"
    found = []
    for title, path in known.items():
        of, number = split(title)
        if name in (of, of.rpartition(":")[2]):
            if number == wanted:
                return str(path)
            found.append(path)
    numbered = wanted[1:].isdigit()
    return str(found[0]) if len(found) == 1 and not numbered else None


class DatasetReader:
    """The files of a version, or a share of them; `path` is the folder of a mounted one, None elsewhere. Whenever it is
    iterated over, it tells the same files in the same order."""

    def __init__(
        self,
        path: str | None,
        share: _Share,
        remote: _Remote | None,
        mix: _Mix | None = None,
        skipped: int = 0,
    ) -> None:
        self.path, self._share, self._remote = path, share, remote
        self._mix, self._skipped = mix, skipped
        self._count: int | None = None

    @property
    def rank(self) -> int:
        return self._share.rank

    @property
    def world(self) -> int:
        return self._share.world

    def __fspath__(self) -> str:
        if self.path is None:
            raise TypeError(
                "this dataset is not mounted here and has no folder: read its files by iterating over it, or download "
                "it with client.datasets.download"
            )
        return self.path

    def shard(self, rank: int, world: int) -> DatasetReader:
        """Every `world`-th file, beginning with number `rank`: no file comes twice, and none is missing."""
        return DatasetReader(self.path, _Share.of(rank, world), self._remote, self._mix, self._skipped)

    def shuffle(self, seed: int = 0, epoch: int = 0) -> DatasetReader:
        """The same files in another order, which follows from `seed` and `epoch` alone: on any machine, whether mounted
        or not. All files are mixed, and shares taken of that: every epoch each rank has others."""
        return DatasetReader(self.path, self._share, self._remote, _Mix(seed, epoch), self._skipped)

    def skip(self, count: int) -> DatasetReader:
        """Without the first `count` files of this share: to go on where a training was within its epoch."""
        if count < 0:
            raise ValueError(f"{count} files cannot be skipped")
        return DatasetReader(self.path, self._share, self._remote, self._mix, count)

    def files(self) -> Iterator[str]:
        """The paths of this share's files, in their order; links are left out."""
        own = (path for at, path in enumerate(self._paths()) if self._share.has(at))
        return islice(own, self._skipped, None)

    def __len__(self) -> int:
        """How many files this share has; the first time, all are listed."""
        if self._count is None:
            total = sum(1 for _ in self._listed())
            self._count = self._share.part_of(total)
        return max(0, self._count - self._skipped)

    def _paths(self) -> Iterator[str]:
        return self._listed() if self._mix is None else iter(self._mix.of(list(self._listed())))

    def _listed(self) -> Iterator[str]:
        return _walk(self.path) if self._remote is None else self._remote.paths()

    def read(self, path: str) -> bytes:
        """What a file holds."""
        if self._remote is None:
            with self.open(path) as file:
                return file.read()
        return self._remote.read(path)

    def open(self, path: str) -> IO[bytes]:
        """A file, opened to read."""
        if self._remote is not None:
            return self._remote.open(path)
        assert self.path is not None
        if path.startswith("/") or ".." in path.split("/"):
            raise ValueError(f"a path leads down from the dataset's folder: {path!r}")
        return open(os.path.join(self.path, path), "rb")  # the reader closes it

    def __iter__(self) -> Iterator[DatasetSample]:
        for path in self.files():
            yield DatasetSample(path, self.read(path))


class _Share(NamedTuple):
    rank: int
    world: int

    @classmethod
    def of(cls, rank: int | None, world: int | None) -> _Share:
        own = cls(
            int(os.environ.get("DANLU_RANK", "0")) if rank is None else rank,
            int(os.environ.get("DANLU_WORLD_SIZE", "1")) if world is None else world,
        )
        if not 0 <= own.rank < own.world:
            raise ValueError(f"rank {own.rank} is none of {own.world}: it counts from 0")
        return own

    def has(self, number: int) -> bool:
        return number % self.world == self.rank

    def part_of(self, total: int) -> int:
        """How many numbers below `total` it has."""
        return (total - self.rank + self.world - 1) // self.world


class _Mix(NamedTuple):
    """An order that follows from two numbers; SHA-256 is the same in every Python, which `random` does not promise."""

    seed: int
    epoch: int

    def of(self, paths: list[str]) -> list[str]:
        start = f"{self.seed} {self.epoch} ".encode()

        def place(path: str) -> tuple[bytes, str]:
            return hashlib.sha256(start + os.fsencode(path)).digest(), path

        return sorted(paths, key=place)


class _Remote:
    """A version on the server; what was fetched once is kept."""

    def __init__(self, client: Client, ref: str, cache: ContentCache) -> None:
        self._client, self._ref, self._cache = client, ref, cache
        self._digests: dict[str, str] | None = None

    def paths(self) -> Iterator[str]:
        return iter(self._listed())

    def read(self, path: str) -> bytes:
        digest = self._digest(path)
        data = self._cache.get(digest)
        if data is None:
            data = self._fetched(path, digest)
            self._cache.put(digest, data)
        return data

    def open(self, path: str) -> IO[bytes]:
        return BytesIO(self.read(path))

    def _fetched(self, path: str, digest: str) -> bytes:
        for _ in range(_TRIES):
            data = self._client.datasets.read(self._ref, path)
            if hashlib.sha256(data).hexdigest() == digest:
                return data
        raise DownloadFailed(
            say(
                "what came of '{path}' is not what {ref} holds: verify it with danlu dataset verify {ref}",
                "收到的“{path}”与 {ref} 中的内容不符；请用 danlu dataset verify {ref} 校验",
                path=path,
                ref=self._ref,
            )
        )

    def _digest(self, path: str) -> str:
        found = self._listed().get(path)
        if found is None:
            raise NotFound(
                say(
                    "there is no file '{path}' in {ref}", "{ref} 中没有文件“{path}”", path=path, ref=self._ref
                )
            )
        return found

    def _listed(self) -> dict[str, str]:
        if self._digests is None:
            files = self._client.datasets.files(self._ref)
            self._digests = {one.path: one.digest for one in files if one.kind == "file"}
        return self._digests


def _walk(folder: str | None) -> Iterator[str]:
    """Files below a folder in the order in which the server tells them; links are left out."""
    assert folder is not None
    return _walk_below(folder, "")


def _walk_below(folder: str, path: str) -> Iterator[str]:
    with os.scandir(os.path.join(folder, path)) as entries:
        found = sorted(
            (os.fsencode(one.name) + (b"/" if one.is_dir(follow_symlinks=False) else b""), one.name)
            for one in entries
            if not one.is_symlink()
        )
    for key, name in found:
        here = f"{path}/{name}" if path else name
        if key.endswith(b"/"):
            yield from _walk_below(folder, here)
        else:
            yield here
