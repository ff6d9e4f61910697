"""Inserting where there may be a row already: each kind of database says it in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

    Insert = postgresql.Insert | sqlite.Insert


def insert_for(dialect: str, table: Table) -> Insert:
    """An insert that can have `on_conflict_do_…`; PostgreSQL's dialect is loaded only by those who use it.

    Statements made of it are kept by their users: making one costs as much as running it."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
