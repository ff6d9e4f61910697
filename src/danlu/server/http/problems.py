"""Refusals as application/problem+json, whoever raised them."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable
from typing import Any, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.websockets import WebSocket

from danlu.control.people.whom import WhomToAsk
from danlu.domain.errors import (
    ClusterNotReady,
    DanluError,
    FieldError,
    InsufficientQuota,
    Invalid,
    NotAttachable,
    NotFound,
    NotSignedIn,
    Overdue,
    TooMany,
    TooSlow,
)
from danlu.domain.words import Words, same, say
from danlu.server.http.answering import shortfall, words
from danlu.server.http.models import Administrator, Finding

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
KNOWN = "danlu.known"
"""Where a request's scope has who asks, once that is known."""
_ASKED_AT_FIELDS = frozenset({"priority_not_allowed", "not_a_member", "image_not_available", "not_available"})
_TITLES = {404: NotFound.title, 405: Words("This address does not support that method", "该地址不支持此方法")}
_CODES = {404: NotFound.code, 405: "method_not_allowed"}


def install(app: FastAPI) -> None:
    """Answer every refusal in the same format."""
    answers: dict[type[Exception], Callable[[Any, Exception], Any]] = {
        DanluError: _refused,
        RequestValidationError: _unreadable,
        WebSocketRequestValidationError: _unreadable,
        HTTPException: _http,
    }
    for kind, handler in answers.items():
        app.add_exception_handler(kind, handler)


def problem(error: DanluError, whom: WhomToAsk | None = None) -> Response:
    """The answer to one of our own errors, with whom to ask."""
    headers = {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, (TooSlow, Overdue)):
        headers["Connection"] = "close"  # what else comes over it belongs to this request
    if isinstance(error, NotSignedIn):
        headers["WWW-Authenticate"] = "Bearer"
    body: dict[str, Any] = {
        "type": error.code,
        "title": error.title.en,
        "status": error.status,
        "detail": error.detail,
        "text": words(error.text),
        "errors": [field_error(one) for one in error.errors],
    }
    if isinstance(error, (ClusterNotReady, NotAttachable)):
        body["findings"] = [Finding.render(one) for one in error.findings]
    if isinstance(error, InsufficientQuota):
        body["shortfalls"] = [shortfall(one) for one in error.shortfalls]
    if whom is not None:
        body |= asking(whom)
    return _answer(body, headers)


def asking(whom: WhomToAsk | None) -> dict[str, Any]:
    """Whom to ask, with the sentence; nothing if nobody can help."""
    if whom is None:
        return {}
    return {
        "administrators": [Administrator.render(one) for one in whom.administrators],
        "ask": words(whom.text),
    }


def incident(error: Exception) -> Response:
    """The answer to an unexpected error: only a number with which it can be found in the log."""
    number = secrets.token_hex(4)
    log.error("incident %s", number, exc_info=error)
    text = say(
        "Danlu made a mistake; the server's log has the details under incident {number}",
        "丹炉内部出错，详情见服务端日志中的事件编号 {number}",
        number=number,
    )
    return _answer({**_body(DanluError.code, DanluError.title, 500, text), "incident": number})


def field_error(error: FieldError) -> dict[str, Any]:
    """One error as JSON; unknown parts are left out."""
    plain: dict[str, Any] = {
        "loc": list(error.loc),
        "code": error.code,
        "message": error.message,
        "text": words(error.text),
        "params": {name: _param(one) for name, one in error.params.items()},
    }
    for key in ("value", "bound", "suggestion"):
        if (known := getattr(error, key)) is not None:
            plain[key] = known
    if error.hint is not None:
        plain |= {"hint": error.hint.en, "hint_text": words(error.hint)}
    return plain


def _param(value: Any) -> Any:
    if isinstance(value, Words):
        return words(value)
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


async def _refused(connection: Request | WebSocket, error: Exception) -> Response | None:
    assert isinstance(error, DanluError)
    return await _deliver(connection, problem(error, await _whom(connection, error)))


async def _whom(connection: Request | WebSocket, error: DanluError) -> WhomToAsk | None:
    """Whom a signed-in person can ask about it; others learn no names."""
    known = connection.scope.get(KNOWN)
    asks = error.asks_administrator or any(one.code in _ASKED_AT_FIELDS for one in error.errors)
    if known is None or not asks:
        return None
    administrators = connection.app.state.desk.services.people.administrators
    return cast("WhomToAsk | None", await run_in_threadpool(administrators.for_, known.caller.user))


async def _unreadable(connection: Request | WebSocket, error: Exception) -> Response | None:
    """Headers and paths that FastAPI itself refuses; bodies and queries have their own messages."""
    assert isinstance(error, (RequestValidationError, WebSocketRequestValidationError))
    found = tuple(FieldError(tuple(raw["loc"]), "bad_value", same(raw["msg"])) for raw in error.errors())
    return await _deliver(connection, problem(Invalid(found)))


async def _http(connection: Request | WebSocket, error: Exception) -> Response | None:
    assert isinstance(error, HTTPException)
    status = error.status_code
    code, title = _CODES.get(status, DanluError.code), _TITLES.get(status, DanluError.title)
    body = _body(code, title, status, _text(connection, error))
    headers = {"Allow": ", ".join(_methods_at(connection))} if status == 405 else error.headers
    return await _deliver(connection, _answer(body, headers))


def _methods_at(connection: Request | WebSocket) -> list[str]:
    """All methods of an address: the router reports only those of the first matching route."""
    at_it = [route for route in connection.app.routes if route.matches(connection.scope)[0] is not Match.NONE]
    return sorted({method for route in at_it for method in getattr(route, "methods", None) or ()})


def _body(code: str, title: Words, status: int, text: Words) -> dict[str, Any]:
    """A problem without field errors."""
    about = {"type": code, "title": title.en, "status": status}
    return {**about, "detail": text.en, "text": words(text), "errors": []}


def _text(connection: Request | WebSocket, error: HTTPException) -> Words:
    path = connection.url.path
    if error.status_code == 404:
        return say("nothing exists at {path}", "地址 {path} 不存在", path=path)
    if error.status_code == 405:
        method = connection.scope.get("method")
        return say("{method} is not possible at {path}", "{path} 不支持 {method}", method=method, path=path)
    return same(str(error.detail))


async def _deliver(connection: Request | WebSocket, answer: Response) -> Response | None:
    """Send the refusal; a WebSocket that is not open yet is refused with the same answer as a request."""
    if not isinstance(connection, WebSocket):
        return answer
    if "websocket.http.response" in connection.scope.get("extensions", {}):
        await connection.send_denial_response(answer)
    else:
        await connection.close(1008)
    return None


def _answer(body: dict[str, Any], headers: Any = None) -> Response:
    text = json.dumps(body, ensure_ascii=False, default=str)
    return Response(text.encode("utf-8", "replace"), body["status"], headers, MEDIA_TYPE)
