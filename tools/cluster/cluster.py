"""A running cluster in the hands of a test: where it is, and the ways to break and mend it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.cluster import network
from tools.cluster.api import Api, is_ready
from tools.cluster.guests import Guest
from tools.cluster.images import images_digest, write_images
from tools.cluster.layout import HUB, Layout, read_layout
from tools.cluster.machines import holder_name, inside
from tools.cluster.processes import Process, Processes
from tools.cluster.sockets import listen_in
from tools.dev.stamps import alone, read_stamp, write_stamp
from tools.dev.steps import Stop, last_lines

NAMESPACE_OF_IMAGES = "k8s.io"


class Cluster:
    """Processes go by their names: etcd, apiserver, controller-manager, scheduler, containerd@NODE, kubelet@NODE."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.processes = Processes(layout.state / "processes")

    @property
    def nodes(self) -> tuple[str, ...]:
        return self.layout.nodes

    @property
    def kubeconfig(self) -> Path:
        return self.layout.kubeconfig

    @property
    def server_url(self) -> str:
        return self.layout.server_url

    @property
    def address(self) -> str:
        """The hub's address, which pods and this computer's own processes reach alike."""
        return self.layout.address(HUB)

    @property
    def whole(self) -> bool:
        """Whether every process runs and the API server answers."""
        running = {process.name for process in self.processes.all() if process.alive}
        return running >= set(process_names(self.layout)) and is_ready(Api(self.layout))

    # Breaking and mending

    def cut(self, node: str) -> None:
        """Take the node off the network; its pods go on without it."""
        network.set_link(self.layout, node, "down")

    def mend(self, node: str) -> None:
        network.set_link(self.layout, node, "up")

    def kill(self, name: str) -> None:
        """End a process at once; one that is gone already is left in peace."""
        self.processes.get(name).end()

    def restart(self, name: str) -> None:
        """Kill it if it lives, and start it as it was started before."""
        process = self.processes.get(name)
        process.end()
        self._run(name, process.command)

    def restart_api_server(self, after: float = 0) -> None:
        """Kill it, leave it away for some seconds, and return when it answers again."""
        self.kill("apiserver")
        time.sleep(after)
        self.restart("apiserver")
        self.wait_for_api_server()

    def wait_for_api_server(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        api = Api(self.layout)
        while not is_ready(api):
            if time.monotonic() > deadline:
                raise TimeoutError(
                    f"the API server does not answer; the end of its log:\n{self.log_end('apiserver')}"
                )
            time.sleep(0.1)

    def freeze(self, name: str) -> None:
        """Stop a process in its tracks; what talks to it gets no answer and no refusal."""
        self.processes.get(name).freeze()

    def thaw(self, name: str) -> None:
        self.processes.get(name).thaw()

    # Being inside

    def inside(self, command: Sequence[str | Path]) -> list[str]:
        """The command that runs another one in the hub's network: what listens there, pods reach."""
        return ["nsenter", f"--net={self.layout.namespace_file(HUB)}", *(str(word) for word in command)]

    def listen(self, port: int = 0) -> socket.socket:
        """A listening socket at `address`, for a server in this very process that pods shall reach."""
        return listen_in(self.layout.namespace_file(HUB), self.address, port)

    def guest(self, name: str) -> Guest:
        """A new network namespace joined to the cluster's network, which can be cut off alone."""
        return Guest.make(self.layout, name)

    # Looking

    def requests(self) -> dict[tuple[str, str], int]:
        """How many requests the API server has answered since it started, by verb and resource."""
        counts: dict[tuple[str, str], int] = {}
        for line in Api(self.layout).text("/metrics").splitlines():
            if line.startswith("apiserver_request_total{"):
                labels = dict(re.findall(r'(\w+)="([^"]*)"', line))
                key = (labels["verb"], "/".join(filter(None, (labels["resource"], labels["subresource"]))))
                counts[key] = counts.get(key, 0) + int(float(line.rpartition(" ")[2]))
        return counts

    def audit(self) -> Iterator[dict[str, Any]]:
        """What the API server itself noted of pods being created, bound and deleted, oldest first."""
        with self.layout.audit.open() as lines:
            yield from (json.loads(line) for line in lines if line.endswith("\n"))

    def log(self, name: str) -> Path:
        return self.layout.log(name)

    def log_end(self, name: str) -> str:
        return last_lines(self.log(name).read_text(errors="replace"), 20)

    # Building blocks

    def start(self, name: str, machine: str, command: Sequence[str | Path]) -> Process:
        return self._run(name, inside(self.layout, self.processes, machine, command))

    def load_images(self) -> None:
        """Have on every node the images as the checkout makes them now; quick when it has them."""
        stamp = self.layout.state / "images.json"
        with alone(f"cluster-images-{self.layout.key}"):
            digest = images_digest()
            if read_stamp(stamp).get("digest") == digest:
                return
            archives = write_images(self.layout.state / "images")
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda node: self._import(node, archives), self.nodes))
            for archive in archives:
                archive.unlink()
            write_stamp(stamp, {"digest": digest})

    def _import(self, node: str, archives: Sequence[Path]) -> None:
        address = f"--address={self.layout.containerd_socket(node)}"
        for archive in archives:
            command = ["ctr", address, f"--namespace={NAMESPACE_OF_IMAGES}", "image", "import", str(archive)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Stop(f"{node} did not import the image {archive.name}: {done.stderr.strip()}")

    def _run(self, name: str, command: Sequence[str | Path]) -> Process:
        return self.processes.start(name, command, self.log(name))


def find_cluster(state: Path) -> Cluster | None:
    layout = read_layout(state)
    return Cluster(layout) if layout and layout.kubeconfig.exists() else None


def process_names(layout: Layout) -> list[str]:
    plane = ["etcd", "apiserver", "controller-manager", "scheduler"]
    nodes = [f"{program}@{node}" for node in layout.nodes for program in ("containerd", "kubelet")]
    return [*(holder_name(machine) for machine in layout.machines), *plane, *nodes]


def wait_for_containerd(address: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    command = ["ctr", f"--address={address}", "version"]
    while subprocess.run(command, capture_output=True, check=False).returncode:
        if time.monotonic() > deadline:
            raise Stop(f"containerd does not answer at {address}.")
        time.sleep(0.1)
