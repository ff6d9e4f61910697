"""`./dev bench scheduler`: the decision alone, in CPU time, on clusters and queues of many sizes."""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import psutil

from bench.table import Table
from bench.workload import NODE_CPUS, NODE_GPUS, NODE_MEMORY_MIB, Request, requests
from danlu.domain.job import JobSpec, Kind, Role
from danlu.domain.node import Gpu, Node
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.rules import BUILT_IN, PriorityClass, Project
from danlu.scheduler import (
    FOREVER,
    Ask,
    Assigned,
    Board,
    Decision,
    Pending,
    Plan,
    Rules,
    Running,
    ask_of,
    decide,
)

MODELS = ("A100", "H100", "L40", "V100")
USERS, PROJECTS = 2_000, 50
HOUR = 3_600_000
NOW = 1_000 * HOUR
_MIB = 2**20


def main() -> int:
    table = Table("./dev bench scheduler (CPU time of one core)")
    sections: dict[str, Callable[[Table], None]] = {
        "large": large, "growth": growth, "evictions": evictions, "filling": filling,
    }  # fmt: skip
    for name in sys.argv[1:] or sections:
        print(f"{name} …", flush=True)
        sections[name](table)
    print("\n" + table.render())
    return 0


def large(table: Table) -> None:
    """10,000 nodes, 100,000 waiting: the first decision, and the next after a hundred changes."""
    before = psutil.Process().memory_info().rss
    world = World.full(10_000, 100_000).settled()
    took, decision = timed(world.decide)
    table.add("first cycle after a restart, 10,000 nodes × 8 GPUs, 100,000 pending", f"{took:.0f} ms")
    took = statistics.median(timed(world.decide)[0] for _ in range(3))
    table.add("full cycle, everybody considered, same state", f"{took:.0f} ms", "500 ms")
    reasons, _ = timed(lambda: (decision.waiting, decision)[1])
    table.add("a reason for each of them, on top", f"{reasons:.0f} ms")
    used = (psutil.Process().memory_info().rss - before) / _MIB
    table.add("memory of state and plan", f"{used:.0f} MB")
    later = []
    for _ in range(5):
        world.apply(decision.plan)
        took, decision = timed(world.later)
        later.append(took)
    starts = len(decision.plan.starts)
    table.add(
        f"next cycle after 100 changes ({starts} starts)", f"{statistics.median(later):.0f} ms", "50 ms"
    )


def growth(table: Table) -> None:
    """How a full cycle grows with the cluster and with the queue."""
    for nodes, waiting in (
        (100, 10_000),
        (1_000, 10_000),
        (10_000, 10_000),
        (1_000, 1_000),
        (1_000, 100_000),
    ):
        world = World.full(nodes, waiting).settled()
        world.decide()
        took, decision = timed(world.decide)
        world.apply(decision.plan)
        later, _ = timed(world.later)
        table.add(f"{nodes:,} nodes, {waiting:,} pending", f"{took:.0f} ms, next {later:.0f} ms")


def evictions(table: Table) -> None:
    """1,000 nodes full of low-priority or borrowing jobs, and many who may take their place."""
    world = World.full(1_000, 2_000, running_priority="low", waiting_priority="high")
    took, decision = timed(world.decide)
    plan = decision.plan
    said = f"{took:.0f} ms, {len(plan.evictions)} evictions for {len(plan.starts)} starts"
    table.add("preemption-heavy, 1,000 nodes", said, "300 ms")
    world = World.full(1_000, 2_000, running_projects=10)
    took, decision = timed(world.decide)
    plan = decision.plan
    said = f"{took:.0f} ms, {len(plan.evictions)} evictions for {len(plan.starts)} starts"
    table.add("reclaim-heavy, 1,000 nodes", said, "300 ms")


def filling(table: Table) -> None:
    """An empty cluster and a long queue: mostly placement."""
    world = World.full(1_000, 10_000, busy=0.0)
    took, decision = timed(world.decide)
    plan = decision.plan
    each = took / max(1, len(plan.starts))
    table.add(
        "1,000 empty nodes, 10,000 pending", f"{took:.0f} ms, {len(plan.starts)} starts, {each:.2f} ms each"
    )


