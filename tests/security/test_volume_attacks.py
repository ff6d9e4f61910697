"""Volumes hold against tasks: what is mounted read-only stays as it is, and what is not mounted is out of reach."""

from __future__ import annotations

import asyncio
import itertools
import os
import shlex
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.bootstrap.clock import SystemClock
from danlu.domain.events import TaskEnded, TaskRunning
from danlu.domain.job import Task
from danlu.domain.people import FIRST_UID, UIDS_EACH
from danlu.domain.reasons import EvictedDisk, ExitCode, MountNotPossible, VolumeNotAvailable
from danlu.domain.resources import Resources
from danlu.domain.volumes.volume import FIRST_VOLUME_GID
from danlu.engines.local import LocalEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from danlu.ports.logs import LogKey
from danlu.telemetry.logs import log_path
from tests.fakes.volume_files import make_files

MIB = 1 << 20
PEOPLE = ("lin", "ann", "eve")
_numbers = itertools.count(1)


def uid(owner: str) -> int:
    return FIRST_UID + UIDS_EACH * PEOPLE.index(owner)


class Machine:
    """A local engine with volumes of lin's."""

    def __init__(self, root: Path, isolation: str = "auto") -> None:
        self.root, self.data = root, root / "volume-data"
        self.engine = LocalEngine(
            uid_of=uid,
            share_user=False,
            runs=root / "runs",
            volumes=root / "volumes",
            hidden=(root,),
            log_path=lambda key: log_path(root / "logs", key),
            archive_path=lambda digest: root / digest,
            nodes=virtual_nodes("1xcpu"),
            isolation=isolation,
            python=None,
            clock=SystemClock(),
        )
        self._seen: list[object] = []
        self.gids = itertools.count(FIRST_VOLUME_GID)

    def volume(self, name: str, **files: str) -> MountOrder:
        gid = next(self.gids)
        make_files(self.data, name, uid("lin"), gid, **files)
        return MountOrder("/data", True, volume=name, title=f"lin:{name}", gid=gid)

    def start(self, owner: str, command: str, *mounts: MountOrder) -> AttemptOrder:
        attempt = f"job{next(_numbers)}-1"
        node = self.engine.inventory()[0]
        size = Resources(100, 256 * MIB)
        task = TaskOrder("worker-0", "worker", node.name, node.address, (), size, command, {}, False)
        order = AttemptOrder(attempt, attempt[:-2], 1, owner, "host", None, (task,), mounts=mounts)
        self.engine.start(order)
        return order

    def await_event(self, order: AttemptOrder, kind: type) -> object:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self._seen += self.engine.events()
            for event in self._seen:
                if isinstance(event, kind) and event.attempt_id == order.attempt_id:  # type: ignore[attr-defined]
                    return event
            time.sleep(0.02)
        raise AssertionError(f"no {kind.__name__}: {self._seen}; {self.printed(order)}")

    def printed(self, order: AttemptOrder) -> str:
        path = log_path(self.root / "logs", LogKey(order.job_id, 1, "worker-0"))
        return path.read_text() if path.exists() else ""

    def run(self, owner: str, command: str, *mounts: MountOrder) -> tuple[int | None, str]:
        """Its exit code and what it printed."""
        order = self.start(owner, command, *mounts)
        ended = self.await_event(order, TaskEnded)
        assert isinstance(ended, TaskEnded)
        code = (
            ended.reason.exit_code
            if isinstance(ended.reason, ExitCode)
            else 0
            if ended.reason is None
            else None
        )
        return code, self.printed(order)

    def refused(self, owner: str, *mounts: MountOrder) -> object:
        ended = self.await_event(self.start(owner, "true", *mounts), TaskEnded)
        assert isinstance(ended, TaskEnded)
        return ended.reason


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    tmp_path.chmod(0o755)
    machine = Machine(tmp_path / "danlu")
    yield machine
    machine.engine.close()


@pytest.fixture(autouse=True)
def closed(tmp_path: Path) -> None:
    (tmp_path / "danlu").mkdir(mode=0o700)


def writable(mount: MountOrder) -> MountOrder:
    return replace(mount, read_only=False)


