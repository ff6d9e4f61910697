"""Makes sure that nothing of a task runs any more before anybody hears that it has ended."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from danlu.domain.errors import Unavailable
from danlu.engines.local.launcher import LauncherClient

log = logging.getLogger(__name__)

_AT_ONCE = 4
_AGAIN_S = 5.0


class Endings:
    """Asks the launcher in threads of its own, for one task at a time once, and again until it worked; `tell` is called
    with the task's name whenever there may be news."""

    def __init__(self, launcher: LauncherClient, tell: Callable[[str], None]) -> None:
        self._launcher, self._tell = launcher, tell
        self._threads = ThreadPoolExecutor(_AT_ONCE, "task-ender")
        self._busy: set[str] = set()
        self._swept: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._lock = threading.Lock()

    def is_swept(self, name: str) -> bool:
        """Whether what a dead supervisor left is gone; if not, see to it."""
        with self._lock:
            if name in self._swept:
                self._swept.discard(name)
                return True
        self._begin(name, self._sweep)
        return False

    def end(self, name: str) -> None:
        """End the task by force: its supervisor does not."""
        self._begin(name, self._force)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _begin(self, name: str, act: Callable[[str], None]) -> None:
        with self._lock:
            if name in self._busy or time.monotonic() < self._not_before.get(name, 0.0):
                return
            self._busy.add(name)
        self._threads.submit(self._run, name, act)

    def _run(self, name: str, act: Callable[[str], None]) -> None:
        try:
            act(name)
            with self._lock:
                self._not_before.pop(name, None)
        except Unavailable as error:
            log.warning("processes of %s could not be ended yet, trying again: %s", name, error.detail)
            with self._lock:
                self._not_before[name] = time.monotonic() + _AGAIN_S
        finally:
            with self._lock:
                self._busy.discard(name)
            self._tell(name)

    def _sweep(self, name: str) -> None:
        self._launcher.sweep([name])
        with self._lock:
            self._swept.add(name)

    def _force(self, name: str) -> None:
        log.warning("the supervisor of %s did not end it in time; it is ended by force", name)
        self._launcher.end([name])
