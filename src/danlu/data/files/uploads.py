"""Uploads into volumes: Implements ports.volumes.uploads.Uploads on this machine's disk.

uploads/<id>         what came so far; its size is how much, so that nothing else has to be kept in step with it
uploads/<id>.json    what was wished. Alone it says that the file is in its place: moving it there is the last step"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import stat
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from danlu.data.files.descent import exists, move_new, parent_of
from danlu.data.files.drafts import dress_file, parent_made, room_of
from danlu.domain.file_names import BadPath, escaped_path, path_of
from danlu.domain.job import Time
from danlu.ports import beneath
from danlu.ports.volumes.changing import Hand, VolumeFolders
from danlu.ports.volumes.uploads import Checksum, Damaged, Upload, UploadBusy, UploadWish, WrongOffset

UPLOADS = "uploads"
_ID = re.compile(r"[0-9a-f]{32}")
_LONGEST_NOTE = 64 << 10
_PIECE = 1 << 20
_SURE = "sure"
"""In a note: only so many bytes count, of an upload whose parts have checksums."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class DiskUploads:
    def begin(self, at: VolumeFolders, wish: UploadWish, now: Time) -> Upload:
        # Folders that are missing are made in the end.
        with contextlib.suppress(FileNotFoundError), parent_of(at.place(wish.path)) as (above, name):
            _may_take(above, name, wish)
        upload_id = secrets.token_hex(16)
        with room_of(at, UPLOADS) as room:
            os.close(os.open(upload_id, _NEW, 0o600, dir_fd=room))
            _write_note(room, upload_id, {**_told(wish), "began_at": now})
        return Upload(upload_id, wish, now, 0)

    def find(self, at: VolumeFolders, upload_id: str) -> Upload | None:
        if not _ID.fullmatch(upload_id):
            return None
        try:
            note = _read_note(at, upload_id)
            upload = _upload(upload_id, note)
        except (OSError, ValueError, KeyError, TypeError, BadPath):
            return None
        found = beneath.look_at(at.aside, f"{UPLOADS}/{upload_id}")
        if found is None:
            return replace(upload, offset=upload.wish.size, done=True)
        return replace(upload, offset=min(found.st_size, note.get(_SURE, found.st_size)))

    def unfinished(self, at: VolumeFolders) -> tuple[Upload, ...]:
        with room_of(at, UPLOADS) as room:
            known = [self.find(at, name) for name in os.listdir(room) if _ID.fullmatch(name)]
        return tuple(sorted((one for one in known if one and not one.done), key=lambda one: one.began_at))

    def append(
        self, at: VolumeFolders, upload_id: str, offset: int, checksum: Checksum | None = None
    ) -> DiskPart:
        fd = _locked(at, upload_id)
        try:
            upload = self.find(at, upload_id)
            if upload is None or upload.done:
                raise FileNotFoundError(errno.ENOENT, "no such upload", upload_id)
            if upload.offset != offset:
                raise WrongOffset(upload.offset)
            os.ftruncate(fd, offset)
            return DiskPart(fd, at, upload, checksum)
        except BaseException:
            os.close(fd)
            raise

    def remove(self, at: VolumeFolders, upload_id: str) -> bool:
        if self.find(at, upload_id) is None:
            return False
        try:
            fd = _locked(at, upload_id)
        except FileNotFoundError:
            fd = -1
        with room_of(at, UPLOADS) as room:
            _forget(room, upload_id)
        if fd >= 0:
            os.close(fd)
        return True


class DiskPart:
    """Implements ports.volumes.uploads.UploadPart; holds the lock of its upload.

    Of an upload whose parts have checksums the note says how much is sure: one note a part, written when its bytes are
    on disk. Whatever came behind that does not count."""

    def __init__(self, fd: int, at: VolumeFolders, upload: Upload, checksum: Checksum | None) -> None:
        self.upload = upload
        self._fd, self._at, self._checksum = fd, at, checksum
        self._end = upload.offset
        self._seen = hashlib.new(checksum.algorithm) if checksum else None
        self._is_on_disk = True
        self._note_sure(upload.offset if checksum else None)

    def write(self, *pieces: bytes) -> None:
        if self._end + sum(map(len, pieces)) > self.upload.wish.size:
            raise ValueError("more than the upload has")
        if self._seen is not None:
            for piece in pieces:
                self._seen.update(piece)
        left: Sequence[bytes | memoryview] = pieces
        while left:
            self._is_on_disk = False
            written = os.pwritev(self._fd, left, self._end)
            self._end += written
            left = _behind(left, written)

    def finish(self, hand: Hand) -> Upload:
        is_whole = self._end == self.upload.wish.size
        if self._checksum is not None and self._seen is not None:
            if self._seen.digest() != self._checksum.digest:
                os.ftruncate(self._fd, self.upload.offset)
                self._end = self.upload.offset
                raise Damaged
            if not is_whole:
                self._settle()
                self._note_sure(self._end)
            self._checksum = None
        self.upload = replace(self.upload, offset=self._end)
        if is_whole:
            self._put_in_place(hand)
            self.upload = replace(self.upload, done=True)
        return self.upload

    def close(self) -> None:
        fd = self._fd
        if fd < 0:
            return
        try:
            if self._checksum is not None:
                os.ftruncate(fd, self.upload.offset)
            self._settle()
        finally:
            self._fd = -1
            os.close(fd)

    def _settle(self) -> None:
        if not self._is_on_disk:
            os.fsync(self._fd)
            self._is_on_disk = True

    def _put_in_place(self, hand: Hand) -> None:
        wish = self.upload.wish
        if wish.checksum is not None and _digest(self._at, self.upload) != wish.checksum.digest:
            with room_of(self._at, UPLOADS) as room:
                _forget(room, self.upload.id)
            raise Damaged
        dress_file(self._fd, hand, executable=wish.executable)
        if wish.modified is not None:
            os.utime(self._fd, ns=(wish.modified * 1_000_000, wish.modified * 1_000_000))
        os.fsync(self._fd)
        self._is_on_disk = True
        source = self.upload.id.encode()
        with (
            room_of(self._at, UPLOADS) as room,
            parent_made(self._at, wish.path, hand) as (above, name),
        ):
            if _may_take(above, name, wish):
                # A folder that came meanwhile is not replaced: the kernel refuses a file in place of it.
                os.rename(source, name, src_dir_fd=room, dst_dir_fd=above)
            else:
                move_new(room, source, above, name)
            os.fsync(above)

    def _note_sure(self, offset: int | None) -> None:
        """None: all that is there counts."""
        note = _read_note(self._at, self.upload.id)
        if note.pop(_SURE, None) == offset:
            return
        with room_of(self._at, UPLOADS) as room:
            _write_note(
                room, self.upload.id, note if offset is None else {**note, _SURE: offset}, replaces=True
            )


