"""Use cases of jobs, and the checks at submission."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.jobs.admission import Admission
from danlu.control.jobs.files import JobFiles
from danlu.control.jobs.inputs import EndsOf, Inputs
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.metrics import TrainingMetrics
from danlu.control.jobs.mounting import Mounting
from danlu.control.jobs.proposals import Proposals
from danlu.control.jobs.reports import Reports
from danlu.control.jobs.stacks import StackInspector
from danlu.control.jobs.starts import Starts
from danlu.control.jobs.task_mounts import TaskMounts
from danlu.control.jobs.visits import Visits
from danlu.control.jobs.volume_use import TakenVolumes
from danlu.control.outputs.resolving import OutputTargets
from danlu.control.people.rights import owners_of
from danlu.control.plane.mounts import MountAccess
from danlu.control.queue.queue import Outlook
from danlu.control.quotas import QuotasRoom
from danlu.domain.job import Job, Time
from danlu.domain.rules import Policy
from danlu.domain.volumes.volume import Volume
from danlu.ports.code import CodeStore
from danlu.ports.datasets.contents import Contents
from danlu.ports.metrics import MetricsReader
from danlu.ports.objects import ObjectStore
from danlu.ports.report_store import ReportStore
from danlu.ports.results import Results
from danlu.ports.storage import DiskFigure
from danlu.ports.usage import UsageReader


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored of jobs outside the database."""

    code: CodeStore
    reports: ReportStore
    metrics: MetricsReader
    usage: UsageReader
    results: Results
    remove: Callable[[str], None]
    """Everything of a job that was deleted."""
    volume_figure: Callable[[str], DiskFigure | None]
    """What a volume took when it was last counted."""
    contents: Contents
    """Of versions of datasets."""
    open_bucket: Callable[[Volume], ObjectStore]


@dataclass(frozen=True, slots=True)
class JobsRoom:
    jobs: Jobs
    admission: Admission
    proposals: Proposals
    reports: Reports
    metrics: TrainingMetrics
    stacks: StackInspector
    visits: Visits
    files: JobFiles
    mounts: TaskMounts


def build(
    on: Foundation,
    kept: Kept,
    quotas: QuotasRoom,
    stacks: StackInspector,
    outlook: Callable[[Job], Outlook],
    images: Collection[str] | None,
    policy: Policy,
    results_life: Time,
    ends: EndsOf | None = None,
) -> JobsRoom:
    """`images` are those that nodes outside clusters run; None: any. `results_life`: how long results are kept; 0: as
    long as their job. `ends` are those of transfers, for inputs; None: nothing is fetched."""
    store, clock, planner = on.store, on.clock, on.planner
    mounting = Mounting(store, kept.volume_figure)
    targets = OutputTargets(store, all_serve=images is None)
    admission = Admission(
        planner.nodes, kept.code, on.registry, images, policy, mounting, Inputs(ends), targets
    )
    taken = TakenVolumes(store, clock)
    starts = Starts(on.registry, quotas.quotas, quotas.budgets, quotas.storage, taken)
    as_owner = owners_of(store, on.registry.groups)
    return JobsRoom(
        jobs=Jobs(store, admission, clock, on.ids, on.wake, outlook, kept.remove, starts, as_owner),
        admission=admission,
        proposals=Proposals(on.registry, planner, admission.idle, admission.sized),
        reports=Reports(store, kept.reports, clock, on.wake),
        metrics=TrainingMetrics(kept.metrics, kept.usage, clock),
        stacks=stacks,
        visits=Visits(store, clock),
        files=JobFiles(kept.results, quotas.storage, on.registry, store, clock, results_life),
        mounts=TaskMounts(store, MountAccess(store, as_owner), kept.contents, kept.open_bucket),
    )
