"""Brings the database to the version of this code, and refuses one from the future."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from danlu.domain.errors import Unavailable
from danlu.domain.words import say
from danlu.store.sql.database import Database
from danlu.store.sql.schema import HEAD

_VERSION = text("SELECT version_num FROM alembic_version")


def upgrade(database: Database) -> None:
    """Leave a database at HEAD. One that is there already costs a SELECT and does not load Alembic."""
    with database.reading() as connection:
        if _version(connection) == HEAD:
            return
    with database.migrating() as connection:
        _migrate(connection)  # somebody else may have done it meanwhile: then it does nothing


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(_VERSION).scalar()
    if version is not None and version > HEAD:
        raise Unavailable(
            say(
                "The database was written by a newer Danlu (schema {version}; this one supports up to {known}): "
                "install that version, or restore a backup made before the upgrade",
                "数据库由更新版本的丹炉写入（结构版本 {version}，此版本最高支持 {known}）：请安装该版本，"
                "或使用升级前的数据副本",
                version=version,
                known=HEAD,
            )
        )
    return version


def _migrate(connection: Connection) -> None:
    # Loaded only here: it costs more than all the rest of opening a database.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "danlu.store.sql:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
