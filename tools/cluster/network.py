"""The cluster's own network: one namespace per machine, joined by a bridge in the hub's."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence

from tools.cluster.layout import DNS_ADDRESS, HUB, SERVICE_ADDRESS, Layout, prefix_of, subnet_candidates
from tools.dev.steps import Stop

BRIDGE = "br0"


def free_subnet(key: str) -> str:
    """A /24 that nothing on this computer has a route to."""
    routes = json.loads(ip("-j", "route") or "[]")
    taken = {route["dst"].split("/")[0].rpartition(".")[0] for route in routes}
    for candidate in subnet_candidates(key):
        if candidate not in taken:
            return candidate
    raise Stop("no free network is left for another cluster; stop one with './dev cluster down'.")


def make_network(layout: Layout) -> None:
    for machine in layout.machines:
        ip("netns", "add", layout.namespace(machine))
    batch(
        layout.namespace(HUB),
        "link set lo up",
        f"link add {BRIDGE} type bridge",
        f"addr add {layout.address(HUB)}/24 dev {BRIDGE}",
        # Without kube-proxy, the cluster's own service and name server are addresses of the hub itself:
        # the API server answers at the first, and the second refuses at once instead of letting people wait.
        f"addr add {SERVICE_ADDRESS}/32 dev lo",
        f"addr add {DNS_ADDRESS}/32 dev lo",
        f"link set {BRIDGE} up",
    )
    forward(layout.namespace(HUB))
    for node in layout.nodes:
        join(layout, layout.namespace(node), node, layout.address(node))
        forward(layout.namespace(node))
        route = f"route add {layout.pod_range(node)} via {layout.address(node)}"
        batch(layout.namespace(HUB), route)
    connect_root(layout)


def join(layout: Layout, namespace: str, port: str, address: str) -> None:
    """Give a namespace a line to the bridge; the bridge's end of it carries the name `port`."""
    batch(
        layout.namespace(HUB),
        f"link add {port} type veth peer name eth0 netns {namespace}",
        f"link set {port} master {BRIDGE}",
        f"link set {port} up",
    )
    batch(
        namespace,
        "link set lo up",
        f"addr add {address}/24 dev eth0",
        "link set eth0 up",
        f"route add default via {layout.address(HUB)}",
    )


def connect_root(layout: Layout) -> None:
    hub, device = layout.namespace(HUB), layout.root_device
    ip("link", "add", device, "type", "veth", "peer", "name", "root", "netns", hub)
    batch(hub, f"link set root master {BRIDGE}", "link set root up")
    ip("addr", "add", f"{layout.root_address()}/24", "dev", device)
    ip("link", "set", device, "up")


def set_link(layout: Layout, port: str, state: str) -> None:
    ip("-n", layout.namespace(HUB), "link", "set", port, state)


def remove_network(key: str) -> None:
    """Take away every device and namespace of a cluster, after ending whoever is still inside."""
    for namespace in namespaces(key):
        remove_namespace(namespace)
    subprocess.run(["ip", "link", "delete", f"dl{key}"], capture_output=True, check=False)


def remove_namespace(namespace: str) -> None:
    end_everyone_in(namespace)
    ip("netns", "delete", namespace)


def end_everyone_in(namespace: str) -> None:
    deadline = time.monotonic() + 20
    while (pids := ip("netns", "pids", namespace).split()) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.02)


def namespaces(key: str) -> list[str]:
    names = [line.split()[0] for line in ip("netns", "list").splitlines() if line.strip()]
    return [name for name in names if name.startswith(prefix_of(key))]


def forward(namespace: str) -> None:
    script = "echo 1 >/proc/sys/net/ipv4/ip_forward"
    run(["nsenter", f"--net=/run/netns/{namespace}", "sh", "-c", script])


def batch(namespace: str, *lines: str) -> None:
    run(["ip", "-n", namespace, "-batch", "-"], "\n".join(lines) + "\n")


def ip(*words: str) -> str:
    return run(["ip", *words])


def run(command: Sequence[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"'{' '.join(command)}' failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
