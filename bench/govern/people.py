"""The people, what they belong to, and what they are ruled by."""

from __future__ import annotations

from bench.govern.size import DAY, MODELS, Size, group, project, user
from danlu.domain.audit import Entry
from danlu.domain.ids import make_id
from danlu.domain.job import JobClass, Time
from danlu.domain.members import MemberRole, Membership
from danlu.domain.people import User, UserRole
from danlu.domain.quantity import GIB
from danlu.domain.requests import Request, RequestKind, RequestState
from danlu.domain.resources import Resources
from danlu.domain.rules import (
    Flavor,
    Group,
    Limit,
    Maintenance,
    NodeRule,
    Pool,
    PriorityClass,
    Project,
    Quota,
    Rule,
)
from danlu.store.sql import SqlStore

BY = Entry("admin", "", "", address="10.0.0.7", means="session")
_CARDS = (1, 2, 4, 8)


def fill_people(store: SqlStore, size: Size, now: Time) -> None:
    for number in range(size.users):
        role = UserRole.OPERATOR if number % 100 == 99 else UserRole.ENGINEER
        name, groups = user(number), (group(number % size.groups),)
        store.add_user(
            User(name, role, now - 90 * DAY, f"Person {number}", groups=groups, email=f"{name}@lab.example"),
            by=BY,
        )
    rules = list(_rules(size, now))
    named = {(rule.kind, rule.name) for rule in rules}
    store.edit_rules(
        lambda known: [*(one for one in known if (one.kind, one.name) not in named), *rules], now, by=BY
    )
    for number in range(size.projects):
        store.edit_members(project(number), lambda _, of=number: _members(size, of, now), now, by=BY)  # type: ignore[misc]


def fill_requests(store: SqlStore, size: Size, now: Time) -> None:
    """Two thirds of them are decided."""
    for number in range(size.requests):
        at, who = now - (size.requests - number) * 3_600_000, user(number % size.users)
        decided = number % 3 != 0
        state = (
            (RequestState.APPROVED if number % 2 else RequestState.REFUSED) if decided else RequestState.OPEN
        )
        join = number % 2 == 0
        asked = {} if join else {"amounts": {"all": {"gpus": 16_000}}, "life": 7 * DAY}
        store.add_request(
            Request(
                make_id(at, number % 1000), RequestKind.JOIN if join else RequestKind.QUOTA, who,
                project((number + 1) % size.projects) if join else f"user:{who}", at, "for the next paper", asked,
                state, "admin" if decided else "", at + 60_000 if decided else None,
            )
        )  # fmt: skip


def _members(size: Size, of: int, now: Time) -> list[Membership]:
    """Everybody whose home it is, and some guests; the first two made it."""
    home = [number for number in range(size.users) if number % size.projects == of]
    guests = [number for number in range(of, size.users, 7) if number % size.projects != of][:20]
    roles = dict.fromkeys(home[:2], MemberRole.CREATOR)
    return [
        Membership(project(of), user(number), roles.get(number, MemberRole.MEMBER), now - 60 * DAY, "admin")
        for number in [*home, *guests]
    ]


def _rules(size: Size, now: Time) -> list[Rule]:
    cap = {"gpus": size.nodes * 8_000}
    everything: list[Rule] = [
        *(
            Project(project(n), 1 + n % 5, {"gpus": 64_000}, cap, creator=user(n))
            for n in range(size.projects)
        ),
        *(Group(group(n), ("queue:pin",) if n == 0 else (), "A laboratory") for n in range(size.groups)),
        *(Pool(f"pool-{n:02d}", description="A rack") for n in range(10)),
        PriorityClass("urgent", 400, True, groups=(group(0),), needs_reason=True, budget_milli=5_000_000),
        *(Limit(f"limit-{n:02d}", user(n), None, JobClass.WORKSPACE, 8_000) for n in range(20)),
        *(_flavor(n) for n in range(size.flavors)),
        *(NodeRule(f"rtx3090-{n}", f"pool-{n % 10:02d}") for n in range(size.nodes_of("RTX3090"))),
        Maintenance("cooling", now + 20 * DAY, now + 21 * DAY, tuple(f"v100-{n}" for n in range(100))),
        Quota("default", {"all": {"gpus": 2_000_000, "jobs": 100_000}, "workspace": {"gpus": 16_000}}),
        *(Quota(f"group:{group(n)}", {"all": {"gpus": size.nodes * 100_000}}) for n in range(size.groups)),
        *(Quota(f"user:{user(n)}", {"single": {"gpus": 400_000}}) for n in range(size.quotas)),
    ]
    return everything


def _flavor(number: int) -> Flavor:
    cards, model = _CARDS[number % 4], MODELS[number // 4 % 4]
    wide = 1 + number // 16 % 10
    return Flavor(
        f"{model.lower()}-{cards}-{wide}", Resources(1000 * cards * wide, 8 * wide * GIB, 1000 * cards, model)
    )
