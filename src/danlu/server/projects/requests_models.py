"""Requests of people to people, as sent and answered: to join a project, or for more quota."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt, StrictStr

from danlu.domain import requests as domain
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.members import MemberRole
from danlu.domain.quantity import show_time
from danlu.domain.requests import RequestKind, RequestState
from danlu.domain.words import say
from danlu.files.quantities import Duration
from danlu.files.rulings import Amounts, ShortText
from danlu.server.http.answering import quota_amounts
from danlu.server.http.models import LONGEST_LIFE, Answer, ListQuery, Moment, Name, RequestBody, Said
from danlu.server.http.rendering import GIVEN, By, Json

WEEK = 7 * 86_400_000
MOST = 10**9

Counted = Annotated[StrictInt, Field(ge=0, le=MOST)]
Life = Annotated[Duration, Field(ge=60_000, le=LONGEST_LIFE)]


class AskedAmounts(Amounts):
    """How much of what: as a quota has it, jobs and tasks included."""

    jobs: Counted | None = None
    tasks: Counted | None = None

    def plain(self) -> dict[str, int]:
        counted = {"jobs": self.jobs, "tasks": self.tasks}
        return {**super().plain(), **{key: many for key, many in counted.items() if many is not None}}


ByClass = Annotated[
    dict[Annotated[StrictStr, Field(max_length=20)], AskedAmounts],
    Field(max_length=10, description="By class of jobs, or `all`: such as {all: {gpus: 8}}."),
]


class Asking(RequestBody):
    """What one asks for: to join the project `subject`, or for `amounts` beyond one's quota, for a while."""

    kind: RequestKind
    subject: Name | None = None
    amounts: ByClass | None = None
    life: Life = WEEK
    note: ShortText = ""

    def must_be_whole(self) -> None:
        """Invalid when what its kind needs is missing, or something of the other kind is there."""
        joins = self.kind is RequestKind.JOIN
        needed, strange = ("subject", "amounts") if joins else ("amounts", "subject")
        wrong = []
        if getattr(self, needed) is None:
            wrong.append(
                FieldError(
                    (needed,),
                    "missing",
                    say(
                        "a request of kind {kind} needs {needed}",
                        "{kind} 类申请需要填写 {needed}",
                        kind=self.kind,
                        needed=needed,
                    ),
                )
            )
        if getattr(self, strange) is not None:
            message = say(
                "{name} does not belong in a request of kind {kind}",
                "{kind} 类申请中不能填写 {name}",
                name=strange,
                kind=self.kind,
            )
            wrong.append(FieldError((strange,), "contradiction", message))
        if wrong:
            raise Invalid(tuple(wrong))


class Approval(RequestBody):
    """Yes, and on which terms where they are not as asked: `role` to join, `amounts` and `life` for a quota."""

    answer: ShortText = ""
    role: MemberRole | None = None
    amounts: ByClass | None = None
    life: Life | None = None


class Refusal(RequestBody):
    """No, and why."""

    answer: Annotated[ShortText, Field(min_length=1)]


class RequestListQuery(ListQuery):
    """Which requests."""

    state: list[RequestState] = Field([], max_length=10, description="In one of these states; may repeat.")
    kind: RequestKind | None = Field(None, description="Of this kind.")
    mine: bool | None = Field(
        None,
        description="Only one's own, or only those of others that one may read or decide; default: both.",
    )


class AskedFor(Answer):
    """How much of what by class, as numbers (memory in bytes), and for how long."""

    amounts: dict[str, dict[str, float | None]]
    life: str


def _asked(one: domain.Request) -> Json | None:
    if not one.asked:
        return None
    return {"amounts": quota_amounts(one.asked["amounts"]), "life": show_time(one.asked["life"])}


class PersonalRequest(Answer, of=domain.Request):
    """What somebody asks for and what became of it. `subject` is the project, or whose quota; `can_decide` says
    whether it waits for the asker of this."""

    id: str
    kind: RequestKind
    user: str
    subject: str
    note: str
    asked: Annotated[AskedFor | None, By(_asked)]
    state: RequestState
    created_at: Moment
    decided_by: Said
    decided_at: Moment | None
    answer: str
    can_decide: Annotated[bool, GIVEN]


class RequestList(Answer):
    items: list[PersonalRequest]
    next_cursor: str | None
    total: int


def by_class(said: dict[str, AskedAmounts] | None) -> dict[str, dict[str, int]] | None:
    """In the domain's numbers."""
    return None if said is None else {within: amounts.plain() for within, amounts in said.items()}
