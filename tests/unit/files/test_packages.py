"""Packages in job files: what is understood, and every mistake at its place."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.job import Packages
from danlu.files.reading import read_job_file
from danlu.files.writing import job_file_of

FILE: dict[str, Any] = {
    "kind": "training",
    "name": "some-job",
    "command": "true",
    "code": {"archive": "0" * 64},
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"pip": ["torch", "numpy < 2 "]}, Packages(pip=("torch", "numpy < 2"))),
        ({"pip": "./requirements.txt"}, Packages(requirements="requirements.txt")),
        ({"pip": "requirements/dev"}, Packages(requirements="requirements/dev")),
        ({"conda": "environment.yml"}, Packages(conda="environment.yml")),
        ({"venv": "/mnt/eve/my-env/"}, Packages(venv="/mnt/eve/my-env")),
    ],
)
def test_packages_are_read_and_written_back(written: dict[str, Any], meant: Packages) -> None:
    spec = read_job_file({**FILE, "packages": written}).result()
    assert spec.packages == meant
    assert read_job_file(job_file_of(spec)).result() == spec


@pytest.mark.parametrize(
    ("written", "place", "word", "hint"),
    [
        ({}, "packages", "exactly one of pip, conda or venv; this one has none", "packages: {pip: [torch]}"),
        ({"pip": ["a"], "venv": "/x"}, "packages", "this one has pip, venv", "packages: {pip"),
        ({"pip": "torch"}, "packages.pip", "not the name of a requirements file", "pip: [torch]"),
        ({"pip": "/etc/a.txt"}, "packages.pip", "not a file inside the code", "below the code folder"),
        ({"pip": "../a.txt"}, "packages.pip", "not a file inside the code", "below the code folder"),
        ({"conda": "a\nb.yml"}, "packages.conda", "not a file inside the code", "below the code folder"),
        ({"pip": ["--index-url x"]}, "packages.pip.0", "option of pip", "pip: requirements.txt"),
        ({"pip": ["a", "."]}, "packages.pip.1", "a path, not a package", "--find-links"),
        ({"pip": ["a\nb"]}, "packages.pip.0", "one line of text", ""),
        ({"pip": []}, "packages.pip", "", ""),
        ({"venv": "my-env"}, "packages.venv", "not an absolute path", "/mnt/NAME/my-env"),
        ({"venv": "/mnt/eve/../otto/env"}, "packages.venv", "not an absolute path", ""),
        ({"npm": "x"}, "packages.npm", "", ""),
    ],
)
def test_every_mistake_is_told_at_its_place(
    written: dict[str, Any], place: str, word: str, hint: str
) -> None:
    error, *_ = read_job_file({**FILE, "packages": written}).errors
    assert ".".join(map(str, error.loc)) == place
    assert word in error.message
    assert hint in (error.hint.en if error.hint else "")


def test_a_file_needs_code_to_be_in() -> None:
    file = {key: value for key, value in FILE.items() if key != "code"}
    [error] = read_job_file({**file, "packages": {"pip": "requirements.txt"}}).errors
    assert (error.loc, error.code) == (("packages", "pip"), "no_such_file")
    assert not read_job_file({**file, "packages": {"pip": ["numpy"]}}).errors
