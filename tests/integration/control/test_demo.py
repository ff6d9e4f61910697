"""The demonstration is made through the same verbs as real work, and once."""

from __future__ import annotations

from pathlib import Path

from danlu.control import templates
from danlu.control.demo import DEMO_PROJECTS, seed_data, seed_demo, seed_volumes
from danlu.data.volumes.samples import write_samples
from danlu.domain.members import MemberRole
from danlu.domain.volumes.access import mode_of
from danlu.ports.files import PlaceBelow
from danlu.ports.store import JobQuery
from tests.fakes.server import world


def test_people_of_the_demonstration_belong_to_projects_and_a_second_start_adds_nothing(
    tmp_path: Path,
) -> None:
    with world(tmp_path) as here:
        here.registry.seed(DEMO_PROJECTS)
        for _ in range(2):
            seed_demo(here.people, here.jobs, here.store, here.services.ports.clock.now())
            jobs = {(row.owner, row.name): row.project for row in here.store.page(JobQuery()).rows}
            noted = here.store.last_noted()
        assert noted is not None
        assert (noted.entry.act, noted.entry.subject) == ("created", "template:chen:llm-sft-7b")
        assert {project: len(here.store.members(project)) for project in DEMO_PROJECTS} == {
            "vision": 2, "nlp": 3, "speech": 1,
        }  # fmt: skip
        assert jobs["lin", "resnet50-imagenet"] == "vision"
        (kept,) = here.services.rooms(templates.build).all(here.caller("chen"), owner="lin")
        assert (kept.name, kept.project) == ("resnet50-imagenet", "vision")
        assert here.services.rooms(templates.build).get(here.caller("chen"), kept.id).job["command"]
        for owner, name in jobs:
            project = jobs[owner, name]
            roles = {one.user: one.role for one in here.store.members(project)}
            assert project == "public" or roles[owner] is not MemberRole.VIEWER


def test_demo_volumes_come_once_with_their_files(tmp_path: Path) -> None:
    with world(tmp_path, projects=(*DEMO_PROJECTS, "public")) as here:
        clock, disk = here.services.ports.clock, tmp_path / "volume-data"
        seed_demo(here.people, here.jobs, here.store, clock.now())
        for _ in range(2):
            seed_volumes(
                here.services.volumes,
                here.store,
                lambda one, files: write_samples(PlaceBelow(str(disk), f"{one.id}/files".encode()), files),
            )
        lin, wang = here.caller("lin"), here.caller("wang")
        own = here.services.volumes.all(lin, "lin")
        assert [one.name for one in own] == ["checkpoints", "imagenet-tiny"]
        assert len(here.services.volumes.all(lin, trashed=True)) == 1
        found = {one.name: mode_of(wang, one) for one in here.services.volumes.all(wang)}
        assert found == {"benchmarks": "ro", "corpus-zh": "rw", "voices": None}
        tiny = here.services.volumes.get(lin, "imagenet-tiny")
        labels = (disk / tiny.id / "files" / "labels.csv").read_text()
        assert labels.startswith("file,label\n")


def test_demo_data_is_asked_for_once(tmp_path: Path) -> None:
    with world(tmp_path, projects=(*DEMO_PROJECTS, "public")) as here:
        services, disk = here.services, tmp_path / "volume-data"
        seed_demo(here.people, here.jobs, here.store, services.ports.clock.now())
        seed_volumes(
            services.volumes,
            here.store,
            lambda one, files: write_samples(PlaceBelow(str(disk), f"{one.id}/files".encode()), files),
        )
        for _ in range(2):
            seed_data(services.datasets, services.transfers, here.store)
        lin, wang = here.caller("lin"), here.caller("wang")
        acts = services.datasets.acts.list(wang, "web-text-zh")
        assert [(one.wish.source.path, one.wish.tags) for one in reversed(acts)] == [
            ("2024-03", ()),
            ("2024-06", ("clean",)),
        ]
        folders = disk / services.volumes.get(wang, "corpus-zh").id / "files"
        assert all((folders / one.wish.source.path).is_dir() for one in acts)
        rows = services.transfers.transfers.all(lin, "lin")
        assert sorted(bytes(one.source.path) for one in rows) == [b"accuracy.csv", b"loss.csv"]
        assert [one.cron for one in services.transfers.schedules.all(lin, "lin")] == ["0 3 * * 1"]
        services.datasets.datasets.trash(wang, "web-text-zh")
        seed_data(services.datasets, services.transfers, here.store)
        assert services.datasets.datasets.all(wang, "wang") == []
