"""What is used of libnfs 4, as the worker calls it."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint32, c_uint64, c_void_p
from typing import Any

SONAME = "libnfs.so.13"
"""Later ones order the arguments of some calls differently."""
_SILENCE_MS = 10_000


class _NfsMoment(ctypes.Structure):
    _fields_ = [("seconds", c_long), ("micros", c_long)]


class _NfsEntry(ctypes.Structure):
    pass


_NfsEntry._fields_ = [
    ("next", POINTER(_NfsEntry)),
    ("name", c_char_p),
    ("inode", c_uint64),
    ("type", c_uint32),
    ("mode", c_uint32),
    ("size", c_uint64),
    ("atime", _NfsMoment),
    ("mtime", _NfsMoment),
    ("ctime", _NfsMoment),
    *((name, c_uint32) for name in ("uid", "gid", "nlink")),
    *((name, c_uint64) for name in ("dev", "rdev", "blksize", "blocks", "used")),
    *((name, c_uint32) for name in ("atime_nsec", "mtime_nsec", "ctime_nsec")),
]


class _NfsStat(ctypes.Structure):
    _fields_ = [
        (name, c_uint64)
        for name in (
            *("dev", "ino", "mode", "nlink", "uid", "gid", "rdev", "size", "blksize", "blocks"),
            *("atime", "mtime", "ctime", "atime_nsec", "mtime_nsec", "ctime_nsec", "used"),
        )
    ]


_CALLS: dict[str, Any] = {
    "nfs_init_context": (c_void_p, []),
    "nfs_parse_url_dir": (c_void_p, [c_void_p, c_char_p]),
    "nfs_set_timeout": (None, [c_void_p, c_int]),
    "nfs_mount": (c_int, [c_void_p, c_char_p, c_char_p]),
    "nfs_opendir": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "nfs_readdir": (POINTER(_NfsEntry), [c_void_p, c_void_p]),
    "nfs_closedir": (None, [c_void_p, c_void_p]),
    "nfs_lstat64": (c_int, [c_void_p, c_char_p, POINTER(_NfsStat)]),
    "nfs_fstat64": (c_int, [c_void_p, c_void_p, POINTER(_NfsStat)]),
    "nfs_open": (c_int, [c_void_p, c_char_p, c_int, POINTER(c_void_p)]),
    "nfs_close": (c_int, [c_void_p, c_void_p]),
    "nfs_pread": (c_int, [c_void_p, c_void_p, c_uint64, c_uint64, c_char_p]),
}


class ExportedFile:
    """What a name stands for; `tag` changes with a file's content."""

    def __init__(self, name: bytes, mode: int, size: int, mtime: int, ctime: int) -> None:
        self.name, self.mode, self.size = name, mode, size
        self.modified = mtime // 1_000_000
        self.tag = f"{size:x}-{mtime:x}-{ctime:x}"


class NfsClient:
    """A mounted folder; OSError with what the server said."""

    def __init__(self, address: str, port: int, uid: int, gid: int) -> None:
        self._library = ctypes.CDLL(SONAME)
        for name, (result, arguments) in _CALLS.items():
            call = getattr(self._library, name)
            call.restype, call.argtypes = result, arguments
        self._address = address.encode()
        self._context = self._library.nfs_init_context()
        url = f"nfs://127.0.0.1/?version=4&nfsport={port}&uid={uid}&gid={gid}&auto-reconnect=0"
        if not self._library.nfs_parse_url_dir(self._context, url.encode()):
            raise OSError("libnfs does not take its options")
        self._library.nfs_set_timeout(self._context, _SILENCE_MS)

    def mount(self, path: bytes) -> None:
        _check(self._library.nfs_mount(self._context, self._address, path))

    def entries(self, path: bytes) -> Iterator[ExportedFile]:
        folder = c_void_p()
        _check(self._library.nfs_opendir(self._context, path, byref(folder)))
        try:
            while True:
                entry = self._library.nfs_readdir(self._context, folder)
                if not entry:
                    return
                one = entry.contents
                times = (_nanos(one.mtime.seconds, one.mtime_nsec), _nanos(one.ctime.seconds, one.ctime_nsec))
                yield ExportedFile(one.name or b"", one.mode, one.size, *times)
        finally:
            self._library.nfs_closedir(self._context, folder)

    def look(self, path: bytes) -> ExportedFile:
        """A link is told as one."""
        about = _NfsStat()
        _check(self._library.nfs_lstat64(self._context, path, byref(about)))
        return _found(path, about)

    def open(self, path: bytes) -> c_void_p:
        file = c_void_p()
        flags = os.O_RDONLY | os.O_NOFOLLOW
        _check(self._library.nfs_open(self._context, path, flags, byref(file)))
        return file

    def look_at(self, file: c_void_p) -> ExportedFile:
        about = _NfsStat()
        _check(self._library.nfs_fstat64(self._context, file, byref(about)))
        return _found(b"", about)

    def read(self, file: c_void_p, offset: int, count: int) -> bytes:
        """Fewer only at the file's end."""
        pieces = []
        while count > 0:
            buffer = ctypes.create_string_buffer(count)
            came = _check(self._library.nfs_pread(self._context, file, offset, count, buffer))
            if came == 0:
                break
            pieces.append(buffer.raw[:came])
            offset, count = offset + came, count - came
        return b"".join(pieces)

    def close(self, file: c_void_p) -> None:
        self._library.nfs_close(self._context, file)


def _found(name: bytes, about: _NfsStat) -> ExportedFile:
    times = (_nanos(about.mtime, about.mtime_nsec), _nanos(about.ctime, about.ctime_nsec))
    return ExportedFile(name, about.mode, about.size, *times)


def _nanos(seconds: int, nanos: int) -> int:
    return int(seconds) * 1_000_000_000 + int(nanos)


def _check(result: int) -> int:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result
