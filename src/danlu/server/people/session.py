"""Signing in and out, and the caller's own password."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import anyio
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
from danlu.server.http.cookies import SESSION_COOKIE, drop_cookie, set_cookie
from danlu.server.http.reading import Body
from danlu.server.http.sign_in_limits import SignInTry, place_of
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
    secret, session = await _proven(desk, request, body.username, prove)
    return await _signed_in(desk, request, secret, session)


@routes.add(
    "POST", f"{API}/session/link", AccessRule(OPEN, COMMON), models.Session, refusals=(401, 413, 422, 429)
)
async def sign_in_by_link(
    request: Request, desk: AtDesk, body: Annotated[models.LinkSignIn, Depends(Body(models.LinkSignIn))]
) -> Response:
    """Sign in with the code of a one-time link; sets the session cookie."""
    browser = browser_of(request)
    attempt = SignInTry("", browser.address)  # a link names nobody
    await anyio.sleep(desk.attempts.hold(attempt))
    try:
        secret, session = await anyio.to_thread.run_sync(
            desk.services.people.sign_in.sign_in_by_link, body.code, browser
        )
    except WrongCredentials:
        desk.attempts.failed(attempt)
        raise
    return await _signed_in(desk, request, secret, session)


@routes.add("GET", f"{API}/session", AccessRule(SIGNED_IN, ONESELF), models.Session)
async def get_session(known: KnownCaller) -> Response:
    """Get the signed-in person."""
    return answer(render.session(known.caller.user, known.session))


@routes.add("DELETE", f"{API}/session", AccessRule(SIGNED_IN, ONESELF), status=204)
def sign_out(request: Request, desk: AtDesk, known: KnownCaller) -> Response:
    """End the browser's session; a token is not affected."""
    answer = Response(status_code=204)
    if known.session is not None:
        desk.services.people.sign_in.sign_out(known.session)
        desk.identity.forget(known.caller.name)
        drop_cookie(answer, SESSION_COOKIE, desk.secure(request))
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
    """Change one's own password; `current` is not needed if there is none yet. Other browsers are signed out."""
    caller, keep = known.caller, known.session.secret_hash if known.session else None
    change = functools.partial(
        desk.services.people.sign_in.set_password,
        caller,
        body.new,
        body.current,
        keep,
        end_sessions=body.end_sessions,
        end_tokens=body.end_tokens,
    )
    await _proven(desk, request, caller.name, change, signed_in=True)
    desk.identity.forget(caller.name)
    return Response(status_code=204)


@routes.add("GET", f"{API}/permissions", AccessRule(SIGNED_IN, ONESELF), models.PermissionList)
async def list_permissions(who: Who) -> Response:
    """List what the caller may do with their own things, and with everybody's."""
    own = [one.value for one in Permission if who.may(one)]
    everywhere = [one.value for one in Permission if who.may_everywhere(one)]
    return answer({"items": own, "everywhere": everywhere})


async def slowly(desk: Desk, act: Callable[..., T], *args: Any, **named: Any) -> T:
    """Passwords are hashed slowly on purpose: in threads of their own, so that other requests do not wait."""
    return await desk.passwords.known(functools.partial(act, *args, **named))


async def _proven(
    desk: Desk, request: Request, name: str, prove: Callable[[], T], signed_in: bool = False
) -> T:
    """Run something that needs a password; after too many failures the caller has to wait."""
    device = desk.devices.known(request, name, desk.secure(request))
    attempt = SignInTry(name, _address(request), device)

    def proven() -> T:
        desk.attempts.check(attempt)  # again: others of the same kind may have failed meanwhile
        try:
            return prove()
        except DanluError as error:
            if isinstance(error, WrongCredentials) or _wrong_password(error):
                desk.attempts.failed(attempt)
            raise

    desk.attempts.check(attempt)
    await anyio.sleep(desk.attempts.hold(attempt))
    if device or signed_in:
        return await desk.passwords.known(proven)
    return await desk.passwords.stranger(place_of(attempt.address), proven)


def _wrong_password(error: DanluError) -> bool:
    return any(one.code == "wrong_password" for one in error.errors)


async def _signed_in(desk: Desk, request: Request, secret: str, session: Session) -> Response:
    user = await anyio.to_thread.run_sync(desk.services.ports.store.user, session.user)
    assert user is not None
    response = answer(render.session(user, session))
    set_session(desk, request, response, secret, session)
    return response


def set_session(desk: Desk, request: Request, response: Response, secret: str, session: Session) -> None:
    """The session's cookie last: older clients take the last one for it."""
    secure = desk.secure(request)
    desk.devices.remember(response, session.user, secure)
    set_cookie(response, SESSION_COOKIE, secret, (session.expires_at - session.created_at) // 1000, secure)


def browser_of(request: Request) -> Browser:
    return Browser(request.headers.get("user-agent", ""), _address(request))


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"
