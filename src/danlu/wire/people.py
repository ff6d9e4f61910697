"""People, groups and keys on the wire: what administrators and people themselves send, and what they get."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictStr

from danlu.domain.members import MemberRole
from danlu.domain.people import UserRole
from danlu.files.forms import GROUP_NAME
from danlu.files.quantities import Duration
from danlu.files.rulings import Ruling, Words
from danlu.wire.requests import Email, Groups, ListQuery, Name, Request
from danlu.wire.responses import Answer, Moment, User

MOST_NAMES = 2_000
MOST_TEXT = 80_000
LONGEST_LINK = 30 * 86_400_000

GroupName = Annotated[StrictStr, Field(pattern=GROUP_NAME)]
Names = Annotated[list[Name], Field(min_length=1, max_length=MOST_NAMES)]
PermissionWords = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=100)]


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────


class UserListQuery(ListQuery):
    """Which people."""

    search: str | None = Field(
        None, max_length=200, description="Whose name, display name or address contains this."
    )
    role: UserRole | None = Field(None, description="With this role.")
    group: str | None = Field(None, max_length=100, description="In this group.")
    state: Literal["active", "invited", "disabled"] | None = Field(
        None, description="Able to sign in, invited and not yet come, or disabled."
    )


class Invite(Request):
    """A new account with a link that signs the person in once; `life` is how long it is good for (the setting
    link_life by default)."""

    name: Name
    role: UserRole = UserRole.ENGINEER
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: Groups = Field([])
    life: Annotated[Duration, Field(ge=60_000, le=LONGEST_LINK)] | None = None


class UserBulk(Request):
    """One act on many people. set_role needs `role`, add_group and remove_group need `group`; disable takes `jobs`:
    what becomes of active jobs."""

    names: Names
    act: Literal["disable", "enable", "set_role", "add_group", "remove_group"]
    role: UserRole | None = None
    group: GroupName | None = None
    jobs: Literal["keep", "stop"] | None = None


class GroupEdit(Ruling):
    """What to change of a group; its permissions are replaced whole."""

    permissions: PermissionWords | None = None
    description: Words | None = None


class GroupCreate(GroupEdit):
    """A new group; its permissions hold for its members on everybody's things."""

    name: GroupName


class RosterPart(Request):
    """Names as a list, or a text with names between commas, semicolons, white space or lines; a table with a header
    that has `name` or `user` is understood. `remove` takes people out, `preview` changes nothing."""

    text: Annotated[StrictStr, Field(max_length=MOST_TEXT)] | None = None
    names: Names | None = None
    remove: StrictBool = False
    preview: StrictBool = False


class KeyAdd(Request):
    """A public key as in a `.pub` file, under a name of one's own."""

    name: Name
    key: Annotated[StrictStr, Field(max_length=20_000)]


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────


class OwnProject(Answer):
    """A project that somebody belongs to, and as what."""

    project: str
    role: MemberRole


class UserDetail(User):
    """A person, where they belong, and how much they have."""

    projects: list[OwnProject]
    active_jobs: int
    keys: int
    tokens: int


class SignInAddress(Answer):
    """A link that signs a person in once; it is shown this once."""

    url: str
    expires_at: Moment


class Invited(SignInAddress):
    """A new account and its link."""

    user: User


class BulkOutcome(Answer):
    """What came of an act for one of many; `error` says why not."""

    name: str
    ok: bool
    error: str | None


class BulkOutcomes(Answer):
    items: list[BulkOutcome]


class Group(Answer):
    """A group: what its members may do with everybody's things, and how many they are."""

    name: str
    permissions: list[str]
    description: str
    members: int


class GroupDetail(Group):
    """`member_names` are those whom the caller may know of."""

    member_names: list[str]


class GroupList(Answer):
    items: list[Group]
    next_cursor: str | None


class UnknownWord(Answer):
    """A word that is nobody's name, and whose it may have been meant to be."""

    word: str
    suggestion: str | None


class MembersChanged(Answer):
    """Who came or went (or would), who was in or out already, and whom nobody knows."""

    changed: list[str]
    already: list[str]
    unknown: list[UnknownWord]


class SshKey(Answer):
    """A public key, without the key."""

    id: str
    name: str
    type: str
    fingerprint: str
    created_at: Moment


class SshKeyList(Answer):
    items: list[SshKey]


class OwnGroup(Answer):
    name: str
    permissions: list[str]


class Me(Answer):
    """Who asks: `permissions` on things of one's own, `everywhere` on everybody's."""

    user: User
    permissions: list[str]
    everywhere: list[str]
    groups: list[OwnGroup]
    projects: list[OwnProject]
