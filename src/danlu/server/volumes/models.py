"""Volumes as sent and answered."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field, StrictBool, StrictStr

from danlu.control.volumes import volumes as control
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.volumes import claims
from danlu.domain.volumes import source as domain_source
from danlu.domain.volumes import volume as domain
from danlu.domain.volumes.capacity import Enforcement
from danlu.domain.volumes.claims import ClaimState
from danlu.domain.volumes.source import Login
from danlu.domain.volumes.volume import CLAIM, LOCAL_CLUSTER, MountMode, SharedWith, VolumeKind
from danlu.domain.words import Words
from danlu.files.forms import NEW_VOLUME
from danlu.files.quantities import Bytes
from danlu.files.rulings import RuleName, Ruling, ShortText, Whom
from danlu.ports.volumes.records import VolumeUse
from danlu.server.http.models import Answer, Finding, ListQuery, Moment, RequestBody, Text
from danlu.server.http.rendering import GIVEN, At, By, Json

MOST_SHARES = 200
PRINTABLE = r"^[!-~]+$"
VolumeName = Annotated[StrictStr, Field(pattern=NEW_VOLUME)]
ClaimName = Annotated[StrictStr, Field(max_length=253, pattern=CLAIM)]
Capacity = Annotated[Bytes, Field(ge=2**20, le=2**50)]


class VolumeClaimStanding(NamedTuple):
    """A claim, and how it stands in a sentence."""

    claim: claims.VolumeClaim
    text: Words


class VolumeListQuery(ListQuery):
    """Which volumes."""

    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    kind: VolumeKind | None = None
    trashed: bool = Field(False, description="Those in the trash instead.")


class VolumeEdit(Ruling):
    """What to change of a volume; its capacity only grows."""

    name: VolumeName | None = None
    description: ShortText | None = None
    capacity: Capacity | None = None
    public: StrictBool | None = Field(None, description="Everybody may read it.")
    sensitive: StrictBool | None = Field(
        None, description="Everybody but its owner needs volume:sensitive to use its files."
    )


class VolumeSource(RequestBody):
    """Where the data of an attached volume is."""

    address: StrictStr = Field(
        max_length=2000,
        description="`s3://BUCKET/PREFIX`, or `nfs://HOST[:PORT]/EXPORT/FOLDER[?uid=N&gid=N]`.",
    )
    endpoint: StrictStr = Field(
        "", max_length=300, description="Where the S3 API of a bucket is, `https://HOST`; default: Amazon's."
    )
    region: StrictStr = Field("", max_length=64, description="The region of a bucket; default: us-east-1.")
    writable: StrictBool = Field(False, description="Whether anybody writes there through Danlu.")
    private: StrictBool = Field(
        True, description="Its owner's alone; what others may see is attached by administrators."
    )


class VolumeLogin(RequestBody):
    """What Danlu signs in with at the address; it is kept sealed and never answered."""

    key: Annotated[StrictStr, Field(min_length=1, max_length=512, pattern=PRINTABLE)]
    secret: Annotated[StrictStr, Field(min_length=1, max_length=2048, pattern=PRINTABLE)]

    def plain(self) -> Login:
        return Login(self.key, self.secret)


class VolumeCreate(Ruling):
    """A volume of one's own, or one that is attached to an address outside (kinds `bucket` and `nfs`)."""

    name: VolumeName
    kind: VolumeKind = VolumeKind.FILESYSTEM
    capacity: Capacity | None = Field(None, description="Needed unless it is attached.")
    source: VolumeSource | None = Field(None, description="Needed if it is attached, and only then.")
    login: VolumeLogin | None = Field(None, description="Of a bucket; without one nothing is signed.")
    description: ShortText = ""
    cluster: RuleName = Field(
        LOCAL_CLUSTER, description="Where it is to be: a cluster that has a storage class for its kind."
    )
    claim: ClaimName = Field(
        "", description="An existing PersistentVolumeClaim of the cluster to attach; administrators only."
    )
    public: StrictBool = False
    sensitive: StrictBool = False

    def plain(self) -> dict[str, Any]:
        """As control takes it. Invalid where the kind and the rest do not go together."""
        told: dict[str, Any] = {**self.values(), "kind": self.kind}
        wanted, other = ("source", "capacity") if self.kind.is_attached else ("capacity", "source")
        wrong = []
        if getattr(self, wanted) is None:
            text = _WANTED.fill(kind=self.kind.value, field=wanted)
            wrong.append(FieldError((wanted,), "missing", text))
        for field in (other, *(() if self.kind is VolumeKind.BUCKET else ("login",))):
            if getattr(self, field) is not None:
                text = _UNWANTED.fill(kind=self.kind.value, field=field)
                wrong.append(FieldError((field,), "contradiction", text))
        if wrong:
            raise Invalid(tuple(wrong))
        if self.source is not None:
            told |= {"capacity": 0, "source": domain_source.VolumeOutside(**self.source.model_dump())}
        if self.login is not None:
            told["login"] = self.login.plain()
        return told


class VolumeShareBody(RequestBody):
    """Somebody who may use a volume: `ro` to read, `rw` to write too."""

    to: SharedWith
    name: Whom
    mode: MountMode = MountMode.RO


