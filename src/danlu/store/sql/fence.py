"""The fence: writes of a former leader are refused."""

from __future__ import annotations

from sqlalchemy import Connection, select

from danlu.domain.errors import NotLeader
from danlu.domain.words import say
from danlu.store.sql.schema import leases

CONTROL = "control"
"""The name of the only lease."""

_EPOCH = select(leases.c.epoch).where(leases.c.name == CONTROL)
# Shared by all writers of one leader; a controller that takes over waits until they are done.
_HELD = {"sqlite": _EPOCH, "postgresql": _EPOCH.with_for_update(read=True)}


def must_lead(connection: Connection, epoch: int) -> None:
    """NotLeader unless this is the current epoch; it then stays so until the transaction is over."""
    leading = connection.execute(_HELD[connection.dialect.name]).scalar()
    if leading != epoch:
        raise NotLeader(
            say(
                "another controller is the leader now (epoch {leading}; this one led epoch {epoch}), so nothing was "
                "written",
                "另一个控制端已成为主控（任期 {leading}，此控制端的任期为 {epoch}），没有写入任何内容",
                leading=leading,
                epoch=epoch,
            )
        )
