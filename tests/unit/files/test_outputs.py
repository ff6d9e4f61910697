"""Outputs of job files: every mistake at its place, and back into a file as they were."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.files.reading import read_job_file
from danlu.files.writing import job_file_of

FILE = {"kind": "training", "name": "some-job", "command": "true"}
TO = {"to": "models:/x/"}


def mistakes(*outputs: dict[str, Any]) -> list[tuple[str, str]]:
    errors = read_job_file({**FILE, "outputs": list(outputs)}).errors
    assert all(one.text.en and one.text.zh for one in errors)
    return [(".".join(map(str, one.loc)), one.code) for one in errors]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"path": "/etc/passwd", **TO}, ("outputs.0.path", "bad_value")),
        ({"path": "a/../../b", **TO}, ("outputs.0.path", "bad_value")),
        ({"path": ".", **TO}, ("outputs.0.path", "bad_value")),
        ({"path": "a\0b", **TO}, ("outputs.0.path", "bad_value")),
        ({"path": "a\ud800", **TO}, ("outputs.0.path", "bad_value")),
        ({"path": "a"}, ("outputs.0", "contradiction")),
        ({"path": "a", "dataset": "d", **TO}, ("outputs.0", "contradiction")),
        ({"path": "a", "to": "https://example.org/x"}, ("outputs.0.to", "bad_value")),
        ({"path": "a", "to": "models"}, ("outputs.0.to", "bad_value")),
        ({"path": "a", "to": "models:/../x"}, ("outputs.0.to", "bad_value")),
        ({"path": "a", "to": "models:/{user}/"}, ("outputs.0.to", "bad_value")),
        ({"path": "a", "tag": "t", **TO}, ("outputs.0.tag", "contradiction")),
        ({"path": "a", "dataset": "d", "tag": "latest"}, ("outputs.0.tag", "bad_value")),
        ({"path": "a", "dataset": "d", "tag": "v3"}, ("outputs.0.tag", "bad_value")),
        ({"path": "a", "dataset": "d", "tag": "Not So"}, ("outputs.0.tag", "bad_form")),
        ({"path": "a", "dataset": "d@v3"}, ("outputs.0.dataset", "bad_form")),
        ({"path": "a", "when": "sometimes", **TO}, ("outputs.0.when", "not_one_of")),
        ({"path": "a", "copy_to": "x", **TO}, ("outputs.0.copy_to", "unknown_key")),
    ],
)
def test_a_mistake_is_told_at_its_field(output: dict[str, Any], expected: tuple[str, str]) -> None:
    assert mistakes(output) == [expected]


def test_no_output_overwrites_another_and_there_are_not_too_many() -> None:
    assert mistakes({"path": "a", **TO}, {"path": "b", **TO}) == [("outputs.1.to", "contradiction")]
    tagged = {"dataset": "d", "tag": "t"}
    assert mistakes({"path": "a", **tagged}, {"path": "b", **tagged}) == [("outputs.1.tag", "contradiction")]
    many = [{"path": "a", "to": f"models:/{number}/"} for number in range(21)]
    assert [place for place, _ in mistakes(*many)] == ["outputs"]
    assert mistakes(*many[:20]) == []


def test_they_come_back_into_a_file_as_they_were() -> None:
    outputs = [
        {"path": "out/features", "dataset": "lin:features", "tag": "clean"},
        {"path": "best", "to": "lin:models:/{name}-{run}/", "task": "worker-0", "when": "always"},
    ]
    spec = read_job_file({**FILE, "outputs": outputs}).result()
    assert job_file_of(spec)["outputs"] == outputs
    assert read_job_file({**FILE, "outputs": [{"path": "./a//b/", **TO}]}).result().outputs[0].path == "a/b"
