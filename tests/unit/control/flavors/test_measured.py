"""What earlier runs used at most, and which size would have been enough."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from danlu.control.flavors.measured import Measured, Measurements, asked_by
from danlu.domain.job import Attempt, ClonedFrom, Job, Task, TaskState
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.words import Words
from danlu.ports.logs import LogKey
from danlu.ports.store import JobPage, JobQuery
from danlu.ports.usage import GpuLines, Line, TimeWindow, Usage
from tests.fakes.builders import job

HOUR = 3_600_000
OVER = TaskState.SUCCEEDED


def used(cpus: float, gib: float, *busy: float) -> Usage:
    def line(value: float) -> Line:
        return Line([value / 2, None], [value, None])

    cards = tuple(GpuLines(index, line(each), line(each * 1e6)) for index, each in enumerate(busy))
    return Usage([1, 2], line(cpus), line(gib * GIB), cards)


NOTHING = Usage([], Line([], []), Line([], []), ())


@dataclass
class Past:
    """Jobs with their attempts, and what was measured of them."""

    jobs: list[Job]
    lines: dict[tuple[str, int, str], Usage]
    spans: list[TimeWindow] = field(default_factory=list)

    def get(self, job_id: str) -> Job | None:
        return next((one for one in self.jobs if one.id == job_id), None)

    def page(self, query: JobQuery) -> JobPage:
        mine = [
            one for one in self.jobs if query.owners == (one.owner,) and (query.search or "") in one.spec.name
        ]
        return JobPage(tuple(mine), None, len(mine))  # type: ignore[arg-type]

    def attempts(self, job_id: str) -> tuple[Attempt, ...]:
        count = next(one.attempts for one in self.jobs if one.id == job_id)
        tasks = (Task("worker", 0, "n1", "", state=OVER), Task("worker", 1, "n1", "", state=OVER))
        return tuple(Attempt(at, tasks, at * HOUR, at * HOUR + 60_000) for at in range(1, count + 1))

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage:
        self.spans.append(span)
        return self.lines.get(key, NOTHING)

    def of_node(self, name: str, span: TimeWindow) -> Usage:
        raise AssertionError

    def measured(self, one: Job) -> Measured | None:
        return Measurements(self, self).of(one)


def ran(name: str, attempts: int, **more: object) -> Job:
    return replace(job(name, cpus=8, memory="64GiB", gpus=4), attempts=attempts, **more)  # type: ignore[arg-type]


def test_peaks_are_over_all_tasks_of_the_last_five_runs_that_were_measured():
    one = ran("exam", 9)
    lines = {("exam", at, "worker-0"): used(at, 10 - at, 50, 0) for at in (1, 2, 3, 5, 6, 7, 9)}
    lines["exam", 9, "worker-1"] = used(2.5, 33, 80, 3)
    past = Past([one], lines)
    # Of 2, 3, 5, 6, 7 and 9, the last five; the first run of all does not count any more.
    assert past.measured(one) == Measured(5, 9, 33 * GIB, 2, 0.8, 80_000_000)
    assert past.spans[0].end == 9 * HOUR + 60_000


def test_copies_of_ones_own_count_and_others_do_not():
    origin = ran("exam", 1)
    copy = ran("exam-2", 1, cloned_from=ClonedFrom("exam", "exam"))
    sibling = ran("exam-3", 1, cloned_from=ClonedFrom("exam", "exam"))
    stranger = ran("exam-4", 1)
    whose = ran("exam-5", 1, cloned_from=ClonedFrom("exam", "exam"), owner="eve")
    lines = {
        (one.id, 1, "worker-0"): used(at, at)
        for at, one in enumerate((origin, copy, sibling, stranger, whose), 1)
    }
    past = Past([origin, copy, sibling, stranger, whose], lines)
    for one in (origin, copy, sibling):
        found = past.measured(one)
        assert found is not None
        assert (found.runs, found.cpus) == (3, 3)


def test_without_measurements_nothing_is_known():
    assert Past([ran("exam", 3)], {}).measured(ran("exam", 3)) is None
    assert Past([ran("exam", 0)], {}).measured(ran("exam", 0)) is None


@pytest.mark.parametrize(
    ("measured", "english", "chinese"),
    [
        (Measured(3, 3.14, 10 * GIB), "its last 3 runs used at most 3.1 of 8 CPUs and 10 of 64 GiB",
         "最近 3 次运行最多使用 3.1/8 核 CPU、10/64 GiB 内存"),
        (Measured(1, 4, GIB // 2, 1, 0.5), "its last run used at most 4 of 8 CPUs and 0.5 of 64 GiB and 1 of 4 GPUs",
         "最近 1 次运行最多使用 4/8 核 CPU、0.5/64 GiB 内存、1/4 卡"),
    ],
)  # fmt: skip
def test_the_sentence_names_what_was_used_of_what(measured, english, chinese):
    assert measured.text(Resources(8000, 64 * GIB, 4000)) == Words(english, chinese)


def test_what_is_needed_has_a_fifth_more_and_as_many_gpus_as_were_used():
    asked = Resources(8000, 64 * GIB, 4000, "A100")
    assert Measured(1, 2, 10 * GIB, 2).needs(asked) == Resources(2400, 12 * GIB, 2000, "A100")
    assert Measured(1, 2, 10 * GIB, 0).needs(asked).gpu_milli == 1000
    assert Measured(1, 2, 10 * GIB, None).needs(asked).gpu_milli == 4000
    assert Measured(1, 2, 10 * GIB, 1).needs(Resources(1000, GIB, 500)).gpu_milli == 500


def test_the_size_compared_with_is_that_of_the_largest_role():
    roles = [
        {"name": "ps", "replicas": 3, "resources": {"cpus": 2}},
        {"name": "worker", "resources": {"gpus": 2, "cpus": 4}},
    ]
    assert asked_by(job("exam", roles=roles)).cpu_milli == 4000
