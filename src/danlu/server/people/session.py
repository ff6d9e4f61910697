"""Signing in and out, and the caller's own password."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import anyio.to_thread
from fastapi import Depends, Request
from starlette.responses import Response

from danlu.control.people.sign_in import Browser
from danlu.domain.errors import DanluError, WrongCredentials
from danlu.domain.people import Session
from danlu.domain.permissions import Permission
from danlu.server.desk import Desk
from danlu.server.http.access import API, COMMON, IN_PERSON, ONESELF, OPEN, SIGNED_IN, AccessRule
from danlu.server.http.answering import answer
from danlu.server.http.identity import COOKIE
from danlu.server.http.reading import Body
from danlu.server.people import models, render
from danlu.server.route import AtDesk, KnownCaller, Routes, Who

routes = Routes("session")
T = TypeVar("T")


@routes.add("POST", f"{API}/session", AccessRule(OPEN, COMMON), models.Session, refusals=(401, 413, 422, 429))
async def sign_in(
    request: Request, desk: AtDesk, body: Annotated[models.SignIn, Depends(Body(models.SignIn))]
) -> Response:
    """Sign in with a user name and password; sets the session cookie."""
    browser = browser_of(request)
    prove = functools.partial(desk.services.people.sign_in.sign_in, body.username, body.password, browser)
    return await _signed_in(desk, request, (body.username, browser.address), prove)


@routes.add(
    "POST", f"{API}/session/link", AccessRule(OPEN, COMMON), models.Session, refusals=(401, 413, 422, 429)
)
async def sign_in_by_link(
    request: Request, desk: AtDesk, body: Annotated[models.LinkSignIn, Depends(Body(models.LinkSignIn))]
) -> Response:
    """Sign in with the code of a one-time link; sets the session cookie."""
    browser = browser_of(request)
    prove = functools.partial(desk.services.people.sign_in.sign_in_by_link, body.code, browser)
    return await _signed_in(desk, request, ("", browser.address), prove)  # a link names nobody


@routes.add("GET", f"{API}/session", AccessRule(SIGNED_IN, ONESELF), models.Session)
async def get_session(known: KnownCaller) -> Response:
    """Get the signed-in person."""
    return answer(render.session(known.caller.user, known.session))


@routes.add("DELETE", f"{API}/session", AccessRule(SIGNED_IN, ONESELF), status=204)
def sign_out(desk: AtDesk, known: KnownCaller) -> Response:
    """End the browser's session; a token is not affected."""
    answer = Response(status_code=204)
    if known.session is not None:
        desk.services.people.sign_in.sign_out(known.session)
        desk.identity.forget(known.caller.name)
        forget_cookie(answer)
    return answer


@routes.add(
    "PUT", f"{API}/me/password", AccessRule(IN_PERSON, ONESELF), status=204, refusals=(409, 413, 422, 429)
)
async def set_password(
    request: Request,
    desk: AtDesk,
    known: KnownCaller,
    body: Annotated[models.PasswordChange, Depends(Body(models.PasswordChange))],
) -> Response:
    """Change one's own password and sign out elsewhere; `current` is not needed if there is none yet."""
    caller, keep = known.caller, known.session.secret_hash if known.session else None
    change = functools.partial(
        desk.services.people.sign_in.set_password, caller, body.new, body.current, keep
    )
    await _proven(desk, (caller.name, _address(request)), change)
    desk.identity.forget(caller.name)
    return Response(status_code=204)


@routes.add("GET", f"{API}/permissions", AccessRule(SIGNED_IN, ONESELF), models.PermissionList)
async def list_permissions(who: Who) -> Response:
    """List what the caller may do with their own things, and with everybody's."""
    own = [one.value for one in Permission if who.may(one)]
    everywhere = [one.value for one in Permission if who.may_everywhere(one)]
    return answer({"items": own, "everywhere": everywhere})


def forget_cookie(answer: Response) -> None:
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


async def slowly(desk: Desk, act: Callable[..., T], *args: Any, **named: Any) -> T:
    """Passwords are hashed slowly on purpose: in threads of their own, so that other requests do not wait."""
    work = functools.partial(act, *args, **named)
    return await anyio.to_thread.run_sync(work, limiter=desk.password_turns)


async def _proven(desk: Desk, who: tuple[str, str], prove: Callable[[], T]) -> T:
    """Run something that needs a secret; after too many failures the caller has to wait."""

    def proven() -> T:
        desk.attempts.check(*who)
        try:
            return prove()
        except DanluError as error:
            if isinstance(error, WrongCredentials) or _wrong_password(error):
                desk.attempts.failed(*who)
            raise

    desk.attempts.check(*who)
    return await slowly(desk, proven)


def _wrong_password(error: DanluError) -> bool:
    return any(one.code == "wrong_password" for one in error.errors)


async def _signed_in(
    desk: Desk, request: Request, who: tuple[str, str], prove: Callable[[], tuple[str, Session]]
) -> Response:
    secret, session = await _proven(desk, who, prove)
    user = await anyio.to_thread.run_sync(desk.services.ports.store.user, session.user)
    assert user is not None
    response = answer(render.session(user, session))
    set_session(desk, request, response, secret, session)
    return response


def set_session(desk: Desk, request: Request, response: Response, secret: str, session: Session) -> None:
    response.set_cookie(
        COOKIE,
        secret,
        max_age=(session.expires_at - session.created_at) // 1000,
        path="/",
        secure=is_secure(desk, request),
        httponly=True,
        samesite="strict",
    )


def is_secure(desk: Desk, request: Request) -> bool:
    public = desk.services.process.settings.public_url or ""
    return public.startswith("https:") or request.url.scheme == "https"


def browser_of(request: Request) -> Browser:
    return Browser(request.headers.get("user-agent", ""), _address(request))


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"
