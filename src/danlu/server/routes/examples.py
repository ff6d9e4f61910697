"""Examples: jobs to begin with."""

from __future__ import annotations

from starlette.responses import Response

from danlu.domain.errors import NotFound
from danlu.ports.examples import Example
from danlu.server import render
from danlu.server.route import AtDesk, Routes
from danlu.server.rules import API
from danlu.wire import examples as wire

routes = Routes("examples")


@routes.add("GET", f"{API}/examples", wire.ExampleList)
async def list_examples(desk: AtDesk) -> Response:
    """Jobs that can be submitted as they stand: of every framework, and of what training with Danlu is about."""
    return render.answer({"items": [_example(one) for one in await desk.services.examples.all()]})


@routes.add("GET", f"{API}/examples/{{name}}", wire.ExampleDetail, refusals=(404,))
async def get_example(desk: AtDesk, name: str) -> Response:
    """One example with all its files."""
    one = await desk.services.examples.get(name)
    if one is None:
        raise NotFound(f"there is no example '{name}'")
    return render.answer({**_example(one), "files": dict(one.files)})


def _example(one: Example) -> render.Json:
    return {
        "id": one.id,
        "group": one.group,
        "label": render.words(one.label),
        "about": render.words(one.about),
        "framework": one.framework,
        "strategy": one.strategy,
        "file": one.file,
    }
