"""What clients send beside job files: bodies and query parameters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from danlu.domain.job import JobState, Kind
from danlu.domain.people import PASSWORD_MAX, UserRole
from danlu.files.forms import EMAIL, GROUP_NAME, JOB_NAME, SUBJECT
from danlu.files.quantities import Duration
from danlu.files.written import Written

MAX_PAGE = 500
MAX_NUMBER = 2**53 - 1
"""The largest number that every JSON reader keeps exactly."""
TRY = "Which try of a task that was started again within its attempt, the first being 0; default: the present one."
LONGEST_LIFE = 10 * 365 * 86_400_000

Name = Annotated[str, Field(min_length=1, max_length=100)]
Groups = Annotated[list[Annotated[str, Field(pattern=GROUP_NAME)]], Field(max_length=100)]
Email = Literal[""] | Annotated[str, Field(pattern=EMAIL, max_length=254)]
Subject = Literal[""] | Annotated[str, Field(pattern=SUBJECT, max_length=500)]
Secret = Annotated[str, Field(max_length=PASSWORD_MAX)]


class Request(Written):
    """What is sent with a request."""


# ── bodies ───────────────────────────────────────────────────────────────────────────────────────────


class SignIn(Request):
    """A name and its password."""

    username: Name
    password: Secret


class LinkSignIn(Request):
    """The code of a one-time sign-in link."""

    code: Annotated[str, Field(min_length=1, max_length=200)]


class PasswordChange(Request):
    """A new password; the current one is not needed while there is none."""

    new: str
    current: Secret | None = None


class CloneRequest(Request):
    """The name of the copy (default: the next free one) and whether to start it at once."""

    name: Annotated[str, Field(pattern=JOB_NAME)] | None = None
    start: bool = False


class StartRequest(Request):
    """How a job is started again."""

    fresh: bool = Field(False, description="From the beginning, and not from its last checkpoint.")


class UserCreate(Request):
    """A new account. Without a password the person needs a sign-in link."""

    name: Name
    role: UserRole
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: Groups = Field(default=[])


class UserEdit(Request):
    """What to change of an account; what is left out stays. Whoever disables somebody with active jobs says what
    becomes of those: they go on (keep) or are stopped (stop)."""

    role: UserRole | None = None
    disabled: bool | None = None
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] | None = None
    email: Email | None = None
    subject: Subject | None = Field(
        None, description="Who they are to the sign-in provider, as issuer#sub; empty unties the account."
    )
    groups: Groups | None = None
    jobs: Literal["keep", "stop"] | None = None


class TokenCreate(Request):
    """A new token. No scopes: it may do all that its owner may."""

    name: Name
    scopes: Annotated[list[str], Field(max_length=100)] | None = None
    expires_in: Annotated[Duration, Field(ge=1_000, le=LONGEST_LIFE)] | None = None


# ── queries ──────────────────────────────────────────────────────────────────────────────────────────


class ListQuery(Request):
    """A page of a list."""

    limit: int = Field(100, ge=1, le=MAX_PAGE, description="The most items to answer.")
    cursor: str | None = Field(
        None, max_length=500, description="`next_cursor` of the page before; opaque, belongs to its order."
    )


class JobListQuery(ListQuery):
    """Which jobs, in which order."""

    limit: int = Field(50, ge=1, le=MAX_PAGE, description="The most items to answer.")
    state: list[JobState] = Field([], max_length=20, description="In one of these states; may repeat.")
    kind: Kind | None = Field(None, description="Of this kind.")
    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    project: str | None = Field(None, max_length=200, description="In this project.")
    search: str | None = Field(None, max_length=200, description="Whose name contains this, or with this id.")
    sort: Literal["created", "-created", "name", "-name", "state", "-ended"] = Field(
        "-created",
        description="The order; a minus turns it round. `-ended`: only what is over, the latest first.",
    )


class EditQuery(Request):
    version: int | None = Field(
        None, ge=0, le=MAX_NUMBER, description="Only if nobody changed the job since it had this `version`."
    )


class StartQuery(Request):
    start: bool = Field(False, description="Start the job at once.")


class CodeQuery(Request):
    """Whose code."""

    job: str | None = Field(
        None, max_length=200, description="The job that names it, by id or name; a task's own by default."
    )


class LogQuery(Request):
    """Which part of which log."""

    task: str | None = Field(None, max_length=100, description="Such as worker-0; default: the first task.")
    try_: int | None = Field(None, alias="try", ge=0, le=MAX_NUMBER, description=TRY)
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="Default: the latest.")
    offset: int | None = Field(None, ge=0, le=MAX_NUMBER, description="Where to begin, in bytes.")
    tail: int | None = Field(None, ge=0, le=1_000_000, description="Begin so many lines before the end.")
    limit_bytes: int = Field(1 << 20, ge=1, le=8 << 20, description="About how much to answer.")
    search: str | None = Field(
        None, min_length=1, max_length=200, description="Only lines that contain this; case does not matter."
    )
    follow: bool = Field(False, description="Stay and send lines as they are written (server-sent events).")
    timestamps: bool = Field(False, description="In a plain-text answer, begin each line with its time.")


class LiveLog(Request):
    """A log to follow over the console's socket."""

    job: Annotated[str, Field(min_length=1, max_length=200)]
    task: Annotated[str, Field(max_length=100)] | None = None
    try_: Annotated[int | None, Field(alias="try", ge=0, le=MAX_NUMBER)] = None
    attempt: Annotated[int, Field(ge=1, le=MAX_NUMBER)] | None = None
    offset: Annotated[int, Field(ge=0, le=MAX_NUMBER)] = 0


class LiveWish(Request):
    """All that a client of the socket wants from now on: topics, and logs by names of its own."""

    subscribe: list[str] = Field(default=[])
    logs: Annotated[dict[Annotated[str, Field(max_length=40)], LiveLog], Field(max_length=16)] = Field(
        default={}
    )


class ExecQuery(Request):
    """What to run in which task."""

    task: str | None = Field(None, max_length=100, description="Default: the first that runs.")
    tty: bool = Field(True, description="On a terminal.")
    cols: int = Field(80, ge=1, le=1000)
    rows: int = Field(24, ge=1, le=1000)
    command: str | None = Field(None, max_length=65_536, description="A JSON list; default: a shell.")
    keep: bool = Field(
        False, description="Go on when the connection is lost, for a while; answers {terminal: ID}."
    )
    terminal: str | None = Field(None, max_length=64, description="Return to a kept one.")
    offset: int = Field(0, ge=0, le=MAX_NUMBER, description="Of a kept one: bytes of output already seen.")
