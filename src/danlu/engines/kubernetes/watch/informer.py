"""A copy of one kind of things in a cluster that is kept up to date, and known to be."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import aclosing

from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable, Json

_log = logging.getLogger(__name__)

_WATCH_S = 240
_QUIET_S = 4.0
"""After this long without anything from the watch, the server's health is checked."""
_SILENCE_S = 12.0
"""After this long without anything at all, the cluster counts as unreachable."""
_MUTE_S = 90.0
"""Servers send a bookmark every minute: a watch without even that is considered dead."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.2, 10.0
_LASTING_S = 5.0
"""A watch that lasted this long was healthy: an error after it is a new one."""


class Informer:
    """Reads all objects at a path, then their changes, and calls `on_change` with the key (`namespace/name`, or
    `name`) of what changed and the object, or None once it is gone. Everything happens on the loop that runs it.

    What it guarantees:
    - Whenever `synced` is true, `objects` is what the API server had not long before `heard_at`, which is when (by the
      loop's clock) it last sent a change or a bookmark, answered the list, or said that it is well.
    - `synced` is false, and `trouble` says why, from when anything went wrong until everything was read again: a
      connection cut or refused, a version forgotten (410), a watch that ends with an error. A cluster that falls silent
      is noticed within 15 seconds. Meanwhile `objects` stays as it was last known.
    - Nothing is lost: what happened in a gap is told after it, as changes from what was known before. What vanished is
      told as gone; what was replaced by another of the same name is told as gone first.
    - Nothing is told twice: an object whose version is known is not a change.
    - Before an object is told as gone, it is told as it was last, if the server said so.

    A watch that the server ends in good order goes on from the last version heard of."""

    def __init__(
        self, api: Api, path: str, on_change: Callable[[str, Json | None], None], **params: str
    ) -> None:
        self._api, self._path, self._on_change, self._params = api, path, on_change, params
        self.objects: dict[str, Json] = {}
        self.synced = False
        self.heard_at = float("-inf")
        self.trouble = ""
        self._version = ""
        self._spoken_at = 0.0

    async def run(self) -> None:
        """Until cancelled."""
        loop, wait = asyncio.get_running_loop(), _FIRST_WAIT_S
        try:
            while True:
                began = loop.time()
                in_order = await self._follow()
                if loop.time() - began >= _LASTING_S:
                    wait = _FIRST_WAIT_S
                    if in_order:
                        continue
                await asyncio.sleep(wait * random.uniform(0.5, 1.5))
                wait = min(wait * 2, _LONGEST_WAIT_S)
        finally:
            self.synced = False

    async def _follow(self) -> bool:
        """List unless a version is known, and watch from there; whether it ended in good order."""
        try:
            if not self.synced:
                await self._list()
            await self._watch()
            return True
        except TimeoutError:
            self._lost(f"{self._api.server} stopped answering")
        except ApiError as error:
            self._lost(error.message or str(error))
        except ApiUnreachable as error:
            self._lost(str(error))
        return False

    def _lost(self, trouble: str) -> None:
        if trouble != self.trouble:
            _log.info("%s will be listed again: %s", self._path, trouble)
        self.synced, self.trouble = False, trouble

    async def _list(self) -> None:
        found, self._version = await self._api.list_(self._path, **self._params)
        self._heard()
        present = {_key(one): one for one in found}
        for key in self.objects.keys() - present.keys():
            self._gone(key)
        for key, one in present.items():
            self._here(key, one)
        self.synced, self.trouble = True, ""

    async def _watch(self) -> None:
        lasting = {"timeoutSeconds": str(random.randint(_WATCH_S, _WATCH_S + 60))}
        changes = self._api.watch(self._path, self._version, **self._params, **lasting)
        async with asyncio.timeout(_SILENCE_S) as patience, aclosing(changes):
            self._spoken_at = asyncio.get_running_loop().time()
            nurse = asyncio.create_task(self._nurse(patience))
            try:
                async for change in changes:
                    self._take(change["type"], change["object"])
            finally:
                nurse.cancel()

    async def _nurse(self, patience: asyncio.Timeout) -> None:
        """Extend the deadline while the watch sends something, or the health check is answered."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_QUIET_S / 2)
            now = loop.time()
            if now - self._spoken_at > _MUTE_S:
                patience.reschedule(loop.time())
                return
            if now - self.heard_at >= _QUIET_S:
                try:
                    await self._api.pulse()
                except (ApiError, ApiUnreachable) as error:
                    self.trouble = str(error)
                    continue
                self.heard_at = loop.time()
            if patience.expired():
                return
            patience.reschedule(self.heard_at + _SILENCE_S)

    def _take(self, kind: str, one: Json) -> None:
        self._heard()
        self._version = one["metadata"]["resourceVersion"]
        if kind in ("ADDED", "MODIFIED"):
            self._here(_key(one), one)
        elif kind == "DELETED":
            key = _key(one)
            self._here(key, one)
            self._gone(key)

    def _heard(self) -> None:
        self.heard_at = self._spoken_at = asyncio.get_running_loop().time()

    def _here(self, key: str, one: Json) -> None:
        metadata = one["metadata"]
        known = self.objects.get(key)
        if known is not None:
            if known["metadata"]["resourceVersion"] == metadata["resourceVersion"]:
                return
            if known["metadata"].get("uid") != metadata.get("uid"):
                self._gone(key)
        # managedFields is half of an object, and nothing here uses it.
        metadata.pop("managedFields", None)
        self.objects[key] = one
        self._on_change(key, one)

    def _gone(self, key: str) -> None:
        del self.objects[key]
        self._on_change(key, None)


def _key(one: Json) -> str:
    metadata = one["metadata"]
    namespace = metadata.get("namespace")
    return f"{namespace}/{metadata['name']}" if namespace else str(metadata["name"])
