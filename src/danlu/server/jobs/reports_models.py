"""Reports of tasks on their training."""

from typing import Annotated, Literal

from pydantic import Field

from danlu.server.http.models import MAX_NUMBER, RequestBody

MOST_REPORTS = 5_000
LONGEST_NAME, LONGEST_PATH, MOST_VALUES = 200, 4096, 256

ReportTime = Annotated[int, Field(ge=0, le=MAX_NUMBER, description="Milliseconds since 1970.")]
ReportedStep = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
ReportedName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
ReportedNumber = float | Literal["nan", "inf", "-inf"]
Values = Annotated[dict[ReportedName, ReportedNumber], Field(max_length=MOST_VALUES)]
CheckpointPath = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]


class TaskReports(RequestBody):
    """What one task reports since its last report."""

    task: str = Field(min_length=1, max_length=100, description="The task's `DANLU_RUN`.")
    attempt: int = Field(ge=1, le=MAX_NUMBER, description="The task's `DANLU_ATTEMPT`.")
    metrics: list[tuple[ReportTime, ReportedStep, Values]] = Field(
        [],
        max_length=MOST_REPORTS,
        description="`[time, step, {name: value}]`, in the order they were logged.",
    )
    checkpoints: list[tuple[ReportTime, ReportedStep | None, CheckpointPath]] = Field(
        [], max_length=MOST_REPORTS, description="`[time, step or null, path]`; the newest counts."
    )
