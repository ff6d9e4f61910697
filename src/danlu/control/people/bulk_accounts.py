"""Administrators' actions on many accounts at once: what can be done is done, with a result for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from danlu.control.people.accounts import Accounts, keep_an_administrator
from danlu.control.people.leaving import STOP, Leaving, has_active
from danlu.domain.errors import DanluError, FieldError, HasActiveJobs, Invalid, NotFound
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.words import Words, say
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock

_ACTS = {
    "disable": "disabled",
    "enable": "enabled",
    "set_role": "edited",
    "add_group": "edited",
    "remove_group": "edited",
}


@dataclass(frozen=True, slots=True)
class BulkAct:
    """One act on everybody named: disable (with `jobs`), enable, set_role (with `role`), add_group or remove_group
    (with `group`)."""

    act: str
    role: UserRole | None = None
    group: str | None = None
    jobs: str | None = None

    def on(self, user: User) -> User:
        if self.act in ("disable", "enable"):
            return replace(user, disabled=self.act == "disable")
        if self.act == "set_role":
            return replace(user, role=self.role or user.role)
        if self.group is None or (self.group in user.groups) is (self.act == "add_group"):
            return user
        others = tuple(name for name in user.groups if name != self.group)
        return replace(user, groups=(*others, self.group) if self.act == "add_group" else others)


@dataclass(frozen=True, slots=True)
class AccountOutcome:
    """The result for one person; no error means success."""

    name: str
    error: Words | None


class BulkAccounts:
    def __init__(self, store: PeopleStore, accounts: Accounts, leaving: Leaving, clock: Clock) -> None:
        self._store, self._accounts, self._leaving, self._clock = store, accounts, leaving, clock

    def edit(self, caller: Caller, names: Sequence[str], act: BulkAct) -> tuple[AccountOutcome, ...]:
        """One transaction for all; accounts for which it is refused stay as they are."""
        caller.require(Permission.USER_WRITE)
        _complete(act)
        wanted = tuple(dict.fromkeys(names))
        busy = self._leaving.active(wanted) if act.act == "disable" and act.jobs is None else {}
        refused: dict[str, Words] = {}

        def changed(everybody: tuple[User, ...]) -> list[User]:
            there = {user.name: user for user in everybody}
            for name in wanted:
                try:
                    there[name] = self._changed(caller, name, there, act, busy.get(name, 0))
                except DanluError as error:
                    refused[name] = error.errors[0].text if error.errors else error.text
            return [there[name] for name in wanted if name in there]

        self._store.edit_users(changed, self._clock.now(), by=caller.entry(_ACTS[act.act], ""))
        for name in wanted:
            if act.act == "disable" and name not in refused:
                self._leaving.shut_out(name, tokens=True)
                if act.jobs == STOP:
                    self._leaving.stop_jobs(caller, name)
        return tuple(AccountOutcome(name, refused.get(name)) for name in wanted)

    def _changed(self, caller: Caller, name: str, there: dict[str, User], act: BulkAct, busy: int) -> User:
        user = there.get(name)
        if user is None:
            raise NotFound(no_such("user", name))
        after = act.on(user)
        self._accounts.check_change(caller, user, after)
        keep_an_administrator(user, after, tuple(there.values()))
        if busy and not user.disabled:
            raise HasActiveJobs(has_active(name, busy))
        if act.jobs == STOP:
            caller.require(Permission.JOB_STOP, name)
        return after


def _complete(act: BulkAct) -> None:
    """Invalid if a parameter of the action is missing."""
    needed = {"set_role": "role", "add_group": "group", "remove_group": "group"}.get(act.act)
    if needed and getattr(act, needed) is None:
        raise Invalid(
            (
                FieldError(
                    (needed,),
                    "missing",
                    say("{act} needs a {needed}", "{act} 需要填写 {needed}", act=act.act, needed=needed),
                ),
            )
        )
