"""`./dev cluster`: a real Kubernetes on this machine, brought up, looked at, broken on purpose, taken down."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from tools.cluster.api import Api, is_node_ready
from tools.cluster.cluster import Cluster, find_cluster, process_names
from tools.cluster.layout import GPUS, NODES
from tools.cluster.lifecycle import down, ensure_cluster_parts, up
from tools.cluster.node import GPU
from tools.dev.places import STATE
from tools.dev.steps import ProgressLine, Stop, say

DEFAULT_STATE = STATE / "cluster"


def run(_habit: str, args: list[str]) -> int:
    asked = understand(args)
    state: Path = asked.state
    if asked.what == "up":
        return bring_up(state, asked.nodes.split(","), asked.gpus)
    if asked.what == "down":
        say("The cluster is down." if down(state) else f"There was no cluster in {state}.")
        return 0
    cluster = find_cluster(state)
    if cluster is None:
        say(f"There is no cluster in {state}; './dev cluster up' starts one.")
        return 1
    if asked.what == "status":
        print("\n".join(status(cluster)))
        return 0 if cluster.whole else 1
    if asked.what == "images":
        cluster.load_images()
        return 0
    return change_node(cluster, asked.action, asked.node)


def understand(args: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev cluster", allow_abbrev=False)
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    common.add_argument(
        "--state", type=Path, default=DEFAULT_STATE, help="the cluster's folder; one cluster each"
    )
    kinds = parser.add_subparsers(dest="what", required=True)
    start = kinds.add_parser("up", parents=[common], help="start it, or report that it runs")
    start.add_argument("--nodes", default=",".join(NODES), help="names, separated by commas")
    start.add_argument("--gpus", type=int, default=GPUS, help="simulated GPUs of each node")
    kinds.add_parser("down", parents=[common], help="stop it and remove everything")
    kinds.add_parser("status", parents=[common], help="show what runs")
    kinds.add_parser("images", parents=[common], help="load the images again after the runtime changed")
    node = kinds.add_parser("node", parents=[common], help="take a node off the network, or put it back")
    node.add_argument("action", choices=("stop", "start"))
    node.add_argument("node")
    return parser.parse_args(args)


def bring_up(state: Path, nodes: Sequence[str], gpus: int) -> int:
    if gpus < 0:
        raise Stop("a node cannot have fewer than 0 GPUs.")
    ensure_cluster_parts()
    began = time.monotonic()
    line = ProgressLine("Start the cluster")
    try:
        cluster, was_up = up(state, nodes, gpus)
    except BaseException:
        line.end("failed")
        raise
    line.end("done")
    took = f"ready in {time.monotonic() - began:.1f} s"
    say(f"The cluster is up ({'already running' if was_up else took}): {', '.join(cluster.nodes)}.")
    print(f"export KUBECONFIG={cluster.kubeconfig}", flush=True)
    return 0


def status(cluster: Cluster) -> list[str]:
    running = {process.name: process for process in cluster.processes.all() if process.alive}
    lines = [f"API server  {cluster.server_url}", f"KUBECONFIG  {cluster.kubeconfig}", ""]
    for name in process_names(cluster.layout):
        process = running.get(name)
        lines.append(f"{name:<24} {f'runs, pid {process.pid}' if process else 'not running'}")
    try:
        nodes = Api(cluster.layout).get("/api/v1/nodes")["items"]
    except OSError as why:
        return [*lines, "", f"The API server does not answer: {why}"]
    lines.append("")
    for node in nodes:
        ready = "Ready" if is_node_ready(node) else "not ready"
        gpus = node["status"].get("allocatable", {}).get(GPU, "0")
        lines.append(f"{node['metadata']['name']:<24} {ready}, {gpus} GPUs")
    return lines


def change_node(cluster: Cluster, action: str, node: str) -> int:
    if node not in cluster.nodes:
        raise Stop(f"there is no node '{node}'; there are {', '.join(cluster.nodes)}.")
    if action == "stop":
        cluster.cut(node)
    else:
        cluster.mend(node)
    return 0
