"""Sessions and sign-in links, found by the hash of their secret."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, select

from danlu.domain.job import Time
from danlu.domain.people import Session, SignInLink
from danlu.store.sql.part import Part
from danlu.store.sql.schema import sessions, sign_in_links

_ADD_SESSION = insert(sessions)
_DROP_EXPIRED = delete(sessions).where(sessions.c.expires_at <= bindparam("now"))
_SESSION = select(
    sessions.c.secret_hash, sessions.c.user, sessions.c.csrf, sessions.c.created_at, sessions.c.expires_at
).where(sessions.c.secret_hash == bindparam("hash"), sessions.c.expires_at > bindparam("now"))
_END_ALL = delete(sessions).where(sessions.c.user == bindparam("person"))
_END_ONE = _END_ALL.where(sessions.c.secret_hash == bindparam("hash"))
_END_OTHERS = _END_ALL.where(sessions.c.secret_hash != bindparam("hash"))

_ADD_LINK = insert(sign_in_links)
_THIS_LINK = sign_in_links.c.secret_hash == bindparam("hash")
_LINK = select(sign_in_links.c.secret_hash, sign_in_links.c.user, sign_in_links.c.expires_at).where(
    _THIS_LINK
)
_USE_LINK = delete(sign_in_links).where(_THIS_LINK)


class Credentials(Part):
    """Implements ports.store.CredentialStore."""

    def add_session(self, session: Session) -> None:
        with self._database.writing() as connection:
            connection.execute(_DROP_EXPIRED, {"now": session.created_at})
            connection.execute(_ADD_SESSION, [asdict(session)])

    def session(self, secret_hash: str, now: Time) -> Session | None:
        with self._database.reading() as connection:
            row = connection.execute(_SESSION, {"hash": secret_hash, "now": now}).first()
        return None if row is None else Session(*row)

    def end_sessions(self, user: str, *, secret_hash: str | None = None, keep: str | None = None) -> None:
        with self._database.writing() as connection:
            if secret_hash is not None:
                connection.execute(_END_ONE, {"person": user, "hash": secret_hash})
            elif keep is not None:
                connection.execute(_END_OTHERS, {"person": user, "hash": keep})
            else:
                connection.execute(_END_ALL, {"person": user})

    def add_link(self, link: SignInLink) -> None:
        with self._database.writing() as connection:
            connection.execute(_ADD_LINK, [asdict(link)])

    def take_link(self, secret_hash: str, now: Time) -> SignInLink | None:
        with self._database.writing() as connection:
            row = connection.execute(_LINK, {"hash": secret_hash}).first()
            # Whose delete finds the row has it: of two at once, the other finds none.
            if row is None or not connection.execute(_USE_LINK, {"hash": secret_hash}).rowcount:
                return None
        link = SignInLink(*row)
        return link if link.expires_at > now else None
