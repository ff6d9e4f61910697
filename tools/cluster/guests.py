"""Guests: places on the cluster's network for programs under test, each of which can be cut off alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.cluster import network
from tools.cluster.layout import HUB, Layout
from tools.dev.stamps import alone
from tools.dev.steps import Stop

FIRST, LAST = 100, 199


@dataclass(frozen=True)
class Guest:
    """A network namespace with one address; it reaches the API server and pods, and they reach it."""

    layout: Layout
    name: str
    address: str

    @classmethod
    def make(cls, layout: Layout, name: str) -> Guest:
        with alone(f"cluster-guests-{layout.key}"):
            return cls._make(layout, name)

    @classmethod
    def _make(cls, layout: Layout, name: str) -> Guest:
        taken = addresses_in_use(layout)
        free = (f"{layout.subnet}.{number}" for number in range(FIRST, LAST + 1))
        address = next((one for one in free if one not in taken), None)
        if address is None:
            raise Stop("the cluster's network has no free address for another guest.")
        guest = cls(layout, name, address)
        # One that a killed test left behind has the name, but not the address.
        if guest.namespace in network.namespaces(layout.key):
            network.remove_namespace(guest.namespace)
        network.ip("netns", "add", guest.namespace)
        network.join(layout, guest.namespace, guest.port, address)
        return guest

    @property
    def namespace(self) -> str:
        return self.layout.namespace(f"guest-{self.name}")

    @property
    def port(self) -> str:
        """The name of its line at the bridge; devices have short names."""
        return f"guest{self.address.rpartition('.')[2]}"

    def inside(self, command: Sequence[str | Path]) -> list[str]:
        """The command that runs another one as this guest."""
        return ["nsenter", f"--net=/run/netns/{self.namespace}", *(str(word) for word in command)]

    def cut(self) -> None:
        network.set_link(self.layout, self.port, "down")

    def mend(self) -> None:
        network.set_link(self.layout, self.port, "up")

    def narrow(self, kilobits: int) -> None:
        """From now on it sends no more than this in a second; what it is sent comes as fast as ever."""
        shape = ["root", "tbf", "rate", f"{kilobits}kbit", "burst", "4kb", "latency", "2s"]
        network.run(self.inside(["tc", "qdisc", "replace", "dev", "eth0", *shape]))

    def leave(self) -> None:
        """Take its place away; what runs there must have ended."""
        network.ip("-n", self.layout.namespace(HUB), "link", "delete", self.port)
        network.ip("netns", "delete", self.namespace)


def addresses_in_use(layout: Layout) -> set[str]:
    """The guests' addresses, read from the bridge's ports: each is named after its guest's last number."""
    ports = json.loads(network.ip("-j", "-n", layout.namespace(HUB), "link"))
    names = [port["ifname"] for port in ports if port["ifname"].startswith("guest")]
    return {f"{layout.subnet}.{name.removeprefix('guest')}" for name in names}
