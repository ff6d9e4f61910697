"""Requests to join a project or for more quota, and their decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.control.rules.quota_checks import amount_mistakes
from danlu.control.rules.registry import Registry
from danlu.domain.errors import Conflict, FieldError, Invalid, NotAllowed, NotFound
from danlu.domain.ids import looks_like_id
from danlu.domain.job import Time
from danlu.domain.members import MemberRole, Membership
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import governs
from danlu.domain.quota import USER
from danlu.domain.requests import Request, RequestKind, RequestState
from danlu.domain.rules import QuotaAmounts
from danlu.domain.terms import member_said, no_such
from danlu.domain.words import Words, say
from danlu.files.mistakes import did_you_mean
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock, Ids
from danlu.ports.governance import RequestPage, RequestQuery, RequestStore

RaiseQuota = Callable[[Caller, str, QuotaAmounts, Time, str], object]
"""More of a quota for a while: who grants it, whose it is, how much by class, for how long, and why."""


class RequestsAndPeople(RequestStore, PeopleStore, Protocol):
    """The parts of the store that are needed here."""


@dataclass(frozen=True, slots=True)
class GrantTerms:
    """Changes to what was asked for: role, amounts, duration."""

    role: MemberRole | None = None
    amounts: QuotaAmounts | None = None
    life: Time | None = None


AS_ASKED = GrantTerms()


class Requests:
    """Use cases of requests. Any thread; if two people decide at once, one succeeds and the other gets Conflict."""

    def __init__(
        self,
        store: RequestsAndPeople,
        registry: Registry,
        raise_quota: RaiseQuota,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store, self._registry, self._raise_quota = store, registry, raise_quota
        self._clock, self._ids = clock, ids

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────

    def ask_to_join(self, caller: Caller, project: str, note: str = "") -> Request:
        """Conflict if there is nothing to ask for: the project is open, or they are already a member."""
        caller.require(Permission.REQUEST_WRITE, caller.name)
        projects = self._registry.projects()
        if project not in projects:
            hint = did_you_mean(project, sorted(projects))
            message = no_such("project", project)
            raise Invalid((FieldError(("subject",), "no_such_project", message, project, hint=hint),))
        role = caller.projects.get(project)
        if role is not None and role.may_queue:
            raise Conflict(
                say(
                    "{name} is already a {role} of project {project}",
                    "{name} 已是项目组 {project} 的{role}",
                    name=caller.name,
                    role=member_said(role),
                    project=project,
                )
            )
        if projects[project].open:
            raise Conflict(
                say(
                    "project {project} is open: everyone may queue in it without joining",
                    "项目组 {project} 对所有人开放，无需加入即可提交任务",
                    project=project,
                )
            )
        return self._add(caller, RequestKind.JOIN, project, note, {})

    def ask_for_quota(self, caller: Caller, amounts: QuotaAmounts, life: Time, note: str = "") -> Request:
        """More than one's own quota, for a while."""
        caller.require(Permission.REQUEST_WRITE, caller.name)
        _must_name_something(amounts)
        asked = {"amounts": {within: dict(counted) for within, counted in amounts.items()}, "life": life}
        return self._add(caller, RequestKind.QUOTA, f"{USER}{caller.name}", note, asked)

    def withdraw(self, caller: Caller, request_id: str) -> Request:
        """Withdraw one's own request."""
        found = self.one(caller, request_id)
        if found.user != caller.name:
            raise NotAllowed(
                say(
                    "request {request_id} belongs to {user}: only they can withdraw it",
                    "申请 {request_id} 属于 {user}，只有本人可以撤回",
                    request_id=request_id,
                    user=found.user,
                )
            )
        caller.require(Permission.REQUEST_WRITE, caller.name)
        return self._store.edit_request(
            request_id, self._decided(caller, RequestState.WITHDRAWN, ""), self._clock.now()
        )

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────

    def one(self, caller: Caller, request_id: str) -> Request:
        """One's own, one that one may decide, or any where one may read requests everywhere."""
        found = self._store.request(request_id) if looks_like_id(request_id) else None
        if found is None or not (caller.may(Permission.REQUEST_READ, found.user) or _decides(caller, found)):
            raise NotFound(
                say(
                    "there is no request '{request_id}'",
                    "没有编号为“{request_id}”的申请",
                    request_id=request_id,
                )
            )
        return found

    def page(self, caller: Caller, query: RequestQuery, *, mine: bool | None = None) -> RequestPage:
        """The latest first: one's own (`mine`), those one may read or decide (not `mine`), or both."""
        caller.require(Permission.REQUEST_READ, caller.name)
        return self._store.requests(_in_sight(caller, query, mine))

    def may_decide(self, caller: Caller, request: Request) -> bool:
        """Whether the caller may decide it."""
        return request.open and _decides(caller, request)

    # ── deciding ─────────────────────────────────────────────────────────────────────────────────────

    def approve(
        self, caller: Caller, request_id: str, answer: str = "", terms: GrantTerms = AS_ASKED
    ) -> Request:
        """Approve it, as asked or with changes; Conflict if somebody else has decided in the meantime."""
        request = self._to_decide(caller, request_id)
        _must_suit(request, terms)
        if request.kind is RequestKind.JOIN:
            return self._let_in(caller, request, answer, terms.role or MemberRole.MEMBER)
        return self._grant_more(caller, request, answer, terms)

    def refuse(self, caller: Caller, request_id: str, answer: str) -> Request:
        request = self._to_decide(caller, request_id)
        return self._decide(caller, request, RequestState.REFUSED, answer)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _add(
        self, caller: Caller, kind: RequestKind, subject: str, note: str, asked: dict[str, object]
    ) -> Request:
        request = Request(self._ids.new(), kind, caller.name, subject, self._clock.now(), note, asked)
        self._store.add_request(request)
        return request

    def _to_decide(self, caller: Caller, request_id: str) -> Request:
        request = self.one(caller, request_id)
        _must_be_open(request)
        if not self.may_decide(caller, request):
            creators, others = (
                Words("the project's creators", "项目组的创建者"),
                Words("people who may set quotas", "配额的管理者"),
            )
            who = creators if request.kind is RequestKind.JOIN else others
            raise NotAllowed(
                say(
                    "only {who} and administrators can decide request {request_id}",
                    "申请 {request_id} 由{who}和管理员审批",
                    request_id=request_id,
                    who=who,
                )
            )
        return request

    def _let_in(self, caller: Caller, request: Request, answer: str, role: MemberRole) -> Request:
        if request.subject not in self._registry.projects():
            raise Conflict(
                say(
                    "project '{subject}' no longer exists; refuse the request",
                    "项目组“{subject}”已不存在，请拒绝该申请",
                    subject=request.subject,
                )
            )
        if self._store.user(request.user) is None:
            raise Conflict(
                say(
                    "user '{user}' no longer exists; refuse the request",
                    "用户“{user}”已不存在，请拒绝该申请",
                    user=request.user,
                )
            )
        joining = Membership(request.subject, request.user, role, self._clock.now(), caller.name)
        return self._decide(caller, request, RequestState.APPROVED, answer, joining)

    def _grant_more(self, caller: Caller, request: Request, answer: str, terms: GrantTerms) -> Request:
        """The decision is written first, so that nothing is raised for a request that somebody else refuses at the
        same time; if the raise fails, the request is reopened."""
        amounts = request.asked["amounts"] if terms.amounts is None else terms.amounts
        life = terms.life or request.asked["life"]
        _must_name_something(amounts)
        decided = self._decide(caller, request, RequestState.APPROVED, answer)
        try:
            self._raise_quota(caller, request.subject, amounts, life, answer or request.note)
        except Exception:
            by = caller.entry("request_reopened", "")
            self._store.edit_request(request.id, lambda _: request, self._clock.now(), by=by)
            raise
        return decided

    def _decide(
        self,
        caller: Caller,
        request: Request,
        state: RequestState,
        answer: str,
        joining: Membership | None = None,
    ) -> Request:
        by = caller.entry(f"request_{state}", "", reason=answer)
        change = self._decided(caller, state, answer)
        return self._store.edit_request(request.id, change, self._clock.now(), by=by, joining=joining)

    def _decided(self, caller: Caller, state: RequestState, answer: str) -> Callable[[Request], Request]:
        now = self._clock.now()

        def decided(request: Request) -> Request:
            _must_be_open(request)
            return replace(request, state=state, decided_by=caller.name, decided_at=now, answer=answer)

        return decided


