"""Puts a task's packages in place, then becomes its command: runs in the task's sandbox, as its person.

DANLU_PACKAGES says what is wanted (JSON); what happens is told to the supervisor by lines of JSON on the descriptor in
DANLU_STEPS, and to people in the log."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, NoReturn

from danlu.ports import supervision
from danlu.runtime.packages.active import activated
from danlu.runtime.packages.build import build, problem_of
from danlu.runtime.packages.kept import KeptEnvironment
from danlu.runtime.packages.wish import CannotInstall, WantedPackages, content_of, key_of, read_wish

_FAILED = 1
_LONGEST = 500
"""Characters; each may take six bytes."""


def main(command: list[str]) -> int:
    steps = _Steps()
    wish = read_wish(os.environ[supervision.PACKAGES])
    try:
        path = _existing(wish) if wish.venv else _installed(wish, steps)
    except (CannotInstall, OSError) as failure:
        problem = failure.problem if isinstance(failure, CannotInstall) else problem_of(failure)
        _say(f"the packages cannot be installed: {failure}")
        steps.tell({"failed": problem, "text": str(failure)[:_LONGEST]})
        return _FAILED
    steps.tell({"ready": path})
    steps.close()
    _become(command, path)
    return None


def _existing(wish: WantedPackages) -> str:
    if not os.access(os.path.join(wish.venv, "bin", "python"), os.X_OK):
        raise CannotInstall("no_environment", wish.venv)
    return wish.venv


def _installed(wish: WantedPackages, steps: _Steps) -> str:
    steps.tell({"step": "packages"})
    code = os.getcwd()
    content = content_of(wish, code)
    kept = KeptEnvironment(wish.keep, key_of(wish, content, os.environ))

    def make() -> dict[str, Any]:
        steps.tell({"step": "packages_install"})
        _say(f"installing packages: {wish.shown}")
        return build(wish, content, kept.path, code, kept.descriptors)

    def waits() -> None:
        steps.tell({"step": "packages_wait"})
        _say(f"another task is installing the same packages; waiting for it: {wish.shown}")

    if kept.obtain(make, waits):
        _say(f"packages are installed as environment {kept.key}; the next job uses them at once")
    else:
        _say(f"using environment {kept.key}: {wish.shown}")
    kept.hand_on()
    return kept.path


class _Steps:
    """The supervisor, where there is one that listens."""

    def __init__(self) -> None:
        number = os.environ.get(supervision.STEPS, "")
        self._fd = int(number) if number.isdigit() else -1
        if self._fd >= 0:
            os.set_inheritable(self._fd, False)

    def tell(self, what: dict[str, Any]) -> None:
        if self._fd >= 0:
            os.write(self._fd, json.dumps(what).encode() + b"\n")

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _say(text: str) -> None:
    print(f"danlu: {text}", file=sys.stderr, flush=True)


def _become(command: list[str], path: str) -> NoReturn:
    env = activated(os.environ, path)
    for name in (supervision.PACKAGES, supervision.STEPS):
        env.pop(name, None)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    try:
        os.execvpe(command[0], command, env)
    except FileNotFoundError:
        print(f"{command[0]}: not found", file=sys.stderr, flush=True)
        os._exit(127)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(126)
