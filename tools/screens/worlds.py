"""What the pages show in pictures: a Danlu just begun, and a laboratory at work."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from danlu.sdk import Client
from tests.live import LiveServer, eventually, live_server

PASSWORD = "a long enough password"
NEWCOMER, PERSON = "mei", "chen"


@dataclass(frozen=True)
class World:
    """A server and who looks at it; `ids` are those of the jobs and data that pages are about, by what they show."""

    server: LiveServer
    name: str
    ids: dict[str, str]

    def at(self, path: str) -> str:
        return f"{self.server.url}{path.format(**self.ids)}"


@contextlib.contextmanager
def empty(root: Path) -> Iterator[World]:
    """One machine, one administrator, one person who has just come."""
    with live_server(root, "--virtual-nodes", "1x8xA100") as server, server.client() as admin:
        admin.people.create(NEWCOMER, "administrator", password=PASSWORD, display_name="Mei")
        yield World(server, NEWCOMER, {})


@contextlib.contextmanager
def full(root: Path) -> Iterator[World]:
    """The demonstration after a little while, and what one person did in it."""
    with live_server(root, "--demo") as server, server.client() as admin:
        admin.people.edit(PERSON, role="administrator", password=PASSWORD)
        with server_client(server, PERSON) as client:
            ids = {**_at_work(client), **_data(client)}
            eventually(lambda: _settled(admin), 90)
            yield World(server, PERSON, ids)


def _at_work(client: Client) -> dict[str, str]:
    """A job of one's own in every state that has a page of its own kind."""
    running = _submit(client, "llama-lora-sweep", _TRAIN, gpus=2, gpu="RTX3090", nodes=2, max_time="2h")
    failing = _submit(client, "vae-bf16-test", _FAIL, gpus=1, gpu="RTX3090")
    done = _submit(client, "clip-eval", "echo accuracy 0.812; echo saved to results.json", gpus=0)
    first = _submit(client, "sft-13b-a", "sleep 600", gpus=8, gpu="A100", max_time="4h")
    second = _submit(client, "sft-13b-b", "sleep 600", gpus=8, gpu="A100", max_time="4h")
    third = _submit(client, "dpo-13b", "sleep 600", gpus=8, gpu="A100", nodes=2)
    clone = client.clone(running, "llama-lora-sweep-2", start=False)
    spec = {**clone.spec, "env": {"LR": "3e-4"}, "max_time": "4h"}
    client.edit(clone.id, spec)
    return {
        "running": running,
        "failed": failing,
        "completed": done,
        "waiting": second,
        "first": first,
        "third": third,
        "clone": clone.id,
    }


def _data(client: Client) -> dict[str, str]:
    """The demonstration's own volume and dataset that are looked into."""
    volume = next(one for one in client.volumes.list() if one.name == "corpus-zh")
    dataset = next(one for one in client.datasets.list() if one.name == "web-text-zh")
    return {"volume": volume.id, "dataset": dataset.id}


def _submit(client: Client, name: str, command: str, nodes: int = 1, **more: Any) -> str:
    resources = {"cpus": 2, "memory": "1GiB"}
    resources.update((key, more.pop(key)) for key in ("gpus", "gpu") if key in more)
    file = {
        "kind": "training",
        "name": name,
        "command": command,
        "resources": resources,
        "nodes": nodes,
        **more,
    }
    return str(client.submit({**file, "project": "nlp"}).id)


def _settled(admin: Client) -> bool:
    """Some have finished, some failed, some run and some wait."""
    counts = {
        state: sum(1 for _ in admin.jobs(state=[state]))
        for state in ("completed", "failed", "running", "queued")
    }
    return (
        counts["completed"] >= 3
        and counts["failed"] >= 2
        and counts["running"] >= 4
        and counts["queued"] >= 3
    )


def server_client(server: LiveServer, name: str) -> Client:
    """The client of a person, by a token that they make for themselves."""
    jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(path: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{server.url}/api/v1/{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": server.url, **headers},
        )
        with jar.open(request, timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    session = post("session", {"username": name, "password": PASSWORD})
    token = post("tokens", {"name": "screens", "expires_in": "1d"}, **{"X-CSRF-Token": session["csrf"]})
    return Client(url=server.url, token=token["secret"])


_TRAIN = """\
python3 -u - <<'E'
import math, os, time, random
rank = os.environ["DANLU_RANK"]
print(f"rank {rank} of {os.environ['DANLU_WORLD_SIZE']} on GPUs {os.environ['DANLU_GPUS']}")
junk = []
for step in range(1, 4000):
    t = time.time()
    while time.time() - t < 0.12: math.sqrt(step)
    if step < 60: junk.append(bytearray(2 << 20))
    loss = 2.1 * math.exp(-step / 500) + random.random() * 0.05
    speed = 41000 + random.randint(-900, 900)
    print(f"\\x1b[90mstep {step:5d}\\x1b[0m  loss \\x1b[36m{loss:.4f}\\x1b[0m  tokens/s {speed}")
    if step % 40 == 0: print("\\x1b[33mWARNING\\x1b[0m gradient norm clipped to 1.0")
    time.sleep(0.6)
E"""

_FAIL = """\
python3 -u - <<'E'
print("loading checkpoint vae-ft-mse.ckpt")
for step in range(1, 4): print(f"step {step}  loss {0.9 / step:.3f}")
raise RuntimeError("expected scalar type BFloat16 but found Float")
E"""
