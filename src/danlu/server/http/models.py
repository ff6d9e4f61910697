"""What requests and answers have in common."""

from typing import Annotated, Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, Field

from danlu.domain import findings, people, reasons
from danlu.domain.findings import Level
from danlu.domain.quantity import show_time
from danlu.domain.words import Words
from danlu.files.quantities import plain_number
from danlu.files.written import Written
from danlu.server.http.answering import Json, instant, reason
from danlu.server.http.rendering import Render, Rendered, Via

MAX_PAGE = 500
MAX_NUMBER = 2**53 - 1
LONGEST_LIFE = 10 * 365 * 86_400_000
"""The largest integer that every JSON reader keeps exactly."""
Name = Annotated[str, Field(min_length=1, max_length=100)]


class RequestBody(Written):
    """What is sent with a request."""


class ListQuery(RequestBody):
    """A page of a list."""

    limit: int = Field(100, ge=1, le=MAX_PAGE, description="The maximum number of items.")
    cursor: str | None = Field(
        None,
        max_length=500,
        description="The `next_cursor` of the previous page; opaque, and only valid for the "
        "same list in the same order.",
    )


Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"}), Via(instant)]
"""RFC 3339 in UTC, to the millisecond."""
Thousandths = Annotated[float, Via(plain_number)]
"""GPUs and CPUs as numbers, converted from thousandths."""
Fraction = Annotated[float, Via(lambda milli: milli / 1000)]
"""Also from thousandths, but always a float: 4.0."""
Said = Annotated[str | None, Via(lambda text: text or None)]
"""Null where the text is empty."""
English = Annotated[str, Via(lambda both: both.en)]
"""Converted from a sentence in both languages."""
Span = Annotated[str, Via(show_time)]
"""A duration such as 1m30s, converted from milliseconds."""


class Answer(BaseModel):
    """The root of all answers. Models are only built for the OpenAPI document and for tests; the server renders the
    objects named by `of` directly (see `rendering`)."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)

    made_of: ClassVar[type[Any] | None] = None
    base: ClassVar[str] = ""
    render: ClassVar[Render]

    def __init_subclass__(cls, of: type[Any] | None = None, base: str = "", **more: Any) -> None:
        super().__init_subclass__(**more)
        if of is not None:
            cls.made_of, cls.base = of, base
        if "render" not in cls.__dict__:
            cls.render = Rendered()  # type: ignore[assignment]


class Text(Answer, of=Words):
    """A sentence in both languages."""

    en: str
    zh: str


class Reason(Answer, of=reasons.Reason):
    """Why a job waits, stopped or failed: a stable code, its parameters, what it means and what to do."""

    code: str
    params: dict[str, Any]
    text: Text
    meaning: Text
    advice: Text

    @staticmethod
    def render(why: reasons.Reason) -> Json:
        return cast(Json, reason(why))


class FieldError(Answer):
    """One error at one place; `loc` is the path to it from the root of the request. `message` and `hint` are the
    English of `text` and `hint_text`; `params` is what filled the sentence, `suggestion` the word that was probably
    meant."""

    loc: list[str | int]
    code: str
    message: str
    text: Text
    params: dict[str, Any]
    value: Any = None
    bound: Any = None
    hint: str | None = None
    hint_text: Text | None = None
    suggestion: str | None = None


class Finding(Answer, of=findings.Finding):
    """One check of a cluster: what was found, and how to fix it."""

    code: str
    level: Level
    text: Text
    fix: Text | None


class Shortfall(Answer):
    """A quota that a start would exceed: GPUs and CPUs as numbers, memory in bytes. `jobs` are some of the jobs that
    use it, as owner:name, or only the owner's name if the caller may not read the job."""

    quota: str
    job_class: str = Field(alias="class")
    resource: str
    used: float
    asked: float
    limit: float
    jobs: list[str]
    text: Text


class Administrator(Answer, of=people.User):
    """Somebody to ask."""

    name: str
    display_name: str


class Problem(Answer):
    """Every refusal, as application/problem+json; `type` is a stable code, `detail` the English of `text`. `findings`
    lists what a cluster lacks, `shortfalls` the quotas that a start would exceed, `administrators` some who can help,
    as the sentence `ask` says too."""

    type: str
    title: str
    status: int
    detail: str
    text: Text
    errors: list[FieldError]
    incident: str | None = None
    findings: list[Finding] | None = None
    shortfalls: list[Shortfall] | None = None
    administrators: list[Administrator] | None = None
    ask: Text | None = None
