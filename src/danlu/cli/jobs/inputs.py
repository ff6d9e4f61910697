"""The inputs of a job, and how far they are."""

from __future__ import annotations

from typing import Sequence

from danlu.cli.shared import show as look
from danlu.cli.shared.entries import far
from danlu.cli.shared.show import Cells
from danlu.domain.words import one_line
from danlu.sdk import models


def input_table(inputs: Sequence[models.InputStep]) -> None:
    look.table(
        ["INPUT", "STATE", "PROGRESS", "SOURCE", "TARGET", "TRANSFER", "PROBLEM"],
        [_row(place, one) for place, one in enumerate(inputs, 1)],
    )


def _row(place: int, one: models.InputStep) -> Cells:
    return [
        str(place),
        look.state(one.state),
        far(one.bytes, one.bytes_total) if one.bytes or one.bytes_total else "",
        one_line(one.source),
        one_line(one.target),
        one.transfer or "",
        look.words(one.problem),
    ]
