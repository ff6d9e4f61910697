"""What goes with an account or a project, in the same transaction: each part of the store says so itself.

@when_person_goes
def forget_person(connection, user, now, by): ...
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from danlu.domain.audit import Entry
from danlu.domain.job import Time

Forget = Callable[[Connection, str, Time, Entry], None]
"""Of whom or what is gone, when, and as whose act it is noted."""

_of_person: list[Forget] = []
_of_project: list[Forget] = []


def when_person_goes(forget: Forget) -> Forget:
    _of_person.append(forget)
    return forget


def when_project_goes(forget: Forget) -> Forget:
    _of_project.append(forget)
    return forget


def person_gone(connection: Connection, user: str, now: Time, by: Entry) -> None:
    for forget in _of_person:
        forget(connection, user, now, by)


def project_gone(connection: Connection, project: str, now: Time, by: Entry) -> None:
    for forget in _of_project:
        forget(connection, project, now, by)
