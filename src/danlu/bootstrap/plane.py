"""A control plane: all that acts, for as long as one process leads."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

from danlu.bootstrap.claims import KeptByKubernetes
from danlu.bootstrap.datasets import dataset_acts
from danlu.bootstrap.engines import ClusterEngines, base_engine, open_cluster
from danlu.bootstrap.outputs import output_runner
from danlu.bootstrap.parts import Parts
from danlu.control import volumes
from danlu.control.jobs.stacks import StackInspector
from danlu.control.people.rights import owners_of
from danlu.control.plane.bad_nodes import BadNodes
from danlu.control.plane.claims import ClaimKeeper
from danlu.control.plane.controller import Controller
from danlu.control.plane.count_often import volumes_often
from danlu.control.plane.failures import FailureReader
from danlu.control.plane.full_volumes import FullVolumes
from danlu.control.plane.guarded import Guarded
from danlu.control.plane.hangs import Hangs
from danlu.control.plane.inputs import InputProgress
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.mount_watch import MountWatch
from danlu.control.plane.mounts import MountAccess, login_given
from danlu.control.plane.personal_places import PersonalPlaces
from danlu.control.plane.planner import Planner
from danlu.control.plane.reported import Reported
from danlu.control.plane.ties import VolumeTies
from danlu.control.plane.view import ActiveView
from danlu.control.quotas.storage import PERSONAL, RESULTS, bound_of
from danlu.control.recipes.runner import ImportRunner
from danlu.control.rules.registry import Registry
from danlu.control.transfers.inputs import InputFetcher
from danlu.control.transfers.runner import TransferBounds, TransferRunner
from danlu.control.transfers.transfers import MOST_UNFINISHED
from danlu.control.usage.busy import Busy
from danlu.control.usage.recorder import Recorder
from danlu.control.volumes.files import VolumeFiles
from danlu.data.counting import FolderCounter
from danlu.data.files.collector import LeftoverCollector
from danlu.data.results.collector import ResultCollector
from danlu.data.transfers.processes import ProcessWorkers
from danlu.data.volumes.collector import VolumeCollector
from danlu.engines.local import traffic
from danlu.engines.several import Engines
from danlu.ports.stacks import Cause
from danlu.ports.store import Store
from danlu.telemetry.latest import FileLatest
from danlu.telemetry.meter import NodeMeter
from danlu.telemetry.signs import FileSigns


class ControlPlane:
    """Implements control.leadership.Acting. `store` is the leader's own way in; `may_act` guards the engines."""

    def __init__(self, parts: Parts, store: Store, may_act: Callable[[], bool]) -> None:
        self.base, self._nothing_runs = base_engine(parts), parts.all_serve
        self.engines = Engines(self.base.engine, parts.clock)
        inventory = self.engines.inventory
        self.registry = Registry(parts.store, parts.clock, lambda: self.view.active(), inventory)
        self.registry.seed(parts.settings.projects)
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
        self._recorder = Recorder(
            store,
            self.view,
            self.planner.nodes,
            parts.clock,
            Busy(parts.usage) if self.base.local is not None else None,
        )
        guarded = Guarded(self.engines, may_act)
        self.controller = Controller(
            store,
            guarded,
            parts.clock,
            self.planner,
            self.view,
            parts.url,
            parts.tasks.token,
            MountAccess(
                parts.store,
                owners_of(parts.store, self.registry.groups),
                parts.settings.bucket_cache,
                parts.attached.login,
                lambda job, volume: store.note(login_given(job, volume), parts.clock.now()),
            ),
        )
        self.foundation = parts.foundation(self.registry, self.view, self.planner, self.controller.wake)
        self._clusters = ClusterEngines(
            self.engines,
            self.registry.clusters,
            functools.partial(open_cluster, parts, may_act),
            parts.store.nodes,
        )
        self._clusters.follow()  # before the first step: what runs there is not lost
        self.registry.changed(self._clusters.wake)
        self.registry.changed(self.controller.wake)
        bad_nodes = BadNodes(self.registry, self.planner.nodes, parts.clock, parts.settings.node_failures)
        self.controller.follow(bad_nodes.noticed)
        self.stacks = StackInspector(None if self._nothing_runs else self.engines, parts.stacks, parts.clock)
        self._hangs = Hangs(
            self.view.live,
            inventory,
            FileSigns(parts.directory.logs, parts.clock),
            lambda job: self.stacks.take(job, Cause.HUNG),
            self.controller.found,
            parts.clock,
        )
        self._reported = Reported(self.view.live, FileLatest(parts.directory.logs), store)
        self._failures = FailureReader(
            store,
            parts.logs,
            self.controller.found,
            parts.clock,
            [one.pattern() for one in parts.settings.failures],
        )
        self.controller.follow(self._failures.noticed)
        self._results = ResultCollector(
            parts.shelf,
            parts.directory.result_figures,
            parts.settings.results_time,
            parts.settings.disk_reserve,
            lambda: [job.id for job in self.view.active()] if self.view.started else None,
            lambda owner: bound_of(self.registry, owner, RESULTS, parts.settings.results_total or None),
            parts.clock,
            store.jobs_with_open_outputs,
        )
        self._trash = VolumeCollector(store, parts.volumes, parts.settings.volume_trash_time, parts.clock)
        as_owner = owners_of(parts.store, self.registry.groups)
        settings = parts.settings
        own = PersonalPlaces(
            self.view.live,
            self.planner.nodes,
            parts.personal.of,
            lambda owner: bound_of(self.registry, owner, PERSONAL, settings.personal_limit or None),
            settings.volume_tolerance,
        )
        self._mounts = MountWatch(
            store,
            self.view.live,
            parts.volumes.figure,
            as_owner,
            self.controller.found,
            parts.clock,
            parts.settings.volume_tolerance,
            own.of if self.base.local is not None else lambda _: None,
        )
        often = volumes_often(store, self.view.active, parts.volumes.figure, parts.clock)
        self._volumes = FolderCounter(
            parts.directory.volume_data,
            parts.directory.volume_use,
            parts.clock,
            often.due,
            self._mounts.wake,
        )
        self._personal = FolderCounter(
            parts.directory.volumes,
            parts.directory.personal_use,
            parts.clock,
            own.often(parts.clock).due,
            self._mounts.wake,
        )
        self._acts = dataset_acts(parts, self.foundation, as_owner)
        self._claims = ClaimKeeper(
            store,
            KeptByKubernetes(may_act, parts.directory.id),
            self.registry.clusters,
            parts.secrets.access,
            parts.clock,
        )
        files = self._files(parts)
        self._transfers = self._transfer_runner(parts, store, files)
        self._imports = ImportRunner(store, files, as_owner, parts.clock)
        self._inputs = InputFetcher(
            store, self.view, self.controller.found, MOST_UNFINISHED, parts.clock, parts.ids
        )
        self._outputs = output_runner(parts, self.foundation, store, as_owner)
        self._leftovers = LeftoverCollector(
            parts.directory.volume_data, parts.clock, parts.settings.file_trash_time
        )
        self._beside: list[threading.Thread] = []
        self._meter = NodeMeter(
            parts.usage.present,
            parts.directory.usage / "nodes",
            self.view.live,
            inventory,
            parts.clock,
            traffic.counted,
        )

    def run(self, stop: threading.Event) -> None:
        if not self._beside:
            self._start_beside("clusters", self._clusters.run, stop)
            self._start_beside("recorder", self._recorder.run, stop)
            self._start_beside("volumes", self._volumes.run, stop)
            self._start_beside("volumes that jobs write to", self._volumes.run_due, stop)
            self._start_beside("mounts", self._mounts.run, stop)
            self._start_beside("trash of volumes", self._trash.run, stop)
            self._start_beside("datasets", self._acts.run, stop)
            self._start_beside("claims", self._claims.run, stop)
            self._start_beside("leftovers", self._leftovers.run, stop)
            self._start_beside("transfers", self._transfers.run, stop)
            self._start_beside("inputs", self._inputs.run, stop)
            self._start_beside("outputs", self._outputs.run, stop)
            self._start_beside("imports", self._imports.run, stop)
            if not self._nothing_runs:  # what is simulated never shows a sign of work
                self._start_beside("hangs", self._hangs.run, stop)
                self._start_beside("failures", self._failures.run, stop)
                self._start_beside("reported", self._reported.run, stop)
            if self.base.local is not None:  # elsewhere nothing is measured that could be added up
                self._start_beside("meter", self._meter.run, stop)
                self._start_beside("personal directories", self._personal.run, stop)
                self._start_beside("personal directories that fill up", self._personal.run_due, stop)
                self._start_beside("results", self._results.run, stop)
        self.controller.run(stop)

    def wake(self) -> None:
        self.controller.wake()
        self._clusters.wake()

    def close(self) -> None:
        for thread in self._beside:
            thread.join(timeout=5)
        self.engines.close()

    def _files(self, parts: Parts) -> VolumeFiles:
        """Of volumes, as transfers and imports use them."""
        on, settings = self.foundation, parts.settings
        kept = volumes.build(
            on, parts.volumes, settings.volume_total or None, settings.volume_trash_time, parts.attached
        )
        return volumes.build_files(
            on,
            kept,
            parts.places,
            parts.personal,
            lambda owner: bound_of(self.registry, owner, PERSONAL, settings.personal_limit or None),
            settings.file_trash_time,
        )

    def _transfer_runner(self, parts: Parts, store: Store, files: VolumeFiles) -> TransferRunner:
        settings = parts.settings
        return TransferRunner(
            store,
            files,
            ProcessWorkers(
                settings.disk_reserve,
                (settings.unpack_limit, settings.unpack_entries),
                settings.transfer_networks,
                settings.attach_local,
            ),
            parts.logins,
            owners_of(parts.store, self.registry.groups),
            TransferBounds(settings.transfers_at_once, settings.transfers_per_person),
            parts.clock,
            parts.ids,
            parts.shelf.shelved,
        )

    def _start_beside(self, name: str, run: Callable[[threading.Event], None], stop: threading.Event) -> None:
        thread = threading.Thread(target=run, args=(stop,), name=name, daemon=True)
        thread.start()
        self._beside.append(thread)
