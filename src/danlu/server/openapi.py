"""The OpenAPI document: FastAPI's, completed with the parameters that our own readers of bodies and queries take.

`python -m danlu.server.openapi` prints it; no database is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from danlu import __version__
from danlu.domain.permissions import Permission
from danlu.server import route as declarations
from danlu.server.http.access import OPEN, AccessRule
from danlu.server.http.models import Problem
from danlu.server.http.reading import Body, JobFileBody, Query
from danlu.server.live.models import Event
from danlu.server.routes import ALL

Json = dict[str, Any]

_REFS = "#/components/schemas/{model}"
_EXAMPLE = {"kind": "training", "name": "first-steps", "command": "echo hello"}
_JOB_FILE: Json = {
    "required": True,
    "description": "A job file as JSON; its schema is GET /api/v1/schema/job.",
    "content": {
        "application/json": {"schema": {"type": "object", "additionalProperties": True}, "example": _EXAMPLE}
    },
}
_ARCHIVE: Json = {
    "required": True,
    "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
}
_SCHEMES: Json = {
    "token": {"type": "http", "scheme": "bearer", "description": "An API token, danlu_…"},
    "session": {"type": "apiKey", "in": "cookie", "name": "danlu_session"},
}


def bare_app(*, documented: bool = True) -> FastAPI:
    """An application with every route and nothing behind them. Answers are rendered without models, so only this
    document needs the models."""
    app = FastAPI(
        title="Danlu",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for routes in ALL:
        declarations.install(app, routes, documented=documented)
    return app


def document(app: FastAPI) -> Json:
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    found = get_openapi(title=app.title, version=app.version, routes=routes)
    schemas: Json = found.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas.update(_definitions([(Problem, "serialization"), (Event, "serialization")]))
    for route in routes:
        for method in route.methods or ():
            _complete(found["paths"][route.path_format][method.lower()], route, method, schemas)
    found["components"]["securitySchemes"] = _SCHEMES
    found["components"]["schemas"] = dict(sorted(schemas.items()))
    return found


def _complete(operation: Json, route: APIRoute, method: str, schemas: Json) -> None:
    permission = _rule(route).permission
    operation["security"] = [] if permission is OPEN else [{"token": []}, {"session": []}]
    if isinstance(permission, Permission):
        operation["x-permission"] = permission.value
    for status, answer in operation["responses"].items():
        if method == "HEAD" or status == "204":
            answer.pop("content", None)
        elif answer.get("content", {}).get("application/json") == {"schema": {}}:
            del answer["content"]["application/json"]
    if "HTTPValidationError" in str(operation["responses"].get("422")):
        del operation["responses"]["422"]  # FastAPI adds this, but a path alone cannot be invalid
    for reader in _readers(route):
        if isinstance(reader, Query):
            known = operation.setdefault("parameters", [])
            known.extend(_parameters(reader.model))
        elif isinstance(reader, JobFileBody):
            operation["requestBody"] = _JOB_FILE
        else:
            schemas.update(_definitions([(reader.model, "validation")]))
            schema = {"schema": {"$ref": _REFS.format(model=reader.model.__name__)}}
            operation["requestBody"] = {"required": reader.needed, "content": {"application/json": schema}}
    if route.name == "upload_code":
        operation["requestBody"] = _ARCHIVE


def _rule(route: APIRoute) -> AccessRule:
    """The access rule of a route: its guard is the first dependency."""
    return cast(declarations.Guard, route.dependencies[0].dependency).rule


def _readers(route: APIRoute) -> Iterator[Body[Any] | JobFileBody | Query[Any]]:
    for dependency in route.dependant.dependencies:
        if isinstance(dependency.call, (Body, JobFileBody, Query)):
            yield dependency.call


def _definitions(models: list[Any]) -> Json:
    _, schema = models_json_schema(models, ref_template=_REFS)
    return dict(schema.get("$defs", {}))


def _parameters(model: type[BaseModel]) -> Iterator[Json]:
    schema = model.model_json_schema(ref_template="{model}")
    inner = schema.get("$defs", {})
    for name, part in schema["properties"].items():
        shape = _inlined(part, inner)
        description = shape.pop("description", None)
        shape.pop("title", None)
        needed = name in schema.get("required", ())
        parameter = {"name": name, "in": "query", "required": needed, "schema": shape}
        yield {**parameter, "description": description} if description else parameter


def _inlined(part: Json, inner: Json) -> Json:
    """A parameter's schema without references, and without null, which a query cannot express."""
    if "$ref" in part:
        named = inner[part["$ref"]]
        return {key: value for key, value in named.items() if key not in ("title", "description")}
    shape = {key: value for key, value in part.items() if key != "anyOf"}
    for branch in part.get("anyOf", ()):
        if branch != {"type": "null"}:
            shape = {**_inlined(branch, inner), **shape}
    if "items" in shape:
        shape["items"] = _inlined(shape["items"], inner)
    if shape.get("default", "") is None:
        del shape["default"]
    return shape


def main() -> None:
    print(json.dumps(document(bare_app()), ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
