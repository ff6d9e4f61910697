"""People, and what proves who they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.job import Time
from danlu.domain.words import Words

USER_NAME = re.compile(r"[a-z][a-z0-9_-]{1,31}")
USER_NAME_RULE = Words(
    "a user name has 2–32 characters: lower-case letters, digits, - and _, starting with a letter",
    "用户名由 2–32 个小写字母、数字、- 和 _ 组成，以字母开头",
)
PASSWORD_MIN, PASSWORD_MAX = 8, 256
LOCAL_TOKEN = "danlu up"
"""The name of the token that `danlu up` keeps for whoever started it."""
FIRST_UID, UIDS_EACH, LAST_UID = 0x7000_0000, 65_536, 0xFFFF_0000
"""Each person has a range of user ids on machines that run tasks: above what systems give to accounts and containers,
and wide enough for the users inside an image."""


class UserRole(StrEnum):
    ADMINISTRATOR = "administrator"
    OPERATOR = "operator"
    ENGINEER = "engineer"
    VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class User:
    """A person. The name is the identity: it is never changed and never given to somebody else.

    `subject` is who they are to the organisation's provider, as `issuer#sub`; empty for local accounts."""

    name: str
    role: UserRole
    created_at: Time
    display_name: str = ""
    password_hash: str | None = None
    disabled: bool = False
    deleted: bool = False
    groups: tuple[str, ...] = ()
    email: str = ""
    subject: str = ""

    @property
    def governs(self) -> bool:
        """An administrator who can sign in; there is always at least one."""
        return self.role is UserRole.ADMINISTRATOR and not self.disabled and not self.deleted


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in browser, with its user agent and address; only the hash of the secret is stored."""

    secret_hash: str
    user: str
    csrf: str
    created_at: Time
    expires_at: Time
    id: str
    seen_at: Time
    agent: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A script's key; only the hash of its secret is stored. Without scopes it may do everything its owner may.
    `parent` is the token that it was made with and ends with."""

    id: str
    user: str
    name: str
    secret_hash: str
    created_at: Time
    scopes: tuple[str, ...] = ()
    expires_at: Time | None = None
    last_used_at: Time | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that signs its bearer in once."""

    secret_hash: str
    user: str
    expires_at: Time


@dataclass(frozen=True, slots=True)
class SshKey:
    """A public key that opens its owner's workspaces; `line` is as in authorized_keys, without the comment."""

    id: str
    user: str
    name: str
    type: str
    fingerprint: str
    line: str
    created_at: Time
