"""Sessions and sign-in links, found by the hash of their secret."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, select, update

from danlu.domain.job import Time
from danlu.domain.people import Session, SignInLink
from danlu.store.sql.part import StorePart
from danlu.store.sql.people.tokens import TOUCH_EVERY
from danlu.store.sql.schema import sessions, sign_in_links

_ADD_SESSION = insert(sessions)
_DROP_EXPIRED = delete(sessions).where(sessions.c.expires_at <= bindparam("now"))
_SESSIONS = select(
    sessions.c.secret_hash,
    sessions.c.user,
    sessions.c.csrf,
    sessions.c.created_at,
    sessions.c.expires_at,
    sessions.c.id,
    sessions.c.seen_at,
    sessions.c.agent,
    sessions.c.address,
).where(sessions.c.expires_at > bindparam("now"))
_SESSION = _SESSIONS.where(sessions.c.secret_hash == bindparam("hash"))
_OF_USER = _SESSIONS.where(sessions.c.user == bindparam("person")).order_by(
    sessions.c.seen_at.desc(), sessions.c.id.desc()
)
_TOUCH = (
    update(sessions)
    .where(sessions.c.id == bindparam("session"), sessions.c.seen_at <= bindparam("before"))
    .values(seen_at=bindparam("now"))
)
_END_ALL = delete(sessions).where(sessions.c.user == bindparam("person"))
_END_ONE = _END_ALL.where(sessions.c.secret_hash == bindparam("hash"))
_END_BY_ID = _END_ALL.where(sessions.c.id == bindparam("session"))
_END_OTHERS = _END_ALL.where(sessions.c.secret_hash != bindparam("hash"))

_ADD_LINK = insert(sign_in_links)
_THIS_LINK = sign_in_links.c.secret_hash == bindparam("hash")
_LINK = select(sign_in_links.c.secret_hash, sign_in_links.c.user, sign_in_links.c.expires_at).where(
    _THIS_LINK
)
_GOOD_LINKS = select(sign_in_links.c.secret_hash).where(
    sign_in_links.c.user == bindparam("person"), sign_in_links.c.expires_at > bindparam("now")
)
_USE_LINK = delete(sign_in_links).where(_THIS_LINK)
_DROP_LINKS = delete(sign_in_links).where(sign_in_links.c.user == bindparam("person"))


class SqlCredentials(StorePart):
    """Implements ports.accounts.CredentialStore."""

    def add_session(self, session: Session) -> None:
        with self._database.writing() as connection:
            connection.execute(_DROP_EXPIRED, {"now": session.created_at})
            connection.execute(_ADD_SESSION, [asdict(session)])

    def session(self, secret_hash: str, now: Time) -> Session | None:
        with self._database.reading() as connection:
            row = connection.execute(_SESSION, {"hash": secret_hash, "now": now}).first()
        return None if row is None else Session(*row)

    def sessions(self, user: str, now: Time) -> tuple[Session, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_OF_USER, {"person": user, "now": now})
            return tuple(Session(*row) for row in rows)

    def touch_session(self, session: Session, now: Time) -> None:
        before = now - TOUCH_EVERY
        if session.seen_at <= before:
            with self._database.writing() as connection:
                connection.execute(_TOUCH, {"session": session.id, "now": now, "before": before})

    def end_session(self, user: str, session_id: str) -> bool:
        with self._database.writing() as connection:
            return bool(connection.execute(_END_BY_ID, {"person": user, "session": session_id}).rowcount)

    def end_sessions(self, user: str, *, secret_hash: str | None = None, keep: str | None = None) -> None:
        with self._database.writing() as connection:
            if secret_hash is not None:
                connection.execute(_END_ONE, {"person": user, "hash": secret_hash})
                return
            if keep is not None:
                connection.execute(_END_OTHERS, {"person": user, "hash": keep})
            else:
                connection.execute(_END_ALL, {"person": user})
            connection.execute(_DROP_LINKS, {"person": user})

    def add_link(self, link: SignInLink, *, unless_at: Time | None = None) -> bool:
        with self._database.writing(orderly=unless_at is not None, telling=False) as connection:
            good = {"person": link.user, "now": unless_at}
            if unless_at is not None and connection.execute(_GOOD_LINKS, good).first():
                return False
            connection.execute(_ADD_LINK, [asdict(link)])
            return True

    def take_link(self, secret_hash: str, now: Time) -> SignInLink | None:
        with self._database.writing() as connection:
            row = connection.execute(_LINK, {"hash": secret_hash}).first()
            # Whose delete finds the row has it: of two at once, the other finds none.
            if row is None or not connection.execute(_USE_LINK, {"hash": secret_hash}).rowcount:
                return None
        link = SignInLink(*row)
        return link if link.expires_at > now else None
