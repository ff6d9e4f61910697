"""The caller's own tokens, and everybody's for those who manage accounts."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.server.http.access import API, COMMON, ONESELF, TOKEN, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.reading import Body, Query
from danlu.server.people.models import (
    AnybodysToken,
    AnybodysTokenList,
    AnybodysTokenQuery,
    Token,
    TokenCreate,
    TokenCreated,
    TokenList,
)
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
    """Revoke a token and those that were made with it: they stop working at once."""
    desk.services.people.sign_in.revoke_token(who, id)
    desk.identity.forget(who.name)
    return Response(status_code=204)


@routes.add("GET", f"{API}/all-tokens", AccessRule(P.USER_WRITE, COMMON), AnybodysTokenList, refusals=(422,))
def list_all_tokens(
    desk: AtDesk, who: Who, query: Annotated[AnybodysTokenQuery, Depends(Query(AnybodysTokenQuery))]
) -> Response:
    """List everybody's tokens, or one person's, without their secrets."""
    found = desk.services.people.token_oversight.tokens(who, query.user)
    tokens, more = page_of(found, lambda token: token.id, query)
    return answer({"items": [AnybodysToken.render(one) for one in tokens], "next_cursor": more})


@routes.add("DELETE", f"{API}/all-tokens/{{id}}", AccessRule(P.USER_WRITE, COMMON), status=204)
def revoke_any_token(desk: AtDesk, who: Who, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Revoke anybody's token and those that were made with it: they stop working at once."""
    desk.identity.forget(desk.services.people.token_oversight.revoke(who, id))
    return Response(status_code=204)
