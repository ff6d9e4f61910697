"""What goes on beside the controller while a process leads: loops, each for a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from danlu.bootstrap.claims import KeptByKubernetes
from danlu.bootstrap.datasets import dataset_acts
from danlu.bootstrap.outputs import output_runner
from danlu.bootstrap.parts import Parts
from danlu.bootstrap.transfers import files_for_transfers, transfer_runner
from danlu.control.foundation import Foundation
from danlu.control.jobs.stacks import StackInspector
from danlu.control.plane.claims import ClaimKeeper
from danlu.control.plane.controller import Controller
from danlu.control.plane.count_often import volumes_often
from danlu.control.plane.failures import FailureReader
from danlu.control.plane.hangs import Hangs
from danlu.control.plane.mount_watch import MountWatch
from danlu.control.plane.personal_places import PersonalPlaces
from danlu.control.plane.planner import Planner
from danlu.control.plane.reported import Reported
from danlu.control.plane.view import ActiveView
from danlu.control.quotas.storage import PERSONAL, RESULTS, bound_of
from danlu.control.recipes.runner import ImportRunner
from danlu.control.rules.registry import Registry
from danlu.control.transfers.inputs import InputFetcher
from danlu.control.transfers.transfers import MOST_UNFINISHED
from danlu.control.usage.busy import Busy
from danlu.control.usage.recorder import Recorder
from danlu.data.counting import FolderCounter
from danlu.data.files.collector import LeftoverCollector
from danlu.data.results.collector import ResultCollector
from danlu.data.volumes.collector import VolumeCollector
from danlu.domain.node import Node
from danlu.domain.permissions import Caller
from danlu.engines.local import traffic
from danlu.ports.stacks import Cause
from danlu.ports.store import Store
from danlu.telemetry.latest import FileLatest
from danlu.telemetry.meter import NodeMeter
from danlu.telemetry.signs import FileSigns


class Loop(NamedTuple):
    """Runs until it is told to stop."""

    name: str
    run: Callable[[threading.Event], None]


@dataclass(frozen=True, slots=True)
class Leading:
    """What the loops are built on. `store` is the leader's own way in: it refuses writes once another one leads."""

    parts: Parts
    store: Store
    may_act: Callable[[], bool]
    registry: Registry
    view: ActiveView
    planner: Planner
    controller: Controller
    on: Foundation
    as_owner: Callable[[str], Caller | None]


def usage_loops(lead: Leading, local: bool) -> list[Loop]:
    """What is used is summed by the hour; `local`: how busy it is, is measured on this machine."""
    busy = Busy(lead.parts.usage) if local else None
    recorder = Recorder(lead.store, lead.view, lead.planner.nodes, lead.parts.clock, busy)
    return [Loop("recorder", recorder.run)]


def data_loops(lead: Leading, local: bool) -> list[Loop]:
    """Data comes, goes, is counted and kept."""
    return [*_counting_loops(lead, local), *_keeping_loops(lead), *_moving_loops(lead)]


def work_loops(lead: Leading, stacks: StackInspector, inventory: Callable[[], Sequence[Node]]) -> list[Loop]:
    """What running jobs show of themselves."""
    parts, found = lead.parts, lead.controller.found
    hangs = Hangs(
        lead.view.live,
        inventory,
        FileSigns(parts.directory.logs, parts.clock),
        lambda job: stacks.take(job, Cause.HUNG),
        found,
        parts.clock,
    )
    patterns = [one.pattern() for one in parts.settings.failures]
    failures = FailureReader(lead.store, parts.logs, found, parts.clock, patterns)
    lead.controller.follow(failures.noticed)
    reported = Reported(lead.view.live, FileLatest(parts.directory.logs), lead.store)
    return [Loop("hangs", hangs.run), Loop("failures", failures.run), Loop("reported", reported.run)]


def machine_loops(lead: Leading, inventory: Callable[[], Sequence[Node]]) -> list[Loop]:
    """What this machine's own tasks use and leave."""
    parts, settings, view = lead.parts, lead.parts.settings, lead.view
    meter = NodeMeter(
        parts.usage.present,
        parts.directory.usage / "nodes",
        view.live,
        inventory,
        parts.clock,
        traffic.counted,
    )
    results = ResultCollector(
        parts.shelf,
        parts.directory.result_figures,
        settings.results_time,
        settings.disk_reserve,
        lambda: [job.id for job in view.active()] if view.started else None,
        lambda owner: bound_of(lead.registry, owner, RESULTS, settings.results_total or None),
        parts.clock,
        lead.store.jobs_with_open_outputs,
    )
    return [Loop("meter", meter.run), Loop("results", results.run)]


def _counting_loops(lead: Leading, local: bool) -> list[Loop]:
    """How full volumes and, on this machine, personal directories are; and who is told of it."""
    parts, settings, clock = lead.parts, lead.parts.settings, lead.parts.clock
    own = PersonalPlaces(
        lead.view.live,
        lead.planner.nodes,
        parts.personal.of,
        lambda owner: bound_of(lead.registry, owner, PERSONAL, settings.personal_limit or None),
        settings.volume_tolerance,
    )
    mounts = MountWatch(
        lead.store,
        lead.view.live,
        parts.volumes.figure,
        lead.as_owner,
        lead.controller.found,
        clock,
        settings.volume_tolerance,
        own.of if local else lambda _: None,
    )
    often = volumes_often(lead.store, lead.view.active, parts.volumes.figure, clock)
    place = parts.directory
    kept = FolderCounter(place.volume_data, place.volume_use, clock, often.due, mounts.wake)
    loops = [
        Loop("mounts", mounts.run),
        Loop("volumes", kept.run),
        Loop("volumes that jobs write to", kept.run_due),
    ]
    if local:
        mine = FolderCounter(place.volumes, place.personal_use, clock, own.often(clock).due, mounts.wake)
        loops += [
            Loop("personal directories", mine.run),
            Loop("personal directories that fill up", mine.run_due),
        ]
    return loops


def _keeping_loops(lead: Leading) -> list[Loop]:
    """What was deleted goes when its time is over; claims in clusters come and go."""
    parts, settings = lead.parts, lead.parts.settings
    trash = VolumeCollector(lead.store, parts.volumes, settings.volume_trash_time, parts.clock)
    leftovers = LeftoverCollector(parts.directory.volume_data, parts.clock, settings.file_trash_time)
    claims = ClaimKeeper(
        lead.store,
        KeptByKubernetes(lead.may_act, parts.directory.id),
        lead.registry.clusters,
        parts.secrets.access,
        parts.clock,
    )
    return [
        Loop("trash of volumes", trash.run),
        Loop("leftovers", leftovers.run),
        Loop("claims", claims.run),
    ]


def _moving_loops(lead: Leading) -> list[Loop]:
    """Datasets are made; data comes before jobs and is kept after them."""
    parts, store = lead.parts, lead.store
    files = files_for_transfers(parts, lead.on)
    inputs = InputFetcher(store, lead.view, lead.controller.found, MOST_UNFINISHED, parts.clock, parts.ids)
    return [
        Loop("datasets", dataset_acts(parts, lead.on, store, lead.as_owner).run),
        Loop("transfers", transfer_runner(parts, store, files, lead.as_owner).run),
        Loop("imports", ImportRunner(store, files, lead.as_owner, parts.clock).run),
        Loop("inputs", inputs.run),
        Loop("outputs", output_runner(parts, lead.on, store, lead.as_owner).run),
    ]
