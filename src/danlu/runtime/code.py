"""Brings a task's code into its working directory: an uploaded archive or a Git repository."""

from __future__ import annotations

import os
import shutil
import signal
import tarfile
import time
from typing import Callable

from danlu.ports.supervision import Git
from danlu.runtime.task import CannotStart

Check = Callable[[], None]
"""Called now and then while work goes on; raises to end it early."""

_PROTOCOLS = ["https", "http", "ssh", "git"]


def unpack(archive: str, target: str, check: Check) -> None:
    """Unpack a tar.gz; nothing is written outside the target, whatever names and links the archive has."""
    root = os.path.realpath(target)
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                check()
                _extract(tar, member, root)
    except (OSError, EOFError, tarfile.TarError) as error:
        raise CannotStart(f"the code archive cannot be unpacked: {error}", "code_failed") from error


def clone(git: Git, target: str, check: Check) -> None:
    """Fetch one revision; a commit that a server will not give alone is looked for in the whole history."""
    url, ref = git["url"], git.get("ref") or "HEAD"
    if url.startswith("-") or ref.startswith("-"):
        raise CannotStart(f"not a Git address or revision: {url} {ref}", "code_failed")
    run = _Git(target, git.get("protocols") or _PROTOCOLS, check)
    revision = "FETCH_HEAD"
    try:
        run("init", "--quiet")
        try:
            run("fetch", "--quiet", "--depth=1", "--", url, ref)
        except _GitFailed as error:
            if not _could_be_commit(ref):
                raise
            run("fetch", "--quiet", "--", url, "+refs/*:refs/fetched/*", otherwise=error)
            revision = ref
        run("checkout", "--quiet", "--detach", revision)
    except _GitFailed as error:
        raise CannotStart(f"Git could not fetch {ref} of {url}: {error}", "code_failed") from error


def enter_subdirectory(target: str, subdir: str) -> str:
    """The directory below the code to run in."""
    path = os.path.realpath(os.path.join(target, subdir))
    root = os.path.realpath(target)
    if path != root and not path.startswith(root + os.sep):
        raise CannotStart(f"code.subdir {subdir} leads outside the code", "code_failed")
    if not os.path.isdir(path):
        raise CannotStart(f"code.subdir {subdir} does not exist in the code", "code_failed")
    return path


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, root: str) -> None:
    path = os.path.normpath(os.path.join(root, member.name))
    if path == root:
        return
    if not _is_inside(path, root):
        raise tarfile.TarError(f"{member.name} leads outside the archive")
    parent = os.path.dirname(path)
    # A link unpacked before may lead out: what counts is where the directory really is.
    if not _is_inside(os.path.realpath(parent) + os.sep, root):
        raise tarfile.TarError(f"{member.name} leads outside the archive through a link")
    if member.isdir():
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(parent, exist_ok=True)
    if os.path.lexists(path) and not (os.path.isdir(path) and not os.path.islink(path)):
        os.unlink(path)
    if member.issym():
        os.symlink(member.linkname, path)
    elif member.islnk():
        source = os.path.realpath(os.path.join(root, member.linkname))
        if not _is_inside(source, root):
            raise tarfile.TarError(f"{member.name} links outside the archive")
        os.link(source, path)
    elif member.isreg():
        _write(tar, member, path)
    else:
        raise tarfile.TarError(f"{member.name} is neither file, directory nor link")


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
    mode = 0o755 if member.mode & 0o100 else 0o644
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(fd, "wb") as file:
        content = tar.extractfile(member)
        if content is not None:
            shutil.copyfileobj(content, file, 1 << 20)
    os.utime(path, (member.mtime, member.mtime))


def _is_inside(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)


def _could_be_commit(ref: str) -> bool:
    return 7 <= len(ref) <= 64 and all(letter in "0123456789abcdef" for letter in ref)


class _GitFailed(Exception):
    pass


class _Git:
    """Runs git in a directory; it may ask nobody anything, and ends when `check` raises."""

    def __init__(self, directory: str, protocols: list[str], check: Check) -> None:
        self._directory = directory
        self._check = check
        self._env = {
            **os.environ,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
            "GIT_ALLOW_PROTOCOL": ":".join(protocols),
            "LC_ALL": "C",
        }

    def __call__(self, *words: str, otherwise: _GitFailed | None = None) -> None:
        import subprocess  # only Git needs it, and launchers should stay small

        try:
            process = subprocess.Popen(
                ["git", "-C", self._directory, *words],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError:
            raise _GitFailed("git is not installed on this machine") from None
        os.set_blocking(process.stderr.fileno(), False)  # type: ignore[union-attr]
        said = b""
        try:
            while process.poll() is None:
                self._check()
                said = (said + (process.stderr.read() or b""))[-2000:]  # type: ignore[union-attr]
                time.sleep(0.02)
            said += process.stderr.read() or b""  # type: ignore[union-attr]
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if process.returncode != 0:
            raise otherwise or _GitFailed(_last_words(said))


def _last_words(said: bytes) -> str:
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:", "remote:"))]
    return (fatal or lines or ["git gave no reason"])[-1].strip()
