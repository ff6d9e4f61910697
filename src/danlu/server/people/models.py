"""People, groups, keys, sessions and tokens as clients send and get them."""

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
    """A user name and password."""

    username: Name
    password: Secret


class LinkSignIn(RequestBody):
    """The code of a one-time sign-in link."""

    code: Annotated[str, Field(min_length=1, max_length=200)]


class PasswordChange(RequestBody):
    """A new password; `current` is not needed if the account has no password yet."""

    new: str
    current: Secret | None = None
    end_sessions: bool = Field(True, description="Sign out all other browsers.")
    end_tokens: bool = Field(False, description="Revoke all tokens, except the one in use.")


class UserCreate(RequestBody):
    """A new account. Without a password the person needs a sign-in link."""

    name: Name
    role: UserRole
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: JoinedGroups = Field(default=[])


class UserEdit(RequestBody):
    """What to change on an account; fields that are left out stay as they are. To disable somebody with active jobs,
    say what happens to those: keep or stop."""

    role: UserRole | None = None
    disabled: bool | None = None
    password: str | None = None
    display_name: Annotated[str, Field(max_length=100)] | None = None
    email: Email | None = None
    subject: Subject | None = Field(
        None,
        description="The person's identity at the identity provider, as issuer#sub; empty unlinks the account.",
    )
    groups: JoinedGroups | None = None
    jobs: Literal["keep", "stop"] | None = None


class TokenCreate(RequestBody):
    """A new token. Without scopes it may do everything that its owner may do. Without `expires_in` it ends with the
    session or token that it is made with; `never` needs the permission token:extend."""

    name: Name
    scopes: Annotated[list[str], Field(max_length=100)] | None = None
    expires_in: Literal["never"] | Annotated[Duration, Field(ge=1_000, le=LONGEST_LIFE)] | None = None


class User(Answer, of=people.User):
    """A person; `sign_in` is how they sign in: by password, through the identity provider, or (invited) only by a link
    so far."""

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
    """The signed-in person; browsers send `csrf` as X-CSRF-Token with every write."""

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
    """A new token; its secret is shown only once."""

    secret: Annotated[str, GIVEN]


class TokenList(Answer):
    items: list[Token]
    next_cursor: str | None


class AnybodysToken(Token):
    """A token and whose it is."""

    user: str


class AnybodysTokenList(Answer):
    items: list[AnybodysToken]
    next_cursor: str | None


class AnybodysTokenQuery(ListQuery):
    """Whose tokens."""

    user: str | None = Field(None, min_length=1, max_length=100, description="Only those of this person.")


class PermissionList(Answer):
    """What the caller may do with their own things (`items`), and with everybody's."""

    items: list[str]
    everywhere: list[str]


class DepartureQuery(RequestBody):
    """Where to go after signing in."""

    next: str = Field("/", max_length=2_000, description="A page of the console, as a path.")


class ReturnQuery(RequestBody):
    """What the provider sends back; unknown parameters are allowed."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    code: str | None = Field(None, max_length=4_000)
    state: str | None = Field(None, max_length=500)
    error: str | None = Field(None, max_length=200)
    error_description: str | None = Field(None, max_length=500)


class SignInProvider(Answer):
    """An identity provider; `name` is used in URLs, `title` is shown to people."""

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
        None,
        max_length=200,
        description="Only people whose name, display name or e-mail address contains this text.",
    )
    role: UserRole | None = Field(None, description="Only people with this role.")
    group: str | None = Field(None, max_length=100, description="Only members of this group.")
    state: Literal["active", "invited", "disabled"] | None = Field(
        None, description="active: can sign in; invited: has not signed in yet; disabled."
    )


class Invite(RequestBody):
    """A new account with a one-time sign-in link; `life` is how long the link is valid (default: the setting
    link_life)."""

    name: Name
    role: UserRole = UserRole.ENGINEER
    display_name: Annotated[str, Field(max_length=100)] = ""
    email: Email = ""
    groups: JoinedGroups = Field([])
    life: Annotated[Duration, Field(ge=60_000, le=LONGEST_LINK)] | None = None


class UserBulk(RequestBody):
    """One action on many people. set_role needs `role`, add_group and remove_group need `group`; disable takes `jobs`:
    what happens to active jobs."""

    names: PeopleNames
    act: Literal["disable", "enable", "set_role", "add_group", "remove_group"]
    role: UserRole | None = None
    group: GroupName | None = None
    jobs: Literal["keep", "stop"] | None = None


class GroupEdit(Ruling):
    """What to change on a group; the list of permissions is replaced as a whole."""

    permissions: PermissionWords | None = None
    description: ShortText | None = None


class GroupCreate(GroupEdit):
    """A new group; its members get its permissions on everybody's things."""

    name: GroupName


