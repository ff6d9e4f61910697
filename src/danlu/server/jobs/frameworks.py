"""Frameworks: what they offer, and proposed numbers of tasks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.jobs.proposals import Wish
from danlu.files.reading import resources_of
from danlu.frameworks.catalog import frameworks
from danlu.server.http.access import API, ONESELF, SIGNED_IN, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Body
from danlu.server.jobs import frameworks_models as models
from danlu.server.jobs import frameworks_render
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("frameworks")


@routes.add("GET", f"{API}/frameworks", AccessRule(SIGNED_IN, ONESELF), models.Frameworks)
def list_frameworks() -> Response:
    """List frameworks with their strategies, roles and defaults."""
    return answer({"items": [frameworks_render.framework(one) for one in frameworks().values()]})


@routes.add(
    "POST",
    f"{API}/frameworks/propose",
    AccessRule(P.JOB_WRITE, ONESELF),
    models.FrameworkProposal,
    refusals=(413, 422),
)
def propose_roles(
    desk: AtDesk, who: Who, body: Annotated[models.ProposalAsked, Depends(Body(models.ProposalAsked))]
) -> Response:
    """Propose how many tasks each role of a strategy should have: as many as fit now, or else on idle nodes."""
    body.must_be_of_one_mind()
    size = resources_of(body.resources) if body.resources else None
    written = body.resources.model_fields_set if body.resources else set()
    left_out = frozenset({"cpus", "memory", "shm"} - written)
    wish = Wish(body.framework, body.strategy, body.flavor, size, body.project, left_out)
    return answer(models.FrameworkProposal.render(desk.services.jobs.proposals.propose(who, wish)))
