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
│   ├── DiskLimit          a start while the owner's personal directory takes more than it may
│   ├── VolumeTaken        a start that was not to wait for a volume that others use
│   ├── NotLeader          another control plane leads by now: this one must not write
│   ├── ClusterNotReady    it lacks something that Danlu needs: `findings` says what
│   └── NotAttachable      an address outside that cannot be used as asked: `findings` says at which step
├── TooMany                slow down
│   └── TooManyAtOnce      as many requests, streams or connections as one may have at a time
├── TooLarge
├── UploadLocked           another request writes to this upload now
├── WrongChecksum          what arrived of an upload is not what was sent
├── TooSlow                the request did not arrive in time
├── Outside                a place outside did not do its part: an address that somebody attached
│   ├── UnknownHost        its name leads nowhere
│   ├── ForbiddenAddress   it leads to this machine itself, or where Danlu must not be sent
│   ├── Unreachable        nothing answers there, or not in time, or without a certificate that holds
│   ├── WrongLogin         it does not know the login
│   ├── LoginMayNot        it knows the login, and no
│   ├── NoSuchBucket
│   ├── NoSuchExport
│   └── BadAnswer          it answers what nobody can make sense of, or that it cannot right now
└── Unavailable            Danlu itself cannot, for the moment
    ├── StoreBusy
    ├── DiskFull
    └── Overdue            no answer within the time for a request
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from danlu.domain.findings import Finding
from danlu.domain.words import NOTHING, Guess, Words, say

MOST_TOLD = 50
"""How many mistakes a refusal lists; of the others it tells the number."""
MORE = "more_mistakes"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One error at one place; `loc` is the path to it from the root of the request."""

    loc: tuple[str | int, ...]
    code: str
    text: Words
    value: Any = None
    bound: Any = None
    hint: Words | None = None

    @property
    def message(self) -> str:
        return self.text.en

    @property
    def params(self) -> Mapping[str, Any]:
        return self.text.params

    @property
    def suggestion(self) -> str | None:
        """The word that was probably meant."""
        return self.hint.meant if isinstance(self.hint, Guess) else None


def told(errors: Iterable[FieldError], more: int = 0) -> tuple[FieldError, ...]:
    """The first mistakes, and last how many more there are besides."""
    found = tuple(errors)
    listed = [one for one in found if one.code != MORE]
    more += _more(found) + max(0, len(listed) - MOST_TOLD)
    if not more:
        return found
    text = say(
        "and {count} more mistakes; fix those above first",
        "另有 {count} 处错误，请先改正以上各处",
        count=more,
    )
    return (*listed[:MOST_TOLD], FieldError((), MORE, text))


def _more(errors: Iterable[FieldError]) -> int:
    return sum(one.params["count"] for one in errors if one.code == MORE)


class DanluError(Exception):
    """The root: a stable code, an HTTP status, a title, and a sentence in both languages; `detail` is its English."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    title: ClassVar[Words] = Words("Something went wrong", "出现错误")
    asks_administrator: ClassVar[bool] = False
    """Whether an administrator can help."""

    def __init__(self, text: Words = NOTHING, errors: tuple[FieldError, ...] = ()) -> None:
        self.text = text if text.en else self.title
        self.errors = errors
        super().__init__(self.text.en)

    @property
    def detail(self) -> str:
        return self.text.en


class Invalid(DanluError):
    code, status, title = "invalid", 422, Words("The request is not valid", "请求无效")

    def __init__(self, errors: tuple[FieldError, ...], text: Words = NOTHING) -> None:
        listed = told(errors)
        more = _more(listed)
        count = len(listed) - bool(more) + more
        super().__init__(text if text.en else _COUNT_ONE if count == 1 else _COUNT.fill(count=count), listed)


_COUNT_ONE = Words("1 error in the request", "请求中有 1 处错误")
_COUNT = Words("{count} errors in the request", "请求中有 {count} 处错误")


class NotSignedIn(DanluError):
    code, status, title = "not_signed_in", 401, Words("Sign in first", "请先登录")


class WrongCredentials(NotSignedIn):
    code, title = "wrong_credentials", Words("Wrong user name or password", "用户名或密码错误")


class NotAllowed(DanluError):
    asks_administrator = True
    code, status, title = (
        "not_allowed",
        403,
        Words("You do not have permission to do this", "你没有权限执行此操作"),
    )


class NotFound(DanluError):
    code, status, title = "not_found", 404, Words("Not found", "找不到所请求的内容")


class Conflict(DanluError):
    code, status, title = (
        "conflict",
        409,
        Words("This conflicts with the current state", "当前情况下无法执行"),
    )


class NameTaken(Conflict):
    code, title = "name_taken", Words("This name is already in use", "名称已被占用")


class WrongState(Conflict):
    code, title = "wrong_state", Words("The job's state does not allow this", "任务当前的状态不允许此操作")