class RosterPart(RequestBody):
    """A list of names, or a text with names separated by commas, semicolons, white space or line breaks, or a table
    with a column `name` or `user`. `remove` removes people, `preview` changes nothing."""

    text: Annotated[StrictStr, Field(max_length=MOST_TEXT)] | None = None
    names: PeopleNames | None = None
    remove: StrictBool = False
    preview: StrictBool = False


class KeyAdd(RequestBody):
    """A public key as in a `.pub` file, and a name for it."""

    name: Name
    key: Annotated[StrictStr, Field(max_length=20_000)]


class OwnProject(Answer, of=Membership):
    """A project that somebody belongs to, and their role in it."""

    project: str
    role: MemberRole


def _by_name(one: accounts.UserDetail) -> list[Membership]:
    return sorted(one.projects, key=lambda each: each.project)


class UserDetail(User, of=accounts.UserDetail, base="user"):
    """A person, with their groups and projects and how many jobs, keys and tokens they have. Their tasks run, and their
    files are kept, under the user id `uid` where Danlu runs as root."""

    projects: Annotated[list[OwnProject], By(_by_name)]
    active_jobs: int
    keys: int
    tokens: int
    uid: int


class SignInAddress(Answer, of=accounts.Invitation):
    """A one-time sign-in link; it is shown only once."""

    url: Annotated[str, GIVEN]
    expires_at: Moment


class Invited(SignInAddress):
    """A new account and its link."""

    user: User


def _went_well(one: bulk_accounts.AccountOutcome) -> bool:
    return one.error is None


class BulkOutcome(Answer, of=bulk_accounts.AccountOutcome):
    """The result of a bulk action for one item; `error`, the English of `text`, says why it failed."""

    name: str
    ok: Annotated[bool, By(_went_well)]
    error: English | None
    text: Annotated[Text | None, At("error")]


class BulkOutcomes(Answer):
    items: list[BulkOutcome]


class Group(Answer, of=groups.GroupMembers):
    """A group: what its members may do with everybody's things, and how many members it has."""

    name: Annotated[str, At("group.name")]
    permissions: Annotated[list[str], At("group.permissions")]
    description: Annotated[str, At("group.description")]
    members: Annotated[int, At("count")]


class GroupDetail(Group):
    """`member_names` are the members that the caller may see."""

    member_names: Annotated[list[str], At("names")]


class GroupList(Answer):
    items: list[Group]
    next_cursor: str | None


class UnknownWord(Answer, of=roster.UnknownName):
    """A word that is no user name, and names that it may have meant."""

    word: str
    suggestion: str | None


class MembersChanged(Answer, of=roster.Enlisted):
    """Who was (or would be) added or removed, for whom nothing changes, and unknown names."""

    changed: list[str]
    already: list[str]
    unknown: list[UnknownWord]


class SshKey(Answer, of=people.SshKey):
    """A public key: its name and fingerprint, without the key itself."""

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
    """The caller: `permissions` on their own things, `everywhere` on everybody's."""

    user: User
    permissions: list[str]
    everywhere: list[str]
    groups: list[OwnGroup]
    projects: list[OwnProject]
