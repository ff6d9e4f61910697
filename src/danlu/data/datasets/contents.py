"""Long work on the store, in processes of its own: Implements ports.datasets.contents.ContentStore."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from danlu.data.datasets.objects import Objects
from danlu.domain.datasets.dataset import Act, ActProgress, Count, Summary
from danlu.domain.file_names import escaped_path
from danlu.ports.datasets.contents import (
    ActCancelled,
    Collected,
    SnapshotRefused,
    StoredSnapshot,
    Tell,
    VerifyVerdict,
)
from danlu.ports.files import PlaceBelow

_LONGEST_LINE = 1 << 20
_COUNTS = ("links", "links_out", "special", "unreadable", "unsettled")


class DiskContents:
    """`workers` processes read files at the same time."""

    def __init__(self, root: Path, workers: int = 2) -> None:
        self.objects = Objects(root)
        self._workers = max(1, min(workers, len(os.sched_getaffinity(0))))

    def snapshot(
        self,
        act: Act,
        place: PlaceBelow,
        roots: Callable[[], Collection[str]],
        most: int | None,
        tell: Tell,
        keep: Callable[[StoredSnapshot], None],
    ) -> None:
        source = f"{act.dataset}\n{place.root}\n{escaped_path(place.path)}"
        known = f"{act.dataset}-{hashlib.sha256(source.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"
        with self.objects.in_use():
            done = self._work(
                {
                    "act": "snapshot",
                    "root": place.root,
                    "path": escaped_path(place.path),
                    "known": str(self.objects.root / "known" / known),
                    "roots": sorted(roots()),
                    "reread": act.wish.reread,
                    "most": most,
                    "workers": self._workers,
                },
                tell,
            )
            told = done["summary"]
            summary = Summary(
                endings=tuple(Count(**one) for one in told["endings"]),
                sizes=tuple(Count(**one) for one in told["sizes"]),
                left_out=tuple(told["left_out"]),
                **{name: told[name] for name in _COUNTS},
            )
            figures = {name: done[name] for name in ("root", "files", "folders", "bytes", "stored")}
            keep(StoredSnapshot(**figures, summary=summary))
        if act.wish.source.run:  # what a task left is never looked at a second time
            (self.objects.root / "known" / known).unlink(missing_ok=True)

    def verify(self, root: str, tell: Tell) -> VerifyVerdict:
        done = self._work({"act": "verify", "root": root}, tell)
        return VerifyVerdict(done["damaged"], tuple(done["files"]))

    def collect(self, roots: Callable[[], Collection[str]]) -> Collected | None:
        with self.objects.alone() as alone:
            if not alone:
                return None
            done = self._work({"act": "collect", "roots": sorted(roots())}, lambda _: True)
            return Collected(done["objects"], done["bytes"])

    def plant(self, root: str, tell: Tell) -> None:
        """The tree of a version, in its place, and how many bytes its files have."""
        self._work({"act": "plant", "root": root, "tree": str(self.objects.root / "trees" / root)}, tell)

    def figure(self) -> tuple[int, int]:
        objects = size = 0
        for folder in os.scandir(self.objects.objects):
            for one in os.scandir(folder.path):
                with contextlib.suppress(FileNotFoundError):
                    size += one.stat(follow_symlinks=False).st_size
                    objects += 1
        for pack in self.objects.all_packs():
            objects += pack.count
            with contextlib.suppress(FileNotFoundError):
                size += pack.file.stat().st_size
        return objects, size

    def _work(self, wish: dict[str, Any], tell: Tell) -> dict[str, Any]:
        command = [sys.executable, "-m", "danlu.data.datasets.worker"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps({**wish, "store": str(self.objects.root)}) + "\n")
                process.stdin.close()
                for said in _lines(process.stdout):
                    if "done" in said:
                        done: dict[str, Any] = said["done"]
                        return done
                    if "failed" in said:
                        raise SnapshotRefused(said["failed"], said.get("text", ""))
                    if not tell(ActProgress(**said["progress"])):
                        raise ActCancelled
                raise SnapshotRefused("failed", "the process that did it ended unexpectedly")
            finally:
                _end(process)


def _lines(stream: Any) -> Iterator[dict[str, Any]]:
    while line := stream.readline(_LONGEST_LINE):
        yield json.loads(line)


def _end(process: subprocess.Popen[str]) -> None:
    """With the processes that it started, which die with it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()
