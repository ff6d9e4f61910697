"""Brings a task's code to its working directory, as the person whose task it is: nothing of it is trusted."""

from __future__ import annotations

import json
import os
import select
import signal
import time
import traceback
from typing import IO, Mapping, NoReturn

from danlu.runtime.code import code, repository
from danlu.runtime.code.code import Check
from danlu.runtime.isolation import linux
from danlu.runtime.isolation.person import Stage, become
from danlu.runtime.network.namespace import AttemptNetwork
from danlu.runtime.task import CannotStart, Person, SupervisedTask

_LOOK_S = 0.02
_PATIENCE_S = 5.0
_LONGEST = 65_536


def bring_code(
    task: SupervisedTask, person: Person | None, network: AttemptNetwork | None, check: Check
) -> str:
    """The directory to run in. A repository is fetched in the network of the job, if it has one of its own: by the same
    ways and to the same bounds as what it holds. `check` raises to end the work early."""
    network = network if task.git is not None else None
    if person is None and network is None:
        _fetch(task, task.archive or None, task.cwd, {}, check)
    else:
        _in_child(task, person, network, check)
    if task.git is None:
        return task.cwd
    return repository.enter_subdirectory(task.cwd, task.git.get("subdir") or ".")


def _fetch(
    task: SupervisedTask,
    archive: str | IO[bytes] | None,
    target: str,
    proxies: Mapping[str, str],
    check: Check,
) -> None:
    # Code is for the task to read, which need not run as the server's user.
    mask = os.umask(0o022)
    try:
        if archive is not None:
            code.unpack(archive, target, check, task.unpack)
        if task.git is not None:
            repository.clone(task.git, target, check, proxies)
    finally:
        os.umask(mask)


def _in_child(
    task: SupervisedTask, person: Person | None, network: AttemptNetwork | None, check: Check
) -> None:
    """In a process of its own, which stops soon after it is asked to."""
    reader, writer = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _fetch_in_child(task, person, network, parent, writer)
    os.close(writer)
    said = b""
    try:
        while True:
            check()
            if select.select([reader], [], [], _LOOK_S)[0]:
                data = os.read(reader, _LONGEST)
                said += data
                if not data:
                    break
    finally:
        os.close(reader)
        _see_off(pid)
    if said:
        failure = json.loads(said)
        raise CannotStart(str(failure["text"]), str(failure["reason"]))


def _see_off(pid: int) -> None:
    """Ended by itself, or asked to, or killed: gone in any case."""
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE_S
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def _fetch_in_child(
    task: SupervisedTask, person: Person | None, network: AttemptNetwork | None, parent: int, report: int
) -> NoReturn:
    failure = {}
    try:
        asked: list[int] = []
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))

        def check() -> None:
            if asked:
                raise CannotStart("stopped")

        if task.git is not None:
            import subprocess  # noqa: F401 (the person may not be able to read Danlu's Python)
        stage = Stage(person)
        target = stage.place(task.cwd)
        # Only Danlu may read what people uploaded.
        archive = open(task.archive, "rb") if task.archive else None  # noqa: SIM115
        if network is not None:
            network.enter()
        if person is not None:
            stage.set()
            become(person)
        linux.die_with_parent(parent)
        os.chdir(target)
        _fetch(task, archive, target, task.env if network is not None else {}, check)
    except CannotStart as error:
        failure = {"text": str(error), "reason": error.reason}
    except OSError as error:
        what = "the code archive" if error.filename == task.archive else error.filename or task.cwd
        failure = {"text": f"{what} cannot be used: {error.strerror}", "reason": "code_failed"}
    except BaseException as error:
        traceback.print_exc()
        text = f"the task could not be prepared: {type(error).__name__}: {error}"
        failure = {"text": text, "reason": "start_failed"}
    if failure:
        os.write(report, json.dumps(failure).encode()[:_LONGEST])
    os._exit(0)
