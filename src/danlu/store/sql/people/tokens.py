"""Tokens: scripts' keys, found by the hash of their secret."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import NameTaken
from danlu.domain.job import Time
from danlu.domain.people import Token
from danlu.domain.words import say
from danlu.store.sql import audit_log
from danlu.store.sql.codec import dump
from danlu.store.sql.database import Database
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import tokens

TOUCH_EVERY: Time = 60_000
_REMEMBERED = 10_000

_ADD = insert(tokens)
_TOKENS = select(
    tokens.c.id,
    tokens.c.user,
    tokens.c.name,
    tokens.c.secret_hash,
    tokens.c.created_at,
    tokens.c.scopes,
    tokens.c.expires_at,
    tokens.c.last_used_at,
    tokens.c.parent,
)
_BY_HASH = _TOKENS.where(
    tokens.c.secret_hash == bindparam("hash"),
    or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > bindparam("now")),
)
_EVERY = _TOKENS.order_by(tokens.c.created_at, tokens.c.id)
_OF_USER = _EVERY.where(tokens.c.user == bindparam("person"))
_REMOVE = delete(tokens).where(tokens.c.id == bindparam("token"))
_DROP_EXPIRED = delete(tokens).where(
    tokens.c.user == bindparam("person"),
    tokens.c.name == bindparam("called"),
    tokens.c.expires_at <= bindparam("now"),
)
_TOUCH = (
    update(tokens)
    .where(tokens.c.id == bindparam("token"))
    .where(or_(tokens.c.last_used_at.is_(None), tokens.c.last_used_at <= bindparam("before")))
    .values(last_used_at=bindparam("now"))
)


class SqlTokens(StorePart):
    """Implements ports.accounts.TokenStore."""

    def __init__(self, database: Database, epoch: int | None = None) -> None:
        super().__init__(database, epoch)
        self._touched: dict[str, Time] = {}  # spares a busy token a write per request

    def add_token(self, token: Token, *, by: Entry | None = None) -> None:
        try:
            with self._database.writing(orderly=by is not None, telling=False) as connection:
                gone = {"person": token.user, "called": token.name, "now": token.created_at}
                connection.execute(_DROP_EXPIRED, gone)
                connection.execute(_ADD, [{**asdict(token), "scopes": dump(token.scopes)}])
                if by is not None:
                    after = {
                        "token": token.name,
                        "scopes": list(token.scopes),
                        "expires_at": token.expires_at,
                    }
                    entry = replace(by, subject=f"user:{token.user}", after=after)
                    audit_log.append(connection, [entry], token.created_at)
        except IntegrityError as error:
            raise NameTaken(
                say(
                    "{user} already has a token named {name}: choose another name or revoke that token",
                    "{user} 已有名为 {name} 的令牌：请换一个名称，或删除那个令牌",
                    user=token.user,
                    name=token.name,
                )
            ) from error

    def token(self, secret_hash: str, now: Time) -> Token | None:
        with self._database.reading() as connection:
            row = connection.execute(_BY_HASH, {"hash": secret_hash, "now": now}).first()
        return None if row is None else _token(row)

    def tokens(self, user: str) -> tuple[Token, ...]:
        with self._database.reading() as connection:
            return tuple(map(_token, connection.execute(_OF_USER, {"person": user})))

    def all_tokens(self) -> tuple[Token, ...]:
        with self._database.reading() as connection:
            return tuple(map(_token, connection.execute(_EVERY)))

    def remove_token(
        self, user: str, token_id: str, now: Time = 0, *, by: Entry | None = None, alone: bool = False
    ) -> bool:
        with self._database.writing(orderly=by is not None, telling=False) as connection:
            known = tuple(map(_token, connection.execute(_OF_USER, {"person": user})))
            gone = [one for one in known if one.id == token_id]
            for parent in gone if not alone else ():  # grows as it goes
                gone.extend(one for one in known if one.parent == parent.id)
            _remove(connection, gone, now, by)
        return bool(gone)

    def remove_tokens(
        self, user: str, keep: str | None = None, now: Time = 0, *, by: Entry | None = None
    ) -> None:
        with self._database.writing(orderly=by is not None, telling=False) as connection:
            known = map(_token, connection.execute(_OF_USER, {"person": user}))
            _remove(connection, [one for one in known if one.id != keep], now, by)

    def touch_token(self, token_id: str, now: Time) -> None:
        if now - self._touched.get(token_id, -TOUCH_EVERY) < TOUCH_EVERY:
            return
        with self._database.writing() as connection:
            connection.execute(_TOUCH, {"token": token_id, "now": now, "before": now - TOUCH_EVERY})
        if len(self._touched) >= _REMEMBERED:
            self._touched.clear()
        self._touched[token_id] = now


def _token(row: Sequence[Any]) -> Token:
    id_, user, name, secret_hash, created_at, scopes, expires_at, last_used_at, parent = row
    scoped = tuple(json.loads(scopes))
    return Token(id_, user, name, secret_hash, created_at, scoped, expires_at, last_used_at, parent)


def _remove(connection: Connection, gone: Sequence[Token], now: Time, by: Entry | None) -> None:
    if not gone:
        return
    connection.execute(_REMOVE, [{"token": one.id} for one in gone])
    if by is not None:
        notes = [replace(by, subject=f"user:{one.user}", before={"token": one.name}) for one in gone]
        audit_log.append(connection, notes, now)
