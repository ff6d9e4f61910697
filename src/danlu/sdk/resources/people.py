"""People, their groups, SSH keys and tokens."""

from __future__ import annotations

from typing import Sequence

from danlu.sdk.http.paths import segment
from danlu.sdk.models.people import (
    AnybodysToken,
    BulkOutcome,
    Group,
    Invited,
    MembersChanged,
    SignInAddress,
    SshKey,
    Token,
    User,
    UserDetail,
)
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Named, Resource, roster


class People(Resource):
    """Accounts are for administrators; keys and tokens are your own."""

    @property
    def groups(self) -> Groups:
        return Groups(self.http)

    @property
    def keys(self) -> Keys:
        return Keys(self.http)

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.http)

    def list(self, limit: int | None = None, **filters: object) -> Items[User]:
        """People by name; filter by `search`, `role`, `group`, `state` (active, invited, disabled)."""
        return [read(User, one) for one in self.http.pages("users", limit, filters)]

    def get(self, name: str) -> UserDetail:
        return read(UserDetail, self.http.json("GET", _user(name)))

    def create(self, name: str, role: str = "engineer", **more: object) -> User:
        """`password`, `display_name`, `email` and `groups` may be given."""
        return self._post(User, "users", {"name": name, "role": role, **more})

    def invite(self, name: str, role: str = "engineer", **more: object) -> Invited:
        """A new account with a link that signs in once; `display_name`, `email`, `groups` and `life` (such as `7d`) may
        be given."""
        return self._post(Invited, "users/invite", {"name": name, "role": role, **more})

    def edit(self, name: str, **changes: object) -> User:
        """`role`, `disabled`, `password`, `display_name`, `email`, `subject`, `groups`; with `disabled` also `jobs`
        (keep or stop), without which HasActiveJobs is raised when there are any."""
        return read(User, self.http.json("PATCH", _user(name), body=changes))

    def reset(self, name: str) -> SignInAddress:
        """Reset a person's password and end their sessions; the link signs them in once to choose a new one."""
        return self._post(SignInAddress, _user(name, "link"))

    def set_password(
        self, new: str, current: str | None = None, end_sessions: bool = True, end_tokens: bool = False
    ) -> None:
        """Change your own password; all browsers are signed out unless `end_sessions` is False. With `end_tokens`, all
        your tokens but the one in use are revoked."""
        body = {"new": new, "current": current, "end_sessions": end_sessions, "end_tokens": end_tokens}
        # Once changed, what was current is wrong: not to be repeated.
        self.http.json("PUT", "me/password", body=body, harmless=False)

    def edit_many(self, names: Sequence[str], act: str, **more: object) -> Items[BulkOutcome]:
        """`act` is disable (with `jobs`), enable, set_role (with `role`), add_group or remove_group (with `group`)."""
        found = self.http.json("POST", "users/bulk", body={"names": [*names], "act": act, **more})
        return [read(BulkOutcome, one) for one in found["items"]]

    def delete(self, name: str) -> None:
        self.http.json("DELETE", _user(name))


class Groups(Named[Group]):
    """Groups of people who have more permissions than their role, may use a priority class, or share a quota."""

    path, kind = "groups", Group

    def create(self, name: str, permissions: Sequence[str] = (), description: str = "") -> Group:
        return self._created(name, {"permissions": [*permissions], "description": description})

    def set_members(
        self, name: str, people: Sequence[str] | str, remove: bool = False, preview: bool = False
    ) -> MembersChanged:
        """Add people to a group or remove them: a list of names, or a text (pasted, or CSV with a header)."""
        body = {**roster(people), "remove": remove, "preview": preview}
        return self._post(MembersChanged, self._at(name, "members"), body)


class Keys(Resource):
    """SSH keys, which give access to your workspaces."""

    def list(self, user: str | None = None) -> Items[SshKey]:
        """Your own, or another person's if you may read them."""
        path = "me/keys" if user is None else _user(user, "keys")
        return [read(SshKey, one) for one in self.http.json("GET", path)["items"]]

    def create(self, name: str, key: str) -> SshKey:
        """`key` is the line of a `.pub` file."""
        return self._post(SshKey, "me/keys", {"name": name, "key": key})

    def delete(self, key_id: str) -> None:
        self.http.json("DELETE", f"me/keys/{segment(key_id)}")


class Tokens(Resource):
    """Tokens for scripts, which act in your name."""

    def list(self) -> Items[Token]:
        return [read(Token, one) for one in self.http.pages("tokens")]

    def list_all(self, user: str | None = None) -> Items[AnybodysToken]:
        """Everybody's tokens, or one person's; for administrators."""
        return [read(AnybodysToken, one) for one in self.http.pages("all-tokens", None, {"user": user})]

    def create(self, name: str, scopes: Sequence[str] = (), expires_in: str | None = None) -> Token:
        """A token with its `secret`, which is returned only once. Without `expires_in` (such as `30d`, or `never` with
        the permission token:extend) it ends with the token you use."""
        body: dict[str, object] = {"name": name}
        if scopes:
            body["scopes"] = [*scopes]
        if expires_in:
            body["expires_in"] = expires_in
        return self._post(Token, "tokens", body)

    def delete(self, token_id: str, anybodys: bool = False) -> None:
        """Revoke a token and those made with it: one of your own, or for administrators `anybodys`."""
        self.http.json("DELETE", f"{'all-tokens' if anybodys else 'tokens'}/{segment(token_id)}")


def _user(name: str, *rest: str) -> str:
    return "/".join(["users", segment(name), *rest])
