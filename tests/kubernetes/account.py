"""The service account that people are told to give Danlu: the tests of the engine run with it and nothing more."""

from __future__ import annotations

import base64
import functools
import json
from typing import Any

import yaml

from danlu.ports.clusters import ClusterCredentials
from tests.kubernetes.kube import Kube, wait_for
from tools.dev.manifests import account

Json = dict[str, Any]
_PATHS = {
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "Secret": "/api/v1/namespaces/{namespace}/secrets",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings",
}


@functools.cache
def account_of(kube: Kube) -> ClusterCredentials:
    """The account of the test's own namespace, made when it is first asked for."""
    return make_account(kube)


def make_account(kube: Kube) -> ClusterCredentials:
    """What `deploy/manifests/access.yaml` makes, in the test's own namespace, and how to sign in with it."""
    name = kube.namespace
    for one in account(name, kube.namespace):
        answer = kube.http.post(_PATHS[one["kind"]].format(namespace=kube.namespace), json=one)
        assert answer.is_success, answer.text
    secret = wait_for(
        lambda: kube.get(kube.path("secrets", f"{name}-token")),
        lambda secret: "token" in secret.get("data", {}),
        30,
    )
    return ClusterCredentials(kubeconfig_for(kube, base64.b64decode(secret["data"]["token"]).decode()))


def remove_account(kube: Kube) -> None:
    """What of it is not in the namespace, and so does not go with it."""
    for kind in ("ClusterRoleBinding", "ClusterRole"):
        kube.http.delete(f"{_PATHS[kind]}/{kube.namespace}")


def kubeconfig_for(kube: Kube, token: str) -> str:
    known: Json = yaml.safe_load(kube.kubeconfig.read_text())
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": known["clusters"][0]["cluster"]}],
        "users": [{"name": "danlu", "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "danlu"}}],
        "current-context": "test",
    }
    return json.dumps(content)
