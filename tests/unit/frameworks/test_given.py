"""What each framework gives to the tasks of a gang."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.frameworks.base import Command, Gang, Given, Seat
from danlu.frameworks.catalog import framework, frameworks, strategy
from danlu.frameworks.launch import by_module
from danlu.frameworks.sample import sample, variables


def gang(strategy: str, *tasks: str, command: Command = "python train.py", **more: Any) -> Gang:
    """Tasks by name, at addresses in order, with two GPUs and two processes each unless told otherwise."""
    seats = []
    for rank, name in enumerate(tasks):
        role, _, index = name.rpartition("-")
        seat = Seat(name, role, int(index), rank, f"10.0.0.{rank}", 20_000 + rank, 2, 2, command)
        seats.append(replace(seat, **more))
    return Gang("j1-1", strategy, tuple(seats), len(seats), len(seats))


def given(name: str, whole: Gang, rank: int = 0) -> Given:
    return framework(name).given(whole, whole.seats[rank])


def tf_config(whole: Gang, rank: int) -> Any:
    return json.loads(given("tensorflow", whole, rank).env["TF_CONFIG"])


def test_tensorflow_workers_know_all_addresses_and_their_own_place() -> None:
    whole = gang("all-reduce", "chief-0", "worker-0", "worker-1")
    assert tf_config(whole, 2) == {
        "cluster": {"chief": ["10.0.0.0:20000"], "worker": ["10.0.0.1:20001", "10.0.0.2:20002"]},
        "task": {"type": "worker", "index": 1},
    }


def test_tensorflow_parameter_servers_are_in_the_cluster_and_the_evaluator_is_not() -> None:
    whole = gang("ps", "chief-0", "ps-0", "ps-1", "worker-0", "evaluator-0")
    seen = tf_config(whole, 4)
    assert {role: len(addresses) for role, addresses in seen["cluster"].items()} == {
        "chief": 1, "ps": 2, "worker": 1,
    }  # fmt: skip
    assert seen["task"] == {"type": "evaluator", "index": 0}
    assert tf_config(whole, 2)["task"] == {"type": "ps", "index": 1}


def test_what_runs_a_tensorflow_server_ends_with_the_chief() -> None:
    serving = {shape.name: shape.serves for shape in strategy(framework("tensorflow"), "ps").roles}
    assert serving == {"chief": False, "ps": True, "worker": True, "evaluator": True}
    serving = {shape.name: shape.serves for shape in strategy(framework("tensorflow"), "all-reduce").roles}
    assert serving == {"chief": False, "worker": False, "evaluator": True}


def test_the_places_of_addresses_survive_in_the_text_of_a_variable() -> None:
    whole = gang("all-reduce", "worker-0", host="⟨danlu:worker-0⟩")
    assert "⟨danlu:worker-0⟩:20000" in given("tensorflow", whole).env["TF_CONFIG"]


def test_jax_meets_at_the_first_task() -> None:
    assert given("jax", gang("all-reduce", "worker-0", "worker-1"), 1) == Given(
        {"JAX_COORDINATOR_ADDRESS": "10.0.0.0:20000", "JAX_NUM_PROCESSES": "2", "JAX_PROCESS_ID": "1"},
        "python train.py",
    )


def test_paddle_is_launched_by_variables_at_an_address_of_its_own() -> None:
    found = given("paddle", gang("all-reduce", "worker-0", "worker-1"), 1)
    assert found.command == "python -m paddle.distributed.launch train.py"
    assert found.env == {
        "PADDLE_MASTER": "10.0.0.0:20000",
        "PADDLE_NNODES": "2",
        "PADDLE_RANK": "1",
        "PADDLE_NPROC_PER_NODE": "2",
        "PADDLE_JOB_ID": "j1-1",
        "POD_IP": "10.0.0.1",
    }


def test_paddle_without_gpus_talks_through_gloo() -> None:
    found = given("paddle", gang("all-reduce", "worker-0", gpus=0, processes=1))
    assert found.env["PADDLE_DISTRI_BACKEND"] == "gloo"
    assert found.env["CUDA_VISIBLE_DEVICES"] == "all"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python train.py -m x", "python -m launcher train.py -m x"),
        ("/opt/bin/python3.11 -u train.py", "/opt/bin/python3.11 -u -m launcher train.py"),
        ("python -m launcher train.py", "python -m launcher train.py"),
        ("python -c 'print(1)'", "python -c 'print(1)'"),
        ("bash run.sh", "bash run.sh"),
        (("python3", "-u", "train.py", "a b"), ("python3", "-u", "-m", "launcher", "train.py", "a b")),
        (("python3", "-m", "launcher", "train.py"), ("python3", "-m", "launcher", "train.py")),
        (("./run", "x"), ("./run", "x")),
    ],
)
def test_a_launcher_that_is_a_module_runs_scripts_with_their_own_python(
    command: Command, expected: Command
) -> None:
    assert by_module("launcher", command) == expected


def test_deepspeed_runs_scripts_through_torchrun() -> None:
    found = given("deepspeed", gang("all-reduce", "worker-0", "worker-1"), 1)
    assert found.command == "torchrun train.py"
    assert found.env["PET_NNODES"] == "2"
    assert found.env["PET_NODE_RANK"] == "1"


@pytest.mark.parametrize(
    ("cards", "included"),
    [("4,5", "worker-0:0,1@worker-1:4,5"), ("", "worker-0:0,1@worker-1:0,1"), ("3,6,7", "worker-0:0,1@worker-1:3,6")],
    ids=["its own cards", "no cards", "more cards than processes"],
)  # fmt: skip
@pytest.mark.parametrize(
    "command",
    ["deepspeed --num_gpus=8 --num_nodes 2 train.py --x 'a b' && echo then", ("deepspeed", "--num_gpus", "8", "train.py", "--x", "a b")],
    ids=["text", "list"],
)  # fmt: skip
def test_the_deepspeed_command_needs_no_ssh(
    tmp_path: Path, cards: str, included: str, command: Command
) -> None:
    program = tmp_path / "deepspeed"
    program.write_text('#!/bin/sh\ncat "$2"\nshift 2\nfor word; do echo "$word"; done\n')
    program.chmod(0o755)
    whole = gang("all-reduce", "worker-0", "worker-1", command=command)
    line = given("deepspeed", whole, 1).command
    assert isinstance(line, str)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": cards}
    said = subprocess.run(["/bin/sh", "-c", line], env=env, capture_output=True, text=True, check=True)
    then = ["then"] if isinstance(command, str) else []
    assert said.stdout.splitlines() == [
        "worker-0 slots=1024", "worker-1 slots=1024", "--no_ssh", "--node_rank", "1", "--master_addr", "10.0.0.0",
        "--master_port", "20000", "--include", included, "train.py", "--x", "a b", *then,
    ]  # fmt: skip


@pytest.mark.parametrize("name", list(frameworks()))
def test_every_strategy_of_every_framework_has_an_answer_for_every_seat(name: str) -> None:
    one = framework(name)
    for chosen in one.strategies:
        whole = sample(chosen)
        assert {seat.role for seat in whole.seats} == {shape.name for shape in chosen.roles}
        told = set(variables(one, chosen))
        for seat in whole.seats:
            assert set(one.given(whole, seat).env) <= told
        assert all(words.en and words.zh for words in (chosen.label, chosen.about, one.label, one.about))
