"""People, groups, keys, sessions and tokens as clients send and get them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictStr

from danlu.control.people import accounts, bulk_accounts, groups, roster
from danlu.control.people.accounts import sign_in_means
from danlu.domain import people, rules
from danlu.domain.members import MemberRole, Membership
from danlu.domain.people import PASSWORD_MAX, UserRole
from danlu.files.forms import EMAIL, GROUP_NAME, SUBJECT
from danlu.files.quantities import Duration
from danlu.files.rulings import Ruling, ShortText
from danlu.server.http.models import LONGEST_LIFE, Answer, English, ListQuery, Moment, Name, RequestBody, Text
from danlu.server.http.rendering import GIVEN, At, By

JoinedGroups = Annotated[list[Annotated[str, Field(pattern=GROUP_NAME)]], Field(max_length=100)]
Email = Literal[""] | Annotated[str, Field(pattern=EMAIL, max_length=254)]
Subject = Literal[""] | Annotated[str, Field(pattern=SUBJECT, max_length=500)]
Secret = Annotated[str, Field(max_length=PASSWORD_MAX)]


class SignIn(RequestBody):
    """A name and its password."""

    username: Name
    password: Secret


class LinkSignIn(RequestBody):
    """The code of a one-time sign-in link."""

    code: Annotated[str, Field(min_length=1, max_length=200)]


class PasswordChange(RequestBody):
    """A new password; the current one is not needed while there is none."""

    new: str
    current: Secret | None = None


class UserCreate(RequestBody):
    """A new account. Without a password the person needs a sign-in link."""

    name: Name
    role: UserRole
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: JoinedGroups = Field(default=[])


class UserEdit(RequestBody):
    """What to change of an account; what is left out stays. Whoever disables somebody with active jobs says what
    becomes of those: they go on (keep) or are stopped (stop)."""

    role: UserRole | None = None
    disabled: bool | None = None
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] | None = None
    email: Email | None = None
    subject: Subject | None = Field(
        None, description="Who they are to the sign-in provider, as issuer#sub; empty unties the account."
    )
    groups: JoinedGroups | None = None
    jobs: Literal["keep", "stop"] | None = None


class TokenCreate(RequestBody):
    """A new token. No scopes: it may do all that its owner may."""

    name: Name
    scopes: Annotated[list[str], Field(max_length=100)] | None = None
    expires_in: Annotated[Duration, Field(ge=1_000, le=LONGEST_LIFE)] | None = None


class User(Answer, of=people.User):
    """A person; `sign_in` is how: by password, through the provider, or (invited) so far by a link only."""

    name: str
    display_name: str
    email: str
    role: UserRole
    disabled: bool
    groups: list[str]
    created_at: Moment
    sign_in: Annotated[Literal["password", "provider", "invited"], By(sign_in_means)]


class UserList(Answer):
    """A page of people; `total` is how many match."""

    items: list[User]
    next_cursor: str | None
    total: int


class Session(Answer):
    """Who is signed in; browsers send `csrf` back as X-CSRF-Token with every write."""

    user: User
    csrf: str
    must_set_password: bool


class Token(Answer, of=people.Token):
    id: str
    name: str
    scopes: list[str]
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class TokenCreated(Token):
    """A new token; its secret is shown this once."""

    secret: Annotated[str, GIVEN]


class TokenList(Answer):
    items: list[Token]
    next_cursor: str | None


class PermissionList(Answer):
    """What the caller may do with things of their own (`items`), and what with everybody's."""

    items: list[str]
    everywhere: list[str]


class DepartureQuery(RequestBody):
    """Where to go afterwards."""

    next: str = Field("/", max_length=2_000, description="A path of the console.")


