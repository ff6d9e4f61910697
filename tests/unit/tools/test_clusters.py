"""Which cluster that is there already the tests of the cluster run on."""

from __future__ import annotations

import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.dev.clusters import FoundCluster, found_cluster


class Machine:
    """A computer with the programs that a test gives it, a folder for what is kept, and an API server that answers."""

    def __init__(self, root: Path, port: int) -> None:
        self.programs, self.state, self.k3s = root / "bin", root / "state", root / "k3s.yaml"
        self.programs.mkdir()
        self.up, self.away = kubeconfig(port), kubeconfig(1)

    def has(self, name: str, *answers: tuple[str, str]) -> None:
        """A program that prints something for a few beginnings of its arguments, and fails for any other."""
        cases = "".join(f"'{words}'*) cat <<'END'\n{text}\nEND\n;;\n" for words, text in answers)
        program = self.programs / name
        program.write_text(f'#!/bin/sh\ncase "$*" in\n{cases}*) echo trouble; exit 1;;\nesac\n')
        program.chmod(0o755)

    def found(self, **env: str) -> FoundCluster | None:
        path = f"{self.programs}:/usr/bin:/bin"
        return found_cluster({"PATH": path, **env}, self.k3s, self.state)


def kubeconfig(port: int) -> str:
    return f"clusters:\n- cluster:\n    server: https://127.0.0.1:{port}\n  name: one"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Machine(tmp_path, server.getsockname()[1])


def test_where_there_is_no_cluster_none_is_found(machine: Machine):
    assert machine.found() is None


def test_the_one_that_was_named_on_purpose_is_used_before_any_other(machine: Machine):
    machine.k3s.write_text(machine.up)
    found = machine.found(KUBECONFIG="/home/lin/lab.yaml")
    assert found == FoundCluster("the cluster of KUBECONFIG=/home/lin/lab.yaml", Path("/home/lin/lab.yaml"))


@pytest.mark.parametrize("env", [{"KUBECONFIG": ""}, {"DANLU_TEST_CLUSTER": "/tmp/ours"}])
def test_whoever_declines_gets_a_cluster_of_ours(machine: Machine, env: dict[str, str]):
    machine.k3s.write_text(machine.up)
    assert machine.found(**env) is None


def test_a_k3s_that_answers_is_used(machine: Machine):
    machine.k3s.write_text(machine.up)
    assert machine.found() == FoundCluster("the k3s of this machine", machine.k3s)


@pytest.mark.parametrize("content", ["", "clusters: []", "server: https://127.0.0.1:99999", kubeconfig(1)])
def test_one_that_does_not_answer_is_not_there(machine: Machine, content: str):
    machine.k3s.write_text(content)
    assert machine.found() is None


def test_the_first_of_kinds_clusters_that_answers_is_used(machine: Machine):
    machine.k3s.write_text(machine.up)
    machine.has(
        "kind",
        ("get clusters", "stopped\nlab"),
        ("get kubeconfig --name stopped", machine.away),
        ("get kubeconfig --name lab", machine.up),
    )
    found = machine.found()
    assert found is not None
    assert found.name == "the kind cluster 'lab'"
    assert found.kubeconfig.read_text().strip() == machine.up
    assert stat.S_IMODE(found.kubeconfig.stat().st_mode) == 0o600, "whoever has it rules the cluster"
    assert machine.found() == found, "what an earlier look kept is in nobody's way"


def test_a_kind_without_its_program_is_found_by_its_context(machine: Machine):
    machine.has(
        "kubectl",
        ("config get-contexts -o name", "production\nkind-lab"),
        ("config view --raw --minify --flatten --context kind-lab", machine.up),
        ("config view", "never asked for"),
    )
    found = machine.found()
    assert found is not None
    assert found.name == "the kind cluster 'lab'"


@pytest.mark.parametrize("program", ["kind", "kubectl"])
def test_a_program_that_fails_knows_no_cluster(machine: Machine, program: str):
    machine.has(program)
    assert machine.found() is None


def test_it_is_said_which_one_is_used_and_how_to_decline():
    said = FoundCluster("the kind cluster 'lab'", Path("x")).words()
    assert said == (
        "The tests run on the kind cluster 'lab'; 'KUBECONFIG= ./dev test kubernetes' starts a separate cluster for them."
    )
