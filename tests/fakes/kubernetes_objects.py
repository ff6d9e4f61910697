"""The objects that a small API server keeps: by kind and name, with versions, and what changed when."""

from __future__ import annotations

import copy
import json
import threading
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]
_KEPT = 20_000


class Cluster:
    """The objects of a cluster by kind and key (`namespace/name`, or `name`), and what changed when."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.version = 1000
        self.forgotten = 1000
        self.objects: dict[str, dict[str, Json]] = {}
        self.history: deque[tuple[int, str, str, str, bytes]] = deque()
        self.listeners: list[Callable[[str, str, str, Json], None]] = []
        self._pages: dict[str, tuple[int, list[Json]]] = {}

    def on_change(self, listener: Callable[[str, str, str, Json], None]) -> None:
        """Called with (type, kind, key, object) after every change, with the lock held: be quick."""
        self.listeners.append(listener)

    def put(self, kind: str, one: Json) -> Json:
        """Create or replace; answers what is kept."""
        with self.lock:
            metadata = one.setdefault("metadata", {})
            key = key_of(one)
            known = self.objects.setdefault(kind, {}).get(key)
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            before = known["metadata"] if known else {"uid": str(uuid.uuid4()), "creationTimestamp": now}
            for name in ("uid", "creationTimestamp"):
                metadata.setdefault(name, before[name])
            self._tell("MODIFIED" if known else "ADDED", kind, key, one)
            self.objects[kind][key] = one
            return one

    def change(self, kind: str, key: str, patch: Json) -> Json | None:
        """A JSON merge patch; None when there is no such object."""
        with self.lock:
            known = self.get(kind, key)
            return None if known is None else self.put(kind, merged(known, patch))

    def remove(self, kind: str, key: str) -> Json | None:
        with self.lock:
            one = self.objects.get(kind, {}).pop(key, None)
            if one is not None:
                one = copy.deepcopy(one)
                self._tell("DELETED", kind, key, one)
            return one

    def get(self, kind: str, key: str) -> Json | None:
        with self.lock:
            return self.objects.get(kind, {}).get(key)

    def all(self, kind: str, namespace: str = "") -> list[Json]:
        with self.lock:
            found = self.objects.get(kind, {})
            return [found[key] for key in sorted(found) if not namespace or key.startswith(namespace + "/")]

    def forget(self) -> None:
        """Changes up to now are forgotten, as by a compaction: who asks for them is told 410."""
        with self.lock:
            self.history.clear()
            self._pages.clear()
            self.forgotten = self.version

    def page(self, found: list[Json], limit: int, token: str) -> tuple[list[Json], str, int] | None:
        """A page of a list as it was when the first page was read, what continues it, and that version."""
        with self.lock:
            if token and token not in self._pages:
                return None
            version, rest = self._pages.pop(token) if token else (self.version, found)
            if not limit or len(rest) <= limit:
                return rest, "", version
            following = str(uuid.uuid4())
            self._pages[following] = (version, rest[limit:])
            return rest[:limit], following, version

    def _tell(self, change: str, kind: str, key: str, one: Json) -> None:
        self.version += 1
        one["metadata"]["resourceVersion"] = str(self.version)
        line = json.dumps({"type": change, "object": one}).encode() + b"\n"
        self.history.append((self.version, change, kind, key, line))
        if len(self.history) > _KEPT:
            self.forgotten = self.history.popleft()[0]
        for listener in self.listeners:
            listener(change, kind, key, one)


def key_of(one: Json) -> str:
    metadata = one["metadata"]
    return "/".join(filter(None, (metadata.get("namespace"), metadata["name"])))


def merged(known: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    known = dict(known) if isinstance(known, dict) else {}
    for name, value in patch.items():
        if value is None:
            known.pop(name, None)
        else:
            known[name] = merged(known.get(name), value)
    return known


def selects(query: Mapping[str, str], one: Json) -> bool:
    """Labels by `a=b` or `a`, fields by `path=value` or `path!=value`, joined by commas."""
    labels = one["metadata"].get("labels") or {}
    for term in filter(None, query.get("labelSelector", "").split(",")):
        name, given, value = term.partition("=")
        if name not in labels or (given and labels[name] != value.lstrip("=")):
            return False
    for term in filter(None, query.get("fieldSelector", "").split(",")):
        field, _, value = term.partition("=")
        found: Any = one
        for step in field.rstrip("!").split("."):
            found = (found or {}).get(step)
        if ((found or "") == value) == field.endswith("!"):
            return False
    return True