class KeyReused(Conflict):
    code, title = (
        "key_reused",
        Words("This idempotency key was already used for a different request", "该幂等键已用于另一个请求"),
    )


class Stale(Conflict):
    code, title = "stale", Words("Somebody else changed it first", "内容已被他人修改")


class HasActiveJobs(Conflict):
    code, title = "has_active_jobs", Words("There are active jobs", "仍有未结束的任务")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """One quota that a start would exceed. `quota` is its name (`user:NAME`, `group:NAME`), `within` the class or
    `all`; amounts are in the units of quotas. `jobs` are some of the jobs that use it, as `owner:name`."""

    quota: str
    within: str
    resource: str
    used: int
    asked: int
    limit: int
    jobs: tuple[str, ...] = ()


class InsufficientQuota(Conflict):
    asks_administrator = True
    code, title = "insufficient_quota", Words("insufficient quota", "配额不足")

    def __init__(
        self, text: Words, shortfalls: tuple[Shortfall, ...], errors: tuple[FieldError, ...] = ()
    ) -> None:
        super().__init__(text, errors)
        self.shortfalls = shortfalls


class BudgetSpent(Conflict):
    asks_administrator = True
    code, title = "budget_spent", Words("This month's budget is spent", "本月预算已用完")


class DiskLimit(Conflict):
    asks_administrator = True
    code, title = "disk_limit", Words("The personal directory is full", "个人目录已满")


class VolumeTaken(Conflict):
    code, title = "volume_busy", Words("A volume is in use", "存储卷正被使用")


class NotLeader(Conflict):
    code, title = "not_leader", Words("Another controller is the leader", "当前主控是另一个控制端")


class ClusterNotReady(Conflict):
    code, title = (
        "cluster_not_ready",
        Words("The cluster does not meet Danlu's requirements", "集群缺少丹炉所需的条件"),
    )

    def __init__(self, text: Words, findings: tuple[Finding, ...]) -> None:
        super().__init__(text)
        self.findings = findings


class NotAttachable(Conflict):
    code, title = ("not_attachable", Words("The address cannot be attached", "该地址无法接入"))

    def __init__(self, text: Words, findings: tuple[Finding, ...]) -> None:
        super().__init__(text)
        self.findings = findings


class TooMany(DanluError):
    code, status, title = "too_many", 429, Words("Too many requests", "请求过于频繁")

    def __init__(self, text: Words = NOTHING, retry_after: int = 1) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class TooManyAtOnce(TooMany):
    code, title = "too_many_at_once", Words("Too much at once", "同时进行的请求过多")


class TooLarge(DanluError):
    code, status, title = "too_large", 413, Words("The request body is too large", "发送的内容过大")


class UploadLocked(DanluError):
    code, status, title = (
        "upload_locked",
        423,
        Words("Another request is writing to this upload", "另一个请求正在写入该上传"),
    )


class WrongChecksum(DanluError):
    code, status, title = (
        "wrong_checksum",
        460,
        Words("What arrived is not what was sent; send it again", "收到的内容与校验和不符，请重新发送"),
    )


class TooSlow(DanluError):
    code, status, title = "too_slow", 408, Words("The request arrived too slowly", "请求发送过慢")


class Outside(DanluError):
    code, status, title = (
        "outside_failed",
        502,
        Words("The place outside did not do its part", "外部存储未能完成操作"),
    )


class UnknownHost(Outside):
    code, title = "unknown_host", Words("The address leads nowhere", "地址无法解析")


class ForbiddenAddress(Outside):
    asks_administrator = True
    code, title = (
        "forbidden_address",
        Words("Danlu may not go to this address", "丹炉不允许访问该地址"),
    )


class Unreachable(Outside):
    code, title = "unreachable", Words("Nothing answers there", "无法连接")


class WrongLogin(Outside):
    code, title = "wrong_login", Words("The login is not right", "登录凭据错误")


class LoginMayNot(Outside):
    code, title = "login_may_not", Words("The login may not do this", "登录凭据没有权限")


class NoSuchBucket(Outside):
    code, title = "no_such_bucket", Words("There is no such bucket", "存储桶不存在")


class NoSuchExport(Outside):
    code, title = "no_such_export", Words("There is no such export", "导出目录不存在")


class BadAnswer(Outside):
    code, title = "bad_answer", Words("It cannot be understood right now", "对方应答异常")


class Unavailable(DanluError):
    code, status, title = (
        "unavailable",
        503,
        Words("Danlu cannot do this right now", "丹炉暂时无法执行此操作"),
    )


class StoreBusy(Unavailable):
    code, title = "store_busy", Words("The database is busy", "数据库繁忙")


class DiskFull(Unavailable):
    code, status, title = "disk_full", 507, Words("The disk is full", "磁盘已满")


class Overdue(Unavailable):
    code, title = "overdue", Words("There was no answer in time", "未能及时应答")
