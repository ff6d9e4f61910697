"""Accounts and tokens that nobody uses, or that never end."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.control.system.facts import AccountFacts, SystemFacts
from danlu.control.system.tasks import shortened
from danlu.domain.job import Time
from danlu.domain.people import LOCAL_TOKEN, Token
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.domain.words import Words, listed, say

_DAY = 86_400_000
UNUSED, NEWCOMER = 90 * _DAY, 30 * _DAY
"""After this long without use something is left over; for this long a new account may wait for its first sign-in."""


def account_weaknesses(facts: SystemFacts) -> Iterator[Weakness]:
    now = facts.now
    accounts = [account for account in facts.accounts if not account.user.disabled]
    yield from _tokens(accounts, now)
    nameless = [one for one in accounts if one.user.governs and not _can_sign_in(one)]
    if nameless:
        yield _weak(
            "administrator_without_password", Severity.MEDIUM, _NO_PASSWORD, _SET_PASSWORD, _names(nameless)
        )
    never = [one for one in accounts if one.seen_at is None and one.user.created_at < now - NEWCOMER]
    if never:
        yield _weak("accounts_never_used", Severity.LOW, _NEVER, _DISABLE, _names(never))
    gone = [one for one in accounts if one.user.governs and _left(one.seen_at, now)]
    if gone:
        yield _weak("administrators_absent", Severity.MEDIUM, _ABSENT, _DEMOTE, _names(gone))


def _tokens(accounts: list[AccountFacts], now: Time) -> Iterator[Weakness]:
    """Danlu's own token for whoever started it lies beside what it opens, so that an end would gain nothing."""
    tokens = [token for account in accounts for token in account.tokens]
    valid = [token for token in tokens if token.expires_at is None or token.expires_at > now]
    endless = [token for token in valid if token.expires_at is None and token.name != LOCAL_TOKEN]
    if endless:
        yield _weak("tokens_without_expiry", Severity.LOW, _ENDLESS, _RENEW, _called(endless))
    unused = [token for token in valid if (token.last_used_at or token.created_at) < now - UNUSED]
    if unused:
        yield _weak("tokens_unused", Severity.LOW, _UNUSED, _REVOKE, _called(unused))


def _can_sign_in(account: AccountFacts) -> bool:
    return account.user.password_hash is not None or bool(account.user.subject)


def _left(seen_at: Time | None, now: Time) -> bool:
    return seen_at is not None and seen_at < now - UNUSED


def _names(accounts: list[AccountFacts]) -> tuple[str, ...]:
    return tuple(account.user.name for account in accounts)


def _called(tokens: list[Token]) -> tuple[str, ...]:
    return tuple(f"{token.user}:{token.name}" for token in tokens)


def _weak(code: str, severity: Severity, text: Words, fix: Words, subjects: tuple[str, ...]) -> Weakness:
    told = say("{text}: {who}", "{text}：{who}", text=text, who=listed(shortened(subjects)))
    return Weakness(code, WeakArea.ACCOUNTS, severity, told, fix, subjects[:100])


_ENDLESS = Words("tokens that never expire", "永不过期的令牌")
_RENEW = Words(
    "have their owners replace them: danlu token create NAME --expires 90d",
    "请所有者更换：danlu token create NAME --expires 90d",
)
_UNUSED = Words("tokens that nobody used for 90 days", "90 天未使用的令牌")
_REVOKE = Words("have their owners revoke them: danlu token rm NAME", "请所有者吊销：danlu token rm NAME")
_NO_PASSWORD = Words(
    "administrators without a password: every start of Danlu prints a link that signs in as them",
    "没有密码的管理员：每次启动丹炉都会打印以其身份登录的链接",
)
_SET_PASSWORD = Words(
    "open the link once and choose a password, or sign in through the identity provider",
    "打开该链接一次并设置密码，或通过统一认证登录",
)
_NEVER = Words("accounts that were never used in 30 days or more", "创建超过 30 天仍从未使用的账号")
_DISABLE = Words("disable or delete them: danlu user disable NAME", "停用或删除：danlu user disable NAME")
_ABSENT = Words("administrators who were not here for 90 days", "90 天未出现的管理员")
_DEMOTE = Words(
    "give them another role until they are back: danlu user edit NAME --role engineer",
    "在其回来之前改为其他角色：danlu user edit NAME --role engineer",
)
