"""How a route is declared next to its function: its address, its answer and its refusals."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, FastAPI, Header
from pydantic import BaseModel
from starlette import routing
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from danlu.domain.errors import NotAllowed, Overdue
from danlu.domain.permissions import Caller, Permission
from danlu.domain.words import Words, same, say
from danlu.server.desk import Desk
from danlu.server.http.access import OPEN, TASK, AccessRule
from danlu.server.http.identity import SignedInCaller
from danlu.server.http.late_route import WEBSOCKET, LateRoute
from danlu.server.http.models import Problem
from danlu.server.http.problems import KNOWN, MEDIA_TYPE
from danlu.server.http.reading import bound_body
from danlu.server.http.turns import TURN, as_stream
from danlu.server.http.visits import LATE

Endpoint = Callable[..., Any]
_GUARD = "danlu.guard"


@dataclass(frozen=True, slots=True)
class Route:
    """One route. `answer` None means an empty body; `refusals` are statuses in addition to the usual ones;
    `for_tasks`: a task may call it too, about its own job. Everywhere else a task's token is refused."""

    method: str
    path: str
    rule: AccessRule
    endpoint: Endpoint
    subject: str
    answer: type[BaseModel] | None
    status: int
    refusals: tuple[int, ...]
    answers: dict[int, dict[str, Any]]
    for_tasks: bool

    def __post_init__(self) -> None:
        if not isinstance(self.rule, AccessRule):
            raise TypeError(f"{self.method} {self.path} has no rule")

    @property
    def summary(self) -> str:
        return (self.endpoint.__doc__ or "").strip().partition("\n")[0]


class Routes:
    """The routes of one subject, in the order they are declared."""

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.all: list[Route] = []

    def add(
        self,
        method: str,
        path: str,
        rule: AccessRule,
        answer: type[BaseModel] | None = None,
        *,
        status: int = 200,
        refusals: tuple[int, ...] = (),
        answers: dict[int, dict[str, Any]] | None = None,
        for_tasks: bool = False,
    ) -> Callable[[Endpoint], Endpoint]:
        """Declare the function below; `answers` documents answers that are not plain JSON of `answer`."""

        def declared(endpoint: Endpoint) -> Endpoint:
            route = Route(
                method, path, rule, endpoint, self.subject, answer, status, refusals, answers or {}, for_tasks
            )
            self.all.append(route)
            return endpoint

        return declared


class Guard:
    """The first dependency: checks the caller against the route's rule."""

    def __init__(self, rule: AccessRule, *, for_tasks: bool = False) -> None:
        self.rule, self.for_tasks = rule, for_tasks

    async def __call__(self, connection: HTTPConnection) -> None:
        identity, is_open = desk_of(connection).identity, self.rule.permission is OPEN
        bound_body(connection, is_open=is_open)
        if is_open:
            identity.check_origin(connection)
            return
        known = await identity.of(connection)
        if known.caller.job is not None and not self.for_tasks:
            raise NotAllowed(
                Words(
                    "a task's token can only read its own job, its code and the datasets and buckets that it mounts, "
                    "and report metrics and checkpoints of itself",
                    "子任务的令牌只能用于读取自己的任务、代码和所挂载的数据集与存储桶，以及上报自身情况",
                )
            )
        if self.rule.permission is TASK and known.caller.job is None:
            raise NotAllowed(
                Words(
                    "only a running task can report, or read what it mounts here, with its own token",
                    "只有运行中的子任务才能用其专用令牌上报自身情况，或在此读取所挂载的数据",
                )
            )
        connection.scope[KNOWN], connection.scope[_GUARD] = known, self
        if isinstance(self.rule.permission, Permission):
            require(known.caller, self.rule.permission)
        if TURN not in connection.scope:
            await _take_turn(connection, known.caller)


async def _take_turn(connection: HTTPConnection, who: Caller) -> None:
    """Given back when the answer is complete: see `Door`."""
    connection.scope[TURN] = await desk_of(connection).turns.take(who)
    if connection.scope.get(LATE):
        raise Overdue()
    if connection.scope["type"] == "websocket":
        as_stream(connection.scope)


def install(app: FastAPI, routes: Routes, *, documented: bool = True) -> None:
    """Undocumented, each is built with its first request."""
    for route in routes.all:
        if documented:
            _add(app.router, route, route.answer)
        else:
            app.router.routes.append(
                LateRoute(route.method, route.path, functools.partial(_undocumented, route))
            )


def _undocumented(route: Route) -> routing.Route | routing.WebSocketRoute:
    alone = APIRouter()
    _add(alone, route, None)
    return cast(routing.Route | routing.WebSocketRoute, alone.routes[0])


def _add(router: APIRouter, route: Route, answer: type[BaseModel] | None) -> None:
    guard = [Depends(Guard(route.rule, for_tasks=route.for_tasks))]
    if route.method == WEBSOCKET:
        router.add_api_websocket_route(route.path, route.endpoint, dependencies=guard)
        return
    router.add_api_route(
        route.path,
        route.endpoint,
        methods=[route.method],
        response_model=answer,
        status_code=route.status,
        operation_id=route.endpoint.__name__,
        summary=route.summary,
        tags=[route.subject],
        dependencies=guard,
        responses={**_refusals(route), **route.answers},  # type: ignore[dict-item]
    )


async def checked_again(
    connection: HTTPConnection, permission: Permission | None = None, owner: str | None = None
) -> SignedInCaller:
    """The caller again, later, with their current permissions: checks what the guard checked, and `permission` on a
    thing of `owner`.

    Streams and sockets may outlive a person's permissions."""
    await cast(Guard, connection.scope[_GUARD])(connection)
    known = cast(SignedInCaller, connection.scope[KNOWN])
    if permission is not None:
        require(known.caller, permission, owner)
    return known


def require(caller: Caller, permission: Permission, owner: str | None = None) -> None:
    if not caller.may(permission, owner):
        of_owner = say(
            "{permission} on jobs of {owner}",
            "{permission}（针对 {owner} 的任务）",
            permission=permission.value,
            owner=owner,
        )
        what = same(permission.value) if owner is None else of_owner
        raise NotAllowed(
            say(
                "{name} does not have the permission {what}",
                "{name} 没有权限 {what}",
                what=what,
                name=caller.name,
            )
        )


def desk_of(connection: HTTPConnection) -> Desk:
    return cast(Desk, connection.app.state.desk)


async def _desk(connection: HTTPConnection) -> Desk:
    return desk_of(connection)


async def _known(connection: HTTPConnection) -> SignedInCaller:
    return cast(SignedInCaller, connection.scope[KNOWN])


async def _caller(connection: HTTPConnection) -> Caller:
    return cast(SignedInCaller, connection.scope[KNOWN]).caller


AtDesk = Annotated[Desk, Depends(_desk)]
Who = Annotated[Caller, Depends(_caller)]
KnownCaller = Annotated[SignedInCaller, Depends(_known)]
LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", description="Continue a stream after this event.")
]

in_thread = run_in_threadpool


def _refusals(route: Route) -> dict[int, dict[str, Any]]:
    """The statuses any route of this kind may refuse with, and those it names itself."""
    statuses = {403, 429, 500, 503, *route.refusals}
    if route.rule.permission is not OPEN:
        statuses.add(401)
    if 413 in statuses:
        statuses.add(408)
    if "{" in route.path:
        statuses.add(404)
    schema = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": schema} for status in sorted(statuses)
    }
