"""Small things that newcomers write, and what they mean."""

import pytest

from danlu.domain.quantity import parse_size
from danlu.domain.words import BadValue
from danlu.files.job_file import ResourcesPart
from danlu.sdk.http.paths import segment


@pytest.mark.parametrize(
    ("written", "milli"),
    [({"gpu": "A100"}, 1000), ({"gpu": "A100", "gpus": 0.5}, 500), ({"gpu": None}, 0), ({}, 0)],
)
def test_a_model_without_a_number_means_one_gpu(written, milli):
    assert ResourcesPart.model_validate(written).gpus == milli


@pytest.mark.parametrize(("written", "meant"), [("16", "16GiB"), ("149397504000", "149397504000B")])
def test_a_size_without_a_unit_is_refused_with_what_was_likely_meant(written, meant):
    with pytest.raises(BadValue) as refused:
        parse_size(written)
    assert meant in refused.value.args or meant in vars(refused.value).values()


def test_a_job_in_an_address_is_its_id():
    class Told:
        id = "02mn#1"

    assert segment(Told()) == "02mn%231"  # type: ignore[arg-type]
    assert segment("bert#2") == "bert%232"
