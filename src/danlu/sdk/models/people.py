"""What the server answers about people."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, one


@dataclass(frozen=True)
class User:
    """A person; `sign_in` is how: by password, through the provider, or (invited) so far by a link only."""

    name: str = ""
    display_name: str = ""
    email: str = ""
    role: str = ""
    disabled: bool = False
    groups: tuple[str, ...] = ()
    created_at: str | None = None
    sign_in: str = ""


@dataclass(frozen=True)
class UserDetail(User):
    """A person, where they belong, and how much they have."""

    projects: tuple[Mapping[str, str], ...] = ()
    active_jobs: int = 0
    keys: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class SignInAddress:
    """A link that signs a person in once; it is shown this once."""

    url: str = ""
    expires_at: str = ""


@dataclass(frozen=True)
class Invited(SignInAddress):
    """A new account and its link."""

    user: User | None = None


@dataclass(frozen=True)
class BulkOutcome:
    """What came of an act for one of many; `error`, the English of `text`, says why not."""

    name: str = ""
    ok: bool = False
    error: str | None = None
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Group:
    """`member_names` are those whom the caller may know of."""

    name: str = ""
    permissions: tuple[str, ...] = ()
    description: str = ""
    members: int = 0
    member_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class MembersChanged:
    """Who came or went (or would), who was in or out already, and whom nobody knows."""

    changed: tuple[str, ...] = ()
    already: tuple[str, ...] = ()
    unknown: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class SshKey:
    """A public key, without the key."""

    id: str = ""
    name: str = ""
    type: str = ""
    fingerprint: str = ""
    created_at: str | None = None


@dataclass(frozen=True)
class Token:
    """A new token; its secret is shown this once."""

    id: str = ""
    name: str = ""
    scopes: tuple[str, ...] = ()
    created_at: str | None = None
    expires_at: str | None = None
    last_used_at: str | None = None
    secret: str | None = None


@dataclass(frozen=True)
class Me:
    """Who asks: `permissions` on things of one's own, `everywhere` on everybody's."""

    user: User = User()
    permissions: tuple[str, ...] = ()
    everywhere: tuple[str, ...] = ()
    groups: tuple[Mapping[str, Any], ...] = ()
    projects: tuple[Mapping[str, str], ...] = ()


READERS.update(
    {
        User: {"groups": ("groups", tuple)},
        UserDetail: {"groups": ("groups", tuple), "projects": ("projects", tuple)},
        Invited: {"user": ("user", one(User))},
        Group: {"permissions": ("permissions", tuple), "member_names": ("member_names", tuple)},
        MembersChanged: {
            "changed": ("changed", tuple),
            "already": ("already", tuple),
            "unknown": ("unknown", tuple),
        },
        Token: {"scopes": ("scopes", tuple)},
        Me: {
            "user": ("user", one(User)),
            "permissions": ("permissions", tuple),
            "everywhere": ("everywhere", tuple),
            "groups": ("groups", tuple),
            "projects": ("projects", tuple),
        },
    }
)
