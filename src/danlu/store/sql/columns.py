"""What all tables have in common: the collection of them, and the types of their keys."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData, Text

# Compared byte by byte on both databases, so that both sort alike and PostgreSQL compares fast.
Key = Text().with_variant(Text(collation="C"), "postgresql")
# SQLite numbers rows by itself only in a column declared INTEGER.
Seq = BigInteger().with_variant(Integer(), "sqlite")

# Indexes of some rows say which in SQLite's words only, though both databases have them: migrations make them, and
# PostgreSQL's words would load its dialect here.
metadata = MetaData()
