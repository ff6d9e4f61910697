"""Tries out whether a program can be run here, as tasks would run it."""

from __future__ import annotations

import os
import select
import signal

from danlu.runtime.isolation.person import Stage, become
from danlu.runtime.task import Person

_SECONDS = 5.0


def try_out(argv: list[str], person: Person | None) -> str:
    """Run it once, as that person; the empty string when it works, else what it said."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _run(argv, person, writer)
    os.close(writer)
    said = b""
    while select.select([reader], [], [], _SECONDS)[0]:
        data = os.read(reader, 4096)
        if not data:
            break
        said += data
    else:
        os.kill(pid, signal.SIGKILL)
        said = b"it does not end"
    os.close(reader)
    status = os.waitpid(pid, 0)[1]
    if status == 0:
        return ""
    return said.decode("utf-8", "replace").strip() or f"it ended with status {status}"


def _run(argv: list[str], person: Person | None, output: int) -> None:
    try:
        os.dup2(output, 1)
        os.dup2(output, 2)
        if person is not None:
            Stage(person).set()
            become(person)
        os.execve(argv[0], argv, {})
    except OSError as error:
        os.write(2, (error.strerror or str(error)).encode())
    finally:
        os._exit(127)
