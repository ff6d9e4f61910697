"""Answers about people that are more than a copy, as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.control.people.accounts import Invitation
from danlu.domain.members import MemberRole
from danlu.domain.people import Session, User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Group
from danlu.server.http.answering import Json
from danlu.server.people import models


def session(who: User, session: Session | None) -> Json:
    return {
        "user": models.User.render(who),
        "csrf": session.csrf if session else "",
        "must_set_password": who.password_hash is None and not who.subject,
    }


def invited(one: Invitation, url: str) -> Json:
    return {"user": models.User.render(one.user), **models.SignInAddress.render(one, url=url)}


def me(caller: Caller, groups: Mapping[str, Group]) -> Json:
    return {
        "user": models.User.render(caller.user),
        "permissions": [one.value for one in Permission if caller.may(one)],
        "everywhere": [one.value for one in Permission if caller.may_everywhere(one)],
        "groups": [models.OwnGroup.render(groups.get(name) or Group(name)) for name in caller.user.groups],
        "projects": _projects(caller.projects),
    }


def _projects(roles: Mapping[str, MemberRole]) -> list[Json]:
    return [{"project": project, "role": role.value} for project, role in sorted(roles.items())]
