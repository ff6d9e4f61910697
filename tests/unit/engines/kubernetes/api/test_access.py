"""Every way a kubeconfig can say how to sign in, used against a real TLS server, and every way it can be wrong."""

from __future__ import annotations

import base64
import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from danlu.domain.errors import Invalid
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable
from danlu.ports.clusters import ClusterCredentials

pytestmark = pytest.mark.anyio

Json = dict[str, Any]


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority, and certificates by it for a server named `kubernetes` and a client named `eve`."""
    folder = tmp_path_factory.mktemp("papers")

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=ca", "-days", "9")
    (folder / "names").write_text("subjectAltName=DNS:kubernetes,IP:127.0.0.1")
    for name in ("kubernetes", "eve"):
        openssl("req", *curve, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        by = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "9", "-extfile", "names")
        openssl("x509", "-req", "-in", f"{name}.csr", *by, "-out", f"{name}.crt")
    openssl("ec", "-in", "eve.key", "-aes128", "-passout", "pass:x", "-out", "locked.key")
    return folder


@pytest.fixture
async def address(papers: Path) -> AsyncIterator[str]:
    """A server that answers who it takes the caller for."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(papers / "ca.crt"))
    tls.load_cert_chain(papers / "kubernetes.crt", papers / "kubernetes.key")
    tls.verify_mode = ssl.CERT_OPTIONAL

    async def who(request: web.Request) -> web.Response:
        assert request.transport is not None
        shown = dict(one[0] for one in (request.get_extra_info("peercert") or {}).get("subject", ()))
        said = request.headers.get("Authorization", "")
        if said == "Bearer stale":
            return web.json_response({"code": 401}, status=401)
        return web.json_response({"certificate": shown.get("commonName"), "said": said})

    application = web.Application()
    application.router.add_get("/who", who)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    yield f"https://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def config(cluster: Json, user: Json) -> str:
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "lab", "cluster": cluster}],
            "users": [{"name": "eve", "user": user}],
            "contexts": [
                {"name": "here", "context": {"cluster": "lab", "user": "eve"}},
                {"name": "there", "context": {"cluster": "far", "user": "eve"}},
                {"name": "nobody", "context": {"cluster": "lab", "user": "adam"}},
            ],
            "current-context": "here",
        }
    )


def data(papers: Path, name: str) -> str:
    return base64.b64encode((papers / name).read_bytes()).decode()


async def who(credentials: Credentials, times: int = 1) -> list[Json]:
    api = Api(credentials)
    try:
        return [await api.get("/who") for _ in range(times)]
    finally:
        await api.close()


async def asked(papers: Path, address: str, user: Json, times: int = 1) -> list[Json]:
    cluster = {"server": address, "certificate-authority-data": data(papers, "ca.crt")}
    return await who(Credentials.load(ClusterCredentials(config(cluster, user))), times)


async def test_a_certificate_in_the_kubeconfig_signs_in(papers: Path, address: str) -> None:
    user = {"client-certificate-data": data(papers, "eve.crt"), "client-key-data": data(papers, "eve.key")}
    assert await asked(papers, address, user) == [{"certificate": "eve", "said": ""}]


async def test_certificates_in_files_sign_in(papers: Path, address: str) -> None:
    cluster = {"server": address + "/", "certificate-authority": str(papers / "ca.crt")}
    user = {"client-certificate": str(papers / "eve.crt"), "client-key": str(papers / "eve.key")}
    found = await who(Credentials.load(ClusterCredentials(config(cluster, user), "here")))
    assert found == [{"certificate": "eve", "said": ""}]


@pytest.mark.parametrize(
    ("user", "said"),
    [
        ({"token": "t0k"}, "Bearer t0k"),
        ({"username": "eve", "password": "pw"}, "Basic ZXZlOnB3"),
        ({}, ""),
    ],
)
async def test_tokens_and_passwords_are_sent(papers: Path, address: str, user: Json, said: str) -> None:
    assert await asked(papers, address, user) == [{"certificate": None, "said": said}]