def _decides(caller: Caller, request: Request) -> bool:
    """Whether requests like this one are theirs to decide."""
    if request.kind is RequestKind.JOIN:
        return governs(caller, request.subject)
    return caller.may_everywhere(Permission.QUOTA_WRITE)


def _in_sight(caller: Caller, query: RequestQuery, mine: bool | None) -> RequestQuery:
    """The query, for what the caller may know of."""
    if mine:
        return replace(query, users=(caller.name,))
    if caller.may_everywhere(Permission.REQUEST_READ):
        return query
    governed = tuple(name for name in caller.projects if governs(caller, name))
    joins = (RequestKind.JOIN,) if caller.may_everywhere(Permission.MEMBER_WRITE) else ()
    quotas = (RequestKind.QUOTA,) if caller.may_everywhere(Permission.QUOTA_WRITE) else ()
    own = None if mine is False else (caller.name,)
    return replace(query, users=own, subjects=governed, entire=(*joins, *quotas))


_DECIDED = {
    RequestState.APPROVED: Words("request {id} was already approved by {by}", "申请 {id} 已由 {by} 批准"),
    RequestState.REFUSED: Words("request {id} was already refused by {by}", "申请 {id} 已由 {by} 拒绝"),
    RequestState.WITHDRAWN: Words("request {id} was already withdrawn", "申请 {id} 已撤回"),
}


def _must_be_open(request: Request) -> None:
    if not request.open:
        raise Conflict(_DECIDED[request.state].fill(id=request.id, by=request.decided_by))


def _must_name_something(amounts: QuotaAmounts) -> None:
    wrong = tuple(amount_mistakes(amounts))
    if not wrong and not any(amounts.values()):
        message = Words(
            "the request is empty: name a job class and an amount", "没有填写申请内容：请填写类别和数量"
        )
        wrong = (
            FieldError(
                ("amounts",),
                "missing",
                message,
                hint=Words('for example {"all": {"gpus": 8}}', '例如 {"all": {"gpus": 8}}'),
            ),
        )
    if wrong:
        raise Invalid(wrong)


def _must_suit(request: Request, terms: GrantTerms) -> None:
    """Refuse terms that belong to the other kind of request, instead of ignoring them."""

    def strange() -> Iterator[FieldError]:
        joins = request.kind is RequestKind.JOIN
        for name, said in (("role", not joins), ("amounts", joins), ("life", joins)):
            if said and getattr(terms, name) is not None:
                message = say(
                    "a request of kind {kind} does not take {name}",
                    "{kind} 类申请中不能填写 {name}",
                    name=name,
                    kind=request.kind,
                )
                yield FieldError((name,), "contradiction", message)

    if wrong := tuple(strange()):
        raise Invalid(wrong)
