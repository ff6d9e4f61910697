"""Rules without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from danlu.domain.audit import Entry
from danlu.domain.members import Membership
from danlu.domain.people import User
from danlu.domain.rules import Rule


class FakeRules:
    """As much of a store as the registry asks for."""

    def __init__(self, *rules: Rule, people: Iterable[User] = ()) -> None:
        self.kept, self.reads = tuple(rules), 0
        self.acts: list[tuple[str, int]] = []
        self.joined: list[Membership] = []
        self._people = {user.name: user for user in people}

    def rules(self) -> tuple[Rule, ...]:
        self.reads += 1
        return self.kept

    def edit_rules(
        self,
        change: Callable[[tuple[Rule, ...]], Iterable[Rule]],
        now: int,
        *,
        by: Entry,
        joining: Membership | None = None,
    ) -> tuple[Rule, ...]:
        self.kept = tuple(change(self.kept))
        self.joined += [joining] if joining else []
        self.acts.append((by.by, now))
        return self.kept

    def user(self, name: str) -> User | None:
        return self._people.get(name)

    add_user: Any = None
    uid: Any = None
    users: Any = None
    user_of_subject: Any = None
    edit_user: Any = None
    edit_users: Any = None
