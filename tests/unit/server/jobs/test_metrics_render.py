"""What a job tells of its checkpoints and of work lost, as clients see it."""

from __future__ import annotations

import math
from dataclasses import replace

from danlu.control.jobs.metrics import Going, Throughput
from danlu.domain import reasons as why
from danlu.domain.job import Attempt, JobState, Remedy, Saved, Task, TaskState
from danlu.domain.words import Words
from danlu.ports.metrics import MetricName, Metrics, Point
from danlu.server.jobs import metrics_render as render_metrics
from danlu.server.jobs.metrics_models import JobMetrics
from danlu.server.jobs.models import JobDetail
from danlu.server.jobs.render import job_detail
from tests.fakes.builders import job

SAVED = Saved("/data/ckpt/7", 12_000, 1_000, 1)
TASK = Task("worker", 0, "n", "a", state=TaskState.RUNNING, started_at=5, tries=2, not_before=9_000)


def test_attempts_tell_what_they_saved_lost_and_what_was_done_about_their_end():
    first = Attempt(
        1, (), 0, 9, why.NodeLost("worker-1", "a100-0"), saved=SAVED, lost=90_500, then=Remedy.RESTART_JOB
    )
    second = Attempt(2, (TASK,), 10, resumed=SAVED, lost=0)
    third = Attempt(3, (), 20, 30, lost=1_000)
    going = replace(job(gpus=1), state=JobState.RUNNING, attempt=second, attempts=2, saved=SAVED)
    told = JobDetail.model_validate(job_detail(going, (first, second, third), None, []))
    assert told.saved is not None
    assert (told.saved.path, told.saved.step, told.saved.attempt) == ("/data/ckpt/7", 12_000, 1)
    assert told.saved.at == "1970-01-01T00:00:01.000Z"
    one, two, three = told.attempts
    assert (one.saved, one.resumed, one.lost, one.then) == (told.saved, None, 90.5, Remedy.RESTART_JOB)
    assert one.story is not None
    assert one.story.en.endswith("; the job restarted from checkpoint step 12,000")
    assert (two.resumed, two.saved, two.story, two.then) == (told.saved, None, None, None)
    assert three.story is None
    assert told.lost == 91.5


def test_a_task_tells_its_present_try_and_until_when_it_waits():
    going = replace(job(gpus=1), attempt=Attempt(1, (TASK,), 0), attempts=1)
    (task,) = JobDetail.model_validate(job_detail(going, (), None, [])).tasks
    assert (task.name, task.run, task.tries) == ("worker-0", "worker-0-r2", 2)
    assert task.not_before == "1970-01-01T00:00:09.000Z"


def test_a_job_that_never_ran_has_lost_and_saved_nothing():
    told = JobDetail.model_validate(job_detail(job(gpus=1), (), None, []))
    assert (told.saved, told.lost, told.framework) == (None, 0, "none")


def test_how_a_training_goes_is_told_as_documented():
    name = MetricName("loss", ("worker-0",), Point(3, 4, math.inf))
    hint = Words("wait", "等待")
    going = Going(Metrics((name,), ()), 3, None, Throughput(1.23456789, 300_000), 43.21, hint)
    told = JobMetrics.model_validate(render_metrics.going(going))
    assert told.names[0].last.value is None
    assert (told.throughput.steps_per_second, told.gpu.busy) == (1.234568, 43.2)
    assert told.hint is not None
    assert told.hint.zh == "等待"
