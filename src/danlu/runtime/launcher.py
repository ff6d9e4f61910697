"""A small warm process that forks a supervisor per task; it outlives the server that started it."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import select
import signal
import socket
import sys
import time
import traceback
from typing import Any, Callable

import danlu
from danlu.ports import supervision
from danlu.runtime import linux
from danlu.runtime.machine import Machine, examine
from danlu.runtime.rehearsal import rehearse
from danlu.runtime.supervisor import supervise
from danlu.runtime.sweep import sweep

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*")
_LONGEST_LINE = 65536
_LARGEST_LOG = 1 << 20
_TAKE_OVER = 3.0
_LOOK_EVERY_MS = 15_000


class _Client:
    """A connection: whole lines in, answers out, neither ever waited for."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.unread = b""
        self.unsent = b""
        connection.setblocking(False)

    def receive(self) -> list[bytes] | None:
        """The lines that are complete now; None when the connection is over."""
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            return None
        *lines, self.unread = (self.unread + data).split(b"\n")
        return None if not data or len(self.unread) > _LONGEST_LINE else lines

    def send(self, answer: dict[str, Any]) -> None:
        self.unsent += json.dumps(answer).encode() + b"\n"

    def flush(self) -> bool:
        """False when the connection is over."""
        try:
            while self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent) :]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True


class Launcher:
    """Answers start, sweep, ping and quit. The current directory is runs/."""

    def __init__(self, listener: socket.socket, machine: Machine, lock: int) -> None:
        self._listener = listener
        self._machine = machine
        self._lock = lock
        self._clients: dict[int, _Client] = {}
        self._supervisors: dict[int, str] = {}
        self._fingerprint = supervision.fingerprint()
        self._leaving = False

    def run(self) -> None:
        signals = self._wake_on_signals()
        poller = select.poll()
        poller.register(self._listener, select.POLLIN)
        poller.register(signals, select.POLLIN)
        place = os.stat(supervision.LAUNCHER_SOCKET)
        while not (self._leaving and not any(client.unsent for client in self._clients.values())):
            ready = poller.poll(_LOOK_EVERY_MS)
            if not ready and not _is_still_there(place):
                break  # the directory was deleted: nobody can ask for anything any more
            for fd, event in ready:
                if fd == signals:
                    os.read(signals, 512)
                    self._reap()
                elif fd == self._listener.fileno():
                    self._accept(poller)
                else:
                    self._serve(fd, event, poller)
        self._machine.close()

    def _accept(self, poller: select.poll) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self._listener.accept()
            self._clients[connection.fileno()] = _Client(connection)
            poller.register(connection, select.POLLIN)

    def _serve(self, fd: int, event: int, poller: select.poll) -> None:
        client = self._clients[fd]
        lines = client.receive() if event & ~select.POLLOUT else []
        for line in lines or []:
            client.send(self._answer(line))
        if lines is None or not client.flush():
            poller.unregister(fd)
            client.socket.close()
            del self._clients[fd]
        else:
            poller.modify(fd, select.POLLIN | (select.POLLOUT if client.unsent else 0))

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            message = json.loads(line)
            if "start" in message:
                return self._start(message["start"])
            if "sweep" in message:
                return self._sweep(message["sweep"])
            if "ping" in message:
                return self._describe()
            if "quit" in message:
                self._leaving = True
                return {"ok": True}
        except (ValueError, TypeError) as error:
            return {"error": f"not a message: {error}"}
        return {"error": "unknown message; a launcher understands start, sweep, ping and quit"}

    def _describe(self) -> dict[str, Any]:
        return {
            "v": supervision.VERSION,
            "version": danlu.__version__,
            "fingerprint": self._fingerprint,
            "pid": os.getpid(),
            "supervisors": len(self._supervisors),
            **self._machine.describe(),
        }

    def _start(self, name: Any) -> dict[str, Any]:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return {"error": f"not a task: {name!r}; expected ATTEMPT/TASK"}
        if not os.path.exists(f"{name}/{supervision.TASK_FILE}"):
            return {"error": f"{name} has no {supervision.TASK_FILE}"}
        return self._fork(name, lambda: supervise(os.path.abspath(name), self._machine), self._supervisors)

    def _sweep(self, name: Any) -> dict[str, Any]:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return {"error": f"not a task: {name!r}; expected ATTEMPT/TASK"}
        return self._fork(name, lambda: sweep(os.path.abspath(name)), {})

    def _fork(self, name: str, work: Callable[[], None], children: dict[int, str]) -> dict[str, Any]:
        try:
            pid = os.fork()
        except OSError as error:
            return {"error": f"no further process can be started: {error.strerror}"}
        if pid:
            children[pid] = name
            return {"ok": True}
        code = 1
        try:
            self._forget_launcher()
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def _forget_launcher(self) -> None:
        """The child keeps nothing of the launcher: not its lock, its sockets, nor its signals."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self._lock)
        self._listener.close()
        for client in self._clients.values():
            client.socket.close()

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                name = self._supervisors.pop(pid, None)
                if name is not None and status != 0:
                    self._fork(name, lambda name=name: sweep(os.path.abspath(name)), {})  # type: ignore[misc]

    def _wake_on_signals(self) -> int:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return reader


def main(argv: list[str]) -> int:
    """Become the launcher of a runs directory, in the background; 0 once this or another answers there."""
    if len(argv) != 1:
        print("usage: python -m danlu.runtime.launcher RUNS_DIR", file=sys.stderr)
        return 2
    try:
        os.makedirs(argv[0], mode=0o700, exist_ok=True)
        os.chdir(argv[0])
        lock = _take_lock()
    except OSError as error:
        print(f"the launcher cannot use {argv[0]}: {error.strerror}", file=sys.stderr)
        return 1
    if lock is None:
        return 0
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        return 0 if os.read(reader, 1) else 1
    os.close(reader)
    _leave_terminal()
    listener = _listen()
    machine = examine(".")
    rehearse(machine)
    gc.collect()
    gc.freeze()
    os.write(writer, b"+")
    os.close(writer)
    Launcher(listener, machine, lock).run()
    return 0


def _is_still_there(place: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(supervision.LAUNCHER_SOCKET), place)
    except OSError:
        return False


def _take_lock() -> int | None:
    """None when a launcher is at work; one that is just leaving is waited for."""
    deadline = time.monotonic() + _TAKE_OVER
    while True:
        lock = supervision.hold(supervision.LAUNCHER_LOCK)
        if lock is not None:
            return lock
        with contextlib.suppress(OSError, ValueError):
            supervision.ask_launcher(".", {"ping": True}, timeout=1.0)
            return None
        if time.monotonic() > deadline:
            raise OSError(0, "another launcher holds it and does not answer")
        time.sleep(0.02)


def _leave_terminal() -> None:
    os.setsid()
    os.umask(0o077)
    # Orphans of a supervisor that was killed come to us, and are found by the sweep.
    linux.become_subreaper()
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    log = os.open(supervision.LAUNCHER_LOG, flags, 0o600)
    if os.fstat(log).st_size > _LARGEST_LOG:
        os.ftruncate(log, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def _listen() -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(supervision.LAUNCHER_SOCKET)
    listener.bind(supervision.LAUNCHER_SOCKET)
    listener.listen(128)
    return listener


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
