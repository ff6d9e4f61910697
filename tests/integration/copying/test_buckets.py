"""To and from a real S3 server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.copying.entries import CHUNK
from danlu.sdk.http.errors import BadConfig, NotAllowed, NotFound, StoreFailed, StorePassing
from tests.integration.copying.conftest import Danlu, copying, tree
from tests.live import PATIENCE
from tools.testing.s3 import S3Server


@pytest.fixture
def sign_in(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", s3.owner.key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", s3.owner.secret)
    return SignIn(endpoint=s3.endpoint, region=s3.region)


def variables(s3: S3Server) -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": s3.owner.key,
        "AWS_SECRET_ACCESS_KEY": s3.owner.secret,
        "AWS_ENDPOINT_URL": s3.endpoint,
        "AWS_REGION": s3.region,
    }


def test_a_folder_goes_up_and_comes_back_with_its_times(
    bucket: str, sign_in: SignIn, source: Path, tmp_path: Path
) -> None:
    for path in (source / "deep").iterdir():
        if path.is_file() and not path.name.isprintable():
            path.unlink()  # a key is UTF-8, and the line break is of a test of its own
    (source / "empty").rmdir()
    up = copying(sign_in=sign_in).copy([str(source)], f"s3://{bucket}/set")
    assert (up.failed, up.copied) == (0, 10)
    again = copying(sign_in=sign_in).copy([str(source)], f"s3://{bucket}/set")
    assert (again.copied, again.same) == (0, 10)
    down = copying(sign_in=sign_in).copy([f"s3://{bucket}/set"], str(tmp_path / "back"))
    assert (down.failed, down.copied) == (0, 10)
    assert tree(tmp_path / "back") == tree(source)
    assert (tmp_path / "back" / "run.sh").stat().st_mode & 0o111
    assert (tmp_path / "back" / "large.bin").stat().st_mtime_ns == 1_600_000_000_123_456_789
    assert copying(sign_in=sign_in).copy([f"s3://{bucket}/set"], str(tmp_path / "back")).same == 10


def test_a_name_that_is_no_utf_8_is_told(bucket: str, sign_in: SignIn, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "set") + b"/\xff")).write_text("x")
    (tmp_path / "set" / "ok").write_text("ok")
    done = copying(sign_in=sign_in).copy([str(tmp_path / "set")], f"s3://{bucket}/set")
    assert (done.copied, [one.path for one in done.failures]) == (1, ["%FF"])
    assert "UTF-8" in str(done.failures[0].error)


def test_a_sync_deletes_below_its_prefix_only(
    s3: S3Server, bucket: str, sign_in: SignIn, tmp_path: Path
) -> None:
    for key in ("set/old", "set/deep/old", "settee", "other"):
        s3.ask("PUT", f"/{bucket}/{key}", body=b"kept or not")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "new").write_text("new")
    done = copying(sign_in=sign_in, delete=True).sync(str(tmp_path / "set"), f"s3://{bucket}/set")
    assert (done.copied, done.deleted, done.failed) == (1, 2, 0)
    copying(sign_in=sign_in).copy([f"s3://{bucket}"], str(tmp_path / "all"))
    assert sorted(tree(tmp_path / "all")) == ["other", "set", "set/new", "settee"]


def test_single_objects_and_globs(bucket: str, sign_in: SignIn, source: Path, tmp_path: Path) -> None:
    copying(sign_in=sign_in).copy([str(source / "run.sh")], f"s3://{bucket}/bin/")
    copying(sign_in=sign_in).copy([f"s3://{bucket}/bin/run.sh"], str(tmp_path / "one"))
    assert (tmp_path / "one").read_text() == "#!/bin/sh\n"
    copying(sign_in=sign_in).copy([f"s3://{bucket}/*/run.*"], str(tmp_path / "some"))
    assert sorted(tree(tmp_path / "some")) == ["bin", "bin/run.sh"]
    with pytest.raises(NotFound, match=f"there is no s3://{bucket}/nix"):
        copying(sign_in=sign_in).copy([f"s3://{bucket}/nix"], str(tmp_path / "nix"))


def test_what_is_there_is_not_overwritten_unasked(bucket: str, sign_in: SignIn, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("one")
    copying(sign_in=sign_in).copy([str(tmp_path / "file")], f"s3://{bucket}/file")
    (tmp_path / "file").write_text("two")
    refused = copying(sign_in=sign_in).copy([str(tmp_path / "file")], f"s3://{bucket}/file")
    assert [getattr(one.error, "code", "") for one in refused.failures] == ["name_taken"]
    done = copying(sign_in=sign_in, differs="overwrite").copy([str(tmp_path / "file")], f"s3://{bucket}/file")
    assert done.copied == 1


def test_a_wrong_secret_and_a_missing_bucket_are_told(
    s3: S3Server, bucket: str, sign_in: SignIn, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFound, match="no bucket"):
        copying(sign_in=sign_in).copy([str(source)], "s3://nosuch-bucket/x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    for places in (([str(source)], f"s3://{bucket}/x"), ([f"s3://{bucket}/x"], str(tmp_path / "x"))):
        with pytest.raises(NotAllowed, match="AWS_SECRET_ACCESS_KEY"):
            copying(sign_in=sign_in).copy(*places)


def test_a_profile_signs_in_and_a_missing_one_is_told(
    s3: S3Server, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    keys = f"aws_access_key_id = {s3.owner.key}\naws_secret_access_key = {s3.owner.secret}\n"
    (tmp_path / "credentials").write_text(f"[lab]\n{keys}")
    (tmp_path / "config").write_text(f"[profile lab]\nregion = {s3.region}\nendpoint_url = {s3.endpoint}\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    done = copying(sign_in=SignIn(profile="lab")).copy([str(tmp_path / "config")], f"s3://{bucket}/config")
    assert done.copied == 1
    with pytest.raises(BadConfig, match="no profile 'nosuch'"):
        copying(sign_in=SignIn(profile="nosuch")).copy([str(tmp_path / "config")], f"s3://{bucket}/x")


def test_keys_that_are_no_paths_are_told_and_nothing_is_written_outside(
    s3: S3Server, bucket: str, sign_in: SignIn, tmp_path: Path
) -> None:
    s3.ask("PUT", f"/{bucket}/set/../../out", body=b"out")
    with pytest.raises(StoreFailed, match="cannot be a path"):
        copying(sign_in=sign_in).copy([f"s3://{bucket}/set"], str(tmp_path / "in" / "deep"))
    assert not (tmp_path / "out").exists()


def test_a_store_that_nobody_answers_at_is_told(sign_in: SignIn, tmp_path: Path) -> None:
    nowhere = sign_in._replace(endpoint="http://127.0.0.1:9")
    with pytest.raises(StorePassing):
        copying(sign_in=nowhere).copy(["s3://bucket/x"], str(tmp_path / "x"))


def test_after_a_kill_a_download_goes_on(
    s3: S3Server, bucket: str, sign_in: SignIn, danlu: Danlu, tmp_path: Path
) -> None:
    data = os.urandom(5 * CHUNK)
    (tmp_path / "big").write_bytes(data)
    assert copying(sign_in=sign_in).copy([str(tmp_path / "big")], f"s3://{bucket}/big").copied == 1
    command = [sys.executable, "-m", "danlu.cli.main", "cp", f"s3://{bucket}/big", "target"]
    env = {**os.environ, **variables(s3)}
    slow = subprocess.Popen([*command, "--limit-rate", "12MiB"], cwd=tmp_path, env=env)
    deadline = time.monotonic() + PATIENCE
    while not any(b"\1" in one.read_bytes()[len(data) :] for one in tmp_path.glob(".danlu-*.part")):
        assert slow.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    done = danlu("cp", f"s3://{bucket}/big", "target", "--json", **variables(s3))
    assert done.returncode == 0, done.stderr
    assert '"resumed": 0,' not in done.stdout
    assert (tmp_path / "target").read_bytes() == data


def test_without_the_extra_a_bucket_is_refused_with_the_remedy(danlu: Danlu, tmp_path: Path) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "obstore.py").write_text("raise ImportError")
    refused = danlu("cp", "s3://bucket/x", "y", PYTHONPATH=str(tmp_path / "hidden"))
    assert (refused.returncode, "pip install 'danlu[data]'" in refused.stderr) == (2, True)
