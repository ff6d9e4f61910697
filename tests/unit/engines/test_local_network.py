"""Which network the tasks of a job get on this machine."""

from __future__ import annotations

import pytest

from danlu.domain.job import NetworkPolicy
from danlu.domain.resources import Resources
from danlu.engines.local.isolation import choose_isolation
from danlu.engines.local.network import LocalNetworks, find_networks
from danlu.ports.engine import AttemptOrder, TaskOrder

ABLE = {"network": True, "nat": True}


def networks(policy: str = "all", **machine: object) -> LocalNetworks:
    return find_networks(NetworkPolicy(policy), ("pypi.org",), {**ABLE, **machine}, sandboxed=True)


def ordered(asked: str | None = None, url: str = "http://127.0.0.1:8910") -> tuple[AttemptOrder, TaskOrder]:
    task = TaskOrder(
        "worker-0", "worker", "n1", "127.77.0.2", (), Resources(), "true", {"DANLU_URL": url}, False
    )
    wanted = None if asked is None else NetworkPolicy(asked)
    return AttemptOrder("a1", "j1", 1, "lin", "host", None, (task,), network=wanted), task


def test_the_job_s_word_counts_and_else_the_setting_s() -> None:
    danlu = {"danlu": ["127.0.0.1", 8910]}
    assert networks().of(*ordered()).fields == {"policy": "all", "nat": True, **danlu}
    assert networks().of(*ordered("none")).fields == {"policy": "none", **danlu}
    assert networks("none").of(*ordered()).fields == {"policy": "none", **danlu}
    assert networks().of(*ordered("shared")).fields == "host"


def test_registries_are_reached_by_a_proxy_that_programs_are_told_of() -> None:
    given = networks().of(*ordered("registries"))
    assert given.fields == {
        "policy": "registries",
        "danlu": ["127.0.0.1", 8910],
        "proxy": 919,
        "allow": ["pypi.org"],
    }
    assert given.env["HTTPS_PROXY"] == given.env["https_proxy"] == "http://127.0.0.1:919"
    assert {"worker-0", "127.77.0.2"} <= set(given.env["no_proxy"].split(","))


def test_where_addresses_are_not_translated_all_is_reached_by_a_proxy() -> None:
    fields = networks(nat="no_iptables").of(*ordered()).fields
    assert isinstance(fields, dict)
    assert (fields["allow"], "nat" in fields) == (["*"], False)


@pytest.mark.parametrize(
    ("url", "door", "hosts"),
    [
        ("https://danlu.example.com", ["danlu.example.com", 443], (("127.0.0.1", "danlu.example.com"),)),
        ("http://10.0.0.5:8910", ["10.0.0.5", 8910], ()),
        ("http://localhost:8910/", ["localhost", 8910], ()),
    ],
)
def test_danlu_is_reached_by_the_name_it_has(url: str, door: list[object], hosts: object) -> None:
    given = networks("none").of(*ordered(url=url))
    assert given.fields == {"policy": "none", "danlu": door}
    assert given.hosts == hosts


def test_what_was_asked_for_and_cannot_be_had_is_refused() -> None:
    poor = {"network": "network namespaces cannot be made"}
    sentence = "network: none is not available on this machine: network namespaces cannot be made"
    assert networks(**poor).refusal(NetworkPolicy.NONE) == sentence
    assert networks("none", **poor).refusal(None) == sentence
    assert networks(**poor).refusal(NetworkPolicy.ALL)
    assert not networks(**poor).refusal(None)
    assert not networks("none", **poor).refusal(NetworkPolicy.SHARED)
    assert not networks("none").refusal(NetworkPolicy.REGISTRIES)


def test_what_tasks_lack_is_said() -> None:
    able = {"bubblewrap": True, "cgroup": True, "users": True, "network": True, "nat": True}

    def lacks(policy: NetworkPolicy = NetworkPolicy.ALL, **worse: str) -> list[str]:
        return [lack.code for lack in choose_isolation("auto", {**able, **worse}, policy).told.lacking]

    assert lacks() == []
    assert lacks(NetworkPolicy.SHARED) == ["network_by_setting"]
    assert lacks(network="no") == ["network_not_working"]
    assert lacks(nat="no") == ["internet_not_working"]
    assert lacks(NetworkPolicy.NONE, nat="no") == []
