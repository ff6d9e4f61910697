"""Signing in with name and password: a session just long enough to get a token."""

from __future__ import annotations

import json
from typing import Any, Callable

from danlu.domain.words import Words
from danlu.sdk.http.config import GIVEN, Target, normal_url
from danlu.sdk.http.errors import DanluError, NameTaken, NotSignedIn
from danlu.sdk.http.http import Http
from danlu.sdk.models.people import Token, User
from danlu.sdk.models.reading import read


def sign_in(
    url: str,
    username: str,
    password: str,
    token_name: str,
    new_password: Callable[[], str] | None = None,
    timeout: float = 30,
    expires_in: str | None = None,
) -> tuple[User, Token]:
    """Trade name and password for a token, which lasts as long as a browser's session unless `expires_in` says more;
    `new_password` is asked when the server wants a new one."""
    http = Http(Target(normal_url(url), None, GIVEN), timeout)
    try:
        session, cookie = _open(http, "session", {"username": username, "password": password})
        headers = {"Cookie": cookie, "X-CSRF-Token": str(session.get("csrf", ""))}
        if session.get("must_set_password"):
            if new_password is None:
                raise NotSignedIn(
                    Words(
                        "a new password must be set first, in the console or with 'danlu login'",
                        "请先在控制台或用 danlu login 设置新密码",
                    )
                )
            change = {"current": password, "new": new_password()}
            # Once changed, what was current is wrong: not to be repeated.
            _send(http, headers, "PUT", "me/password", change, harmless=False)
        token = _token(http, headers, token_name, expires_in)
        _send(http, headers, "DELETE", "session", None)
        return read(User, session.get("user") or {"name": username}), read(Token, token)
    finally:
        http.close()


def _token(http: Http, headers: dict[str, str], name: str, expires_in: str | None) -> Any:
    """A token of this name, or with a number after it: who signs in again keeps what they have elsewhere."""
    life = {"expires_in": expires_in} if expires_in else {}
    for number in range(1, _SAME_NAME):
        numbered = name if number == 1 else f"{name} ({number})"
        try:
            return _send(http, headers, "POST", "tokens", {"name": numbered, **life})
        except NameTaken:
            continue
    return _send(http, headers, "POST", "tokens", {"name": f"{name} ({_SAME_NAME})", **life})


def who(http: Http) -> User:
    """The person a token belongs to; NotSignedIn when the server does not accept it."""
    return read(User, http.json("GET", "session")["user"])


def _open(http: Http, path: str, body: object) -> tuple[dict[str, Any], str]:
    _, answer, headers = http.send("POST", path, None, json.dumps(body).encode(), _AS_JSON)
    told = [value.partition(";")[0] for name, value in headers if name.lower() == "set-cookie"]
    cookie = next((one for one in told if one.partition("=")[0].endswith("danlu_session")), "")
    if not cookie:
        raise DanluError(
            Words(
                "the server returned no session; its version may not be compatible",
                "登录成功但服务器没有返回会话，其版本可能不兼容",
            )
        )
    return http.decode(answer), cookie


def _send(
    http: Http, headers: dict[str, str], method: str, path: str, body: object, harmless: bool | None = None
) -> Any:
    data = None if body is None else json.dumps(body).encode()
    _, answer, _ = http.send(method, path, None, data, {**_AS_JSON, **headers}, harmless)
    return http.decode(answer) if answer else None


_AS_JSON = {"Content-Type": "application/json"}
_SAME_NAME = 50
