"""Operations on several flavors: current offers, generation from a node, recommendation for a job, bulk changes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.flavors.generated import System
from danlu.control.flavors.offers import Question
from danlu.domain.errors import Invalid
from danlu.domain.job import JobClass
from danlu.server.flavors import models
from danlu.server.http.access import API, COMMON, JOB, AccessRule, P
from danlu.server.http.answering import answer, instant, words
from danlu.server.http.reading import Body, Query, in_query
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("flavors")


@routes.add(
    "GET", f"{API}/flavors/offers", AccessRule(P.FLAVOR_READ, COMMON), models.FlavorOffers, refusals=(422,)
)
def list_offers(
    desk: AtDesk, who: Who, query: Annotated[models.OffersQuery, Depends(Query(models.OffersQuery))]
) -> Response:
    """List which flavors are available now, and how many jobs are ahead for the others; computed for every request."""
    usual = JobClass.SINGLE if query.count == 1 else JobClass.DISTRIBUTED
    question = Question(query.job_class or usual, query.project, query.count)
    try:
        at, offers = desk.services.flavors.offers(who, question, hopeless=query.all)
    except Invalid as error:
        raise in_query(error) from None
    return answer({"at": instant(at), "items": [models.FlavorOffer.render(one) for one in offers]})


@routes.add(
    "GET",
    f"{API}/flavors/recommend",
    AccessRule(P.JOB_READ, JOB),
    models.FlavorRecommendation,
    refusals=(404, 422),
)
def recommend_flavors(
    desk: AtDesk, who: Who, query: Annotated[models.RecommendQuery, Depends(Query(models.RecommendQuery))]
) -> Response:
    """Recommend flavors that would have been enough for a job's last runs."""
    return answer(models.FlavorRecommendation.render(desk.services.flavors.recommend(who, query.job)))


@routes.add(
    "POST",
    f"{API}/flavors/generate",
    AccessRule(P.FLAVOR_WRITE, COMMON),
    models.FlavorProposals,
    refusals=(404, 409, 413, 422),
)
def generate_flavors(
    desk: AtDesk, who: Who, body: Annotated[models.FlavorGenerate, Depends(Body(models.FlavorGenerate))]
) -> Response:
    """Generate flavors that divide a node by its GPUs; existing ones stay as they are."""
    system = System(body.system.cpus, body.system.memory) if body.system else System()
    made, text = desk.services.flavors.generate(
        who, body.node, system, body.counts or (), preview=body.preview
    )
    items = [models.FlavorProposal.render(one) for one in made]
    return answer({"items": items, "text": words(text)})


@routes.add(
    "PATCH", f"{API}/flavors", AccessRule(P.FLAVOR_WRITE, COMMON), models.FlavorsEdited, refusals=(413, 422)
)
def edit_flavors(
    desk: AtDesk, who: Who, body: Annotated[models.FlavorsEdit, Depends(Body(models.FlavorsEdit))]
) -> Response:
    """Apply the same change to many flavors; if one fails, the others are still changed."""
    changes = {key: value for key, value in body.values().items() if key != "names"}
    done = desk.services.flavors.edit_all(who, body.names, changes)
    return answer({"items": [models.FlavorEdited.render(one) for one in done]})


@routes.add(
    "POST",
    f"{API}/flavors/delete",
    AccessRule(P.FLAVOR_WRITE, COMMON),
    models.FlavorsDeleted,
    refusals=(413, 422),
)
def delete_flavors(
    desk: AtDesk, who: Who, body: Annotated[models.FlavorsDelete, Depends(Body(models.FlavorsDelete))]
) -> Response:
    """Remove many flavors; jobs that use one continue and keep their size."""
    done = desk.services.flavors.remove_all(who, body.names, preview=body.preview)
    return answer({"items": [models.FlavorDeleted.render(one) for one in done]})
