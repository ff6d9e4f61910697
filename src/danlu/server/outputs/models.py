"""Outputs of jobs as sent and answered."""

from typing import Annotated, Any

from pydantic import Field, StrictStr

from danlu.control.outputs import outputs as control
from danlu.domain.outputs import problems
from danlu.domain.outputs.made import OutputState
from danlu.server.http.answering import Json
from danlu.server.http.models import Answer, Moment, RequestBody, Text
from danlu.server.http.rendering import GIVEN, At, By, Via

_OutputId = Annotated[StrictStr, Field(min_length=1, max_length=100)]


class OutputsRetry(RequestBody):
    """Which outputs to make again."""

    outputs: Annotated[list[_OutputId], Field(max_length=100)] = Field(
        default_factory=list, description="Their ids; default: all of the last attempt that failed."
    )


class OutputProblem(Answer, of=problems.OutputProblem):
    """Why an output could not be kept: a stable code, its parameters, and what to do."""

    code: str
    params: dict[str, Any]
    text: Text
    advice: Text

    @staticmethod
    def render(problem: problems.OutputProblem) -> Json:
        return {
            "code": problem.code,
            "params": dict(problem.params),
            "text": problem.text.by_language,
            "advice": problem.advice.by_language,
        }


def _version(one: control.OutputStanding) -> str | None:
    return f"v{one.output.number}" if one.output.number else None


def _or_null(text: str) -> str | None:
    return text or None


class JobOutput(Answer, of=control.OutputStanding):
    """An output of an attempt of a job: `path` in the working folder of `task` (null: of the first). It becomes
    `version` of `dataset`, or is copied `to` a folder of a volume, whose id is `volume`.

    `declared`: the job has not ended; `skipped`: it did not end as it would have to; `pending`: what the task left is
    being put away; `making`: so many files and bytes are made, of `bytes_total` (null: not known). `target` is where it
    goes, or went."""

    id: Annotated[str, At("output.id")]
    attempt: Annotated[int, At("output.attempt")]
    path: Annotated[str, At("output.wish.path")]
    task: Annotated[str | None, At("output.run"), Via(_or_null)]
    always: Annotated[bool, At("output.wish.always")]
    dataset: Annotated[str | None, At("output.wish.dataset"), Via(_or_null)]
    tag: Annotated[str | None, At("output.wish.tag"), Via(_or_null)]
    version: Annotated[str | None, By(_version)]
    to: Annotated[str | None, At("output.wish.to"), Via(_or_null)]
    target: Annotated[str, At("output.target")]
    state: Annotated[OutputState, At("output.state")]
    files: int
    bytes: int
    bytes_total: int | None
    problem: Annotated[OutputProblem | None, At("output.problem")]
    created_at: Annotated[Moment, At("output.created_at")]
    ended_at: Annotated[Moment | None, At("output.ended_at")]
    can_retry: Annotated[bool, GIVEN]


class JobOutputList(Answer):
    """Outputs of a job, of the last attempt first."""

    items: list[JobOutput]
