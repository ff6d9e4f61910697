"""Who may talk to the API server: tokens by user, and kubeconfig files that carry them."""

from __future__ import annotations

import base64
import json
import secrets
import subprocess
from pathlib import Path
from typing import Any

from tools.cluster.layout import Layout

ADMIN = "admin"
CONTROLLER_MANAGER = "controller-manager"
SCHEDULER = "scheduler"


def make_credentials(layout: Layout) -> None:
    """A token for everyone and the key that signs service account tokens."""
    layout.pki.mkdir(parents=True, exist_ok=True)
    layout.pki.chmod(0o700)
    tokens = {name: secrets.token_hex(16) for name in users(layout)}
    lines = [f'{tokens[name]},{user},{name},"{group}"' for name, (user, group) in users(layout).items()]
    (layout.pki / "tokens.csv").write_text("\n".join(lines) + "\n")
    (layout.pki / "tokens.json").write_text(json.dumps(tokens))
    key = layout.pki / "service-accounts.key"
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)


def users(layout: Layout) -> dict[str, tuple[str, str]]:
    """User and group by the name of the kubeconfig; the names of the system's own users mean their roles."""
    return {
        ADMIN: ("admin", "system:masters"),
        CONTROLLER_MANAGER: ("system:kube-controller-manager", ""),
        SCHEDULER: ("system:kube-scheduler", ""),
        **{node: (f"system:node:{node}", "system:nodes") for node in layout.nodes},
    }


def write_kubeconfigs(layout: Layout) -> None:
    """One file each; needs the certificate that the API server wrote when it started."""
    for name in users(layout):
        path = layout.kubeconfig if name == ADMIN else kubeconfig_of(layout, name)
        path.touch(mode=0o600)
        path.write_text(json.dumps(kubeconfig(layout, name, token_of(layout, name)), indent=1) + "\n")


def kubeconfig_of(layout: Layout, name: str) -> Path:
    return layout.pki / f"{name}.kubeconfig"


def kubeconfig(layout: Layout, user: str, token: str) -> dict[str, Any]:
    """A kubeconfig's content, as JSON, which is YAML too."""
    authority = base64.b64encode(certificate(layout).read_bytes()).decode()
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "danlu",
                "cluster": {"server": layout.server_url, "certificate-authority-data": authority},
            }
        ],
        "users": [{"name": user, "user": {"token": token}}],
        "contexts": [
            {"name": "danlu", "context": {"cluster": "danlu", "user": user, "namespace": "default"}}
        ],
        "current-context": "danlu",
    }


def token_of(layout: Layout, name: str) -> str:
    return str(json.loads((layout.pki / "tokens.json").read_text())[name])


def certificate(layout: Layout) -> Path:
    """The API server's certificate, followed by that of the authority it made for itself."""
    return layout.pki / "apiserver.crt"


def has_certificate(layout: Layout) -> bool:
    """Whether the API server has written its certificate whole: its key comes after it."""
    return (layout.pki / "apiserver.key").exists()
