"""Runs a further command inside a running task: `python -m danlu.runtime.enter TASK_DIR -- argv…`."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import termios
import time
from typing import Any, NoReturn

from danlu.ports import supervision
from danlu.ports.supervision import StatusRecord
from danlu.runtime.isolation import linux, seccomp, tree
from danlu.runtime.isolation.person import become_inside
from danlu.runtime.packages.active import activated
from danlu.runtime.task import CannotStart, SupervisedTask, read_task

_NAMESPACES = ("mnt", "uts", "ipc", "pid")
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def main(argv: list[str]) -> int:
    """Exits as the command does; 126 when the task cannot be entered, 127 when there is no such command."""
    if len(argv) < 3 or argv[1] != "--":
        print("usage: python -m danlu.runtime.enter TASK_DIR -- COMMAND [ARGUMENT…]", file=sys.stderr)
        return 2
    task_dir, command = argv[0], argv[2:]
    try:
        linux.keep_to_itself()
        running = _running_record(task_dir)
        task = read_task(supervision.read_json(os.path.join(task_dir, supervision.TASK_FILE)), task_dir)
        _join_groups(running)
        if not running["isolation"]["level"].startswith("sandbox"):
            _become(command, task, running.get("environment", ""))
        _await_sandbox(task_dir, running["pid"])
        if task.person is not None:
            os.setgroups(list(task.person.groups))
        _enter_namespaces(running["pid"])
    except CannotStart as failure:
        return _refuse(str(failure))
    except OSError as error:
        return _refuse(f"cannot run commands in the task: {error.strerror}")
    # Only a child is inside the process namespace; this process waits for it and passes signals on.
    # Signals wait until it can: one that came right after the fork would end this process instead.
    signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)
    child = os.fork()
    if child == 0:
        if task.person is not None:
            become_inside(task.person)
        linux.die_with_parent(parent=0)  # seen from inside, a parent outside has no number
        linux.drop_capabilities()
        seccomp.put_on()
        _become(command, task, running.get("environment", ""))
    return _wait(child)


def _running_record(task_dir: str) -> StatusRecord:
    records, _ = supervision.read_status(task_dir)
    by_event = {record["event"]: record for record in records}
    if not supervision.is_alive(task_dir) or supervision.EXITED in by_event:
        raise CannotStart("the task has ended")
    if supervision.RUNNING not in by_event:
        raise CannotStart("the task is not running yet")
    return by_event[supervision.RUNNING]


def _join_groups(running: StatusRecord) -> None:
    """Be counted with the task, and end with it."""
    for directory in running.get("cgroup", []):
        fd = os.open(f"{directory}/cgroup.procs", os.O_WRONLY)
        os.write(fd, b"0")
        os.close(fd)


def _await_sandbox(task_dir: str, init: int) -> None:
    """bubblewrap tells its child's number before that has made the sandbox: whoever came now would see the machine.
    It is made when the child, as the sandbox's init, has started the command."""
    while not tree.has_children(init):
        if not supervision.is_alive(task_dir):
            raise CannotStart("the task has ended")
        time.sleep(0.005)


def _enter_namespaces(pid: int) -> None:
    files = {name: os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY) for name in (*_NAMESPACES, "net", "user")}
    ours = {name: os.stat(f"/proc/self/ns/{name}") for name in files}
    different = [name for name in files if not os.path.samestat(os.fstat(files[name]), ours[name])]
    if "net" in different:
        # It is the job's, and not made by the sandbox: for an ordinary user it belongs to a user namespace in between.
        if os.geteuid() != 0:
            linux.enter_namespace(linux.owner_of_namespace(files["net"]))
        linux.enter_namespace(files["net"])
    if "user" in different:
        # Privileges over the mounts belong to the user namespace that made them, which may be the parent of
        # the task's own: first there, last where the task is.
        linux.enter_namespace(linux.owner_of_namespace(files["mnt"]))
    for name in _NAMESPACES:
        if name in different:
            linux.enter_namespace(files[name])
    if "user" in different:
        with contextlib.suppress(OSError):
            linux.enter_namespace(files["user"])


def _take_terminal() -> None:
    """Job control needs a session whose numbers can be seen from inside the task: the shell's own."""
    if os.isatty(0):
        with contextlib.suppress(OSError):
            os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _become(command: list[str], task: SupervisedTask, environment: str) -> NoReturn:
    _take_terminal()
    env = activated(task.env, environment) if environment else dict(task.env)
    env.pop(supervision.PACKAGES, None)
    if "TERM" in os.environ:
        env.setdefault("TERM", os.environ["TERM"])
    with contextlib.suppress(OSError):
        os.chdir(task.cwd)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, *_PASSED_ON):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
    try:
        os.execvpe(command[0], command, env)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.stderr.flush()
    os._exit(127)


def _wait(child: int) -> int:
    def pass_on(number: int, _: Any) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    for number in _PASSED_ON:
        signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
    _, status = os.waitpid(child, 0)
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _refuse(text: str) -> int:
    print(text, file=sys.stderr)
    return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
