"""Templates: a person's own, and those shared with projects that they may look into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from danlu.control.foundation import Foundation
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound
from danlu.domain.ids import looks_like_id
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import may_queue
from danlu.domain.quantity import show_size
from danlu.domain.templates import Template, TemplateRow
from danlu.domain.terms import no_such
from danlu.domain.words import say
from danlu.files.mistakes import did_you_mean
from danlu.files.reading import read_job_file
from danlu.ports.clock import Clock, Ids
from danlu.ports.governance import TemplateStore

MOST_TEMPLATES = 200
MOST_BYTES = 64 << 10
_UNNAMED = "unnamed"
P = Permission


def build(on: Foundation) -> Templates:
    return Templates(on.store, on.registry, on.clock, on.ids)


class Templates:
    """The verbs on templates. Any thread; each is one transaction, noted in the audit log with it."""

    def __init__(self, store: TemplateStore, registry: Registry, clock: Clock, ids: Ids) -> None:
        self._store, self._registry, self._clock, self._ids = store, registry, clock, ids

    def all(self, caller: Caller, owner: str | None = None, project: str | None = None) -> list[TemplateRow]:
        """One's own and those shared with projects that one sees into; with an owner, theirs as far as one may read."""
        caller.require(P.TEMPLATE_READ, caller.name)
        found = self._store.templates(owner or caller.name, self._seen_projects(caller))
        return [
            one
            for one in found
            if owner in (None, one.owner) and project in (None, one.project) and self._may_read(caller, one)
        ]

    def get(self, caller: Caller, ref: str) -> Template:
        """By id, by the name of one of one's own, or as owner:name. What one may not read does not exist."""
        found = self._store.template(ref) if looks_like_id(ref) else None
        owner, _, name = ref.rpartition(":")
        found = found or self._store.find_template(owner or caller.name, name)
        if found is None or not self._may_read(caller, found):
            raise NotFound(no_such("template", ref))
        return found

    def create(self, caller: Caller, name: str, job: Mapping[str, Any], **more: Any) -> Template:
        """Keep a job file under a name; `more` is its description and the project it is shared with."""
        caller.require(P.TEMPLATE_WRITE, caller.name)
        if len(self._store.templates(caller.name, ())) >= MOST_TEMPLATES:
            raise Conflict(
                say(
                    "you have {most} templates, which is the most; delete one first",
                    "你已有 {most} 个模板，达到上限，请先删除一个",
                    most=MOST_TEMPLATES,
                )
            )
        now = self._clock.now()
        made = Template(
            id=self._ids.new(),
            owner=caller.name,
            name=name,
            description=more.get("description", ""),
            project=self._shared_with(caller, more.get("project")),
            kind=self._kind(job),
            created_at=now,
            changed_at=now,
            job=job,
        )
        self._store.add_template(made, now, by=caller.entry("created", ""))
        return made

    def edit(self, caller: Caller, ref: str, changes: Mapping[str, Any]) -> Template:
        """Change what is given: name, description, project (None shares it no longer) or job."""
        known = self._own(caller, ref)
        checked = dict(changes)
        if "job" in changes:
            checked["kind"] = self._kind(changes["job"])
        if changes.get("project") != known.project:
            self._shared_with(caller, changes.get("project"))
        now = self._clock.now()
        return self._store.edit_template(
            known.id,
            lambda one: replace(one, **checked, changed_at=now),
            now,
            by=caller.entry("edited", ""),
        )

    def delete(self, caller: Caller, ref: str) -> None:
        """Jobs that were made of it keep what they have."""
        known = self._own(caller, ref)
        if not self._store.remove_template(known.id, self._clock.now(), by=caller.entry("deleted", "")):
            raise NotFound(no_such("template", ref))

    def may_edit(self, caller: Caller, one: TemplateRow) -> bool:
        return caller.may(P.TEMPLATE_WRITE, one.owner, one.project)

    def _own(self, caller: Caller, ref: str) -> Template:
        found = self.get(caller, ref)
        caller.require(P.TEMPLATE_WRITE, found.owner, found.project)
        return found

    def _seen_projects(self, caller: Caller) -> list[str]:
        return [
            one.name for one in self._registry.projects().values() if one.open or one.name in caller.projects
        ]

    def _may_read(self, caller: Caller, one: TemplateRow) -> bool:
        project = self._registry.projects().get(one.project or "")
        for_all = project is not None and project.open and caller.may(P.TEMPLATE_READ)
        return for_all or caller.may(P.TEMPLATE_READ, one.owner, one.project)

    def _shared_with(self, caller: Caller, project: str | None) -> str | None:
        """A project that they may queue in themselves; Invalid otherwise."""
        if project is None:
            return None
        projects = self._registry.projects()
        known = projects.get(project)
        if known is None:
            hint = did_you_mean(project, sorted(projects))
            wrong = FieldError(
                ("project",), "no_such_project", no_such("project", project), project, hint=hint
            )
            raise Invalid((wrong,))
        if not may_queue(caller, known):
            text = say(
                "only members of project {project} can share templates with it",
                "只有项目组 {project} 的成员才能与其共享模板",
                project=project,
            )
            raise Invalid((FieldError(("project",), "not_a_member", text, project),))
        return project

    def _kind(self, job: Mapping[str, Any]) -> str:
        """What kind of job it makes. Invalid with every mistake of the job file; only the name may be missing."""
        size = len(json.dumps(job))
        if size > MOST_BYTES:
            text = say(
                "a template's job file has at most {most}; this one has {size}",
                "模板的任务文件最大为 {most}，此文件为 {size}",
                most=show_size(MOST_BYTES),
                size=show_size(size),
            )
            raise Invalid((FieldError(("job",), "too_large", text, size, MOST_BYTES),))
        flavors = {name: one.resources for name, one in self._registry.flavors().items()}
        read = read_job_file({"name": _UNNAMED, **job}, flavors)
        if read.errors or read.spec is None:
            raise Invalid(tuple(replace(error, loc=("job", *error.loc)) for error in read.errors))
        return read.spec.kind.value