async def test_a_token_file_is_read_again_when_it_changes(papers: Path, address: str, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("first\n")
    cluster = {"server": address, "certificate-authority-data": data(papers, "ca.crt")}
    api = Api(
        Credentials.load(ClusterCredentials(config(cluster, {"tokenFile": str(token), "token": "unused"})))
    )
    assert (await api.get("/who"))["said"] == "Bearer first"
    (tmp_path / "next").write_text("second")
    os.replace(tmp_path / "next", token)
    assert (await api.get("/who"))["said"] == "Bearer second"
    token.unlink()
    with pytest.raises(ApiUnreachable, match="cannot be read: No such file"):
        await api.get("/who")
    await api.close()


def plugin(folder: Path, body: str, **more: Any) -> Json:
    """A kubeconfig's user who signs in with a program that counts its runs in `runs`."""
    script = folder / "plugin.py"
    script.write_text(
        f"import json, os, pathlib\nruns = pathlib.Path({str(folder / 'runs')!r})\n"
        "count = len(runs.read_text()) + 1 if runs.exists() else 1\nruns.write_text('x' * count)\n"
        "told = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
        f"{body}\nprint(json.dumps({{'apiVersion': told['apiVersion'], 'kind': 'ExecCredential', 'status': status}}))"
    )
    version = "client.authentication.k8s.io/v1"
    return {"exec": {"apiVersion": version, "command": sys.executable, "args": [str(script)], **more}}


async def test_a_plugin_is_run_once_and_its_token_used_again(
    papers: Path, address: str, tmp_path: Path
) -> None:
    body = "status = {'token': os.environ['WHO'] + told['spec']['cluster']['server'][:5] + str(count)}"
    user = plugin(tmp_path, body, env=[{"name": "WHO", "value": "eve-"}], provideClusterInfo=True)
    assert [one["said"] for one in await asked(papers, address, user, times=2)] == ["Bearer eve-https1"] * 2


async def test_a_plugins_token_is_replaced_before_it_ends(papers: Path, address: str, tmp_path: Path) -> None:
    body = "status = {'token': str(count), 'expirationTimestamp': '2020-01-01T00:00:00Z'}"
    found = await asked(papers, address, plugin(tmp_path, body), times=2)
    assert [one["said"] for one in found] == ["Bearer 1", "Bearer 2"]


async def test_a_plugin_is_run_again_when_its_token_is_refused(
    papers: Path, address: str, tmp_path: Path
) -> None:
    body = "status = {'token': 'stale' if count == 1 else 'fresh'}"
    assert (await asked(papers, address, plugin(tmp_path, body)))[0]["said"] == "Bearer fresh"


async def test_a_plugin_may_hand_out_a_certificate(papers: Path, address: str, tmp_path: Path) -> None:
    parts = {"clientCertificateData": "eve.crt", "clientKeyData": "eve.key"}
    status = {name: (papers / file).read_text() for name, file in parts.items()}
    found = await asked(papers, address, plugin(tmp_path, f"status = {status!r}"))
    assert found == [{"certificate": "eve", "said": ""}]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise SystemExit('log in first')", "ended with 1: log in first"),
        ("status = {}", "printed no credentials"),
        ("print('hello'); status = {}", "printed no credentials"),
    ],
)
async def test_what_a_plugin_complains_of_is_told(
    papers: Path, address: str, tmp_path: Path, body: str, words: str
) -> None:
    with pytest.raises(ApiUnreachable, match=words):
        await asked(papers, address, plugin(tmp_path, body))


async def test_a_plugin_that_is_not_installed_is_told(papers: Path, address: str, tmp_path: Path) -> None:
    with pytest.raises(ApiUnreachable, match=r"nowhere-to-be-found .* cannot be run: No such file"):
        await asked(papers, address, plugin(tmp_path, "", command="nowhere-to-be-found"))


async def test_another_authority_is_not_trusted(papers: Path, address: str) -> None:
    cluster = {"server": address, "certificate-authority": str(papers / "eve.crt")}
    with pytest.raises(ApiUnreachable, match="certificate verify failed"):
        await who(Credentials.load(ClusterCredentials(config(cluster, {}))))
    careless = Credentials.load(
        ClusterCredentials(config({"server": address, "insecure-skip-tls-verify": True}, {}))
    )
    assert await who(careless)


async def test_a_server_may_go_by_another_name(papers: Path, address: str) -> None:
    cluster = {
        "server": address,
        "certificate-authority": str(papers / "ca.crt"),
        "tls-server-name": "kubernetes",
    }
    assert await who(Credentials.load(ClusterCredentials(config(cluster, {}))))
    with pytest.raises(ApiUnreachable, match="Hostname mismatch"):
        await who(Credentials.load(ClusterCredentials(config({**cluster, "tls-server-name": "other"}, {}))))


async def test_a_pod_signs_in_as_its_own_account(papers: Path, address: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("mine")
    (tmp_path / "ca.crt").write_bytes((papers / "ca.crt").read_bytes())
    host, port = address.removeprefix("https://").split(":")
    inside = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}
    credentials = Credentials.own_account(tmp_path, inside)
    assert credentials.server == address
    assert (await who(credentials))[0]["said"] == "Bearer mine"
    with pytest.raises(Invalid, match="1 error"):
        Credentials.own_account(tmp_path, {})


