"""Our side of `./dev bench slurm`."""

from __future__ import annotations

import gc
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil

from bench.peers.slurm_figures import Submissions
from bench.walk import server
from bench.workload import (
    NODE_CPUS,
    NODE_GPUS,
    NODE_MEMORY_MIB,
    Request,
    Scenario,
    requests,
    scenario,
)
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.node import Gpu, Node
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.rules import BUILT_IN, PriorityClass, Project
from danlu.scheduler import Assigned, Board, Pending, Plan, Rules, Running, ask_of, decide
from tests.live import training

_MODEL = "A100"
_NOW = 10**12


def ours_decision(nodes: int, full: bool) -> float:
    """CPU seconds of `danlu.scheduler.decide` per started job, on `bench.workload.scenario(nodes)`.

    Empty: one decision on `nodes` free nodes of NODE_GPUS, NODE_CPUS and NODE_MEMORY_MIB with `first` pending; all of
    them start. Full: `first` runs as that plan placed it, one task of 8 GPUs on each node it left empty, and as many as
    `queue` are pending for whom there is no room; then the first `freed` running jobs of one GPU are gone, and the
    next decision is measured, divided by the number of its starts."""
    world = World(scenario(nodes))
    if not full:
        return world.timed(world.first)
    world.fill()
    return statistics.median(world.timed(world.free()) for _ in range(3))


class World:
    """The scenario on a board of one GPU model and one project."""

    def __init__(self, given: Scenario) -> None:
        self._scenario, self._board, self._made = given, Board(), 0
        self._nodes = [_node(number) for number in range(given.nodes)]
        self._board.set_nodes(self._nodes, {})
        self._running: dict[str, Running] = {}
        self._pending: dict[str, Pending] = {}
        built_in = {rule.name: rule for rule in BUILT_IN if isinstance(rule, Project)}
        classes = {rule.name: rule for rule in BUILT_IN if isinstance(rule, PriorityClass)}
        self._rules = Rules(built_in, classes)
        self.first = [self._queue(request) for request in given.first]

    def timed(self, arrived: object) -> float:
        """CPU seconds per start of the next decision; then it is applied."""
        assert arrived is not None
        gc.collect()
        gc.freeze()  # as the server does once it has loaded what there is
        began = time.process_time()
        plan = decide(self._board.snapshot(_NOW, self._rules, {})).plan
        spent = time.process_time() - began
        self._apply(plan)
        return spent / len(plan.starts)

    def fill(self) -> None:
        """Everything busy, and two jobs per node waiting that find no place."""
        self.timed(self.first)
        used = {task.node for job in self._running.values() for task in job.tasks}
        for node in self._nodes:
            if node.name not in used:
                self._run(self._queue(Request(NODE_GPUS, NODE_CPUS, NODE_MEMORY_MIB, 1440)), node.name)
        more = iter(requests(20 * self._scenario.nodes, seed=44))
        for request in self._scenario.queue:
            self._queue(request)
        while True:
            while (plan := decide(self._board.snapshot(_NOW, self._rules, {})).plan).starts:
                self._apply(plan)
            short = len(self._scenario.queue) - len(self._pending)
            if short <= 0:
                break
            for _ in range(short):
                self._queue(next(more))

    def free(self) -> list[str]:
        """The first running jobs of one GPU end."""
        gone = [job_id for job_id, job in self._running.items() if len(job.tasks[0].gpus) == 1]
        for job_id in gone[: self._scenario.freed]:
            del self._running[job_id]
            self._board.drop(job_id)
        return gone

    def _queue(self, request: Request) -> Pending:
        self._made += 1
        job_id = f"j{self._made:06}"
        size = Resources(request.cpus * 1000, request.memory_mib * 2**20, request.gpus * 1000, _MODEL)
        ask = ask_of(JobSpec(Kind.TRAINING, "job", (Role("worker", 1, size, "train", 1),)))
        job = Pending(
            job_id, "user", ask, self._made, (self._made, job_id), max_time=request.minutes * 60_000
        )
        self._pending[job_id] = job
        self._board.put(job)
        return job

    def _run(self, job: Pending, node: str) -> None:
        size = job.ask.gangs[0][0].size
        cards = tuple(GpuGrant(card) for card in range(size.whole_gpus))
        self._begin(job, (Assigned("worker", 0, node, size.cpu_milli, size.memory, cards, _MODEL),))

    def _begin(self, job: Pending, tasks: tuple[Assigned, ...]) -> None:
        del self._pending[job.job_id]
        running = Running(job.job_id, job.owner, job.ask, _NOW, tasks, max_time=job.max_time, slot=job.slot)
        self._running[job.job_id] = running
        self._board.put(running)

    def _apply(self, plan: Plan) -> None:
        for start in plan.starts:
            self._begin(self._pending[start.job_id], start.tasks)


def _node(number: int) -> Node:
    name = f"n{number:05}"
    cards = tuple(Gpu(index, f"{name}-{index}", _MODEL) for index in range(NODE_GPUS))
    return Node(name, "127.0.0.1", NODE_CPUS * 1000, NODE_MEMORY_MIB * 2**20, cards)


def ours_submissions(count: int, clients: int = 4) -> Submissions:
    """Through the real API and store, with a hundred simulated nodes that start jobs meanwhile."""
    with server("--engine", "simulated", "--virtual-nodes", "100x8xA100") as live:

        def submit(part: int) -> None:
            with live.client() as client:
                for number in range(part, count, clients):
                    client.submit(_job(number, wanted[number]))

        wanted = requests(count)
        process = psutil.Process(live.pid)
        cpu, began = sum(process.cpu_times()[:2]), time.monotonic()
        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(submit, range(clients)))
        wall, spent = time.monotonic() - began, sum(process.cpu_times()[:2]) - cpu
    return Submissions(count / wall, spent / count)


def _job(number: int, request: Request) -> dict[str, Any]:
    # A virtual node has 64 CPUs and 512 GiB, less than a few of these jobs in a thousand ask for.
    cpus, memory = min(request.cpus, 64), min(request.memory_mib, 512 * 1024)
    resources = {"gpus": request.gpus, "cpus": cpus, "memory": f"{memory}MiB"}
    # It stays for the whole run, as it does on nodes that Slurm never hears from.
    stays = {"SIMULATED_RUN_FOR": "24h"}
    return training(f"job-{number:05d}", "true", resources=resources, env=stays)
