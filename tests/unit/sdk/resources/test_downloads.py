"""Downloads: continued, never over what is there, and never outside their target."""

from __future__ import annotations

import io
import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from danlu.sdk import Client, Job
from danlu.sdk.http.errors import DownloadFailed, NameTaken

CONTENT = bytes(range(256)) * 4096


class Origin:
    """A server of one file or folder, which breaks off after so many bytes as often as told."""

    def __init__(self) -> None:
        self.content, self.kind, self.tag = CONTENT, "application/octet-stream", '"aa-1"'
        self.breaks: list[int] = []
        self.asked: list[str | None] = []
        origin = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                origin.answer(self)

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        asked = to.headers.get("Range") if to.headers.get("If-Range") == self.tag else None
        self.asked.append(asked)
        begin = int(asked[6:-1]) if asked else 0
        data = self.content[begin:]
        to.send_response(206 if asked else 200)
        to.send_header("Content-Type", self.kind)
        to.send_header("Content-Length", str(len(data)))
        to.send_header("ETag", self.tag)
        to.end_headers()
        to.wfile.write(data[: self.breaks.pop(0)] if self.breaks else data)


@pytest.fixture
def origin() -> Iterator[Origin]:
    made = Origin()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def client(origin: Origin) -> Iterator[Client]:
    with Client(
        url=f"http://127.0.0.1:{origin.server.server_port}", token="danlu_secret", timeout=30
    ) as found:
        yield found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_file_that_broke_off_is_continued(origin: Origin, client: Client, here: Path) -> None:
    origin.breaks = [1000, 2000]
    seen: list[tuple[int, int | None]] = []
    assert client.files.get("job", "out/model.pt", progress=lambda *told: seen.append(told)) == "model.pt"
    assert (here / "model.pt").read_bytes() == CONTENT
    assert origin.asked == [None, "bytes=1000-", "bytes=3000-"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert os.listdir(here) == ["model.pt"]


def test_the_same_command_goes_on_where_it_stopped(origin: Origin, client: Client, here: Path) -> None:
    origin.breaks = [1000, 0, 0]
    with pytest.raises(DownloadFailed):
        client.files.get("job", "model.pt")
    assert not (here / "model.pt").exists()
    client.files.get("job", "model.pt")
    assert origin.asked[-1] == "bytes=1000-"
    assert (here / "model.pt").read_bytes() == CONTENT


def test_a_job_gives_its_own_files(origin: Origin, client: Client, here: Path) -> None:
    job = Job(id="02mnmpfb4223q", name="bert").held_by(client)
    assert job.get("out/model.pt") == "model.pt"
    assert (here / "model.pt").read_bytes() == CONTENT


def test_a_file_that_changed_meanwhile_is_begun_anew(origin: Origin, client: Client, here: Path) -> None:
    origin.breaks = [1000, 0, 0]
    with pytest.raises(DownloadFailed):
        client.files.get("job", "model.pt")
    origin.tag, origin.content = '"bb-2"', b"another"
    client.files.get("job", "model.pt")
    assert (here / "model.pt").read_bytes() == b"another"
    assert os.listdir(here) == ["model.pt"]


def test_nothing_is_overwritten_unless_asked(origin: Origin, client: Client, here: Path) -> None:
    (here / "model.pt").write_text("mine")
    with pytest.raises(NameTaken):
        client.files.get("job", "model.pt")
    assert (here / "model.pt").read_text() == "mine"
    client.files.get("job", "model.pt", overwrite=True)
    assert (here / "model.pt").read_bytes() == CONTENT


def archive(fill: Callable[[tarfile.TarFile], None]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        fill(tar)
    return data.getvalue()


def added(tar: tarfile.TarFile, name: str, content: bytes = b"x", link: str = "") -> None:
    about = tarfile.TarInfo(name)
    about.size = 0 if link else len(content)
    about.type, about.linkname = (tarfile.SYMTYPE, link) if link else (tarfile.REGTYPE, "")
    tar.addfile(about, io.BytesIO(content))


def test_a_folder_is_unpacked_with_the_links_that_stay_inside(
    origin: Origin, client: Client, here: Path
) -> None:
    def fill(tar: tarfile.TarFile) -> None:
        added(tar, "run/latest", link="ckpt-1")
        added(tar, "run/out", link="/etc")
        added(tar, "run/up", link="../../secret")
        added(tar, "run/ckpt-1", b"weights")

    origin.content, origin.kind = archive(fill), "application/x-tar"
    assert client.files.get("job", "run") == "run"
    assert sorted(os.listdir(here / "run")) == ["ckpt-1", "latest"]
    assert (here / "run" / "latest").read_bytes() == b"weights"
    assert os.listdir(here) == ["run"]


@pytest.mark.parametrize("name", ["run/../../evil", "run/a/../../../evil"])
def test_hostile_names_never_leave_the_target(origin: Origin, client: Client, here: Path, name: str) -> None:
    origin.content, origin.kind = archive(lambda tar: added(tar, name)), "application/x-tar"
    with pytest.raises(DownloadFailed):
        client.files.get("job", "run")
    assert os.listdir(here) == []
    assert not (here.parent / "evil").exists()


def test_nothing_is_written_through_a_link_of_the_archive(origin: Origin, client: Client, here: Path) -> None:
    def fill(tar: tarfile.TarFile) -> None:
        added(tar, "run/door", link="..")
        added(tar, "run/door/evil", b"x")

    origin.content, origin.kind = archive(fill), "application/x-tar"
    client.files.get("job", "run")
    assert (here / "run" / "door" / "evil").read_bytes() == b"x"
    assert not (here / "evil").exists()


def test_half_a_folder_is_no_folder(origin: Origin, client: Client, here: Path) -> None:
    origin.content = archive(lambda tar: added(tar, "run/a", CONTENT))
    origin.kind, origin.breaks = "application/x-tar", [100_000] * 9
    with pytest.raises(DownloadFailed):
        client.files.get("job", "run")
    assert os.listdir(here) == []


def test_a_folder_that_exists_is_left_alone(origin: Origin, client: Client, here: Path) -> None:
    (here / "run").mkdir()
    with pytest.raises(NameTaken):
        client.files.get("job", "run", overwrite=True)
