"""The caller's own tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server.http.access import API, ONESELF, TOKEN, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.people.models import Token, TokenCreate, TokenCreated, TokenList
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("tokens")


@routes.add("GET", f"{API}/tokens", AccessRule(P.TOKEN_READ, ONESELF), TokenList, refusals=(422,))
def list_tokens(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """List one's own tokens, without their secrets."""
    tokens, more = page_of(desk.services.people.sign_in.tokens(who), lambda token: token.id, query)
    return answer({"items": [Token.render(one) for one in tokens], "next_cursor": more})


@routes.add(
    "POST",
    f"{API}/tokens",
    AccessRule(P.TOKEN_WRITE, ONESELF),
    TokenCreated,
    status=201,
    refusals=(409, 413, 422),
)
def create_token(
    desk: AtDesk, who: Who, body: Annotated[TokenCreate, Depends(Body(TokenCreate))]
) -> Response:
    """Create a token; its secret is shown only once."""
    secret, token = desk.services.people.sign_in.make_token(
        who, body.name, tuple(body.scopes or ()), body.expires_in
    )
    return answer(TokenCreated.render(token, secret=secret), 201)


@routes.add("DELETE", f"{API}/tokens/{{id}}", AccessRule(P.TOKEN_WRITE, TOKEN), status=204)
def revoke_token(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Revoke a token: it stops working at once."""
    desk.services.people.sign_in.revoke_token(who, id)
    desk.identity.forget(who.name)
    return Response(status_code=204)