async def test_a_refusal_of_the_server_stays_one(papers: Path, address: str) -> None:
    with pytest.raises(ApiError) as caught:
        await asked(papers, address, {"token": "stale"})
    assert caught.value.status == 401


HERE = {"server": "https://k8s.lab:6443"}
TWICE = config(HERE, {"token": "t"}).replace("users:", "users:\n- {name: eve, user: {token: u}}")


def plugin_of(**more: Any) -> Json:
    return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "c", **more}}


@pytest.mark.parametrize(
    ("text", "context", "place", "words"),
    [
        ("clusters: [", None, "kubeconfig", "not YAML in line 1"),
        ("just words", None, "kubeconfig", "not a kubeconfig"),
        ("", None, "kubeconfig", "not a kubeconfig"),
        ("clusters: {a: 1}\ncontexts: 7", "x", "kubeconfig", "contexts in the kubeconfig is not a list"),
        ("contexts: []", None, "context", "no current context: name one of none"),
        (config(HERE, {}), "nowhere", "context", "no context nowhere; it has here, nobody, there"),
        (config(HERE, {}), "there", "kubeconfig", "a cluster that the kubeconfig does not have"),
        (config(HERE, {}), "nobody", "kubeconfig", "a user that the kubeconfig does not have"),
        (config({}, {}), None, "kubeconfig", "not a valid address: it is missing"),
        (config({"server": "k8s:6443"}, {}), None, "kubeconfig", "not a valid address: k8s:6443"),
        (config({**HERE, "certificate-authority-data": "%%"}, {}), None, "kubeconfig", "is not base64"),
        (
            config({**HERE, "certificate-authority-data": "aGk="}, {}),
            None,
            "kubeconfig",
            "is not a certificate",
        ),
        (
            config({**HERE, "certificate-authority": "ca.crt"}, {}),
            None,
            "kubeconfig",
            "refers to the relative path",
        ),
        (config({**HERE, "certificate-authority": "/no/ca"}, {}), None, "kubeconfig", "cannot be read"),
        (config(HERE, {"client-key-data": "aGk="}), None, "kubeconfig", "has only one"),
        (config(HERE, {"auth-provider": {"name": "oidc"}}), None, "kubeconfig", "auth-provider .* use exec"),
        (
            config(HERE, {"as": "root", "token": "t"}),
            None,
            "kubeconfig",
            "as in the kubeconfig is not supported",
        ),
        ("contexts: []\ncurrent-context: [a]", None, "context", "no current context"),
        ("when: 2024-99-99", None, "kubeconfig", "not YAML"),
        ("[" * 1000, None, "kubeconfig", "not YAML"),
        (config({"server": "https://[::1"}, {}), None, "kubeconfig", "not a valid address"),
        (config({"server": "https://k8s:99999"}, {}), None, "kubeconfig", "not a valid address"),
        (config(HERE, {"token": "two\nlines"}), None, "kubeconfig", "that are not allowed in a token"),
        (config(HERE, plugin_of(env=[{"name": "A"}])), None, "kubeconfig", "args or env of exec"),
        (config(HERE, plugin_of(args=7)), None, "kubeconfig", "args or env of exec"),
        (config(HERE, plugin_of(interactiveMode="Always")), None, "kubeconfig", "needs a terminal"),
        (TWICE, None, "kubeconfig", "users in the kubeconfig has two entries with the same name"),
        (config(HERE, {"exec": {"args": []}}), None, "kubeconfig", "exec in the kubeconfig has no command"),
        (config(HERE, {"exec": {"command": "c", "apiVersion": "v0"}}), None, "kubeconfig", "apiVersion v0"),
    ],
)
def test_what_is_wrong_with_a_kubeconfig_is_said_at_its_place(
    text: str, context: str | None, place: str, words: str
) -> None:
    with pytest.raises(Invalid) as caught:
        Credentials.load(ClusterCredentials(text, context))
    (error,) = caught.value.errors
    assert error.loc == (place,)
    assert re.search(words, error.message)


def test_a_locked_key_is_refused_and_not_asked_about(papers: Path) -> None:
    user = {"client-certificate": str(papers / "eve.crt"), "client-key": str(papers / "locked.key")}
    with pytest.raises(Invalid) as caught:
        Credentials.load(ClusterCredentials(config(HERE, user)))
    assert "cannot be used" in caught.value.errors[0].message


def test_a_kubeconfig_may_be_json() -> None:
    text = json.dumps(yaml.safe_load(config(HERE, {"token": "t"})))
    assert Credentials.load(ClusterCredentials(text)).server == "https://k8s.lab:6443"
