"""The commands of the control plane; all of it lives in the hub."""

from __future__ import annotations

import json
from pathlib import Path

from tools.cluster.credentials import CONTROLLER_MANAGER, SCHEDULER, certificate, kubeconfig_of
from tools.cluster.layout import API_PORT, HUB, SERVICE_RANGE, Layout

ETCD_URL = "http://127.0.0.1:2379"

# What tests read to learn what the API server itself saw happen to pods; everything else is left out.
AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived", "ResponseStarted"],
    "rules": [
        {
            "level": "Metadata",
            "verbs": ["create", "delete", "deletecollection"],
            "resources": [{"group": "", "resources": ["pods", "pods/binding", "bindings"]}],
        },
        {"level": "None"},
    ],
}


def write_audit_policy(layout: Layout) -> Path:
    path = layout.folder(HUB) / "audit-policy.json"
    path.write_text(json.dumps(AUDIT_POLICY))
    return path


def etcd(layout: Layout) -> list[str]:
    return [
        "etcd",
        "--name=danlu",
        f"--data-dir={layout.folder(HUB) / 'etcd'}",
        f"--listen-client-urls={ETCD_URL}",
        f"--advertise-client-urls={ETCD_URL}",
        "--listen-peer-urls=http://127.0.0.1:2380",
        "--initial-advertise-peer-urls=http://127.0.0.1:2380",
        "--initial-cluster=danlu=http://127.0.0.1:2380",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def api_server(layout: Layout, programs: Path) -> list[str]:
    key = layout.pki / "service-accounts.key"
    return [
        str(programs / "kube-apiserver"),
        f"--etcd-servers={ETCD_URL}",
        # All addresses of the hub, a namespace of this cluster's own: the bridge's and the service's.
        "--bind-address=0.0.0.0",
        f"--advertise-address={layout.address(HUB)}",
        f"--secure-port={API_PORT}",
        f"--cert-dir={layout.pki}",
        f"--service-cluster-ip-range={SERVICE_RANGE}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--api-audiences=https://kubernetes.default.svc",
        f"--token-auth-file={layout.pki / 'tokens.csv'}",
        "--authorization-mode=Node,RBAC",
        "--allow-privileged=true",
        "--endpoint-reconciler-type=none",
        "--kubelet-preferred-address-types=InternalIP",
        f"--audit-policy-file={layout.folder(HUB) / 'audit-policy.json'}",
        f"--audit-log-path={layout.audit}",
        "--profiling=false",
        "--v=0",
    ]


def controller_manager(layout: Layout, programs: Path) -> list[str]:
    return [
        str(programs / "kube-controller-manager"),
        f"--kubeconfig={kubeconfig_of(layout, CONTROLLER_MANAGER)}",
        f"--service-account-private-key-file={layout.pki / 'service-accounts.key'}",
        f"--root-ca-file={certificate(layout)}",
        "--use-service-account-credentials=true",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
        # A lost node is noticed within seconds, so that tests of it need not wait.
        "--node-monitor-period=1s",
        "--node-monitor-grace-period=10s",
        "--profiling=false",
        "--v=0",
    ]


def scheduler(layout: Layout, programs: Path) -> list[str]:
    return [
        str(programs / "kube-scheduler"),
        f"--kubeconfig={kubeconfig_of(layout, SCHEDULER)}",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
        "--profiling=false",
        "--v=0",
    ]
