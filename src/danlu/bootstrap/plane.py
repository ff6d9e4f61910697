"""A control plane: all that acts, for as long as one process leads."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

from danlu.bootstrap.beside import Leading, Loop, data_loops, machine_loops, usage_loops, work_loops
from danlu.bootstrap.engines import ClusterEngines, base_engine, open_cluster
from danlu.bootstrap.parts import Parts
from danlu.control.jobs.stacks import StackInspector
from danlu.control.people.rights import owners_of
from danlu.control.plane.bad_nodes import BadNodes
from danlu.control.plane.controller import Controller
from danlu.control.plane.full_volumes import FullVolumes
from danlu.control.plane.guarded import Guarded
from danlu.control.plane.inputs import InputProgress
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.mounts import MountAccess, login_given
from danlu.control.plane.planner import Planner
from danlu.control.plane.ties import VolumeTies
from danlu.control.plane.view import ActiveView
from danlu.control.rules.registry import Registry
from danlu.engines.several import Engines
from danlu.ports.store import Store


class ControlPlane:
    """Implements control.leadership.Acting. `store` is the leader's own way in; `may_act` guards the engines."""

    def __init__(self, parts: Parts, store: Store, may_act: Callable[[], bool]) -> None:
        self.base = base_engine(parts)
        self.engines = Engines(self.base.engine, parts.clock)
        inventory = self.engines.inventory
        self.registry = Registry(parts.store, parts.clock, lambda: self.view.active(), inventory)
        self.registry.seed(parts.settings.projects)
        as_owner = owners_of(parts.store, self.registry.groups)
        self.view = ActiveView(
            store,
            inventory,
            ruled=self.registry.reread,
            all_serve=parts.all_serve,
            ties=VolumeTies(store, parts.clock),
            inputs=InputProgress(store, parts.clock),
            full=FullVolumes(store, parts.volumes.figure, parts.clock),
        )
        ledger = Ledger(store, parts.policy.score_time)
        self.planner = Planner(self.view, self.registry, ledger, inventory, parts.clock, parts.policy)
        self.view.notice(self.planner.decisions.noticed)
        self.controller = Controller(
            store,
            Guarded(self.engines, may_act),
            parts.clock,
            self.planner,
            self.view,
            parts.url,
            parts.tasks.token,
            MountAccess(
                parts.store,
                as_owner,
                parts.settings.bucket_cache,
                parts.attached.login,
                lambda job, volume: store.note(login_given(job, volume), parts.clock.now()),
            ),
        )
        self.foundation = parts.foundation(self.registry, self.view, self.planner, self.controller.wake)
        self._clusters = self._followed_clusters(parts, may_act)
        bad_nodes = BadNodes(self.registry, self.planner.nodes, parts.clock, parts.settings.node_failures)
        self.controller.follow(bad_nodes.noticed)
        engines = None if parts.all_serve else self.engines
        self.stacks = StackInspector(engines, parts.stacks, parts.clock)
        lead = Leading(
            parts,
            store,
            may_act,
            self.registry,
            self.view,
            self.planner,
            self.controller,
            self.foundation,
            as_owner,
        )
        self._loops = self._beside(lead)
        self._threads: list[threading.Thread] = []

    def run(self, stop: threading.Event) -> None:
        if not self._threads:
            for name, loop in self._loops:
                thread = threading.Thread(target=loop, args=(stop,), name=name, daemon=True)
                thread.start()
                self._threads.append(thread)
        self.controller.run(stop)

    def wake(self) -> None:
        self.controller.wake()
        self._clusters.wake()

    def close(self) -> None:
        for thread in self._threads:
            thread.join(timeout=5)
        self.engines.close()

    def _followed_clusters(self, parts: Parts, may_act: Callable[[], bool]) -> ClusterEngines:
        """Before the first step: what runs there is not lost."""
        clusters = ClusterEngines(
            self.engines,
            self.registry.clusters,
            functools.partial(open_cluster, parts, may_act),
            parts.store.nodes,
        )
        clusters.follow()
        self.registry.changed(clusters.wake)
        self.registry.changed(self.controller.wake)
        return clusters

    def _beside(self, lead: Leading) -> list[Loop]:
        """What goes on beside the controller, each in a thread of its own."""
        local = self.base.local is not None
        loops = [Loop("clusters", self._clusters.run), *usage_loops(lead, local), *data_loops(lead, local)]
        if not lead.parts.all_serve:  # what is simulated never shows a sign of work
            loops += work_loops(lead, self.stacks, self.engines.inventory)
        if local:  # elsewhere nothing is measured that could be added up
            loops += machine_loops(lead, self.engines.inventory)
        return loops
