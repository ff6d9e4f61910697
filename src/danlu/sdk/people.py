"""People, groups and keys, as methods of the client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from danlu.sdk import models
from danlu.sdk.http import segment
from danlu.sdk.models import Token, User

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class UserDetail(User):
    """A person, where they belong (`project` and `role` of each), and how many jobs, keys and tokens they have."""

    projects: tuple[Mapping[str, str], ...] = ()
    active_jobs: int = 0
    keys: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class SignInAddress:
    """A link that signs a person in once; it is shown this once."""

    url: str
    expires_at: str = ""


@dataclass(frozen=True)
class Invited(SignInAddress):
    """A new account and its link."""

    user: User | None = None


@dataclass(frozen=True)
class BulkOutcome:
    """What came of an act for one of many; `error` says why not."""

    name: str
    ok: bool = False
    error: str | None = None


@dataclass(frozen=True)
class Group:
    """What its members may do with everybody's things; `member_names` is there when one group is asked for."""

    name: str
    permissions: tuple[str, ...] = ()
    description: str = ""
    members: int = 0
    member_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class MembersChanged:
    """Who came or went (or would), who was in or out already, and the words that are nobody's name (`word` and
    `suggestion`)."""

    changed: tuple[str, ...] = ()
    already: tuple[str, ...] = ()
    unknown: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class SshKey:
    """A public key, without the key."""

    id: str
    name: str = ""
    type: str = ""
    fingerprint: str = ""
    created_at: str | None = None


@dataclass(frozen=True)
class Me:
    """Who asks: `permissions` on things of one's own, `everywhere` on everybody's."""

    user: User
    permissions: tuple[str, ...] = ()
    everywhere: tuple[str, ...] = ()
    groups: tuple[Mapping[str, Any], ...] = ()
    projects: tuple[Mapping[str, str], ...] = ()


class People:
    """Accounts are for administrators; keys and tokens are one's own."""

    http: Http

    def me(self) -> Me:
        """Who one is, what one may do, and where one belongs."""
        return models.read(Me, self.http.json("GET", "me"))

    def users(self, limit: int | None = None, **filters: Any) -> list[User]:
        """People by name; filter by `search`, `role`, `group`, `state` (active, invited, disabled)."""
        return [models.read(User, one) for one in self.pages("users", limit, filters)]

    def user(self, name: str) -> UserDetail:
        return models.read(UserDetail, self.http.json("GET", _user(name)))

    def create_user(self, name: str, role: str = "engineer", **more: Any) -> User:
        """`password`, `display_name`, `email` and `groups` may be given."""
        return models.read(User, self.http.json("POST", "users", body={"name": name, "role": role, **more}))

    def invite_user(self, name: str, role: str = "engineer", **more: Any) -> Invited:
        """A new account with a link that signs in once; `display_name`, `email`, `groups` and `life` (such as `7d`) may
        be given."""
        body = {"name": name, "role": role, **more}
        return models.read(Invited, self.http.json("POST", "users/invite", body=body))

    def edit_user(self, name: str, **changes: Any) -> User:
        """`role`, `disabled`, `password`, `display_name`, `email`, `subject`, `groups`; with `disabled` also `jobs`
        (keep or stop), without which HasActiveJobs is raised when there are any."""
        return models.read(User, self.http.json("PATCH", _user(name), body=changes))

    def reset_user(self, name: str) -> SignInAddress:
        """Take a person's password and sessions away; the link signs them in once to choose a new one."""
        return models.read(SignInAddress, self.http.json("POST", _user(name, "link")))

    def edit_users(self, names: Sequence[str], act: str, **more: Any) -> list[BulkOutcome]:
        """`act` is disable (with `jobs`), enable, set_role (with `role`), add_group or remove_group (with `group`)."""
        body = {"names": list(names), "act": act, **more}
        return [
            models.read(BulkOutcome, one) for one in self.http.json("POST", "users/bulk", body=body)["items"]
        ]

    def delete_user(self, name: str) -> None:
        self.http.json("DELETE", _user(name))

    def groups(self) -> list[Group]:
        return [models.read(Group, one) for one in self.pages("groups", None, {})]

    def group(self, name: str) -> Group:
        return models.read(Group, self.http.json("GET", _group(name)))

    def create_group(self, name: str, permissions: Sequence[str] = (), description: str = "") -> Group:
        body = {"name": name, "permissions": list(permissions), "description": description}
        return models.read(Group, self.http.json("POST", "groups", body=body))

    def edit_group(self, name: str, **changes: Any) -> Group:
        """`permissions` (all of them) and `description`."""
        return models.read(Group, self.http.json("PATCH", _group(name), body=changes))

    def delete_group(self, name: str) -> None:
        self.http.json("DELETE", _group(name))

    def set_group_members(
        self, name: str, people: Sequence[str] | str, remove: bool = False, preview: bool = False
    ) -> MembersChanged:
        """Put people into a group or take them out: a list of names, or a text (pasted, or CSV with a header)."""
        said = {"text": people} if isinstance(people, str) else {"names": list(people)}
        body = {**said, "remove": remove, "preview": preview}
        return models.read(MembersChanged, self.http.json("POST", _group(name, "members"), body=body))

    def keys(self, user: str | None = None) -> list[SshKey]:
        """One's own SSH keys, or somebody else's for those who may read them."""
        path = "me/keys" if user is None else _user(user, "keys")
        return [models.read(SshKey, one) for one in self.http.json("GET", path)["items"]]

    def add_key(self, name: str, key: str) -> SshKey:
        """`key` is the line of a `.pub` file."""
        return models.read(SshKey, self.http.json("POST", "me/keys", body={"name": name, "key": key}))

    def delete_key(self, key_id: str) -> None:
        self.http.json("DELETE", f"me/keys/{segment(key_id)}")

    def tokens(self) -> list[Token]:
        return [models.read(Token, one) for one in self.pages("tokens", None, {})]

    def create_token(self, name: str, scopes: Sequence[str] = (), expires_in: str | None = None) -> Token:
        """A token with its `secret`, which is shown this once."""
        body: dict[str, Any] = {"name": name}
        if scopes:
            body["scopes"] = list(scopes)
        if expires_in:
            body["expires_in"] = expires_in
        return models.read(Token, self.http.json("POST", "tokens", body=body))

    def delete_token(self, token_id: str) -> None:
        self.http.json("DELETE", f"tokens/{segment(token_id)}")

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError


def _user(name: str, *rest: str) -> str:
    return "/".join(["users", segment(name), *rest])


def _group(name: str, *rest: str) -> str:
    return "/".join(["groups", segment(name), *rest])
