"""What the server answers about people."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, one


@dataclass(frozen=True)
class User:
    """A person; `sign_in` is how they sign in: by password, through the identity provider, or (invited) only by a
    link so far."""

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
    """A person, with their groups and projects and how many jobs, keys and tokens they have. Their tasks run, and
    their files are kept, under the user id `uid` where Danlu runs as root."""

    projects: tuple[Mapping[str, str], ...] = ()
    active_jobs: int = 0
    keys: int = 0
    tokens: int = 0
    uid: int = 0


@dataclass(frozen=True)
class SignInAddress:
    """A one-time sign-in link; it is shown only once."""

    url: str = ""
    expires_at: str = ""


@dataclass(frozen=True)
class Invited(SignInAddress):
    """A new account and its link."""

    user: User | None = None


@dataclass(frozen=True)
class BulkOutcome:
    """The result of a bulk action for one item; `error`, the English of `text`, says why it failed."""

    name: str = ""
    ok: bool = False
    error: str | None = None
    text: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Group:
    """`member_names` are the members that the caller may see."""

    name: str = ""
    permissions: tuple[str, ...] = ()
    description: str = ""
    members: int = 0
    member_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class MembersChanged:
    """Who was (or would be) added or removed, for whom nothing changes, and unknown names."""

    changed: tuple[str, ...] = ()
    already: tuple[str, ...] = ()
    unknown: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class SshKey:
    """A public key: its name and fingerprint, without the key itself."""

    id: str = ""
    name: str = ""
    type: str = ""
    fingerprint: str = ""
    created_at: str | None = None


@dataclass(frozen=True)
class Token:
    """A new token; its secret is shown only once."""

    id: str = ""
    name: str = ""
    scopes: tuple[str, ...] = ()
    created_at: str | None = None
    expires_at: str | None = None
    last_used_at: str | None = None
    secret: str | None = None


@dataclass(frozen=True)
class AnybodysToken:
    """A token and whose it is."""

    id: str = ""
    name: str = ""
    scopes: tuple[str, ...] = ()
    created_at: str = ""
    expires_at: str | None = None
    last_used_at: str | None = None
    user: str = ""


@dataclass(frozen=True)
class Me:
    """The caller: `permissions` on their own things, `everywhere` on everybody's."""

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
        AnybodysToken: {"scopes": ("scopes", tuple)},
        Me: {
            "user": ("user", one(User)),
            "permissions": ("permissions", tuple),
            "everywhere": ("everywhere", tuple),
            "groups": ("groups", tuple),
            "projects": ("projects", tuple),
        },
    }
)
