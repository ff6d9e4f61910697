"""What the server answers about outputs."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, one


@dataclass(frozen=True)
class OutputProblem:
    """Why an output could not be kept: a stable code, its parameters, and what to do."""

    code: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class JobOutput:
    """An output of an attempt of a job: `path` in the working folder of `task` (null: of the first). It becomes
    `version` of `dataset`, or is copied `to` a folder of a volume, whose id is `volume`. `declared`: the job has
    not ended; `skipped`: it did not end as it would have to; `pending`: what the task left is being put away;
    `making`: so many files and bytes are made, of `bytes_total` (null: not known). `target` is where it goes, or
    went."""

    id: str = ""
    attempt: int = 0
    path: str = ""
    task: str | None = None
    always: bool = False
    dataset: str | None = None
    tag: str | None = None
    version: str | None = None
    to: str | None = None
    target: str = ""
    state: str = ""
    files: int = 0
    bytes: int = 0
    bytes_total: int | None = None
    problem: OutputProblem | None = None
    created_at: str = ""
    ended_at: str | None = None
    can_retry: bool = False


READERS.update(
    {
        JobOutput: {"problem": ("problem", one(OutputProblem))},
    }
)
