"""Files of jobs over HTTP: who may, pages, ranges, archives, states, and keeping them."""

from __future__ import annotations

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from danlu.domain.file_names import escaped_path
from danlu.server.jobs.files_models import FileList
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World
from tests.integration.server.test_logs import started, stopped


@pytest.fixture(scope="module")
def job(here: World) -> str:
    made = started(here, "with-files")
    stopped(here, made)
    return made


@pytest.fixture
def folder(here: World, job: str) -> Path:
    return here.write_result(job, ENGINEER)


def test_a_folder_is_listed_by_pages(ask, folder):
    (folder / "sub").mkdir(exist_ok=True)
    first = ask(ENGINEER, "GET", "jobs/with-files/files?limit=1").json()
    FileList.model_validate(first)
    rest = ask(ENGINEER, "GET", f"jobs/with-files/files?cursor={first['next_cursor']}").json()
    assert [one["name"] for one in first["items"] + rest["items"]][:2] == ["sub", "out.txt"]
    assert (first["state"], rest["next_cursor"]) == ("ready", None)
    assert first["retention"]["until"] > first["items"][0]["modified"]
    assert first["retention"]["wanted"] is False


def test_a_file_comes_whole_or_by_ranges_and_is_never_shown_by_a_browser(ask, folder):
    address = "jobs/with-files/files/content?path=out.txt"
    whole = ask(ENGINEER, "GET", address)
    assert (whole.status_code, whole.content) == (200, b"0123456789")
    assert whole.headers["content-type"] == "application/octet-stream"
    assert whole.headers["content-disposition"].startswith("attachment;")
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in whole.headers["content-security-policy"]
    for asked, status, content in [
        ("bytes=2-4", 206, b"234"),
        ("bytes=8-", 206, b"89"),
        ("bytes=-3", 206, b"789"),
        ("bytes=4-400", 206, b"456789"),
        ("bytes=10-", 200, b"0123456789"),
        ("lines=1-2", 200, b"0123456789"),
    ]:
        part = ask(ENGINEER, "GET", address, headers={"Range": asked})
        assert (part.status_code, part.content) == (status, content), asked
    tag = whole.headers["etag"]
    again = ask(ENGINEER, "GET", address, headers={"Range": "bytes=5-", "If-Range": tag})
    other = ask(ENGINEER, "GET", address, headers={"Range": "bytes=5-", "If-Range": '"old"'})
    assert (again.status_code, other.status_code) == (206, 200)


def test_a_folder_comes_as_an_archive(ask, folder):
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "sub" / "x").write_text("x")
    whole = ask(ENGINEER, "GET", "jobs/with-files/files/content")
    with tarfile.open(fileobj=io.BytesIO(whole.content)) as tar:
        assert {"with-files", "with-files/out.txt", "with-files/sub/x"} <= set(tar.getnames())
    part = ask(ENGINEER, "GET", "jobs/with-files/files/content?path=sub")
    assert 'filename="sub.tar"' in part.headers["content-disposition"]


@pytest.mark.parametrize(
    "name", [b"new\nline", b"\xff\xfe", b"50%.txt", "曲线.csv".encode(), b'"quoted";x', b"-rf"]
)
def test_odd_names_come_back_to_their_files(ask, folder, name):
    (folder / os.fsdecode(name)).write_bytes(name)
    listed = ask(ENGINEER, "GET", "jobs/with-files/files").json()["items"]
    (key,) = [one["key"] for one in listed if one["key"] == escaped_path(name)]
    found = ask(ENGINEER, "GET", "jobs/with-files/files/content", params={"path": key})
    assert (found.status_code, found.content) == (200, name)
    assert "\n" not in found.headers["content-disposition"]
    (folder / os.fsdecode(name)).unlink()


def test_others_find_nothing_and_who_reads_is_noted(ask, folder):
    for path in ("files", "files/content?path=out.txt"):
        job = ask(ENGINEER, "GET", "jobs/with-files").json()["id"]
        assert ask(OTHER, "GET", f"jobs/{job}/{path}").status_code == 404
        assert ask(ADMINISTRATOR, "GET", f"jobs/{job}/{path}").status_code == 200
    listed = ask(ADMINISTRATOR, "GET", f"audit?subject=job:{ENGINEER}:with-files%231&act=read").json()[
        "items"
    ]
    assert [one["by"] for one in listed] == [ADMINISTRATOR]


def test_states_are_told_apart(ask, here, job):
    here.jobs.create(here.caller(ENGINEER), {"kind": "training", "name": "unborn", "command": "true"})
    assert ask(ENGINEER, "GET", "jobs/unborn/files").json()["state"] == "not_started"
    bare = started(here, "bare-job")
    stopped(here, bare)
    assert ask(ENGINEER, "GET", "jobs/bare-job/files").json()["state"] == "nothing"
    (here.root / "results" / bare).mkdir()
    (here.root / "results" / bare / "1.gone").write_text("age")
    gone = ask(ENGINEER, "GET", "jobs/bare-job/files").json()
    assert (gone["state"], gone["gone_because"]) == ("gone", "age")
    assert gone["gone_since"]
    refused = ask(ENGINEER, "GET", "jobs/bare-job/files/content")
    assert (refused.status_code, refused.json()["type"]) == (404, "not_found")


def test_checkpoints_are_found_in_the_owners_directory(ask, here, job, folder):
    assert ask(ENGINEER, "GET", "jobs/with-files/files?folder=checkpoints").json()["state"] == "nothing"
    saved = here.root / "volumes" / ENGINEER / "checkpoints" / f"with-files-{job}"
    saved.mkdir(parents=True)
    (saved / "step-1").write_text("1")
    page = ask(ENGINEER, "GET", "jobs/with-files/files?folder=checkpoints").json()
    assert [one["name"] for one in page["items"]] == ["step-1"]
    assert page["inside"] == f"/mnt/{ENGINEER}/checkpoints/with-files-{job}"


def test_results_are_kept_on_request_within_the_quota(ask, here, job, folder):
    figures = here.root / "usage" / "results.json"
    kept = ask(ENGINEER, "PUT", "jobs/with-files/files/kept").json()
    assert (kept["wanted"], kept["until"]) == (True, None)
    assert ask(ENGINEER, "DELETE", "jobs/with-files/files/kept").json()["wanted"] is False
    figures.write_text(json.dumps({"counted_at": 1, "items": [[job, 1, ENGINEER, 1, 100 << 30]]}))
    refused = ask(ENGINEER, "PUT", "jobs/with-files/files/kept")
    assert (refused.status_code, refused.json()["type"]) == (409, "disk_limit")
    assert "100GiB" in refused.json()["detail"]
    storage = ask(ENGINEER, "GET", f"users/{ENGINEER}/quota").json()
    assert "results" in json.dumps(storage)
    assert ask(ENGINEER, "PUT", "jobs/unborn/files/kept").status_code == 404


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "%252e%252e/x", "a%2500"])
def test_paths_that_lead_out_are_refused_at_their_place(ask, folder, path):
    refused = ask(ENGINEER, "GET", f"jobs/with-files/files?path={path}")
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", "path"])


def test_a_bad_cursor_is_refused(ask, folder):
    assert ask(ENGINEER, "GET", "jobs/with-files/files?cursor=nonsense").status_code == 422
