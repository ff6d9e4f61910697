"""`./dev bench placement`: how much of a real cluster's GPUs our placement gives away, beside the published policies.

The published experiment: tasks only arrive, none ends. A list of pods is shuffled and random ones of it are appended
until they ask for 1.3 times the cluster's GPUs; each in turn is placed, or skipped if it fits nowhere. Options: the
names of lists, and a number of seeds."""

from __future__ import annotations

import csv
import gzip
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from bench.table import Table
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.node import Gpu, Node
from danlu.domain.resources import Resources
from danlu.domain.rules import GPUS
from danlu.scheduler import Ask, ask_of
from danlu.scheduler.ask import ANY
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.room import Room

TRACES = Path(__file__).parent / "traces" / "openb"
SEEDS = range(42, 52)
INFLATION = 1.3
POLICIES = ("Random", "DotProd", "Clustering", "Packing", "BestFit", "FGD")
PUBLISHED = {
    "default": (87.47, 90.85, 91.88, 92.00, 93.08, 95.39),
    "gpushare40": (86.00, 89.56, 90.02, 90.03, 91.69, 94.15),
    "gpuspec10": (87.43, 90.39, 92.18, 92.46, 93.31, 94.95),
    "multigpu20": (88.69, 92.06, 93.56, 93.71, 93.93, 95.65),
}


def main() -> int:
    table = Table("./dev bench placement: GPUs given away, % of the cluster's, mean of the seeds")
    names = [word for word in sys.argv[1:] if not word.isdigit()] or list(PUBLISHED)
    seeds = SEEDS[: min((int(word) for word in sys.argv[1:] if word.isdigit()), default=len(SEEDS))]
    cluster = read_cluster()
    capacity = cluster.capacity[GPUS]
    placed, spent = 0, 0.0
    for name in names:
        pods = read_pods(name)
        shapes = Counter(pod.gangs[0][0].size for pod in pods)
        shares = []
        for seed in seeds:
            arrivals = inflated(pods, INFLATION * capacity, seed)
            began = time.process_time()
            room = Room(cluster, cluster.empty, shapes)
            shares.append(100 * sum(place(room, pod) for pod in arrivals) / capacity)
            spent += time.process_time() - began
            placed += len(arrivals)
        others = ", ".join(f"{who} {share:.2f}" for who, share in zip(POLICIES, PUBLISHED[name], strict=True))
        spread = f"{min(shares):.2f} to {max(shares):.2f}"
        table.add(
            name, f"{statistics.mean(shares):.2f} ({spread})", f"{PUBLISHED[name][-1] + 0.5:.2f}", others
        )
    table.add("pods per CPU-second", f"{placed / spent:,.0f}", "1,000")
    print("\n" + table.render())
    return 0


def inflated(pods: list[Ask], gpu: float, seed: int) -> list[Ask]:
    """The pods shuffled, and random ones of them again until they ask for so much."""
    chance = random.Random(seed)
    arrivals = list(pods)
    chance.shuffle(arrivals)
    asked = sum(_gpu(pod) for pod in arrivals)
    while asked < gpu:
        arrivals.append(chance.choice(pods))
        asked += _gpu(arrivals[-1])
    return arrivals


def place(room: Room, pod: Ask) -> int:
    """The thousandths of GPUs that the pod was given: all it asked for, or none."""
    return _gpu(pod) if room.place(pod, ANY, None) else 0


def _gpu(pod: Ask) -> int:
    return pod.gangs[0][0].size.gpu_milli


def read_cluster() -> AllNodes:
    return AllNodes([_node(row) for row in rows("nodes")], {})


def _node(row: dict[str, str]) -> Node:
    cards = tuple(Gpu(index, f"{row['sn']}-{index}", row["model"]) for index in range(int(row["gpu"])))
    return Node(row["sn"], "127.0.0.1", int(row["cpu_milli"]), int(row["memory_mib"]) * 2**20, cards)


def read_pods(name: str) -> list[Ask]:
    return [_ask(row) for row in rows(name)]


def _ask(row: dict[str, str]) -> Ask:
    gpu = int(row["num_gpu"]) * int(row["gpu_milli"])
    size = Resources(int(row["cpu_milli"]), int(row["memory_mib"]) * 2**20, gpu, row["gpu_spec"] or None)
    return ask_of(JobSpec(Kind.TRAINING, "pod", (Role("pod", 1, size, "train", 1),)))


def rows(name: str) -> list[dict[str, str]]:
    with gzip.open(TRACES / f"{name}.csv.gz", "rt") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    sys.exit(main())
