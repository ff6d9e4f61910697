"""Programs that attack a network from inside a task, and machines to attack."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from danlu.ports import supervision
from tests.integration.runtime.conftest import SOMEBODY, RunningTask, Runs
from tests.live import PATIENCE

NONE = {"policy": "none"}

TRY = """
import socket, sys
for target in sys.argv[1:]:
    host, _, port = target.rpartition(":")
    try:
        if target.startswith("@"):
            with socket.socket(socket.AF_UNIX) as way:
                way.settimeout(2)
                way.connect("\\0" + target[1:])
        else:
            socket.create_connection((host, int(port)), 2).close()
        print(target, "reached", flush=True)
    except OSError as error:
        print(target, "refused", flush=True)
"""
LISTEN = """
import socket, sys, time
servers = [socket.create_server((target.rpartition(":")[0], int(target.rpartition(":")[2]))) for target in sys.argv[1:]]
open("ready", "w").write("yes\\n")
time.sleep(1000)
"""


@contextlib.contextmanager
def listening(address: str = "127.0.0.1", family: int = socket.AF_INET) -> Iterator[socket.socket]:
    """A service of the machine that greets whoever comes."""
    with socket.create_server((address, 0), family=family) as server:
        stop = threading.Event()

        def serve() -> None:
            while not stop.is_set():
                with contextlib.suppress(OSError):
                    visitor, _ = server.accept()
                    with visitor:
                        visitor.sendall(b"hello\n")

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield server
        finally:
            stop.set()
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)


def place(server: socket.socket) -> str:
    host, port = server.getsockname()[:2]
    return f"{host}:{port}"


def attempt(runs: Runs, name: str, task: str, program: str, *arguments: str, **fields: object) -> RunningTask:
    """Start one task of an attempt."""
    running = RunningTask(runs, f"{name}/{task}")
    os.makedirs(running.dir)
    content = {
        "v": 1,
        "attempt": name,
        "task": task,
        "log": str(running.log),
        "argv": [sys.executable, "-c", program, *arguments],
        "user": SOMEBODY,
        "binds": [[prefix, prefix, "ro"] for prefix in sorted({sys.prefix, sys.base_prefix})],
    }
    supervision.write_json(os.path.join(running.dir, supervision.TASK_FILE), {**content, **fields})
    runs.tasks.append(running)
    [answer] = runs.ask({"start": running.name})
    assert answer == {"ok": True}, answer
    return running


def said(task: RunningTask) -> dict[str, str]:
    """What became of each target that the task tried."""
    ended = task.exited()
    assert ended["code"] == 0, task.output("e")
    return dict(line.rsplit(" ", 1) for line in task.output().decode().splitlines())


def inode(task: RunningTask) -> int:
    """Names the network namespace that the task is in."""
    return os.stat(f"/proc/{task.wait_for('running')['pid']}/ns/net").st_ino


def holders(number: int) -> list[str]:
    """Everything on this machine that keeps a network namespace: processes in it, descriptors, mounts."""
    found, mark = [], f"net:[{number}]"
    for entry in [name for name in os.listdir("/proc") if name.isdigit()]:
        links = [f"/proc/{entry}/ns/net"]
        with contextlib.suppress(OSError):
            links += [f"/proc/{entry}/fd/{fd}" for fd in os.listdir(f"/proc/{entry}/fd")]
        for link in links:
            with contextlib.suppress(OSError):
                found += [link] if os.readlink(link) == mark else []
    return found + [line for line in Path("/proc/self/mounts").read_text().splitlines() if mark in line]


def everyone(runs: Runs) -> list[int]:
    """The launcher of these runs and all that it has started, those behind doors too."""
    place = str(runs.path)
    found = []
    for entry in [name for name in os.listdir("/proc") if name.isdigit()]:
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{entry}/cmdline").read_bytes()
            if place.encode() in command and b"danlu.runtime.launcher" in command:
                found.append(int(entry))
    return found


class PretendMachine:
    """A network namespace that stands for a whole machine, with a wire to another one that stands for the world."""

    HOST, WORLD = "203.0.113.1", "203.0.113.2"

    def __init__(self) -> None:
        self._sleepers = [
            subprocess.Popen(
                ["unshare", "--net", "sh", "-c", "echo; exec sleep 1000"], stdout=subprocess.PIPE
            )
            for _ in range(2)
        ]
        for sleeper in self._sleepers:
            assert sleeper.stdout is not None
            sleeper.stdout.readline()
        host, world = (sleeper.pid for sleeper in self._sleepers)
        self.enter = ["nsenter", f"--net=/proc/{host}/ns/net"]
        self.enter_world = ["nsenter", f"--net=/proc/{world}/ns/net"]
        self.run(f"ip link set lo up; ip link add out type veth peer name out netns {world}")
        self.run(
            f"ip addr add {self.HOST}/24 dev out; ip link set out up; echo 1 > /proc/sys/net/ipv4/ip_forward"
        )
        self.run(
            f"ip link set lo up; ip addr add {self.WORLD}/24 dev out; ip link set out up", self.enter_world
        )

    def run(self, script: str, where: list[str] | None = None) -> str:
        command = [*(where or self.enter), "sh", "-ec", script]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def serve(self, where: list[str], port: int) -> subprocess.Popen[str]:
        """Something that tells whoever comes which address it came from."""
        program = (
            "import socket, sys\n"
            "server = socket.create_server(('', int(sys.argv[1])))\n"
            "print('ready', flush=True)\n"
            "while True:\n"
            "    visitor, address = server.accept()\n"
            "    visitor.sendall(address[0].encode()); visitor.close()\n"
        )
        server = subprocess.Popen(
            [*where, sys.executable, "-c", program, str(port)], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        self._sleepers.append(server)  # type: ignore[arg-type]
        return server

    def close(self) -> None:
        for process in self._sleepers:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
