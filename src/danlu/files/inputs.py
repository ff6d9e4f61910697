"""The job file's inputs: what is wrong with them, and what they become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from danlu.domain.errors import FieldError
from danlu.domain.inputs import JobInput
from danlu.domain.transfers.ends import read_end
from danlu.domain.words import BadValue
from danlu.files.job_file import InputPart

_EXISTING: dict[str, Literal["update", "overwrite", "refuse"]] = {
    "overwrite": "overwrite",
    "refuse": "refuse",
}


def input_mistakes(parts: Sequence[InputPart]) -> Iterator[FieldError]:
    """What is wrong whoever asks; which volumes there are is found out at admission."""
    for place, part in enumerate(parts):
        for key, text in (("from", part.source), ("to", part.target)):
            try:
                read_end(text)
            except BadValue as error:
                told = None if "@" in text else text[:200]  # a login may be in it
                yield FieldError(("inputs", place, key), "bad_end", error.text, told)


def read_inputs(parts: Iterable[InputPart]) -> tuple[JobInput, ...]:
    return tuple(
        JobInput(
            part.source,
            part.target,
            part.existing,
            part.ref,
            tuple(part.include),
            tuple(part.exclude),
            part.sha256 or "",
            part.unpack,
        )
        for part in parts
    )


def write_inputs(inputs: Iterable[JobInput]) -> list[InputPart]:
    return [
        InputPart.model_construct(
            source=one.source,
            target=one.target,
            existing=_EXISTING.get(one.existing, "update"),
            ref=one.ref,
            include=list(one.include),
            exclude=list(one.exclude),
            sha256=one.sha256 or None,
            unpack=one.unpack,
        )
        for one in inputs
    ]
