"""The store on SQLite and PostgreSQL."""

from danlu.store.sql.store import SqlStore

__all__ = ["SqlStore"]
