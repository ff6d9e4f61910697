"""A request to every route, about a thing that stands to whoever asks as is wanted; with nothing wrong in it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.permissions import Relation
from danlu.domain.transfers.transfer import TransferState
from danlu.server.http.access import API
from tests.fakes.server import PASSWORD, job_file
from tests.fakes.stage import DIGEST, FELLOW, INSIDERS, OUTSIDERS, STRANGER, TEAM, Stage, public_key
from tests.fakes.tus import TYPE, metadata

OWN, IN_PROJECT = Relation.OWN, Relation.PROJECT
AMOUNTS = {"all": {"jobs": 100}}


@dataclass(frozen=True)
class Sample:
    """What stands in the address, and what is sent."""

    names: Mapping[str, str]
    sent: Mapping[str, Any]


def call(
    json: Any = None,
    *,
    params: Any = None,
    content: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    **names: str,
) -> Sample:
    sent = {"json": json, "params": params, "content": content, "headers": headers}
    return Sample(names, {key: value for key, value in sent.items() if value is not None})


Make = Callable[[Stage, str, Relation], Sample]
"""Of the stage, who asks, and how the thing is to stand to them."""


def plain(stage: Stage, who: str, relation: Relation) -> Sample:
    return call()


def running(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(job=stage.running(who, relation).id)


def with_results(stage: Stage, who: str, relation: Relation) -> Sample:
    job = stage.running(who, relation)
    stage.here.write_result(job.id, job.owner)
    return call(job=job.id)


def failed_output(stage: Stage, who: str, relation: Relation) -> Sample:
    return call({}, job=stage.failed_output(who, relation))


def idle(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(job=stage.job(who, relation).id)


def queued(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(job=stage.job(who, relation, queued=True).id)


def ordered(stage: Stage, who: str, relation: Relation) -> Sample:
    first, second = (stage.job(who, relation, queued=True) for _ in range(2))
    return call({"before": first.id}, job=second.id)


def edited_job(stage: Stage, who: str, relation: Relation) -> Sample:
    job = stage.job(who, relation)
    return call(job_file(job.spec.name, description="another"), job=job.id)


def changed_job(stage: Stage, who: str, relation: Relation) -> Sample:
    return call({"cpus": 2}, job=stage.job(who, relation).id)


def environment(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(key=stage.environment(who))


def code_of(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(params={"job": stage.running(who, relation).id}, digest=DIGEST)


def recommended(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(params={"job": stage.running(who, relation).id})


def uploaded(stage: Stage, who: str, relation: Relation) -> Sample:
    content = gzip.compress(stage.new("code").encode())
    return call(content=content, digest=hashlib.sha256(content).hexdigest())


def used(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(params={OWN: {"user": "me"}, IN_PROJECT: {"project": TEAM}}.get(relation))


def member(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(name=stage.project(who, relation), user=FELLOW)


def of_person(stage: Stage, who: str, relation: Relation) -> Sample:
    name = stage.person(who, relation)
    return call(name=name, user=name)


def of_request(json: Any = None) -> Make:
    return lambda stage, who, relation: call(json, id=stage.request(who, relation).id)


def of_project(json: Any = None) -> Make:
    return lambda stage, who, relation: call(json, name=stage.project(who, relation))


def with_name(make: Callable[[Stage], str], json: Any = None) -> Make:
    """About a rule that was just made."""
    return lambda stage, who, relation: call(json, name=make(stage))


def naming(what: str, **more: Any) -> Make:
    """To make one with a new name."""
    return lambda stage, who, relation: call({"name": stage.new(what), **more})


def at_node(stage: Stage, who: str, relation: Relation) -> Sample:
    return call(name=stage.node)


def window(stage: Stage) -> dict[str, Any]:
    start, end = stage.tomorrow()
    return {"start": start, "end": end, "nodes": [stage.node]}


def new_cluster(stage: Stage, who: str, relation: Relation) -> Sample:
    stage.another_cluster()
    return call({"name": stage.new("cluster"), "kubeconfig": "kubeconfig"})


def ruled(several: str, make: Callable[[Stage], str], **needed: Any) -> dict[tuple[str, str], Make]:
    """The five routes of rules of one kind."""
    changed = {"description": "another"} if several != "limits" else {"gpus": 4}
    return {
        ("GET", several): plain,
        ("POST", several): naming("made", **needed),
        ("GET", f"{several}/{{name}}"): with_name(make),
        ("PATCH", f"{several}/{{name}}"): with_name(make, changed),
        ("DELETE", f"{several}/{{name}}"): with_name(make),
    }


def templated(json: Any = None) -> Make:
    return lambda stage, who, relation: call(json, template=stage.template(who, relation))


def of_dataset(json: Any = None, *, trashed: bool = False) -> Make:
    return lambda stage, who, relation: call(json, dataset=stage.dataset(who, relation, trashed=trashed))


def with_version(json: Any = None, **more: Any) -> Make:
    def made(stage: Stage, who: str, relation: Relation) -> Sample:
        dataset, act = stage.version(who, relation)
        names: dict[str, Any] = {"dataset": dataset, "version": "v1", "tag": "good", "act": act}
        return call(json, **names, **more)

    return made


def snapshot(stage: Stage, who: str, relation: Relation) -> Sample:
    """Of a volume of the caller's own, whoever's the dataset is."""
    volume = stage.filled_volume(who, Relation.OWN)[0]
    return call({"volume": volume}, dataset=stage.dataset(who, relation))


def failed_import(stage: Stage, who: str, relation: Relation) -> Sample:
    """Which the caller began, whoever's the dataset is."""
    volume = stage.filled_volume(who, Relation.OWN)[0]
    dataset = stage.dataset(who, relation)
    return call(dataset=dataset, act=stage.failed_import(who, dataset, volume))


