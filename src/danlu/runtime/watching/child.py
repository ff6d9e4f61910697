"""Starts the task's process: the last steps between the supervisor and the command."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Callable, NamedTuple

from danlu.runtime.isolation import linux
from danlu.runtime.isolation.cgroups import ControlGroup
from danlu.runtime.isolation.person import Stage, become
from danlu.runtime.network.namespace import AttemptNetwork

_PREFERENCE = "/proc/self/oom_score_adj"
# The supervisor ignores these, and what is ignored stays so in the program.
_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT)


class Launch(NamedTuple):
    argv: list[str]
    program: str
    env: dict[str, str]
    cwd: str
    stdout: int
    stderr: int
    keep: list[int]
    """Descriptors the program inherits besides the three standard ones."""
    group: ControlGroup | None
    network: AttemptNetwork | None = None


def launch_sandbox(plan: Launch, stage: Stage) -> int:
    """Start bubblewrap as the person on the stage; its pid."""
    if stage.person is None:
        stage.make_folders()
        return _spawn(plan)
    return _fork(lambda parent: _become_person(plan, stage, parent))


def _become_person(plan: Launch, stage: Stage, parent: int) -> None:
    assert stage.person is not None
    if plan.group is not None:
        plan.group.join()
    _be_first_to_go()
    if plan.network is not None:
        plan.network.enter()
    stage.set()
    if plan.network is not None:
        linux.show_own_network()
    os.umask(0o022)
    become(stage.person)
    # Only now: whoever changes users outlives parents again.
    linux.die_with_parent(parent)
    stage.make_folders()
    for fd in plan.keep:
        os.set_inheritable(fd, True)
    _take_over(plan)


def _spawn(plan: Launch) -> int:
    """bubblewrap sees to its session, its directory and its death with us itself.

    So the cheap way to start a process will do, which makes no copy of our memory. The rest is inherited:
    take it on, start, put it off again."""
    for fd in plan.keep:
        os.set_inheritable(fd, True)
    if plan.network is not None and plan.network.owner >= 0:
        return launch(plan)  # what an ordinary user enters, there is no way back from
    mask = os.umask(0o022)
    preference = _be_first_to_go()
    try:
        if plan.group is not None:
            plan.group.join()
        with plan.network.visit() if plan.network is not None else contextlib.nullcontext():
            return os.posix_spawn(
                plan.program,
                plan.argv,
                plan.env,
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_DUP2, plan.stdout, 1),
                    (os.POSIX_SPAWN_DUP2, plan.stderr, 2),
                ],
                setsigdef=_IGNORED,
            )
    finally:
        os.umask(mask)
        _write_preference(preference)
        if plan.group is not None:
            plan.group.leave()


def launch(plan: Launch) -> int:
    """Fork and run the program; its pid. OSError when it could not be run, the process being gone again."""
    return _fork(lambda parent: _become(plan, parent))


def _fork(become: Callable[[int], None]) -> int:
    reader, writer = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            become(parent)
        except OSError as error:
            name = error.filename if isinstance(error.filename, str) else ""
            os.write(writer, f"{error.errno or 0} {name}".encode("utf-8", "surrogateescape"))
        finally:
            os._exit(127)
    os.close(writer)
    failure = os.read(reader, 4096).decode("utf-8", "surrogateescape")
    os.close(reader)
    if failure:
        os.waitpid(pid, 0)
        number, _, name = failure.partition(" ")
        raise OSError(int(number), os.strerror(int(number)), name or None)
    return pid


def _become(plan: Launch, parent: int) -> None:
    linux.die_with_parent(parent)
    os.setsid()
    if plan.group is not None:
        plan.group.join()
    _be_first_to_go()
    if plan.network is not None:
        plan.network.enter()
        linux.own_mounts()
        linux.show_own_network()
    os.umask(0o022)
    os.chdir(plan.cwd)
    _take_over(plan)


def _take_over(plan: Launch) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (plan.stdout, 1), (plan.stderr, 2)):
        os.dup2(source, target)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_DFL)
    os.execve(plan.program, plan.argv, plan.env)


def _be_first_to_go() -> bytes:
    """When the machine runs out of memory, tasks go before server and supervisors. Returns what was set."""
    try:
        with open(_PREFERENCE, "rb", buffering=0) as file:
            before = file.read(16) or b"0"
    except OSError:
        return b"0"
    _write_preference(b"500")
    return before


def _write_preference(value: bytes) -> None:
    try:
        fd = os.open(_PREFERENCE, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.write(fd, value)
    os.close(fd)
