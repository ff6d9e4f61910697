"""Outputs of jobs: what is kept of what they leave."""

from __future__ import annotations

import time
from typing import Any, Mapping, Sequence

from danlu.sdk.http.errors import Unreachable
from danlu.sdk.http.paths import segment
from danlu.sdk.models.outputs import JobOutput
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Resource

UNFINISHED = ("declared", "pending", "making")


class Outputs(Resource):
    """What the `outputs` of a job file became: versions of datasets, and folders of volumes."""

    path = "jobs"

    def list(self, job: str) -> Items[JobOutput]:
        """Of its last attempt first; `declared` ones are made when the job has ended."""
        return _each(self.http.json("GET", self._at(job)))

    def retry(self, job: str, outputs: Sequence[str] = ()) -> Items[JobOutput]:
        """Make these again (by id), or all of the last attempt that failed."""
        return _each(self.http.json("POST", self._at(job, "retry"), body={"outputs": list(outputs)}))

    def wait(self, job: str, every: float = 0.5) -> Items[JobOutput]:
        """Until the job has ended and all of them are made or failed. A server that is away for a moment is waited
        for."""
        while True:
            try:
                found = self.list(job)
            except Unreachable:
                pass
            else:
                if not any(one.state in UNFINISHED for one in found):
                    return found
            time.sleep(every)

    def _at(self, job: str, *rest: str) -> str:
        return "/".join([self.path, segment(job), "outputs", *rest])


def _each(found: Mapping[str, Any]) -> Items[JobOutput]:
    return [read(JobOutput, one) for one in found["items"]]
