"""Whose tasks are whose on this machine, and which devices they see."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.domain.errors import Unavailable
from danlu.domain.node import Gpu
from danlu.domain.people import FIRST_UID, LAST_UID, UIDS_EACH
from danlu.domain.reasons import NoUserId, SharedUser
from danlu.engines.local import devices
from danlu.engines.local.users import TaskUsers, task_uid

UIDS = {"lin": FIRST_UID, "wang": FIRST_UID + 9 * UIDS_EACH, "late": LAST_UID + 1}


def users(volumes: Path, *, own: bool, shared: bool = False) -> TaskUsers:
    return TaskUsers(UIDS.get, volumes, own, shared)


def test_a_task_runs_as_its_owner(tmp_path: Path) -> None:
    assert users(tmp_path, own=True).user("lin") == {"uid": FIRST_UID, "gid": FIRST_UID, "name": "lin"}
    assert users(tmp_path, own=False).user("lin") is None


@pytest.mark.parametrize("name", ["stranger", "late"])
def test_somebody_without_a_user_id_starts_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unavailable, match=name):
        users(tmp_path, own=True).user(name)


def test_of_few_subordinate_ids_each_account_has_one_and_those_beyond_have_none(tmp_path: Path) -> None:
    stored = [FIRST_UID + number * UIDS_EACH for number in range(12)]
    assert [task_uid(one, 10) for one in stored] == [*range(FIRST_UID, FIRST_UID + 10), None, None]
    assert [task_uid(one, 0) for one in stored] == stored
    assert task_uid(LAST_UID + 1, 0) is None
    assert TaskUsers(UIDS.get, tmp_path, True, False, 10).user("wang") == {
        "uid": FIRST_UID + 9,
        "gid": FIRST_UID + 9,
        "name": "wang",
    }
    few = TaskUsers(UIDS.get, tmp_path, True, False, 9)
    assert few.refusal("lin", "worker-0", "here") is None
    assert few.refusal("wang", "worker-0", "here") == NoUserId("worker-0", "wang", 10, 9, "here")
    with pytest.raises(Unavailable, match="wang has no user id"):
        few.user("wang")


def test_where_all_are_one_user_a_second_person_is_refused_until_that_is_accepted(tmp_path: Path) -> None:
    one = users(tmp_path / "volumes", own=False)
    assert one.refusal("lin", "worker-0", "here") is None
    (tmp_path / "volumes" / "lin").mkdir(parents=True)
    assert one.refusal("lin", "worker-0", "here") is None
    assert one.refusal("wang", "worker-0", "here") == SharedUser("worker-0", "wang", "lin", "here")
    assert users(tmp_path / "volumes", own=False, shared=True).refusal("wang", "worker-0", "here") is None
    assert users(tmp_path / "volumes", own=True).refusal("wang", "worker-0", "here") is None


def test_a_task_gets_the_nodes_of_its_own_cards_by_the_driver_s_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, (uuid, minor) in enumerate((("GPU-a", 1), ("GPU-b", 0))):
        folder = tmp_path / f"0000:0{number}:00.0"
        folder.mkdir()
        (folder / "information").write_text(
            f"Model: \t\t NVIDIA A100\nGPU UUID: \t {uuid}\nDevice Minor: \t {minor}\n"
        )
    monkeypatch.setattr(devices, "_ABOUT_CARDS", tmp_path)
    monkeypatch.setattr(devices, "_RDMA", tmp_path / "none")
    nodes = devices.devices_of([Gpu(0, "GPU-a", "A100"), Gpu(5, "GPU-unknown", "A100")], rdma=True)
    assert nodes[:2] == ["/dev/nvidia1", "/dev/nvidia5"]
    assert "/dev/nvidiactl" in nodes
    assert devices.devices_of([], rdma=False) == []
