"""Outputs on a real server: what a job leaves becomes a version and a folder, and another job reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.sdk import Client, Invalid
from tests.live import LiveServer, eventually, live_server, training
from tools.dev.places import ROOT

WRITES = "mkdir -p out/features best && for n in 1 2 3; do echo $n > out/features/$n.txt; done; echo w > best/w.bin"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("danlu"), "--virtual-nodes", "2xcpu") as server:
        yield server


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Client:
    made = server.client()
    made.datasets.create("features")
    made.volumes.create("models", "1GiB")
    return made


def files_of(server: LiveServer, client: Client, volume: str) -> Path:
    return server.data / "volume-data" / client.volumes.get(volume).id / "files"


def ended(client: Client, job: str) -> Any:
    return eventually(lambda: (one := client.get(job)).state in ("completed", "failed", "stopped") and one)


def lineage(client: Client, dataset: str) -> set[tuple[str, str, str]]:
    graph = client.datasets.lineage(dataset)
    names = {one.id: one.name for one in graph.nodes}
    return {(names[one.source], one.kind, names[one.target]) for one in graph.edges}


def test_what_a_job_leaves_becomes_a_version_and_a_folder_that_others_read(
    client: Client, server: LiveServer
) -> None:
    outputs = [
        {"path": "out/features", "dataset": "features", "tag": "clean"},
        {"path": "best", "to": "models:/bert/{name}-{run}/"},
        {"path": "best/w.bin", "to": "personal:/last.bin"},
    ]
    job = client.submit(training("make", WRITES, outputs=outputs))
    ended(client, job.id)
    made = client.outputs.wait(job.id)
    assert [(one.state, one.target, one.files, one.problem) for one in made] == [
        ("done", "admin:features@v1", 3, None),
        ("done", "admin:models:/bert/make-1/", 1, None),
        ("done", "personal:/last.bin", 1, None),
    ]
    version = client.datasets.version("features@clean")
    assert (version.version, version.job, version.files) == ("v1", "make#1", 3)
    assert version.place == "make#1:/out/features"
    assert (files_of(server, client, "models") / "bert" / "make-1" / "w.bin").read_text() == "w\n"
    assert (server.data / "volumes" / "admin" / "last.bin").read_text() == "w\n"

    mounts = [{"dataset": "features@clean", "path": "/data"}]
    reader = client.submit(training("learn", "cat /data/*.txt", mounts=mounts))
    assert ended(client, reader.id).state == "completed"
    assert server.cli("logs", "learn").stdout.split() == ["1", "2", "3"]
    edges = lineage(client, "features")
    assert ("make#1", "made", "admin:features@v1") in edges
    assert ("admin:features@v1", "read", "learn") in edges
    assert version.attempt == 1

    client.datasets.create("weights")
    client.datasets.snapshot("weights", "models:/bert")
    edges = lineage(client, "weights")
    assert ("make#1", "made", "admin:models:/bert") in edges
    assert ("admin:models:/bert", "made", "admin:weights@v1") in edges
    kinds = [one.kind for one in client.events(job.id)]
    assert kinds.count("output_made") == 3
    shown = server.cli("outputs", "make")
    assert "admin:features@v1 (clean)" in shown.stdout
    assert "admin:features@v1 (clean)" in server.cli("show", "make").stdout


def test_what_cannot_be_kept_is_told_and_made_again_once_it_can(client: Client, server: LiveServer) -> None:
    client.datasets.create("late")
    outputs = [
        {"path": "out/features", "dataset": "late", "when": "always"},
        {"path": "missing", "to": "models:/x/", "when": "always"},
        {"path": "best", "to": "models:/never/"},
    ]
    job = client.submit(training("fails", f"{WRITES}; sleep 0.5; exit 3", outputs=outputs))
    client.datasets.delete("late")
    assert ended(client, job.id).state == "failed"
    found = {one.path: one for one in client.outputs.wait(job.id)}
    assert {path: one.state for path, one in found.items()} == {
        "out/features": "failed",
        "missing": "failed",
        "best": "skipped",
    }
    codes = {path: one.problem.code for path, one in found.items() if one.problem}
    assert codes == {"missing": "nothing_there", "out/features": "no_dataset"}
    assert client.get(job.id).state == "failed"
    client.datasets.restore("late")
    again = server.cli("outputs", "fails", "--retry", "--wait", "--json")
    assert again.returncode == 1  # `missing` is still missing
    told = {one["path"]: one for one in json.loads(again.stdout)}
    assert (told["out/features"]["state"], told["out/features"]["version"]) == ("done", "v1")
    assert "there is nothing at missing" in server.cli("outputs", "fails").stdout
    assert not (files_of(server, client, "models") / "never").exists()


def test_mistakes_are_told_at_their_places(client: Client) -> None:
    outputs = [
        {"path": "../x", "to": "models:/"},
        {"path": "x", "dataset": "unknown-thing"},
        {"path": "x", "dataset": "features", "to": "models:/both/"},
        {"path": "x"},
        {"path": "x", "task": "worker-7", "to": "modles:/{nam}/"},
    ]
    with pytest.raises(Invalid) as refused:
        client.submit(training("wrong", "true", outputs=outputs))
    places = {".".join(map(str, one.loc)): (one.code, str(one.hint)) for one in refused.value.errors}
    assert set(places) == {"outputs.0.path", "outputs.2", "outputs.3", "outputs.4.to"}
    with pytest.raises(Invalid) as refused:
        client.submit(training("wrong", "true", outputs=[outputs[1]]))
    (one,) = refused.value.errors
    assert "danlu dataset create unknown-thing" in str(one.hint)
    with pytest.raises(Invalid, match="pods on Kubernetes"):
        client.submit(
            training("wrong", "true", image="busybox:1", outputs=[{"path": "x", "to": "personal:/"}])
        )


def test_links_lead_nowhere_and_what_leads_out_is_left_out(client: Client, server: LiveServer) -> None:
    """A task cannot have outputs read what it may not: Danlu reads as its owner, and through no link."""
    secret = server.data / "secrets" / "planted"
    secret.write_text("not yours")
    out = f"ln -s {secret.parent} up; mkdir real; ln -s {secret} real/leak; ln -s plain real/inside; echo x > real/plain"
    outputs = [
        {"path": "up/planted", "to": "personal:/stolen/"},
        {"path": "up", "dataset": "features"},
        {"path": "real", "to": "personal:/real/"},
        {"path": "real", "dataset": "features", "tag": "real"},
    ]
    job = client.submit(training("leads-out", out, outputs=outputs))
    ended(client, job.id)
    found = client.outputs.wait(job.id)
    assert [one.state for one in found] == ["failed", "failed", "done", "done"]
    assert [one.problem.code for one in found if one.problem] == ["link", "link"]
    mine = server.data / "volumes" / "admin"
    assert not (mine / "stolen").exists()
    assert sorted(one.name for one in (mine / "real").iterdir()) == ["inside", "plain"]
    assert [one.path for one in client.datasets.files("features@real")] == ["inside", "plain"]


def test_the_example_makes_a_version_that_the_next_job_reads(server: LiveServer, client: Client) -> None:
    folder = ROOT / "examples" / "outputs"
    client.datasets.delete("features")
    client.datasets.create("features")
    assert server.cli("run", str(folder / "dataset.yaml")).returncode == 0
    made = server.cli("outputs", "make-features", "--wait")
    assert made.returncode == 0, made.stderr
    assert "admin:features@v1 (clean)" in made.stdout
    read = server.cli("run", str(folder / "read.yaml"))
    assert "read 4000 rows" in read.stdout, read.stderr
    lineage = server.cli("dataset", "lineage", "features").stdout
    assert "make-features#1" in lineage
    assert "read-features" in lineage
