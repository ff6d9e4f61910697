"""Volumes on a real cluster: claims that Danlu makes, mounted, grown and deleted, and everybody's own directories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from danlu.domain.events import TaskEnded
from danlu.domain.quantity import MIB
from danlu.domain.resources import Resources
from danlu.engines.kubernetes.objects.claims import personal_claim_name
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.sdk import Client
from danlu.sdk.http.errors import Invalid
from danlu.sdk.models import Volume, VolumeClaim
from tests.contracts.engine.harness import ended as has_ended
from tests.contracts.engine.harness import watch
from tests.kubernetes.beside import CLUSTER, DanluBeside
from tests.kubernetes.harness import harness_on
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.kubernetes.storage import Provisioner, provisioner
from tests.live import eventually

pytestmark = pytest.mark.own_cluster
SIZE = Resources(50, 32 * MIB)
SMALL = {"cpus": 0.05, "memory": "32MiB"}
GIB = 2**30


@pytest.fixture
def storage(danlu: DanluBeside) -> Iterator[Provisioner]:
    """Storage for the cluster of the Danlu that all tests share, and none of it afterwards."""
    with provisioner(danlu.kube) as made:
        classes = ("--filesystem-class", made.at_once, "--block-class", made.late, "--personal-size", "1GiB")
        assert danlu.cli("cluster", "edit", CLUSTER, *classes).returncode == 0
        try:
            yield made
        finally:
            unset = ("--filesystem-class", "", "--block-class", "")
            assert danlu.cli("cluster", "edit", CLUSTER, *unset).returncode == 0


def run(client: Client, place: Place, name: str, command: str, *mounts: dict[str, Any], **more: Any) -> None:
    file = {"kind": "training", "name": name, "image": place.busybox, "command": command, "resources": SMALL}
    client.submit({**file, "mounts": list(mounts), **more})


def ended(client: Client, danlu: DanluBeside, name: str) -> str:
    job = client.wait(name)
    said = danlu.cli("logs", name).stdout
    assert job.state == "completed", (job.reason, said, danlu.cli("events", name).stdout)
    return said


def claims(danlu: DanluBeside) -> dict[str, bool]:
    """Those that there are, and whether they are to go."""
    found = danlu.kube.get(danlu.kube.path("persistentvolumeclaims"))["items"]
    return {one["metadata"]["name"]: "deletionTimestamp" in one["metadata"] for one in found}


def made_for_volume(claim: str) -> bool:
    return claim.startswith("danlu-volume-")


def test_volumes_come_are_used_grow_and_go(danlu: DanluBeside, place: Place, storage: Provisioner) -> None:
    with danlu.client() as client:
        me = client.me().user.name
        create(danlu)
        data: Volume = eventually(lambda: bound(client, "data"))
        attach(danlu, storage)

        write = f"""
            echo hello > /data/x && echo fast > /disk/x && echo mine > /mnt/{me}/x && echo own > /scratch/x || exit 8
            echo old > $DANLU_ARCHIVE_DIR/x && test $DANLU_PERSONAL_DIR = /mnt/{me} || exit 7
            until test -e /data/go; do sleep 0.2; done
        """
        wanted = [{"volume": name, "path": f"/{name}", "mode": "rw"} for name in ("data", "disk")]
        run(client, place, "writer", write, *wanted, {"local": "16MiB", "path": "/scratch"})
        eventually(lambda: (storage.folder(personal_claim_name(me)) / "archive" / "x").exists())
        read = f"""
            cat /data/x /disk/x /mnt/{me}/x /archives/{me}/x /attached/x || exit 8
            test -z "$(ls -A /scratch)" || exit 7
            if echo no 2>/dev/null > /data/y || echo no 2>/dev/null > /disk/y; then exit 9; fi
        """
        wanted = [{"volume": name, "path": f"/{name}"} for name in ("data", "disk", "attached")]
        run(client, place, "readers", read, *wanted, {"local": True, "path": "/scratch"}, nodes=2)
        assert eventually(lambda: client.get("readers").waiting).code == "volume_busy"
        eventually(lambda: claim_of(client, "disk").nodes)
        assert danlu.cli("volume", "rm", "data").returncode != 0, "nothing goes that is mounted"

        assert danlu.cli("volume", "grow", "data", "2GiB").returncode == 0
        eventually(lambda: claim_of(client, "data").capacity == 2 * GIB)
        assert "does not allow it" in danlu.cli("volume", "grow", "disk", "2GiB").stderr

        (storage.folder(data.claim) / "go").touch()
        ended(client, danlu, "writer")
        ended(client, danlu, "readers")
        said = [danlu.cli("logs", "readers", "--task", f"worker-{rank}").stdout for rank in (0, 1)]
        assert all(words.split() == ["hello", "fast", "mine", "old", "there"] for words in said), said
        assert {*client.get("readers").placed} == {*client.get("writer").placed}, "one node has the disk"

        of_a_stranger(danlu, client, place)
        for name in ("data", "disk"):
            assert danlu.cli("volume", "rm", name).returncode == 0
        assert data.claim in claims(danlu), "in the trash it can still be restored"
        for name in ("data", "disk"):
            assert danlu.cli("volume", "rm", name, "--forever", "--yes").returncode == 0
        # Kubernetes keeps a claim while ended pods name it, and Danlu keeps those for a while as proof of what ran.
        eventually(lambda: all(is_going for name, is_going in claims(danlu).items() if made_for_volume(name)))
        for pod in danlu.kube.get(danlu.kube.path("pods"))["items"]:
            danlu.kube.delete("pods", pod["metadata"]["name"])
        eventually(lambda: not any(map(made_for_volume, claims(danlu))))
        assert claims(danlu)["attached"] is False


def test_in_a_claim_for_all_each_finds_their_own_folders(kube: Kube, place: Place, tmp_path: Path) -> None:
    with provisioner(kube) as storage, harness_on(kube, place, tmp_path, personal_claim="home") as harness:
        kube.create("persistentvolumeclaims", claim_body("home", storage))
        engine = harness.engine()
        look = "cd /mnt/{name} && ls -A . /mnt /archives/{name} > seen && test $DANLU_PERSONAL_DIR = $PWD"
        for name in ("lin", "wang"):
            task = TaskOrder("w-0", "w", "a100-0", "", (), SIZE, look.format(name=name), {}, False)
            engine.start(AttemptOrder(f"{name}-1", name, 1, name, "host", None, (task,)))
            events = watch(harness, engine, has_ended())
            assert [one.reason for one in events if isinstance(one, TaskEnded)] == [None]
        for name in ("lin", "wang"):
            seen = (storage.folder("home") / "personal" / name / "seen").read_text()
            assert seen.split() == [".:", "seen", f"/archives/{name}:", "/mnt:", name]


def create(danlu: DanluBeside) -> None:
    for name, kind in (("data", "filesystem"), ("disk", "block")):
        size = ("--kind", kind, "--capacity", "1GiB")
        made = danlu.cli("volume", "create", name, "--cluster", CLUSTER, *size)
        assert made.returncode == 0, made.stderr


def attach(danlu: DanluBeside, storage: Provisioner) -> None:
    """A claim that an administrator made by hand, with a file in it."""
    danlu.kube.create("persistentvolumeclaims", claim_body("attached", storage))
    eventually(lambda: storage.folder("attached").exists())
    (storage.folder("attached") / "x").write_text("there\n")
    what = ("--cluster", CLUSTER, "--claim", "attached", "--capacity", "1GiB")
    made = danlu.cli("volume", "create", "attached", *what)
    assert made.returncode == 0, made.stderr


def claim_body(name: str, storage: Provisioner) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "storageClassName": storage.at_once,
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }


def of_a_stranger(danlu: DanluBeside, client: Client, place: Place) -> None:
    """Who shares nothing with the owner mounts nothing of theirs, and finds a directory of their own."""
    client.people.create("mallory", password="long enough")
    with Client(url=danlu.url, token=token_of(danlu, "mallory")) as mallory:
        me = client.me().user.name
        with pytest.raises(Invalid) as refused:
            run(mallory, place, "steals", "true", {"volume": f"{me}:data", "path": "/data"})
        assert refused.value.errors[0].code == "no_such_volume"
        look = f'test ! -e /mnt/{me} && test -z "$(ls -A /mnt/mallory /archives/mallory | grep -v :)"'
        run(mallory, place, "looks", look)
        job = mallory.wait("looks")
        assert job.state == "completed", job.reason


def token_of(danlu: DanluBeside, name: str) -> str:
    with httpx.Client(base_url=f"{danlu.url}/api/v1", trust_env=False) as http:
        signed = http.post("/session", json={"username": name, "password": "long enough"}).json()
        made = http.post("/tokens", json={"name": "test"}, headers={"X-CSRF-Token": signed["csrf"]})
        return str(made.json()["secret"])


def claim_of(client: Client, name: str) -> VolumeClaim:
    made = client.volumes.get(name).made
    assert made is not None
    return made


def bound(client: Client, name: str) -> Volume | None:
    volume = client.volumes.get(name)
    return volume if volume.made is not None and volume.made.state == "bound" else None
