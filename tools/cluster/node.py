"""What makes a machine a node: containerd with its network plugins, and kubelet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.cluster.credentials import kubeconfig_of
from tools.cluster.layout import DNS_ADDRESS, Layout

SANDBOX_IMAGE = "danlu.test/pause:1"
CNI_PLUGINS = "/usr/lib/cni"
GPU = "nvidia.com/gpu"


def configure_node(layout: Layout, node: str) -> None:
    folder = layout.folder(node)
    (folder / "cni").mkdir(parents=True, exist_ok=True)
    (folder / "cni" / "10-danlu.conflist").write_text(json.dumps(network_plugins(layout, node), indent=1))
    (folder / "containerd.toml").write_text(containerd_settings(layout, node))
    (folder / "kubelet.json").write_text(json.dumps(kubelet_settings(layout, node), indent=1))
    (folder / "resolv.conf").write_text("")
    keep_extended_resources(folder)


def keep_extended_resources(folder: Path) -> None:
    """Kubelet sets resources it has no plugin for to 0 when it starts, unless it finds notes of an earlier life."""
    notes = folder / "kubelet-home" / "device-plugins" / "kubelet_internal_checkpoint"
    notes.parent.mkdir(parents=True, exist_ok=True)
    notes.write_text("{}")


def containerd(layout: Layout, node: str) -> list[str]:
    return ["containerd", f"--config={layout.folder(node) / 'containerd.toml'}", "--log-level=warn"]


def kubelet(layout: Layout, programs: Path, node: str) -> list[str]:
    folder = layout.folder(node)
    return [
        str(programs / "kubelet"),
        f"--config={folder / 'kubelet.json'}",
        f"--kubeconfig={kubeconfig_of(layout, node)}",
        f"--root-dir={folder / 'kubelet'}",
        f"--cert-dir={folder / 'kubelet-pki'}",
        f"--hostname-override={node}",
        f"--node-ip={layout.address(node)}",
        f"--node-labels={','.join(f'{key}={value}' for key, value in labels(layout, node).items())}",
        "--container-runtime=remote",
        f"--container-runtime-endpoint=unix://{layout.containerd_socket(node)}",
        "--v=0",
    ]


def labels(layout: Layout, node: str) -> dict[str, str]:
    """What feature discovery and an administrator would have written."""
    number = layout.nodes.index(node)
    gpu = {
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB",
        "nvidia.com/gpu.count": str(layout.gpus),
        "nvidia.com/gpu.memory": "81920",
    }
    place = {"topology.kubernetes.io/zone": "zone-a", "rack": f"rack-{number // 4}"}
    return {**(gpu if layout.gpus else {}), **place}


def containerd_settings(layout: Layout, node: str) -> str:
    folder = layout.folder(node)
    unused = ["aufs", "btrfs", "devmapper", "native", "zfs"]
    disabled = [f"io.containerd.snapshotter.v1.{name}" for name in unused]
    return f"""
version = 2
root = "{folder / "containerd"}"
state = "{folder / "containerd-state"}"
disabled_plugins = {json.dumps(disabled)}

[grpc]
address = "{layout.containerd_socket(node)}"

[plugins."io.containerd.internal.v1.opt"]
path = "{folder / "containerd-opt"}"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{SANDBOX_IMAGE}"
stream_server_address = "127.0.0.1"
restrict_oom_score_adj = true
disable_apparmor = true
netns_mounts_under_state_dir = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{CNI_PLUGINS}"
conf_dir = "{folder / "cni"}"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
"""


def network_plugins(layout: Layout, node: str) -> dict[str, Any]:
    addresses = {
        "type": "host-local",
        "dataDir": str(layout.folder(node) / "cni-addresses"),
        "ranges": [[{"subnet": layout.pod_range(node)}]],
        "routes": [{"dst": "0.0.0.0/0"}],
    }
    bridge = {"type": "bridge", "bridge": "cni0", "isGateway": True, "ipMasq": False, "ipam": addresses}
    return {"cniVersion": "0.4.0", "name": "danlu", "plugins": [bridge]}


def kubelet_settings(layout: Layout, node: str) -> dict[str, Any]:
    folder = layout.folder(node)
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        # Reached by the API server alone, over the cluster's own network.
        "address": layout.address(node),
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": layout.cgroup(node),
        "clusterDNS": [DNS_ADDRESS],
        # Tasks of tests ask for next to nothing, so that many fit; held to that, Python alone would start for seconds.
        "cpuCFSQuota": False,
        "clusterDomain": "cluster.local",
        "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        "failSwapOn": False,
        "imageGCHighThresholdPercent": 100,
        "makeIPTablesUtilChains": False,
        "nodeLeaseDurationSeconds": 8,
        "nodeStatusReportFrequency": "1m",
        "nodeStatusUpdateFrequency": "2s",
        "oomScoreAdj": 0,
        "resolvConf": str(folder / "resolv.conf"),
        "serializeImagePulls": False,
        # Kubelet looks once more whether a deleted pod left anything behind this long after it ended; if it did, the
        # pod stays until a round that comes every ten seconds.
        "syncFrequency": "2s",
        "volumePluginDir": str(folder / "volume-plugins"),
    }
