"""Inputs of job files over HTTP: refused at their fields, as the person may use volumes, and shown as steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.transfers.inputs import InputFetcher
from danlu.domain.ids import make_id
from danlu.domain.transfers.transfer import TransferState
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeKind, VolumeShare
from danlu.server.jobs import models
from danlu.server.transfers.models import Transfer
from tests.fakes.clock import CountingIds
from tests.fakes.server import ENGINEER, OTHER, World, job_file
from tests.integration.server.conftest import Ask

AWAY = "https://example.org/set.bin?signature=hidden"


@pytest.fixture(scope="module", autouse=True)
def volumes(here: World) -> dict[str, str]:
    owner, other = here.caller(ENGINEER), here.caller(OTHER)
    create, share = here.services.volumes.create, here.services.volumes.share
    made = {
        "raw": create(owner, "raw", kind=VolumeKind.FILESYSTEM, capacity=64 << 20),
        "shown": create(other, "shown", kind=VolumeKind.FILESYSTEM, capacity=64 << 20),
        "hidden": create(other, "hidden", kind=VolumeKind.FILESYSTEM, capacity=64 << 20),
    }
    share(other, made["shown"].id, [VolumeShare(SharedWith.USER, ENGINEER, MountMode.RO)])
    far = replace(made["raw"], id=make_id(1, 77), name="far", cluster="east")
    here.store.add_volume(far, 1, by=owner.entry("created", ""), check=lambda _: None)
    return {name: one.id for name, one in made.items()}


def with_inputs(*inputs: dict[str, Any]) -> dict[str, Any]:
    return {**job_file("needs-data"), "inputs": list(inputs)}


def refused(ask: Ask, *inputs: dict[str, Any], who: str = ENGINEER) -> list[tuple[list[Any], str]]:
    answer = ask(who, "POST", "jobs", json=with_inputs(*inputs))
    assert answer.status_code == 422, answer.text
    for one in answer.json()["errors"]:
        assert one["text"]["en"] != one["text"]["zh"]
    return [(one["loc"], one["code"]) for one in answer.json()["errors"]]


@pytest.mark.parametrize(
    ("wrong", "key", "code"),
    [
        ({"from": "nonsense"}, "from", "bad_end"),
        ({"from": "s3://bucket/key"}, "from", "bad_end"),
        ({"from": "https://eve:secret@example.org/x"}, "from", "bad_end"),
        ({"from": "nothing:/x"}, "from", "no_such_volume"),
        ({"from": "raw:/"}, "to", "into_itself"),
        ({"to": "https://example.org/x"}, "to", "not_a_volume"),
        ({"to": "nothing:/"}, "to", "no_such_volume"),
        ({"to": "raw:/../etc"}, "to", "bad_end"),
        ({"to": f"{OTHER}:hidden:/"}, "to", "no_such_volume"),
        ({"to": f"{OTHER}:shown:/"}, "to", "not_allowed"),
        ({"to": "far:/"}, "to", "conflict"),
        ({"ref": "main"}, "ref", "not_git"),
        ({"from": "git+https://h/r", "sha256": "0" * 64}, "sha256", "not_web"),
        ({"from": "git+https://h/r", "unpack": True}, "unpack", "not_an_archive"),
        ({"login": {"secret": "x"}}, "login", "unknown_key"),
    ],
)
def test_what_cannot_be_fetched_is_refused_at_its_field(
    ask: Ask, wrong: dict[str, Any], key: str, code: str
) -> None:
    good = {"from": AWAY, "to": "raw:/in/"}
    assert refused(ask, good, {**good, **wrong}) == [(["inputs", 1, key], code)]


def test_twenty_inputs_are_the_most(ask: Ask) -> None:
    many = [{"from": AWAY, "to": f"raw:/{number}/"} for number in range(21)]
    assert refused(ask, *many) == [(["inputs"], "too_long")]


def test_nothing_of_a_secret_in_an_address_comes_back(ask: Ask) -> None:
    file = with_inputs({"from": "https://eve:s3cret@example.org/x", "to": "raw:/"})
    assert "s3cret" not in ask(ENGINEER, "POST", "jobs", json=file).text


def test_a_volume_that_was_shared_read_only_may_be_the_source(ask: Ask) -> None:
    file = with_inputs({"from": f"{OTHER}:shown:/train", "to": "personal:/train/"})
    answer = ask(ENGINEER, "POST", "jobs", json=file)
    assert answer.status_code == 201, answer.text
    assert answer.json()["spec"]["inputs"] == [{"from": f"{OTHER}:shown:/train", "to": "personal:/train/"}]


def test_a_share_that_was_taken_back_is_refused_at_the_start(
    ask: Ask, here: World, volumes: dict[str, str]
) -> None:
    file = {**with_inputs({"from": f"{OTHER}:shown:/x", "to": "raw:/"}), "name": "later"}
    made = ask(ENGINEER, "POST", "jobs", json=file).json()["id"]
    here.services.volumes.share(here.caller(OTHER), volumes["shown"], [])
    answer = ask(ENGINEER, "POST", f"jobs/{made}/start")
    share = VolumeShare(SharedWith.USER, ENGINEER, MountMode.RO)
    here.services.volumes.share(here.caller(OTHER), volumes["shown"], [share])
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["loc"], error["code"]) == (["inputs", 0, "from"], "no_such_volume")
    assert f"{OTHER}:shown" in error["text"]["en"]


def test_names_mean_the_volumes_of_whoever_wrote_them(ask: Ask, volumes: dict[str, str]) -> None:
    file = {**with_inputs({"from": AWAY, "to": "raw:/in/"}), "name": "mine"}
    made = ask(ENGINEER, "POST", "jobs", json=file).json()
    models.JobDetail.model_validate(made)
    assert made["spec"]["inputs"] == [{"from": AWAY, "to": f"{ENGINEER}:raw:/in/"}]
    (step,) = made["inputs"]
    assert (step["source"], step["state"], step["transfer"]) == (
        "https://example.org/set.bin",
        "waiting",
        None,
    )


def test_a_check_tells_that_it_would_fetch_first(ask: Ask) -> None:
    answer = ask(ENGINEER, "POST", "jobs/check", json=with_inputs({"from": AWAY, "to": "raw:/in/"})).json()
    assert (answer["valid"], answer["would"]["starts_now"]) == (True, False)
    assert answer["would"]["reason"]["code"] == "inputs_pending"
    assert "hidden" not in str(answer["would"])


def test_its_transfer_tells_for_which_job_it_was_made(ask: Ask, here: World) -> None:
    controller = here.controller
    fetcher = InputFetcher(
        here.store, controller.view, controller.found, 100, here.services.ports.clock, CountingIds()
    )
    file = {**with_inputs({"from": AWAY, "to": "raw:/lineage/"}), "name": "lineage"}
    made = ask(ENGINEER, "POST", "jobs?start=true", json=file).json()["id"]
    controller.step()
    fetcher.round()
    (step,) = ask(ENGINEER, "GET", f"jobs/{made}").json()["inputs"]
    shown = ask(ENGINEER, "GET", f"transfers/{step['transfer']}").json()
    Transfer.model_validate(shown)
    assert (shown["for_job"], shown["target"]) == (
        {"id": made, "name": "lineage#1"},
        f"{ENGINEER}:raw:/lineage/",
    )
    here.store.edit_transfer(
        step["transfer"], lambda one: replace(one, state=TransferState.COMPLETED, ended_at=1), 1
    )
    fetcher.round()
    controller.step()
    assert "inputs_fetched" in ask(ENGINEER, "GET", f"jobs/{made}/events").text
