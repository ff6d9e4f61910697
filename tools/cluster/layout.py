"""Names, addresses and folders of one cluster, all derived from its state folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.dev.steps import Stop

ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
HUB = "hub"
NODES = ("a100-0", "a100-1")
GPUS = 8
MOST_NODES = 20
SERVICE_ADDRESS = "10.96.0.1"
DNS_ADDRESS = "10.96.0.10"
SERVICE_RANGE = "10.96.0.0/24"
API_PORT = 443
# A Unix socket's name has room for 107 bytes; containerd adds ".ttrpc" to the one it is given.
LONGEST_SOCKET = 100


def key_of(state: Path) -> str:
    """What tells the clusters of one machine apart; short enough for the name of a network device."""
    return hashlib.sha256(str(state.resolve()).encode()).hexdigest()[:8]


def prefix_of(key: str) -> str:
    """How the names of the cluster's namespaces and cgroups begin; never like those of the local engine."""
    return f"kube-danlu-{key}-"


def subnet_candidates(key: str) -> list[str]:
    """The first three numbers of /24 networks, in the order in which this cluster tries them."""
    start = int(key, 16)
    numbers = ((start + step) % (128 * 256) for step in range(64))
    return [f"10.{128 + number // 256}.{number % 256}" for number in numbers]


@dataclass(frozen=True)
class Layout:
    """One cluster as it was asked for; everything else about it follows from this."""

    state: Path
    subnet: str
    nodes: tuple[str, ...] = NODES
    gpus: int = GPUS

    @property
    def key(self) -> str:
        return key_of(self.state)

    @property
    def machines(self) -> tuple[str, ...]:
        return (HUB, *self.nodes)

    @property
    def server_url(self) -> str:
        return f"https://{self.address(HUB)}:{API_PORT}"

    @property
    def root_device(self) -> str:
        """The device through which the rest of this computer reaches the cluster's network."""
        return f"dl{self.key}"

    def namespace(self, machine: str) -> str:
        return f"{prefix_of(self.key)}{machine}"

    def namespace_file(self, machine: str) -> Path:
        return Path("/run/netns") / self.namespace(machine)

    def address(self, machine: str) -> str:
        return f"{self.subnet}.{1 if machine == HUB else 10 + self.nodes.index(machine)}"

    def root_address(self) -> str:
        return f"{self.subnet}.254"

    def pod_range(self, node: str) -> str:
        return f"10.244.{self.nodes.index(node)}.0/24"

    def cgroup(self, node: str) -> str:
        return f"/{prefix_of(self.key)}{node}"

    def folder(self, machine: str) -> Path:
        return self.state / "machines" / machine

    def log(self, process: str) -> Path:
        return self.state / "logs" / f"{process}.log"

    @property
    def pki(self) -> Path:
        return self.state / "pki"

    @property
    def kubeconfig(self) -> Path:
        return self.state / "kubeconfig"

    @property
    def audit(self) -> Path:
        return self.state / "logs" / "audit.jsonl"

    @property
    def turns(self) -> Path:
        """Where those who share the cluster wait for each other."""
        return self.state / "turns"

    def containerd_socket(self, node: str) -> Path:
        return self.folder(node) / "containerd.sock"

    def save(self) -> None:
        content = {**asdict(self), "state": str(self.state)}
        (self.state / "cluster.json").write_text(json.dumps(content, indent=1) + "\n")


def check_nodes(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they were given, or a Stop that says what is wrong with them."""
    for name in names:
        if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?", name) or name == HUB:
            raise Stop(
                f"'{name}' cannot name a node: lower-case letters, digits and '-', up to 32, not '{HUB}'."
            )
    if not names or len(set(names)) != len(names) or len(names) > MOST_NODES:
        raise Stop(f"between 1 and {MOST_NODES} different nodes are possible.")
    return tuple(names)


def check_state(state: Path, nodes: Sequence[str]) -> Path:
    """The folder, resolved; a Stop where its path leaves no room for sockets in it."""
    resolved = state.resolve()
    longest = max(len(str(resolved / "machines" / node / "containerd.sock")) for node in nodes)
    if longest > LONGEST_SOCKET:
        raise Stop(f"the path of the state folder {resolved} is too long; choose a shorter one with --state.")
    return resolved


def read_layout(state: Path) -> Layout | None:
    """The cluster whose state folder this is; None when there is none or it never got that far."""
    try:
        content = json.loads((state / "cluster.json").read_text())
    except (OSError, ValueError):
        return None
    return Layout(state.resolve(), content["subnet"], tuple(content["nodes"]), content["gpus"])
