"""Quotas: what administrators set, and how much is used."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictInt, StrictStr

from danlu.control.quotas import budgets, storage
from danlu.domain import rules
from danlu.domain.job import JobClass
from danlu.domain.quota import Source
from danlu.domain.rules import UNLIMITED
from danlu.files.forms import QUOTA_NAME
from danlu.files.quantities import Bytes, Count, Duration
from danlu.server.http.answering import quota_amounts
from danlu.server.http.models import (
    LONGEST_LIFE,
    MAX_NUMBER,
    Answer,
    ListQuery,
    Moment,
    RequestBody,
    Span,
    Thousandths,
)
from danlu.server.http.rendering import Via

AT_ONCE = 2_000
"""How many quotas one request may set."""

QuotaClass = Literal["workspace", "single", "distributed", "service", "all"]
StorageType = Literal["block", "filesystem", "local", "bucket", "ephemeral", "results"]
NonNegative = Annotated[Count, Field(ge=0)]
WholeNumber = Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
Memory = Annotated[Bytes, Field(ge=0, le=2**60)]


class ClassAmounts(RequestBody):
    """How much jobs of one class may use: GPUs of all models, single models by name, CPUs, memory, and numbers of jobs
    and tasks. `null` is unlimited, even if the default has a limit; what is left out follows the default."""

    model_config = ConfigDict(extra="allow")

    gpus: NonNegative | None = None
    cpus: NonNegative | None = None
    memory: Memory | None = None
    jobs: WholeNumber | None = None
    tasks: WholeNumber | None = None
    __pydantic_extra__: dict[str, NonNegative | None] = Field(init=False)

    def plain(self) -> dict[str, int]:
        said = {
            name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set
        }
        said |= self.__pydantic_extra__ or {}
        return {name: UNLIMITED if amount is None else amount for name, amount in said.items()}


QuotaAmounts = dict[QuotaClass, ClassAmounts]
"""By job class, and `all` for all classes together."""


def plain_amounts(amounts: Mapping[QuotaClass, ClassAmounts]) -> dict[str, dict[str, int]]:
    """The amounts, as the domain names them."""
    return {within: counted for within, one in amounts.items() if (counted := one.plain())}


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────


class QuotaEdit(RequestBody):
    """What to set on a quota; amounts and storage are replaced as a whole."""

    amounts: QuotaAmounts | None = None
    storage: dict[StorageType, Memory | None] | None = None
    description: Annotated[StrictStr, Field(max_length=1_000)] | None = None

    def values(self) -> dict[str, Any]:
        """The given values, as the domain names them."""
        said: dict[str, Any] = {}
        if self.amounts is not None:
            said["amounts"] = plain_amounts(self.amounts)
        if self.storage is not None:
            said["storage"] = {
                kind: UNLIMITED if size is None else size for kind, size in self.storage.items()
            }
        if self.description is not None:
            said["description"] = self.description
        return said


class QuotaBulk(QuotaEdit):
    """The same quota for many people or groups."""

    names: Annotated[
        list[Annotated[StrictStr, Field(pattern=QUOTA_NAME)]], Field(min_length=1, max_length=AT_ONCE)
    ]


class RaiseCreate(RequestBody):
    """A temporary raise: where it is more than the quota, it applies until it expires."""

    amounts: QuotaAmounts
    life: Annotated[Duration, Field(ge=1_000, le=LONGEST_LIFE)]
    reason: Annotated[StrictStr, Field(max_length=1_000)] = ""


class QuotaQuery(ListQuery):
    """Which quotas."""

    search: str | None = Field(
        None, max_length=200, description="Only quotas whose name or description contains this text."
    )


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────

Amounts = dict[str, dict[str, float | None]]


def _storage(sizes: rules.Amounts) -> dict[str, int | None]:
    return {kind: None if size == UNLIMITED else size for kind, size in sizes.items()}


class QuotaRaise(Answer, of=rules.Raise):
    """A temporary raise, and who granted it."""

    amounts: Annotated[Amounts, Via(quota_amounts)]
    until: Moment
    by: str
    reason: str


class Quota(Answer, of=rules.Quota):
    """How much jobs may use at once, queued jobs included: of `user:NAME`, of all members of `group:NAME` together, or
    of everybody without their own quota (`default`). GPUs and CPUs as numbers, memory and storage in bytes; null is
    unlimited."""

    name: str
    amounts: Annotated[Amounts, Via(quota_amounts)]
    storage: Annotated[dict[str, int | None], Via(_storage)]
    raises: list[QuotaRaise]
    description: str


class QuotaList(Answer):
    items: list[Quota]
    next_cursor: str | None
    total: int


class QuotaRow(Answer):
    """One limit and how much of it is used; `limit` null is unlimited. `until` is when a raise expires."""

    quota: str
    job_class: str = Field(alias="class")
    resource: str
    limit: float | None
    used: float
    source: Source
    until: Moment | None


class StorageRow(Answer, of=storage.StorageUse):
    """Storage of one type, in bytes: `local` is the personal directory, `code` what was uploaded for jobs. `counted_at`
    is when it was counted; null if it is not counted, or not yet."""

    type: str
    limit: int | None
    used: int
    counted_at: Moment | None


class Budget(Answer, of=budgets.Budget):
    """GPU-hours of one priority class in a calendar month (UTC); `renews` is when the next month begins."""

    priority: str
    budget: Thousandths
    spent: Thousandths
    since: Moment
    renews: Moment


class LimitUse(Answer):
    """A limit on a person's jobs: GPUs at once, of which so many are in use, or how long a job may run. `shared`: those
    of others count too. `project` is whose use it is, if the limit is on each project or on one."""

    name: str
    shared: bool
    project: str | None
    job_class: JobClass | None = Field(alias="class")
    gpus: float | None
    used: float
    max_time: Span | None


class CapUse(Answer):
    """What the running jobs of a project may use of one resource together, and use."""

    project: str
    resource: str
    limit: float
    used: float


class QuotaStanding(Answer):
    """What bounds a person (including their groups) or a group, and how much is used: quotas, and of a person this
    month's budgets, limits, and caps of the projects that they may queue in."""

    items: list[QuotaRow]
    storage: list[StorageRow]
    budgets: list[Budget]
    limits: list[LimitUse]
    caps: list[CapUse]
