"""People: accounts, permissions and sign-in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.people.accounts import Accounts
from danlu.control.people.bulk_accounts import BulkAccounts
from danlu.control.people.groups import Groups
from danlu.control.people.leaving import Leaving
from danlu.control.people.passwords import Passwords
from danlu.control.people.provider_sign_in import ProviderSignIn
from danlu.control.people.sign_in import Authentication
from danlu.control.people.ssh_keys import Keys
from danlu.control.people.token_oversight import TokenOversight
from danlu.control.people.whom import Administrators
from danlu.domain.permissions import Caller


@dataclass(frozen=True, slots=True)
class PeopleRoom:
    sign_in: Authentication
    provider_sign_in: ProviderSignIn
    accounts: Accounts
    bulk_accounts: BulkAccounts
    groups: Groups
    ssh_keys: Keys
    token_oversight: TokenOversight
    administrators: Administrators


def build(
    on: Foundation,
    sign_in: Authentication,
    passwords: Passwords,
    stop: Callable[[Caller, str], object],
    link_life: int,
) -> PeopleRoom:
    """`stop` ends a job of somebody who leaves."""
    store, clock, registry = on.store, on.clock, on.registry
    leaving = Leaving(store, stop)
    accounts = Accounts(store, sign_in, passwords, clock, leaving, registry.groups, link_life)
    return PeopleRoom(
        sign_in=sign_in,
        provider_sign_in=ProviderSignIn(store, sign_in, clock),
        accounts=accounts,
        bulk_accounts=BulkAccounts(store, accounts, leaving, clock),
        groups=Groups(registry, store, clock),
        ssh_keys=Keys(store, clock, on.ids),
        token_oversight=TokenOversight(store, clock, registry.groups),
        administrators=Administrators(store.users, clock),
    )
