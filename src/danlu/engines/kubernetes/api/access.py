"""How to reach an API server and sign in there: from a kubeconfig, or as the service account Danlu runs under."""

from __future__ import annotations

import base64
import binascii
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import yaml

from danlu.domain.errors import FieldError, Invalid
from danlu.engines.kubernetes.api.sign_in import Fixed, Plugin, SignIn, TokenFile, basic, bearer, present
from danlu.ports.clusters import Access

_OWN_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_PLUGIN_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Credentials:
    """Where an API server is, how it proves who it is, and what it is told about us."""

    server: str
    sign_in: SignIn
    tls: ssl.SSLContext | None = None
    server_name: str | None = None
    """The name in the server's certificate, where it is not the one in the address."""
    proxy: str | None = None

    @classmethod
    def load(cls, access: Access) -> Credentials:
        """Invalid, with `kubeconfig` or `context` as the place, when it cannot be used. Runs no plugin yet."""
        if access.kubeconfig is None:
            return cls.own_account()
        return _from_kubeconfig(access.kubeconfig, access.context)

    @classmethod
    def own_account(
        cls, folder: Path = _OWN_ACCOUNT, environment: Mapping[str, str] = os.environ
    ) -> Credentials:
        """The service account of the pod that Danlu runs in."""
        host, port = (environment.get(f"KUBERNETES_SERVICE_{part}") for part in ("HOST", "PORT"))
        if not host or not port or not (folder / "token").exists():
            _refuse("missing", "Danlu does not run in a cluster: a kubeconfig is needed to reach one")
        address = f"[{host}]" if ":" in host else host
        try:
            tls = _trusting((folder / "ca.crt").read_bytes())
        except (OSError, ValueError) as error:
            _refuse("invalid", f"the cluster's certificate authority cannot be read: {error}")
        return cls(f"https://{address}:{port}", TokenFile(folder / "token"), tls)


def _from_kubeconfig(text: str, context: str | None) -> Credentials:
    config = _parsed(text)
    name, place = (context, "context") if context else (config.get("current-context"), "kubeconfig")
    contexts = _named(config, "contexts", "context")
    if not isinstance(name, str) or not name:
        _refuse(
            "missing", f"the kubeconfig has no current context: name one of {_listed(contexts)}", "context"
        )
    chosen = contexts.get(name)
    if chosen is None:
        _refuse("unknown", f"the kubeconfig has no context {name}, only {_listed(contexts)}", place)
    cluster = _named(config, "clusters", "cluster").get(str(chosen.get("cluster")))
    if cluster is None:
        _refuse("unknown", f"context {name} names a cluster that the kubeconfig does not have")
    users = _named(config, "users", "user")
    user = users.get(str(chosen["user"])) if chosen.get("user") else {}
    if user is None:
        _refuse("unknown", f"context {name} names a user that the kubeconfig does not have")
    server = _server(cluster)
    tls = _tls(cluster, user) if server.startswith("https:") else None
    return Credentials(
        server,
        _sign_in(cluster, user, server, tls),
        tls,
        cluster.get("tls-server-name") or None,
        cluster.get("proxy-url") or None,
    )


def _parsed(text: str) -> Entry:
    try:
        config = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        _refuse("invalid", f"the kubeconfig is not YAML{where}: {getattr(error, 'problem', None) or error}")
    if not isinstance(config, dict):
        _refuse("invalid", "this is not a kubeconfig: it has no clusters, contexts and users")
    return config


def _named(config: Entry, kind: str, part: str) -> dict[str, Entry]:
    entries = config.get(kind) or []
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get(part) or {}, dict)
        for one in entries
    ):
        _refuse("invalid", f"{kind} in the kubeconfig is not a list of entries with `name` and `{part}`")
    named = {one["name"]: one.get(part) or {} for one in entries}
    if len(named) < len(entries):
        _refuse("invalid", f"{kind} in the kubeconfig has two entries of one name")
    return named


def _server(cluster: Entry) -> str:
    server = str(cluster.get("server") or "").rstrip("/")
    try:
        parts = urlsplit(server)
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        named = False
    if not named:
        _refuse("invalid", f"the server in the kubeconfig is not an address: {server or 'there is none'}")
    return server


