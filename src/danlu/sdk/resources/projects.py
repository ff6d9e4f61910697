"""Projects, their members, their current usage and share, and requests."""

from __future__ import annotations

from typing import Iterator, Mapping, Sequence

from danlu.sdk.http.paths import segment
from danlu.sdk.models.people import MembersChanged
from danlu.sdk.models.projects import Member, Project, Request, Standing, UsableProjects
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Named, Resource, roster
from danlu.sdk.resources.former import Listed


class Projects(Named[Project], Listed):
    """Queues that people share. Amounts are mappings such as `{"A100": 8, "memory": "1TiB"}`."""

    path, kind = "projects", Project

    @property
    def requests(self) -> Requests:
        return Requests(self.http)

    def create(self, name: str, **keys: object) -> Project:
        """`description`, `default_flavor`, `default_image`; for administrators also `open`, `weight`, `guarantee`,
        `cap`, `closed`, `reclaimable`, `node_selector` and `priorities`."""
        return self._created(name, keys)

    def usable(self) -> UsableProjects:
        """The projects you may queue jobs in (`items`), and what your quotas leave (`left`) by class of jobs and
        resource; what is not listed there is unlimited."""
        return read(UsableProjects, self.http.json("GET", "me/projects"))

    def members(self, project: str) -> Items[Member]:
        """The members of a project, creators first."""
        return [read(Member, one) for one in self.http.json("GET", self._at(project, "members"))["items"]]

    def set_member(self, project: str, user: str, role: str = "member") -> Member:
        """Set a member's role in a project."""
        return read(Member, self.http.json("PUT", self._member(project, user), body={"role": role}))

    def remove_member(self, project: str, user: str) -> None:
        """Remove someone from a project; with your own name, leave it."""
        self.http.json("DELETE", self._member(project, user))

    def enlist(
        self,
        project: str,
        people: str | Sequence[str],
        role: str = "member",
        remove: bool = False,
        preview: bool = False,
    ) -> MembersChanged:
        """Add many people to a project or remove them: names, or text that was pasted or is CSV."""
        body = {**roster(people), "role": role, "remove": remove, "preview": preview}
        return self._post(MembersChanged, self._at(project, "members"), body)

    def standing(self, project: str) -> Standing:
        """What a project uses, requests and deserves now."""
        return read(Standing, self.http.json("GET", self._at(project, "standing")))

    def _member(self, project: str, user: str) -> str:
        return self._at(project, "members", segment(user))


class Requests(Resource):
    """Requests: to join a project, or for more quota for a while."""

    def list(self, limit: int | None = None, **filters: object) -> Iterator[Request]:
        """Your own and those you may decide, the latest first; filter by `state`, `kind`, `mine`."""
        return (read(Request, one) for one in self.http.pages("requests", limit, filters))

    def get(self, request_id: str) -> Request:
        return read(Request, self.http.json("GET", _request(request_id)))

    def join(self, project: str, note: str = "") -> Request:
        """Ask to join a project; its creators and administrators decide."""
        return self._post(Request, "requests", {"kind": "join", "subject": project, "note": note})

    def ask_for_quota(
        self, amounts: Mapping[str, Mapping[str, object]], life: str = "7d", note: str = ""
    ) -> Request:
        """Ask for more than your quota for a while: `{"all": {"gpus": 8}}`, by class of jobs or for `all`."""
        body = {"kind": "quota", "amounts": dict(amounts), "life": life, "note": note}
        return self._post(Request, "requests", body)

    def approve(self, request_id: str, answer: str = "", **terms: object) -> Request:
        """Approve it; `role`, or `amounts` and `life`, if they differ from the request."""
        return self._post(Request, _request(request_id, "approve"), {"answer": answer, **terms})

    def refuse(self, request_id: str, answer: str) -> Request:
        return self._post(Request, _request(request_id, "refuse"), {"answer": answer})

    def withdraw(self, request_id: str) -> Request:
        return self._post(Request, _request(request_id, "withdraw"))


def _request(request_id: str, *verb: str) -> str:
    return "/".join(["requests", segment(request_id), *verb])
