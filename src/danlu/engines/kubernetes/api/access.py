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
from danlu.domain.words import NOTHING, Words, listed, same, say
from danlu.engines.kubernetes.api.sign_in import (
    Fixed,
    Plugin,
    SignInMethod,
    TokenFile,
    basic,
    bearer,
    present,
)
from danlu.ports.clusters import ClusterCredentials

_OWN_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_PLUGIN_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")

KubeconfigEntry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Credentials:
    """The address of an API server, how to verify it, and the credentials to send."""

    server: str
    sign_in: SignInMethod
    tls: ssl.SSLContext | None = None
    server_name: str | None = None
    """The name in the server's certificate, where it is not the one in the address."""
    proxy: str | None = None

    @classmethod
    def load(cls, access: ClusterCredentials) -> Credentials:
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
            _refuse(
                "missing",
                Words(
                    "Danlu does not run in a cluster: a kubeconfig is needed to reach one",
                    "丹炉没有运行在集群中，需要 kubeconfig 才能连接集群",
                ),
            )
        address = f"[{host}]" if ":" in host else host
        try:
            tls = _trusting((folder / "ca.crt").read_bytes())
        except (OSError, ValueError) as error:
            _refuse(
                "invalid",
                say(
                    "the cluster's certificate authority cannot be read: {error}",
                    "无法读取集群的证书颁发机构：{error}",
                    error=error,
                ),
            )
        return cls(f"https://{address}:{port}", TokenFile(folder / "token"), tls)


def _from_kubeconfig(text: str, context: str | None) -> Credentials:
    config = _parsed(text)
    name, place = (context, "context") if context else (config.get("current-context"), "kubeconfig")
    contexts = _named(config, "contexts", "context")
    if not isinstance(name, str) or not name:
        _refuse(
            "missing",
            say(
                "the kubeconfig has no current context: name one of {contexts}",
                "kubeconfig 没有当前 context：请从 {contexts} 中指定一个",
                contexts=_listed(contexts),
            ),
            "context",
        )
    chosen = contexts.get(name)
    if chosen is None:
        _refuse(
            "unknown",
            say(
                "the kubeconfig has no context {name}; it has {contexts}",
                "kubeconfig 没有名为 {name} 的 context，只有 {contexts}",
                name=name,
                contexts=_listed(contexts),
            ),
            place,
        )
    cluster = _named(config, "clusters", "cluster").get(str(chosen.get("cluster")))
    if cluster is None:
        _refuse(
            "unknown",
            say(
                "context {name} names a cluster that the kubeconfig does not have",
                "context {name} 所指的集群不在 kubeconfig 中",
                name=name,
            ),
        )
    users = _named(config, "users", "user")
    user = users.get(str(chosen["user"])) if chosen.get("user") else {}
    if user is None:
        _refuse(
            "unknown",
            say(
                "context {name} names a user that the kubeconfig does not have",
                "context {name} 所指的用户不在 kubeconfig 中",
                name=name,
            ),
        )
    server = _server(cluster)
    tls = _tls(cluster, user) if server.startswith("https:") else None
    return Credentials(
        server,
        _sign_in(cluster, user, server, tls),
        tls,
        cluster.get("tls-server-name") or None,
        cluster.get("proxy-url") or None,
    )


def _parsed(text: str) -> KubeconfigEntry:
    try:
        config = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = (
            say(" in line {line}", "（第 {line} 行）", line=mark.line + 1) if mark is not None else NOTHING
        )
        _refuse(
            "invalid",
            say(
                "the kubeconfig is not YAML{where}: {error}",
                "kubeconfig 不是有效的 YAML{where}：{error}",
                where=where,
                error=getattr(error, "problem", None) or error,
            ),
        )
    if not isinstance(config, dict):
        _refuse(
            "invalid",
            Words(
                "this is not a kubeconfig: it has no clusters, contexts and users",
                "这不是 kubeconfig：其中没有 clusters、contexts 和 users",
            ),
        )
    return config


def _named(config: KubeconfigEntry, kind: str, part: str) -> dict[str, KubeconfigEntry]:
    entries = config.get(kind) or []
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get(part) or {}, dict)
        for one in entries
    ):
        _refuse(
            "invalid",
            say(
                "{kind} in the kubeconfig is not a list of entries with `name` and `{part}`",
                "kubeconfig 中的 {kind} 不是由 `name` 和 `{part}` 组成的列表",
                kind=kind,
                part=part,
            ),
        )
    named = {one["name"]: one.get(part) or {} for one in entries}
    if len(named) < len(entries):
        _refuse(
            "invalid",
            say(
                "{kind} in the kubeconfig has two entries with the same name",
                "kubeconfig 中的 {kind} 有两个同名条目",
                kind=kind,
            ),
        )
    return named


def _server(cluster: KubeconfigEntry) -> str:
    server = str(cluster.get("server") or "").rstrip("/")
    try:
        parts = urlsplit(server)
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        named = False
    if not named:
        _refuse(
            "invalid",
            say(
                "the server in the kubeconfig is not a valid address: {server}",
                "kubeconfig 中的 server 不是有效地址：{server}",
                server=server or Words("it is missing", "未填写"),
            ),
        )
    return server