def _tls(cluster: Entry, user: Entry) -> ssl.SSLContext:
    authority = _content(cluster, "certificate-authority")
    try:
        tls = _trusting(authority)
    except ValueError as error:
        _refuse("invalid", f"certificate-authority in the kubeconfig is no certificate: {error}")
    if cluster.get("insecure-skip-tls-verify"):
        tls.check_hostname = False
        tls.verify_mode = ssl.CERT_NONE
    certificate, key = _content(user, "client-certificate"), _content(user, "client-key")
    if (certificate is None) != (key is None):
        _refuse("invalid", "of client-certificate and client-key the kubeconfig has only one")
    if certificate is not None and key is not None:
        try:
            present(tls, certificate, key)
        except ssl.SSLError as error:
            _refuse("invalid", f"client-certificate and client-key in the kubeconfig cannot be used: {error}")
    return tls


def _sign_in(cluster: Entry, user: Entry, server: str, tls: ssl.SSLContext | None) -> SignIn:
    for word, instead in (("auth-provider", "exec"), ("as", "the credentials of that user")):
        if user.get(word):
            _refuse("unsupported", f"{word} in the kubeconfig is not supported: use {instead}")
    if user.get("tokenFile"):
        return TokenFile(_own_path(str(user["tokenFile"]), "tokenFile"))
    if user.get("token"):
        token = str(user["token"]).strip()
        if not token.isascii() or not token.isprintable():
            _refuse("invalid", "the token in the kubeconfig has characters in it that no token has")
        return Fixed(bearer(token))
    if user.get("exec"):
        return _plugin(user["exec"], cluster, server, tls)
    if user.get("username"):
        return Fixed(basic(str(user["username"]), str(user.get("password") or "")))
    return Fixed({})


def _plugin(spec: Any, cluster: Entry, server: str, tls: ssl.SSLContext | None) -> Plugin:
    if not isinstance(spec, dict) or not spec.get("command"):
        _refuse("invalid", "exec in the kubeconfig names no command")
    version = str(spec.get("apiVersion"))
    if version not in _PLUGIN_VERSIONS:
        _refuse(
            "unsupported", f"exec in the kubeconfig has apiVersion {version}; known: {_PLUGIN_VERSIONS[0]}"
        )
    if spec.get("interactiveMode") == "Always":
        _refuse(
            "unsupported", "exec in the kubeconfig wants a terminal (interactiveMode: Always); there is none"
        )
    try:
        environment = {str(one["name"]): str(one["value"]) for one in spec.get("env") or []}
        command = [str(spec["command"]), *map(str, spec.get("args") or [])]
    except (TypeError, KeyError):
        _refuse("invalid", "args or env of exec in the kubeconfig is not a list of what belongs there")
    told: dict[str, Any] | None = None
    if spec.get("provideClusterInfo"):
        authority = _content(cluster, "certificate-authority")
        told = {
            "server": server,
            "tls-server-name": cluster.get("tls-server-name"),
            "insecure-skip-tls-verify": cluster.get("insecure-skip-tls-verify"),
            "certificate-authority-data": authority and base64.b64encode(authority).decode(),
            "proxy-url": cluster.get("proxy-url"),
        }
        told = {name: value for name, value in told.items() if value}
    return Plugin(command, environment, version, told, tls)


def _content(entry: Entry, name: str) -> bytes | None:
    """What an entry holds itself (`name-data`, which wins) or names a file of."""
    if entry.get(f"{name}-data"):
        try:
            return base64.b64decode(str(entry[f"{name}-data"]), validate=True)
        except binascii.Error as error:
            _refuse("invalid", f"{name}-data in the kubeconfig is not base64: {error}")
    if not entry.get(name):
        return None
    path = _own_path(str(entry[name]), name)
    try:
        return path.read_bytes()
    except OSError as error:
        _refuse("invalid", f"{name} in the kubeconfig names {path}, which cannot be read: {error.strerror}")


def _own_path(text: str, name: str) -> Path:
    """Nobody knows any more which folder a relative path began at."""
    path = Path(text)
    if not path.is_absolute():
        _refuse(
            "invalid",
            f"{name} in the kubeconfig names {text}, relative to a folder that is not known here",
            hint="kubectl config view --raw --flatten --minify",
        )
    return path


def _trusting(authority: bytes | None) -> ssl.SSLContext:
    """The given authorities, or the machine's own; ValueError for what is no certificate."""
    try:
        tls = ssl.create_default_context(cadata=authority.decode("ascii") if authority else None)
    except (ssl.SSLError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error
    # Many clusters made their own authority without the extensions that newer Pythons insist on.
    tls.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return tls


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(sorted(names)) or "none at all"


def _refuse(code: str, message: str, place: str = "kubeconfig", hint: str | None = None) -> NoReturn:
    raise Invalid((FieldError((place,), code, message, hint=hint),))
