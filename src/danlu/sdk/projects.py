"""Who belongs to a project, how it stands, and what people ask for, as methods of the client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from danlu.sdk import models
from danlu.sdk.http import segment
from danlu.sdk.people import MembersChanged

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class Member:
    """A person in a project: as what (`creator`, `member` or `viewer`), since when, and by whose act."""

    user: str
    display_name: str = ""
    role: str = ""
    since: str = ""
    by: str = ""


@dataclass(frozen=True)
class Standing:
    """How a project stands now. Each of `amounts` has `resource`, `held`, `queued`, `guarantee`, `cap`, `deserved` and
    `level`; `account` is the project whose share its jobs draw on."""

    at: str
    project: str
    weight: float | None = None
    account: str = ""
    amounts: tuple[Mapping[str, Any], ...] = ()
    running: int = 0
    queued: int = 0


@dataclass(frozen=True)
class Request:
    """What somebody asks for and what became of it: `kind` is join or quota, `subject` the project or whose quota,
    `state` open, approved, refused or withdrawn. `can_decide` says whether it waits for you."""

    id: str
    kind: str = ""
    user: str = ""
    subject: str = ""
    note: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    state: str = ""
    created_at: str | None = None
    decided_by: str | None = None
    decided_at: str | None = None
    answer: str = ""
    can_decide: bool = False


class Projects:
    """Members of projects, and requests to join one or for more quota."""

    http: Http

    def members(self, project: str) -> list[Member]:
        """Who belongs to a project, creators first."""
        return [models.read(Member, one) for one in self.http.json("GET", _members(project))["items"]]

    def set_member(self, project: str, user: str, role: str = "member") -> Member:
        """Say as what somebody belongs to a project."""
        return models.read(Member, self.http.json("PUT", _members(project, user), body={"role": role}))

    def remove_member(self, project: str, user: str) -> None:
        """Take somebody out of a project; oneself: leave it."""
        self.http.json("DELETE", _members(project, user))

    def enlist(
        self,
        project: str,
        people: str | Sequence[str],
        role: str = "member",
        remove: bool = False,
        preview: bool = False,
    ) -> MembersChanged:
        """Bring many into a project or take them out: names, or text that was pasted or is CSV."""
        whom = {"text": people} if isinstance(people, str) else {"names": list(people)}
        body = {**whom, "role": role, "remove": remove, "preview": preview}
        return models.read(MembersChanged, self.http.json("POST", _members(project), body=body))

    def standing(self, project: str) -> Standing:
        """What a project holds, wants and deserves now."""
        found = self.http.json("GET", f"projects/{segment(project)}/standing")
        return models.read(Standing, {**found, "amounts": tuple(found["amounts"])})

    def join(self, project: str, note: str = "") -> Request:
        """Ask to join a project; its creators and administrators decide."""
        return self._asked({"kind": "join", "subject": project, "note": note})

    def ask_for_quota(
        self, amounts: Mapping[str, Mapping[str, Any]], life: str = "7d", note: str = ""
    ) -> Request:
        """Ask for more than one's quota for a while: `{"all": {"gpus": 8}}`, by class of jobs or for `all`."""
        return self._asked({"kind": "quota", "amounts": dict(amounts), "life": life, "note": note})

    def requests(self, limit: int | None = None, **filters: Any) -> Iterator[Request]:
        """Your own and those you may decide, the latest first; filter by `state`, `kind`, `mine`."""
        return (models.read(Request, one) for one in self.pages("requests", limit, filters))

    def request(self, request_id: str) -> Request:
        return models.read(Request, self.http.json("GET", _request(request_id)))

    def approve(self, request_id: str, answer: str = "", **terms: Any) -> Request:
        """Grant it; `role`, or `amounts` and `life`, where that is not what was asked for."""
        body = {"answer": answer, **terms}
        return models.read(Request, self.http.json("POST", _request(request_id, "approve"), body=body))

    def refuse(self, request_id: str, answer: str) -> Request:
        body = {"answer": answer}
        return models.read(Request, self.http.json("POST", _request(request_id, "refuse"), body=body))

    def withdraw(self, request_id: str) -> Request:
        return models.read(Request, self.http.json("POST", _request(request_id, "withdraw")))

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def _asked(self, body: Mapping[str, Any]) -> Request:
        return models.read(Request, self.http.json("POST", "requests", body=dict(body)))


def _members(project: str, *user: str) -> str:
    return "/".join(["projects", segment(project), "members", *map(segment, user)])


def _request(request_id: str, *verb: str) -> str:
    return "/".join(["requests", segment(request_id), *verb])
