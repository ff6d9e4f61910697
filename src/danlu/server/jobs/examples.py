"""Examples: jobs to start with."""

from __future__ import annotations

from starlette.responses import Response

from danlu.domain.errors import NotFound
from danlu.domain.words import say
from danlu.server.http.access import API, ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.jobs import examples_models as models
from danlu.server.route import AtDesk, Routes

routes = Routes("examples")


@routes.add("GET", f"{API}/examples", AccessRule(P.JOB_WRITE, ONESELF), models.ExampleList)
async def list_examples(desk: AtDesk) -> Response:
    """List example jobs that can be submitted as they are, for every framework and feature of training."""
    return answer({"items": [models.Example.render(one) for one in await desk.services.ports.examples.all()]})


@routes.add(
    "GET", f"{API}/examples/{{name}}", AccessRule(P.JOB_WRITE, ONESELF), models.ExampleDetail, refusals=(404,)
)
async def get_example(desk: AtDesk, name: str) -> Response:
    """One example with all its files."""
    one = await desk.services.ports.examples.get(name)
    if one is None:
        raise NotFound(say("there is no example '{name}'", "没有名为“{name}”的示例", name=name))
    return answer(models.ExampleDetail.render(one))
