"""What of /etc and /opt tasks must not see: a server that runs as root may read it, other people may not."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from typing import Iterable

from danlu.runtime.isolation.view import is_open

# Covered whatever their permissions say.
_ALWAYS = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-")
_FREE = 0.001
_QUICK_SHARE, _WHOLE_SHARE = 100, 1000
_WHOLE_AT_LEAST = 10.0
_PATIENCE = 10.0
# The clock of a file system ticks this slowly: a directory changed just now may change again unnoticed.
_TICK_NS = 50_000_000
_MOST = 500


class Covers:
    """Every entry below the roots that is not open to everybody, kept up to date as the machine changes."""

    def __init__(self, roots: Iterable[str]) -> None:
        self._trees = [_Tree(root) for root in roots]
        self.look()

    def look(self) -> None:
        """Notice what changed; called before every start, so it costs next to nothing when nothing did."""
        for tree in self._trees:
            tree.look()

    def paths(self) -> list[str]:
        """Sorted; where there are too many for a sandbox, the deepest give way to their whole directories."""
        found = {path for tree in self._trees for path in tree.closed}
        while len(found) > _MOST:
            deepest = max(path.count("/") for path in found)
            if deepest <= 2:
                break
            found = {os.path.dirname(path) if path.count("/") == deepest else path for path in found}
        return sorted({*found, *_ALWAYS})

    def words(self) -> list[str]:
        """Arguments for bubblewrap. What has gone meanwhile is left out: it could not be covered."""
        words: list[str] = []
        for path in self.paths():
            with contextlib.suppress(OSError):
                mode = os.lstat(path).st_mode
                if stat.S_ISDIR(mode):
                    words += ["--tmpfs", path]
                elif not stat.S_ISLNK(mode):
                    words += ["--ro-bind", "/dev/null", path]
        return words


class _Tree:
    """One directory with all below it."""

    def __init__(self, root: str) -> None:
        self.closed: list[str] = []
        self._root = root
        self._stamps: dict[str, int] = {}
        self._next_quick = self._next_whole = 0.0

    def look(self) -> None:
        """New entries show in their directory's time of change, a mere chmod only in a look at everything."""
        now = time.monotonic()
        if now >= self._next_whole:
            self._look_at_everything()
        elif now >= self._next_quick:
            if any(_stamp(path) != stamp for path, stamp in self._stamps.items()):
                self._look_at_everything()
                return
            cost = time.monotonic() - now
            self._next_quick = now + (0.0 if cost < _FREE else cost * _QUICK_SHARE)

    def _look_at_everything(self) -> None:
        began = time.monotonic()
        self.closed, self._stamps = [], {}
        waiting = [self._root]
        # What cannot be looked at in time stays out of sight.
        while waiting and time.monotonic() - began < _PATIENCE:
            waiting += self._look_into(waiting.pop(0))
        self.closed += waiting
        cost = time.monotonic() - began
        self._next_quick = 0.0
        self._next_whole = began + max(_WHOLE_AT_LEAST, cost * _WHOLE_SHARE)

    def _look_into(self, directory: str) -> list[str]:
        """Note what is closed; the directories to go on with."""
        further = []
        stamp = _stamp(directory)
        self._stamps[directory] = stamp if stamp < time.time_ns() - _TICK_NS else -1
        with contextlib.suppress(OSError):
            for name in os.listdir(directory):
                path = f"{directory}/{name}"
                with contextlib.suppress(OSError):
                    mode = os.lstat(path).st_mode
                    if stat.S_ISLNK(mode):
                        continue
                    if not is_open(mode):
                        self.closed.append(path)
                    elif stat.S_ISDIR(mode):
                        further.append(path)
        return further


def _stamp(path: str) -> int:
    try:
        return os.stat(path).st_ctime_ns
    except OSError:
        return 0
