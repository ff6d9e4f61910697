"""Attacks through the network: on the machine's services, on other jobs, on Danlu's port, and by what is left behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.domain.errors import Unavailable
from danlu.engines.local.connection import LocalConnection
from danlu.engines.local.launcher import LauncherClient
from danlu.engines.local.listeners import LauncherListeners
from danlu.ports import supervision
from tests.integration.runtime.conftest import Runs, until
from tests.live import PATIENCE, LiveServer, eventually, live_server, training
from tests.security.networks import (
    LISTEN,
    NONE,
    TRY,
    PretendMachine,
    attempt,
    everyone,
    holders,
    inode,
    listening,
    place,
    said,
)

ECHO = """
import socket, sys
with socket.create_server(("127.77.0.9", 4711)) as server:
    open("ready", "w").write("yes\\n")
    while True:
        visitor, _ = server.accept()
        visitor.sendall(b"hello from inside")
        visitor.close()
"""
pytestmark = pytest.mark.timeout(180)


def open_to(server: socket.socket, **more: object) -> dict[str, object]:
    host, port = server.getsockname()[:2]
    return {"policy": "none", "danlu": [host, port], **more}


# ── the machine and its other jobs ───────────────────────────────────────────────────────────────────


def test_a_task_reaches_no_service_of_the_machine(runs: Runs) -> None:
    with (
        listening() as four,
        listening("::1", socket.AF_INET6) as six,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        name = f"danlu-test-{os.getpid()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        targets = [place(four), place(six), f"@{name}"]
        shared = attempt(runs, "shared", "worker-0", TRY, *targets)
        assert set(said(shared).values()) == {"reached"}
        own = attempt(runs, "own", "worker-0", TRY, *targets, network=NONE)
        assert set(said(own).values()) == {"refused"}


def test_a_task_reaches_no_port_of_another_job(runs: Runs) -> None:
    victim = attempt(runs, "victim", "worker-0", LISTEN, "127.77.0.9:4711", "0.0.0.0:4712", network=NONE)
    victim.file("ready")
    targets = ["127.77.0.9:4711", "127.77.0.9:4712", "127.0.0.1:4712"]
    assert set(said(attempt(runs, "thief", "worker-0", TRY, *targets, network=NONE)).values()) == {"refused"}
    assert set(said(attempt(runs, "outside", "worker-0", TRY, *targets)).values()) == {"refused"}


def test_tasks_of_one_job_reach_each_other_on_two_nodes(runs: Runs) -> None:
    server = attempt(runs, "gang", "worker-0", LISTEN, "127.77.0.9:4711", network=NONE)
    server.file("ready")
    client = attempt(runs, "gang", "worker-1", TRY, "127.77.0.9:4711", network=NONE)
    assert said(client) == {"127.77.0.9:4711": "reached"}


def test_danlu_is_reached_at_its_place_and_nothing_else_of_the_machine_with_it(runs: Runs) -> None:
    with listening() as danlu, listening() as other:
        task = attempt(runs, "own", "worker-0", TRY, place(danlu), place(other), network=open_to(danlu))
        assert said(task) == {place(danlu): "reached", place(other): "refused"}


@pytest.mark.anyio
async def test_danlu_reaches_a_port_of_a_task_and_nothing_of_the_machine_instead(runs: Runs) -> None:
    task = attempt(runs, "own", "worker-0", ECHO, "127.77.0.9:4711", network=NONE)
    task.file("ready")
    enter = LauncherClient(runs.path, LauncherListeners(runs.path)).enter
    connection = await LocalConnection.open("worker-0", "127.77.0.9", 4711, lambda: enter(task.name))
    assert await connection.read() == b"hello from inside"
    await connection.close()
    with listening() as service:
        host, port = service.getsockname()
        with pytest.raises(Unavailable, match="nothing listens on port"):
            await LocalConnection.open("worker-0", host, port, lambda: enter(task.name))


def test_a_command_run_in_the_task_has_the_same_network(runs: Runs) -> None:
    with listening() as service:
        task = attempt(runs, "own", "worker-0", LISTEN, "127.77.0.9:4711", network=NONE)
        task.file("ready")
        command = [sys.executable, "-m", "danlu.runtime.enter", task.dir, "--", sys.executable, "-c", TRY]
        tried = subprocess.run(
            [*command, "127.77.0.9:4711", place(service)], capture_output=True, text=True, timeout=PATIENCE
        )
        assert tried.stdout == f"127.77.0.9:4711 reached\n{place(service)} refused\n", tried.stderr


def test_a_network_that_cannot_be_had_is_a_failed_start(runs: Runs) -> None:
    task = runs.task(command="true", network={"policy": "some"})
    [answer] = runs.ask({"start": task.name})
    assert "policy is 'some'" in answer["error"]
    assert not task.records()


# ── the proxy ────────────────────────────────────────────────────────────────────────────────────────

FETCH = """
import sys, urllib.error, urllib.request
for url in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(url, timeout=20).read().decode().strip())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode().strip())
"""


@contextlib.contextmanager
def website(text: str) -> Iterator[str]:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def fetched(runs: Runs, name: str, allow: list[str], *urls: str) -> list[str]:
    network = {"policy": "registries", "proxy": 919, "allow": allow}
    env = {"http_proxy": "http://127.0.0.1:919"}
    task = attempt(runs, name, "worker-0", FETCH, *urls, network=network, env=env)
    assert task.exited()["code"] == 0, task.output("e")
    return [str(line) for line in task.output().decode().splitlines()]


def test_the_proxy_reaches_what_is_allowed_and_nothing_else(runs: Runs) -> None:
    with website("packages") as registry, website("secrets") as other:
        allowed, refused = fetched(runs, "a", [registry], f"http://{registry}/simple", f"http://{other}/")
        assert allowed == "packages"
        assert refused.startswith(f"403 the network of this job does not reach {other}")


def test_the_proxy_does_not_lead_back_to_the_machine(runs: Runs) -> None:
    with website("secrets") as service:
        port = service.rpartition(":")[2]
        for number, host in enumerate(("127.0.0.1", "localhost", "0.0.0.0", "127.1", "2130706433")):
            [answer] = fetched(runs, f"a{number}", ["*"], f"http://{host}:{port}/")
            assert answer == f"403 {host} is this machine, which tasks do not reach"


# ── Danlu's port ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def runs(own_runs: Runs) -> Runs:
    """Attacked here are launchers too."""
    return own_runs


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--network", "shared") as live:
        yield live


def can_bind(port: int) -> bool:
    with socket.socket() as thief:
        thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            thief.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def test_nobody_sits_on_danlus_port_while_it_restarts(live: LiveServer) -> None:
    with live.client() as client:
        client.submit(training("stays", "sleep 1000"))
        eventually(lambda: client.get("stays").state == "running")
    live.kill()
    assert not can_bind(live.port)
    with socket.create_connection(("127.0.0.1", live.port), PATIENCE) as early:
        early.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        live.start()
        assert early.recv(65536).startswith(b"HTTP/1.1 200")
    with live.client() as client:
        assert client.get("stays").state == "running"


def test_a_port_that_no_task_knows_is_given_back(live: LiveServer) -> None:
    live.interrupt()
    eventually(lambda: can_bind(live.port))
    live.start()


# ── what is left ─────────────────────────────────────────────────────────────────────────────────────


def end_everybody(runs: Runs) -> None:
    while pids := everyone(runs):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_nothing_is_left_after_the_end(runs: Runs) -> None:
    with listening() as danlu:
        task = attempt(
            runs,
            "own",
            "worker-0",
            TRY + "import time; time.sleep(1000)",
            place(danlu),
            network=open_to(danlu),
        )
        number = inode(task)
        until(lambda: task.log.exists() and b"reached" in task.output(), "the way to Danlu")
        assert holders(number)
        task.stop(0)
        task.exited()
        until(lambda: not holders(number), lambda: f"the end of the network: {holders(number)}")


def test_nothing_is_left_when_all_of_danlu_is_killed(runs: Runs) -> None:
    with listening() as danlu:
        program = TRY + "import time; time.sleep(1000)"
        task = attempt(runs, "own", "worker-0", program, place(danlu), network=open_to(danlu))
        number = inode(task)
        until(lambda: task.log.exists() and b"reached" in task.output(), "the way to Danlu")
        end_everybody(runs)
        until(lambda: not holders(number), lambda: f"the end of the network: {holders(number)}")


def test_a_new_launcher_finds_the_networks_of_a_killed_one(runs: Runs) -> None:
    with listening() as danlu:
        network = open_to(danlu)
        first = attempt(runs, "gang", "worker-0", LISTEN, "127.77.0.9:4711", network=network)
        first.file("ready")
        pid = runs.ask({"ping": True})[0]["pid"]
        os.kill(pid, signal.SIGKILL)
        until(
            lambda: not supervision.held(str(runs.path / supervision.LAUNCHER_LOCK)), "the launcher's death"
        )
        runs.open_launcher()
        second = attempt(runs, "gang", "worker-1", TRY, "127.77.0.9:4711", place(danlu), network=network)
        assert said(second) == {"127.77.0.9:4711": "reached", place(danlu): "reached"}
        assert inode(first) != os.stat("/proc/self/ns/net").st_ino


# ── the way out ──────────────────────────────────────────────────────────────────────────────────────


class RunsOn(Runs):
    """A launcher on a machine that is only pretended."""

    def __init__(self, base: Path, machine: PretendMachine) -> None:
        super().__init__(base)
        self._machine = machine

    def open_launcher(self) -> int:
        command = [*self._machine.enter, sys.executable, "-m", "danlu.runtime.launcher", str(self.path)]
        subprocess.run(command, check=True, timeout=PATIENCE)
        pid: int = self.ask({"ping": True})[0]["pid"]
        return pid


@pytest.fixture
def machine() -> Iterator[PretendMachine]:
    machine = PretendMachine()
    yield machine
    machine.close()


SAYS = """
import socket, sys
for target in sys.argv[1:]:
    host, _, port = target.rpartition(":")
    try:
        print(target, socket.create_connection((host, int(port)), 2).recv(99).decode(), flush=True)
    except OSError:
        print(target, "refused", flush=True)
