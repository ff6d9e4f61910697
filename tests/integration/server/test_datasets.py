"""Datasets on a real server: made, mounted, trained on, and whole again after whatever was killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import danlu
from danlu.runtime.filling.filler import Filler, FillWish
from danlu.runtime.filling.wire import MountWire, Patience
from danlu.sdk import Client, Conflict, Invalid, NotFound
from tests.live import LiveServer, eventually, live_server, training

TRAIN = """
import os, danlu
data = danlu.dataset("digits@good")
assert data.path == "/data", data.path
total = sum(int(sample.data) for sample in data if sample.path.endswith(".txt"))
try:
    open("/data/0/0.txt", "w")
except OSError as error:
    print("refused:", error.strerror)
print("total", total, sorted(os.listdir(data)))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("danlu"), "--virtual-nodes", "2xcpu") as server:
        yield server


@pytest.fixture
def client(server: LiveServer) -> Client:
    return server.client()


@pytest.fixture(scope="module")
def folder(server: LiveServer) -> Path:
    """The files of the volume `raw`, as the server keeps them."""
    client = server.client()
    made = client.volumes.create("raw", "10GiB")
    folder = server.data / "volume-data" / made.id / "files"
    for number in range(200):
        file = folder / "digits" / str(number % 10) / f"{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{number}")
    (folder / "digits" / "large.bin").write_bytes(os.urandom(200_000))
    (folder / "digits" / "labels.csv").write_text("file,label\n0.txt,0\n")
    return folder


def ended(client: Client, job: str) -> Any:
    return eventually(lambda: (one := client.get(job)).state in ("completed", "failed", "stopped") and one)


def test_a_version_is_made_mounted_and_trained_on(client: Client, server: LiveServer, folder: Path) -> None:
    client.datasets.create("digits", licence="CC0-1.0", card="# Digits")
    act = client.datasets.snapshot("digits", "raw:/digits", tags=["good"], note="all of them")
    assert (act.state, act.version, act.files) == ("done", "v1", 202)
    found = client.datasets.version("digits")
    assert found.tags == ("latest", "good")
    assert found.place == "admin:raw:/digits"
    assert found.summary is not None
    assert {one.name: one.files for one in found.summary.endings} == {"txt": 200, "bin": 1, "csv": 1}

    mounts = [{"dataset": "digits@good", "path": "/data"}]
    job = client.submit(training("learn", ["python3", "-c", TRAIN], mounts=mounts))
    assert ended(client, job.id).state == "completed", server.cli("logs", "learn").stdout
    printed = server.cli("logs", "learn").stdout
    assert "refused: Read-only file system" in printed
    assert f"total {sum(range(200))}" in printed

    (folder / "digits" / "0" / "0.txt").write_text("1000")
    (folder / "digits" / "1" / "1.txt").unlink()
    (folder / "digits" / "new.txt").write_text("7")
    again = client.datasets.snapshot("digits", "raw:/digits")
    assert again.version == "v2"
    changes = {one.path: one.kind for one in client.datasets.diff("digits@v2")}
    assert changes == {"0/0.txt": "changed", "1/1.txt": "removed", "new.txt": "added"}
    assert client.datasets.read("digits@v1", "0/0.txt") == b"0"
    assert client.datasets.read("digits@v2", "0/0.txt", 1, 2) == b"00"
    assert client.datasets.preview("digits", "labels.csv").columns[1].name == "label"
    graph = client.datasets.lineage("digits")
    names = {one.id: one.name for one in graph.nodes}
    edges = {(names[one.source], one.kind, names[one.target]) for one in graph.edges}
    assert ("admin:digits@v1", "read", "learn") in edges
    assert ("admin:raw:/digits", "made", "admin:digits@v2") in edges


