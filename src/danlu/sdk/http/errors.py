"""Everything the client may raise, drawn as a tree.

DanluError
├── Invalid                what was sent is wrong: every error with its place in `errors`
├── NotSignedIn            no token, or one that is not accepted
│   └── WrongCredentials
├── NotAllowed
├── NotFound
├── Conflict               right in itself, but not now
│   ├── NameTaken
│   ├── WrongState
│   ├── KeyReused
│   ├── Stale
│   ├── HasActiveJobs      say what becomes of somebody's jobs
│   ├── InsufficientQuota  a start beyond a quota; `shortfalls` says by how much and who holds it
│   ├── BudgetSpent        this month's budget of the priority class is used up
│   ├── DiskLimit          your personal directory takes more than it may
│   ├── VolumeTaken        others use a volume that the job was not to wait for
│   ├── ClusterNotReady    it lacks something that Danlu needs; `findings` says what
│   └── NotAttachable      an address outside that cannot be used as asked; `findings` says at which step
├── TooMany                slow down; `retry_after` seconds
│   └── TooManyAtOnce      as many requests, streams or connections as one may have at a time
├── TooLarge
├── UploadLocked           another request writes to this upload now
├── WrongChecksum          what arrived of an upload is not what was sent
├── TooSlow                the request did not arrive in time
├── Unavailable            the server itself cannot, for the moment
│   ├── DiskFull           the server's disk has no space left
│   └── Overdue            no answer within the time for a request; it may still be carried out
├── ServerFailed           the server made a mistake
├── Unreachable            nobody answers at `url`
├── BadCode                the code folder cannot be packed
├── BadFile                a job file that cannot be read
├── BadConfig              the configuration file cannot be read
├── DownloadFailed         a download that broke off; what came of a file is there to go on from
├── BadPlace               no place that files could be copied from or to
├── NeedsExtra             a package that is installed separately is missing
├── SourceChanged          a file was changed while it was copied
├── StoreFailed            an object store or a web server refused, or cannot be reached
│   └── StorePassing       it may work in a moment
└── TimedOut               `wait` waited long enough
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from danlu.domain.words import NOTHING, Words, same, say
from danlu.sdk.models.problems import Finding, Problem, Shortfall
from danlu.sdk.models.reading import read


class DanluError(Exception):
    """The root: a stable `code`, a sentence in `detail`, and single mistakes in `errors`."""

    code = "error"

    def __init__(self, detail: str | Words, errors: Sequence[Problem] = ()) -> None:
        words = detail if isinstance(detail, Words) else None
        self.detail: str = words.en if words else str(detail)
        self.errors = tuple(errors)
        self.text: Mapping[str, str] = words.by_language if words else {}
        self.ask: Mapping[str, str] = {}
        """Which administrators can help, in both languages; empty where none is needed."""
        super().__init__(self.detail)

    def said(self, language: str) -> str:
        """The message in a language (en, zh); in English if an older server sent English only."""
        return self.text.get(language) or self.detail


class Invalid(DanluError):
    code = "invalid"

    def __str__(self) -> str:
        return self.said("en")

    def said(self, language: str) -> str:
        lines = [super().said(language)]
        for one in self.errors:
            place = ".".join(map(str, one.loc))
            message, hint = one.said(language)
            colon, left, right = ("：", "（", "）") if language == "zh" else (": ", " (", ")")
            about = f"{left}{hint}{right}" if hint else ""
            lines.append(f"  {place + colon if place else ''}{message}{about}")
        return "\n".join(lines)


class NotSignedIn(DanluError):
    code = "not_signed_in"


class WrongCredentials(NotSignedIn):
    code = "wrong_credentials"


class NotAllowed(DanluError):
    code = "not_allowed"


class NotFound(DanluError):
    code = "not_found"


class Conflict(DanluError):
    code = "conflict"


class NameTaken(Conflict):
    code = "name_taken"


class WrongState(Conflict):
    code = "wrong_state"


class KeyReused(Conflict):
    code = "key_reused"


class Stale(Conflict):
    code = "stale"


class HasActiveJobs(Conflict):
    code = "has_active_jobs"


class InsufficientQuota(Conflict):
    code = "insufficient_quota"
    shortfalls: tuple[Shortfall, ...] = ()


class BudgetSpent(Conflict):
    code = "budget_spent"


class DiskLimit(Conflict):
    code = "disk_limit"


class VolumeTaken(Conflict):
    code = "volume_busy"


class ClusterNotReady(Conflict):
    code = "cluster_not_ready"
    findings: tuple[Finding, ...] = ()


class NotAttachable(Conflict):
    code = "not_attachable"
    findings: tuple[Finding, ...] = ()


class TooMany(DanluError):
    code = "too_many"
    retry_after = 1


class TooManyAtOnce(TooMany):
    code = "too_many_at_once"


class TooLarge(DanluError):
    code = "too_large"


class UploadLocked(DanluError):
    code = "upload_locked"


class WrongChecksum(DanluError):
    code = "wrong_checksum"


class TooSlow(DanluError):
    code = "too_slow"


class Unavailable(DanluError):
    code = "unavailable"


class DiskFull(Unavailable):
    code = "disk_full"


class Overdue(Unavailable):
    code = "overdue"


class ServerFailed(DanluError):
    code = "server_failed"


class Unreachable(DanluError):
    """Nobody, or nobody who speaks Danlu, answers at `url`; `advice` says what to do."""

    code = "unreachable"

    def __init__(self, url: str, why: str | Words, advice: str | Words = "") -> None:
        cause, remedy = _words(why), _words(advice)
        super().__init__(
            say("Danlu cannot be reached at {url}: {why}", "无法连接 {url} 的丹炉：{why}", url=url, why=cause)
        )
        self.url = url
        self.why, self.why_text = cause.en, cause.by_language
        self.advice, self.advice_text = remedy.en, remedy.by_language


class BadCode(DanluError):
    code = "bad_code"


class BadFile(DanluError):
    """`line` and `column` count from 1, 0 is the whole file; `also` is a second place, with its words."""

    code = "bad_file"

    def __init__(
        self,
        detail: str | Words,
        line: int = 0,
        column: int = 0,
        hint: str | Words = NOTHING,
        also: tuple[int, int, Words] | None = None,
    ) -> None:
        super().__init__(detail)
        self.line = line
        self.column = column
        advice = _words(hint)
        self.hint, self.hint_text = advice.en, advice.by_language
        self.also = (*also[:2], also[2].en) if also else None
        self.also_text = also[2].by_language if also else {}


class BadConfig(DanluError):
    code = "bad_config"


class DownloadFailed(DanluError):
    code = "download_failed"


class BadPlace(DanluError):
    code = "bad_place"


class NeedsExtra(DanluError):
    code = "needs_extra"


class SourceChanged(DanluError):
    code = "source_changed"


class StoreFailed(DanluError):
    code = "store_failed"


class StorePassing(StoreFailed):
    code = "store_unavailable"


class TimedOut(DanluError):
    code = "timed_out"


def _words(said: str | Words) -> Words:
    return said if isinstance(said, Words) else same(said)


def _tree(root: type[DanluError]) -> list[type[DanluError]]:
    return [root] + [leaf for child in root.__subclasses__() for leaf in _tree(child)]


_BY_CODE = {kind.code: kind for kind in _tree(DanluError) if kind not in (DanluError, Unreachable, BadFile)}
_BY_STATUS: Mapping[int, type[DanluError]] = {
    400: Invalid,
    401: NotSignedIn,
    403: NotAllowed,
    404: NotFound,
    408: TooSlow,
    409: Conflict,
    413: TooLarge,
    422: Invalid,
    429: TooMany,
    503: Unavailable,
}


def from_problem(status: int, body: Mapping[str, Any], retry_after: str | None = None) -> DanluError:
    """The error that a problem+json answer tells of; a code this client does not know goes by its status."""
    code = str(body.get("type", "")).rpartition("/")[2].rpartition(":")[2]
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status) or (ServerFailed if status >= 500 else DanluError)
    known = body.get("detail") or body.get("title")
    detail = (
        str(known)
        if known
        else say("the server answered with status {status}", "服务器返回状态码 {status}", status=status)
    )
    error = kind(detail, [read(Problem, one) for one in body.get("errors") or () if isinstance(one, dict)])
    error.text = body.get("text") or error.text
    error.ask = body.get("ask") or {}
    if isinstance(error, TooMany) and retry_after and retry_after.isdigit():
        error.retry_after = int(retry_after)
    if isinstance(error, (ClusterNotReady, NotAttachable)):
        error.findings = tuple(read(Finding, one) for one in body.get("findings") or ())
    if isinstance(error, InsufficientQuota):
        error.shortfalls = tuple(read(Shortfall, one) for one in body.get("shortfalls") or ())
    if code not in _BY_CODE and code:
        error.code = code
    return error
