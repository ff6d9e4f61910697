"""Volumes as sent and answered."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictStr

from danlu.control.volumes import volumes as control
from danlu.domain.volumes import volume as domain
from danlu.domain.volumes.volume import CLAIM, LOCAL_CLUSTER, MountMode, SharedWith, VolumeKind
from danlu.files.forms import NEW_VOLUME
from danlu.files.quantities import Bytes
from danlu.files.rulings import RuleName, Ruling, ShortText, Whom
from danlu.ports.volumes.records import VolumeUse
from danlu.server.http.models import Answer, ListQuery, Moment, RequestBody
from danlu.server.http.rendering import GIVEN, At, By

MOST_SHARES = 200
VolumeName = Annotated[StrictStr, Field(pattern=NEW_VOLUME)]
ClaimName = Annotated[StrictStr, Field(max_length=253, pattern=CLAIM)]
Capacity = Annotated[Bytes, Field(ge=2**20, le=2**50)]


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


class VolumeCreate(Ruling):
    """A volume of one's own."""

    name: VolumeName
    kind: VolumeKind = VolumeKind.FILESYSTEM
    capacity: Capacity
    description: ShortText = ""
    cluster: RuleName = LOCAL_CLUSTER
    claim: ClaimName = Field(
        "", description="An existing PersistentVolumeClaim of the cluster to attach; administrators only."
    )
    public: StrictBool = False
    sensitive: StrictBool = False


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
    return one.figure.entries if one.figure else None


class VolumeRow(Answer, of=control.VolumeStanding):
    """A volume, in bytes. `used` is what it took at `used_at`, with its own trash (null: not counted yet), and there is
    more unless `complete`. `enforced`: the file system itself holds to the capacity; otherwise it is measured. `mode`
    is how the caller may use its files, null: not at all. In the trash since `trashed_at`, gone for good at
    `gone_at`."""

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
    description: Annotated[str, At("volume.description")]
    cluster: Annotated[str, At("volume.cluster")]
    claim: Annotated[str, At("volume.claim")]
    shares: Annotated[list[VolumeShare], At("volume.shares")]
    public: Annotated[bool, At("volume.public")]
    sensitive: Annotated[bool, At("volume.sensitive")]
    created_at: Annotated[Moment, At("volume.created_at")]
    changed_at: Annotated[Moment, At("volume.changed_at")]
    trashed_at: Annotated[Moment | None, At("volume.trashed_at")]
    gone_at: Moment | None
    mode: MountMode | None
    can_edit: bool


class Volume(VolumeRow, of=control.VolumeStanding):
    """With the active jobs that mount it."""

    uses: Annotated[list[VolumeMount], GIVEN]


class VolumeList(Answer):
    items: list[VolumeRow]
    next_cursor: str | None