class ReturnQuery(RequestBody):
    """What the provider sends along; more than we know of may be there."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: str | None = Field(None, max_length=4_000)
    state: str | None = Field(None, max_length=500)
    error: str | None = Field(None, max_length=200)
    error_description: str | None = Field(None, max_length=500)


class SignInProvider(Answer):
    """`name` is its part of addresses, `title` what people know it by."""

    name: str
    title: str


class ProviderList(Answer):
    items: list[SignInProvider]


MOST_NAMES = 2_000
MOST_TEXT = 80_000
LONGEST_LINK = 30 * 86_400_000
GroupName = Annotated[StrictStr, Field(pattern=GROUP_NAME)]
PeopleNames = Annotated[list[Name], Field(min_length=1, max_length=MOST_NAMES)]
PermissionWords = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=100)]


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


class Invite(RequestBody):
    """A new account with a link that signs the person in once; `life` is how long it is good for (the setting
    link_life by default)."""

    name: Name
    role: UserRole = UserRole.ENGINEER
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: JoinedGroups = Field([])
    life: Annotated[Duration, Field(ge=60_000, le=LONGEST_LINK)] | None = None


class UserBulk(RequestBody):
    """One act on many people. set_role needs `role`, add_group and remove_group need `group`; disable takes `jobs`:
    what becomes of active jobs."""

    names: PeopleNames
    act: Literal["disable", "enable", "set_role", "add_group", "remove_group"]
    role: UserRole | None = None
    group: GroupName | None = None
    jobs: Literal["keep", "stop"] | None = None


class GroupEdit(Ruling):
    """What to change of a group; its permissions are replaced whole."""

    permissions: PermissionWords | None = None
    description: ShortText | None = None


class GroupCreate(GroupEdit):
    """A new group; its permissions hold for its members on everybody's things."""

    name: GroupName


class RosterPart(RequestBody):
    """Names as a list, or a text with names between commas, semicolons, white space or lines; a table with a header
    that has `name` or `user` is understood. `remove` takes people out, `preview` changes nothing."""

    text: Annotated[StrictStr, Field(max_length=MOST_TEXT)] | None = None
    names: PeopleNames | None = None
    remove: StrictBool = False
    preview: StrictBool = False


class KeyAdd(RequestBody):
    """A public key as in a `.pub` file, under a name of one's own."""

    name: Name
    key: Annotated[StrictStr, Field(max_length=20_000)]


class OwnProject(Answer, of=Membership):
    """A project that somebody belongs to, and as what."""

    project: str
    role: MemberRole


def _by_name(one: accounts.UserDetail) -> list[Membership]:
    return sorted(one.projects, key=lambda each: each.project)


class UserDetail(User, of=accounts.UserDetail, base="user"):
    """A person, where they belong, and how much they have."""

    projects: Annotated[list[OwnProject], By(_by_name)]
    active_jobs: int
    keys: int
    tokens: int


class SignInAddress(Answer, of=accounts.Invitation):
    """A link that signs a person in once; it is shown this once."""

    url: Annotated[str, GIVEN]
    expires_at: Moment


class Invited(SignInAddress):
    """A new account and its link."""

    user: User


def _went_well(one: bulk_accounts.AccountOutcome) -> bool:
    return one.error is None


class BulkOutcome(Answer, of=bulk_accounts.AccountOutcome):
    """What came of an act for one of many; `error`, the English of `text`, says why not."""

    name: str
    ok: Annotated[bool, By(_went_well)]
    error: English | None
    text: Annotated[Text | None, At("error")]


class BulkOutcomes(Answer):
    items: list[BulkOutcome]


class Group(Answer, of=groups.GroupMembers):
    """A group: what its members may do with everybody's things, and how many they are."""

    name: Annotated[str, At("group.name")]
    permissions: Annotated[list[str], At("group.permissions")]
    description: Annotated[str, At("group.description")]
    members: Annotated[int, At("count")]


class GroupDetail(Group):
    """`member_names` are those whom the caller may know of."""

    member_names: Annotated[list[str], At("names")]


class GroupList(Answer):
    items: list[Group]
    next_cursor: str | None


class UnknownWord(Answer, of=roster.UnknownName):
    """A word that is nobody's name, and whose it may have been meant to be."""

    word: str
    suggestion: str | None


class MembersChanged(Answer, of=roster.Enlisted):
    """Who came or went (or would), who was in or out already, and whom nobody knows."""

    changed: list[str]
    already: list[str]
    unknown: list[UnknownWord]


class SshKey(Answer, of=people.SshKey):
    """A public key, without the key."""

    id: str
    name: str
    type: str
    fingerprint: str
    created_at: Moment


class SshKeyList(Answer):
    items: list[SshKey]


class OwnGroup(Answer, of=rules.Group):
    name: str
    permissions: list[str]


class Me(Answer):
    """Who asks: `permissions` on things of one's own, `everywhere` on everybody's."""

    user: User
    permissions: list[str]
    everywhere: list[str]
    groups: list[OwnGroup]
    projects: list[OwnProject]
