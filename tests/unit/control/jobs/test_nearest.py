"""A flavor that does not fit is answered with the nearest that does."""

from __future__ import annotations

import pytest

from danlu.control.jobs.nearest import with_nearest
from danlu.domain.errors import FieldError
from danlu.domain.job import JobClass
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import Flavor
from danlu.domain.words import same
from danlu.files.reading import read_job_file
from danlu.scheduler.cluster import AllNodes
from tests.fakes.queue import node

IDLE = AllNodes([node("n1", 4), node("t1", 8, "T4")], {})
WRONG = FieldError(("resources", "gpus"), "out_of_range", same("8 is more than any node has (4)"))


def flavor(name: str, gpus: int, model: str | None = "A100", *classes: JobClass) -> Flavor:
    return Flavor(name, Resources(2000, GIB, gpus * 1000, model), classes)


LARGE = flavor("a100-8", 8)


@pytest.mark.parametrize(
    ("there", "hint"),
    [
        ((flavor("a100-1", 1), flavor("a100-4", 4)), "the nearest flavor that fits is 'a100-4'"),
        ((flavor("t4-8", 8, "T4"), flavor("a100-1", 1)), "the nearest flavor that fits is 'a100-1'"),
        ((flavor("a100-4", 4, "A100", JobClass.WORKSPACE), flavor("a100-1", 1)), "the nearest flavor that fits is 'a100-1'"),
        ((flavor("a100-6", 6),), None),
    ],
)  # fmt: skip
def test_the_nearest_that_fits_and_is_for_the_class_is_named(there, hint):
    file = {"kind": "training", "name": "some-job", "command": "true", "flavor": "a100-8"}
    spec = read_job_file(file, {"a100-8": LARGE.resources}).result()
    told = with_nearest(WRONG, spec, 0, (LARGE, *there), IDLE).hint
    assert (told and told.en) == hint


def test_a_size_in_numbers_is_told_no_flavor():
    spec = read_job_file({"kind": "training", "name": "some-job", "command": "true"}).result()
    assert with_nearest(WRONG, spec, 0, (flavor("a100-1", 1),), IDLE) == WRONG
