"""A process that does one long piece of work on the store: told on its input, it tells of it line by line.

    python -m danlu.data.datasets.worker < {"act": "snapshot", "store": …, …}

It dies with the server that started it."""

from __future__ import annotations

import ctypes
import errno
import gc
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from danlu.data.datasets.collecting import Collection
from danlu.data.datasets.known import SIZES, FileTally
from danlu.data.datasets.making import SnapshotWish, make_snapshot
from danlu.data.datasets.objects import Objects
from danlu.data.datasets.snapshot import TooMuch
from danlu.data.datasets.tree import plant
from danlu.data.datasets.verifying import Verification
from danlu.domain.file_names import path_of, shown_name
from danlu.ports.disk_use import TooDeep
from danlu.ports.files import PlaceBelow

_PR_SET_PDEATHSIG = 1
_EVERY = 2_000


def main() -> int:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.nice(10)
    gc.disable()  # millions of rows, and nothing that refers to itself
    wish = json.loads(sys.stdin.readline())
    objects = Objects(Path(wish["store"]))
    try:
        _ACTS[wish["act"]](objects, wish)
    except TooMuch:
        _tell({"failed": "over_quota"})
    except TooDeep as error:
        _tell({"failed": "too_deep", "text": str(error)[:200].encode("utf-8", "replace").decode()})
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        code = "full" if full else "missing" if missing else "failed"
        _tell({"failed": code, "text": error.strerror or str(error)})
    return 0


def _snapshot(objects: Objects, wish: dict[str, Any]) -> None:
    asked = SnapshotWish(
        PlaceBelow(wish["root"], path_of(wish["path"])),
        Path(wish["known"]),
        tuple(wish["roots"]),
        wish["reread"],
        wish["most"],
        wish["workers"],
    )
    with objects.in_use():
        made = make_snapshot(objects, asked, lambda counts: _tell({"progress": counts}))
    top = made.folder
    told = {
        "root": top.digest.hex(),
        "files": top.files,
        "folders": top.folders,
        "bytes": top.size,
        "stored": made.stored,
        "summary": {**_summary(made.found.tally), "left_out": made.found.left_out},
    }
    _tell({"done": told})


def _summary(tally: FileTally) -> dict[str, Any]:
    counts = ("links", "links_out", "special", "unreadable", "unsettled")
    named = sorted(tally.endings.items(), key=lambda each: (-each[1][1], each[0]))[:50]
    bounds = [f"≤ {bound >> 10} KiB" if bound < 1 << 20 else f"≤ {bound >> 20} MiB" for bound in SIZES]
    names = [*bounds, f"> {SIZES[-1] >> 20} MiB"]
    sizes = zip(names, tally.sizes[::2], tally.sizes[1::2], strict=True)
    return {
        **{name: getattr(tally, name) for name in counts},
        "endings": [
            {"name": shown_name(os.fsencode(name)), "files": files, "bytes": size}
            for name, (files, size) in named
        ],
        "sizes": [{"name": name, "files": files, "bytes": size} for name, files, size in sizes if files],
    }


def _verify(objects: Objects, wish: dict[str, Any]) -> None:
    counts = {"files": 0, "bytes": 0, "damaged": 0}

    def looked(files: int, size: int, damaged: int) -> None:
        counts["files"] += files
        counts["bytes"] += size
        counts["damaged"] = damaged
        if counts["files"] % _EVERY == 0:
            _tell({"progress": counts})

    with objects.in_use():
        verification = Verification(objects, looked)
        verification.run(bytes.fromhex(wish["root"]))
    _tell({"progress": counts})
    _tell({"done": {"damaged": verification.damaged, "files": verification.files}})


def _collect(objects: Objects, wish: dict[str, Any]) -> None:
    """Its starter holds the lock: nobody else is at work."""
    collection = Collection(objects)
    collection.run(wish["roots"])
    _tell({"done": {"objects": collection.objects, "bytes": collection.bytes}})


def _plant(objects: Objects, wish: dict[str, Any]) -> None:
    with objects.in_use():
        plant(
            objects,
            bytes.fromhex(wish["root"]),
            Path(wish["tree"]),
            lambda n: _tell({"progress": {"files": n}}),
        )
    _tell({"done": {}})


def _tell(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


_ACTS: dict[str, Callable[[Objects, dict[str, Any]], None]] = {
    "snapshot": _snapshot,
    "verify": _verify,
    "collect": _collect,
    "plant": _plant,
}

if __name__ == "__main__":
    sys.exit(main())
