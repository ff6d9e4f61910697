"""The nodes as the leader sees them: one JSON document each, written when it differs."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sqlalchemy import Executable, bindparam, delete, select

from danlu.domain.node import Node
from danlu.store.sql.codec import dump, load_node
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import nodes
from danlu.store.sql.upsert import insert_for

_ALL = select(nodes.c.name, nodes.c.data).order_by(nodes.c.name)
_DELETE = delete(nodes).where(nodes.c.name == bindparam("gone"))


@functools.cache
def _put(dialect: str) -> Executable:
    insert = insert_for(dialect, nodes)
    return insert.on_conflict_do_update(index_elements=["name"], set_={"data": insert.excluded.data})


# Nearly all of them are as they were when they were last read.
_load = functools.lru_cache(maxsize=16_384)(load_node)


class SqlNodes(StorePart):
    """Implements ports.store.NodeStore."""

    def nodes(self) -> tuple[Node, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_ALL).all()
        return tuple(_load(data) for _, data in rows)

    def keep_nodes(self, nodes: Sequence[Node]) -> None:
        wanted = {node.name: dump(node) for node in nodes}
        with self._writing() as connection:
            known = {row.name: row.data for row in connection.execute(_ALL)}
            changed = [
                {"name": name, "data": data} for name, data in wanted.items() if known.get(name) != data
            ]
            if changed:
                connection.execute(_put(connection.dialect.name), changed)
            if gone := [{"gone": name} for name in known if name not in wanted]:
                connection.execute(_DELETE, gone)