def test_two_people_read_and_write_what_they_share(machine: Machine) -> None:
    shared = machine.volume("v1", hello="from lin")
    code, said = machine.run(
        "ann", "cat /data/hello && echo from ann > /data/hers && mkdir /data/d", writable(shared)
    )
    assert (code, "from lin" in said) == (0, True), said
    code, said = machine.run(
        "lin", "cat /data/hers && echo more >> /data/hers && touch /data/d/x", writable(shared)
    )
    assert (code, "from ann" in said) == (0, True), said
    place = machine.data / "v1" / "files"
    found = (place / "hers").stat()
    assert (found.st_uid, found.st_gid) == (uid("ann"), shared.gid)
    assert place.stat().st_uid == uid("lin")  # it was not given to who mounted it


def test_a_person_without_the_mount_does_not_reach_the_files_by_any_path(machine: Machine) -> None:
    machine.volume("v1", secret="lin's own")
    place = machine.data / "v1" / "files" / "secret"
    command = (
        f"cat {place}; ls -la {machine.data} {machine.root} {place.parent}; cat /data/secret; "
        f"find / -xdev -name secret 2>/dev/null; for p in /proc/[0-9]*; do cat $p/root{place} $p/cwd/secret; done; true"
    )
    code, said = machine.run("eve", command)
    assert code == 0, said
    assert "lin's own" not in said


@pytest.mark.parametrize(
    "attack",
    [
        "echo mine > /data/hello",
        "rm /data/hello",
        "mv /data/hello /data/other",
        "ln /data/hello /data/second",
        "chmod 777 /data/hello",
        "touch /data/new",
        "mount -o remount,rw,bind /data",
        "mount -o remount,rw /data",
        "unshare -rm sh -c 'mount -o remount,rw,bind /data && echo mine > /data/hello'",
        "ln /data/hello $DANLU_PERSONAL_DIR/link && echo mine > $DANLU_PERSONAL_DIR/link",
        "echo mine > /proc/self/root/data/hello",
        "echo mine > /proc/1/root/data/hello",
        "exec 3</data/hello; echo mine > /proc/self/fd/3",
    ],
)
def test_nobody_writes_through_a_read_only_mount(machine: Machine, attack: str) -> None:
    """Neither a stranger with a share nor the owner, who could write elsewhere."""
    shared = machine.volume("v1", hello="as it was")
    for person in ("ann", "lin"):
        code, said = machine.run(person, f"cat /data/hello; {attack}", shared)
        assert code != 0, said
        assert "as it was" in said
        place = machine.data / "v1" / "files"
        assert os.listdir(place) == ["hello"]
        assert (place / "hello").read_text() == "as it was"
        assert (place / "hello").stat().st_mode & 0o777 == 0o660


def test_a_reader_gains_nothing_from_a_writer_beside_it(machine: Machine) -> None:
    """Both mount it at the same time; the reader tries the writer's view, and what the writer left."""
    shared = machine.volume("v1", hello="as it was")
    writer = machine.start("lin", "ln -s /proc/self/root/data /data/door; sleep 60", writable(shared))
    machine.await_event(writer, TaskRunning)
    command = (
        "for p in /proc/[0-9]*; do echo mine > $p/root/data/hello; done; echo mine > /data/door/hello; "
        "ls /proc | grep -c '^[0-9]'; cat /data/hello"
    )
    _, said = machine.run("ann", command, shared)
    assert "as it was" in said
    assert (machine.data / "v1" / "files" / "hello").read_text() == "as it was"
    machine.engine.stop(writer, 0)


def test_a_link_in_a_volume_leads_a_task_only_to_what_it_sees_itself(
    machine: Machine, tmp_path: Path
) -> None:
    (machine.root / "secrets").mkdir()
    (machine.root / "secrets" / "key").write_text("of the platform")
    shared = machine.volume("v1", hello="x")
    other = replace(machine.volume("v2", hidden="of another volume"), path="/other")
    leads: dict[str, Path | str] = {
        "key": machine.root / "secrets" / "key",
        "shadow": "/etc/shadow",
        "v2": machine.data / "v2" / "files" / "hidden",
    }
    for name, target in leads.items():
        (machine.data / "v1" / "files" / name).symlink_to(target)
    _, said = machine.run("ann", "cat /data/key /data/shadow /data/v2; true", shared)
    assert "of the platform" not in said
    assert "root:" not in said
    assert "of another volume" not in said
    code, _ = machine.run("ann", "cat /other/hidden", other)
    assert code == 0


def test_a_link_in_place_of_its_files_is_not_followed(machine: Machine) -> None:
    """Nobody but Danlu could put it there; even so nothing else is mounted instead."""
    shared = machine.volume("v1", hello="x")
    place = machine.data / "v1" / "files"
    place.rename(place.with_name("moved"))
    place.symlink_to("/etc")
    assert isinstance(machine.refused("ann", shared), VolumeNotAvailable)


