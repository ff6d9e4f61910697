"""The client to install from this server: Danlu needs no package registry."""

from __future__ import annotations

from typing import Any

from starlette.responses import RedirectResponse, Response

from danlu.domain.errors import NotFound
from danlu.domain.words import Words
from danlu.server.http.access import COMMON, OPEN, AccessRule
from danlu.server.route import AtDesk, Routes
from danlu.server.system.client_wheel import ClientWheel

routes = Routes("client")

WHEEL = ClientWheel()
_LATEST = "danlu.whl"
_ZIP = "application/zip"
_FILE: dict[int, dict[str, Any]] = {
    200: {
        "description": "The wheel.",
        "content": {_ZIP: {"schema": {"type": "string", "format": "binary"}}},
    },
    307: {"description": "From `danlu.whl` to the wheel's own name."},
}


@routes.add("GET", "/client/{file}", AccessRule(OPEN, COMMON), answers=_FILE)
async def get_client(desk: AtDesk, file: str) -> Response:
    """Download the client as a wheel under its own name (`client` of the version); `danlu.whl` leads there."""
    name = WHEEL.name
    if name is None or file not in (name, _LATEST):
        raise NotFound(
            Words(
                "there is no such file; GET /api/v1/version names the client's",
                "没有该文件；GET /api/v1/version 会给出客户端的文件名",
            )
        )
    if file == _LATEST:
        return RedirectResponse(name, 307)
    content = await desk.threads.for_anyone(WHEEL.read)
    return Response(content, media_type=_ZIP, headers={"Cache-Control": "no-cache"})
