"""Clones a Git repository into a task's working directory, without any credentials of the server."""

from __future__ import annotations

import os
import signal
import time
from typing import Mapping

from danlu.ports.supervision import Git
from danlu.runtime.code.code import Check
from danlu.runtime.task import CannotStart

_PROTOCOLS = ["https", "http", "ssh", "git"]
_PATH = "/usr/local/bin:/usr/bin:/bin"
_SECONDS = 600.0
# Proxy settings are no credentials: without them nothing can be reached from behind a proxy.
_NONE: Mapping[str, str] = {}
_PROXIES = frozenset(("http_proxy", "https_proxy", "all_proxy", "no_proxy"))
_CERTIFICATES = frozenset(("SSL_CERT_FILE", "SSL_CERT_DIR"))
# ssh finds the keys of the server's user by itself, whatever HOME says; it must be told not to.
_SSH = "ssh -F /dev/null -oBatchMode=yes -oIdentityFile=/dev/null -oIdentitiesOnly=yes -oIdentityAgent=none"


def clone(git: Git, target: str, check: Check, variables: Mapping[str, str] = _NONE) -> None:
    """Fetch one revision; a commit that a server will not give alone is looked for in the whole history. `variables`
    may name proxies, which then count instead of the machine's."""
    url, ref = git["url"], git.get("ref") or "HEAD"
    if url.startswith("-") or ref.startswith("-"):
        raise CannotStart(f"not a Git address or revision: {url} {ref}", "code_failed")
    run = _Git(target, _environment(git.get("protocols") or _PROTOCOLS, variables), check)
    revision = "FETCH_HEAD"
    try:
        run("init", "--quiet")
        try:
            run("fetch", "--quiet", "--depth=1", "--", url, ref)
        except _Refused as error:
            if not _could_be_commit(ref):
                raise
            run("fetch", "--quiet", "--", url, "+refs/*:refs/fetched/*", otherwise=error)
            revision = ref
        run("checkout", "--quiet", "--detach", revision)
    except _Failed as error:
        raise CannotStart(f"Git could not fetch {ref} of {url}: {error}", "code_failed") from error


def enter_subdirectory(target: str, subdir: str) -> str:
    """The directory below the code to run in."""
    path = os.path.realpath(os.path.join(target, subdir))
    root = os.path.realpath(target)
    if path != root and not path.startswith(root + os.sep):
        raise CannotStart(f"code.subdir {subdir} points outside the code", "code_failed")
    if not os.path.isdir(path):
        raise CannotStart(f"code.subdir {subdir} does not exist in the code", "code_failed")
    return path


def _could_be_commit(ref: str) -> bool:
    return 7 <= len(ref) <= 64 and all(letter in "0123456789abcdef" for letter in ref)


class _Failed(Exception):
    """Git cannot be used, or not in time."""


class _Refused(_Failed):
    """Git refused."""


class _Git:
    """Runs git in a directory; it may ask nobody anything, and ends when `check` raises or time is up."""

    def __init__(self, directory: str, env: dict[str, str], check: Check) -> None:
        self._directory = directory
        self._check = check
        self._deadline = time.monotonic() + _SECONDS
        self._env = env

    def __call__(self, *words: str, otherwise: _Refused | None = None) -> None:
        import subprocess  # only Git needs it, and launchers should stay small

        # No tidying up in the background: it would outlive the fetch.
        quiet = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"]
        try:
            process = subprocess.Popen(
                ["git", "-C", self._directory, *quiet, *words],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError:
            raise _Failed("git is not installed on this machine") from None
        os.set_blocking(process.stderr.fileno(), False)  # type: ignore[union-attr]
        said = b""
        try:
            while process.poll() is None:
                self._check()
                if time.monotonic() > self._deadline:
                    raise _Failed(f"it took longer than the limit of {_SECONDS / 60:g} minutes")
                said = (said + (process.stderr.read() or b""))[-2000:]  # type: ignore[union-attr]
                time.sleep(0.02)
            said += process.stderr.read() or b""  # type: ignore[union-attr]
        finally:
            process.stderr.close()  # type: ignore[union-attr]
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if process.returncode != 0:
            raise otherwise or _Refused(_last_words(said))


def _environment(protocols: list[str], variables: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the server's own: neither its keys, its passwords nor its settings. The current directory is
    the task's."""
    named = {name: value for name, value in variables.items() if name.lower() in _PROXIES}
    machine = {
        name: value
        for name, value in os.environ.items()
        if {name, name.lower()} & {*_PROXIES, *_CERTIFICATES}
    }
    certificates = {name: value for name, value in machine.items() if name in _CERTIFICATES}
    return {
        **({**certificates, **named} if named else machine),
        "PATH": os.environ.get("PATH") or _PATH,
        "HOME": os.getcwd(),
        "LANG": "C",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": _SSH,
        "GIT_ALLOW_PROTOCOL": ":".join(protocols),
    }


def _last_words(said: bytes) -> str:
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:", "remote:"))]
    return (fatal or lines or ["git gave no reason"])[-1].strip()
