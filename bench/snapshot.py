"""Snapshots of many small files: the first, one of the same files, and one after 1 % of them changed.

    python -m bench.snapshot [--files 1000000] [--folder DIR] [--workers 2]

Wall time depends on what else the machine does; processor seconds of all processes are told beside it."""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from danlu.data.datasets.making import SnapshotWish, make_snapshot
from danlu.data.datasets.objects import Objects
from danlu.ports.files import PlaceBelow

IN_A_FOLDER = 1_000


@dataclass(frozen=True)
class Measured:
    """One snapshot; seconds by the clock and of processors, bytes that were new, and the most memory of a process."""

    what: str
    wall: float
    processor: float
    read: int
    stored: int
    memory: int

    def __str__(self) -> str:
        told = f"{self.wall:7.1f} s wall {self.processor:7.1f} s processor {self.read:>9,} files read"
        return f"{self.what:24}{told} {self.stored / 2**20:8.1f} MiB new {self.memory >> 10:6,} MiB memory"


def make_files(folder: Path, files: int) -> None:
    for number in range(files // IN_A_FOLDER):
        inner = folder / f"{number // 100:03}" / f"{number % 100:03}"
        inner.mkdir(parents=True)
        for name in range(IN_A_FOLDER):
            (inner / f"{name:05}.txt").write_bytes(b"%d of %d\n" % (name, number) * 10)


def change_files(folder: Path, files: int) -> None:
    """One in a hundred, spread over all folders."""
    for number in range(files // IN_A_FOLDER):
        inner = folder / f"{number // 100:03}" / f"{number % 100:03}"
        for name in range(number % 100, IN_A_FOLDER, 100):
            (inner / f"{name:05}.txt").write_bytes(b"changed %d of %d\n" % (name, number))


def measure(what: str, objects: Objects, folder: Path, roots: list[str], workers: int) -> Measured:
    """Within a process of its own, as the server does it."""
    counts: dict[str, int] = {}
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        gc.disable()
        began = time.monotonic()
        wish = SnapshotWish(
            PlaceBelow(str(folder)), objects.root / "known" / "bench", tuple(roots), workers=workers
        )
        made = make_snapshot(objects, wish, counts.update)
        wall = time.monotonic() - began
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        processor = sum(one.ru_utime + one.ru_stime for one in used)
        memory = max(one.ru_maxrss for one in used)
        told = (made.folder.digest.hex(), wall, processor, counts["read"], made.stored, memory)
        os.write(theirs, json.dumps(told).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as told_by:
        said = told_by.read().decode()
    os.waitpid(child, 0)
    root, wall, processor, read, stored, memory = json.loads(said)
    roots.append(root)
    return Measured(what, wall, processor, read, stored, memory)


def bench_snapshot(files: int, workers: int, at: Path | None = None) -> list[Measured]:
    if at is not None:
        at.mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(prefix="danlu-snapshot-", dir=at))
    try:
        folder, store = root / "files", root / "store"
        store.mkdir()
        make_files(folder, files)
        time.sleep(2.5)  # what changed a moment ago is read again
        objects, roots = Objects(store), list[str]()
        found = [measure("first", objects, folder, roots, workers)]
        found.append(measure("nothing changed", objects, folder, roots, workers))
        change_files(folder, files)
        found.append(measure("1 % changed", objects, folder, roots, workers))
        return found
    finally:
        shutil.rmtree(root)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    for one in bench_snapshot(asked.files, asked.workers, asked.folder):
        print(one, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
