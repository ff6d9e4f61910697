"""The trees of versions that jobs mount: made when first needed, shared, and removed when the disk is needed.

trees/<root>/        the files
trees/<root>.used    what they take; its time is when a job last asked for it"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from danlu.data.datasets.contents import DiskContents
from danlu.ports.datasets.contents import SnapshotRefused

log = logging.getLogger(__name__)

_PINNED_S = 600.0
"""How long a tree stays for who asked for it: by then the job is known to use it."""
_AGAIN_S = 30.0


class DiskTrees:
    """Implements ports.datasets.trees.Trees. `most` bytes may be taken (None: any number) by trees that no active job
    needs; `needed` tells the roots of those that one does, `known` the roots of all versions."""

    def __init__(
        self,
        contents: DiskContents,
        most: int | None,
        needed: Callable[[], Collection[str]],
        known: Callable[[], Collection[str]],
    ) -> None:
        self._contents, self._most, self._needed, self._known = contents, most, needed, known
        self._root = contents.objects.root / "trees"
        self._pins: dict[str, float] = {}
        self._making: dict[str, list[Callable[[], None]]] = {}
        self._failed: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()
        self._makers = ThreadPoolExecutor(2, "dataset-trees")

    def place(self, root: str) -> Path:
        return self._root / root

    def ready(self, root: str) -> bool:
        with self._lock:
            if root in self._making or not self.place(root).is_dir():
                return False
            self._pins[root] = time.monotonic() + _PINNED_S
            with contextlib.suppress(OSError):
                os.utime(self._mark(root))
            return True

    def prepare(self, root: str, done: Callable[[], None]) -> str | None:
        with self._lock:
            if root in self._making:
                self._making[root].append(done)
                return None
            at, why = self._failed.get(root, (0.0, ""))
            if why and time.monotonic() - at < _AGAIN_S:
                return why
            self._making[root] = [done]
        self._makers.submit(self._make, root)
        return None

    def tidy(self) -> None:
        """Remove trees of versions that are gone, and beyond the bound those used longest ago that nobody needs."""
        needed, known = set(self._needed()), set(self._known())
        with self._lock:
            now = time.monotonic()
            kept = {root for root, until in self._pins.items() if until > now} | needed | set(self._making)
            there = sorted(
                (self._used(one.name), one.name)
                for one in os.scandir(self._root)
                if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")
            )
            size = sum(figure for (_, figure), _ in there)
            going = []
            for (_, figure), root in there:
                over = self._most is not None and size > self._most
                if root not in kept and (over or root not in known):
                    going.append(self._aside(root))
                    size -= figure
            drafts = [
                Path(one.path)
                for one in os.scandir(self._root)
                if one.name.startswith(".") and one.name[1:65] not in self._making
            ]
        for one in {*going, *drafts}:
            _remove(one)

    def close(self) -> None:
        self._makers.shutdown(wait=False, cancel_futures=True)

    def _make(self, root: str) -> None:
        why = ""
        try:
            self._contents.plant(root, lambda _: True)
        except SnapshotRefused as refused:
            why = refused.text or refused.code
        except Exception as error:
            log.exception("version %s could not be prepared", root)
            why = str(error)
        with self._lock:
            self._failed.pop(root, None)
            if why:
                self._failed[root] = (time.monotonic(), why)
            told = self._making.pop(root)
            self._pins[root] = time.monotonic() + _PINNED_S
        for done in told:
            done()
        with contextlib.suppress(OSError):
            self.tidy()

    def _mark(self, root: str) -> Path:
        return self._root / f"{root}.used"

    def _used(self, root: str) -> tuple[float, int]:
        """When a job last asked for it, and what it takes."""
        try:
            mark = self._mark(root)
            return mark.stat().st_mtime, int(mark.read_text())
        except (OSError, ValueError):
            return 0.0, 0

    def _aside(self, root: str) -> Path:
        aside = self._root / f".{root}-{secrets.token_hex(4)}"
        os.rename(self.place(root), aside)
        with contextlib.suppress(OSError):
            self._mark(root).unlink()
        return aside


def _remove(folder: Path) -> None:
    """Its folders may not be written by anybody, unless it is root that removes them."""
    for path, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
