"""One's own affairs: who one is, preferences and signed-in browsers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.people import preferences
from danlu.server import render, render_me, render_people
from danlu.server.reading import Body
from danlu.server.route import AtDesk, KnownCaller, Routes, Who
from danlu.server.routes.session import forget_cookie
from danlu.server.rules import API
from danlu.wire import me as wire
from danlu.wire import people

routes = Routes("me")


@routes.add("GET", f"{API}/me", people.Me)
def get_me(desk: AtDesk, who: Who) -> Response:
    """Who one is, what one may do, and where one belongs."""
    return render.answer(render_people.me(who, desk.services.registry.groups()))


@routes.add("GET", f"{API}/me/preferences", wire.Preferences)
def get_preferences(desk: AtDesk, who: Who) -> Response:
    """How one likes the console."""
    return render.answer(render_me.preferences(preferences.preferences_of(desk.services.store, who)))


@routes.add("PATCH", f"{API}/me/preferences", wire.Preferences, refusals=(413, 422))
def edit_preferences(
    desk: AtDesk,
    who: Who,
    body: Annotated[wire.PreferencesEdit, Depends(Body(wire.PreferencesEdit))],
) -> Response:
    """Change some preferences; what is left out stays, null forgets."""
    edited = preferences.edit_preferences(desk.services.store, who, body.values())
    return render.answer(render_me.preferences(edited))


@routes.add("GET", f"{API}/me/sessions", wire.OwnSessionList)
def list_sessions(desk: AtDesk, known: KnownCaller) -> Response:
    """The browsers in which one is signed in, the latest seen first."""
    found = desk.services.people.sessions(known.caller)
    return render.answer({"items": [render_me.own_session(one, known.session) for one in found]})


@routes.add("DELETE", f"{API}/me/sessions/{{id}}", status=204)
def end_session(desk: AtDesk, known: KnownCaller, id: str) -> Response:  # noqa: A002 (the address names it so)
    """Sign one browser out."""
    desk.services.people.end_session(known.caller, id)
    desk.identity.forget(known.caller.name)
    answer = Response(status_code=204)
    if known.session is not None and known.session.id == id:
        forget_cookie(answer)
    return answer


@routes.add("DELETE", f"{API}/me/sessions", status=204)
def end_other_sessions(desk: AtDesk, known: KnownCaller) -> Response:
    """Sign out everywhere else."""
    desk.services.people.end_other_sessions(known.caller, known.session)
    desk.identity.forget(known.caller.name)
    return Response(status_code=204)
