"""People as the JSON that clients get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from danlu.control.people.accounts import Invitation, UserDetail, sign_in_means
from danlu.control.people.bulk_accounts import Outcome
from danlu.control.people.groups import Members
from danlu.control.people.roster import Enlisted
from danlu.domain.members import MemberRole
from danlu.domain.people import Session, SshKey, Token, User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.preferences import Preferences
from danlu.domain.rules import Group
from danlu.server.http.answering import (
    Json,
    instant,
    moment,
)


def user(one: User) -> Json:
    return {
        "name": one.name,
        "display_name": one.display_name,
        "email": one.email,
        "role": one.role.value,
        "disabled": one.disabled,
        "groups": list(one.groups),
        "created_at": instant(one.created_at),
        "sign_in": sign_in_means(one).value,
    }


def session(who: User, session: Session | None) -> Json:
    return {
        "user": user(who),
        "csrf": session.csrf if session else "",
        "must_set_password": who.password_hash is None and not who.subject,
    }


def token(one: Token) -> Json:
    return {
        "id": one.id,
        "name": one.name,
        "scopes": list(one.scopes),
        "created_at": instant(one.created_at),
        "expires_at": moment(one.expires_at),
        "last_used_at": moment(one.last_used_at),
    }


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


def preferences(one: Preferences) -> Json:
    return {**asdict(one), "news_seen": moment(one.news_seen)}


def own_session(one: Session, here: Session | None) -> Json:
    return {
        "id": one.id,
        "created_at": instant(one.created_at),
        "seen_at": instant(one.seen_at),
        "expires_at": instant(one.expires_at),
        "agent": one.agent,
        "address": one.address,
        "current": here is not None and one.id == here.id,
    }
