"""What tasks in pods mount, by the real application, its store of datasets and a real S3 server: whole, and theirs alone."""

from __future__ import annotations

import itertools
import os
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from danlu.data.datasets.making import SnapshotWish, make_snapshot
from danlu.data.datasets.objects import SMALL, Objects
from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Act, ActKind, ActWish, Dataset, Version
from danlu.domain.job import Job
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeShare
from danlu.ports.files import PlaceBelow
from danlu.runtime.fill import fill
from danlu.runtime.filling.filler import FillWish
from danlu.runtime.filling.wire import FillFailed
from danlu.sdk import Client
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file, world
from tools.testing.s3 import S3Server

LONG = {"SIMULATED_RUN_FOR": "1h"}
LARGE = os.urandom(3 << 20)
BY = Entry("admin", "made", "")
FILES = {
    "a/0.txt": b"zero",
    "a/b/c/deep": b"deep",
    "a-b": b"beside",
    "large": LARGE,
    "middle": bytes(SMALL + 1),
    "new\nline": b"odd",
    "\udcff": b"no UTF-8",
    "nothing": b"",
    **{f"many/{number:05}": b"%d" % number for number in range(1050)},
}
numbers = itertools.count()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), attach_local=True) as made:
        yield made


@pytest.fixture(scope="module")
def version(here: World, tmp_path_factory: pytest.TempPathFactory) -> Version:
    """Of a dataset of Eve's."""
    return made_version(here, tmp_path_factory.mktemp("files") / "raw", FILES)


def made_version(here: World, raw: Path, files: dict[str, bytes], owner: str = ENGINEER) -> Version:
    for path, content in files.items():
        (raw / path).parent.mkdir(parents=True, exist_ok=True)
        (raw / path).write_bytes(content)
    (raw / "empty" / "inner").mkdir(parents=True)
    (raw / "link").symlink_to("a/0.txt")
    (raw / "run").write_text("#!/bin/sh\n")
    (raw / "run").chmod(0o755)
    objects = Objects(here.root / "datasets")
    wish = SnapshotWish(PlaceBelow(str(raw)), objects.root / "known" / raw.parent.name, (), workers=1)
    folder = make_snapshot(objects, wish, lambda _: None).folder
    number = next(numbers)
    one = Dataset(f"d{number}", owner, f"set-{number}", 1, 1)
    here.store.add_dataset(one, 1, by=BY, check=lambda _: None)
    act = Act(f"t{number}", one.id, ActKind.SNAPSHOT, owner, ActWish(), 1)
    here.store.add_act(act, 1, by=BY)
    new = Version(f"x{number}", one.id, 0, folder.digest.hex(), len(files) + 2, 5, 9, 9, owner, 1)
    return here.store.add_version(new, (), 1, by=BY, act=act)


@pytest.fixture
def pool(here: World, url: str, s3: S3Server, bucket: str) -> str:
    """A private bucket of Eve's."""
    secret = here.bearer(ENGINEER)["Authorization"].partition(" ")[2]
    with Client(url=url, token=secret) as eve:
        name = f"pool-{next(numbers)}"
        key = s3.owner
        eve.volumes.attach(name, f"s3://{bucket}", s3.endpoint, key=key.key, secret=key.secret)
    return name


def running(here: World, *mounts: dict[str, Any], who: str = ENGINEER) -> Job:
    file = job_file(f"mounting-{next(numbers)}", env=LONG, mounts=list(mounts))
    made = here.jobs.create(here.caller(who), file, start=True)
    here.controller.step()
    here.controller.step()
    return here.jobs.get(here.caller(who), made.id)


def of(version: Version) -> str:
    return f"set-{version.dataset[1:]}@v{version.number}"


def filled(here: World, url: str, job: Job, number: int, into: Path) -> dict[str, bytes]:
    into.mkdir()
    kind = "dataset" if job.spec.mounts[number].dataset else "bucket"
    env = {"DANLU_URL": url, "DANLU_TASK_TOKEN": here.tasks.token(job.attempt_id)}
    fill(env, FillWish(number, str(into), kind, "x"), 5)
    return tree(into)