@dataclass
class World:
    """A board with what is on it, changed as a day changes a cluster."""

    board: Board
    rules: Rules
    draw: random.Random
    jobs: dict[str, Pending | Running]
    scores: dict[tuple[str, str], float]
    fresh: list[Request]
    waiting_priority: str
    nodes: list[Node]
    now: int = NOW
    made: int = 0

    @property
    def _weights(self) -> list[float]:
        return [project.weight or 0 for project in self.rules.projects.values()]

    @classmethod
    def full(
        cls,
        nodes: int,
        waiting: int,
        *,
        busy: float = 1.0,
        running_priority: str = "normal",
        waiting_priority: str = "normal",
        running_projects: int = PROJECTS,
    ) -> World:
        draw = random.Random(42)
        projects = {f"p{n:02}": Project(f"p{n:02}", weight=1 + n % 5) for n in range(PROJECTS)}
        built_in = [rule for rule in BUILT_IN if isinstance(rule, Project | PriorityClass)]
        projects |= {rule.name: replace(rule, weight=0) for rule in built_in if isinstance(rule, Project)}
        priorities = {rule.name: rule for rule in built_in if isinstance(rule, PriorityClass)}
        scores = {(f"u{n}", model): draw.random() * 20 for n in range(USERS) for model in MODELS}
        fresh = requests(waiting + nodes * 8 + 10_000)
        machines = [machine(n) for n in range(nodes)]
        world = cls(Board(), Rules(projects, priorities), draw, {}, scores, fresh, waiting_priority, machines)
        world.board.set_nodes(machines, {})
        for node in machines if busy else ():
            world.fill(node, running_priority, running_projects)
        for _ in range(waiting):
            world.put(world.submit())
        return world

    def put(self, job: Pending | Running) -> None:
        self.jobs[job.job_id] = job
        self.board.put(job)

    def fill(self, node: Node, priority: str, projects: int) -> None:
        """Tasks of one GPU, but for some nodes that a single one holds; a few cards stay free."""
        cards = list(range(NODE_GPUS))
        if self.draw.random() < 0.1:
            self.put(self.running(node, Request(8, 64, 262_144, 480), cards, priority, projects))
            return
        for card in cards:
            if self.draw.random() < 0.995:
                self.put(self.running(node, Request(1, 8, 16_384, 480), [card], priority, projects))

    def running(
        self, node: Node, request: Request, cards: list[int], priority: str, projects: int
    ) -> Running:
        self.made += 1
        job, model = f"r{self.made:07}", node.gpu_model or ""
        grants = tuple(GpuGrant(card) for card in cards)
        size = resources(request, model)
        task = Assigned("worker", 0, node.name, size.cpu_milli, size.memory, grants, model)
        began = NOW - self.draw.randrange(1, 8) * HOUR
        limit = 24 * HOUR if self.draw.random() < 0.5 else FOREVER
        owner = f"u{self.draw.randrange(USERS)}"
        (project,) = self.draw.choices(list(self.rules.projects)[:projects], self._weights[:projects])
        return Running(
            job,
            owner,
            ask(request, model, 1),
            began,
            (task,),
            (),
            project,
            priority,
            limit,
            True,
            (began, job),
        )

    def submit(self) -> Pending:
        self.made += 1
        job, model, request = f"w{self.made:07}", self.draw.choice(MODELS), self.fresh[self.made]
        tasks = self.draw.choice((2, 4, 8)) if request.gpus == 8 else 1
        limit = request.minutes * 60_000 if self.draw.random() < 0.5 else FOREVER
        user = self.draw.randrange(USERS)
        project = f"p{(user + self.draw.randrange(2)) % PROJECTS:02}"
        born = NOW - HOUR + self.made
        wanted = ask(request, model, tasks)
        return Pending(job, f"u{user}", wanted, born, (born, job), project, self.waiting_priority, limit)

    def settled(self) -> World:
        """As decisions leave it, so that nobody has room to make; on a board that knows of nothing yet."""
        while (plan := self.decide().plan).starts:
            self.apply(plan)
        fresh = Board()
        fresh.set_nodes(self.nodes, {})
        for job in self.jobs.values():
            fresh.put(job)
        return replace(self, board=fresh)

    def decide(self) -> Decision:
        return decide(self.board.snapshot(self.now, self.rules, self.scores))

    def apply(self, plan: Plan) -> None:
        for eviction in plan.evictions:
            job = self.jobs[eviction.job_id]
            assert isinstance(job, Running)
            self.put(job.requeued(eviction.made_for))
        for start in plan.starts:
            job = self.jobs[start.job_id]
            assert isinstance(job, Pending)
            self.put(Running(
                job.job_id, job.owner, job.ask, self.now, start.tasks, (), job.project, job.priority, job.max_time,
                True, job.slot,
            ))  # fmt: skip

    def later(self) -> Decision:
        self.change(100)
        return self.decide()

    def change(self, count: int) -> None:
        """A second later: half of the changes are jobs that ended, half are new ones."""
        self.now += 1_000
        running = [job for job in self.jobs.values() if isinstance(job, Running)]
        for job in self.draw.sample(running, count // 2):
            del self.jobs[job.job_id]
            self.board.drop(job.job_id)
        for _ in range(count // 2):
            self.put(self.submit())


def machine(number: int) -> Node:
    name, model = f"n{number:05}", MODELS[number % len(MODELS)]
    cards = tuple(Gpu(index, f"{name}-{index}", model) for index in range(NODE_GPUS))
    return Node(
        name, "127.0.0.1", NODE_CPUS * 1000, NODE_MEMORY_MIB * _MIB, cards, {"rack": f"r{number // 32}"}
    )


def resources(request: Request, model: str) -> Resources:
    return Resources(request.cpus * 1000, request.memory_mib * _MIB, request.gpus * 1000, model)


def ask(request: Request, model: str, tasks: int) -> Ask:
    role = Role("worker", tasks, resources(request, model), "train", tasks)
    return ask_of(JobSpec(Kind.TRAINING, "bench", (role,)))


def timed(act: Callable[[], Decision]) -> tuple[float, Decision]:
    """Milliseconds of CPU time, and what came of it."""
    gc.collect()
    gc.freeze()  # as the server does once it has loaded what there is
    began = time.process_time()
    done = act()
    return (time.process_time() - began) * 1000, done


if __name__ == "__main__":
    sys.exit(main())
