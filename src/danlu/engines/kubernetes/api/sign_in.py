"""The credentials that a request carries: a token, a token in a file, or what a plugin prints."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import ssl
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

_PLUGIN_S = 15.0
_EARLY_S = 60.0
"""A token is replaced this long before it ends."""


class SignInFailed(Exception):
    """There is nothing to sign in with at the moment; the message says why."""


class SignInMethod(Protocol):
    async def headers(self, *, renew: bool = False) -> Mapping[str, str]:
        """Headers to send with a request; `renew` when the last ones were refused. SignInFailed when there are none."""


class Fixed:
    """Always the same headers; none where a client certificate is enough."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers

    async def headers(self, *, renew: bool = False) -> Mapping[str, str]:  # noqa: ARG002
        return self._headers


def bearer(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token}"}


def basic(name: str, password: str) -> Mapping[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


class TokenFile:
    """A token in a file, read again whenever the file has changed (service accounts' tokens are replaced hourly)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._headers: Mapping[str, str] = {}

    async def headers(self, *, renew: bool = False) -> Mapping[str, str]:
        try:
            found = self._path.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
            if renew or stamp != self._stamp:
                self._headers = bearer(self._path.read_text().strip())
                self._stamp = stamp
        except OSError as error:
            raise SignInFailed(f"the token file {self._path} cannot be read: {error.strerror}") from error
        return self._headers


class Plugin:
    """A program that prints a token or a client certificate (`exec` in a kubeconfig), run again before that ends."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        version: str,
        cluster: Mapping[str, Any] | None,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._command, self._environment, self._version = command, environment, version
        self._cluster, self._tls = cluster, tls
        self._headers: Mapping[str, str] | None = None
        self._ends: float | None = None
        self._turn = asyncio.Lock()

    async def headers(self, *, renew: bool = False) -> Mapping[str, str]:
        refused = self._headers if renew else None
        async with self._turn:
            over = self._ends is not None and time.time() > self._ends - _EARLY_S
            # A caller that waited while another renewed uses the result of that.
            if self._headers is None or over or self._headers is refused:
                self._headers = self._taken(await self._run())
            return self._headers

    async def _run(self) -> bytes:
        name = self._command[0]
        spec: dict[str, Any] = {"interactive": False}
        if self._cluster is not None:
            spec["cluster"] = self._cluster
        told = {"apiVersion": self._version, "kind": "ExecCredential", "spec": spec}
        environment = {**os.environ, **self._environment, "KUBERNETES_EXEC_INFO": json.dumps(told)}
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise SignInFailed(f"{name} (exec in the kubeconfig) cannot be run: {error.strerror}") from error
        try:
            async with asyncio.timeout(_PLUGIN_S):
                output, errors = await process.communicate()
        except TimeoutError as error:
            raise SignInFailed(
                f"{name} (exec in the kubeconfig) took longer than {_PLUGIN_S:.0f} s"
            ) from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode:
            said = errors.decode("utf-8", "replace").strip()[-500:]
            raise SignInFailed(f"{name} (exec in the kubeconfig) ended with {process.returncode}: {said}")
        return output

    def _taken(self, output: bytes) -> Mapping[str, str]:
        try:
            status = json.loads(output)["status"]
            ends = status.get("expirationTimestamp")
            self._ends = datetime.fromisoformat(ends).timestamp() if ends else None
            certificate, key = status.get("clientCertificateData"), status.get("clientKeyData")
            token = status.get("token")
            if certificate and key and self._tls is not None:
                present(self._tls, certificate.encode(), key.encode())
            elif not token:
                raise ValueError("neither a token nor a certificate")
        except (ValueError, KeyError, TypeError, AttributeError, ssl.SSLError) as error:
            name = self._command[0]
            raise SignInFailed(
                f"{name} (exec in the kubeconfig) printed no credentials: {error!r}"
            ) from error
        return bearer(token) if token else {}


def present(tls: ssl.SSLContext, certificate: bytes, key: bytes) -> None:
    """Show this client certificate on new connections; ssl.SSLError when it is none, or its key is encrypted."""
    # The ssl module reads certificates from files only; this file is private and deleted at once.
    with tempfile.NamedTemporaryFile() as both:
        both.write(certificate + b"\n" + key)
        both.flush()
        tls.load_cert_chain(both.name, password="")
