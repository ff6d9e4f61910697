"""Brings a job's code to where its task will run, before the task begins: `python3 -m danlu.runtime.fetch`.

DANLU_CODE says what (JSON: `archive`, or `git` with `ref` and `subdir`), DANLU_CODE_DIR where to; an archive comes from
DANLU_URL by DANLU_TASK_TOKEN. What goes wrong is told in one line, which Kubernetes hands on to Danlu."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import signal
import stat
import sys
import tempfile
import time
import urllib.error
import urllib.request
from typing import Any, BinaryIO, Iterator, Mapping

from danlu.ports.supervision import Git
from danlu.runtime.code import code, repository
from danlu.runtime.task import CannotStart, Unpack

_PIECE = 1 << 20
_TIMEOUT_S = 30.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 10.0
_PATIENCE_S = 120.0
_PASSES = (408, 425, 429)
_LAST_WORDS = "/dev/termination-log"
_ENDED_BY_SIGTERM = 128 + signal.SIGTERM


class _Trouble(Exception):
    """This time it did not work; the next time it may."""


def main() -> int:
    # As process 1 of a container it would not hear of SIGTERM otherwise, and keep a stopped task waiting.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_ENDED_BY_SIGTERM))
    try:
        fetch(os.environ)
    except CannotStart as failure:
        tell(str(failure))
        return 1
    return 0


def fetch(env: Mapping[str, str], patience_s: float = _PATIENCE_S) -> None:
    """Do what the environment says; CannotStart when it cannot be done within so many seconds of trouble."""
    wanted, target = _wanted(env), _needed(env, "DANLU_CODE_DIR")
    try:
        os.makedirs(target, exist_ok=True)
        if "archive" in wanted:
            _fetch_archive(env, wanted["archive"], target, patience_s)
        else:
            _clone(wanted, target)
        _open_to_all(target)
    except OSError as error:
        raise CannotStart(f"the code cannot be written to {target}: {error}", "code_failed") from error


def tell(sentence: str, last_words: str = _LAST_WORDS) -> None:
    """On one line: to whoever reads the log, and to Kubernetes where it listens."""
    line = " ".join(sentence.split())
    print(line, file=sys.stderr, flush=True)
    try:
        handle = os.open(last_words, os.O_WRONLY | os.O_TRUNC)  # not made where nobody put it
    except OSError:
        return
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(line)


def _wanted(env: Mapping[str, str]) -> dict[str, Any]:
    try:
        wanted = json.loads(_needed(env, "DANLU_CODE"))
    except ValueError as error:
        raise CannotStart(f"DANLU_CODE is not JSON: {error}", "code_failed") from error
    if not isinstance(wanted, dict) or ("archive" in wanted) == ("git" in wanted):
        raise CannotStart("DANLU_CODE names neither an archive nor a Git repository", "code_failed")
    return wanted


def _needed(env: Mapping[str, str], name: str) -> str:
    if not env.get(name):
        raise CannotStart(f"{name} is not set", "code_failed")
    return env[name]


def _clone(wanted: dict[str, Any], target: str) -> None:
    git = Git(url=wanted["git"])
    if wanted.get("ref"):
        git["ref"] = wanted["ref"]
    repository.clone(git, target, _go_on)
    repository.enter_subdirectory(target, wanted.get("subdir") or ".")


def _fetch_archive(env: Mapping[str, str], digest: str, target: str, patience_s: float) -> None:
    url = f"{_needed(env, 'DANLU_URL').rstrip('/')}/api/v1/code/{digest}"
    request = urllib.request.Request(
        url, headers={"Authorization": f"Bearer {env.get('DANLU_TASK_TOKEN', '')}"}
    )
    handle, path = tempfile.mkstemp(dir=target, prefix=".fetch-")
    try:
        with os.fdopen(handle, "w+b") as file:
            _download_patiently(request, digest, file, patience_s)
        code.unpack(path, target, _go_on, Unpack())
    finally:
        os.unlink(path)


def _download_patiently(
    request: urllib.request.Request, digest: str, file: BinaryIO, patience_s: float
) -> None:
    began, wait = time.monotonic(), _FIRST_WAIT_S
    while True:
        try:
            _download(request, digest, file)
            return
        except _Trouble as trouble:
            spent = time.monotonic() - began
            if spent + wait > patience_s:
                raise CannotStart(f"{trouble} (tried for {spent:.0f} s)", "code_failed") from trouble
            print(f"{trouble}; retrying in {wait:g} s", file=sys.stderr, flush=True)
        time.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_S)


def _download(request: urllib.request.Request, digest: str, file: BinaryIO) -> None:
    """All of it, or _Trouble, or CannotStart where trying again is no use."""
    file.seek(0)
    file.truncate()
    seen = hashlib.sha256()
    for piece in _pieces(request):
        seen.update(piece)
        file.write(piece)
    if seen.hexdigest() != digest:
        raise _Trouble(f"the code that Danlu sent does not have the expected SHA-256 {digest}")
    file.flush()


def _pieces(request: urllib.request.Request) -> Iterator[bytes]:
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            yield from iter(lambda: answer.read(_PIECE), b"")
    except urllib.error.HTTPError as error:
        raise _refusal(request, error) from error
    except urllib.error.URLError as error:
        raise _Trouble(f"Danlu does not answer at {_origin(request)}: {error.reason}") from error
    except (http.client.HTTPException, OSError) as error:
        raise _Trouble(f"the connection to Danlu at {_origin(request)} broke: {error!r}") from error


def _refusal(request: urllib.request.Request, error: urllib.error.HTTPError) -> Exception:
    with error:
        try:
            detail = json.loads(error.read(1 << 16)).get("detail") or error.reason
        except (ValueError, AttributeError, OSError, http.client.HTTPException):
            detail = error.reason
    sentence = f"Danlu at {_origin(request)} refused: {error.code} {detail}"
    return (
        _Trouble(sentence)
        if error.code >= 500 or error.code in _PASSES
        else CannotStart(sentence, "code_failed")
    )


def _origin(request: urllib.request.Request) -> str:
    return f"{request.type}://{request.host}"


def _open_to_all(target: str) -> None:
    """The task may run as any user, and its folder is its own."""
    for folder, _, names in os.walk(target):
        os.chmod(folder, 0o777)
        for name in names:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                os.chmod(path, 0o777 if mode & 0o100 else 0o666)


def _go_on() -> None:
    """Nobody asks for an early end but by SIGTERM."""


if __name__ == "__main__":
    sys.exit(main())
