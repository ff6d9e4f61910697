"""The process of one transfer: `python -m danlu.data.transfers.worker`.

Its order comes as a line of JSON on standard input, with all that is secret; how far it is goes to standard output.
Folders come as open descriptors, so that a person's own user needs no way to them. It ends with its parent."""

# Loaded before privileges are dropped: afterwards Python's own files may be out of reach.
import bz2 as _bz2
import ctypes
import encodings.cp437 as _cp437
import encodings.idna as _idna
import fcntl
import gzip as _gzip
import json
import lzma as _lzma
import os
import resource
import signal
import sys
from typing import Any

from danlu.data.transfers.archives import UnpackLimits
from danlu.data.transfers.carry import Carriage, carry
from danlu.data.transfers.parts import RoomLeft
from danlu.data.transfers.telling import WorkerTeller
from danlu.domain.file_names import path_of
from danlu.domain.transfers.problems import Problem, TransferStopped
from danlu.domain.transfers.transfer import OnExisting, TransferEnd, TransferWish, WebLogin
from danlu.domain.volumes.source import BucketAddress
from danlu.domain.volumes.source import Login as BucketLogin
from danlu.ports.objects import ObjectStore
from danlu.ports.volumes.changing import Hand, VolumeFolders

LOADED = (_bz2, _cp437, _idna, _gzip, _lzma)
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_MEMORY = 4 << 30
"""Of a process that reads what may be many times as large as it came: an archive, a repository."""


def main() -> None:
    parent = os.getppid()
    order = json.loads(sys.stdin.buffer.readline())
    teller = WorkerTeller(sys.stdout.buffer)
    buckets = _buckets(order)
    _become(order["person"])
    _end_with(parent)
    try:
        _alone(order["room"])
        carry(_carriage(order, *buckets), _room(order), teller)
        problem = None
    except TransferStopped as stopped:
        problem = stopped.problem
    except OSError as error:
        problem = Problem("not_written", {"path": "/", "why": error.strerror or str(error)})
    teller.end(problem)


def _buckets(order: dict[str, Any]) -> tuple[ObjectStore | None, ObjectStore | None]:
    """Loaded before privileges are dropped, and only where there are any."""
    told = (order["from_bucket"], order["to_bucket"])
    if told == (None, None):
        return None, None
    from danlu.data.objects import S3Stores
    from danlu.data.outside import NetworkGuard

    stores = S3Stores(NetworkGuard(order["outside_local"]))

    def opened(one: dict[str, Any] | None) -> ObjectStore | None:
        if one is None:
            return None
        login = None if one["login"] is None else BucketLogin(**one["login"])
        return stores.open(BucketAddress(**one["address"]), login)

    return opened(told[0]), opened(told[1])


def _become(person: dict[str, Any]) -> None:
    """The person's user, in the groups of the volumes, for good."""
    os.umask(0o007)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if person["uid"] is not None:
        os.setgroups(person["groups"])
        os.setresgid(person["gid"], person["gid"], person["gid"])
        os.setresuid(person["uid"], person["uid"], person["uid"])
    ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _end_with(parent: int) -> None:
    """After the user has changed: that forgets it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _alone(room: int | None) -> None:
    if room is None:
        return
    try:
        fcntl.flock(room, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TransferStopped("busy") from None


def _carriage(
    order: dict[str, Any], from_bucket: ObjectStore | None, to_bucket: ObjectStore | None
) -> Carriage:
    wish = order["wish"]
    if wish["unpack"] or order["source"]["kind"] == TransferEnd.GIT:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))  # git's processes have it from here
    return Carriage(
        source=_end(order["source"]),
        target=_end(order["target"]),
        wish=TransferWish(
            OnExisting(wish["existing"]),
            wish["ref"],
            tuple(wish["include"]),
            tuple(wish["exclude"]),
            wish["sha256"],
            wish["unpack"],
            wish["md5"],
            wish["nested"],
        ),
        login=WebLogin.of(order["login"]),
        source_folder=_opened(order["from"]),
        at=VolumeFolders(_opened(order["files"]), _opened(order["room"])),
        from_bucket=from_bucket,
        to_bucket=to_bucket,
        hand=Hand(**order["hand"]),
        limits=UnpackLimits(*order["limits"]),
        allowed=tuple(order["allowed"]),
    )


def _room(order: dict[str, Any]) -> RoomLeft:
    return RoomLeft(order["most"], order["bound"], order["reserve"], order["target"]["title"])


def _end(told: dict[str, Any]) -> TransferEnd:
    return TransferEnd(**{**told, "path": path_of(told["path"])})


def _opened(fd: int | None) -> str:
    return "" if fd is None else f"/proc/self/fd/{fd}"


if __name__ == "__main__":
    main()
