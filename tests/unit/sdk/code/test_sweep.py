"""One job file and the values to go through."""

import pytest

from danlu.sdk.code.sweep import MOST, swept
from danlu.sdk.http.errors import Invalid

JOB = {
    "kind": "training",
    "name": "bert",
    "command": "python train.py --lr {lr} --x {other}",
    "env": {"A": "b"},
}


def test_each_combination_is_a_file_with_its_values_in_command_and_environment():
    made = list(swept(JOB, {"lr": [0.1, 0.01], "bs": ["32", "64"]}))
    assert [values for values, _ in made] == [
        {"lr": "0.1", "bs": "32"},
        {"lr": "0.1", "bs": "64"},
        {"lr": "0.01", "bs": "32"},
        {"lr": "0.01", "bs": "64"},
    ]
    first = made[0][1]
    assert first["command"] == "python train.py --lr 0.1 --x {other}"
    assert first["env"] == {"A": "b", "lr": "0.1", "bs": "32"}
    assert JOB["env"] == {"A": "b"}


def test_words_of_a_command_and_commands_of_roles_are_filled_too():
    job = {
        "command": ["echo", "{lr}"],
        "roles": [{"name": "ps", "command": "serve {lr}"}, {"name": "worker"}],
    }
    ((_, made),) = swept(job, {"lr": [True]})
    assert made["command"] == ["echo", "true"]
    assert [role.get("command") for role in made["roles"]] == ["serve true", None]


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({}, "at least one"),
        ({"0lr": [1]}, "0lr"),
        ({"DANLU_URL": [1]}, "DANLU_URL"),
        ({"lr": []}, "one value or more"),
        ({"lr": ["1", "1"]}, "each different"),
        ({"lr": range(11), "bs": range(10)}, f"110 combinations are more than a sweep may have ({MOST})"),
    ],
)
def test_what_cannot_be_swept_is_refused_before_the_first_run(over, said):
    with pytest.raises(Invalid) as refused:
        swept(JOB, over)
    assert said in str(refused.value)
    assert refused.value.said("zh") != refused.value.said("en")
