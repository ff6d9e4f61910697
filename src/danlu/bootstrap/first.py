"""The first start: an administrator, and a sign-in link for them."""

from __future__ import annotations

from contextlib import suppress

from danlu.bootstrap.parts import Parts
from danlu.domain.errors import NameTaken
from danlu.domain.people import User, UserRole
from danlu.server.http.addresses import sign_in_address

FIRST_ADMINISTRATOR = "admin"


def newcomer(parts: Parts) -> User | None:
    """The first administrator, made where there is nobody; None once they have another way in."""
    store = parts.store
    if not store.users():
        with suppress(NameTaken):  # another server was just as quick
            parts.people.make_user(FIRST_ADMINISTRATOR, UserRole.ADMINISTRATOR, "Administrator")
    admin = store.user(FIRST_ADMINISTRATOR)
    if admin is None or admin.password_hash is not None or admin.subject or admin.disabled:
        return None
    return admin


def sign_in_link(url: str, code: str | None) -> str | None:
    return sign_in_address(url, code) if code else None
