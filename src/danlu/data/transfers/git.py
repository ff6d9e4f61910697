"""A commit of a Git repository over HTTP: fetched bare, and read blob by blob.

Nothing of a repository is ever run: there is no checkout, and with it no hook, no filter and no submodule."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import IO, NamedTuple
from urllib.parse import urlsplit

from danlu.data.transfers.guard import AddressGuard
from danlu.data.transfers.parts import RoomLeft
from danlu.data.transfers.telling import WorkerTeller
from danlu.data.transfers.web import authorization
from danlu.domain.transfers.problems import TransferStopped
from danlu.domain.transfers.transfer import WebLogin
from danlu.ports.volumes.changing import VolumeFolders

REPOSITORY = "repository"
_ROW = re.compile(rb"(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.*)", re.DOTALL)
_PIECE = 1 << 20
_PR_SET_PDEATHSIG = 1
_LOOK_S = 0.5
_SILENT_S = 600
_NO_SPACE = ("no space left", "out of diskspace", "disk quota exceeded")
_REF_MISSING = ("couldn't find remote ref", "not our ref", "unadvertised object", "bad object")


class TreeRow(NamedTuple):
    """A file of a commit. `mode` is as Git has it; a submodule is of kind `commit`."""

    mode: bytes
    kind: bytes
    id: str
    size: int
    path: bytes


class Repository:
    """Made anew in the transfer's room, and removed when it is closed. TransferStopped."""

    def __init__(
        self,
        at: VolumeFolders,
        url: str,
        ref: str,
        guard: AddressGuard,
        login: WebLogin | None,
        room: RoomLeft,
        teller: WorkerTeller,
        most: int,
    ) -> None:
        """`most` is how many files a commit may have: folders that hold each other's content have billions in a few
        kilobytes."""
        self._at, self._url, self._ref, self._guard, self._login = at, url, ref, guard, login
        self._room, self._teller, self._most = room, teller, most
        self._folder = f"{at.aside}/{REPOSITORY}"
        # The way to the room is a descriptor, by its number: git needs it as well.
        number = at.aside.rpartition("/")[2]
        self._inherited = (int(number),) if at.aside.startswith("/proc/self/fd/") else ()
        self._cat: subprocess.Popen[bytes] | None = None

    def fetch(self) -> None:
        """The one commit."""
        if shutil.which("git") is None:
            raise TransferStopped("no_git")
        self._make()
        host = urlsplit(self._url).hostname or ""
        port = urlsplit(self._url).port or (443 if self._url.startswith("https:") else 80)
        addresses = ",".join(f"[{one}]" if ":" in one else one for one in self._guard.addresses(host, port))
        fetching = self._started(
            "-c",
            f"http.curloptResolve={host}:{port}:{addresses}",
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            self._url,
            self._ref or "HEAD",
        )
        self._watch(fetching)
        said = (fetching.stderr.read() if fetching.stderr else b"").decode(errors="replace")
        if fetching.returncode:
            raise self._failed(said, host)

    def _make(self) -> None:
        """By hand: `git init` looks at all folders above, which the person's user may have no way to."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for name in ("", "/objects", "/refs"):
            os.mkdir(self._folder + name, 0o700)
        for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\n\tbare = true\n")):
            with open(f"{self._folder}/{name}", "x") as file:
                file.write(text)

    def _watch(self, fetching: subprocess.Popen[bytes]) -> None:
        """Until it ends, or takes more than there is room for, or hangs."""
        seen, since = -1, time.monotonic()
        while fetching.poll() is None:
            time.sleep(_LOOK_S)
            size = _size_of(f"{self._folder}/objects")
            if size != seen:
                seen, since = size, time.monotonic()
            try:
                self._room.require(self._at, 0)
                if self._room.most is not None and size > self._room.most:
                    self._room.require(self._at, size)
                if time.monotonic() - since > _SILENT_S:
                    raise TransferStopped("not_reached", host=urlsplit(self._url).hostname, why="silent")
            except TransferStopped:
                fetching.kill()
                fetching.wait()
                raise
            self._teller.tell()

    def _failed(self, said: str, host: str) -> TransferStopped:
        low = said.lower()
        if any(one in low for one in _NO_SPACE):
            there = os.statvfs(self._folder)
            return TransferStopped("disk_full", free=there.f_bavail * there.f_frsize)
        if any(one in low for one in _REF_MISSING):
            return TransferStopped("ref_unknown", ref=self._ref or "HEAD")
        if "authentication failed" in low or "could not read username" in low or "error: 401" in low:
            refused = "login_refused" if self._login else "login_wanted"
            return TransferStopped(refused, host=host, status=401)
        if "error: 403" in low:
            return TransferStopped("login_refused" if self._login else "login_wanted", host=host, status=403)
        if "not found" in low or "error: 404" in low:
            return TransferStopped("not_found_there", url=self._url.partition("?")[0], status=404)
        lines = [one for one in said.splitlines() if one.strip()]
        told = lines[-1] if lines else "no_reason"
        if any(one in low for one in ("connect", "timed out", "hung up", "early eof", "error: 5", "reset")):
            return TransferStopped("not_reached", host=host, why=told)
        return TransferStopped("git_failed", why=told)

    def tree(self) -> Iterator[TreeRow]:
        listing = self._started("ls-tree", "-r", "-z", "-l", "--full-tree", "FETCH_HEAD")
        assert listing.stdout is not None
        assert listing.stderr is not None
        count = 0
        try:
            for row in _rows(listing.stdout):
                count += 1
                if count > self._most:
                    raise TransferStopped("git_too_many", most=self._most)
                if found := _ROW.fullmatch(row):
                    size = 0 if found[4] == b"-" else int(found[4])
                    yield TreeRow(found[1], found[2], found[3].decode(), size, found[5])
            said = listing.stderr.read()
            if listing.wait():
                raise TransferStopped("git_failed", why=said.decode(errors="replace").strip()[-300:])
        finally:
            _end(listing)

    def blob(self, oid: str) -> Iterator[bytes]:
        """Its content. One at a time; who stops in the middle of one begins the next anew."""
        cat: subprocess.Popen[bytes] | None = self._cat or self._started("cat-file", "--batch")
        self._cat = None
        assert cat is not None
        assert cat.stdin is not None
        assert cat.stdout is not None
        cat.stdin.write(oid.encode() + b"\n")
        cat.stdin.flush()
        head = cat.stdout.readline().split()
        if len(head) != 3 or head[1] != b"blob":
            _end(cat)
            raise TransferStopped("git_failed", why="object_missing", oid=oid)
        left = int(head[2])
        try:
            while left:
                data = cat.stdout.read(min(_PIECE, left))
                if not data:
                    raise TransferStopped("git_failed", why="object_cut", oid=oid)
                left -= len(data)
                yield data
            cat.stdout.read(1)
            self._cat, cat = cat, None
        finally:
            if cat is not None:
                _end(cat)

    def close(self) -> None:
        if self._cat is not None:
            _end(self._cat)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
        """The login is in a file without a name, which git reads as its configuration."""
        settings = _settings(self._url, self._login)
        try:
            return subprocess.Popen(
                ["git", "--git-dir", self._folder, *arguments],
                stdin=subprocess.PIPE if "cat-file" in arguments else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if "cat-file" not in arguments else subprocess.DEVNULL,
                pass_fds=(settings, *self._inherited),
                preexec_fn=_end_with_parent,
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "HOME": "/nonexistent",
                    "LC_ALL": "C",
                    "GIT_CONFIG_GLOBAL": f"/proc/self/fd/{settings}",
                    "GIT_CONFIG_NOSYSTEM": "1",
                    "GIT_TERMINAL_PROMPT": "0",
                    "GIT_ASKPASS": "true",
                    "GIT_ALLOW_PROTOCOL": "http:https",
                    "GIT_LFS_SKIP_SMUDGE": "1",
                },
            )
        finally:
            os.close(settings)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _rows(listing: IO[bytes]) -> Iterator[bytes]:
    """What stands between zeros."""
    rest = b""
    while data := listing.read(_PIECE):
        *rows, rest = (rest + data).split(b"\0")
        yield from rows
    if rest:
        yield rest


def _settings(url: str, login: WebLogin | None) -> int:
    """A file descriptor; `safe.bareRepository` and the like stay as git has them."""
    lines = ["[protocol]", "allow = never", '[protocol "http"]', "allow = always"]
    lines += ['[protocol "https"]', "allow = always", "[http]", "followRedirects = false"]
    lines += ["lowSpeedLimit = 1", "lowSpeedTime = 60", "[core]", "hooksPath = /dev/null", "[gc]", "auto = 0"]
    # A large pack is looked at through windows: its memory is bounded.
    lines += ["[core]", "packedGitWindowSize = 32m", "packedGitLimit = 512m", "[pack]", "threads = 1"]
    lines += ["[fetch]", "fsckObjects = true", "[credential]", "helper ="]
    if login is not None:
        lines += [
            f'[http "{_quoted(url)}"]',
            f'extraHeader = "Authorization: {_escaped(authorization(login))}"',
        ]
    fd = os.memfd_create("git")
    os.write(fd, "\n".join(lines).encode() + b"\n")
    return fd


def _quoted(url: str) -> str:
    parts = urlsplit(url)
    return _escaped(f"{parts.scheme}://{parts.netloc}/")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _size_of(folder: str) -> int:
    size = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(root, name)).st_size
            except FileNotFoundError:
                continue
    return size
