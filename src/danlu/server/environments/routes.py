"""One's own environments."""

from __future__ import annotations

from starlette.responses import Response

from danlu.server.environments import models
from danlu.server.http.access import API, ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("environments")

_ALL = f"{API}/me/environments"
_ONE = f"{_ALL}/{{key}}"


@routes.add("GET", _ALL, AccessRule(P.JOB_READ, ONESELF), models.EnvironmentList)
def list_environments(desk: AtDesk, who: Who) -> Response:
    """One's own environments with packages, those used last first."""
    found = desk.services.environments.all(who)
    return answer({"items": [models.EnvironmentRow.render(one) for one in found]})


@routes.add("GET", _ONE, AccessRule(P.JOB_READ, ONESELF), models.Environment, refusals=(404,))
def get_environment(desk: AtDesk, who: Who, key: str) -> Response:
    """One of one's own environments, with what is installed in it."""
    return answer(models.Environment.render(desk.services.environments.get(who, key)))


@routes.add("DELETE", _ONE, AccessRule(P.JOB_WRITE, ONESELF), status=204, refusals=(404, 409))
def delete_environment(desk: AtDesk, who: Who, key: str) -> Response:
    """Delete an environment that no running task uses; the next job that wants its packages installs them again."""
    desk.services.environments.remove(who, key)
    return Response(status_code=204)
