"""Bodies and queries: read within limits, every error reported at its place."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection, Request

from danlu.domain.errors import FieldError, Invalid, TooLarge
from danlu.domain.quantity import show_size
from danlu.domain.words import Words, say
from danlu.files.mistakes import field_errors
from danlu.server.http.models import MAX_NUMBER
from danlu.server.http.threads import Threads

MAX_BODY = 1 << 20
MAX_OPEN_BODY = 16 << 10
"""Of a route that is open to everybody: to sign in takes little."""
_SMALL_BODY = 16 << 10
"""Read on the event loop: a thread would cost more."""
_MAX_DEPTH = 64
_MAX_PARAMETERS = 1_000
_LIMIT = "danlu.body_limit"

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


class Body(Generic[M]):
    """A dependency that reads a JSON body into a model."""

    def __init__(self, model: type[M]) -> None:
        self.model = model
        self.needed = any(field.is_required() for field in model.model_fields.values())

    async def __call__(self, request: Request) -> M:
        return await _off_the_loop(request, self._read)

    def _read(self, raw: bytes) -> M:
        data = parse_json(raw) if raw or self.needed else {}
        try:
            return self.model.model_validate(data)
        except ValidationError as error:
            raise Invalid(field_errors(error, self.model, data)) from None


class JobFileBody:
    """A dependency that reads a job file as plain data; `control` interprets it."""

    async def __call__(self, request: Request) -> Any:
        return await _off_the_loop(request, self._read)

    def _read(self, raw: bytes) -> Any:
        data = parse_json(raw)
        if not isinstance(data, dict):
            raise _wrong(
                "wrong_type", Words("a job file is a mapping (key: value)", "任务文件应为映射（键: 值）")
            )
        return data


class Query(Generic[M]):
    """A dependency that reads the query into a model; unknown parameters are errors."""

    def __init__(self, model: type[M]) -> None:
        self.model = model
        self._lists = {
            name for name, field in model.model_fields.items() if typing.get_origin(field.annotation) is list
        }

    async def __call__(self, connection: HTTPConnection) -> M:
        if connection.scope["query_string"].count(b"&") >= _MAX_PARAMETERS:
            most = say("at most {most} parameters", "最多 {most} 个参数", most=_MAX_PARAMETERS)
            raise in_query(_wrong("too_long", most))
        data = self._plain(connection.query_params)
        mistakes = tuple(check_text(value, (name,)) for name, value in data.items())
        found = tuple(error for error in mistakes if error)
        if not found:
            try:
                return self.model.model_validate(data)
            except ValidationError as error:
                found = field_errors(error, self.model, data)
        raise in_query(Invalid(found))

    def _plain(self, params: QueryParams) -> dict[str, Any]:
        return {name: params.getlist(name) if name in self._lists else params[name] for name in params}


def in_query(wrong: Invalid) -> Invalid:
    """The same errors, located in the query."""
    return Invalid(tuple(replace(error, loc=("query", *error.loc)) for error in wrong.errors))


def bound_body(connection: HTTPConnection, *, is_open: bool) -> None:
    """How large a body may be depends on who may send it; checked when it is read."""
    connection.scope[_LIMIT] = MAX_OPEN_BODY if is_open else MAX_BODY


async def _off_the_loop(request: Request, read: Callable[[bytes], T]) -> T:
    """What a body contains; a large one is read in a thread, so that nobody else waits for it."""
    raw = await read_body(request, request.scope.get(_LIMIT, MAX_BODY))
    if len(raw) <= _SMALL_BODY:
        return read(raw)
    threads: Threads = request.app.state.threads
    return await threads.for_body(read, raw)


async def read_body(request: Request, limit: int) -> bytes:
    """The whole body; TooLarge as soon as it exceeds the limit."""
    declared_size(request, limit)
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise too_large(limit)
    return bytes(body)


def decimal(text: str | None, most: int = MAX_NUMBER) -> int | None:
    """A decimal number as in cursors, event ids and lengths; None for anything else, and beyond `most`.

    Python refuses to read thousands of digits, so they are counted first."""
    if text is None or not text.isascii() or not text.isdigit():
        return None
    digits = text.lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(most)) else most + 1
    return number if number <= most else None


def declared_size(request: Request, limit: int) -> None:
    """TooLarge if the declared length exceeds the limit."""
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and decimal(declared, limit) is None:
        raise too_large(limit)


def too_large(limit: int) -> TooLarge:
    return TooLarge(
        say(
            "a request of this kind may have at most {limit}",
            "此类请求最大为 {limit}",
            limit=show_size(limit),
        )
    )


def parse_json(raw: bytes) -> Any:
    """Strict JSON: no NaN, no excessive depth, no text that a database could not store."""
    try:
        data = json.loads(raw, parse_constant=_no_constant)
    except RecursionError:
        raise _wrong(
            "too_deep",
            say("nested deeper than {most} levels", "嵌套超过 {most} 层", most=_MAX_DEPTH),
        ) from None
    except json.JSONDecodeError as error:
        text = say(
            "not valid JSON: {why} at line {line}, column {column}",
            "不是有效的 JSON：第 {line} 行第 {column} 列，{why}",
            why=error.msg,
            line=error.lineno,
            column=error.colno,
        )
        raise _wrong("bad_json", text) from None
    except UnicodeDecodeError:
        raise _wrong(
            "bad_json", Words("not valid JSON: the text is not UTF-8", "不是有效的 JSON：文本不是 UTF-8")
        ) from None
    except ValueError as error:
        raise _wrong(
            "bad_json", say("not valid JSON: {error}", "不是有效的 JSON：{error}", error=error)
        ) from None
    _check(data)
    return data


def check_text(value: Any, loc: tuple[str | int, ...]) -> FieldError | None:
    """Errors for text with NUL or unpaired surrogates; lists are searched too."""
    if isinstance(value, list):
        return next((found for at, one in enumerate(value) if (found := check_text(one, (*loc, at)))), None)
    if isinstance(value, str) and ("\0" in value or _has_half_characters(value)):
        return FieldError(
            loc,
            "bad_text",
            Words(
                "text must not contain NUL characters or unpaired surrogates",
                "文本不能包含 NUL 或不完整的字符",
            ),
        )
    return None


def _check(data: Any) -> None:
    """Walk without recursion, so that deep nesting cannot break the walk itself."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while waiting:
        loc, value = waiting.pop()
        if len(loc) > _MAX_DEPTH:
            raise _wrong(
                "too_deep",
                say("nested deeper than {most} levels", "嵌套超过 {most} 层", most=_MAX_DEPTH),
            )
        if isinstance(value, dict):
            for key, item in value.items():
                if mistake := check_text(key, loc):
                    raise Invalid((mistake,))
                waiting.append(((*loc, key), item))
        elif isinstance(value, list):
            waiting.extend(((*loc, at), item) for at, item in enumerate(value))
        elif isinstance(value, float) and not math.isfinite(value):
            raise Invalid((FieldError(loc, "bad_value", Words("the number is too large", "数字过大")),))
        elif mistake := check_text(value, loc):
            raise Invalid((mistake,))


def _has_half_characters(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _wrong(code: str, message: Words) -> Invalid:
    return Invalid((FieldError((), code, message),))