class VolumeShares(RequestBody):
    """Everybody that a volume is shared with."""

    shares: Annotated[list[VolumeShareBody], Field(max_length=MOST_SHARES)]

    def plain(self) -> list[domain.VolumeShare]:
        return [domain.VolumeShare(one.to, one.name, one.mode) for one in self.shares]


class VolumeQuery(RequestBody):
    """How to delete."""

    forever: bool = Field(False, description="For good: only what is in the trash.")


class VolumeFindings(Answer):
    """A look at the place outside, step by step up to the first that fails: name, route, login, bucket, right; of an
    NFS export name, route, export, right."""

    ready: bool
    findings: list[Finding]


class VolumeOutside(Answer, of=domain_source.VolumeOutside):
    """Where the data of an attached volume is."""

    address: str
    endpoint: str
    region: str
    writable: bool
    private: bool


class VolumeShare(Answer, of=domain.VolumeShare):
    to: SharedWith
    name: str
    mode: MountMode


class VolumeMount(Answer, of=VolumeUse):
    """An active job that mounts the volume; `job` and `id` are null if the caller may not read it."""

    id: Annotated[str | None, GIVEN]
    job: Annotated[str | None, GIVEN]
    owner: str
    read_only: bool


def _is_complete(one: control.VolumeStanding) -> bool:
    return one.figure is not None and one.figure.complete


def _used(one: control.VolumeStanding) -> int | None:
    return one.figure.used if one.figure else None


def _used_at(one: control.VolumeStanding) -> int | None:
    return one.figure.counted_at if one.figure else None


def _entries(one: control.VolumeStanding) -> int | None:
    return one.figure.entries if one.figure and not one.volume.claim else None


class VolumeClaim(Answer, of=VolumeClaimStanding):
    """The claim that Danlu makes for a volume: what became of it, in `text` too; whether it can grow (null: not known
    yet), whether its data stays in the cluster when the volume is deleted, and labels of the only nodes that have
    it."""

    state: Annotated[ClaimState, At("claim.state")]
    note: Annotated[str, At("claim.note")]
    text: Text
    capacity: Annotated[int, At("claim.capacity")]
    expandable: Annotated[bool | None, At("claim.expandable")]
    kept: Annotated[bool, At("claim.kept_by_cluster")]
    nodes: Annotated[dict[str, str], At("claim.nodes")]


def _made(one: control.VolumeStanding) -> Json | None:
    if one.claim is None:
        return None
    return VolumeClaim.render(VolumeClaimStanding(one.claim, one.claim.said(one.volume.storage_class)))


class VolumeRow(Answer, of=control.VolumeStanding):
    """A volume, in bytes. `used` is what it took at `used_at`, with its own trash (null: not counted yet), and there is
    more unless `complete`. `enforcement` says what happens at the capacity: the cluster's storage holds to it or not
    (`storage`); it is measured, and jobs that go on writing beyond `most` are ended (`ending_jobs`); it is only
    measured; or the data is outside (`none`). `enforced`: the file system itself holds to it. `mode` is how the caller
    may use its files, null: not at all. In the trash since `trashed_at`, gone for good at `gone_at`. `made` is what
    became of the claim of a volume that Danlu creates in a cluster, with a `storage_class` there. `mounts`: so many
    active jobs mount it; `mounted_by` are the first of them that the caller may read."""

    id: Annotated[str, At("volume.id")]
    owner: Annotated[str, At("volume.owner")]
    name: Annotated[str, At("volume.name")]
    title: Annotated[str, At("volume.title")]
    kind: Annotated[VolumeKind, At("volume.kind")]
    capacity: Annotated[int, At("volume.capacity")]
    used: Annotated[int | None, By(_used)]
    used_at: Annotated[Moment | None, By(_used_at)]
    entries: Annotated[int | None, By(_entries)]
    complete: Annotated[bool, By(_is_complete)]
    enforced: Annotated[bool, By(lambda _: False)]
    enforcement: Enforcement
    most: int | None
    description: Annotated[str, At("volume.description")]
    cluster: Annotated[str, At("volume.cluster")]
    claim: Annotated[str, At("volume.claim")]
    storage_class: Annotated[str, At("volume.storage_class")]
    made: Annotated[VolumeClaim | None, By(_made)]
    source: Annotated[VolumeOutside | None, At("volume.source")]
    shares: Annotated[list[VolumeShare], At("volume.shares")]
    public: Annotated[bool, At("volume.public")]
    sensitive: Annotated[bool, At("volume.sensitive")]
    has_login: Annotated[bool, By(lambda one: one.has_login)]
    created_at: Annotated[Moment, At("volume.created_at")]
    changed_at: Annotated[Moment, At("volume.changed_at")]
    trashed_at: Annotated[Moment | None, At("volume.trashed_at")]
    gone_at: Moment | None
    mode: MountMode | None
    can_edit: bool
    mounts: Annotated[int, At("load.jobs")]
    mounted_by: Annotated[list[str], GIVEN]


class Volume(VolumeRow, of=control.VolumeStanding):
    """With the active jobs that mount it."""

    uses: Annotated[list[VolumeMount], GIVEN]


class VolumeList(Answer):
    """A page of them, and how many there are in all."""

    items: list[VolumeRow]
    next_cursor: str | None
    total: int


_WANTED = Words("a volume of kind {kind} needs {field}", "{kind} 类型的存储卷需要填写 {field}")
_UNWANTED = Words("a volume of kind {kind} has no {field}", "{kind} 类型的存储卷没有 {field}")
