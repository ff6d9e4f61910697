"""The small rules of the local engine."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain import reasons as why
from danlu.domain.errors import Unavailable
from danlu.domain.events import TaskEnded, TaskRunning, TaskStarting
from danlu.domain.isolation import Ability, IsolationForm, TaskIsolation
from danlu.domain.node import Gpu, Node
from danlu.domain.resources import Resources
from danlu.engines.local.inventory import short_model
from danlu.engines.local.isolation import IsolationChoice, choose_isolation
from danlu.engines.local.reports import event_of
from danlu.engines.local.task_file import real_cards
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import TaskOrder

NO_BWRAP = {"bubblewrap": "bubblewrap is not installed", "cgroup": True, "users": "Danlu is not root"}
ALL = {"bubblewrap": True, "cgroup": True, "users": True, "network": True, "nat": True}


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB"),
        ("NVIDIA GeForce RTX 3090", "RTX3090"),
        ("Tesla V100-PCIE-16GB", "V100-PCIE-16GB"),
        ("NVIDIA H100 80GB HBM3", "H10080GBHBM3"),
    ],
)
def test_a_model_is_named_as_people_name_it(name: str, short: str) -> None:
    assert short_model(name) == short


def lacks(choice: IsolationChoice) -> list[str]:
    return [lack.code for lack in choice.told.lacking]


def test_tasks_are_kept_apart_as_far_as_the_machine_can_and_it_is_said() -> None:
    best = choose_isolation("auto", ALL)
    assert best.told == TaskIsolation(
        IsolationForm.SANDBOX, (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS, Ability.NETWORK)
    )
    assert (best.own_users, best.told.one_user) == (True, False)
    poorer = choose_isolation("auto", NO_BWRAP)
    assert (poorer.bubblewrap, poorer.cgroup, poorer.own_users) == (False, True, False)
    assert (poorer.told.form, poorer.told.abilities) == (IsolationForm.PROCESS, (Ability.CGROUP,))
    assert lacks(poorer) == ["sandbox_not_installed", "own_users_not_working"]
    assert poorer.told.one_user
    assert not poorer.told.root


def test_why_something_lacks_is_a_code_and_the_machine_s_own_words() -> None:
    refused = {**ALL, "bubblewrap": "no user namespaces", "bubblewrap_installed": True, "cgroup": "read-only"}
    told = choose_isolation("auto", {**refused, "users": "smith", "users_cause": "no_range"}).told
    assert [lack.code for lack in told.lacking] == [
        "sandbox_not_working",
        "cgroup_not_working",
        "own_users_no_range",
    ]
    assert "smith" in told.lacking[2].text.zh
    assert "--add-subuids 300000-365535 --add-subgids 300000-365535 smith" in told.lacking[2].fix.en
    assert "no user namespaces" in told.lacking[0].text.en
    assert "no user namespaces" in told.lacking[0].text.zh


def test_networks_are_told_of_where_the_launcher_makes_any() -> None:
    assert Ability.NETWORK in choose_isolation("auto", {**ALL, "network": True}).told.abilities
    without = choose_isolation("auto", {**ALL, "network": "no network namespaces"})
    assert lacks(without) == ["network_not_working"]
    assert Ability.NETWORK not in without.told.abilities


def test_plain_processes_by_setting_are_told_as_they_are() -> None:
    plain = choose_isolation("process", ALL)
    assert not plain.bubblewrap
    assert (plain.told.form, plain.told.root) == (IsolationForm.PROCESS, True)
    assert lacks(plain) == ["sandbox_by_setting", "cgroup_by_setting", "own_users_by_setting"]
    assert not choose_isolation("process", NO_BWRAP).told.root


def test_where_danlu_is_root_tasks_have_a_sandbox_or_do_not_start() -> None:
    without = choose_isolation("auto", {**NO_BWRAP, "users": True})
    assert (without.bubblewrap, without.own_users) == (True, True)
    assert without.told.form is IsolationForm.BLOCKED
    assert lacks(without) == ["sandbox_not_installed"]


def test_subordinate_ids_are_users_of_their_own_and_told_apart() -> None:
    told = choose_isolation("auto", {**ALL, "ids": 65_536}).told
    assert (told.subordinate_ids, told.one_user) == (65_536, False)
    assert "as a user per person (subordinate ids)" in told.text.en
    assert "从属 uid" in told.text.zh
    assert "subordinate" not in choose_isolation("auto", {**ALL, "ids": 0}).told.text.en


def test_a_sandbox_that_must_be_and_cannot_be_is_refused() -> None:
    with pytest.raises(Unavailable, match="bubblewrap is not installed"):
        choose_isolation("sandbox", NO_BWRAP)


def test_only_cards_that_are_there_are_measured() -> None:
    declared = virtual_nodes("1x8xA100")
    real = Node("gpu-1", "", 1000, 1 << 30, tuple(Gpu(index, str(index), "A100") for index in range(4)))

    def on(node: str) -> TaskOrder:
        return TaskOrder("worker-0", "worker", node, "", (1, 3), Resources(), "true", {}, False)

    assert real_cards((*declared, real), on("gpu-1")) == (real.gpus[1], real.gpus[3])
    assert real_cards((*declared, real), on(declared[0].name)) == ()
    assert real_cards((), on("gpu-1")) == ()


def exited(**fields: Any) -> Any:
    return {"event": "exited", "time": 5, "code": None, **fields}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (exited(code=0, reason=None), None),
        (exited(code=3, reason="exit_code"), why.ExitCode("worker-0", 3)),
        (exited(signal=11, reason="signal"), why.Signal("worker-0", "SIGSEGV")),
        (exited(signal=64, reason="signal"), why.Signal("worker-0", "SIGRTMAX")),
        (exited(reason="out_of_memory"), why.OutOfMemory("worker-0", 1024)),
        (exited(reason="never_started"), why.NeverStarted("worker-0")),
        (exited(reason="code_failed", text="no such branch"), why.CodeFailed("worker-0", "no such branch")),
        (exited(reason="start_failed", text="no room"), why.StartFailed("worker-0", "no room")),
        (exited(reason="something newer"), why.StartFailed("worker-0", "something newer")),
    ],
)
def test_an_exit_record_becomes_a_reason(record: Any, reason: why.Reason | None) -> None:
    event = event_of("job-1", "worker-0", 1024, record)
    assert isinstance(event, TaskEnded)
    assert event.reason == reason


def test_other_records_become_steps_or_nothing() -> None:
    assert event_of("job-1", "w", 0, {"event": "starting", "step": "code"}) == TaskStarting(
        "job-1", "w", "code"
    )
    weak: Any = {"event": "running", "time": 7, "isolation": {"level": "process", "memory": "polled"}}
    assert event_of("job-1", "w", 0, weak) == TaskRunning("job-1", "w", 7, "process, memory limit polled")
    assert event_of("job-1", "w", 0, {"event": "warning"}) is None
