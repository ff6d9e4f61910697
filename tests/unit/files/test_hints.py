"""Hints for common mistakes in job files."""

from __future__ import annotations

from danlu.domain.words import Words
from danlu.files.reading import read_job_file


def test_a_name_of_which_nothing_can_stay_is_answered_with_an_example_whatever_the_command():
    (error,) = read_job_file({"kind": "training", "name": "训练一号", "command": "echo hi"}).errors
    assert error.hint == Words("for example some-job", "例如 some-job")
