"""Public keys that open people's workspaces."""

from __future__ import annotations

from dataclasses import asdict, replace

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NameTaken
from danlu.domain.job import Time
from danlu.domain.people import SshKey
from danlu.domain.words import say
from danlu.store.sql import audit_log
from danlu.store.sql.faults import violated
from danlu.store.sql.forgetting import when_person_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import ssh_keys

_INSERT = insert(ssh_keys)
_OF_USER = (
    select(*ssh_keys.c)
    .where(ssh_keys.c.user == bindparam("person"))
    .order_by(ssh_keys.c.created_at, ssh_keys.c.id)
)
_ONE = select(ssh_keys.c.name, ssh_keys.c.fingerprint).where(
    ssh_keys.c.user == bindparam("person"), ssh_keys.c.id == bindparam("key")
)
_REMOVE_ALL = delete(ssh_keys).where(ssh_keys.c.user == bindparam("person"))
_REMOVE = _REMOVE_ALL.where(ssh_keys.c.id == bindparam("key"))


class SqlSshKeys(StorePart):
    """Implements ports.governance.KeyStore."""

    def add_key(self, key: SshKey, now: Time, *, by: Entry) -> None:
        entry = replace(by, subject=f"user:{key.user}", after=_shown(key.name, key.fingerprint))
        try:
            with self._database.writing(orderly=True, telling=False) as connection:
                connection.execute(_INSERT, [asdict(key)])
                audit_log.append(connection, [entry], now)
        except IntegrityError as error:
            if "fingerprint" in violated(error):
                raise Conflict(
                    say(
                        "this key ({fingerprint}) is already registered; use another one",
                        "该密钥（{fingerprint}）已被使用，请换一个",
                        fingerprint=key.fingerprint,
                    )
                ) from error
            raise NameTaken(
                say(
                    "{user} already has a key named {name}: choose another name or remove that key",
                    "{user} 已有名为 {name} 的密钥：请换一个名称，或删除那个密钥",
                    user=key.user,
                    name=key.name,
                )
            ) from error

    def keys(self, user: str) -> tuple[SshKey, ...]:
        with self._database.reading() as connection:
            return tuple(SshKey(*row) for row in connection.execute(_OF_USER, {"person": user}))

    def remove_key(self, user: str, key_id: str, now: Time, *, by: Entry) -> bool:
        this = {"person": user, "key": key_id}
        with self._database.writing(orderly=True, telling=False) as connection:
            row = connection.execute(_ONE, this).first()
            if row is None:
                return False
            connection.execute(_REMOVE, this)
            entry = replace(by, subject=f"user:{user}", before=_shown(row.name, row.fingerprint))
            audit_log.append(connection, [entry], now)
        return True


@when_person_goes
def forget_person(connection: Connection, user: str, now: Time, by: Entry) -> None:
    """Remove the keys of a deleted account."""
    keys = [SshKey(*row) for row in connection.execute(_OF_USER, {"person": user})]
    if not keys:
        return
    connection.execute(_REMOVE_ALL, {"person": user})
    gone = replace(by, act="key_removed", subject=f"user:{user}")
    entries = [replace(gone, before=_shown(key.name, key.fingerprint)) for key in keys]
    audit_log.append(connection, entries, now)


def _shown(name: str, fingerprint: str) -> dict[str, str]:
    return {"key": name, "fingerprint": fingerprint}
