"""Requests to join a project or for more quota: what is sent and answered."""

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
    """Amounts as in a quota, including numbers of jobs and tasks."""

    jobs: Counted | None = None
    tasks: Counted | None = None

    def plain(self) -> dict[str, int]:
        counted = {"jobs": self.jobs, "tasks": self.tasks}
        return {**super().plain(), **{key: many for key, many in counted.items() if many is not None}}


ByClass = Annotated[
    dict[Annotated[StrictStr, Field(max_length=20)], AskedAmounts],
    Field(max_length=10, description="Amounts by job class, or `all`: such as {all: {gpus: 8}}."),
]


class Asking(RequestBody):
    """A new request: to join the project `subject`, or for `amounts` beyond the caller's quota, for a limited time."""

    kind: RequestKind
    subject: Name | None = None
    amounts: ByClass | None = None
    life: Life = WEEK
    note: ShortText = ""

    def must_be_whole(self) -> None:
        """Invalid if a field of its kind is missing, or a field of the other kind is given."""
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
                "a request of kind {kind} does not take {name}",
                "{kind} 类申请中不能填写 {name}",
                name=strange,
                kind=self.kind,
            )
            wrong.append(FieldError((strange,), "contradiction", message))
        if wrong:
            raise Invalid(tuple(wrong))


class Approval(RequestBody):
    """An approval, with changes if it is not granted as asked: `role` to join, `amounts` and `life` for a quota."""

    answer: ShortText = ""
    role: MemberRole | None = None
    amounts: ByClass | None = None
    life: Life | None = None


class Refusal(RequestBody):
    """A refusal with its reason."""

    answer: Annotated[ShortText, Field(min_length=1)]


class RequestListQuery(ListQuery):
    """Which requests."""

    state: list[RequestState] = Field(
        [], max_length=10, description="Only requests in these states; may be repeated."
    )
    kind: RequestKind | None = Field(None, description="Only requests of this kind.")
    mine: bool | None = Field(
        None,
        description="Only the caller's own, or only those of others that the caller may read or decide; default: "
        "both.",
    )


class AskedFor(Answer):
    """The requested amounts by job class, as numbers (memory in bytes), and for how long."""

    amounts: dict[str, dict[str, float | None]]
    life: str


def _asked(one: domain.Request) -> Json | None:
    if not one.asked:
        return None
    return {"amounts": quota_amounts(one.asked["amounts"]), "life": show_time(one.asked["life"])}


class PersonalRequest(Answer, of=domain.Request):
    """A request and its state. `subject` is the project, or whose quota it is; `can_decide` says whether the caller
    may decide it."""

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
    """The amounts in the domain's units."""
    return None if said is None else {within: amounts.plain() for within, amounts in said.items()}
