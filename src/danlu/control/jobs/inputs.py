"""Which volumes a job's inputs mean, and what speaks against fetching them, as the person who is to run the job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from danlu.domain.errors import DanluError, FieldError, Invalid, NotFound
from danlu.domain.inputs import JobInput
from danlu.domain.job import JobSpec
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.transfers.inputs import EndRefused, TitledEnds, ends_of, wish_of, with_ends
from danlu.domain.transfers.transfer import TransferEnd, TransferWish
from danlu.domain.words import BadValue, Words
from danlu.files.mistakes import Loc

EndsOf = Callable[[Caller, TransferEnd, TransferEnd, TransferWish], TitledEnds]
"""The ends of a transfer as this person may use them: Invalid, EndRefused."""

_KEYS = {"source": "from", "target": "to"}
_LISTED = Words(
    "`danlu volume ls` lists the volumes that you may use", "可用 `danlu volume ls` 查看可使用的存储卷"
)
_OTHER = Words(
    "choose another volume, or ask its owner or an administrator", "请更换存储卷，或联系其所有者或管理员"
)


class Inputs:
    """Any thread. Without `ends` nothing can be fetched here, and inputs are taken as they are."""

    def __init__(self, ends: EndsOf | None = None) -> None:
        self._ends = ends

    def resolved(self, spec: JobSpec, caller: Caller) -> tuple[JobSpec, list[FieldError]]:
        """The specification with the volumes that its inputs name, and what is wrong with them."""
        if not spec.inputs or self._ends is None:
            return spec, []
        found: list[JobInput] = []
        errors: list[FieldError] = []
        for place, one in enumerate(spec.inputs):
            known, wrong = self._known(("inputs", place), one, caller)
            found.append(known)
            errors += wrong
        return replace(spec, inputs=tuple(found)), errors

    def again(self, spec: JobSpec, caller: Caller) -> Iterator[FieldError]:
        """What speaks against it now: by the volumes that the names meant when the job was written."""
        if self._ends is not None:
            for place, one in enumerate(spec.inputs):
                yield from self._known(("inputs", place), one, caller)[1]

    def _known(self, loc: Loc, one: JobInput, caller: Caller) -> tuple[JobInput, list[FieldError]]:
        assert self._ends is not None
        try:
            source, target = ends_of(one)
        except BadValue:
            return one, []  # told when the file was read
        try:
            caller.require(Permission.TRANSFER_WRITE, caller.name)
            ends = self._ends(caller, source, target, wish_of(one))
        except Invalid as error:
            return one, [replace(each, loc=(*loc, *_at(each.loc))) for each in error.errors]
        except EndRefused as refused:
            return one, [_refused(loc, one, _KEYS[refused.key], refused.error)]
        except DanluError as error:
            return one, [FieldError(loc, error.code, error.text)]
        return with_ends(one, ends), []


def _refused(loc: Loc, one: JobInput, key: str, error: DanluError) -> FieldError:
    said = one.source if key == "from" else one.target
    if isinstance(error, NotFound):  # by the name that people know
        text = no_such("volume", said.partition(":/")[0])
        return FieldError((*loc, key), "no_such_volume", text, said, hint=_LISTED)
    return FieldError((*loc, key), error.code, error.text, said, hint=_OTHER)


def _at(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(_KEYS.get(part, part) if isinstance(part, str) else part for part in loc)