def _tls(cluster: KubeconfigEntry, user: KubeconfigEntry) -> ssl.SSLContext:
    authority = _content(cluster, "certificate-authority")
    try:
        tls = _trusting(authority)
    except ValueError as error:
        _refuse(
            "invalid",
            say(
                "certificate-authority in the kubeconfig is not a certificate: {error}",
                "kubeconfig 中的 certificate-authority 不是证书：{error}",
                error=error,
            ),
        )
    if cluster.get("insecure-skip-tls-verify"):
        tls.check_hostname = False
        tls.verify_mode = ssl.CERT_NONE
    certificate, key = _content(user, "client-certificate"), _content(user, "client-key")
    if (certificate is None) != (key is None):
        _refuse(
            "invalid",
            Words(
                "the kubeconfig has only one of client-certificate and client-key; both are needed",
                "kubeconfig 中的 client-certificate 与 client-key 只有其一，需要同时提供",
            ),
        )
    if certificate is not None and key is not None:
        try:
            present(tls, certificate, key)
        except ssl.SSLError as error:
            _refuse(
                "invalid",
                say(
                    "client-certificate and client-key in the kubeconfig cannot be used: {error}",
                    "kubeconfig 中的 client-certificate 与 client-key 无法使用：{error}",
                    error=error,
                ),
            )
    return tls


def _sign_in(
    cluster: KubeconfigEntry, user: KubeconfigEntry, server: str, tls: ssl.SSLContext | None
) -> SignInMethod:
    for word, instead in (
        ("auth-provider", same("exec")),
        ("as", Words("the credentials of that user", "该用户的凭据")),
    ):
        if user.get(word):
            _refuse(
                "unsupported",
                say(
                    "{word} in the kubeconfig is not supported: use {instead}",
                    "不支持 kubeconfig 中的 {word}，请改用：{instead}",
                    word=word,
                    instead=instead,
                ),
            )
    if user.get("tokenFile"):
        return TokenFile(_own_path(str(user["tokenFile"]), "tokenFile"))
    if user.get("token"):
        token = str(user["token"]).strip()
        if not token.isascii() or not token.isprintable():
            _refuse(
                "invalid",
                Words(
                    "the token in the kubeconfig contains characters that are not allowed in a token",
                    "kubeconfig 中的令牌含有不允许的字符",
                ),
            )
        return Fixed(bearer(token))
    if user.get("exec"):
        return _plugin(user["exec"], cluster, server, tls)
    if user.get("username"):
        return Fixed(basic(str(user["username"]), str(user.get("password") or "")))
    return Fixed({})


def _plugin(spec: Any, cluster: KubeconfigEntry, server: str, tls: ssl.SSLContext | None) -> Plugin:
    if not isinstance(spec, dict) or not spec.get("command"):
        _refuse(
            "invalid", Words("exec in the kubeconfig has no command", "kubeconfig 中的 exec 没有填写命令")
        )
    version = str(spec.get("apiVersion"))
    if version not in _PLUGIN_VERSIONS:
        _refuse(
            "unsupported",
            say(
                "exec in the kubeconfig has apiVersion {version}; supported: {plugin_versions}",
                "kubeconfig 中 exec 的 apiVersion 为 {version}，可用的是 {plugin_versions}",
                version=version,
                plugin_versions=_PLUGIN_VERSIONS[0],
            ),
        )
    if spec.get("interactiveMode") == "Always":
        _refuse(
            "unsupported",
            Words(
                "exec in the kubeconfig needs a terminal (interactiveMode: Always), which Danlu does not have",
                "kubeconfig 中的 exec 需要终端（interactiveMode: Always），丹炉没有终端",
            ),
        )
    try:
        environment = {str(one["name"]): str(one["value"]) for one in spec.get("env") or []}
        command = [str(spec["command"]), *map(str, spec.get("args") or [])]
    except (TypeError, KeyError):
        _refuse(
            "invalid",
            Words(
                "args or env of exec in the kubeconfig is not a valid list",
                "kubeconfig 中 exec 的 args 或 env 不是有效的列表",
            ),
        )
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


def _content(entry: KubeconfigEntry, name: str) -> bytes | None:
    """The content given inline (`name-data`, which takes precedence) or in the file that the entry names."""
    if entry.get(f"{name}-data"):
        try:
            return base64.b64decode(str(entry[f"{name}-data"]), validate=True)
        except binascii.Error as error:
            _refuse(
                "invalid",
                say(
                    "{name}-data in the kubeconfig is not base64: {error}",
                    "kubeconfig 中的 {name}-data 不是 base64：{error}",
                    name=name,
                    error=error,
                ),
            )
    if not entry.get(name):
        return None
    path = _own_path(str(entry[name]), name)
    try:
        return path.read_bytes()
    except OSError as error:
        _refuse(
            "invalid",
            say(
                "{name} in the kubeconfig refers to {path}, which cannot be read: {strerror}",
                "kubeconfig 中的 {name} 指向 {path}，无法读取：{strerror}",
                name=name,
                path=path,
                strerror=error.strerror,
            ),
        )


def _own_path(text: str, name: str) -> Path:
    """Only absolute paths: it is not known which folder a relative one starts from."""
    path = Path(text)
    if not path.is_absolute():
        _refuse(
            "invalid",
            say(
                "{name} in the kubeconfig refers to the relative path {text}; Danlu needs an absolute path",
                "kubeconfig 中的 {name} 指向相对路径 {text}，丹炉需要绝对路径",
                name=name,
                text=text,
            ),
            hint=same("kubectl config view --raw --flatten --minify"),
        )
    return path


def _trusting(authority: bytes | None) -> ssl.SSLContext:
    """Trusts the given authorities, or the machine's own; ValueError if they are not certificates."""
    try:
        tls = ssl.create_default_context(cadata=authority.decode("ascii") if authority else None)
    except (ssl.SSLError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error
    # The self-made authorities of many clusters lack extensions that newer Pythons require.
    tls.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return tls


def _listed(names: Mapping[str, Any]) -> Words:
    return listed(sorted(names)) if names else Words("none", "无")


def _refuse(code: str, message: Words, place: str = "kubeconfig", hint: Words | None = None) -> NoReturn:
    raise Invalid((FieldError((place,), code, message, hint=hint),))
