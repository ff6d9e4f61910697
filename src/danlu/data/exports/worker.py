"""The process that reads one export: `python -m danlu.data.exports.worker`.

It is told on standard input, a line of JSON for each request, and answers on standard output. It runs as nobody, ends
with who started it (its input ends) or after minutes without a request, and never outlives the alarm of a request."""

from __future__ import annotations

import contextlib
import ctypes
import encodings.idna as _idna
import errno
import json
import os
import resource
import select
import signal
import stat
import sys
from collections import OrderedDict
from typing import Any

from danlu.data.exports.libnfs import ExportedFile, NfsClient

LOADED = _idna
_ALARM_S = 30
_MEMORY, _FILES = 512 << 20, 32
_AT_ONCE, _KEPT_OPEN, _MOST_READ = 500, 8, 4 << 20
_NOBODY = 65534
_PR_SET_KEEPCAPS, _PR_SET_NO_NEW_PRIVS = 8, 38
_CAPABILITY_VERSION, _NET_BIND_SERVICE = 0x20080522, 1 << 10
_ANSWERS = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENAMETOOLONG}
)
"""What a server says of a path; all else ends the process: the connection may be in any state."""


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    signal.alarm(_ALARM_S)
    try:
        export = NfsClient(order["address"], order["port"], order["uid"], order["gid"])
    except OSError:
        _say({"missing": True})
        return
    _confine()
    try:
        export.mount(os.fsencode(order["path"]))
    except OSError as error:
        _say({"errno": error.errno or errno.EIO})
        return
    _say({"mounted": True})
    reader = ExportReader(export)
    while True:
        signal.alarm(0)
        line = sys.stdin.buffer.readline() if select.select([0], [], [], order["idle_s"])[0] else b""
        if not line:
            return
        signal.alarm(_ALARM_S)
        reader.answer(json.loads(line))


class ExportReader:
    """Answers requests, one at a time. Files stay open for their next piece."""

    def __init__(self, export: NfsClient) -> None:
        self._export = export
        self._open: OrderedDict[bytes, Any] = OrderedDict()

    def answer(self, asked: dict[str, Any]) -> None:
        path = os.fsencode(asked["path"])
        try:
            self._require_no_link(path)
            if asked["act"] == "list":
                self._list(path)
            elif asked["act"] == "look":
                _say({"entry": _told(self._export.look(path), path)})
            else:
                self._read(path, asked)
        except OSError as error:
            if error.errno not in _ANSWERS:
                raise
            _say({"errno": error.errno})

    def _list(self, path: bytes) -> None:
        some, left_out = [], 0
        for one in self._export.entries(path):
            if one.name in (b".", b".."):
                continue
            if not (stat.S_ISREG(one.mode) or stat.S_ISDIR(one.mode)):
                left_out += 1
                continue
            some.append(_told(one, one.name))
            if len(some) == _AT_ONCE:
                _say({"entries": some})
                some = []
        _say({"entries": some, "left_out": left_out})

    def _read(self, path: bytes, asked: dict[str, Any]) -> None:
        file, about = self._opened(path, asked["tag"])
        if asked["tag"] and about.tag != asked["tag"]:
            _say({"stale": True})
            return
        data = self._export.read(file, asked["offset"], min(asked["count"], _MOST_READ))
        _say({"bytes": len(data), "tag": about.tag})
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def _opened(self, path: bytes, tag: str) -> tuple[Any, ExportedFile]:
        """What is open may have been replaced by another file of that name."""
        file = self._open.pop(path, None)
        if file is not None:
            about = self._still(file)
            if about is not None and about.tag == tag:
                self._open[path] = file
                return file, about
            self._export.close(file)
        if not stat.S_ISREG(self._export.look(path).mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        file = self._open[path] = self._export.open(path)
        while len(self._open) > _KEPT_OPEN:
            self._export.close(self._open.popitem(last=False)[1])
        return file, self._export.look_at(file)

    def _still(self, file: Any) -> ExportedFile | None:
        """None of a file that the server has removed."""
        try:
            return self._export.look_at(file)
        except OSError as error:
            if error.errno == errno.ESTALE:
                return None
            raise

    def _require_no_link(self, path: bytes) -> None:
        """libnfs follows links on the way, wherever they lead to in the server."""
        parts = path.split(b"/") if path else []
        if b".." in parts or b"." in parts:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        for count in range(1, len(parts) + 1):
            if stat.S_ISLNK(self._export.look(b"/".join(parts[:count])).mode):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _told(one: ExportedFile, name: bytes) -> list[Any]:
    return [
        os.fsdecode(name),
        stat.S_ISDIR(one.mode),
        stat.S_ISREG(one.mode),
        one.size,
        one.modified,
        one.tag,
    ]


def _confine() -> None:
    """Nobody, with little memory; of root's rights the one that NFS servers ask for: a port below 1024."""
    limits = {
        resource.RLIMIT_AS: _MEMORY,
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
    }
    for what, most in limits.items():
        resource.setrlimit(what, (most, most))
    library = ctypes.CDLL(None, use_errno=True)
    # libnfs looks up the owner of each file, by a name that the server says: nobody else should hear of it.
    with contextlib.suppress(AttributeError):  # glibc alone has it, and asks others at all
        for database in (b"passwd", b"group"):
            library["__nss_configure_lookup"](database, b"files")
    if os.geteuid() == 0:
        library.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
        # An ordinary user's namespace may not know nobody: then it is that user, without rights over others' files.
        with contextlib.suppress(OSError):
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
        if not _keep(library, _NET_BIND_SERVICE) and not _keep(library, 0):
            raise OSError(ctypes.get_errno(), "capset")
    library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _keep(library: ctypes.CDLL, rights: int) -> bool:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(rights, rights, 0, 0, 0, 0)
    return bool(library.capset(header, sets) == 0)


def _say(what: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(what).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
