"""Moving nodes to another pool, with a preview of the affected jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.rules.checks import known_or_not
from danlu.control.rules.node_checks import strange_nodes
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Invalid
from danlu.domain.job import Job, JobClass
from danlu.domain.node import Node, NodeState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Flavor, Pool
from danlu.scheduler import could_ever_start
from danlu.scheduler.ask import ANY
from danlu.scheduler.cluster import AllNodes


@dataclass(frozen=True, slots=True)
class Moved:
    """One node that changes its pool."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Move:
    """What a move does. `running` jobs on the nodes continue, each with whether the new pool serves its class;
    `waiting` jobs could no longer start anywhere. A flavor is lost (gained) for a class if no node (some node) can
    hold it afterwards."""

    nodes: tuple[Moved, ...]
    running: tuple[tuple[Job, bool], ...]
    waiting: tuple[Job, ...]
    flavors_lost: tuple[str, ...]
    flavors_gained: tuple[str, ...]


class NodeMoves:
    """Moves nodes between pools. Any thread."""

    def __init__(self, planner: Planner, view: ActiveView, registry: Registry) -> None:
        self._planner, self._view, self._registry = planner, view, registry

    def move(self, caller: Caller, names: Collection[str], pool: str, *, preview: bool = False) -> Move:
        """Move these, all or none; with `preview` only return what that would do."""
        caller.require(Permission.NODE_WRITE)
        nodes, pools = self._planner.nodes(), self._registry.pools()
        wrong = (
            *strange_nodes(names, [node.name for node in nodes]),
            *known_or_not("pool", pool, Pool, {Pool: pools}),
        )
        if wrong:
            raise Invalid(wrong)
        wanted = set(names)
        chosen = {node.name for node in nodes if node.name in wanted and node.pool != pool}
        moved = [replace(node, pool=pool) if node.name in chosen else node for node in nodes]
        done = self._told(nodes, moved, chosen, pools[pool])
        if not preview and chosen:
            self._registry.edit_nodes(caller, sorted(chosen), lambda rule: replace(rule, pool=pool))
        return done

    def _told(self, nodes: Sequence[Node], moved: Sequence[Node], chosen: set[str], pool: Pool) -> Move:
        before, after = self._idle(nodes), self._idle(moved)
        lost = self._losing(before, after) if chosen else []
        running = [job for job in self._view.live() if any(task.node in chosen for task in job.live_tasks)]
        flavors = self._registry.flavors().values()
        offered = [(one.name, _offered(one, before), _offered(one, after)) for one in flavors]
        return Move(
            tuple(Moved(node.name, node.pool, pool.name) for node in nodes if node.name in chosen),
            tuple((job, pool.serves(job.spec.job_class)) for job in running),
            tuple(lost),
            tuple(name for name, had, has in offered if had - has),
            tuple(name for name, had, has in offered if has - had),
        )

    def _idle(self, nodes: Sequence[Node]) -> AllNodes:
        """The nodes as if idle: cordoned or unreachable ones may come back."""
        there = [node for node in nodes if node.state is not NodeState.OFF]
        return AllNodes([replace(node, state=NodeState.READY) for node in there], self._registry.pools())

    def _losing(self, before: AllNodes, after: AllNodes) -> list[Job]:
        """The queued jobs that could start before and not after; most of them ask for the same."""
        snapshot = self._planner.snapshot()
        waiting = {job.job_id: job for line in snapshot.lines for job in line.jobs}
        waiting |= {job.job_id: job for job in snapshot.apart}
        lost = {
            ask
            for ask in {job.ask for job in waiting.values()}
            if could_ever_start(before, ask) and not could_ever_start(after, ask)
        }
        found = (self._view.get(job.job_id) for job in waiting.values() if job.ask in lost)
        return [job for job in found if job is not None]


def _offered(flavor: Flavor, cluster: AllNodes) -> set[JobClass]:
    """The classes of jobs for which some node could hold it."""
    classes = flavor.classes or tuple(JobClass)
    return {one for one in classes if cluster.eligible(one, (), flavor.resources, ANY).any()}
