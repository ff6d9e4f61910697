"""Database errors, translated into Danlu's own."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from danlu.domain.errors import DanluError, DiskFull, StoreBusy, Unavailable
from danlu.domain.words import Words, say

_BUSY = Words("Another process kept the database locked; try again shortly", "数据库一直被占用，请稍后重试")
_FULL = Words(
    "The database's disk is full: free some space. Nothing was lost and nothing was half written",
    "数据库所在磁盘已满，请腾出空间；没有数据丢失，也没有写入一半的数据",
)

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_PG_FULL = "53100"
# 25P03: this process paused in the middle of a transaction, for example on an overloaded machine.
_PG_BUSY = {"25P03", "40001", "40P01", "55P03", "53300"}


def translate(error: SQLAlchemyError | sqlite3.Error) -> DanluError | None:
    """The Danlu error for a database error; None if it is a bug in the code."""
    if isinstance(error, sqlite3.Error):
        return _sqlite(error)
    if isinstance(error, PoolTimeout):
        return StoreBusy(
            Words(
                "All connections to the database are in use; try again shortly",
                "数据库连接已全部占用，请稍后重试",
            )
        )
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite(error.orig)
    return _postgresql(error)


def violated(error: IntegrityError) -> str:
    """What was violated, as the database names it: SQLite by columns, PostgreSQL by constraint."""
    diagnosis = getattr(error.orig, "diag", None)
    return str(diagnosis.constraint_name) if diagnosis else str(error.orig)


def _sqlite(error: sqlite3.Error) -> DanluError | None:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(_BUSY)
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(_FULL)
    if code in (
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
    ):
        return Unavailable(
            say("The database cannot be used: {error}", "数据库无法使用：{error}", error=error)
        )
    return None


def _postgresql(error: DBAPIError) -> DanluError | None:
    code = getattr(error.orig, "sqlstate", None) or ""
    if code == _PG_FULL:
        return DiskFull(_FULL)
    if code in _PG_BUSY:
        return StoreBusy(_BUSY)
    # Class 08 is the connection, 53 resources, 57P an operator, 58 the system; without a code the server
    # was never reached.
    if error.connection_invalidated or not code or code[:2] in ("08", "53", "58") or code.startswith("57P"):
        return Unavailable(
            Words(
                "The database does not answer; Danlu continues automatically once it does",
                "数据库没有响应；恢复后丹炉会自动继续",
            )
        )
    return None
