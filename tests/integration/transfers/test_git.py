"""Git over HTTP: the real git and its real server, LFS, and what a repository may not do."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from danlu.ports.volumes.changing import Hand
from tests.integration.transfers.conftest import Place

LARGE = os.urandom(300_000)
OID = hashlib.sha256(LARGE).hexdigest()
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize {len(LARGE)}\n"
LOGIN = "Basic " + base64.b64encode(b"eve:s3cret").decode()


class GitPlace:
    def __init__(self, root: Path) -> None:
        self.root, self.work = root, root / "work"
        self.bare = root / "set.git"
        self.url, self.login = "", ""
        self.objects = {OID: LARGE}
        self.work.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.work / "a.txt").write_text("one\n")
        (self.work / "sub").mkdir()
        (self.work / "sub" / "large.bin").write_text(POINTER)
        (self.work / "sub" / "run.sh").write_text("#!/bin/sh\n")
        (self.work / "sub" / "run.sh").chmod(0o755)
        (self.work / "in").symlink_to("a.txt")
        (self.work / "out").symlink_to("/etc/passwd")
        (self.work / ".gitattributes").write_text("* filter=evil\n")
        self.commit("first")
        self.git("tag", "v1")
        (self.work / "a.txt").write_text("two\n")
        self.commit("second")
        subprocess.run(["git", "clone", "-q", "--bare", self.work, self.bare], check=True)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", message)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.work, check=True, capture_output=True, text=True)
        return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[GitPlace]:
    place = GitPlace(tmp_path)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if place.login and self.headers.get("Authorization") != place.login:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic")
                self.end_headers()
            elif self.path.startswith("/objects/"):
                self._answer(place.objects[self.path.rpartition("/")[2]])
            elif self.path.endswith("/objects/batch"):
                self._batch()
            else:
                self._backend()

        def do_POST(self) -> None:
            self.do_GET()

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def _answer(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _batch(self) -> None:
            oid = json.loads(self._body())["objects"][0]["oid"]
            action = {
                "download": {"href": f"{place.url}/objects/{oid}", "header": {"Authorization": place.login}}
            }
            self._answer(json.dumps({"objects": [{"oid": oid, "actions": action}]}).encode())

        def _backend(self) -> None:
            path, _, query = self.path.partition("?")
            env = {
                "GIT_PROJECT_ROOT": str(place.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "PATH": os.environ["PATH"],
                "GIT_CONFIG_COUNT": "2",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
                "GIT_CONFIG_KEY_1": "uploadpack.allowAnySHA1InWant",
                "GIT_CONFIG_VALUE_1": "true",
            }
            done = subprocess.run(
                ["git", "http-backend"], input=self._body(), env=env, capture_output=True, check=False
            )
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
            self.send_response(int(fields.pop("Status", "200").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    place.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield place
    server.shutdown()
    server.server_close()


def test_a_commit_comes_with_its_large_files_and_nothing_runs(place: Place, repository: GitPlace) -> None:
    address = f"git+{repository.url}/set.git"
    run = place.done(address, "data:/set/")
    found = place.tree()
    assert found["set/a.txt"] == b"two\n"
    assert found["set/sub/large.bin"] == LARGE
    assert found["set/in"] == b"a.txt"
    assert "set/out" not in found
    assert run.progress().left_out == 1
    assert (place.files / "set" / "sub" / "run.sh").stat().st_mode & 0o100
    assert not any(".git/" in name for name in found)
    assert not (place.root / "transfers" / "t1" / "repository").exists()


def test_a_tag_and_a_commit_are_found_and_what_is_the_same_stays(place: Place, repository: GitPlace) -> None:
    address = f"git+{repository.url}/set.git"
    place.done(address, "data:/", ref="main", name="t0")
    first = place.done(address, "data:/", ref="v1")
    assert place.tree()["a.txt"] == b"one\n"
    assert first.progress().skipped == first.progress().files - 1
    place.done(address, "data:/by-commit/", ref=repository.git("rev-parse", "main"), include=("*.txt",))
    assert place.tree()["by-commit/a.txt"] == b"two\n"
    assert "by-commit/sub/run.sh" not in place.tree()


def test_a_missing_ref_repository_or_login_says_so(place: Place, repository: GitPlace) -> None:
    address = f"git+{repository.url}/set.git"
    assert place.refused(address, "data:/", ref="nothing") == "ref_unknown"
    assert place.refused(f"git+{repository.url}/other.git", "data:/") == "not_found_there"
    repository.login = LOGIN
    assert place.refused(address, "data:/") == "login_wanted"
    assert place.refused(address, "data:/", login=("eve", "wrong")) == "login_refused"
    place.done(address, "data:/", login=("eve", "s3cret"))
    assert place.tree()["sub/large.bin"] == LARGE


def test_a_damaged_large_file_is_never_put_in_place(place: Place, repository: GitPlace) -> None:
    repository.objects[OID] = LARGE[:-1] + b"?"
    assert place.refused(f"git+{repository.url}/set.git", "data:/") == "wrong_checksum"
    assert "sub/large.bin" not in place.tree()


def test_git_reaches_no_address_of_this_machine(place: Place, repository: GitPlace) -> None:
    assert place.refused(f"git+{repository.url}/set.git", "data:/", allowed=()) == "address_refused"


def test_a_repository_comes_to_who_has_no_way_to_the_volumes_folder(
    tmp_path: Path, repository: GitPlace
) -> None:
    if os.geteuid() != 0:
        pytest.fail("users can only be changed by root")
    (tmp_path / "closed").mkdir(mode=0o700)
    target = Place(tmp_path / "closed" / "target", Hand(61_001, 61_002, shared=True))
    os.chown(target.files, 0, 61_002)
    target.files.chmod(0o2770)
    target.done(f"git+{repository.url}/set.git", "data:/")
    found = (target.files / "sub" / "large.bin").stat()
    assert (found.st_uid, found.st_gid) == (61_001, 61_002)


def test_folders_that_hold_each_other_do_not_fill_the_memory(place: Place, repository: GitPlace) -> None:
    """Ten to the eighth files in nine objects."""
    oid = repository.git("hash-object", "-w", "a.txt")
    entry = f"100644 blob {oid}\tf"
    for _ in range(8):
        rows = "\n".join(f"{entry}{number}" for number in range(10)) + "\n"
        done = subprocess.run(
            ["git", "mktree"], cwd=repository.work, input=rows, check=True, capture_output=True, text=True
        )
        entry = f"040000 tree {done.stdout.strip()}\td"
    tree = entry.split()[2]
    commit = repository.git(
        "-c", "user.name=t", "-c", "user.email=t@example.org", "commit-tree", tree, "-m", "bomb"
    )
    repository.git("push", "-q", str(repository.bare), f"{commit}:refs/heads/bomb")
    assert place.refused(f"git+{repository.url}/set.git", "data:/", ref="bomb") == "git_too_many"
    assert place.tree() == {}
