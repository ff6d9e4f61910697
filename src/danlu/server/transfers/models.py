"""Transfers as sent and answered."""

from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictStr

from danlu.domain.transfers import problems
from danlu.domain.transfers import transfer as domain
from danlu.domain.transfers.ends import LONGEST_END
from danlu.domain.transfers.transfer import OnExisting, TransferState
from danlu.files.forms import DIGEST, GIT_REF
from danlu.server.http.answering import Json
from danlu.server.http.models import Answer, ListQuery, Moment, RequestBody, Text
from danlu.server.http.rendering import GIVEN, At

MOST_GLOBS = 100
End = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_END)]
Glob = Annotated[StrictStr, Field(min_length=1, max_length=500)]
Globs = Annotated[list[Glob], Field(max_length=MOST_GLOBS)]
Printable = r"^[!-~ ]*$"
Ref = Annotated[StrictStr, Field(max_length=250, pattern=GIT_REF)]


class TransferListQuery(ListQuery):
    """Which transfers."""

    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    state: TransferState | None = None


class ScheduleListQuery(ListQuery):
    """Which schedules."""

    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")


class LoginBody(RequestBody):
    """What the place outside is told: `user` and `secret` (a password), or `secret` alone (a token). It is kept sealed
    and never shown."""

    user: Annotated[StrictStr, Field(max_length=500, pattern=Printable)] = ""
    secret: Annotated[StrictStr, Field(min_length=1, max_length=8192, pattern=Printable)]

    def plain(self) -> domain.WebLogin:
        return domain.WebLogin(self.user, self.secret)


class WishBody(RequestBody):
    """From where to where, and how."""

    source: End = Field(
        description="VOLUME:/path, OWNER:VOLUME:/path, https://HOST/FILE, or git+https://HOST/REPOSITORY."
    )
    target: End = Field(description="VOLUME:/path or OWNER:VOLUME:/path; with / at the end, a folder.")
    existing: OnExisting = Field(
        OnExisting.UPDATE,
        description="What becomes of a file that is there already: `update` replaces it if it differs, `overwrite` "
        "always, `refuse` fails if it differs.",
    )
    ref: Ref = Field(
        "", description="Of a Git repository: a branch, a tag or a commit; default: its main branch."
    )
    include: Globs = Field([], description="Only paths that fit one of these globs.")
    exclude: Globs = Field([], description="No paths that fit one of these globs.")
    sha256: Annotated[StrictStr, Field(pattern=f"{DIGEST}|^$")] = Field(
        "", description="What the one file at a URL must have."
    )
    unpack: StrictBool = Field(False, description="The one file is an archive: unpack it into the target.")
    login: LoginBody | None = None

    def wish(self) -> domain.TransferWish:
        return domain.TransferWish(
            self.existing, self.ref, tuple(self.include), tuple(self.exclude), self.sha256, self.unpack
        )

    def secret(self) -> domain.WebLogin | None:
        return self.login.plain() if self.login else None


class TransferCreate(WishBody):
    """A transfer to begin as soon as others leave room."""


class TransferResume(RequestBody):
    """How to go on."""

    login: LoginBody | None = Field(None, description="Another login; default: the one it was created with.")


class ScheduleCreate(WishBody):
    """A transfer to create again and again."""

    cron: Annotated[StrictStr, Field(min_length=1, max_length=200)] = Field(
        description="minute hour day month weekday, such as `30 2 * * *`, or @hourly, @daily, @weekly, @monthly."
    )
    zone: Annotated[StrictStr, Field(min_length=1, max_length=100)] = Field(
        "UTC", description="The time zone of `cron`, such as Asia/Shanghai."
    )


class ScheduleEdit(RequestBody):
    """What to change of a schedule."""

    cron: Annotated[StrictStr, Field(min_length=1, max_length=200)] | None = None
    zone: Annotated[StrictStr, Field(min_length=1, max_length=100)] | None = None
    paused: StrictBool | None = Field(None, description="Nothing is due while it is.")

    def values(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in self.model_fields_set}
        return {name: value for name, value in said.items() if value is not None}


class TransferProgress(Answer, of=domain.TransferProgress):
    """What is in its place: of so many files and bytes (null: not known yet). `skipped` were there already, `left_out`
    cannot be transferred (links that lead out, pipes), `changed` began anew as their source had changed. `rate`: bytes
    per second."""

    files: int
    files_total: int | None
    bytes: int
    bytes_total: int | None
    skipped: int
    left_out: int
    changed: int
    rate: int


class TransferProblem(Answer, of=problems.Problem):
    """Why it failed, or waits to be tried again: a stable code, its parameters, and what to do."""

    code: str
    params: dict[str, Any]
    text: Text
    advice: Text

    @staticmethod
    def render(problem: problems.Problem) -> Json:
        return {
            "code": problem.code,
            "params": dict(problem.params),
            "text": problem.text.by_language,
            "advice": problem.advice.by_language,
        }


class ForJob(Answer, of=domain.ForJob):
    """The job whose input a transfer is, with its name at that time."""

    id: str
    name: str


class Transfer(Answer, of=domain.Transfer):
    """A transfer. After a problem it is tried again at `not_before`; `cancelling`: its process is being ended.
    `for_job` is the job that it was made for as an input; others may wait for it too. `source` lacks what follows the ?
    of a URL, except for its owner."""

    id: str
    owner: str
    source: Annotated[str, GIVEN]
    target: Annotated[str, GIVEN]
    state: TransferState
    progress: TransferProgress
    problem: TransferProblem | None
    attempts: int
    cancelling: bool
    created_at: Moment
    started_at: Moment | None
    ended_at: Moment | None
    not_before: Moment | None
    schedule: str | None
    for_job: ForJob | None
    existing: Annotated[OnExisting, At("wish.existing")]
    ref: Annotated[str, At("wish.ref")]
    include: Annotated[list[str], At("wish.include")]
    exclude: Annotated[list[str], At("wish.exclude")]
    sha256: Annotated[str, At("wish.sha256")]
    unpack: Annotated[bool, At("wish.unpack")]
    can_edit: Annotated[bool, GIVEN]


class TransferList(Answer):
    items: list[Transfer]
    next_cursor: str | None


class TransferSchedule(Answer, of=domain.TransferSchedule):
    """A schedule: `due_at` is when its next transfer is created (null: paused), `last_at` when the last was due;
    `last_skipped`: it was not created, as the one before was still on its way."""

    id: str
    owner: str
    source: Annotated[str, GIVEN]
    target: Annotated[str, GIVEN]
    cron: str
    zone: str
    paused: bool
    due_at: Moment | None
    last_at: Moment | None
    last_transfer: str | None
    last_skipped: bool
    created_at: Moment
    changed_at: Moment
    existing: Annotated[OnExisting, At("wish.existing")]
    ref: Annotated[str, At("wish.ref")]
    include: Annotated[list[str], At("wish.include")]
    exclude: Annotated[list[str], At("wish.exclude")]
    unpack: Annotated[bool, At("wish.unpack")]
    can_edit: Annotated[bool, GIVEN]


class ScheduleList(Answer):
    items: list[TransferSchedule]
    next_cursor: str | None
