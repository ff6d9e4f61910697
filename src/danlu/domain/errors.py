"""Everything Danlu refuses, drawn as a tree.

DanluError
├── Invalid                what was sent is wrong: every error with its place
├── NotSignedIn            who are you?
│   └── WrongCredentials
├── NotAllowed             we know you, and no
├── NotFound
├── Conflict               right in itself, but not now
│   ├── NameTaken
│   ├── WrongState         the job's state does not allow it
│   ├── KeyReused          one idempotency key, two different requests
│   ├── Stale              somebody else wrote first: load again and retry
│   ├── HasActiveJobs      somebody's jobs stand against it: say what becomes of them
│   ├── InsufficientQuota  a start beyond a quota: `shortfalls` says by how much and who holds it
│   ├── BudgetSpent        a start at a priority whose budget of this month is used up
│   ├── NotLeader          another control plane leads by now: this one must not write
│   └── ClusterNotReady    it lacks something that Danlu needs: `findings` says what
├── TooMany                slow down
├── TooLarge
└── Unavailable            Danlu itself cannot, for the moment
    ├── StoreBusy
    └── DiskFull
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from danlu.domain.findings import Finding


@dataclass(frozen=True, slots=True)
class FieldError:
    """One mistake at one place; `loc` leads there from the root of what was sent."""

    loc: tuple[str | int, ...]
    code: str
    message: str
    value: Any = None
    bound: Any = None
    hint: str | None = None


class DanluError(Exception):
    """The root: a stable code, an HTTP status, a title, and a sentence in `detail`."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str = "", errors: tuple[FieldError, ...] = ()) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.errors = errors


class Invalid(DanluError):
    code, status, title = "invalid", 422, "The request is not valid"

    def __init__(self, errors: tuple[FieldError, ...], detail: str = "") -> None:
        count = len(errors)
        super().__init__(detail or f"{count} error{'s' if count != 1 else ''} in the request", errors)


class NotSignedIn(DanluError):
    code, status, title = "not_signed_in", 401, "Sign in first"


class WrongCredentials(NotSignedIn):
    code, title = "wrong_credentials", "The name and the password do not match"


class NotAllowed(DanluError):
    code, status, title = "not_allowed", 403, "You may not do this"


class NotFound(DanluError):
    code, status, title = "not_found", 404, "There is no such thing"


class Conflict(DanluError):
    code, status, title = "conflict", 409, "Not possible as things stand"


class NameTaken(Conflict):
    code, title = "name_taken", "The name is taken"


class WrongState(Conflict):
    code, title = "wrong_state", "The job's state does not allow this"


class KeyReused(Conflict):
    code, title = "key_reused", "This idempotency key was used for another request"


class Stale(Conflict):
    code, title = "stale", "Somebody else changed it first"


class HasActiveJobs(Conflict):
    code, title = "has_active_jobs", "There are active jobs"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """One bound that a start would break. `quota` is whose (`user:NAME`, `group:NAME`), `within` the class or `all`;
    amounts are as quotas keep them. `jobs` are some of those that hold it, as `owner:name`."""

    quota: str
    within: str
    resource: str
    used: int
    asked: int
    limit: int
    jobs: tuple[str, ...] = ()


class InsufficientQuota(Conflict):
    code, title = "insufficient_quota", "insufficient quota"

    def __init__(
        self, detail: str, shortfalls: tuple[Shortfall, ...], errors: tuple[FieldError, ...] = ()
    ) -> None:
        super().__init__(detail, errors)
        self.shortfalls = shortfalls


class BudgetSpent(Conflict):
    code, title = "budget_spent", "This month's budget is spent"


class NotLeader(Conflict):
    code, title = "not_leader", "Another control plane leads"


class ClusterNotReady(Conflict):
    code, title = "cluster_not_ready", "The cluster lacks something that Danlu needs"

    def __init__(self, detail: str, findings: tuple[Finding, ...]) -> None:
        super().__init__(detail)
        self.findings = findings


class TooMany(DanluError):
    code, status, title = "too_many", 429, "Too many requests"

    def __init__(self, detail: str = "", retry_after: int = 1) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class TooLarge(DanluError):
    code, status, title = "too_large", 413, "What was sent is too large"


class Unavailable(DanluError):
    code, status, title = "unavailable", 503, "Danlu cannot do this at the moment"


class StoreBusy(Unavailable):
    code, title = "store_busy", "The database is busy"


class DiskFull(Unavailable):
    code, title = "disk_full", "The disk is full"
