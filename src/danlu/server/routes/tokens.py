"""One's own tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server import render
from danlu.server.paging import page_of
from danlu.server.reading import Body, Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire.requests import ListQuery, TokenCreate
from danlu.wire.responses import TokenCreated, TokenList

routes = Routes("tokens")


@routes.add("GET", f"{API}/tokens", TokenList, refusals=(422,))
def list_tokens(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """One's own tokens, without their secrets."""
    tokens, more = page_of(desk.services.people.tokens(who), lambda token: token.id, query)
    return render.answer({"items": [render.token(one) for one in tokens], "next_cursor": more})


@routes.add("POST", f"{API}/tokens", TokenCreated, status=201, refusals=(409, 413, 422))
def create_token(
    desk: AtDesk, who: Who, body: Annotated[TokenCreate, Depends(Body(TokenCreate))]
) -> Response:
    """Make a token; its secret is shown this once."""
    secret, token = desk.services.people.make_token(who, body.name, tuple(body.scopes or ()), body.expires_in)
    return render.answer({**render.token(token), "secret": secret}, 201)


@routes.add("DELETE", f"{API}/tokens/{{id}}", status=204)
def revoke_token(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Revoke a token: it is refused from now on."""
    desk.services.people.revoke_token(who, id)
    desk.identity.forget(who.name)
    return Response(status_code=204)
