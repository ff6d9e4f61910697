"""How long a token lasts: no longer than what it was made with, unless somebody with the right asks for more."""

from __future__ import annotations

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_time, time_said
from danlu.domain.words import Words

TOKEN_LIFE_MS = 365 * 86_400_000
NEVER = "never"
"""What people say for a token that does not expire."""


def end_of_token(caller: Caller, asked: int | str | None, now: Time, longest: int) -> Time | None:
    """When a new token ends; None is never. Invalid if that is later than the caller may ask for.

    Unless something is asked for, it ends with the session or token it is made with. In person, one may ask for up to
    `longest`; with a token, for as long as that one lasts. token:extend lifts both bounds."""
    if asked is None:
        return caller.until
    wanted = None if asked == NEVER else now + int(asked)
    latest = now + longest if caller.means == "session" else caller.until
    if latest is None or caller.may(Permission.TOKEN_EXTEND) or (wanted is not None and wanted <= latest):
        return wanted
    bound = show_time(latest - now)
    told = time_said(latest - now)
    text = _AT_MOST if caller.means == "session" else _WITH_A_TOKEN
    raise Invalid((FieldError(("expires_in",), "out_of_range", text.fill(bound=told), asked, bound),))


def is_independent(caller: Caller, asked: int | str | None) -> bool:
    """Whether a new token stays when the one it is made with is revoked."""
    return caller.token is None or (asked is not None and caller.may(Permission.TOKEN_EXTEND))


_AT_MOST = Words(
    "a token lasts {bound} at most (setting token_life); longer ones need the permission token:extend",
    "令牌最长有效 {bound}（设置 token_life）；更长的需要权限 token:extend",
)
_WITH_A_TOKEN = Words(
    "a token cannot outlive the one it is made with, which ends in {bound}; create it in the console, or ask somebody "
    "with the permission token:extend",
    "令牌不能比创建它的令牌更晚失效，后者还有 {bound}；请在控制台中创建，或联系拥有权限 token:extend 的人",
)
