"""Templates: job files to start from, your own and those shared with your projects."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping

from danlu.sdk.models.reading import read
from danlu.sdk.models.templates import Template, TemplateRow
from danlu.sdk.resources.base import Items, Named
from danlu.sdk.resources.jobs import Jobs, loaded

if TYPE_CHECKING:
    from danlu.sdk.code.archive import OnProgress
    from danlu.sdk.models import Job


class Templates(Named[Template]):
    """Refer to a template by its id, by its name if it is your own, or as `owner:name`."""

    path, kind = "templates", Template

    def list(self, owner: str | None = None, project: str | None = None) -> Items[TemplateRow]:  # type: ignore[override]
        """Your own and those shared with you; filter by `owner` (`me` is yourself) or by `project`."""
        asked = {"owner": owner, "project": project}
        return [read(TemplateRow, one) for one in self.http.pages(self.path, None, asked)]

    def create(
        self,
        name: str,
        job: Mapping[str, Any] | str,
        description: str = "",
        project: str | None = None,
        folder: str = "",
        progress: OnProgress | None = None,
    ) -> Template:
        """Save a job file (a dict or a path) under a name; `project` shares it. A `code: {path: …}` is uploaded."""
        body = {"job": self.prepared(job, folder, progress), "description": description, "project": project}
        return self._created(name, body)

    def prepared(
        self, job: Mapping[str, Any] | str, folder: str = "", progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """The job file as it is saved: its code folder is uploaded and referred to by its digest."""
        jobs = self._jobs()
        data, folder = loaded(job, folder)
        ready = jobs.prepared({"name": "unnamed", **data}, folder, progress)
        return {key: value for key, value in ready.items() if key in data}

    def file(self, template: str, name: str | None = None) -> dict[str, Any]:
        """A template's job file with this job name; by default a new name generated from the template's."""
        found = self.get(template)
        return {**found.job, "name": name or f"{found.job.get('name') or found.name}-{os.urandom(2).hex()}"}

    def run(self, template: str, name: str | None = None, **changes: Any) -> Job:
        """Submit a job from a template; `changes` are keys of the job file."""
        return self._jobs().submit({**self.file(template, name), **changes})

    def _jobs(self) -> Jobs:
        jobs = Jobs()
        jobs.http = self.http
        return jobs
