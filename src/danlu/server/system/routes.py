"""About this server: schema, version, health, metrics."""

from __future__ import annotations

import functools

from fastapi import FastAPI, Request
from starlette.responses import Response

from danlu.files.job_file import JobFile
from danlu.server.figures.prometheus import PAGE
from danlu.server.http.access import API, COMMON, OPEN, AccessRule, P
from danlu.server.http.answering import Json, answer, as_json
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.system.client import WHEEL
from danlu.server.system.models import Health, Readiness, SystemReport, Version

routes = Routes("system")

_OBJECT = {200: {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}}
_TEXT = {200: {"description": "OK", "content": {"text/plain": {"schema": {"type": "string"}}}}}


@routes.add("GET", f"{API}/schema/job", AccessRule(OPEN, COMMON), answers=_OBJECT)
async def get_job_schema() -> Response:
    """Get the JSON Schema of the job file, for editors."""
    return answer(_job_schema())


@routes.add("GET", f"{API}/version", AccessRule(OPEN, COMMON), Version)
async def get_version(desk: AtDesk) -> Response:
    """Get the version of this server and of its API."""
    return answer({"version": desk.services.process.version, "api": "v1", "client": WHEEL.name})


@routes.add("GET", f"{API}/openapi.json", AccessRule(OPEN, COMMON), answers=_OBJECT)
async def get_openapi(request: Request, desk: AtDesk) -> Response:
    """Get this API as an OpenAPI document."""
    document = await desk.threads.for_anyone(_document, request.app)
    return Response(document, media_type="application/json")


@routes.add("GET", "/healthz", AccessRule(OPEN, COMMON), Health)
async def get_health() -> Response:
    """Liveness: the process is alive."""
    return answer({"status": "alive"})


@routes.add("GET", "/readyz", AccessRule(OPEN, COMMON), Readiness)
async def get_readiness(desk: AtDesk) -> Response:
    """Readiness: the server's database answers."""
    await desk.threads.for_anyone(desk.services.ports.store.ready)
    return answer({"status": "ready", "half": desk.services.process.half})


@routes.add("GET", f"{API}/system/health", AccessRule(P.SYSTEM_READ, COMMON), SystemReport)
def get_system_health(desk: AtDesk, who: Who) -> Response:
    """Get the weaknesses that are quickly seen: isolation of tasks, network, disk space."""
    return answer(SystemReport.render(desk.services.system.health(who)))


@routes.add("GET", f"{API}/system/doctor", AccessRule(P.SYSTEM_READ, COMMON), SystemReport)
def examine_system(desk: AtDesk, who: Who) -> Response:
    """Examine this installation, the audit log included: what is weak, and how to mend it."""
    return answer(SystemReport.render(desk.services.system.examine(who)))


@routes.add("GET", "/metrics", AccessRule(OPEN, COMMON), answers=_TEXT)
async def get_metrics(desk: AtDesk) -> Response:
    """Get metrics for Prometheus."""
    return Response(await desk.threads.for_anyone(desk.metrics.page), media_type=PAGE)


def _document(app: FastAPI) -> bytes:
    """Made once: it takes seconds, and anybody may ask."""
    if not hasattr(app.state, "document"):
        app.state.document = as_json(app.openapi())
    made: bytes = app.state.document
    return made


@functools.cache
def _job_schema() -> Json:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "danlu:job",
        **JobFile.model_json_schema(),
    }