def of_volume(json: Any = None, *, trashed: bool = False) -> Make:
    return lambda stage, who, relation: call(json, volume=stage.volume(who, relation, trashed=trashed))


def of_transfer(state: TransferState, json: Any = None) -> Make:
    return lambda stage, who, relation: call(json, transfer=stage.transfer(who, relation, state))


def of_schedule(json: Any = None) -> Make:
    return lambda stage, who, relation: call(json, schedule=stage.schedule(who, relation))


def with_file(json: Any = None, **more: Any) -> Make:
    return lambda stage, who, relation: call(json, volume=stage.filled_volume(who, relation)[0], **more)


def with_trash(stage: Stage, who: str, relation: Relation) -> Sample:
    volume, entry = stage.trashed_file(who, relation)
    return call(volume=volume, entry=entry)


def with_upload(content: bytes | None = None, **headers: str) -> Make:
    def make(stage: Stage, who: str, relation: Relation) -> Sample:
        volume, upload = stage.upload(who, relation)
        return call(content=content, headers={**TUS, **headers}, volume=volume, upload=upload)

    return make


TO_TRANSFER = {"source": "https://example.org/x", "target": "personal:/"}
TUS = {"Tus-Resumable": "1.0.0"}
BEGUN = {**TUS, "Upload-Length": "3", "Upload-Metadata": metadata(path="b.bin")}
_CSV = {"path": "a.csv"}

