"""Programs that were just installed can be run once nobody has them open for writing any more."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from tools.dev.steps import Stop

PATIENCE_S = 30.0


def wait_until_written(folder: Path) -> None:
    """The kernel may close a file a moment after the process that wrote it has exited; a program that is run in that
    moment fails with ETXTBSY."""
    until = time.monotonic() + PATIENCE_S
    for program in programs(folder):
        while is_written_to(program):
            if time.monotonic() > until:
                raise Stop(f"{program} is still being written to; is another installation running?")
            time.sleep(0.02)


def programs(folder: Path) -> Iterator[Path]:
    for here, _, names in os.walk(folder):
        for name in names:
            path = Path(here) / name
            if not path.is_symlink() and os.access(path, os.X_OK):
                yield path


def is_written_to(path: Path) -> bool:
    """A read lease is refused while anybody has the file open for writing."""
    if not hasattr(fcntl, "F_SETLEASE"):  # only Linux has leases
        return False
    with path.open("rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except BlockingIOError:
            return True
        except OSError:  # a filesystem without leases, or somebody else's file
            return False
        return False
