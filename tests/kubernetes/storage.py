"""A small provisioner: makes, grows and removes storage on the machine's own disk for claims of its classes."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.kubernetes.kube import Kube

Json = dict[str, Any]
_CLASSES, _VOLUMES = "/apis/storage.k8s.io/v1/storageclasses", "/api/v1/persistentvolumes"
_PATCH = {"content-type": "application/merge-patch+json"}
_EVERY_S = 0.3


class Provisioner:
    """Two classes: `at_once`, which every node has and which grows, and `late`, made on the node of the first job and
    only there, which does not."""

    def __init__(self, kube: Kube, root: Path) -> None:
        self._kube, self._root = kube, root
        self.at_once, self.late = f"{kube.namespace}-at-once", f"{kube.namespace}-late"
        self._name = f"danlu.test/{kube.namespace}"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="provisioner", daemon=True)

    def start(self) -> None:
        for name, mode, grows in (
            (self.at_once, "Immediate", True),
            (self.late, "WaitForFirstConsumer", False),
        ):
            body = {
                "apiVersion": "storage.k8s.io/v1",
                "kind": "StorageClass",
                "metadata": {"name": name},
                "provisioner": self._name,
                "volumeBindingMode": mode,
                "allowVolumeExpansion": grows,
            }
            self._kube.http.post(_CLASSES, json=body).raise_for_status()
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join(20)
        for name in (self.at_once, self.late):
            self._kube.http.delete(f"{_CLASSES}/{name}")
        for volume in self._volumes():
            self._kube.http.delete(f"{_VOLUMES}/{volume}")

    def folder(self, claim: str) -> Path:
        """Where the files of a claim are on this machine."""
        return self._root / claim

    def _run(self) -> None:
        with Kube(self._kube.kubeconfig, self._kube.namespace) as kube:
            while not self._over.wait(_EVERY_S):
                with contextlib.suppress(httpx.HTTPError):
                    self._round(kube)

    def _round(self, kube: Kube) -> None:
        made = self._volumes()
        claims = {
            one["metadata"]["name"]: one for one in kube.get(kube.path("persistentvolumeclaims"))["items"]
        }
        for name, claim in claims.items():
            if claim["spec"].get("storageClassName") not in (self.at_once, self.late):
                continue
            volume = f"{kube.namespace}-{name}"
            node = (claim["metadata"].get("annotations") or {}).get("volume.kubernetes.io/selected-node")
            if volume not in made and (node or claim["spec"]["storageClassName"] == self.at_once):
                self._make(kube, claim, volume, node)
            elif volume in made:
                self._grow(kube, claim, volume)
        for volume in made:
            name = volume.removeprefix(f"{kube.namespace}-")
            if name not in claims:
                kube.http.delete(f"{_VOLUMES}/{volume}")
                shutil.rmtree(self.folder(name), ignore_errors=True)

    def _volumes(self) -> list[str]:
        found = self._kube.http.get(_VOLUMES).raise_for_status().json()["items"]
        names = [one["metadata"]["name"] for one in found]
        return [name for name in names if name.startswith(f"{self._kube.namespace}-")]

    def _make(self, kube: Kube, claim: Json, volume: str, node: str | None) -> None:
        metadata, spec = claim["metadata"], claim["spec"]
        self.folder(metadata["name"]).mkdir(exist_ok=True)
        of = {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "namespace": kube.namespace}
        wanted: Json = {
            "capacity": spec["resources"]["requests"],
            "accessModes": spec["accessModes"],
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": spec["storageClassName"],
            "claimRef": {**of, "name": metadata["name"], "uid": metadata["uid"]},
        }
        folder = str(self.folder(metadata["name"]))
        if node is None:
            wanted["hostPath"] = {"path": folder, "type": "Directory"}
        else:
            wanted["local"] = {"path": folder}
            here = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
            wanted["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}}
        body = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": volume}, "spec": wanted}
        kube.http.post(_VOLUMES, json=body).raise_for_status()

    def _grow(self, kube: Kube, claim: Json, volume: str) -> None:
        """As a driver does it: the volume first, then what the claim says that there is."""
        asked, status = claim["spec"]["resources"]["requests"], claim.get("status") or {}
        if status.get("phase") != "Bound" or status.get("capacity") == asked:
            return
        kube.http.patch(f"{_VOLUMES}/{volume}", json={"spec": {"capacity": asked}}, headers=_PATCH)
        path = kube.path("persistentvolumeclaims", claim["metadata"]["name"], "status")
        kube.http.patch(path, json={"status": {"capacity": asked}}, headers=_PATCH)


@contextmanager
def provisioner(kube: Kube) -> Iterator[Provisioner]:
    """With its files below /tmp, where nodes of the test's own cluster find them too."""
    with tempfile.TemporaryDirectory(prefix="danlu-storage-") as root:
        made = Provisioner(kube, Path(root))
        try:
            made.start()
            yield made
        finally:
            made.close()