_API: Mapping[tuple[str, str], Make] = {
    ("POST", "session"): lambda *_: call({"username": STRANGER, "password": PASSWORD}),
    ("POST", "session/link"): lambda stage, *_: call({"code": stage.here.people.make_link(STRANGER)}),
    ("GET", "session/providers"): plain,
    ("GET", "session/oidc/{provider}"): lambda *_: call(provider="lab"),
    ("GET", "session/oidc/{provider}/callback"): lambda *_: call(provider="lab"),
    ("GET", "session"): plain,
    ("DELETE", "session"): plain,
    ("PUT", "me/password"): lambda *_: call({"new": PASSWORD, "current": PASSWORD}),
    ("GET", "permissions"): plain,
    ("GET", "me"): plain,
    ("GET", "me/keys"): plain,
    ("POST", "me/keys"): lambda stage, *_: call({"name": stage.new("key"), "key": public_key()}),
    ("DELETE", "me/keys/{id}"): lambda stage, who, relation: call(id=stage.key(who, relation)),
    ("GET", "me/projects"): plain,
    ("GET", "me/environments"): plain,
    ("GET", "me/environments/{key}"): environment,
    ("DELETE", "me/environments/{key}"): environment,
    ("GET", "me/preferences"): plain,
    ("PATCH", "me/preferences"): lambda *_: call({"theme": "dark"}),
    ("GET", "me/sessions"): plain,
    ("DELETE", "me/sessions"): plain,
    ("DELETE", "me/sessions/{id}"): lambda stage, who, relation: call(id=stage.session(who, relation)),
    ("GET", "tokens"): plain,
    ("POST", "tokens"): naming("token"),
    ("GET", "all-tokens"): plain,
    ("DELETE", "all-tokens/{id}"): lambda stage, who, _: call(id=stage.token(who, Relation.OTHER)),
    ("DELETE", "tokens/{id}"): lambda stage, who, relation: call(id=stage.token(who, relation)),
    ("GET", "jobs"): plain,
    ("POST", "jobs"): lambda stage, *_: call(job_file(stage.new("job"))),
    ("POST", "jobs/check"): lambda stage, *_: call(job_file(stage.new("job"))),
    ("GET", "jobs/{job}"): running,
    ("DELETE", "jobs/{job}"): idle,
    ("GET", "jobs/{job}/runs"): running,
    ("PUT", "jobs/{job}/spec"): edited_job,
    ("PATCH", "jobs/{job}/spec"): changed_job,
    ("POST", "jobs/{job}/start"): idle,
    ("POST", "jobs/{job}/stop"): queued,
    ("POST", "jobs/{job}/restart"): queued,
    ("POST", "jobs/{job}/reset"): queued,
    ("POST", "jobs/{job}/clone"): running,
    ("GET", "jobs/{job}/events"): running,
    ("GET", "jobs/{job}/logs"): running,
    ("GET", "jobs/{job}/usage"): running,
    ("GET", "jobs/{job}/metrics"): running,
    ("GET", "jobs/{job}/files"): running,
    ("GET", "jobs/{job}/files/content"): with_results,
    ("PUT", "jobs/{job}/files/kept"): with_results,
    ("DELETE", "jobs/{job}/files/kept"): with_results,
    ("WS", "jobs/{job}/exec"): running,
    ("GET", "jobs/{job}/outputs"): running,
    ("POST", "jobs/{job}/outputs/retry"): failed_output,
    ("GET", "jobs/{job}/stacks"): running,
    ("POST", "jobs/{job}/stacks"): running,
    ("GET", "jobs/{job}/why"): queued,
    ("PUT", "jobs/{job}/pin"): queued,
    ("DELETE", "jobs/{job}/pin"): queued,
    ("POST", "jobs/{job}/order"): ordered,
    ("PUT", "code/{digest}"): uploaded,
    ("HEAD", "code/{digest}"): lambda *_: call(digest=DIGEST),
    ("GET", "code/{digest}"): code_of,
    ("POST", "task/reports"): lambda *_: call({"task": "worker-0", "attempt": 1}),
    ("GET", "task/mounts/{mount}/manifest"): lambda *_: call(mount="0"),
    ("POST", "task/mounts/{mount}/contents"): lambda *_: call({"files": [["a", "", 1, 0]]}, mount="0"),
    ("GET", "examples"): plain,
    ("GET", "examples/{name}"): lambda *_: call(name="plain-resume"),
    ("GET", "templates"): plain,
    ("POST", "templates"): lambda stage, *_: call({"name": stage.new("template"), "job": job_file("made")}),
    ("GET", "templates/{template}"): templated(),
    ("PATCH", "templates/{template}"): templated({"description": "another"}),
    ("DELETE", "templates/{template}"): templated(),
    ("GET", "datasets"): plain,
    ("POST", "datasets"): lambda stage, *_: call({"name": stage.new("dataset")}),
    ("GET", "datasets/{dataset}"): of_dataset(),
    ("PATCH", "datasets/{dataset}"): of_dataset({"description": "another"}),
    ("DELETE", "datasets/{dataset}"): of_dataset(),
    ("PUT", "datasets/{dataset}/shares"): of_dataset({"shares": []}),
    ("POST", "datasets/{dataset}/restore"): of_dataset(trashed=True),
    ("GET", "datasets/{dataset}/lineage"): with_version(),
    ("GET", "dataset-store"): plain,
    ("POST", "dataset-store/collect"): plain,
    ("GET", "datasets/{dataset}/versions"): with_version(),
    ("GET", "datasets/{dataset}/versions/{version}"): with_version(),
    ("DELETE", "datasets/{dataset}/versions/{version}"): with_version(),
    ("GET", "datasets/{dataset}/versions/{version}/diff"): with_version(),
    ("POST", "datasets/{dataset}/versions/{version}/verify"): with_version(),
    ("GET", "datasets/{dataset}/versions/{version}/files"): with_version(),
    ("GET", "datasets/{dataset}/versions/{version}/file"): with_version(params=_CSV),
    ("GET", "datasets/{dataset}/versions/{version}/preview"): with_version(params=_CSV),
    ("GET", "datasets/{dataset}/versions/{version}/manifest"): with_version(),
    ("PUT", "datasets/{dataset}/tags/{tag}"): with_version({"version": "v1"}),
    ("DELETE", "datasets/{dataset}/tags/{tag}"): with_version(),
    ("POST", "datasets/{dataset}/snapshots"): snapshot,
    ("GET", "datasets/{dataset}/acts"): with_version(),
    ("GET", "datasets/{dataset}/acts/{act}"): with_version(),
    ("DELETE", "datasets/{dataset}/acts/{act}"): with_version(),
    ("POST", "datasets/{dataset}/acts/{act}/resume"): failed_import,
    ("GET", "dataset-recipes"): plain,
    ("GET", "dataset-recipes/{recipe}"): lambda *_: call(recipe="cifar10"),
    ("POST", "dataset-recipes/{recipe}/import"): lambda *_: call({"stand_in": True}, recipe="cifar10"),
    ("GET", "transfers"): plain,
    ("POST", "transfers"): lambda *_: call(TO_TRANSFER),
    ("GET", "transfers/schedules"): plain,
    ("POST", "transfers/schedules"): lambda *_: call({**TO_TRANSFER, "cron": "@yearly"}),
    ("GET", "transfers/schedules/{schedule}"): of_schedule(),
    ("PATCH", "transfers/schedules/{schedule}"): of_schedule({"paused": True}),
    ("DELETE", "transfers/schedules/{schedule}"): of_schedule(),
    ("GET", "transfers/{transfer}"): of_transfer(TransferState.QUEUED),
    ("DELETE", "transfers/{transfer}"): of_transfer(TransferState.FAILED),
    ("POST", "transfers/{transfer}/cancel"): of_transfer(TransferState.QUEUED),
    ("POST", "transfers/{transfer}/resume"): of_transfer(TransferState.FAILED, {}),
    ("GET", "volumes"): plain,
    ("POST", "volumes"): lambda stage, *_: call({"name": stage.new("volume"), "capacity": "1GiB"}),
    ("GET", "volumes/{volume}"): of_volume(),
    ("PATCH", "volumes/{volume}"): of_volume({"description": "another"}),
    ("DELETE", "volumes/{volume}"): of_volume(),
    ("PUT", "volumes/{volume}/shares"): of_volume({"shares": []}),
    ("POST", "volumes/{volume}/restore"): of_volume(trashed=True),
    ("POST", "volumes/{volume}/check"): of_volume(),
    ("PUT", "volumes/{volume}/login"): of_volume({"key": "k", "secret": "s"}),
    ("DELETE", "volumes/{volume}/login"): of_volume(),
    ("GET", "volumes/{volume}/files"): with_file(),
    ("GET", "volumes/{volume}/file"): with_file(params=_CSV),
    ("GET", "volumes/{volume}/preview"): with_file(params=_CSV),
    ("GET", "volumes/{volume}/link"): with_file(params=_CSV),
    ("POST", "volumes/{volume}/files/mkdir"): with_file({"path": "new"}),
    ("POST", "volumes/{volume}/files/move"): with_file({"path": "a.csv", "to": "b.csv"}),
    ("POST", "volumes/{volume}/files/copy"): with_file({"path": "a.csv", "to": "b.csv"}),
    ("POST", "volumes/{volume}/files/delete"): with_file({"path": "a.csv"}),
    ("GET", "volumes/{volume}/trash"): with_trash,
    ("DELETE", "volumes/{volume}/trash"): with_trash,
    ("POST", "volumes/{volume}/trash/{entry}/restore"): with_trash,
    ("DELETE", "volumes/{volume}/trash/{entry}"): with_trash,
    ("OPTIONS", "volumes/{volume}/uploads"): with_file(),
    ("GET", "volumes/{volume}/uploads"): with_upload(),
    ("POST", "volumes/{volume}/uploads"): with_file(headers=BEGUN),
    ("HEAD", "volumes/{volume}/uploads/{upload}"): with_upload(),
    ("PATCH", "volumes/{volume}/uploads/{upload}"): with_upload(
        b"abc", **{"Upload-Offset": "0", "Content-Type": TYPE}
    ),
    ("DELETE", "volumes/{volume}/uploads/{upload}"): with_upload(),
    ("GET", "queue"): plain,
    ("GET", "queue/holders"): plain,
    ("GET", "queue/jobs"): plain,
    ("GET", "scores"): plain,
    ("GET", "scores/{user}"): of_person,
    ("GET", "scores/{user}/ledger"): of_person,
    ("GET", "resources"): plain,
    ("GET", "trends"): used,
    ("GET", "nodes"): plain,
    ("GET", "nodes/{name}"): at_node,
    ("PATCH", "nodes/{name}"): lambda stage, *_: call({"cordoned": False}, name=stage.node),
    ("GET", "nodes/{name}/events"): at_node,
    ("GET", "nodes/{name}/usage"): at_node,
    ("POST", "nodes/move"): lambda stage, *_: call({"nodes": [stage.node], "pool": "default"}),
    ("POST", "nodes/cordon"): lambda stage, *_: call({"nodes": [stage.node], "cordoned": False}),
    ("POST", "nodes/drain"): lambda stage, *_: call(
        {"nodes": [stage.node], "deadline": "1h", "preview": True}
    ),
    ("GET", "maintenance"): plain,
    ("POST", "maintenance"): lambda stage, *_: call({"name": stage.new("window"), **window(stage)}),
    ("POST", "maintenance/preview"): lambda stage, *_: call(window(stage)),
    ("GET", "maintenance/{name}"): with_name(Stage.maintenance),
    ("PATCH", "maintenance/{name}"): with_name(Stage.maintenance, {"description": "another"}),
    ("DELETE", "maintenance/{name}"): with_name(Stage.maintenance),
    ("GET", "clusters"): plain,
    ("POST", "clusters"): new_cluster,
    ("POST", "clusters/check"): new_cluster,
    ("GET", "clusters/{name}"): with_name(Stage.cluster),
    ("PATCH", "clusters/{name}"): with_name(Stage.cluster, {"description": "another"}),
    ("DELETE", "clusters/{name}"): with_name(Stage.cluster),
    ("POST", "clusters/{name}/check"): with_name(Stage.cluster),
    ("GET", "projects"): plain,
    ("POST", "projects"): naming("project"),
    ("GET", "projects/{name}"): of_project(),
    ("PATCH", "projects/{name}"): of_project({"description": "another"}),
    ("DELETE", "projects/{name}"): of_project(),
    ("GET", "projects/{name}/standing"): of_project(),
    ("GET", "projects/{name}/members"): of_project(),
    ("POST", "projects/{name}/members"): of_project({"names": [STRANGER]}),
    ("PUT", "projects/{name}/members/{user}"): lambda stage, who, relation: call(
        {"role": "viewer"}, name=stage.project(who, relation), user=FELLOW
    ),
    ("DELETE", "projects/{name}/members/{user}"): member,
    ("GET", "requests"): plain,
    ("POST", "requests"): lambda *_: call({"kind": "quota", "amounts": {"all": {"gpus": 8}}}),
    ("GET", "requests/{id}"): of_request(),
    ("POST", "requests/{id}/approve"): of_request({"answer": "welcome"}),
    ("POST", "requests/{id}/refuse"): of_request({"answer": "no room"}),
    ("POST", "requests/{id}/withdraw"): of_request(),
    **ruled("priorities", Stage.priority, value=5),
    **ruled("pools", Stage.pool),
    **ruled("flavors", Stage.flavor, resources={"cpus": 1}),
    **ruled("limits", Stage.limit, gpus=8),
    **ruled("groups", Stage.group),
    ("GET", "frameworks"): plain,
    ("POST", "frameworks/propose"): lambda *_: call({"framework": "pytorch"}),
    ("GET", "flavors/offers"): plain,
    ("GET", "flavors/recommend"): recommended,
    ("POST", "flavors/generate"): lambda stage, *_: call({"node": stage.node, "preview": True}),
    ("PATCH", "flavors"): lambda stage, *_: call({"names": [stage.flavor()], "description": "another"}),
    ("POST", "flavors/delete"): lambda stage, *_: call({"names": [stage.flavor()]}),
    ("POST", "groups/{name}/members"): with_name(Stage.group, {"names": [STRANGER]}),
    ("GET", "groups/{name}/quota"): lambda stage, who, relation: call(
        name=INSIDERS if relation is OWN else OUTSIDERS
    ),
    ("GET", "quotas"): plain,
    ("POST", "quotas/bulk"): lambda stage, *_: call({"names": [stage.quota()], "amounts": AMOUNTS}),
    ("GET", "quotas/{name}"): with_name(Stage.quota),
    ("PUT", "quotas/{name}"): with_name(Stage.quota, {"amounts": AMOUNTS}),
    ("PATCH", "quotas/{name}"): with_name(Stage.quota, {"amounts": AMOUNTS}),
    ("DELETE", "quotas/{name}"): with_name(Stage.quota),
    ("POST", "quotas/{name}/raises"): with_name(Stage.quota, {"amounts": AMOUNTS, "life": "1d"}),
    ("DELETE", "quotas/{name}/raises"): with_name(Stage.quota),
    ("GET", "users"): plain,
    ("POST", "users"): naming("guest", role="engineer"),
    ("POST", "users/invite"): naming("guest"),
    ("POST", "users/bulk"): lambda stage, *_: call({"names": [stage.newcomer()], "act": "enable"}),
    ("GET", "users/{name}"): of_person,
    ("PATCH", "users/{name}"): lambda stage, who, relation: call(
        {"display_name": "Another"}, name=stage.person(who, relation)
    ),
    ("DELETE", "users/{name}"): lambda stage, who, relation: call(name=stage.somebody(who, relation)),
    ("POST", "users/{name}/link"): lambda stage, who, relation: call(name=stage.somebody(who, relation)),
    ("GET", "users/{name}/keys"): of_person,
    ("GET", "users/{name}/quota"): of_person,
    ("GET", "audit"): plain,
    ("GET", "audit/export"): plain,
    ("GET", "audit/verify"): plain,
    ("GET", "events"): plain,
    ("WS", "live"): plain,
    ("GET", "schema/job"): plain,
    ("GET", "system/health"): plain,
    ("GET", "system/doctor"): plain,
    ("GET", "version"): plain,
    ("GET", "openapi.json"): plain,
}
SAMPLES: Mapping[tuple[str, str], Make] = {
    **{(method, f"{API}/{path}"): make for (method, path), make in _API.items()},
    ("GET", "/client/{file}"): lambda *_: call(file="danlu.whl"),
    ("GET", "/healthz"): plain,
    ("GET", "/readyz"): plain,
    ("GET", "/metrics"): plain,
}
