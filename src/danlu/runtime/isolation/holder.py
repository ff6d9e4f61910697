"""A program that holds a new user namespace while its maps are written, and tries them. It stands alone.

It says `+` when the namespace is made, waits for a line, and says whether files can be given to the first id of the
map in the folder named: `ok`, or why not. It goes when its input ends."""

from __future__ import annotations

import ctypes
import os
import sys

_CLONE_NEWUSER = 0x10000000


def _try(folder: str, uid: int) -> str:
    place = os.path.join(folder, f".ids-{os.getpid()}")
    try:
        os.mkdir(place, 0o700)
        try:
            os.chown(place, uid, uid)
            given = os.stat(place)
        finally:
            os.rmdir(place)
        os.setgroups([])
    except OSError as error:
        return f"{error.strerror}: {folder}"
    return "ok" if (given.st_uid, given.st_gid) == (uid, uid) else f"{folder} does not keep owners"


def main(argv: list[str]) -> int:
    folder, uid = argv[0], int(argv[1])
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER) != 0:
        print(os.strerror(ctypes.get_errno()), flush=True)
        return 1
    print("+", flush=True)
    if not sys.stdin.readline():
        return 1
    print(_try(folder, uid), flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
