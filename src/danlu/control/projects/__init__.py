"""Members of projects, and requests."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.projects.members import Members
from danlu.control.projects.requests import RaiseQuota, Requests


@dataclass(frozen=True, slots=True)
class ProjectsRoom:
    members: Members
    requests: Requests


def build(on: Foundation, raise_quota: RaiseQuota) -> ProjectsRoom:
    return ProjectsRoom(
        members=Members(on.store, on.registry, on.clock),
        requests=Requests(on.store, on.registry, raise_quota, on.clock, on.ids),
    )
