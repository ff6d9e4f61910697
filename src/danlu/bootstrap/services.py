"""What the API serves, built room by room; whoever tests the server builds it the same way."""

from __future__ import annotations

from typing import Literal

from danlu import __version__
from danlu.bootstrap.parts import Parts
from danlu.control import (
    datasets,
    flavors,
    jobs,
    machines,
    people,
    projects,
    queue,
    quotas,
    recipes,
    system,
    transfers,
    usage,
    volumes,
)
from danlu.control.audit import Audit
from danlu.control.environments import Environments
from danlu.control.foundation import Foundation
from danlu.control.jobs.stacks import StackInspector
from danlu.control.quotas.storage import StorageBounds
from danlu.control.volumes.volumes import Volumes
from danlu.data.datasets.reading import VersionFiles
from danlu.data.everywhere import ChangesEverywhere, FilesEverywhere, FilesSide, Sides, UploadsEverywhere
from danlu.data.files import DiskFiles
from danlu.data.files.changes import DiskChanges
from danlu.data.files.uploads import DiskUploads
from danlu.data.probe import LocalProbe
from danlu.files.settings import Settings
from danlu.ports.engine import Interactive
from danlu.server.services import Ports, Process, Rooms, Services


def build_services(
    parts: Parts,
    on: Foundation,
    half: Literal["up", "server"],
    shells: Interactive | None,
    stacks: StackInspector,
) -> Services:
    """One room on top of another, as control has them."""
    parts.rights.follow(on.registry.groups)
    settings = parts.settings
    bounds = _bounds(settings)
    most_tasks = settings.tasks_per_person or None
    holding = quotas.build(on, parts.personal, parts.code, bounds, most_tasks, parts.results)
    images = None if parts.all_serve else {"host"}
    work = jobs.build(
        on,
        parts.kept,
        holding,
        stacks,
        lambda job: line.queue.outlook(job),
        images,
        parts.policy,
        settings.results_time,
        lambda *asked: transfers.titled_ends(files, *asked),
    )
    line = queue.build(on, work.jobs.get)
    kept = volumes.build(
        on,
        parts.volumes,
        bounds.volumes,
        settings.volume_trash_time,
        parts.attached,
        settings.volume_tolerance,
    )
    files = volumes.build_files(
        on, kept, parts.places, parts.personal, holding.storage.personal_bound, settings.file_trash_time
    )
    audit = Audit(parts.store, parts.clock, parts.seal_key)

    contents = VersionFiles(parts.contents.objects)
    versioned = datasets.build(on, contents, parts.contents, files, settings.volume_trash_time)
    return Services(
        audit=audit,
        people=people.build(
            on,
            parts.people,
            parts.passwords,
            lambda caller, job: work.jobs.act(caller, job, "stop"),
            settings.link_life,
        ),
        jobs=work,
        queue=line,
        projects=projects.build(on, holding.quotas.raise_for),
        quotas=holding,
        environments=Environments(parts.environments, parts.store, parts.clock),
        flavors=flavors.build(on, work, parts.usage),
        machines=machines.build(
            on,
            parts.secrets,
            parts.inspector,
            parts.usage,
            programs=settings.cluster_programs,
            url=parts.url,
        ),
        system=system.build(
            on,
            audit,
            LocalProbe(parts.directory.root, settings.python, reserve=settings.disk_reserve),
            settings,
        ),
        usage=usage.build(on),
        volumes=kept,
        volume_files=files,
        datasets=versioned,
        transfers=transfers.build(on, files, parts.logins),
        recipes=recipes.build(on, versioned, files, parts.logins),
        registry=on.registry,
        ports=_ports(parts, kept, shells),
        process=Process(
            settings=settings,
            version=__version__,
            journey_key=parts.key,
            half=half,
            decisions=on.planner.decisions if half == "up" else None,
        ),
        rooms=Rooms(on),
    )


def _bounds(settings: Settings) -> StorageBounds:
    """Of what each person keeps; 0 in the settings: no bound."""
    return StorageBounds(
        settings.personal_limit or None,
        settings.code_total or None,
        settings.results_total or None,
        settings.volume_total or None,
        settings.dataset_total or None,
    )


def _ports(parts: Parts, kept: Volumes, shells: Interactive | None) -> Ports:
    sides = _sides(kept)
    return Ports(
        store=parts.store,
        clock=parts.clock,
        logs=parts.logs,
        follower=parts.follower,
        usage=parts.usage,
        code=parts.code,
        examples=parts.examples,
        files=FilesEverywhere(sides),
        changes=ChangesEverywhere(sides),
        uploads=UploadsEverywhere(sides),
        shells=shells,
    )


def _sides(kept: Volumes) -> Sides:
    """Files on the disk, and those of attached volumes."""
    disk = FilesSide(DiskFiles(), DiskChanges(), DiskUploads())

    def buckets() -> FilesSide:
        from danlu.data.objects.changes import BucketChanges  # loaded with the first bucket (ADR 14)
        from danlu.data.objects.files import BucketFiles
        from danlu.data.objects.uploads import BucketUploads

        found = BucketFiles(kept.open_bucket)
        return FilesSide(found, BucketChanges(found), BucketUploads(found, disk.uploads))

    return Sides(disk, buckets)
