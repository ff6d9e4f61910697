"""A job always has a name, and a run has its number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.domain.names import name_of_command, nearest_name, run_title, split_title
from danlu.files.forms import JOB_NAME


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hf", "hf-job"),
        ("sweep-lr-0.1", "sweep-lr-0-1"),
        ("bert large!", "bert-large"),
        ("", "some-job"),
        ("训练", "some-job"),
        ("-x-", "x-job"),
        ("a" * 90, "a" * 63),
        ("fine_name-1", "fine_name-1"),
    ],
)
def test_an_invalid_name_has_a_nearest_valid_one(text: str, name: str) -> None:
    assert nearest_name(text) == name


@pytest.mark.parametrize("text", ["训练模型", "训练一号", "…"])
def test_where_nothing_of_a_name_can_stay_the_offer_is_neutral(text: str) -> None:
    assert nearest_name(text) == "some-job"


@given(st.text(max_size=100))
def test_the_nearest_name_is_always_valid(text: str) -> None:
    found = nearest_name(text)
    assert re.fullmatch(JOB_NAME, found)
    assert nearest_name(found) == found


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["python", "train.py"], "train"),
        ("python3.11 -u src/run_it.py --lr 0.1", "run_it"),
        ("torchrun --nproc-per-node=8 train_bert.py", "train_bert"),
        ("CUDA_VISIBLE_DEVICES=0 python3 -m finetune", "finetune"),
        (["/bin/ls", "-l"], "ls-job"),
        ("python", "python"),
        ("", None),
        ([], None),
        (None, None),
        (7, None),
    ],
)
def test_a_name_is_made_from_the_command(command: object, name: str | None) -> None:
    assert name_of_command(command) == name


def test_a_title_names_a_run_and_reads_back() -> None:
    assert run_title("bert", 1, numbered=False) == "bert"
    assert [run_title("bert", run, numbered=True) for run in (1, 2)] == ["bert#1", "bert#2"]
    assert split_title("bert") == ("bert", None)
    assert split_title("bert#12") == ("bert", 12)
    assert split_title("bert#0") == ("bert#0", None)
