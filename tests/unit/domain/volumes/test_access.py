"""Who sees a volume, uses its files and changes it: by role, share, project, token and permission."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.access import may_edit, mode_of, sees
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare

RO, RW = MountMode.RO, MountMode.RW
P = Permission
PLAIN = Volume("v1", "lin", "data", VolumeKind.FILESYSTEM, 1, 1, 1)
READ_BY_WANG = replace(PLAIN, shares=(VolumeShare(SharedWith.USER, "wang", RO),))
WRITTEN_BY_WANG = replace(PLAIN, shares=(VolumeShare(SharedWith.USER, "wang", RW),))
WRITTEN_BY_NLP = replace(PLAIN, shares=(VolumeShare(SharedWith.PROJECT, "nlp", RW),))
PUBLIC = replace(PLAIN, public=True)


def who(name: str = "wang", role: UserRole = UserRole.ENGINEER, **more: Any) -> Caller:
    return Caller(User(name, role, 1), **more)


def sealed(one: Volume) -> Volume:
    return replace(one, sensitive=True)


MEMBER = who(projects={"nlp": MemberRole.MEMBER})
ONLOOKER = who(projects={"nlp": MemberRole.VIEWER})
VIEWER, OPERATOR = who(role=UserRole.VIEWER), who(role=UserRole.OPERATOR)
ADMINISTRATOR = who("root", UserRole.ADMINISTRATOR)
TRUSTED = who(granted=frozenset({P.VOLUME_SENSITIVE}))
READER = who("lin", scopes=frozenset({P.VOLUME_READ}))
TASK = who("lin", scopes=frozenset({P.JOB_READ}), job="j1")
AUDITOR = who(granted=frozenset({P.VOLUME_READ}))
KEEPER = who(granted=frozenset({P.VOLUME_READ, P.VOLUME_WRITE}))


@pytest.mark.parametrize(
    ("caller", "volume", "seen", "mode", "edits"),
    [
        (who("lin"), PLAIN, True, RW, True),
        (who("lin"), sealed(PLAIN), True, RW, True),
        (who("lin", UserRole.VIEWER), PLAIN, True, RO, False),
        (READER, PLAIN, True, RO, False),
        (TASK, PUBLIC, False, None, False),
        (who(), PLAIN, False, None, False),
        (OPERATOR, PLAIN, False, None, False),
        (who(), READ_BY_WANG, True, RO, False),
        (who(), WRITTEN_BY_WANG, True, RW, False),
        (who("mei"), WRITTEN_BY_WANG, False, None, False),
        (VIEWER, WRITTEN_BY_WANG, True, RO, False),
        (OPERATOR, WRITTEN_BY_WANG, True, RW, False),
        (who(), WRITTEN_BY_NLP, False, None, False),
        (MEMBER, WRITTEN_BY_NLP, True, RW, False),
        (ONLOOKER, WRITTEN_BY_NLP, True, RO, False),
        (who(), PUBLIC, True, RO, False),
        (who(), sealed(WRITTEN_BY_WANG), True, None, False),
        (MEMBER, sealed(WRITTEN_BY_NLP), True, None, False),
        (TRUSTED, sealed(WRITTEN_BY_WANG), True, RW, False),
        (TRUSTED, sealed(PLAIN), False, None, False),
        (AUDITOR, PLAIN, True, RO, False),
        (AUDITOR, sealed(PLAIN), True, None, False),
        (KEEPER, PLAIN, True, RW, True),
        (KEEPER, sealed(PLAIN), True, None, False),
        (ADMINISTRATOR, sealed(PLAIN), True, RW, True),
    ],
)
def test_the_table_of_who_may_what(caller, volume, seen, mode, edits):
    assert (sees(caller, volume), mode_of(caller, volume), may_edit(caller, volume)) == (seen, mode, edits)


@pytest.mark.parametrize("volume", [PUBLIC, WRITTEN_BY_WANG, WRITTEN_BY_NLP])
def test_in_the_trash_it_is_there_only_for_those_who_could_take_it_out(volume):
    trashed = replace(volume, trashed_at=1)
    for caller in (who(), MEMBER, VIEWER, OPERATOR, AUDITOR, READER):
        assert not sees(caller, trashed)
        assert mode_of(caller, trashed) is None
    for caller in (who("lin"), ADMINISTRATOR, KEEPER):
        assert sees(caller, trashed)