def test_restarts_and_clones_read_the_same_bytes(client: Client, server: LiveServer, folder: Path) -> None:
    """`name` is the newest version when the job is written, and no other one afterwards."""
    client.datasets.create("moving")
    client.datasets.snapshot("moving", "raw:/digits/2")
    mounts = [{"dataset": "moving", "path": "/data"}]
    job = client.submit(
        training(
            "slow",
            "ls /data | wc -l; cat /data/2.txt; until [ -e $DANLU_PERSONAL_DIR/go ]; do sleep 0.2; done",
            mounts=mounts,
        )
    )
    eventually(lambda: client.get(job.id).state == "running")
    with pytest.raises(Conflict, match="slow"):
        client.datasets.delete_version("moving@v1")
    with pytest.raises(Conflict, match="slow"):
        client.datasets.delete("moving")
    (folder / "digits" / "2" / "2.txt").write_text("changed")
    client.datasets.snapshot("moving", "raw:/digits/2")
    server.kill()
    server.start()
    client = server.client()
    client.restart(job.id)
    eventually(lambda: client.get(job.id).state == "running" and len(client.get(job.id).attempts) == 2)
    (server.data / "volumes" / "admin" / "go").touch()
    assert ended(client, job.id).state == "completed"
    assert server.cli("logs", "slow").stdout.split() == ["20", "2"]
    client.datasets.delete_version("moving@v1")


def test_the_reader_streams_shards_checks_and_keeps(
    client: Client, server: LiveServer, folder: Path, tmp_path: Path
) -> None:
    client.datasets.create("streamed")
    client.datasets.snapshot("streamed", "raw:/digits/3")
    every = danlu.dataset("streamed@v1", cache=str(tmp_path), client=client)
    assert every.path is None
    halves = [list(every.shard(rank, 2).files()) for rank in range(2)]
    assert sorted(halves[0] + halves[1]) == sorted(os.listdir(folder / "digits" / "3"))
    assert not set(halves[0]) & set(halves[1])
    assert {sample.path: sample.data for sample in every}["3.txt"] == b"3"
    kept = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert len(kept) == 20
    kept[0].write_bytes(b"damaged")
    assert sorted(int(sample.data) for sample in every) == [
        number for number in range(200) if number % 10 == 3
    ]
    with pytest.raises(NotFound, match="no file"):
        every.read("../../etc/passwd")


def test_what_is_killed_half_way_begins_again(server: LiveServer, folder: Path) -> None:
    """No half version, and nothing lost of what there was."""
    client = server.client()
    many = folder / "many"
    for number in range(3_000):
        file = many / str(number % 30) / f"{number}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"%d" % number * 9_000)
    client.datasets.create("many")
    act = client.datasets.snapshot("many", "raw:/many", wait=False)
    for _ in range(3):
        eventually(lambda client=client: client.datasets.act("many", act.id).read)
        server.kill()
        assert server.data.is_dir()
        server.start()
        client = server.client()
    done = client.datasets.wait("many", client.datasets.act("many", act.id))
    assert (done.version, done.files) == ("v1", 3_000)
    assert len(list(client.datasets.versions("many"))) == 1
    assert client.datasets.verify("many").damaged == 0
    eventually(lambda: client.datasets.collect() is not None)
    assert client.datasets.verify("many").damaged == 0
    assert client.datasets.read("many", "7/7.bin") == b"7" * 9_000


def test_a_snapshot_can_be_cancelled_and_says_why_it_failed(client: Client, folder: Path) -> None:
    client.datasets.create("wrong")
    with pytest.raises(Conflict, match="not there"):
        client.datasets.snapshot("wrong", "raw:/nothing")
    os.symlink("/etc", folder / "link")
    with pytest.raises(Conflict, match="a link is on the way"):
        client.datasets.snapshot("wrong", "raw:/link")
    act = client.datasets.snapshot("wrong", "raw:/", wait=False)
    over = client.datasets.cancel("wrong", act.id)
    assert over.state in ("cancelled", "done")
    with pytest.raises(NotFound):
        client.datasets.snapshot("wrong", "nobody:none:/")
    with pytest.raises(Invalid, match="latest"):
        client.datasets.snapshot("wrong", "raw:/", tags=["latest"])


def test_what_is_sensitive_stays_so_in_versions(client: Client, server: LiveServer) -> None:
    """Also where the mark comes after the snapshot was asked for."""
    made = client.volumes.create("patients", "1GiB", sensitive=True)
    (server.data / "volume-data" / made.id / "files" / "a.txt").write_text("a")
    client.datasets.create("scans", public=True)
    with pytest.raises(Conflict, match="patients is sensitive"):
        client.datasets.snapshot("scans", "patients:/")
    client.datasets.edit("scans", sensitive=True)
    assert client.datasets.snapshot("scans", "patients:/").version == "v1"


