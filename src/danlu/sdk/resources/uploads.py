"""Uploads by tus 1.0: in parts with checksums, which go on after a break, and when the same file is sent again."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import time
from typing import IO, TYPE_CHECKING, Callable

from danlu.domain.file_names import escaped_path
from danlu.domain.words import say
from danlu.sdk.http.errors import (
    BadFile,
    Conflict,
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
_TRIES = 6
_TYPE = "application/offset+octet-stream"
_TUS = {"Tus-Resumable": "1.0.0"}
_PASSING = (Unreachable, Unavailable, TooMany, UploadLocked, WrongChecksum, Conflict)


class FileUpload:
    """One file on its way into a volume; `path` is where it will be there."""

    def __init__(
        self,
        http: Http,
        volume: str,
        local: str,
        path: str,
        overwrite: bool = False,
        progress: OnBytes | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http, self._local, self._path, self._overwrite = http, local, path, overwrite
        self._at = f"volumes/{segment(volume)}/uploads"
        self._progress, self._wait = progress, wait

    def send(self) -> None:
        """NameTaken if something has that name and is not to be overwritten. What passes by itself (no connection, too
        much at once) is tried again for a while."""
        with _opened(self._local) as file:
            found = os.fstat(file.fileno())
            offset, upload, failures = 0, "", 0
            while True:
                try:
                    if not upload:
                        upload, offset = self._begun(found)
                    elif failures:
                        offset = self._offset(upload)
                    self._tell(offset, found.st_size)
                    if offset >= found.st_size:
                        return
                    offset, failures = self._part(file, upload, offset), 0
                except NotFound:
                    # Forgotten meanwhile: it begins anew, unless the volume itself is not there.
                    if not upload or failures >= _TRIES:
                        raise
                    upload, failures = "", failures + 1
                except _PASSING as why:
                    failures += 1
                    if isinstance(why, (NameTaken, DiskFull)) or failures >= _TRIES:
                        raise
                    self._wait(min(30.0, 0.25 * 2**failures))

    def _begun(self, found: os.stat_result) -> tuple[str, int]:
        """The upload that was begun before, if the file is still the same; else a new one."""
        modified = found.st_mtime_ns // 1_000_000
        path = escaped_path(os.fsencode(self._path))
        for one in self._http.json("GET", self._at)["items"]:
            if (one["path"], one["size"]) == (path, found.st_size) and _millis(one["modified"]) == modified:
                return str(one["id"]), self._offset(str(one["id"]))
        about = {"path": path, "modified": str(modified)}
        if self._overwrite:
            about["overwrite"] = "true"
        if found.st_mode & stat.S_IXUSR:
            about["executable"] = "true"
        told = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in about.items())
        headers = {**_TUS, "Upload-Length": str(found.st_size), "Upload-Metadata": told}
        _, _, answered = self._http.send("POST", self._at, headers=headers, harmless=True)
        return _header(answered, "location").rpartition("/")[2], 0

    def _offset(self, upload: str) -> int:
        _, _, answered = self._http.send("HEAD", f"{self._at}/{segment(upload)}", headers=_TUS)
        return int(_header(answered, "upload-offset") or 0)

    def _part(self, file: IO[bytes], upload: str, offset: int) -> int:
        file.seek(offset)
        data = file.read(PART)
        if not data:
            raise BadFile(
                say("{path} was cut while it was sent", "{path} 在上传过程中被截短", path=self._local)
            )
        digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
        headers = {
            **_TUS,
            "Upload-Offset": str(offset),
            "Content-Type": _TYPE,
            "Upload-Checksum": f"sha256 {digest}",
        }
        _, _, answered = self._http.send("PATCH", f"{self._at}/{segment(upload)}", body=data, headers=headers)
        return int(_header(answered, "upload-offset") or offset + len(data))

    def _tell(self, offset: int, size: int) -> None:
        if self._progress:
            self._progress(offset, size)


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
