"""People, groups and keys as the JSON that clients get; `danlu.wire.people` documents it."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.control.people.accounts import Invitation, UserDetail
from danlu.control.people.bulk_accounts import Outcome
from danlu.control.people.groups import Members
from danlu.control.people.roster import Enlisted
from danlu.domain.members import MemberRole
from danlu.domain.people import SshKey
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Group
from danlu.server.render import Json, instant, user


def user_detail(one: UserDetail) -> Json:
    return {
        **user(one.user),
        "projects": _projects({member.project: member.role for member in one.projects}),
        "active_jobs": one.active_jobs,
        "keys": one.keys,
        "tokens": one.tokens,
    }


def sign_in_address(one: Invitation, url: str) -> Json:
    return {"url": url, "expires_at": instant(one.expires_at)}


def invited(one: Invitation, url: str) -> Json:
    return {"user": user(one.user), **sign_in_address(one, url)}


def outcome(one: Outcome) -> Json:
    return {"name": one.name, "ok": one.error is None, "error": one.error}


def group(one: Members) -> Json:
    return {**_group(one.group), "description": one.group.description, "members": one.count}


def group_detail(one: Members) -> Json:
    return {**group(one), "member_names": list(one.names)}


def enlisted(one: Enlisted) -> Json:
    return {
        "changed": list(one.changed),
        "already": list(one.already),
        "unknown": [{"word": stranger.word, "suggestion": stranger.suggestion} for stranger in one.unknown],
    }


def ssh_key(one: SshKey) -> Json:
    return {
        "id": one.id,
        "name": one.name,
        "type": one.type,
        "fingerprint": one.fingerprint,
        "created_at": instant(one.created_at),
    }


def me(caller: Caller, groups: Mapping[str, Group]) -> Json:
    return {
        "user": user(caller.user),
        "permissions": [one.value for one in Permission if caller.may(one)],
        "everywhere": [one.value for one in Permission if caller.may_everywhere(one)],
        "groups": [_group(groups.get(name) or Group(name)) for name in caller.user.groups],
        "projects": _projects(caller.projects),
    }


def _group(one: Group) -> Json:
    return {"name": one.name, "permissions": list(one.permissions)}


def _projects(roles: Mapping[str, MemberRole]) -> list[Json]:
    return [{"project": project, "role": role.value} for project, role in sorted(roles.items())]