"""


def test_the_way_out_leads_to_the_world_but_not_to_the_machine_or_other_jobs(
    machine: PretendMachine, tmp_path: Path
) -> None:
    runs = RunsOn(tmp_path / "data", machine)
    runs.open_launcher()
    try:
        assert runs.ask({"ping": True})[0]["nat"] is True
        machine.serve(machine.enter_world, 4000)
        machine.serve(machine.enter, 4000)
        world, host = f"{machine.WORLD}:4000", f"{machine.HOST}:4000"
        network = {"policy": "all", "nat": True}
        victim = attempt(runs, "victim", "worker-0", LISTEN, "0.0.0.0:4000", network=network)
        victim.file("ready")
        targets = [world, host, "198.18.0.1:4000", "198.18.0.2:4000", "198.18.0.5:4000", "127.0.0.1:4000"]
        told = said(attempt(runs, "thief", "worker-0", SAYS, *targets, network=network))
        assert told.pop(world) == machine.HOST  # the world sees the machine's address only
        assert set(told.values()) == {"refused"}
        knock = f"{sys.executable} -c 'import socket; socket.create_connection((\"198.18.0.2\", 4000), 2)' 2>&1 || true"
        assert "Error" in machine.run(knock)  # nobody comes in, neither from the machine
        machine.run(f"ip route add 198.18.0.0/15 via {machine.HOST}", machine.enter_world)
        assert "Error" in machine.run(knock, machine.enter_world)  # nor from the world
        number = inode(victim)
        victim.stop(0)
        victim.exited()
        until(lambda: not holders(number), "the end of the network")
        until(lambda: "danlu" not in machine.run("ip -o link"), "the end of the wires")
    finally:
        runs.close()


def test_the_programs_for_it_are_here() -> None:
    """Else the tests above would say nothing."""
    for program in ("bwrap", "ip", "iptables", "nsenter", "unshare"):
        assert shutil.which(program), program
