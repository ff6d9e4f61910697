"""Buckets of S3 and what speaks like it: listed, read and written by obstore."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Iterator

from danlu.domain.words import Words, say
from danlu.sdk.copying.ends.descent import taken
from danlu.sdk.copying.entries import CHUNK, CopyEntry, Readable, Seen, Wanted
from danlu.sdk.http.errors import (
    BadFile,
    NeedsExtra,
    NotAllowed,
    NotFound,
    SourceChanged,
    StoreFailed,
    StorePassing,
)

if TYPE_CHECKING:
    from danlu.sdk.copying.ends.sign_in import SignIn

_MODIFIED, _EXECUTABLE = "mtime", "executable"
"""What is kept with an object, as text: when the file was modified, in seconds since 1970, as rclone keeps it."""
_NS = 1_000_000_000
_PART, _AT_ONCE = 8 << 20, 4


class BucketEnd:
    """What lies below a prefix of a bucket. The times of a listing only say when objects came there."""

    is_ranged = True

    def __init__(self, bucket: str, prefix: str, sign_in: SignIn) -> None:
        try:
            import obstore
            from obstore import exceptions
            from obstore.store import S3Store
        except ImportError:
            raise NeedsExtra(_NO_OBSTORE) from None
        self._api: Any = obstore
        self._errors: Any = exceptions
        self._prefix = prefix.strip("/")
        self.place = f"s3://{bucket}"
        with self._translated():
            self._store = S3Store(bucket, **sign_in.settings())

    def look(self, key: bytes) -> CopyEntry | None:
        path = self._path(key)
        if path:
            with self._translated(), contextlib.suppress(FileNotFoundError):
                return self.known(self._entry(key, self._api.head(self._store, path)))
        with self._translated():
            below = next(iter(self._api.list(self._store, path or None, chunk_size=1)), None)
        return CopyEntry(key.rstrip(b"/") + b"/") if below or not path else None

    def entries(self, wanted: Wanted, seen: Seen) -> Iterator[CopyEntry]:  # noqa: ARG002
        skip = len(self._prefix.encode()) + 1 if self._prefix else 0
        with self._translated():
            for some in self._api.list(self._store, self._prefix or None, chunk_size=1000):
                for one in some:
                    key = one["path"].encode()[skip:]
                    # An object at the prefix itself, or a mark for a folder, is no file below it.
                    if key and not key.endswith(b"/") and wanted.takes(key):
                        yield self._entry(key, one)

    def known(self, entry: CopyEntry) -> CopyEntry:
        with self._translated():
            found = self._api.get(self._store, self._path(entry.key), options={"head": True})
            return _with_attributes(entry, found.attributes)

    def open(self, entry: CopyEntry) -> OpenedObject:
        """A small object comes with its attributes, in one answer."""
        if not entry.size or entry.size > CHUNK:
            return OpenedObject(self, self.known(entry) if entry.vague else entry)
        options = {"if_match": entry.tag} if entry.tag else {}
        with self._translated():
            found = self._api.get(self._store, self._path(entry.key), options=options)
            data = bytes(found.bytes())
        return OpenedObject(self, _with_attributes(entry, found.attributes), data)

    def read(self, entry: CopyEntry, offset: int, length: int) -> bytes:
        options = {"range": (offset, offset + length), **({"if_match": entry.tag} if entry.tag else {})}
        with self._translated():
            return bytes(self._api.get(self._store, self._path(entry.key), options=options).bytes())

    def put(self, key: bytes, content: Readable, replaces: bool) -> None:
        entry = content.entry
        path, told = self._path(key), _attributes(entry)
        if 0 <= entry.size <= CHUNK:
            data = content.whole()
            content.check()
            mode = "overwrite" if replaces else "create"
            with self._translated():
                self._api.put(self._store, path, data, attributes=told, use_multipart=False, mode=mode)
            return
        if not replaces and self._is_there(key):
            raise taken()
        pieces = _Pieces(content)
        try:
            with self._translated():
                self._api.put(
                    self._store,
                    path,
                    pieces,
                    attributes=told,
                    chunk_size=_PART if entry.size < _PART * 10_000 else -(-entry.size // 10_000),
                    max_concurrency=_AT_ONCE,
                )
        except StoreFailed as why:
            # What our own side could not read comes back through the store's library as one of its errors.
            raise pieces.why or why from None

    def make_folder(self, key: bytes) -> None:
        """There are none in a bucket."""

    def remove(self, keys: list[bytes]) -> list[tuple[bytes, Exception]]:
        failed: list[tuple[bytes, Exception]] = []
        paths = [self._path(key) for key in keys if not key.endswith(b"/")]
        try:
            with self._translated():
                if paths:
                    self._api.delete(self._store, paths)
        except Exception as why:
            failed = [(key, why) for key in keys]
        return failed

    def close(self) -> None:
        pass

    def _is_there(self, key: bytes) -> bool:
        try:
            with self._translated():
                self._api.head(self._store, self._path(key))
        except FileNotFoundError:
            return False
        return True

    def _path(self, key: bytes) -> str:
        try:
            path = key.rstrip(b"/").decode()
        except UnicodeDecodeError:
            raise BadFile(_NO_TEXT) from None
        return f"{self._prefix}/{path}" if self._prefix and path else path or self._prefix

    def _entry(self, key: bytes, meta: Any) -> CopyEntry:
        modified = int(meta["last_modified"].timestamp() * 1000) * 1_000_000
        return CopyEntry(key, meta["size"], modified, step=1, vague=True, tag=meta["e_tag"] or "")

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        errors = self._errors
        try:
            yield
        except FileNotFoundError as why:
            if "NoSuchBucket" in str(why):
                raise NotFound(
                    say("there is no bucket {place}", "没有存储桶 {place}", place=self.place)
                ) from None
            raise
        except (errors.PermissionDeniedError, errors.UnauthenticatedError):
            raise NotAllowed(_NOT_ALLOWED.fill(place=self.place)) from None
        except errors.AlreadyExistsError:
            raise taken() from None
        except errors.PreconditionError:
            raise SourceChanged(_CHANGED) from None
        except errors.BaseError as why:
            raise self._told(why) from None

    def _told(self, why: Exception) -> Exception:
        text = " ".join(str(why).partition("Debug source")[0].split())
        if "invalid path" in text:
            return StoreFailed(_ODD_KEY.fill(why=text[:300], place=self.place))
        if "AccessDenied" in text or "SignatureDoesNotMatch" in text or "InvalidAccessKeyId" in text:
            return NotAllowed(_NOT_ALLOWED.fill(place=self.place))
        if "NoSuchBucket" in text:
            return NotFound(say("there is no bucket {place}", "没有存储桶 {place}", place=self.place))
        return StorePassing(say("{place}: {why}", "{place}：{why}", place=self.place, why=text[:300]))


class OpenedObject:
    """One version, by its tag."""

    def __init__(self, end: BucketEnd, entry: CopyEntry, data: bytes | None = None) -> None:
        self._end, self.entry, self._data = end, entry, data

    def read(self, offset: int, length: int) -> bytes:
        if self._data is not None:
            data = self._data[offset : offset + length]
        else:
            data = self._end.read(self.entry, offset, length) if length else b""
        if len(data) != length:
            raise SourceChanged(_CHANGED)
        return data

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Pieces:
    """In order, remembering what went wrong."""

    def __init__(self, content: Readable) -> None:
        self._content, self._pieces = content, content.pieces()
        self.why: Exception | None = None

    def __iter__(self) -> _Pieces:
        return self

    def __next__(self) -> bytes:
        try:
            piece = next(self._pieces, None)
            if piece is None:
                self._content.check()
        except Exception as why:
            self.why = why
            raise
        if piece is None:
            raise StopIteration
        return piece


def _attributes(entry: CopyEntry) -> dict[str, str]:
    told = {}
    if entry.modified is not None:
        told[_MODIFIED] = f"{entry.modified // _NS}.{entry.modified % _NS:09d}"
    if entry.executable:
        told[_EXECUTABLE] = "1"
    return told


def _with_attributes(entry: CopyEntry, attributes: Any) -> CopyEntry:
    told = {str(name).lower(): str(value) for name, value in dict(attributes).items()}
    modified = _nanoseconds(told.get(_MODIFIED, ""))
    found = entry._replace(vague=False, executable=told.get(_EXECUTABLE) == "1")
    return found if modified is None else found._replace(modified=modified)


def _nanoseconds(told: str) -> int | None:
    seconds, _, rest = told.partition(".")
    if not seconds.isdigit() or (rest and not rest.isdigit()) or len(seconds) > 11:
        return None
    return int(seconds) * _NS + int(rest[:9].ljust(9, "0") or "0")


_NO_OBSTORE = Words(
    "buckets need a package that is installed separately: pip install 'danlu[data]'",
    "访问存储桶需要另行安装软件包：pip install 'danlu[data]'",
)
_ODD_KEY = Words(
    "{place} has a key that cannot be a path ({why}); copy from a prefix that does not have it",
    "{place} 中有不能作为路径的键（{why}）；请从不含该键的前缀复制",
)
_NO_TEXT = Words(
    "its name is no UTF-8, which keys of a bucket must be; rename it",
    "其名称不是 UTF-8，而存储桶中的键必须是；请将其改名",
)
_NOT_ALLOWED = Words(
    "{place} does not let you in: check the key, the secret and the region (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "
    "AWS_REGION, or --profile), and what they may do there",
    "{place} 拒绝访问：请检查密钥、私钥与区域（AWS_ACCESS_KEY_ID、AWS_SECRET_ACCESS_KEY、AWS_REGION 或 --profile），"
    "以及它们在该处的权限",
)
_CHANGED = Words(
    "it was changed while it was copied; run the command again", "复制期间文件被修改；请再次运行该命令"
)
