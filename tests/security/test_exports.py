"""A real NFS server: exports are looked at, listed and read by a process that is nobody; nothing leads out of them."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.data.checks import PlacesOutside
from danlu.data.exports import process
from danlu.data.exports.process import ExportProcess
from danlu.data.exports.store import ExportStore
from danlu.data.outside import NetworkGuard
from danlu.domain.errors import ForbiddenAddress, LoginMayNot, NotFound, Stale, Unreachable
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.volumes.source import VolumeOutside
from danlu.ports.objects import pages
from tests.live import eventually
from tools.testing.nfs import NfsServer

HERE = NetworkGuard(local=True)


@pytest.fixture
def store(nfs: NfsServer, exported: Path) -> Iterator[ExportStore]:
    made = ExportStore(ExportAddress.parse(nfs.address(exported)), HERE)
    yield made
    made.close()


def steps(address: str, guard: NetworkGuard = HERE) -> list[str]:
    """Those that are fine, and the one that is not with a mark."""
    found = PlacesOutside(guard).check(VolumeOutside(address), None)
    return [one.code if one.level == "ok" else f"!{one.code}" for one in found]


def test_the_verdict_names_the_step_that_fails(nfs: NfsServer, exported: Path) -> None:
    (exported / "one").write_bytes(b"1")
    (exported / "closed").mkdir(mode=0o700)
    address = nfs.address(exported)
    assert steps(address) == ["name", "route", "export", "right"]
    assert steps(f"{address}/none") == ["name", "route", "!export"]
    assert steps(f"{address}/closed") == ["name", "route", "export", "!right"]
    assert steps("nfs://no-such-host.invalid/x") == ["!name"]
    assert steps("nfs://127.0.0.1:9/x") == ["name", "!route"]


def test_what_answers_but_speaks_no_nfs_is_told_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            while True:
                try:
                    taken, _ = listening.accept()
                except OSError:
                    return
                with taken:
                    taken.sendall(b"HTTP/1.0 400 Bad\r\n\r\n")

        threading.Thread(target=greet, daemon=True).start()
        assert steps(f"nfs://127.0.0.1:{listening.getsockname()[1]}/x") == ["name", "route", "!export"]


def test_a_machine_without_libnfs_says_what_to_install(
    nfs: NfsServer, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = "from danlu.data.exports import libnfs, worker; libnfs.SONAME = 'libnone.so'; worker.main()"
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", without))
    found = PlacesOutside(HERE).check(VolumeOutside(nfs.address(exported)), None)
    assert [one.code for one in found] == ["name", "route", "export"]
    for said in (found[-1].text.en, found[-1].text.zh):
        assert "apt-get install libnfs13" in said


def test_danlus_own_machine_and_metadata_are_nowhere_to_go(nfs: NfsServer, exported: Path) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "[::ffff:7f00:1]"):
        assert steps(f"nfs://{host}:{nfs.port}/export", NetworkGuard()) == ["!name"]
    assert steps("nfs://169.254.169.254/export") == ["!name"]
    with pytest.raises(ForbiddenAddress):
        ExportStore(ExportAddress.parse(nfs.address(exported)), NetworkGuard()).page()


def test_files_are_listed_and_read(store: ExportStore, exported: Path) -> None:
    content = os.urandom(3_000_001)
    (exported / "deep" / "er").mkdir(parents=True)
    (exported / "deep" / "er" / "b").write_bytes(content)
    (exported / "deep" / "empty").mkdir()
    (exported / "a").write_bytes(b"alpha")
    top = store.page(folders=True)
    assert ([one.key for one in top.objects], top.folders) == (["a"], ("deep/",))
    assert [one.key for one in store.page().objects] == ["a", "deep/", "deep/empty/", "deep/er/", "deep/er/b"]
    assert b"".join(store.stream("deep/er/b")) == content
    assert store.read("deep/er/b", 2_999_999, 100) == content[2_999_999:]
    assert store.read("a", 5, 10) == b""
    assert store.head("a") == top.objects[0]
    assert store.page("none/").objects == ()
    with pytest.raises(NotFound):
        store.head("deep")


def test_a_large_folder_comes_by_pages(store: ExportStore, exported: Path) -> None:
    for number in range(1005):
        (exported / f"{number:04}").touch()
    found = [one.key for page in pages(store) for one in page]
    assert found == [f"{number:04}" for number in range(1005)]
    first = store.page()
    store.page(after=first.next)
    with pytest.raises(Stale):
        store.page(after=first.next)


def test_links_are_left_out_and_not_followed(nfs: NfsServer, store: ExportStore, exported: Path) -> None:
    secret = nfs.folder()
    (secret / "hidden").write_bytes(b"hidden")
    (exported / "in").mkdir()
    (exported / "out").symlink_to(f"../{secret.name}")
    (exported / "in" / "file").symlink_to(f"../../{secret.name}/hidden")
    (exported / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(exported / "pipe")
    assert store.entries("")[1] == 3
    assert [one.key for one in store.page().objects] == ["in/"]
    for path in ("out/hidden", "in/file", "passwd", "pipe", "out", f"../{secret.name}/hidden"):
        for act in (store.head, lambda path: store.read(path, 0, 9)):
            with pytest.raises(NotFound):
                act(path)
    assert store.page("out/").objects == ()


def test_odd_names_are_names(store: ExportStore, exported: Path) -> None:
    for name in (b"new\nline", b"bad\xff", b"-rf", "丹炉".encode()):
        Path(os.fsdecode(os.fsencode(exported) + b"/" + name)).write_bytes(name)
    found = [one.key for one in store.page().objects]
    assert sorted(map(os.fsencode, found)) == [b"-rf", b"bad\xff", b"new\nline", "丹炉".encode()]
    assert all(store.read(one, 0, 99) == os.fsencode(one) for one in found)


def test_what_changes_while_it_is_read_is_stale(store: ExportStore, exported: Path) -> None:
    (exported / "a").write_bytes(b"before")
    was = store.head("a").etag
    assert store.head("a").etag == was
    (exported / "new").write_bytes(b"behind")
    (exported / "new").replace(exported / "a")
    with pytest.raises(Stale):
        store.read("a", 0, 9, was)
    assert store.read("a", 0, 9, store.head("a").etag) == b"behind"


def test_who_reads_decides_what_is_read(nfs: NfsServer, store: ExportStore, exported: Path) -> None:
    (exported / "own").write_bytes(b"own")
    (exported / "own").chmod(0o600)
    os.chown(exported / "own", 4711, 4712)
    with pytest.raises(LoginMayNot) as refused:
        store.read("own", 0, 9)
    assert f"{exported.name}/own" in str(refused.value)
    somebody = ExportStore(ExportAddress.parse(f"{nfs.address(exported)}?uid=4711&gid=4712"), HERE)
    assert somebody.read("own", 0, 9) == b"own"
    somebody.close()


def test_a_worker_is_nobody_and_started_again_when_it_is_gone(store: ExportStore, exported: Path) -> None:
    (exported / "a").write_bytes(b"alpha")
    assert store.read("a", 0, 9) == b"alpha"
    assert store._worker is not None
    first = store._worker.pid
    about = dict(line.split(":\t", 1) for line in Path(f"/proc/{first}/status").read_text().splitlines())
    assert about["Uid"].split() == ["65534"] * 4
    assert (about["Groups"].strip(), about["NoNewPrivs"]) == ("", "1")
    assert int(about["CapEff"], 16) & ~(1 << 10) == 0
    os.kill(first, signal.SIGKILL)
    assert store.read("a", 0, 9) == b"alpha"
    assert store._worker.pid != first


def test_a_worker_ends_when_nobody_asks_and_when_its_store_is_gone(nfs: NfsServer, exported: Path) -> None:
    place = ExportAddress.parse(nfs.address(exported))
    order = {"address": place.host, "port": place.port, "path": place.path, "uid": 65534, "gid": 65534}
    idle = ExportProcess({**order, "idle_s": 0.2})
    eventually(lambda: not Path(f"/proc/{idle.pid}").exists())
    idle.end()
    store = ExportStore(place, HERE)
    store.start()
    assert store._worker is not None
    pid = store._worker.pid
    del store
    eventually(lambda: not Path(f"/proc/{pid}").exists())


def test_a_server_that_dies_is_told_of_and_used_again_when_it_is_back(
    nfs: NfsServer, store: ExportStore, exported: Path
) -> None:
    (exported / "a").write_bytes(bytes(5 << 20))
    stream = store.stream("a")
    assert len(next(stream)) == 1 << 20
    nfs.kill()
    began = time.monotonic()
    with pytest.raises(Unreachable):
        list(stream)
    assert time.monotonic() - began < 45
    with pytest.raises(Unreachable):
        store.page()
    nfs.start()
    assert len(b"".join(store.stream("a"))) == 5 << 20
