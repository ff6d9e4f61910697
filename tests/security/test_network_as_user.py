"""The same network for a launcher that is not root: in a user namespace of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import danlu
from danlu.domain.people import FIRST_UID
from tests.ordinary import ordinary_user

pytestmark = pytest.mark.timeout(180)

SOMEBODY = 12_345
PYTHON = "/usr/bin/python3"

# Run as somebody else: starts a launcher and two tasks of one attempt, enters one, kills the launcher, and tells.
STORY = """
import json, os, signal, socket, subprocess, sys, threading, time
from danlu.ports import supervision

runs = sys.argv[1]
if sys.argv[2:]:
    from danlu.runtime.isolation import subordinate
    subordinate.enter(subordinate.make_namespace(int(sys.argv[2]), os.path.dirname(runs)))

def launch():
    subprocess.run([sys.executable, "-m", "danlu.runtime.launcher", runs], check=True)
    return supervision.ask_launcher(runs, {"ping": True})[0]

def serve(server):
    while True:
        server.accept()[0].close()

def until(condition):
    while not condition():
        time.sleep(0.02)

def start(task, program, *arguments):
    folder = f"{runs}/a1/{task}"
    os.makedirs(folder)
    fields = {"v": 1, "attempt": "a1", "task": task, "log": f"{folder}/log", "argv": [sys.executable, "-c", program, *arguments],
              "isolation": {"bubblewrap": True, "cgroup": False}, "network": {"policy": "none", "danlu": ["127.0.0.1", danlu]}}
    if sys.argv[2:]:
        fields["user"] = {"uid": int(sys.argv[2]) + 3, "gid": int(sys.argv[2]) + 3, "name": "alice"}
        fields["binds"] = [[prefix, prefix, "ro"] for prefix in sorted({sys.prefix, sys.base_prefix})]
    supervision.write_json(f"{folder}/task.json", fields)
    assert supervision.ask_launcher(runs, {"start": f"a1/{task}"}) == [{"ok": True}]
    return folder

def ended(folder):
    until(lambda: any(record["event"] == "exited" for record in supervision.read_status(folder)[0]))
    lines = [supervision.split_record(line) for line in open(f"{folder}/log", "rb").read().splitlines()]
    return [line.text.decode() for line in lines]

LISTEN = "import socket, time; s = socket.create_server(('127.77.0.9', 4711)); open('ready', 'w'); time.sleep(1000)"
TRY = '''
import socket, sys
for target in sys.argv[1:]:
    host, _, port = target.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 5).close()
        print("reached")
    except OSError:
        print("refused")
'''
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
for server in servers:
    threading.Thread(target=serve, args=(server,), daemon=True).start()
danlu, other = (server.getsockname()[1] for server in servers)
targets = ["127.77.0.9:4711", f"127.0.0.1:{danlu}", f"127.0.0.1:{other}"]

told = {"network": launch()["network"]}
first = start("w0", LISTEN)
until(lambda: os.path.exists(f"{first}/work/ready"))
told["gang"] = ended(start("w1", TRY, *targets))
entered = [sys.executable, "-m", "danlu.runtime.enter", first, "--", sys.executable, "-c", TRY, *targets]
told["entered"] = subprocess.run(entered, capture_output=True, text=True).stdout.split()
os.kill(supervision.ask_launcher(runs, {"ping": True})[0]["pid"], signal.SIGKILL)
until(lambda: not supervision.held(f"{runs}/launcher.lock"))
launch()
told["interfaces"] = ended(start("w3", "import os; print(*os.listdir('/sys/class/net'))"))
told["adopted"] = ended(start("w2", TRY, *targets))
supervision.request_stop(first, 0, "test")
ended(first)
supervision.ask_launcher(runs, {"quit": True})
print(json.dumps(told))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that somebody else owns, with Danlu in it, for they may not be able to read ours."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(
            Path(danlu.__file__).parent, f"{folder}/danlu", ignore=shutil.ignore_patterns("__pycache__")
        )
        for path in (Path(folder), *Path(folder).rglob("*")):
            os.chown(path, SOMEBODY, SOMEBODY)
        yield Path(folder)


def test_an_ordinary_user_s_jobs_have_networks_of_their_own(place: Path) -> None:
    words = ["setpriv", "--reuid", str(SOMEBODY), "--regid", str(SOMEBODY), "--clear-groups"]
    done = subprocess.run(
        [*words, PYTHON, "-c", STORY, str(place / "runs")],
        env={"PYTHONPATH": str(place), "PATH": os.environ["PATH"]},
        cwd=place,
        capture_output=True,
        text=True,
        timeout=150,
    )
    _check(done)


def test_those_of_an_ordinary_user_with_subordinate_ids_too() -> None:
    with ordinary_user() as user:
        done = subprocess.run(
            user.command(sys.executable, "-c", STORY, str(user.root / "runs"), str(FIRST_UID)),
            env={"PATH": os.environ["PATH"]},
            cwd=user.root,
            capture_output=True,
            text=True,
            timeout=150,
        )
    _check(done)


def _check(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    seen = ["reached", "reached", "refused"]
    assert told == {"network": True, "gang": seen, "entered": seen, "interfaces": ["lo"], "adopted": seen}
