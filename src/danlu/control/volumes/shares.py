"""Whom a volume or a dataset may be shared with; every mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.people import User
from danlu.domain.permissions import Caller
from danlu.domain.project_access import may_queue
from danlu.domain.rules import PUBLIC, Project
from danlu.domain.terms import no_such, thing
from danlu.domain.volumes.volume import Shareable, SharedWith, VolumeShare
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc, did_you_mean


class KnownPeople(Protocol):
    def user(self, name: str) -> User | None: ...


def check_shares(
    caller: Caller,
    one: Shareable,
    shares: Sequence[VolumeShare],
    people: KnownPeople,
    projects: Mapping[str, Project],
    kind: str = "volume",
) -> tuple[VolumeShare, ...]:
    """Sorted. Invalid with every mistake; what it is shared with already is not looked at again."""
    known = {(share.to, share.name) for share in one.shares}
    wrong: list[FieldError] = []
    seen: set[tuple[SharedWith, str]] = set()
    for at, share in enumerate(shares):
        loc: Loc = ("shares", at, "name")
        key = (share.to, share.name)
        if key in seen:
            wrong.append(FieldError(loc, "duplicate", _TWICE.fill(name=share.name), share.name))
        elif key not in known and share.to is SharedWith.USER:
            wrong += _wrong_user(loc, share.name, one, people, thing(kind))
        elif key not in known:
            wrong += _wrong_project(loc, share.name, caller, projects, thing(kind))
        seen.add(key)
    if wrong:
        raise Invalid(tuple(wrong))
    return tuple(sorted(shares))


def _wrong_user(
    loc: Loc, name: str, one: Shareable, people: KnownPeople, kind: Words
) -> Iterator[FieldError]:
    if name == one.owner:
        yield FieldError(loc, "own", _OWN.fill(kind=kind, name=name), name)
    elif people.user(name) is None:
        yield FieldError(loc, "no_such_user", no_such("user", name), name)


def _wrong_project(
    loc: Loc, name: str, caller: Caller, projects: Mapping[str, Project], kind: Words
) -> Iterator[FieldError]:
    found = projects.get(name)
    if found is None:
        hint = did_you_mean(name, sorted(projects))
        yield FieldError(loc, "no_such_project", no_such("project", name), name, hint=hint)
    elif name == PUBLIC:
        text = _EVERYBODYS.fill(project=name, kind=kind)
        yield FieldError(loc, "open_project", text, name, hint=_MAKE_PUBLIC.fill(kind=kind))
    elif not may_queue(caller, found):
        text = say(
            "only members of project {project} can share {kind}s with it",
            "只有项目组 {project} 的成员才能与其共享{kind}",
            project=name,
            kind=kind,
        )
        yield FieldError(loc, "not_a_member", text, name)


_TWICE = Words("{name} is named twice: once is enough", "{name} 重复，保留一个即可")
_OWN = Words("the {kind} belongs to {name}: no share is needed", "{kind}属于 {name}，无需共享")
_EVERYBODYS = Words(
    "project {project} is everybody's: {kind}s are shared with the members of a project",
    "项目组 {project} 属于所有人；{kind}只共享给项目组的成员",
)
_MAKE_PUBLIC = Words(
    "make the {kind} public: everybody may read it then", "可将{kind}设为公开，所有人都能读取"
)
