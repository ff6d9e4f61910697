"""People, for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server import render
from danlu.server.paging import page_of
from danlu.server.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.routes.session import slowly
from danlu.server.rules import API
from danlu.wire.requests import ListQuery, UserCreate, UserEdit
from danlu.wire.responses import User, UserList

routes = Routes("users")


@routes.add("GET", f"{API}/users", UserList, refusals=(422,))
def list_users(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """Everybody, by name."""
    users, more = page_of(desk.services.people.users(who), lambda user: user.name, query)
    return render.answer({"items": [render.user(one) for one in users], "next_cursor": more})


@routes.add("POST", f"{API}/users", User, status=201, refusals=(409, 413, 422))
async def create_user(
    desk: AtDesk, who: Who, body: Annotated[UserCreate, Depends(Body(UserCreate))]
) -> Response:
    """Make an account."""
    people = desk.services.people
    user = await slowly(
        desk,
        people.add_user,
        who,
        body.name,
        body.role,
        body.display_name,
        body.password,
        tuple(body.groups),
    )
    return render.answer(render.user(user), 201)


@routes.add("PATCH", f"{API}/users/{{name}}", User, refusals=(409, 413, 422))
async def edit_user(
    desk: AtDesk, who: Who, name: str, body: Annotated[UserEdit, Depends(Body(UserEdit))]
) -> Response:
    """Change an account; whoever is disabled or given a new password is signed out everywhere."""
    user = await slowly(
        desk,
        desk.services.people.edit_user,
        who,
        name,
        role=body.role,
        display_name=body.display_name,
        disabled=body.disabled,
        password=body.password,
        groups=None if body.groups is None else tuple(body.groups),
    )
    desk.identity.forget()
    return render.answer(render.user(user))


@routes.add("DELETE", f"{API}/users/{{name}}", status=204, refusals=(409,))
def delete_user(desk: AtDesk, who: Who, name: str) -> Response:
    """Delete an account; the name is never given to somebody else."""
    desk.services.people.delete_user(who, name)
    desk.identity.forget()
    return Response(status_code=204)
