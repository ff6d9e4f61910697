"""SSH keys: one's own, and everybody's for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server.http.access import API, KEY, ONESELF, USER, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Body
from danlu.server.people import models
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("keys")


@routes.add("GET", f"{API}/me/keys", AccessRule(P.KEY_READ, ONESELF), models.SshKeyList)
def list_own_keys(desk: AtDesk, who: Who) -> Response:
    """List one's own SSH keys, oldest first."""
    found = desk.services.people.ssh_keys.keys(who, who.name)
    return answer({"items": [models.SshKey.render(one) for one in found]})


@routes.add(
    "POST",
    f"{API}/me/keys",
    AccessRule(P.KEY_WRITE, ONESELF),
    models.SshKey,
    status=201,
    refusals=(409, 413, 422),
)
def add_key(desk: AtDesk, who: Who, body: Annotated[models.KeyAdd, Depends(Body(models.KeyAdd))]) -> Response:
    """Add a public key that opens one's own workspaces."""
    return answer(models.SshKey.render(desk.services.people.ssh_keys.add(who, body.name, body.key)), 201)


@routes.add("DELETE", f"{API}/me/keys/{{id}}", AccessRule(P.KEY_WRITE, KEY), status=204)
def remove_key(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Remove a key: it no longer opens any workspace."""
    desk.services.people.ssh_keys.remove(who, id)
    return Response(status_code=204)


@routes.add("GET", f"{API}/users/{{name}}/keys", AccessRule(P.KEY_READ, USER), models.SshKeyList)
def list_keys(desk: AtDesk, who: Who, name: str) -> Response:
    """List a person's SSH keys, oldest first."""
    found = desk.services.people.ssh_keys.keys(who, name)
    return answer({"items": [models.SshKey.render(one) for one in found]})
