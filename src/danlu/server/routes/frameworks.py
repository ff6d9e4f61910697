"""Frameworks: what they offer, and how many tasks to have with them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.jobs.proposals import Wish
from danlu.files.reading import resources_of
from danlu.frameworks.catalog import frameworks
from danlu.server import render, render_frameworks
from danlu.server.reading import Body
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.wire import frameworks as wire

routes = Routes("frameworks")


@routes.add("GET", f"{API}/frameworks", wire.Frameworks)
def list_frameworks() -> Response:
    """The frameworks there are, their strategies and roles, and what holds where a job file says nothing."""
    return render.answer({"items": [render_frameworks.framework(one) for one in frameworks().values()]})


@routes.add("POST", f"{API}/frameworks/propose", wire.FrameworkProposal, refusals=(413, 422))
def propose_roles(
    desk: AtDesk, who: Who, body: Annotated[wire.ProposalAsked, Depends(Body(wire.ProposalAsked))]
) -> Response:
    """How many tasks each role of a strategy could have: as many as find room now, else as many as ever could."""
    body.must_be_of_one_mind()
    size = resources_of(body.resources) if body.resources else None
    wish = Wish(body.framework, body.strategy, body.flavor, size, body.project)
    return render.answer(render_frameworks.proposal(desk.services.proposals.propose(who, wish)))
