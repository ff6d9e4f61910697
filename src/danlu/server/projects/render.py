"""Projects, their members and what people ask for, as the JSON that clients get."""

from __future__ import annotations

from danlu.control.projects.members import Listed
from danlu.control.queue.standing import Standing
from danlu.domain.members import MemberRole
from danlu.domain.quantity import show_time
from danlu.domain.requests import Request
from danlu.domain.rules import JOBS, MEMORY, TASKS, UNLIMITED, Project
from danlu.files.quantities import plain_number
from danlu.scheduler.standing import Share
from danlu.server.http.answering import Json, instant, moment
from danlu.server.rules.render import rule

_AS_THEY_ARE = frozenset({MEMORY, JOBS, TASKS})


def project(one: Project, members: int, role: MemberRole | None) -> Json:
    return {**rule(one), "members": members, "my_role": role}


def member(one: Listed) -> Json:
    belongs = one.membership
    return {
        "user": belongs.user,
        "display_name": one.display_name,
        "role": belongs.role,
        "since": instant(belongs.since),
        "by": belongs.by,
    }


def standing(one: Standing) -> Json:
    return {
        "at": instant(one.at),
        "project": one.project.name,
        "weight": one.project.weight,
        "account": one.project.account,
        "amounts": [_share(each) for each in one.shares],
        "running": one.running,
        "queued": one.queued,
    }


def request(one: Request, *, can_decide: bool) -> Json:
    return {
        "id": one.id,
        "kind": one.kind,
        "user": one.user,
        "subject": one.subject,
        "note": one.note,
        "asked": _asked(one),
        "state": one.state,
        "created_at": instant(one.created_at),
        "decided_by": one.decided_by or None,
        "decided_at": moment(one.decided_at),
        "answer": one.answer,
        "can_decide": can_decide,
    }


def _share(one: Share) -> Json:
    def shown(amount: int | None) -> float | None:
        return None if amount is None else _number(one.resource, amount)

    return {
        "resource": one.resource,
        "held": shown(one.held),
        "queued": shown(one.queued),
        "guarantee": shown(one.guarantee),
        "cap": shown(one.cap),
        "deserved": shown(one.deserved),
        "level": one.held / one.deserved if one.deserved else None,
    }


def _asked(one: Request) -> Json | None:
    if not one.asked:
        return None
    amounts = {
        within: {
            name: None if amount == UNLIMITED else _number(name, amount) for name, amount in counted.items()
        }
        for within, counted in one.asked["amounts"].items()
    }
    return {"amounts": amounts, "life": show_time(one.asked["life"])}


def _number(resource: str, amount: int) -> int | float:
    return amount if resource in _AS_THEY_ARE else plain_number(amount)