def tree(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def contents(ask: Any, here: World, job: Job, number: object, *files: list[Any]) -> Any:
    token = {"Authorization": f"Bearer {here.tasks.token(job.attempt_id)}"}
    return ask(None, "POST", f"task/mounts/{number}/contents", json={"files": list(files)}, headers=token)


def manifest(ask: Any, here: World, job: Job, number: object) -> Any:
    token = {"Authorization": f"Bearer {here.tasks.token(job.attempt_id)}"}
    return ask(None, "GET", f"task/mounts/{number}/manifest", headers=token)


def test_a_version_arrives_whole(here: World, url: str, version: Version, tmp_path: Path) -> None:
    job = running(here, {"local": "1GiB", "path": "/scratch"}, {"dataset": of(version), "path": "/data"})
    into = tmp_path / "into"
    assert filled(here, url, job, 1, into) == {**FILES, "run": b"#!/bin/sh\n"}
    assert (into / "link").readlink() == Path("a/0.txt")
    assert (into / "empty" / "inner").is_dir()
    assert os.access(into / "run", os.X_OK)
    assert not list(into.glob(".danlu*"))


def test_a_part_of_a_bucket_arrives_and_nothing_beside_it(
    here: World, url: str, pool: str, s3: S3Server, bucket: str, tmp_path: Path
) -> None:
    put = {"set/a": b"alpha", "set/deep/b": LARGE, "set//odd": b"1", "set/../up": b"2", "other": b"3"}
    for key, content in {
        **put,
        "set/both": b"4",
        "set/both/in": b"5",
        "set/训练": b"6",
        "settle": b"7",
    }.items():
        s3.ask("PUT", f"/{bucket}/{quote(key)}", {}, content)
    job = running(here, {"bucket": f"{pool}/set", "path": "/data"})
    found = filled(here, url, job, 0, tmp_path / "into")
    assert found == {"a": b"alpha", "deep/b": LARGE, "both/in": b"5", "训练": b"6"}


def test_a_damaged_content_is_never_taken_for_the_version(
    here: World, url: str, version: Version, tmp_path: Path
) -> None:
    job = running(here, {"dataset": of(version), "path": "/data"})
    [large] = [path for path in (here.root / "datasets" / "objects").rglob("*") if path.is_file() and path.stat().st_size == len(LARGE)]  # fmt: skip
    large.chmod(0o600)
    large.write_bytes(bytes(len(LARGE)))
    with pytest.raises(FillFailed) as failed:
        filled(here, url, job, 0, tmp_path / "into")
    assert (failed.value.code, failed.value.en) == ("damaged", "'large'")
    large.write_bytes(LARGE[:-1])
    with pytest.raises(FillFailed) as failed:
        filled(here, url, job, 0, tmp_path / "again")
    assert failed.value.code == "damaged"
    large.write_bytes(LARGE)


def test_a_bucket_that_changes_or_is_empty_below_says_so(
    here: World, url: str, ask: Any, pool: str, s3: S3Server, bucket: str, tmp_path: Path
) -> None:
    s3.ask("PUT", f"/{bucket}/a", {}, b"before")
    job = running(here, {"bucket": pool, "path": "/data"}, {"bucket": f"{pool}/none", "path": "/none"})
    told = manifest(ask, here, job, 0).text
    assert '"path": "a"' in told
    s3.ask("PUT", f"/{bucket}/a", {}, b"after!")
    tag = told.partition('"tag": "')[2].partition('"')[0]
    assert b'"code": "changed"' in contents(ask, here, job, 0, ["a", tag, 6, 0]).content
    with pytest.raises(FillFailed) as failed:
        filled(here, url, job, 1, tmp_path / "into")
    assert (failed.value.code, failed.value.en) == ("nothing_below", "'none/'")


# ── attacks ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_task_reads_no_mount_but_its_own_jobs(
    ask: Any, here: World, version: Version, tmp_path: Path
) -> None:
    job = running(here, {"dataset": of(version), "path": "/data"}, {"local": True, "path": "/scratch"})
    without = running(here)
    assert manifest(ask, here, job, 0).status_code == 200
    for number in (1, 2, -1, "x", "0x0", "1e0", "9" * 500, "%2e%2e"):
        assert manifest(ask, here, job, number).status_code == 404, number
        assert contents(ask, here, job, number, ["nothing", "", 0, 0]).status_code == 404, number
    assert manifest(ask, here, without, 0).status_code == 404


