"""A world in which things stand to whoever asks in every way: their own, in a project of theirs, or a stranger's."""

from __future__ import annotations

import functools
import gzip
import hashlib
import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from danlu.control.people.roster import roster_of
from danlu.control.people.sign_in import UNKNOWN
from danlu.data.datasets.listing import FILE, ListedEntry, written
from danlu.data.datasets.objects import Objects, ObjectWriter
from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import (
    Act,
    ActKind,
    ActState,
    ActWish,
    Dataset,
    ImportWish,
    SourcePlace,
    Version,
)
from danlu.domain.ids import make_id
from danlu.domain.job import Job, JobState
from danlu.domain.members import MemberRole
from danlu.domain.output import Output
from danlu.domain.outputs.made import OutputState
from danlu.domain.people import UserRole
from danlu.domain.permissions import Relation
from danlu.domain.requests import Request
from danlu.domain.resources import Resources
from danlu.domain.rules import (
    Flavor,
    Group,
    KubernetesCluster,
    Limit,
    Maintenance,
    Pool,
    PriorityClass,
    Project,
    Rule,
)
from danlu.domain.templates import Template
from danlu.domain.transfers.transfer import (
    UNFINISHED,
    Transfer,
    TransferEnd,
    TransferSchedule,
    TransferState,
    TransferWish,
)
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.volumes.changing import VolumeFolders
from danlu.ports.volumes.uploads import UploadWish
from danlu.store.sql.jobs.outputs import note_due
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, PASSWORD, VIEWER, World, job_file

OWN, IN_PROJECT = Relation.OWN, Relation.PROJECT
OPERATOR, FELLOW, STRANGER = "olga", "frida", OTHER
ASKERS: Mapping[UserRole, str] = {
    UserRole.ADMINISTRATOR: ADMINISTRATOR,
    UserRole.OPERATOR: OPERATOR,
    UserRole.ENGINEER: ENGINEER,
    UserRole.VIEWER: VIEWER,
}
TEAM, FAR = "team", "far"
"""The project of everybody who asks and of FELLOW, and STRANGER's."""
INSIDERS, OUTSIDERS = "insiders", "outsiders"
"""The group of everybody who asks, and one of nobody."""

ARCHIVE = gzip.compress(b"some code", mtime=0)
DIGEST = hashlib.sha256(ARCHIVE).hexdigest()
DAY = 86_400_000


