"""What this machine can do for its tasks; found out once, by the launcher."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple, Union

from danlu.ports import user_ids
from danlu.runtime.isolation import cgroup_v1, cgroup_v2, subordinate
from danlu.runtime.isolation.cgroup_v1 import DriverV1
from danlu.runtime.isolation.cgroup_v2 import DriverV2
from danlu.runtime.isolation.cgroups import CgroupLimits, Missing, NoCgroups
from danlu.runtime.isolation.sandbox import NoSandbox, Sandbox, find_sandbox

Driver = Union[DriverV1, DriverV2]


class Users(NamedTuple):
    """Whether tasks can run as users of their own: True, or the sentence and the code of why not; and how many such
    users there are where they are subordinate ids, which is 0 elsewhere."""

    own: bool | str
    cause: str
    ids: int


class Machine(NamedTuple):
    """Each ability, or the sentence that says why it is missing."""

    sandbox: Sandbox | str
    cgroups: Driver | str
    users: Users

    @property
    def sandbox_program(self) -> str:
        return self.sandbox if isinstance(self.sandbox, str) else self.sandbox.program

    def look_again(self) -> Machine:
        """As it is now: a bubblewrap that was missing may have been installed meanwhile."""
        if isinstance(self.sandbox, str) and shutil.which("bwrap"):
            return self._replace(sandbox=_find_sandbox())
        return self

    def close(self) -> None:
        if not isinstance(self.cgroups, str):
            self.cgroups.close()

    def describe(self) -> dict[str, object]:
        sandbox = True if isinstance(self.sandbox, Sandbox) else self.sandbox
        groups = self.cgroups if isinstance(self.cgroups, str) else True
        return {
            "bubblewrap": sandbox,
            "bubblewrap_installed": sandbox is True or shutil.which("bwrap") is not None,
            "cgroup": groups,
            "users": self.users.own,
            "users_cause": self.users.cause,
            "ids": self.users.ids,
            "namespace": os.stat("/proc/self/ns/user").st_ino,
        }


def examine(runs_dir: str) -> Machine:
    return Machine(_find_sandbox(), _find_driver(runs_dir), _find_users(runs_dir))


def _find_users(runs_dir: str) -> Users:
    if os.geteuid() != 0:
        missing = subordinate.why_none(os.path.abspath(runs_dir))
        return Users(str(missing), missing.cause, 0)
    ids = user_ids.task_ids(user_ids.own_map())
    return Users(True, "", ids.size if ids is not None else 0)


def _find_sandbox() -> Sandbox | str:
    try:
        return find_sandbox()
    except (NoSandbox, OSError) as error:
        return str(error)


def _find_driver(runs_dir: str) -> Driver | str:
    # Named by the directory itself, so that a data directory keeps its groups wherever it is moved.
    stat = os.stat(runs_dir)
    label = f"danlu-{stat.st_dev:x}-{stat.st_ino:x}"
    trouble = ""
    # Where both are mounted, the first version has the controllers or neither has.
    for find in (cgroup_v2.find, cgroup_v1.find):
        try:
            driver: Driver = find(label)
            _try(driver)
            return driver
        except (NoCgroups, OSError) as error:
            trouble = str(error) if not isinstance(error, Missing) else trouble or str(error)
    return trouble


def _try(driver: Driver) -> None:
    """Some systems let a group be made but nobody be moved into it."""
    group = driver.create("probe", CgroupLimits(1 << 30, 1000, 100), freezable=True)
    try:
        group.join()
        group.leave()
    except OSError as error:
        raise NoCgroups(f"control groups cannot be joined: {error.strerror}") from error
    finally:
        group.remove()
