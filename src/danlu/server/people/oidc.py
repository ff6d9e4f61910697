"""Signing in through the organisation's identity provider."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import anyio
import anyio.to_thread
from fastapi import Depends, Request
from starlette.responses import RedirectResponse, Response

from danlu.control.people.provider_sign_in import ProviderTerms, described
from danlu.domain.errors import DanluError, NotFound, WrongCredentials
from danlu.domain.words import Words, say
from danlu.files.oidc import OidcProvider
from danlu.server.desk import Desk
from danlu.server.http.access import API, COMMON, OPEN, AccessRule
from danlu.server.http.answering import answer, words
from danlu.server.http.cookies import cookie_name
from danlu.server.http.journey import Journey
from danlu.server.http.reading import Query
from danlu.server.http.sign_in_limits import SignInTry
from danlu.server.people import models
from danlu.server.people.session import browser_of, set_session
from danlu.server.route import AtDesk, Routes

if TYPE_CHECKING:
    from danlu.server.http.provider import Provider

routes = Routes("session")

JOURNEY, REFUSED = "danlu_journey", "danlu_refused"
_WAY = f"{API}/session/oidc"
_MINUTES = 600
_TOLD_WITHIN_S = 60
_AWAY = {
    302: {"description": "To the provider, or back to the console; if sign-in failed, a cookie says why."}
}


@routes.add("GET", f"{API}/session/providers", AccessRule(OPEN, COMMON), models.ProviderList)
async def list_providers(desk: AtDesk) -> Response:
    """List the identity providers for sign-in."""
    known = desk.services.process.settings.oidc
    return answer({"items": [{"name": one.name, "title": one.shown} for one in known]})


@routes.add(
    "GET", f"{_WAY}/{{provider}}", AccessRule(OPEN, COMMON), status=302, refusals=(422,), answers=_AWAY
)
async def begin_at_provider(
    request: Request,
    desk: AtDesk,
    provider: str,
    query: Annotated[models.DepartureQuery, Depends(Query(models.DepartureQuery))],
) -> Response:
    """Redirect to an identity provider to sign in; `next` is the page of the console to open afterwards."""
    journey = Journey.begin(provider, _own_path(query.next))
    try:
        address = await _provider(desk, provider).address(journey, _redirect(desk, request, provider))
    except NotFound:
        raise
    except DanluError as error:
        return _refused(desk, error)
    answer = RedirectResponse(address, 302)
    secure = desk.secure(request)
    packed = journey.packed(desk.services.process.journey_key)
    answer.set_cookie(
        cookie_name(JOURNEY, secure),
        packed,
        max_age=_MINUTES,
        path="/" if secure else _WAY,
        secure=secure,
        httponly=True,
        samesite="lax",  # it must come along when the provider sends the browser back
    )
    return answer


@routes.add(
    "GET",
    f"{_WAY}/{{provider}}/callback",
    AccessRule(OPEN, COMMON),
    status=302,
    refusals=(422, 429),
    answers=_AWAY,
)
async def return_from_provider(
    request: Request,
    desk: AtDesk,
    provider: str,
    query: Annotated[models.ReturnQuery, Depends(Query(models.ReturnQuery))],
) -> Response:
    """Complete the sign-in after the provider redirected back; sets the session cookie."""
    at, browser = _provider(desk, provider), browser_of(request)
    attempt, secure = SignInTry("", browser.address), desk.secure(request)
    await anyio.sleep(desk.attempts.hold(attempt))
    try:
        packed = request.cookies.get(cookie_name(JOURNEY, secure), "")
        journey = Journey.unpacked(packed, desk.services.process.journey_key)
        if query.error is not None:
            raise WrongCredentials(
                say(
                    "{shown} refused the sign-in: {error_description}",
                    "{shown} 拒绝登录：{error_description}",
                    shown=at.settings.shown,
                    error_description=query.error_description or query.error,
                )
            )
        if journey.provider != provider or journey.state != query.state or not query.code:
            raise WrongCredentials(
                Words(
                    "this sign-in was started in another window; start again",
                    "登录是在另一个窗口中开始的，请重新开始",
                )
            )
        claims = await at.claims(query.code, journey, _redirect(desk, request, provider))
        one = at.settings
        stranger = described(one.issuer, claims, one.username_claim, one.groups_claim)
        secret, session = await anyio.to_thread.run_sync(
            desk.services.people.provider_sign_in.sign_in, _terms(one), stranger, browser
        )
    except DanluError as error:
        if isinstance(error, WrongCredentials):
            desk.attempts.failed(attempt)
        return _refused(desk, error)
    answer = RedirectResponse(_root(desk) + journey.next, 302)
    set_session(desk, request, answer, secret, session)
    answer.delete_cookie(
        cookie_name(JOURNEY, secure),
        path="/" if secure else _WAY,
        secure=secure,
        httponly=True,
        samesite="lax",
    )
    return answer


def _provider(desk: Desk, name: str) -> Provider:
    found = desk.providers.get(name)
    if found is None:
        raise NotFound(say("there is no provider '{name}'", "没有名为“{name}”的统一认证", name=name))
    return found


def _terms(one: OidcProvider) -> ProviderTerms:
    return ProviderTerms(
        one.name, one.shown, frozenset(one.required_groups), one.roles, one.groups, one.role, one.create
    )


def _redirect(desk: Desk, request: Request, provider: str) -> str:
    """The redirect URI, which must be registered at the provider."""
    base = desk.services.process.settings.public_url or str(request.base_url)
    return f"{base.rstrip('/')}{_WAY}/{quote(provider)}/callback"


def _root(desk: Desk) -> str:
    """The console's root; the public URL may have a path."""
    return (desk.services.process.settings.public_url or "").rstrip("/")


def _refused(desk: Desk, error: DanluError) -> Response:
    """Redirect to the sign-in page, which shows the reason. The reason is in a cookie, so that no link can fake one."""
    answer = RedirectResponse(f"{_root(desk)}/sign-in", 302)
    answer.set_cookie(
        REFUSED, quote(json.dumps(words(error.text))), max_age=_TOLD_WITHIN_S, path="/", samesite="lax"
    )
    return answer


def _own_path(path: str) -> str:
    """Accept only paths of this console: a URL with a host could lead anywhere."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
