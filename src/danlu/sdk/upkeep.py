"""Moving nodes, closing them and opening them again, as methods of the client."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, TypeVar

from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http

T = TypeVar("T")


@dataclass(frozen=True)
class NodeMoved:
    """What a move does, or would do. Of jobs there are `owner` and `class`, and `job_id` and `name` of those one may
    read; of running ones also whether the pool has `served` their class."""

    nodes: tuple[Mapping[str, str], ...] = ()
    running: tuple[Mapping[str, Any], ...] = ()
    waiting: tuple[Mapping[str, Any], ...] = ()
    flavors_lost: tuple[str, ...] = ()
    flavors_gained: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeOutcome:
    """What came of an act for one of several nodes; `error` says why not."""

    name: str
    ok: bool = False
    error: str | None = None


@dataclass(frozen=True)
class NodesDrained:
    """Nodes that must be empty by a time, and the jobs on them, each with whether it `ends_by_itself` before."""

    nodes: tuple[str, ...] = ()
    jobs: tuple[Mapping[str, Any], ...] = ()
    drain_by: str = ""


@dataclass(frozen=True)
class Maintenance:
    """A time during which nodes take no jobs; `state` is planned, now or past."""

    name: str
    start: str = ""
    end: str = ""
    nodes: tuple[str, ...] = ()
    pool: str | None = None
    description: str = ""
    state: str = ""


class Upkeep:
    """What administrators do to nodes. Times are RFC 3339 or milliseconds since 1970."""

    http: Http

    def move_nodes(self, nodes: Sequence[str], pool: str, preview: bool = False) -> NodeMoved:
        """Move nodes to a pool, all or none; a preview only tells what that would do."""
        return _read(NodeMoved, self._told("move", {"nodes": list(nodes), "pool": pool, "preview": preview}))

    def cordon_nodes(
        self, nodes: Sequence[str], cordoned: bool = True, note: str | None = None
    ) -> list[NodeOutcome]:
        """Start nothing more on nodes, or open them again, which also ends a drain."""
        body: dict[str, Any] = {"nodes": list(nodes), "cordoned": cordoned}
        if note is not None:
            body["note"] = note
        return [_read(NodeOutcome, one) for one in self._told("cordon", body)["items"]]

    def drain_nodes(
        self, nodes: Sequence[str], deadline: str, note: str = "", preview: bool = False
    ) -> NodesDrained:
        """Cordon nodes; what still runs there after a time such as `30m` gives way and queues again."""
        body = {"nodes": list(nodes), "deadline": deadline, "note": note, "preview": preview}
        return _read(NodesDrained, self._told("drain", body))

    def maintenance(self) -> list[Maintenance]:
        return [_read(Maintenance, one) for one in self.pages("maintenance", None, {})]

    def one_maintenance(self, name: str) -> Maintenance:
        return _read(Maintenance, self.http.json("GET", f"maintenance/{segment(name)}"))

    def create_maintenance(self, name: str, start: str | int, end: str | int, **keys: Any) -> Maintenance:
        """`nodes`, `pool` or both say where; `description`."""
        body = {"name": name, "start": start, "end": end, **keys}
        return _read(Maintenance, self.http.json("POST", "maintenance", body=body))

    def preview_maintenance(self, start: str | int, end: str | int, **keys: Any) -> NodesDrained:
        """Which nodes it would close, and the jobs that run there now; `nodes`, `pool`."""
        body = {"start": start, "end": end, **keys}
        return _read(NodesDrained, self.http.json("POST", "maintenance/preview", body=body, harmless=True))

    def edit_maintenance(self, name: str, **changes: Any) -> Maintenance:
        """`start`, `end`, `nodes`, `pool` (None takes it away), `description`."""
        return _read(Maintenance, self.http.json("PATCH", f"maintenance/{segment(name)}", body=changes))

    def delete_maintenance(self, name: str) -> None:
        """Call it off, or end it."""
        self.http.json("DELETE", f"maintenance/{segment(name)}")

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def _told(self, act: str, body: Mapping[str, Any]) -> dict[str, Any]:
        done: dict[str, Any] = self.http.json("POST", f"nodes/{act}", body=dict(body))
        return done


def _read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Unknown fields are ignored, missing ones take their defaults, lists become tuples."""
    known = {one.name: data[one.name] for one in fields(kind) if data.get(one.name) is not None}  # type: ignore[arg-type]
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in known.items()})
