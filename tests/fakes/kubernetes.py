"""A small API server of a cluster on loopback: real HTTP, lists in pages, watches, and every way it can let us down.

It knows no rules about objects, but for how pods are deleted. What runs pods is left to whoever listens
(`Cluster.on_change`). It lives on a thread of its own and may be changed from any other."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from tests.fakes.kubernetes_objects import Cluster, Json, key_of, merged, selects
from tests.fakes.loop_time import LoopTime

__all__ = ["ApiServer", "Cluster", "Fault", "Json", "key_of", "merged", "parsed"]


@dataclass(frozen=True)
class Fault:
    """An answer in place of the true one: a refusal, another body, or a cut connection."""

    status: int = 0
    reason: str = ""
    retry_after: int | None = None
    body: bytes | None = None
    cut: bool = False


class ApiServer:
    """Serves a cluster. `faults` by what was asked (`list pods`, `watch nodes`, `get readyz`) are used up in turn."""

    def __init__(self, cluster: Cluster | None = None, time: LoopTime | None = None) -> None:
        self.cluster, self._time = cluster or Cluster(), time
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.headers: list[dict[str, str]] = []
        self.logs: dict[str, list[bytes]] = {}
        """By key of a pod: what its log is streamed in; the connection is cut where a piece is empty."""
        self.forbidden: set[str] = set()
        """What reviews of access say no to, as `create pods`; it is done all the same."""
        self.version = "v1.30.0"
        self.bookmark_s = 60.0
        self.url = ""
        self._port = 0
        self._awake = asyncio.Event()
        self._watches: dict[web.StreamResponse, _Watch] = {}
        self._open: set[asyncio.Transport] = set()
        self._loop = time.loop() if time else asyncio.new_event_loop()
        self._runner: web.AppRunner | None = None
        self._listener: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="api-server", daemon=True)
        self._thread.start()
        self.cluster.on_change(self._changed)
        self.start()

    def start(self) -> None:
        """Listen again, on the same port, after `stop`."""
        self._do(self._start())

    def stop(self) -> None:
        """Gone with all its connections, as when it is restarted."""
        self._do(self._stop())

    def close(self) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self, last: bytes = b"") -> None:
        """Cut every connection, after `last` words on each watch."""
        self._do(self._cut(last))

    def end_watches(self) -> None:
        """End every watch in good order."""
        self._do(self._end_watches())

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Connections stay and new ones are taken, but nothing is answered or sent, as in a partition."""
        self._loop.call_soon_threadsafe(self._awake.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._awake.set)

    def asked(self, what: str) -> list[dict[str, str]]:
        """The parameters of every such request, in order."""
        return [params for one, params in list(self.requests) if one == what]

    def _do(self, coroutine: Any) -> Any:
        done = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        if self._time is not None:
            self._time.until(done.done)
        return done.result(timeout=30)

    async def _start(self) -> None:
        self._awake.set()
        application = web.Application(client_max_size=1 << 24)
        application.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(
            application, shutdown_timeout=0.1, access_log=None, handler_cancellation=True
        )
        await self._runner.setup()
        assert self._runner.server is not None
        listener = await self._loop.create_server(
            self._runner.server, "127.0.0.1", self._port, reuse_address=True
        )
        self._listener, self._port = listener, listener.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"

    async def _stop(self) -> None:
        runner, self._runner = self._runner, None
        if runner is None or self._listener is None:
            return
        # What was accepted already must become a connection first: one whose listener is closed is never closed.
        self._loop.remove_reader(self._listener.sockets[0].fileno())
        await _turns()
        self._listener.close()
        for transport in list(self._open):
            transport.abort()
        await runner.cleanup()
        await _turns()

    async def _cut(self, last: bytes) -> None:
        for response in list(self._watches):
            with suppress(ConnectionError):
                await response.write(last)
        for transport in list(self._open):
            # What was written is still sent; then the answer lacks its end.
            transport.close()

    async def _end_watches(self) -> None:
        for watch in self._watches.values():
            watch.over = True
        self._ring()

    def _changed(self, *_: object) -> None:
        with suppress(RuntimeError):  # closed
            self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        for watch in self._watches.values():
            watch.news.set()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        kind, namespace, name, part = parsed(request.path)
        watching = request.query.get("watch") in ("1", "true")
        verb = {"POST": "create", "PUT": "update"}.get(request.method, request.method.lower())
        if verb == "get" and not name and kind != "readyz" and kind != "version":
            verb = "watch" if watching else "list"
        what = f"{verb} {kind}/{part}" if part else f"{verb} {kind}"
        self.requests.append((what, dict(request.query)))
        self.headers.append(dict(request.headers))
        transport = request.transport
        assert transport is not None
        self._open.add(transport)
        try:
            await self._awake.wait()
            fault = self._fault(what)
            if fault is not None:
                return await _broken(request, fault)
            if verb == "watch":
                return await self._watch(request, kind, namespace)
            if part == "log":
                return await self._log(request, f"{namespace}/{name}")
            return self._answer(request, verb, kind, namespace, name, await request.read())
        except ConnectionError:
            return web.Response()
        finally:
            self._open.discard(transport)

    def _fault(self, what: str) -> Fault | None:
        waiting = self.faults.get(what) or self.faults.get("*")
        return waiting.pop(0) if waiting else None

    def _answer(
        self, request: web.Request, verb: str, kind: str, namespace: str, name: str, raw: bytes
    ) -> web.Response:
        cluster, body = self.cluster, json.loads(raw) if raw else {}
        with cluster.lock:
            if kind in ("readyz", "version"):
                return web.Response(text="ok") if kind == "readyz" else _json({"gitVersion": self.version})
            if verb == "list":
                return self._list(request, kind, namespace)
            if kind == "selfsubjectaccessreviews":
                return _json({"status": {"allowed": self._allows(body["spec"]["resourceAttributes"])}}, 201)
            if verb == "create":
                if namespace:
                    body.setdefault("metadata", {})["namespace"] = namespace
                if cluster.get(kind, key_of(body)) is not None:
                    return refused(409, "AlreadyExists", f'{kind} "{key_of(body)}" already exists')
                return _json(cluster.put(kind, body), 201)
            key = f"{namespace}/{name}" if namespace else name
            known = cluster.get(kind, key)
            if known is None:
                return refused(404, "NotFound", f'{kind} "{name}" not found')
            if verb == "patch":
                return _json(cluster.put(kind, merged(known, body)))
            if verb == "delete":
                wanted = body.get("preconditions", {}).get("uid", known["metadata"]["uid"])
                if wanted != known["metadata"]["uid"]:
                    return refused(409, "Conflict", "the UID in the precondition does not match")
                return _json(self._delete(kind, key, known, body.get("gracePeriodSeconds")))
            return _json(known)

    def _allows(self, wish: Json) -> bool:
        part = f"/{wish['subresource']}" if wish.get("subresource") else ""
        return f"{wish['verb']} {wish['resource']}{part}" not in self.forbidden

    def _delete(self, kind: str, key: str, known: Json, grace: int | None) -> Json:
        """A pod on a node goes when its kubelet says so, others at once."""
        on_node = kind == "pods" and known.get("spec", {}).get("nodeName")
        grace = 30 if grace is None else grace
        if not on_node or grace == 0 or known.get("status", {}).get("phase") in ("Succeeded", "Failed"):
            return self.cluster.remove(kind, key) or known
        mark: Json = {"deletionGracePeriodSeconds": grace}
        if "deletionTimestamp" not in known["metadata"]:
            mark["deletionTimestamp"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self.cluster.put(kind, merged(known, {"metadata": mark}))

    def _list(self, request: web.Request, kind: str, namespace: str) -> web.Response:
        found = [one for one in self.cluster.all(kind, namespace) if selects(request.query, one)]
        query = request.query
        page = self.cluster.page(found, int(query.get("limit", 0)), query.get("continue", ""))
        if page is None:
            return refused(410, "Expired", "The provided continue parameter is too old")
        items, following, version = page
        metadata = {"resourceVersion": str(version), "continue": following}
        return _json({"kind": "List", "apiVersion": "v1", "metadata": metadata, "items": items})

    async def _watch(self, request: web.Request, kind: str, namespace: str) -> web.StreamResponse:
        at = int(request.query.get("resourceVersion") or 0)
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        watch = self._watches[response] = _Watch()
        loop = asyncio.get_running_loop()
        ends = loop.time() + float(request.query.get("timeoutSeconds", 1800))
        try:
            while not watch.over and (left := ends - loop.time()) > 0:
                await self._awake.wait()
                watch.news.clear()
                lines, at = self._since(at, kind, namespace, request)
                for line in lines:
                    await response.write(line)
                if at < 0:
                    break
                try:
                    async with asyncio.timeout(min(self.bookmark_s, left)):
                        await watch.news.wait()
                except TimeoutError:
                    await self._awake.wait()
                    await response.write(_bookmark(self.cluster.version))
        finally:
            del self._watches[response]
        await response.write_eof()
        return response

    def _since(self, at: int, kind: str, namespace: str, request: web.Request) -> tuple[list[bytes], int]:
        """What a watch is to be told, and where it then is; nowhere (-1) when its version is forgotten."""
        cluster = self.cluster
        with cluster.lock:
            if at < cluster.forgotten:
                gone = {
                    "kind": "Status",
                    "code": 410,
                    "reason": "Expired",
                    "message": "too old resource version",
                }
                return [json.dumps({"type": "ERROR", "object": gone}).encode() + b"\n"], -1
            lines: list[bytes] = []
            for version, _, its_kind, key, line in reversed(cluster.history):
                if version <= at:
                    break
                if its_kind == kind and (not namespace or key.startswith(namespace + "/")):
                    lines.append(line)
            if "labelSelector" in request.query or "fieldSelector" in request.query:
                lines = [one for one in lines if selects(request.query, json.loads(one)["object"])]
            return lines[::-1], cluster.version

    async def _log(self, request: web.Request, key: str) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        for piece in self.logs.get(key, []):
            if not piece:
                assert request.transport is not None
                request.transport.close()
                return response
            await response.write(piece)
        await response.write_eof()
        return response


async def _turns() -> None:
    """What has begun on the loop comes to its end."""
    for _ in range(20):
        await asyncio.sleep(0)


class _Watch:
    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.over = False


def parsed(path: str) -> tuple[str, str, str, str]:
    """(kind, namespace, name, part) of a path."""
    parts = path.strip("/").split("/")
    rest = parts[2:] if parts[0] == "api" else parts[3:] if parts[0] == "apis" else parts
    namespace = ""
    if len(rest) > 2 and rest[0] == "namespaces":
        namespace, rest = rest[1], rest[2:]
    kind, name, part = (*rest, "", "", "")[:3]
    return kind, namespace, name, part


def refused(status: int, reason: str, message: str) -> web.Response:
    return _json({"kind": "Status", "code": status, "reason": reason, "message": message}, status)


def _bookmark(version: int) -> bytes:
    return b'{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d"}}}\n' % version


def _json(body: Json, status: int = 200) -> web.Response:
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json")


async def _broken(request: web.Request, fault: Fault) -> web.StreamResponse:
    assert request.transport is not None
    if fault.cut:
        request.transport.abort()
        raise ConnectionResetError
    if fault.body is not None:
        return web.Response(body=fault.body, status=fault.status or 200)
    answer = refused(fault.status, fault.reason, f"scripted {fault.status}")
    if fault.retry_after is not None:
        answer.headers["Retry-After"] = str(fault.retry_after)
    return answer