class Stage:
    """Makes things through the services. What a request may change is made anew for each."""

    def __init__(self, here: World) -> None:
        self.here, self._numbers = here, itertools.count(1)
        self.administrator = here.caller(ADMINISTRATOR)
        here.people.make_user(OPERATOR, UserRole.OPERATOR, password=PASSWORD)
        here.people.make_user(FELLOW, UserRole.ENGINEER)
        self._project(TEAM, dict.fromkeys([*ASKERS.values(), FELLOW], MemberRole.MEMBER))
        self._project(FAR, {STRANGER: MemberRole.CREATOR})
        for name, members in ((INSIDERS, list(ASKERS.values())), (OUTSIDERS, [])):
            self.rule(Group(name))
            here.services.people.groups.set_members(self.administrator, name, roster_of(members))
        here.services.quotas.quotas.put(self.administrator, f"group:{OUTSIDERS}", {})
        (here.root / "code" / f"{DIGEST}.tar.gz").write_bytes(ARCHIVE)
        self.node = here.services.machines.nodes.all(self.administrator)[0].node.name

    def new(self, what: str) -> str:
        """A name that nothing has."""
        return f"{what}-{next(self._numbers)}"

    # ── people ───────────────────────────────────────────────────────────────────────────────────────

    def newcomer(self, role: UserRole = UserRole.ENGINEER, project: str | None = None) -> str:
        name = self.new("guest")
        self.here.people.make_user(name, role, password=PASSWORD)
        if project is not None:
            self.here.services.projects.members.set(self.administrator, project, name, MemberRole.MEMBER)
        return name

    def person(self, who: str, relation: Relation) -> str:
        """Themselves, somebody in a project with them, or a stranger."""
        return {OWN: who, IN_PROJECT: FELLOW}.get(relation, STRANGER)

    def somebody(self, who: str, relation: Relation) -> str:
        """The same, but nobody whom others need."""
        return who if relation is OWN else self.newcomer(project=TEAM if relation is IN_PROJECT else None)

    def token(self, who: str, relation: Relation) -> str:
        owner = self.here.caller(self.person(who, relation))
        return self.here.people.make_token(owner, self.new("token"))[1].id

    def key(self, who: str, relation: Relation) -> str:
        owner = self.here.caller(self.person(who, relation))
        return self.here.services.people.ssh_keys.add(owner, self.new("key"), public_key()).id

    def session(self, who: str, relation: Relation) -> str:
        owner = self.here.caller(self.person(who, relation)).user
        return self.here.people.open_session(owner, "password", UNKNOWN)[1].id

    def environment(self, who: str) -> str:
        """One with packages in their personal directory."""
        key = f"{next(self._numbers):020x}"
        folder = self.here.root / "volumes" / who / ".danlu" / "environments"
        (folder / key / "bin").mkdir(parents=True)
        (folder / key / "bin" / "python").touch()
        (folder / f"{key}.lock").touch()
        (folder / f"{key}.json").write_text('{"v": 1, "kind": "pip", "packages": [["numpy", "1.0"]]}')
        return key

    def template(self, who: str, relation: Relation) -> str:
        project = {OWN: None, IN_PROJECT: TEAM}.get(relation, FAR)
        name, owner = self.new("template"), self.person(who, relation)
        made = Template(name, owner, name, "", project, "training", 1, 1, job_file("from-template"))
        self.here.store.add_template(made, 1, by=Entry(owner, "created", ""))
        return f"{owner}:{name}"

    def volume(self, who: str, relation: Relation, *, trashed: bool = False) -> str:
        shares = (VolumeShare(SharedWith.PROJECT, TEAM, MountMode.RO),) if relation is IN_PROJECT else ()
        name, owner = self.new("volume"), self.person(who, relation)
        made = Volume(
            make_id(1, next(self._numbers)), owner, name, VolumeKind.BLOCK, 2**30, 1, 1, shares=shares
        )
        store, by = self.here.store, Entry(owner, "created", "")
        store.add_volume(made, 1, by=by, check=lambda _: None)
        if trashed:
            store.edit_volume(made.id, lambda one, _: replace(one, trashed_at=1), 1, by=by)
        return made.id

    def dataset(self, who: str, relation: Relation, *, trashed: bool = False) -> str:
        shares = (VolumeShare(SharedWith.PROJECT, TEAM, MountMode.RO),) if relation is IN_PROJECT else ()
        name, owner = self.new("dataset"), self.person(who, relation)
        made = Dataset(make_id(1, next(self._numbers)), owner, name, 1, 1, shares=shares)
        store, by = self.here.store, Entry(owner, "created", "")
        store.add_dataset(made, 1, by=by, check=lambda _: None)
        if trashed:
            store.edit_dataset(made.id, lambda one: replace(one, trashed_at=1), 1, by=by)
        return made.id

    def version(self, who: str, relation: Relation) -> tuple[str, str]:
        """A dataset with a version that has a file `a.csv` and the tag `good`, and the act that made it."""
        dataset_id = self.dataset(who, relation)
        objects = Objects(self.here.root / "datasets")
        with objects.in_use():
            session = ObjectWriter(objects)
            digest = session.add(b"a,b\n1,2\n")
            root = session.add(written([ListedEntry(FILE, b"a.csv", 8, 1, digest)]))
            session.finish()
            session.close()
        act = Act(make_id(1, next(self._numbers)), dataset_id, ActKind.SNAPSHOT, who, ActWish(), 1)
        by = Entry(who, "created", "")
        self.here.store.add_act(act, 1, by=by)
        new = Version(make_id(1, next(self._numbers)), dataset_id, 0, root.hex(), 1, 0, 8, 8, who, 1)
        self.here.store.add_version(new, ("good",), 1, by=by, act=act)
        return dataset_id, act.id

    def failed_import(self, who: str, dataset: str, volume: str) -> str:
        wish = ActWish(SourcePlace(volume), imported=ImportWish("cifar10"))
        act = Act(make_id(1, next(self._numbers)), dataset, ActKind.IMPORT, who, wish, 1)
        self.here.store.add_act(act, 1, by=Entry(who, "created", ""))
        self.here.store.save_act(replace(act, state=ActState.FAILED))
        return act.id

    def transfer(self, who: str, relation: Relation, state: TransferState) -> str:
        made = Transfer(
            make_id(1, next(self._numbers)),
            self.person(who, relation),
            TransferEnd(TransferEnd.WEB, "https://example.org/x"),
            TransferEnd(TransferEnd.VOLUME, "personal", title="personal", folder=True),
            TransferWish(),
            1,
            1,
            state=state,
            ended_at=None if state in UNFINISHED else 1,
        )
        self.here.store.add_transfer(made, 1, by=None)
        return made.id

    def schedule(self, who: str, relation: Relation) -> str:
        made = TransferSchedule(
            make_id(1, next(self._numbers)),
            self.person(who, relation),
            TransferEnd(TransferEnd.WEB, "https://example.org/x"),
            TransferEnd(TransferEnd.VOLUME, "personal", title="personal", folder=True),
            TransferWish(),
            "@yearly",
            "UTC",
            1,
            1,
        )
        self.here.store.add_schedule(made, 1, by=Entry(made.owner, "created", ""))
        return made.id

    def filled_volume(self, who: str, relation: Relation) -> tuple[str, VolumeFolders]:
        """With the file a.csv in it."""
        volume_id = self.volume(who, relation)
        folder = self.here.root / "volume-data" / volume_id
        (folder / "files").mkdir(parents=True)
        (folder / "files" / "a.csv").write_text("x,y\n1,2\n")
        return volume_id, VolumeFolders(str(folder / "files"), str(folder))

    def trashed_file(self, who: str, relation: Relation) -> tuple[str, str]:
        volume_id, at = self.filled_volume(who, relation)
        return volume_id, self.here.services.ports.changes.delete(at, b"a.csv", who, 1).id

    def upload(self, who: str, relation: Relation) -> tuple[str, str]:
        """Of three bytes, of which none is here."""
        volume_id, at = self.filled_volume(who, relation)
        wish = UploadWish(b"b.bin", 3, who)
        return volume_id, self.here.services.ports.uploads.begin(at, wish, 1).id

    # ── jobs ─────────────────────────────────────────────────────────────────────────────────────────

    def job(self, who: str, relation: Relation, *, queued: bool = False, **more: Any) -> Job:
        """A job that nothing else is done with."""
        project = {OWN: "public", IN_PROJECT: TEAM}.get(relation, FAR)
        return self._job(self.person(who, relation), project, queued, **more)

    def running(self, who: str, relation: Relation) -> Job:
        """A job that runs, with code; it is for looking at."""
        return self._running(self.person(who, relation), TEAM if relation is IN_PROJECT else "public")

    def failed_output(self, who: str, relation: Relation) -> str:
        """A job of which an output could not be kept."""
        job = self.running(who, relation)
        declared = (Output("out", to="personal:/", id="personal"),)
        over = replace(job, state=JobState.COMPLETED, spec=replace(job.spec, outputs=declared))
        with self.here.store._database.writing() as connection:
            note_due(connection, [over], 1)
        one = self.here.store.outputs_of(job.id)[0]
        failed = replace(one, state=OutputState.FAILED, ended_at=1)
        self.here.store.edit_output(one, lambda _: failed, 1)
        return job.id

    @functools.cache  # noqa: B019 (a stage lasts as long as its module)
    def _running(self, owner: str, project: str) -> Job:
        more = {"env": {"SIMULATED_RUN_FOR": "1h"}, "code": {"archive": DIGEST}}
        made = self._job(owner, project, True, **more)
        self.here.controller.step()
        self.here.controller.step()
        return self.here.jobs.get(self.administrator, made.id)

    def _job(self, owner: str, project: str, start: bool, **more: Any) -> Job:
        caller = self.here.caller(owner)
        # Also viewers have jobs: from before they were that.
        maker = replace(caller, user=replace(caller.user, role=UserRole.ENGINEER))
        return self.here.jobs.create(maker, job_file(self.new("job"), project=project, **more), start=start)

    # ── projects and requests ────────────────────────────────────────────────────────────────────────

    def project(self, who: str, relation: Relation) -> str:
        """One that they have created, that they are in, or that they have nothing to do with; FELLOW is in it."""
        role = {OWN: MemberRole.CREATOR, IN_PROJECT: MemberRole.MEMBER}.get(relation)
        mine = {who: role} if role else {}
        return self._project(self.new("project"), {**mine, FELLOW: MemberRole.MEMBER})

    def request(self, who: str, relation: Relation) -> Request:
        """Theirs, one to join a project that they have created, or one that is not their affair."""
        project = self._project(
            self.new("project"), {who: MemberRole.CREATOR} if relation is IN_PROJECT else {}
        )
        asker = self.here.caller(who if relation is OWN else STRANGER)
        return self.here.services.projects.requests.ask_to_join(asker, project)

    def _project(self, name: str, members: Mapping[str, MemberRole]) -> str:
        self.rule(Project(name))
        services = self.here.services
        for user, role in members.items():
            services.projects.members.set(self.administrator, name, user, role)
        if ADMINISTRATOR not in members:  # who made it
            services.projects.members.remove(self.administrator, name, ADMINISTRATOR)
        return name

    # ── rules ────────────────────────────────────────────────────────────────────────────────────────

    def rule(self, rule: Rule) -> str:
        return self.here.registry.add(self.administrator, rule).name

    def pool(self) -> str:
        return self.rule(Pool(self.new("pool")))

    def flavor(self) -> str:
        return self.rule(Flavor(self.new("flavor"), Resources(1000, 2**30)))

    def priority(self) -> str:
        return self.rule(PriorityClass(self.new("priority"), 5))

    def limit(self) -> str:
        return self.rule(Limit(self.new("limit"), gpu_milli=8000))

    def group(self) -> str:
        return self.rule(Group(self.new("group")))

    def maintenance(self) -> str:
        begin, end = self.tomorrow()
        return self.rule(Maintenance(self.new("window"), begin, end, (self.node,)))

    def tomorrow(self) -> tuple[int, int]:
        now = self.here.services.ports.clock.now()
        return now + DAY, now + DAY + 1000

    def quota(self) -> str:
        """Of a group with nobody in it."""
        group = self.group()
        return self.here.services.quotas.quotas.put(
            self.administrator, f"group:{group}", {"amounts": {"all": {"jobs": 50}}}
        ).name

    def cluster(self) -> str:
        self.another_cluster()
        made = KubernetesCluster(self.new("cluster"))
        return self.here.services.machines.clusters.add(
            self.administrator, made, ClusterCredentials("kubeconfig")
        ).cluster.name

    def another_cluster(self) -> None:
        """What is inspected next is none that is known."""
        self.here.inspector.server = f"https://{self.new('k8s')}:6443"


def public_key() -> str:
    made = Ed25519PrivateKey.generate().public_key()
    return made.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
