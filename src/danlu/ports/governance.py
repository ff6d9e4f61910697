"""What the store keeps for administration: memberships, requests, keys, templates, the audit log and hourly usage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.audit import Entry, Noted, SealKey
from danlu.domain.job import Time
from danlu.domain.members import Membership
from danlu.domain.people import SshKey
from danlu.domain.requests import Request, RequestKind, RequestState
from danlu.domain.templates import Template, TemplateRow


class MemberStore(Protocol):
    """Who belongs to which project. Open projects need no rows."""

    def members(self, project: str) -> tuple[Membership, ...]:
        """A project's, by role (creators first) and name."""

    def memberships(self, user: str) -> tuple[Membership, ...]:
        """A person's, by project."""

    def member_counts(self) -> Mapping[str, int]:
        """How many belong to each project that has any."""

    def edit_members(
        self,
        project: str,
        change: Callable[[tuple[Membership, ...]], Sequence[Membership]],
        now: Time,
        *,
        by: Entry,
    ) -> tuple[Membership, ...]:
        """Write what `change` makes of a project's members, in one transaction; an exception in it undoes everything.
        Everybody who joined, left or changed is recorded (MemberChanged) and noted in the audit log as an act of `by`:
        its subject is set to `project:NAME`, before and after to the person and role."""


@dataclass(frozen=True, slots=True)
class RequestQuery:
    """Which requests: of these people, for these subjects, or all of these kinds (either suffices); with none of
    them, everybody's."""

    users: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None
    entire: tuple[RequestKind, ...] | None = None
    kinds: tuple[RequestKind, ...] = ()
    states: tuple[RequestState, ...] = ()
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class RequestPage:
    rows: tuple[Request, ...]
    next_cursor: str | None
    total: int


class RequestStore(Protocol):
    def add_request(self, request: Request) -> None:
        """Conflict when the same person has an open one of this kind and subject."""

    def request(self, request_id: str) -> Request | None: ...

    def requests(self, query: RequestQuery) -> RequestPage:
        """The latest first."""

    def edit_request(
        self,
        request_id: str,
        change: Callable[[Request], Request],
        now: Time,
        *,
        by: Entry | None = None,
        joining: Membership | None = None,
    ) -> Request:
        """Write what `change` makes of it, in one transaction; an exception in it undoes everything. NotFound if it
        does not exist. With `by`, noted in the audit log: its subject, before and after are set. `joining` is a
        membership that is added with it (noted as `joined`), unless the person already has that role or a higher
        one."""


class KeyStore(Protocol):
    def add_key(self, key: SshKey, now: Time, *, by: Entry) -> None:
        """NameTaken when the person has a key of that name; Conflict when anybody has that fingerprint."""

    def keys(self, user: str) -> tuple[SshKey, ...]:
        """A person's, the oldest first."""

    def remove_key(self, user: str, key_id: str, now: Time, *, by: Entry) -> bool: ...


class TemplateStore(Protocol):
    """Every write is noted in the audit log as `by` did it: its subject, before and after are set."""

    def add_template(self, template: Template, now: Time, *, by: Entry) -> None:
        """NameTaken when its owner has one of that name."""

    def template(self, template_id: str) -> Template | None: ...

    def find_template(self, owner: str, name: str) -> Template | None: ...

    def templates(self, owner: str, projects: Collection[str]) -> tuple[TemplateRow, ...]:
        """A person's own and those shared with these projects, by name and owner."""

    def edit_template(
        self, template_id: str, change: Callable[[Template], Template], now: Time, *, by: Entry
    ) -> Template:
        """Write what `change` makes of it; no other edit comes between. NotFound when there is none, NameTaken when its
        owner has another of the new name."""

    def remove_template(self, template_id: str, now: Time, *, by: Entry) -> bool: ...


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which entries, by number before or after one. `subject` is one, or the beginning of several when it ends with
    `:`. `search` finds parts of subject, act, person and reason in any case."""

    by: str | None = None
    act: str | None = None
    subject: str | None = None
    search: str | None = None
    since: Time | None = None
    until: Time | None = None
    before: int | None = None
    after: int | None = None
    oldest_first: bool = False
    limit: int = 50


class AuditStore(Protocol):
    """Append-only: the database itself refuses to change or remove an entry."""

    def note(self, entries: Sequence[Entry], now: Time) -> None:
        """Append and seal."""

    def noted(self, query: AuditQuery) -> tuple[Noted, ...]:
        """The latest first, unless the query says otherwise."""

    def chain(self, after: int, limit: int) -> tuple[Noted, ...]:
        """In the order of the chain, from the one after `after` on."""

    def last_noted(self) -> Noted | None: ...

    def sign_with(self, key: SealKey) -> None:
        """Sign what is noted from now on."""


@dataclass(frozen=True, slots=True)
class HourRow:
    """What jobs of one project, user, class and model did in one hour; amounts are added to the stored ones. `model`
    is a GPU model, or `cpu` for jobs without GPUs, counted in CPUs.

    `held`, `busy` and `queued` are thousandths × milliseconds: allocated to tasks, measured in use (out of `measured`,
    what could be measured), and requested by waiting jobs. `waited` is milliseconds in the queue of the `starts`
    attempts that started."""

    hour: Time
    project: str
    user: str
    job_class: str
    model: str
    held: int = 0
    queued: int = 0
    busy: int = 0
    measured: int = 0
    starts: int = 0
    waited: int = 0
    ended: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class CapacityRow:
    """GPUs (or CPUs) of a model on nodes that accepted jobs in one hour, thousandths × milliseconds: added to the
    stored ones."""

    hour: Time
    model: str
    total: int = 0


@dataclass(frozen=True, slots=True)
class HourlyQuery:
    """Hours in [since, until) summed into steps of this many milliseconds (whole hours; steps count from a Monday,
    UTC), and grouped by project, user, job_class, model, or nothing. A filter of None means all; `keys` selects lines
    of `by`; with `gpus` only what is counted in GPUs."""

    since: Time
    until: Time
    step: int
    by: str | None = None
    projects: Collection[str] | None = None
    users: Collection[str] | None = None
    model: str | None = None
    job_class: str | None = None
    gpus: bool = False
    keys: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class TrendRow:
    """One step of one line; `key` is empty when it is by nothing."""

    at: Time
    key: str
    held: int
    queued: int
    busy: int
    measured: int
    starts: int
    waited: int
    ended: int
    failed: int


class TrendStore(Protocol):
    def add_hours(
        self, rows: Sequence[HourRow], capacity: Sequence[CapacityRow], until: Time | None = None
    ) -> None:
        """Add these to the stored amounts and, with a time, remember in the same transaction that everything is
        recorded up to then."""

    def begin_recording(self, at: Time) -> None:
        """Remember when the first hour began to be recorded; later calls change nothing."""

    def recorded_since(self) -> Time | None: ...

    def recorded_until(self) -> Time | None: ...

    def trend(self, query: HourlyQuery) -> tuple[TrendRow, ...]:
        """By time, then key."""

    def capacity(
        self, since: Time, until: Time, step: int, model: str | None = None
    ) -> tuple[CapacityRow, ...]:
        """By time, then model; `hour` is the beginning of the step."""

    def spent(self, user: str, priority: str, since: Time) -> int:
        """Thousandths of a GPU × milliseconds charged to a person at a priority, of what ended at `since` or later;
        what began earlier counts from `since`."""


class GovernanceStore(MemberStore, RequestStore, KeyStore, TemplateStore, AuditStore, TrendStore, Protocol):
    """All of them."""