def test_groups_of_volumes_do_not_outlast_the_mount(machine: Machine) -> None:
    """What one made while in the group is of no use in the next task, which is not."""
    shared = machine.volume("v1", hello="x")
    machine.run(
        "ann",
        "cp /bin/sh /data/sh; chmod 6755 /data/sh; cp /bin/sh ~/sh; chgrp $(stat -c %g /data) ~/sh",
        writable(shared),
    )
    _, said = machine.run("ann", "id -G; grep Groups /proc/self/status")
    assert str(shared.gid) not in said
    assert "65534" not in said


def test_a_command_run_inside_the_task_has_its_volumes_too(machine: Machine) -> None:
    shared = machine.volume("v1", hello="from lin")
    order = machine.start("ann", "sleep 60", writable(shared))
    running = machine.await_event(order, TaskRunning)
    assert isinstance(running, TaskRunning)
    task = Task("worker", 0, order.tasks[0].node, "127.0.0.1")

    async def inside(command: str) -> str:
        shell = await machine.engine.exec(order.attempt_id, task, ["/bin/sh", "-c", command], None)
        said = b""
        while data := await shell.read():
            said += data
        await shell.wait()
        await shell.close()
        return said.decode()

    said = asyncio.run(inside("cat /data/hello; echo by hand > /data/typed && cat /data/typed"))
    assert "from lin" in said
    assert "by hand" in said
    machine.engine.stop(order, 0)


def test_a_folder_of_its_own_is_empty_writable_and_gone_afterwards(machine: Machine) -> None:
    own = MountOrder("/scratch", False, local=0)
    order = machine.start(
        "ann", "ls -A /scratch | wc -l; echo x > /scratch/file; stat -c %U /scratch; cat /scratch/file", own
    )
    ended = machine.await_event(order, TaskEnded)
    assert isinstance(ended, TaskEnded)
    assert ended.reason is None, machine.printed(order)
    machine.engine.forget(order.attempt_id)
    machine.engine._cleaner.submit(lambda: None).result()
    assert not (machine.root / "runs" / order.attempt_id).exists()
    assert machine.run("ann", 'test -z "$(ls -A /scratch)"', own)[0] == 0


def test_a_folder_of_its_own_beyond_its_size_ends_the_task(machine: Machine) -> None:
    fill = shlex.quote("import time; open('/scratch/x','wb').write(bytes(64<<20)); time.sleep(60)")
    ended = machine.await_event(
        machine.start("ann", f"python3 -c {fill}", MountOrder("/scratch", False, local=16 * MIB)), TaskEnded
    )
    assert isinstance(ended, TaskEnded)
    assert isinstance(ended.reason, EvictedDisk)
    assert ended.reason.limit == 16 * MIB


def test_everybody_has_an_archive_of_their_own(machine: Machine) -> None:
    assert machine.run("ann", "echo old > /archives/ann/file")[0] == 0
    assert machine.run("ann", "cat $DANLU_ARCHIVE_DIR/file")[0] == 0
    _code, said = machine.run("eve", "(cat /archives/ann/file; ls /archives) 2>&1")
    assert "old" not in said
    assert "ann" not in said.splitlines()[-1]


@pytest.mark.parametrize(
    ("mount", "reason"),
    [
        (MountOrder("/mnt/ann", False, local=0), MountNotPossible),
        (MountOrder("/mnt/ann/below", False, local=0), MountNotPossible),
        (MountOrder("/archives", False, local=0), MountNotPossible),
        (MountOrder("/run/danlu/reports", False, local=0), MountNotPossible),
        (
            MountOrder("/data", True, volume="gone", title="lin:gone", gid=FIRST_VOLUME_GID),
            VolumeNotAvailable,
        ),
        (MountOrder("/data", True, volume="", title="lin:none"), VolumeNotAvailable),
    ],
)
def test_what_cannot_be_shown_as_asked_keeps_the_task_from_starting(
    machine: Machine, mount: MountOrder, reason: type
) -> None:
    assert isinstance(machine.refused("ann", mount), reason)


def test_plain_processes_get_no_mounts_and_do_not_start_without(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "danlu", "process")
    for mount in (machine.volume("v1"), MountOrder("/scratch", False, local=0)):
        reason = machine.refused("ann", mount)
        assert isinstance(reason, MountNotPossible)
        assert reason.why == MountNotPossible.NO_SANDBOX
    machine.engine.close()
