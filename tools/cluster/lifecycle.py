"""Bring a cluster up and take it down, whatever an earlier run left behind."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.cluster import control_plane, node
from tools.cluster.api import Api, has_default_account, is_ready, pretend_gpus, ready_nodes
from tools.cluster.build import ensure_programs
from tools.cluster.cgroups import make_cgroup, remove_cgroups
from tools.cluster.cluster import Cluster, find_cluster, wait_for_containerd
from tools.cluster.credentials import has_certificate, make_credentials, write_kubeconfigs
from tools.cluster.layout import GPUS, HUB, NODES, Layout, check_nodes, check_state, key_of, prefix_of
from tools.cluster.machines import start_machine
from tools.cluster.mpi_layer import ensure_mpi_layer
from tools.cluster.network import free_subnet, make_network, remove_network
from tools.cluster.processes import Processes
from tools.cluster.python_layer import ensure_python_layer
from tools.dev.stamps import alone
from tools.dev.steps import Stop
from tools.dev.system import KUBERNETES, ensure_needs, is_root_on_debian

PATIENCE = 120.0


def ensure_cluster_parts() -> None:
    """All that must be there before a cluster can start; takes minutes the first time."""
    need_root_on_debian()
    ensure_needs(KUBERNETES)
    ensure_programs()
    ensure_python_layer()
    ensure_mpi_layer()


def need_root_on_debian() -> None:
    if not is_root_on_debian():
        raise Stop("a cluster needs root on Debian (bookworm): namespaces, cgroups and Debian's packages.")


def up(state: Path, nodes: Sequence[str] = NODES, gpus: int = GPUS) -> tuple[Cluster, bool]:
    """The running cluster of this state folder, and whether it was running before."""
    names = check_nodes(nodes)
    state = check_state(state, names)
    ensure_cluster_parts()
    with alone(f"cluster-{key_of(state)}"):
        found = find_cluster(state)
        if found is not None and found.whole:
            if (found.nodes, found.layout.gpus) != (names, gpus):
                raise Stop(
                    "the cluster is already up with other nodes; stop it first with './dev cluster down'."
                )
            return found, True
        clean(state)
        layout = Layout(state, free_subnet(key_of(state)), names, gpus)
        try:
            return start(layout), False
        except BaseException:
            # The logs stay, to tell why.
            stop_everything(state)
            raise


def down(state: Path) -> bool:
    """Leave nothing behind; answers whether there was anything."""
    need_root_on_debian()
    with alone(f"cluster-{key_of(state)}"):
        was_there = (state / "cluster.json").exists()
        clean(state)
    return was_there


def start(layout: Layout) -> Cluster:
    programs = ensure_programs()
    layout.folder(HUB).mkdir(parents=True)
    layout.save()
    make_credentials(layout)
    make_network(layout)
    cluster = Cluster(layout)
    for machine in layout.machines:
        start_machine(layout, cluster.processes, machine)
    control_plane.write_audit_policy(layout)
    cluster.start("etcd", HUB, control_plane.etcd(layout))
    cluster.start("apiserver", HUB, control_plane.api_server(layout, programs))
    for name in layout.nodes:
        make_cgroup(layout.cgroup(name))
        node.configure_node(layout, name)
        cluster.start(f"containerd@{name}", name, node.containerd(layout, name))
    wait_for("the API server's certificate", lambda: has_certificate(layout), cluster)
    write_kubeconfigs(layout)
    with ThreadPoolExecutor() as pool:
        # Kubelet needs longer than the API server until it first wants something from it.
        nodes = pool.submit(start_nodes, cluster, programs)
        api = Api(layout)
        wait_for("the API server", lambda: is_ready(api), cluster)
        cluster.start("controller-manager", HUB, control_plane.controller_manager(layout, programs))
        cluster.start("scheduler", HUB, control_plane.scheduler(layout, programs))
        nodes.result()
    wait_for("the nodes", lambda: ready_nodes(api) == set(layout.nodes), cluster)
    for name in layout.nodes:
        pretend_gpus(api, name, node.GPU, layout.gpus)
    wait_for("the default service account", lambda: has_default_account(api), cluster)
    return cluster


def start_nodes(cluster: Cluster, programs: Path) -> None:
    for name in cluster.nodes:
        wait_for_containerd(cluster.layout.containerd_socket(name))
        cluster.start(f"kubelet@{name}", name, node.kubelet(cluster.layout, programs, name))
    cluster.load_images()


def wait_for(what: str, holds: Callable[[], bool], cluster: Cluster) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        dead = [process.name for process in cluster.processes.all() if not process.alive]
        if dead:
            raise Stop(
                f"{dead[0]} ended while waiting for {what}; the end of its log:\n{cluster.log_end(dead[0])}"
            )
        if time.monotonic() > deadline:
            raise Stop(f"{what} took longer than {PATIENCE:.0f} s; the logs: {cluster.layout.state / 'logs'}")
        time.sleep(0.1)


def clean(state: Path) -> None:
    stop_everything(state)
    for name in ("machines", "pki", "logs", "processes", "images", "turns"):
        shutil.rmtree(state / name, ignore_errors=True)
    for name in ("cluster.json", "kubeconfig", "images.json"):
        (state / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        state.rmdir()


def stop_everything(state: Path) -> None:
    """End every process, network and cgroup of the cluster that has, or had, this state folder."""
    processes = Processes(state / "processes").all()
    # With a machine's first process everything in it ends.
    for process in sorted(processes, key=lambda one: not one.name.startswith("machine@")):
        process.end()
    remove_network(key_of(state))
    remove_cgroups(prefix_of(key_of(state)))