def test_names_that_are_no_text_stop_nobodys_snapshots(client: Client, server: LiveServer) -> None:
    made = client.volumes.create("odd", "1GiB")
    files = os.fsencode(server.data / "volume-data" / made.id / "files")
    for name in (b"a.\xff", b"\xfe", b"b.\x1b[2J"):
        with open(files + b"/" + name, "xb") as file:
            file.write(name)
    client.datasets.create("odd")
    assert client.datasets.snapshot("odd", "odd:/").files == 3
    summary = client.datasets.version("odd").summary
    assert summary is not None
    assert all(one.name.isprintable() for one in summary.endings)


def test_a_damaged_content_is_named_and_mended_from_its_source(
    client: Client, server: LiveServer, folder: Path
) -> None:
    client.datasets.create("damaged")
    client.datasets.snapshot("damaged", "raw:/digits")
    digest = next(one.digest for one in client.datasets.files("damaged") if one.path == "large.bin")
    stored = server.data / "datasets" / "objects" / digest[:2] / digest[2:]
    whole = stored.read_bytes()
    stored.chmod(0o600)
    stored.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    act = client.datasets.verify("damaged")
    assert (act.damaged, act.found) == (1, ("large.bin",))
    assert client.datasets.version("damaged").damaged == 1
    client.datasets.snapshot("damaged", "raw:/digits", reread=True)
    assert client.datasets.verify("damaged@v1").damaged == 0


def test_the_command_line_tells_the_same(server: LiveServer, folder: Path, tmp_path: Path) -> None:
    assert server.cli("dataset", "create", "told", "--licence", "MIT").returncode == 0
    made = server.cli("dataset", "snapshot", "told", "raw:/digits/4", "--tag", "first")
    assert "Made told@v1: 20 files" in made.stderr
    assert "first" in server.cli("dataset", "versions", "told").stdout
    assert "4.txt" in server.cli("dataset", "files", "told@first").stdout
    assert "+ 4.txt" in server.cli("dataset", "diff", "told@v1").stdout
    got = server.cli("dataset", "get", "told@v1", "-o", str(tmp_path / "copy"))
    assert got.returncode == 0, got.stderr
    assert (tmp_path / "copy" / "4.txt").read_text() == "4"
    assert server.cli("dataset", "tag", "told@v1", "best").returncode == 0
    assert server.cli("dataset", "untag", "told@best").returncode == 0
    assert "are as they should be" in server.cli("dataset", "verify", "told").stderr
    assert server.cli("dataset", "rm", "told").returncode == 0
    assert "told" in server.cli("dataset", "ls", "--trash").stdout
    assert server.cli("dataset", "restore", "told").returncode == 0
    assert server.cli("dataset", "share", "told", "--user", "nobody-there").returncode != 0


def test_what_a_pod_mounts_arrives_whole_though_the_server_was_killed_half_way(
    client: Client, server: LiveServer, folder: Path, tmp_path: Path
) -> None:
    contents = {f"{number}.bin": os.urandom(3 << 20) for number in range(6)}
    (folder / "heavy").mkdir()
    for name, content in contents.items():
        (folder / "heavy" / name).write_bytes(content)
    client.datasets.create("heavy")
    client.datasets.snapshot("heavy", "raw:/heavy")
    mounts = [{"dataset": "heavy", "path": "/data"}]
    tell = "echo $DANLU_TASK_TOKEN > $DANLU_PERSONAL_DIR/token; sleep 600"
    job = client.submit(training("pod-like", tell, mounts=mounts))
    token = server.data / "volumes" / "admin" / "token"
    eventually(lambda: token.exists() and token.read_text().endswith("\n"))
    killed: list[int] = []

    def heard(came: int, size: int) -> None:
        if came > size // 4 and not killed:
            killed.append(came)
            server.kill()
            server.start()

    patience = Patience(100)
    wire = MountWire(server.url, token.read_text().strip(), 0, patience)
    Filler(FillWish(0, str(tmp_path), "dataset", "heavy@v1"), wire, patience, heard).fill()
    assert killed
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == contents
    server.client().stop(job.id)
