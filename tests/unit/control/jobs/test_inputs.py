"""A job with inputs runs where transfers go; what cannot be fetched there is said at its field."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.jobs.inputs import Inputs
from danlu.domain.errors import NotAllowed, NotFound
from danlu.domain.job import JobSpec
from danlu.domain.labels import demanded_labels
from danlu.domain.mount import Mount
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import CLUSTER_LABEL, Project
from danlu.domain.transfers.inputs import EndRefused, TitledEnds, ends_of
from danlu.domain.transfers.transfer import TransferEnd, TransferWish
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.domain.words import same
from tests.fakes.builders import spec

LIN = Caller(User("lin", UserRole.ENGINEER, 0))
VIEWER = Caller(User("eve", UserRole.VIEWER, 0))
SET = {"from": "https://example.org/x", "to": "raw:/in/"}


def ends(_: Caller, source: TransferEnd, target: TransferEnd, wish: TransferWish) -> TitledEnds:
    """Of somebody who has the volume v1, named raw."""
    if target.title in ("raw", "lin:raw"):
        return (source, ""), (replace(target, address="v1"), "lin:raw")
    refusal = NotFound if target.title == "nothing" else NotAllowed
    raise EndRefused("target", refusal(same("hidden id")))


def with_input(**keys: str) -> JobSpec:
    return spec(inputs=[{**SET, **keys}])


def test_names_become_the_volumes_that_they_meant() -> None:
    found, errors = Inputs(ends).resolved(with_input(), LIN)
    assert errors == []
    assert (found.inputs[0].target, found.inputs[0].target_id) == ("lin:raw:/in/", "v1")
    assert ends_of(found.inputs[0])[1] == TransferEnd("volume", "v1", b"in", "lin:raw", folder=True)
    assert list(Inputs(ends).again(found, LIN)) == []


@pytest.mark.parametrize(("to", "code"), [("nothing:/", "no_such_volume"), ("theirs:/", "not_allowed")])
def test_a_refusal_stands_at_its_field_and_names_what_was_written(to: str, code: str) -> None:
    (error,) = Inputs(ends).resolved(with_input(to=to), LIN)[1]
    assert (error.loc, error.code, error.value) == (("inputs", 0, "to"), code, to)
    assert error.hint is not None
    assert (code == "no_such_volume") == ("nothing" in error.text.en)


def test_who_may_not_transfer_declares_no_inputs() -> None:
    (error,) = Inputs(ends).resolved(with_input(), VIEWER)[1]
    assert (error.loc, error.code) == (("inputs", 0), "not_allowed")


@pytest.mark.parametrize(
    ("changes", "project", "named"),
    [
        ({"image": "org/cuda:12"}, None, "org/cuda:12"),
        ({"mounts": (Mount("lin:far", "/data", cluster="east"),)}, None, "lin:far on east"),
        ({}, Project("vision", node_selector={CLUSTER_LABEL: "east"}), "project vision on east"),
    ],
)
def test_a_job_that_runs_in_a_cluster_has_no_inputs(
    changes: dict[str, object], project: Project | None, named: str
) -> None:
    (error,) = Inputs(ends).resolved(replace(with_input(), **changes), LIN, project)[1]  # type: ignore[arg-type]
    assert (error.loc, error.code) == (("inputs",), "other_cluster")
    assert named in error.text.en


def test_it_runs_on_danlus_own_machine() -> None:
    assert demanded_labels(with_input(), None) == {CLUSTER_LABEL: LOCAL_CLUSTER}
    assert demanded_labels(spec(), None) == {}
