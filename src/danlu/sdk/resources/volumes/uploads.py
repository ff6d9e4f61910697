"""Uploads by tus 1.0: in parts with checksums, which go on after a break, and when the same file is sent again."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import time
from typing import IO, TYPE_CHECKING, Callable, Protocol

from danlu.domain.file_names import escaped_path
from danlu.domain.words import say
from danlu.sdk.http.errors import (
    BadFile,
    Conflict,
    DanluError,
    DiskFull,
    NameTaken,
    NotFound,
    TooMany,
    Unavailable,
    Unreachable,
    UploadLocked,
    WrongChecksum,
)
from danlu.sdk.http.paths import segment

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http
    from danlu.sdk.resources.downloads import OnBytes

PART = 8 << 20
AT_ONCE = 1 << 20
"""So small a file is sent with the request that begins its upload."""
_TRIES = 7
_TYPE = "application/offset+octet-stream"
_TUS = {"Tus-Resumable": "1.0.0"}
_PASSING = (Unreachable, Unavailable, TooMany, UploadLocked, WrongChecksum, Conflict)


class Sendable(Protocol):
    """What is sent: `modified` in milliseconds since 1970, if it is known."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def modified(self) -> int | None: ...

    @property
    def executable(self) -> bool: ...

    def read(self, offset: int, length: int) -> bytes:
        """As many bytes from there; fewer only if it was cut meanwhile."""


class LocalFile:
    """Implements Sendable. A plain file: a pipe could not be sent again from where it stopped."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._file = _opened(path)
        found = os.fstat(self._file.fileno())
        self.size, self.modified = found.st_size, found.st_mtime_ns // 1_000_000
        self.executable = bool(found.st_mode & stat.S_IXUSR)

    def __enter__(self) -> LocalFile:
        return self

    def __exit__(self, *why: object) -> None:
        self._file.close()

    def read(self, offset: int, length: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(length)


class FileUpload:
    """One file on its way into a volume; `path` is where it will be there."""

    def __init__(
        self,
        http: Http,
        volume: str,
        what: Sendable,
        path: str,
        overwrite: bool = False,
        progress: OnBytes | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http, self._what, self._path, self._overwrite = http, what, path, overwrite
        self._at = f"volumes/{segment(volume)}/uploads"
        self._progress, self._wait = progress, wait

    def send(self) -> None:
        """NameTaken if something has that name and is not to be overwritten. What passes by itself (no connection, too
        much at once) is tried again for a while."""
        offset, upload, failures = 0, "", 0
        while True:
            try:
                if not upload and self._what.size <= AT_ONCE:
                    self._send_whole()
                    return
                if not upload:
                    upload, offset = self._begun()
                elif failures:
                    offset = self._offset(upload)
                self._tell(offset)
                if offset >= self._what.size:
                    return
                offset, failures = self._part(upload, offset), 0
            except NotFound:
                # Forgotten meanwhile: it begins anew, unless the volume itself is not there.
                if not upload or failures >= _TRIES:
                    raise
                upload, failures = "", failures + 1
            except _PASSING as why:
                if failures and isinstance(why, NameTaken) and self._is_there():
                    return  # it arrived; only the answer did not
                failures += 1
                if isinstance(why, (NameTaken, DiskFull)) or failures >= _TRIES:
                    raise
                self._wait(min(30.0, 0.25 * 2**failures))

    def _begun(self) -> tuple[str, int]:
        """The upload that was begun before, if the file is still the same; else a new one."""
        wanted = (escaped_path(os.fsencode(self._path)), self._what.size, self._overwrite)
        for one in self._http.json("GET", self._at)["items"]:
            known = (one["path"], one["size"], one["overwrite"])
            if known == wanted and _millis(one["modified"]) == self._what.modified:
                return str(one["id"]), self._offset(str(one["id"]))
        _, _, answered = self._http.send("POST", self._at, headers=self._about(), harmless=True)
        return _header(answered, "location").rpartition("/")[2], 0

    def _about(self) -> dict[str, str]:
        about = {"path": escaped_path(os.fsencode(self._path))}
        if self._what.modified is not None:
            about["modified"] = str(self._what.modified)
        if self._overwrite:
            about["overwrite"] = "true"
        if self._what.executable:
            about["executable"] = "true"
        told = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in about.items())
        return {**_TUS, "Upload-Length": str(self._what.size), "Upload-Metadata": told}

    def _send_whole(self) -> None:
        data = self._what.read(0, self._what.size) if self._what.size else b""
        if len(data) < self._what.size:
            raise self._cut()
        headers = {**self._about(), **(_checked(data) if data else {})}
        self._http.send("POST", self._at, body=data or None, headers=headers, harmless=False)
        self._tell(len(data))

    def _is_there(self) -> bool:
        """Whether the file in its place is ours, as far as its size and time tell."""
        query = {"path": escaped_path(os.fsencode(self._path))}
        asked = {"Range": "bytes=0-0", "Accept": "*/*"}
        address = self._at.rpartition("/")[0] + "/file"
        try:
            status, data, answered = self._http.send("GET", address, query, headers=asked)
        except DanluError:
            return False
        size = int(_header(answered, "content-range").rpartition("/")[2]) if status == 206 else len(data)
        from email.utils import parsedate_to_datetime

        told = _header(answered, "last-modified")
        when = parsedate_to_datetime(told).timestamp() if told else -1
        return (size, when) == (self._what.size, (self._what.modified or 0) // 1000)

    def _offset(self, upload: str) -> int:
        _, _, answered = self._http.send("HEAD", f"{self._at}/{segment(upload)}", headers=_TUS)
        return int(_header(answered, "upload-offset") or 0)

    def _part(self, upload: str, offset: int) -> int:
        data = self._what.read(offset, min(PART, self._what.size - offset))
        if not data:
            raise self._cut()
        headers = {**_TUS, "Upload-Offset": str(offset), **_checked(data)}
        _, _, answered = self._http.send("PATCH", f"{self._at}/{segment(upload)}", body=data, headers=headers)
        return int(_header(answered, "upload-offset") or offset + len(data))

    def _cut(self) -> BadFile:
        return BadFile(
            say("{path} was cut while it was sent", "{path} 在上传过程中被截短", path=self._what.name)
        )

    def _tell(self, offset: int) -> None:
        if self._progress:
            self._progress(offset, self._what.size)


def _checked(data: bytes) -> dict[str, str]:
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return {"Content-Type": _TYPE, "Upload-Checksum": f"sha256 {digest}"}


def _opened(path: str) -> IO[bytes]:
    """A plain file: a pipe could not be sent again from where it stopped."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadFile(say("{path} is no plain file", "{path} 不是普通文件", path=path))
        return open(path, "rb")
    except OSError as why:
        raise BadFile(
            say("{path} cannot be read: {why}", "无法读取 {path}：{why}", path=path, why=why.strerror or why)
        ) from why


def _header(answered: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in answered if key.lower() == name), "")


def _millis(moment: str | None) -> int | None:
    if not moment:
        return None
    from datetime import datetime, timezone

    when = datetime.strptime(moment[:23].rstrip("Z"), "%Y-%m-%dT%H:%M:%S.%f")
    gone = when.replace(tzinfo=timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return round(gone.total_seconds() * 1000)
