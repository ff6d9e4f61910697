"""The demonstration is made through the same verbs as real work, and once."""

from __future__ import annotations

from pathlib import Path

from danlu.control import templates
from danlu.control.demo import DEMO_PROJECTS, seed_demo, seed_volumes
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
