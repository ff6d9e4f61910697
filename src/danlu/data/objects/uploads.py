"""Uploads into buckets: Implements ports.volumes.uploads.Uploads.

What comes is put together on this machine's disk, so that it can go on where it stopped, and is sent to the bucket when
it is whole. If that is interrupted, it is sent by whoever asks for the upload next."""

from __future__ import annotations

import contextlib
import errno
import os
from dataclasses import replace
from pathlib import Path

from danlu.data.objects.files import BucketFiles, is_path
from danlu.domain.job import Time
from danlu.ports import beneath
from danlu.ports.volumes.changing import Hand, VolumeFolders
from danlu.ports.volumes.uploads import Checksum, Upload, UploadPart, Uploads, UploadWish

_STAGED = "files"


class BucketUploads:
    """`at.aside` is a folder of the volume's on this machine that nobody else writes."""

    def __init__(self, files: BucketFiles, disk: Uploads) -> None:
        self._files, self._disk = files, disk

    def begin(self, at: VolumeFolders, wish: UploadWish, now: Time) -> Upload:
        if not is_path(os.fsdecode(wish.path)):
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), wish.path)
        if not wish.overwrite:
            with contextlib.suppress(FileNotFoundError):
                self._files.look_at(at.place(wish.path))
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), wish.path)
        return self._disk.begin(_here(at), replace(wish, overwrite=True), now)

    def find(self, at: VolumeFolders, upload_id: str) -> Upload | None:
        found = self._disk.find(_here(at), upload_id)
        if found is not None and found.done:
            self.send(at, found)
        return found

    def unfinished(self, at: VolumeFolders) -> tuple[Upload, ...]:
        return self._disk.unfinished(_here(at))

    def append(
        self, at: VolumeFolders, upload_id: str, offset: int, checksum: Checksum | None = None
    ) -> UploadPart:
        return BucketPart(self, at, self._disk.append(_here(at), upload_id, offset, checksum))

    def remove(self, at: VolumeFolders, upload_id: str) -> bool:
        return self._disk.remove(_here(at), upload_id)

    def send(self, at: VolumeFolders, upload: Upload) -> None:
        """To the bucket, if it is here; idempotent."""
        here, path = _here(at), os.fsdecode(upload.wish.path)
        try:
            fd = beneath.open_file(here.files, path)
        except FileNotFoundError:
            return
        with os.fdopen(fd, "rb") as file:
            store, key = self._files.opened(at.place(upload.wish.path))
            store.write(key, file, upload.wish.size)
        Path(here.files, path).unlink(missing_ok=True)
        self._files.forget(at.files)


class BucketPart:
    """Implements ports.volumes.uploads.UploadPart."""

    def __init__(self, uploads: BucketUploads, at: VolumeFolders, part: UploadPart) -> None:
        self._uploads, self._at, self._part = uploads, at, part
        self.upload = part.upload

    def write(self, *pieces: bytes) -> None:
        self._part.write(*pieces)

    def finish(self, hand: Hand) -> Upload:  # noqa: ARG002
        self.upload = self._part.finish(Hand())
        if self.upload.done:
            self._uploads.send(self._at, self.upload)
        return self.upload

    def close(self) -> None:
        self._part.close()


def _here(at: VolumeFolders) -> VolumeFolders:
    """Where on this machine's disk the upload is put together."""
    here = VolumeFolders(str(Path(at.aside, _STAGED)), at.aside)
    Path(here.files).mkdir(parents=True, exist_ok=True, mode=0o700)
    return here
