"""The caller's own data: profile, preferences and signed-in browsers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from danlu.control.people import preferences
from danlu.server.http.access import API, IN_PERSON, ONESELF, SESSION, SIGNED_IN, AccessRule
from danlu.server.http.answering import answer
from danlu.server.http.cookies import SESSION_COOKIE, drop_cookie
from danlu.server.http.reading import Body
from danlu.server.people import me_models as models
from danlu.server.people import models as people
from danlu.server.people import render
from danlu.server.route import AtDesk, KnownCaller, Routes, Who

routes = Routes("me")


@routes.add("GET", f"{API}/me", AccessRule(SIGNED_IN, ONESELF), people.Me)
def get_me(desk: AtDesk, who: Who) -> Response:
    """Get the caller's own profile: permissions, groups and projects."""
    return answer(render.me(who, desk.services.registry.groups()))


@routes.add("GET", f"{API}/me/preferences", AccessRule(IN_PERSON, ONESELF), models.Preferences)
def get_preferences(desk: AtDesk, who: Who) -> Response:
    """Get one's own preferences for the console."""
    return answer(models.Preferences.render(preferences.preferences_of(desk.services.ports.store, who)))


@routes.add(
    "PATCH", f"{API}/me/preferences", AccessRule(IN_PERSON, ONESELF), models.Preferences, refusals=(413, 422)
)
def edit_preferences(
    desk: AtDesk,
    who: Who,
    body: Annotated[models.PreferencesEdit, Depends(Body(models.PreferencesEdit))],
) -> Response:
    """Change preferences; fields that are left out stay as they are, null removes one."""
    edited = preferences.edit_preferences(desk.services.ports.store, who, body.values())
    return answer(models.Preferences.render(edited))


@routes.add("GET", f"{API}/me/sessions", AccessRule(IN_PERSON, ONESELF), models.OwnSessionList)
def list_sessions(desk: AtDesk, known: KnownCaller) -> Response:
    """List the browsers in which the caller is signed in, last seen first."""
    found = desk.services.people.sign_in.sessions(known.caller)
    here = known.session.id if known.session else None
    return answer({"items": [models.OwnSession.render(one, current=one.id == here) for one in found]})


@routes.add("DELETE", f"{API}/me/sessions/{{id}}", AccessRule(IN_PERSON, SESSION), status=204)
def end_session(request: Request, desk: AtDesk, known: KnownCaller, id: str) -> Response:  # noqa: A002 (as in the address)
    """Sign one browser out."""
    desk.services.people.sign_in.end_session(known.caller, id)
    desk.identity.forget(known.caller.name)
    answer = Response(status_code=204)
    if known.session is not None and known.session.id == id:
        drop_cookie(answer, SESSION_COOKIE, desk.secure(request))
    return answer


@routes.add("DELETE", f"{API}/me/sessions", AccessRule(IN_PERSON, ONESELF), status=204)
def end_other_sessions(desk: AtDesk, known: KnownCaller) -> Response:
    """Sign out all other browsers."""
    desk.services.people.sign_in.end_other_sessions(known.caller, known.session)
    desk.identity.forget(known.caller.name)
    return Response(status_code=204)
