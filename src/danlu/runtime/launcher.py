"""A small warm process that forks a supervisor per task; it outlives the server that started it."""

from __future__ import annotations

import collections
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
from danlu.ports.descriptors import close_all, receive_descriptors, send_descriptors
from danlu.runtime.force import end_by_force
from danlu.runtime.isolation import linux
from danlu.runtime.isolation.machine import Machine, examine
from danlu.runtime.network.ability import describe_network
from danlu.runtime.network.forwarder import attempt_lives
from danlu.runtime.network.kept_ports import KeptPorts
from danlu.runtime.network.networks import Networks
from danlu.runtime.rehearsal import rehearse
from danlu.runtime.supervisor import supervise
from danlu.runtime.sweep import sweep
from danlu.runtime.task import CannotStart

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*")
_LONGEST_LINE = 65536
_LARGEST_LOG = 1 << 20
_TAKE_OVER = 3.0
_LOOK_EVERY_MS = 15_000


class _Answer:
    """The place of one answer among those of its connection; empty until there is one."""

    def __init__(self, value: dict[str, Any] | None = None) -> None:
        self.value = value
        self.descriptors: list[int] = []
        self.closes = False


class _Client:
    """A connection: whole lines in, answers out in the same order, neither ever waited for."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.unread = b""
        self.unsent = b""
        self.received: list[int] = []
        self._next = _Answer()
        self.answers: collections.deque[_Answer] = collections.deque()
        connection.setblocking(False)

    def receive(self) -> list[bytes] | None:
        """The lines that are complete now; None when the connection is over."""
        try:
            data, received = receive_descriptors(self.socket, 65536)
        except BlockingIOError:
            return []
        except OSError:
            return None
        self.received += received
        *lines, self.unread = (self.unread + data).split(b"\n")
        return None if not data or len(self.unread) > _LONGEST_LINE else lines

    def flush(self) -> bool:
        """Send what can be sent; one answer that is not known yet holds back all after it.

        False when the connection is over."""
        try:
            while self.unsent or (self.answers and self.answers[0].value is not None):
                if not self.unsent:
                    self._next = self.answers.popleft()
                    self.unsent = json.dumps(self._next.value).encode() + b"\n"
                self.unsent = self.unsent[self._send(self._next) :]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def close(self) -> None:
        close_all(self.received)
        self.socket.close()

    def _send(self, answer: _Answer) -> int:
        """A descriptor goes with the first byte of its answer."""
        sent = send_descriptors(self.socket, self.unsent, answer.descriptors)
        if answer.closes:
            close_all(answer.descriptors)
        answer.descriptors = []
        return sent


class Launcher:
    """Answers start, sweep, end, socket, keep, kept, ping and quit. The current directory is runs/."""

    def __init__(self, listener: socket.socket, machine: Machine, lock: int) -> None:
        self._listener = listener
        self._machine = machine
        self._lock = lock
        self._clients: dict[int, _Client] = {}
        self._supervisors: dict[int, str] = {}
        self._ends: dict[int, tuple[str, _Answer]] = {}
        self._networks = Networks()
        self._network_abilities = describe_network(machine.sandbox)
        self._ports = KeptPorts()
        self._poller = select.poll()
        self._fingerprint = supervision.fingerprint()
        self._leaving = False
        self._next_look = 0.0

    def run(self) -> None:
        signals = self._wake_on_signals()
        self._poller.register(self._listener, select.POLLIN)
        self._poller.register(signals, select.POLLIN)
        self._poller.register(self._networks, select.POLLIN)
        self._poller.register(self._ports, select.POLLIN)
        self._networks.find_all()
        place = os.stat(supervision.LAUNCHER_SOCKET)
        while not (self._leaving and not any(client.unsent for client in self._clients.values())):
            ready = self._poller.poll(min(_LOOK_EVERY_MS, self._ports.wait_ms() or _LOOK_EVERY_MS))
            self._look()
            if not ready and not _is_still_there(place):
                break  # the directory was deleted: nobody can ask for anything any more
            for fd, event in ready:
                if fd == signals:
                    os.read(signals, 512)
                    self._reap()
                elif fd == self._listener.fileno():
                    self._accept()
                elif fd == self._networks.fileno():
                    self._networks.serve(self._fork)
                elif fd == self._ports.fileno():
                    self._ports.turn_away()
                else:
                    self._serve(fd, event)
        self._machine.close()

    def _look(self) -> None:
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _LOOK_EVERY_MS / 1000
            self._networks.look()
        self._ports.look(lambda: any(attempt_lives(name) for name in os.listdir(".")))

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self._listener.accept()
            self._clients[connection.fileno()] = _Client(connection)
            self._poller.register(connection, select.POLLIN)

    def _serve(self, fd: int, event: int) -> None:
        client = self._clients.get(fd)
        if client is None:
            return  # it left while others of this round were served
        lines = client.receive() if event & ~select.POLLOUT else []
        if lines is None:
            self._drop(fd)
            return
        for line in lines:
            client.answers.append(self._answer(line, client))
            # Each as soon as it is known: supervisors just forked may leave the launcher little of a busy machine.
            client.flush()
        self._send(fd)

    def _send(self, fd: int) -> None:
        client = self._clients[fd]
        if client.flush():
            self._poller.modify(fd, select.POLLIN | (select.POLLOUT if client.unsent else 0))
        else:
            self._drop(fd)

    def _drop(self, fd: int) -> None:
        self._poller.unregister(fd)
        client = self._clients.pop(fd)
        self._ports.leave(client, stopped=False)
        client.close()

    def _answer(self, line: bytes, client: _Client) -> _Answer:
        try:
            message = json.loads(line)
            if "start" in message:
                return _Answer(self._start(message["start"]))
            if "sweep" in message:
                return self._end(message["sweep"], sweep)
            if "end" in message:
                return self._end(message["end"], end_by_force)
            if "socket" in message:
                return self._make_socket(message["socket"])
            if "keep" in message:
                return self._keep_port(message["keep"], client)
            if "kept" in message:
                return self._find_port(message["kept"])
            if "ping" in message:
                self._look_again()
                return _Answer(self._describe())
            if "quit" in message:
                self._leaving = True
                return _Answer({"ok": True})
        except (ValueError, TypeError) as error:
            return _Answer({"error": f"not a message: {error}"})
        words = "start, sweep, end, socket, keep, kept, ping and quit"
        return _Answer({"error": f"unknown message; a launcher understands {words}"})

    def _describe(self) -> dict[str, Any]:
        return {
            "v": supervision.VERSION,
            "version": danlu.__version__,
            "fingerprint": self._fingerprint,
            "pid": os.getpid(),
            "supervisors": len(self._supervisors),
            **self._machine.describe(),
            **self._network_abilities,
        }

    def _look_again(self) -> None:
        """The machine may have been mended."""
        machine = self._machine.look_again()
        if machine is not self._machine:
            self._machine, self._network_abilities = machine, describe_network(machine.sandbox)

    def _start(self, name: Any) -> dict[str, Any]:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return {"error": f"not a task: {name!r}; expected ATTEMPT/TASK"}
        if not os.path.exists(f"{name}/{supervision.TASK_FILE}"):
            return {"error": f"{name} has no {supervision.TASK_FILE}"}
        self._look_again()
        try:
            network = self._networks.join(name)
        except (CannotStart, OSError, ValueError) as error:
            return {"error": f"the network of the job cannot be made: {error}"}
        pid, trouble = self._fork(lambda: supervise(os.path.abspath(name), self._machine, network), name)
        if trouble:
            self._networks.left(name)
            return {"error": trouble}
        self._supervisors[pid] = name
        return {"ok": True}

    def _end(self, name: Any, way: Callable[[str], bool]) -> _Answer:
        """Answered when it is over: nothing of the task runs then, and its directory may be deleted."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return _Answer({"error": f"not a task: {name!r}; expected ATTEMPT/TASK"})
        pid, trouble = self._fork(lambda: way(os.path.abspath(name)), "")
        if trouble:
            return _Answer({"error": trouble})
        answer = _Answer()
        self._ends[pid] = (name, answer)
        return answer

    def _make_socket(self, name: Any) -> _Answer:
        """A socket in the network of a task, for whoever asks to connect; without one where it is the machine's."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return _Answer({"error": f"not a task: {name!r}; expected ATTEMPT/TASK"})
        try:
            network = self._networks.of(name)
            answer = _Answer({"ok": True, "own": network is not None})
            if network is not None:
                answer.descriptors, answer.closes = [network.new_socket().detach()], True
        except OSError as error:
            return _Answer({"error": f"the network of {name} cannot be entered: {error.strerror}"})
        return answer

    def _keep_port(self, host: Any, client: _Client) -> _Answer:
        """Kept for the client's server as long as the connection lasts, and a while longer."""
        if host is None:
            self._ports.leave(client, stopped=True)
            return _Answer({"ok": True})
        if not isinstance(host, str) or not client.received:
            return _Answer({"error": "keep needs a host, and a listening socket with it"})
        try:
            self._ports.keep(host, client.received.pop(), client)
        except OSError as error:
            return _Answer({"error": f"not a socket: {error.strerror}"})
        return _Answer({"ok": True})

    def _find_port(self, where: Any) -> _Answer:
        """The socket of a server that is gone, by host and port; all that are kept if none is named."""
        if where is None:
            kept = self._ports.all()
            answer = _Answer({"ok": True, "hosts": [host for host, _ in kept]})
            answer.descriptors = [descriptor for _, descriptor in kept]
            return answer
        host, port = where
        found = self._ports.find(host, port)
        answer = _Answer({"ok": True, "kept": found is not None})
        answer.descriptors = [found] if found is not None else []
        return answer

    def _fork(self, work: Callable[[], bool | None], name: str) -> tuple[int, str]:
        """The pid of a child that does the work for a task or attempt, or why there is none. It fails unless the work
        is done."""
        try:
            pid = os.fork()
        except OSError as error:
            return 0, f"a process cannot be started: {error.strerror}"
        if pid:
            return pid, ""
        code = 1
        try:
            self._forget_launcher(name)
            code = int(work() is False)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def _forget_launcher(self, name: str) -> None:
        """The child keeps nothing of the launcher: not its lock, its sockets, nor its signals; only its own network."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self._lock)
        self._listener.close()
        for client in self._clients.values():
            client.close()
        self._networks.keep_only(name)
        self._ports.close()

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                self._see_off(pid, status)
        for fd in [fd for fd, client in self._clients.items() if client.answers]:
            self._send(fd)

    def _see_off(self, pid: int, status: int) -> None:
        if self._networks.saw_off(pid):
            return
        supervised = self._supervisors.pop(pid, None)
        if supervised is not None:
            self._networks.left(supervised)
        if supervised is not None and status != 0:
            self._fork(lambda: sweep(os.path.abspath(supervised)), "")
        name, answer = self._ends.pop(pid, ("", _Answer()))
        text = f"some processes of {name} could not be ended; see {supervision.LAUNCHER_LOG}"
        answer.value = {"error": text} if status else {"ok": True}

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
