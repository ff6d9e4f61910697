"""From the web: ranges, breaks, versions that change, and servers that know none of it."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from danlu.sdk.copying.entries import CHUNK
from danlu.sdk.http.errors import NotAllowed, NotFound, StoreFailed, StorePassing
from tests.integration.copying.conftest import Danlu, copying

DATA = os.urandom(3 * CHUNK + 5)


class Web(http.server.BaseHTTPRequestHandler):
    """Serves `data`; what is odd about it is chosen by the path."""

    data: ClassVar[bytes] = DATA
    tag: ClassVar[str] = '"one"'
    asked: ClassVar[list[str]] = []
    cuts: ClassVar[int] = 0

    def do_GET(self) -> None:
        odd = self.path.strip("/").split("/")[0]
        wanted = self.headers.get("Range")
        type(self).asked.append(wanted or "all")
        if odd == "missing":
            self.send_error(404)
        elif odd == "closed":
            self.send_error(403)
        elif wanted and odd != "plain" and self.headers.get("If-Range", self.tag) == self.tag:
            begin, end = (int(one) for one in wanted.removeprefix("bytes=").split("-"))
            end = min(end, len(self.data) - 1)
            self._send(206, self.data[begin : end + 1], f"bytes {begin}-{end}/{len(self.data)}", odd)
        else:
            self._send(200, self.data, "", odd)

    def _send(self, status: int, data: bytes, content_range: str, odd: str) -> None:
        self.send_response(status)
        if content_range:
            self.send_header("Content-Range", content_range)
        if odd != "plain":
            self.send_header("ETag", self.tag)
            self.send_header("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if odd == "breaking" and len(data) > 1 and type(self).cuts:
            type(self).cuts -= 1
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
            return
        if odd == "changing" and len(data) > 1:
            type(self).tag = '"two"'
        self.wfile.write(data)

    def log_message(self, *told: object) -> None:
        pass


@pytest.fixture
def web() -> Iterator[str]:
    Web.data, Web.tag, Web.asked, Web.cuts = DATA, '"one"', [], 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_comes_in_ranges_and_a_second_time_not_at_all(web: str, tmp_path: Path) -> None:
    done = copying().copy([f"{web}/x/set.tar?sig=1"], f"{tmp_path}/")
    assert (done.copied, (tmp_path / "set.tar").read_bytes()) == (1, DATA)
    assert f"bytes={CHUNK}-{2 * CHUNK - 1}" in Web.asked
    assert (tmp_path / "set.tar").stat().st_mtime == 1735689600
    again = copying().copy([f"{web}/x/set.tar"], str(tmp_path))
    assert (again.copied, again.same) == (0, 1)


def test_connections_that_break_are_made_again(web: str, tmp_path: Path) -> None:
    Web.cuts = 2
    done = copying().copy([f"{web}/breaking/file"], str(tmp_path / "file"))
    assert (done.failed, (tmp_path / "file").read_bytes()) == (0, DATA)


def test_a_file_that_changes_on_the_way_is_told_and_not_mixed(web: str, tmp_path: Path) -> None:
    done = copying().copy([f"{web}/changing/file"], str(tmp_path / "file"))
    assert [getattr(one.error, "code", "") for one in done.failures] == ["source_changed"]
    assert not (tmp_path / "file").exists()
    again = copying().copy([f"{web}/x/file"], str(tmp_path / "file"))
    assert (again.copied, again.resumed, (tmp_path / "file").read_bytes()) == (1, 0, DATA)


def test_a_server_without_ranges_is_read_from_its_beginning(web: str, tmp_path: Path) -> None:
    done = copying().copy([f"{web}/plain/file"], str(tmp_path / "file"))
    assert (done.copied, (tmp_path / "file").read_bytes()) == (1, DATA)


def test_an_empty_file_comes_too(web: str, tmp_path: Path) -> None:
    Web.data = b""
    assert copying().copy([f"{web}/plain/file"], str(tmp_path / "file")).copied == 1
    assert (tmp_path / "file").read_bytes() == b""


def test_what_the_server_refuses_is_told(web: str, tmp_path: Path) -> None:
    for path, kind in (("missing", NotFound), ("closed", NotAllowed)):
        with pytest.raises(kind, match=path):
            copying().copy([f"{web}/{path}/file"], str(tmp_path / "file"))
    with pytest.raises(NotAllowed, match="password"):
        copying().copy(["http://me:secret@127.0.0.1/file"], str(tmp_path / "file"))
    with pytest.raises(StoreFailed):
        copying().copy(["http://nowhere.invalid/file"], str(tmp_path / "file"))


def test_the_name_of_a_file_is_never_a_way_out(web: str, tmp_path: Path) -> None:
    copying().copy([f"{web}/plain/%2e%2e%2f%2e%2e%2fetc%2fpasswd"], f"{tmp_path}/in/")
    assert [one.name for one in (tmp_path / "in").iterdir()] == [".._.._etc_passwd"]


def test_nothing_is_written_to_the_web(danlu: Danlu, web: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    refused = danlu("cp", "file", f"{web}/x/file")
    assert (refused.returncode, "a source only" in refused.stderr) == (2, True)


def test_a_host_that_nobody_knows_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorePassing, match=r"no address is known of nowhere\.invalid"):
        copying().copy(["http://nowhere.invalid/set.tar"], str(tmp_path / "set.tar"))