def test_no_path_and_no_digest_leads_out_of_the_version(
    ask: Any, here: World, version: Version, tmp_path: Path
) -> None:
    other = made_version(here, tmp_path / "other", {"secret": b"another's"}, OTHER)
    job = running(here, {"dataset": of(version), "path": "/data"})
    files = here.services.datasets.versions.open(here.caller(OTHER), f"set-{other.dataset[1:]}", "v1")[2]
    [secret] = [one for one in files.all_files(PlaceBelow(other.root)) if one.path == b"secret"]
    for path in ("secret", "large", "a", "link", "a/0.txt/x"):
        answer = contents(ask, here, job, 0, [path, secret.digest, secret.size, 0]).content
        assert struct.unpack(">BQ", answer[:9])[0] == 1, path
        assert b"another's" not in answer
    listing = contents(ask, here, job, 0, ["a", other.root, 1, 0]).content
    assert struct.unpack(">BQ", listing[:9])[0] == 1
    for path in ("../secret", "/etc/passwd", "a/../../x", "%2e%2e/x", "a%00b", "x" * 5000):
        assert contents(ask, here, job, 0, [path, "", 1, 0]).status_code == 422, path
    for wrong in (["a", "", -1, 0], ["a", "", 1, -5], ["a", "", 1 << 70, 0], ["", "", 1, 0], ["a"]):
        assert contents(ask, here, job, 0, wrong).status_code == 422, wrong
    assert contents(ask, here, job, 0, *([["a", "", 1, 0]] * 1001)).status_code == 422


def test_no_key_leads_out_of_the_part_of_a_bucket(
    ask: Any, here: World, pool: str, s3: S3Server, bucket: str
) -> None:
    s3.ask("PUT", f"/{bucket}/set/a", {}, b"mine")
    s3.ask("PUT", f"/{bucket}/secret", {}, b"theirs")
    job = running(here, {"bucket": f"{pool}/set", "path": "/data"})
    for path in ("../secret", "%2e%2e/secret", "a/../../secret", "/secret", "./../secret"):
        answer = contents(ask, here, job, 0, [path, "", 6, 0])
        assert answer.status_code == 422 or b"theirs" not in answer.content, path
    for path in ("secret", "%2fsecret", "%252e%252e/secret", "..%5csecret"):
        assert b"theirs" not in contents(ask, here, job, 0, [path, "", 6, 0]).content, path
    said = manifest(ask, here, job, 0).text + repr(contents(ask, here, job, 0, ["a", "", 4, 0]).content)
    assert "mine" in said
    assert s3.owner.secret not in said
    assert s3.endpoint not in said


def test_people_and_ended_attempts_read_nothing_here(ask: Any, here: World, version: Version) -> None:
    job = running(here, {"dataset": of(version), "path": "/data"})
    for who in (ENGINEER, ADMINISTRATOR):
        assert ask(who, "GET", "task/mounts/0/manifest").status_code == 403
        body = {"files": [["large", "", 1, 0]]}
        assert ask(who, "POST", "task/mounts/0/contents", json=body).status_code == 403
    assert ask(None, "GET", "task/mounts/0/manifest").status_code == 401
    here.jobs.act(here.caller(ENGINEER), job.id, "reset")
    for _ in range(3):
        here.controller.step()
    here.app.state.desk.identity.forget()
    assert manifest(ask, here, job, 0).status_code == 401


def test_who_may_not_read_it_any_more_gets_no_further_byte(
    ask: Any, here: World, url: str, tmp_path: Path
) -> None:
    version = made_version(here, tmp_path / "raw", {"a": b"1"}, OTHER)
    share = (VolumeShare(SharedWith.USER, ENGINEER, MountMode.RO),)
    here.store.edit_dataset(version.dataset, lambda one: replace(one, shares=share), 2, by=BY)
    job = running(here, {"dataset": f"{OTHER}:{of(version)}", "path": "/data"})
    assert manifest(ask, here, job, 0).status_code == 200
    here.store.edit_dataset(version.dataset, lambda one: replace(one, shares=()), 3, by=BY)
    assert manifest(ask, here, job, 0).status_code == 403
    with pytest.raises(FillFailed) as failed:
        filled(here, url, job, 0, tmp_path / "into")
    assert failed.value.code == "revoked"
