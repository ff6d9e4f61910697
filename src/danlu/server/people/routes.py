"""People, for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from danlu.control.people.accounts import UserQuery, UserState
from danlu.control.people.bulk_accounts import BulkAct
from danlu.server.desk import Desk
from danlu.server.http.access import API, COMMON, USER, AccessRule, P
from danlu.server.http.addresses import own_address, sign_in_address
from danlu.server.http.answering import answer
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.people import models, render
from danlu.server.people.models import User, UserCreate, UserEdit, UserList
from danlu.server.people.session import slowly
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("users")


@routes.add("GET", f"{API}/users", AccessRule(P.USER_READ, COMMON), UserList, refusals=(422,))
def list_users(
    desk: AtDesk, who: Who, query: Annotated[models.UserListQuery, Depends(Query(models.UserListQuery))]
) -> Response:
    """List the people who match, by name."""
    state = None if query.state is None else UserState(query.state)
    found = desk.services.people.accounts.users(who, UserQuery(query.search, query.role, query.group, state))
    users, more = page_of(found, lambda user: user.name, query)
    items = [User.render(one) for one in users]
    return answer({"items": items, "next_cursor": more, "total": len(found)})


@routes.add(
    "POST", f"{API}/users", AccessRule(P.USER_WRITE, COMMON), User, status=201, refusals=(409, 413, 422)
)
async def create_user(
    desk: AtDesk, who: Who, body: Annotated[UserCreate, Depends(Body(UserCreate))]
) -> Response:
    """Create an account."""
    user = await slowly(
        desk,
        desk.services.people.accounts.add_user,
        who,
        body.name,
        body.role,
        body.display_name,
        body.password,
        tuple(body.groups),
        body.email,
    )
    return answer(User.render(user), 201)


@routes.add(
    "POST",
    f"{API}/users/invite",
    AccessRule(P.USER_WRITE, COMMON),
    models.Invited,
    status=201,
    refusals=(409, 413, 422),
)
def invite_user(
    request: Request, desk: AtDesk, who: Who, body: Annotated[models.Invite, Depends(Body(models.Invite))]
) -> Response:
    """Create an account and a one-time sign-in link, with which the person chooses a password."""
    made = desk.services.people.accounts.invite(
        who, body.name, body.role, body.display_name, tuple(body.groups), body.email, body.life
    )
    return answer(render.invited(made, _link(desk, request, made.code)), 201)


@routes.add(
    "POST", f"{API}/users/bulk", AccessRule(P.USER_WRITE, COMMON), models.BulkOutcomes, refusals=(413, 422)
)
def edit_users(
    desk: AtDesk, who: Who, body: Annotated[models.UserBulk, Depends(Body(models.UserBulk))]
) -> Response:
    """Change many accounts at once; the answer says for each whether it succeeded."""
    act = BulkAct(body.act, body.role, body.group, body.jobs)
    outcomes = desk.services.people.bulk_accounts.edit(who, body.names, act)
    desk.identity.forget()
    return answer({"items": [models.BulkOutcome.render(one) for one in outcomes]})


@routes.add("GET", f"{API}/users/{{name}}", AccessRule(P.USER_READ, USER), models.UserDetail)
def get_user(desk: AtDesk, who: Who, name: str) -> Response:
    """Get a person: groups, projects, and how many jobs, keys and tokens they have."""
    return answer(models.UserDetail.render(desk.services.people.accounts.one(who, name)))


@routes.add("PATCH", f"{API}/users/{{name}}", AccessRule(P.USER_WRITE, USER), User, refusals=(409, 413, 422))
async def edit_user(
    desk: AtDesk, who: Who, name: str, body: Annotated[UserEdit, Depends(Body(UserEdit))]
) -> Response:
    """Change an account; disabling it or setting a password signs the person out everywhere."""
    user = await slowly(
        desk,
        desk.services.people.accounts.edit_user,
        who,
        name,
        role=body.role,
        display_name=body.display_name,
        email=body.email,
        subject=body.subject,
        disabled=body.disabled,
        password=body.password,
        groups=None if body.groups is None else tuple(body.groups),
        jobs=body.jobs,
    )
    desk.identity.forget(name)
    return answer(User.render(user))


@routes.add(
    "POST",
    f"{API}/users/{{name}}/link",
    AccessRule(P.USER_WRITE, USER),
    models.SignInAddress,
    refusals=(409,),
)
def reset_user(request: Request, desk: AtDesk, who: Who, name: str) -> Response:
    """Remove a person's password and sessions, and create a one-time sign-in link to choose a new password."""
    made = desk.services.people.accounts.reset(who, name)
    desk.identity.forget(name)
    return answer(models.SignInAddress.render(made, url=_link(desk, request, made.code)))


@routes.add("DELETE", f"{API}/users/{{name}}", AccessRule(P.USER_WRITE, USER), status=204, refusals=(409,))
def delete_user(desk: AtDesk, who: Who, name: str) -> Response:
    """Delete an account; its name is never used again."""
    desk.services.people.accounts.delete_user(who, name)
    desk.identity.forget(name)
    return Response(status_code=204)


def _link(desk: Desk, request: Request, code: str) -> str:
    return sign_in_address(own_address(request, desk.services.process.settings.public_url), code)
