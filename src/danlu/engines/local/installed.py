"""What of all that frameworks and packages need is installed on this machine: asked of its Python, now and then."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from collections.abc import Callable

from danlu.engines.local.programs import bare_environment
from danlu.frameworks.catalog import frameworks

_PROGRAMS = ("micromamba", "mamba", "conda")
_EVERY_S, _PATIENCE_S = 60.0, 30.0
_ASK = (
    "import json, sys; from importlib.util import find_spec; "
    "print(json.dumps([name for name in json.loads(sys.argv[1]) if find_spec(name) is not None]))"
)


class InstalledPackages:
    """Asks in a thread of its own, at most once a minute; until the first answer nobody knows. Any thread."""

    def __init__(self, interpreter: str, path: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._interpreter, self._path, self._clock = interpreter, path, clock
        self._known: tuple[str, ...] | None = None
        self._asked: float | None = None
        self._lock = threading.Lock()

    def known(self) -> tuple[str, ...] | None:
        """The names of modules and programs that are there, sorted; never waits."""
        with self._lock:
            due = self._asked is None or self._clock() - self._asked >= _EVERY_S
            if due:
                self._asked = self._clock()
                threading.Thread(target=self.ask, name="installed-packages", daemon=True).start()
            return self._known

    def ask(self) -> None:
        modules = sorted({one.needs.module for one in frameworks().values() if one.needs is not None})
        try:
            answer = subprocess.run(
                [self._interpreter, "-I", "-c", _ASK, json.dumps(modules)],
                env=bare_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_PATIENCE_S,
                check=True,
            )
            there = [name for name in modules if name in json.loads(answer.stdout)]
        except (OSError, subprocess.SubprocessError, ValueError, TypeError):
            return  # as known before
        there += [name for name in _PROGRAMS if shutil.which(name, path=self._path)]
        self._known = tuple(sorted(there))