def _behind(pieces: Sequence[bytes | memoryview], count: int) -> list[bytes | memoryview]:
    """What is left of these after so many bytes."""
    left: list[bytes | memoryview] = []
    for piece in pieces:
        if count < len(piece):
            left.append(memoryview(piece)[count:] if count else piece)
        count = max(0, count - len(piece))
    return left


def forget_old(at: VolumeFolders, before: Time) -> int:
    """Remove uploads of which nothing came since, and notes of those that are in their place; how many."""
    with room_of(at, UPLOADS) as room:
        names = os.listdir(room)
        young = {_id_in(name) for name in names if _is_younger(room, name, before)}
        old = {_id_in(name) for name in names} - young
        for name in names:
            if _id_in(name) in old:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=room)
    return len(old)


def _id_in(name: str) -> str:
    return name.partition(".")[0]


def _is_younger(room: int, name: str, before: Time) -> bool:
    try:
        return os.stat(name, dir_fd=room, follow_symlinks=False).st_mtime_ns // 1_000_000 >= before
    except FileNotFoundError:
        return False


def _may_take(above: int, name: bytes, wish: UploadWish) -> bool:
    """Whether a file is there that is to be replaced; FileExistsError where anything else is."""
    if not exists(above, name):
        return False
    found = os.stat(name, dir_fd=above, follow_symlinks=False)
    if not wish.overwrite or not stat.S_ISREG(found.st_mode):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    return True


def _locked(at: VolumeFolders, upload_id: str) -> int:
    if not _ID.fullmatch(upload_id):
        raise FileNotFoundError(errno.ENOENT, "no such upload", upload_id)
    fd = beneath.open_file(at.aside, f"{UPLOADS}/{upload_id}", os.O_RDWR)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        raise UploadBusy from None
    return fd


def _digest(at: VolumeFolders, upload: Upload) -> bytes:
    """Of the whole file, as it is on disk: what came over several connections was hashed by nobody."""
    assert upload.wish.checksum is not None
    seen = hashlib.new(upload.wish.checksum.algorithm)
    fd = beneath.open_file(at.aside, f"{UPLOADS}/{upload.id}")
    try:
        while data := os.read(fd, _PIECE):
            seen.update(data)
    finally:
        os.close(fd)
    return seen.digest()


def _told(wish: UploadWish) -> dict[str, Any]:
    checksum = wish.checksum and [wish.checksum.algorithm, wish.checksum.digest.hex()]
    return {
        "path": escaped_path(wish.path),
        "size": wish.size,
        "by": wish.by,
        "overwrite": wish.overwrite,
        "executable": wish.executable,
        "modified": wish.modified,
        "checksum": checksum,
    }


def _upload(upload_id: str, note: dict[str, Any]) -> Upload:
    named = note["checksum"]
    wish = UploadWish(
        path_of(note["path"]),
        int(note["size"]),
        str(note["by"]),
        bool(note["overwrite"]),
        bool(note["executable"]),
        note["modified"],
        Checksum(named[0], bytes.fromhex(named[1])) if named else None,
    )
    return Upload(upload_id, wish, note["began_at"], 0)


def _read_note(at: VolumeFolders, upload_id: str) -> dict[str, Any]:
    found = json.loads(beneath.read_file(at.aside, f"{UPLOADS}/{upload_id}.json", _LONGEST_NOTE))
    return dict(found)


def _write_note(room: int, upload_id: str, note: dict[str, Any], *, replaces: bool = False) -> None:
    aside = f"{upload_id}.json.{secrets.token_hex(4)}" if replaces else f"{upload_id}.json"
    with os.fdopen(os.open(aside, _NEW, 0o600, dir_fd=room), "wb") as file:
        file.write(json.dumps(note).encode())
        file.flush()
        os.fsync(file.fileno())
    if replaces:
        os.rename(aside, f"{upload_id}.json", src_dir_fd=room, dst_dir_fd=room)


def _forget(room: int, upload_id: str) -> None:
    # A note alone says that the file is in its place: it goes first.
    for name in (f"{upload_id}.json", upload_id):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=room)
