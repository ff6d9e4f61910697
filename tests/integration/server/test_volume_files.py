"""Files of volumes over HTTP: who may, and what becomes of them."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.domain.file_names import escaped_path
from danlu.domain.volumes.volume import VolumeKind
from danlu.server.files.media import MEDIA_TYPES
from danlu.server.volumes import file_models as models
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World
from tests.integration.server.conftest import Ask

AT = "volumes/data"


@pytest.fixture(scope="module")
def volume(here: World) -> str:
    made = here.services.volumes.create(
        here.caller(ENGINEER), "data", kind=VolumeKind.FILESYSTEM, capacity=64 << 20
    )
    return made.id


@pytest.fixture
def files(here: World, volume: str) -> Iterator[Path]:
    folder = here.root / "volume-data" / volume / "files"
    yield folder
    for one in os.listdir(folder):
        path = folder / one
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def test_a_folder_is_listed_and_read(ask: Ask, files: Path) -> None:
    (files / "sub").mkdir()
    (files / "sub" / "b.html").write_text("<script>alert(1)</script>")
    (files / "a.txt").write_text("0123456789")
    page = ask(ENGINEER, "GET", f"{AT}/files").json()
    models.VolumeFileList.model_validate(page)
    assert [one["name"] for one in page["items"]] == ["sub", "a.txt"]
    part = ask(ENGINEER, "GET", f"{AT}/file?path=a.txt", headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content) == (206, b"234")
    shown = ask(ENGINEER, "GET", f"{AT}/file?path=sub/b.html")
    assert shown.headers["content-type"] == "application/octet-stream"
    assert "sandbox" in shown.headers["content-security-policy"]
    whole = ask(ENGINEER, "GET", f"{AT}/file?path=sub")
    with tarfile.open(fileobj=io.BytesIO(whole.content)) as tar:
        assert tar.getnames() == ["sub", "sub/b.html"]
    assert ask(ENGINEER, "GET", f"{AT}/file?path=nothing").status_code == 404
    assert ask(ENGINEER, "GET", f"{AT}/files?path=../..").status_code == 422


def test_files_are_made_moved_copied_deleted_and_restored(ask: Ask, files: Path) -> None:
    assert ask(ENGINEER, "POST", f"{AT}/files/mkdir", json={"path": "a/b"}).status_code == 201
    assert ask(ENGINEER, "POST", f"{AT}/files/mkdir", json={"path": "a/b"}).json()["type"] == "name_taken"
    (files / "x").write_text("x")
    (files / "y").write_text("y")
    moved = ask(ENGINEER, "POST", f"{AT}/files/move", json={"paths": ["x", "y", "z"], "to": "a"}).json()
    models.ChangedPaths.model_validate(moved)
    assert [one["to"] for one in moved["items"]] == ["a/x", "a/y"]
    assert [(one["path"], one["code"]) for one in moved["failed"]] == [("z", "not_found")]
    renamed = ask(ENGINEER, "POST", f"{AT}/files/move", json={"path": "a/x", "to": "a/y"})
    assert renamed.json()["type"] == "name_taken"
    copied = ask(ENGINEER, "POST", f"{AT}/files/copy", json={"path": "a", "to": "c"})
    assert copied.status_code == 200, copied.text
    assert (files / "c" / "x").read_text() == "x"
    gone = ask(ENGINEER, "POST", f"{AT}/files/delete", json={"paths": ["c", "a/x"]}).json()
    models.Trashed.model_validate(gone)
    assert not (files / "c").exists()
    trash = ask(ENGINEER, "GET", f"{AT}/trash?limit=1").json()
    assert [(one["path"], one["deleted_by"]) for one in trash["items"]] == [("a/x", ENGINEER)]
    assert trash["items"][0]["deleted_at"] < trash["items"][0]["gone_at"]
    assert trash["use"] == {"size": 1, "entries": 2, "whole": False}
    models.TrashList.model_validate(trash)
    (files / "a" / "x").write_text("new")
    back = f"{AT}/trash/{gone['items'][1]['id']}/restore"
    assert ask(ENGINEER, "POST", back).json()["type"] == "name_taken"
    (files / "a" / "x").unlink()
    assert ask(ENGINEER, "POST", back).json() == {"path": "a/x"}
    assert ask(ENGINEER, "POST", back).status_code == 404
    assert ask(ENGINEER, "DELETE", f"{AT}/trash").status_code == 204
    assert ask(ENGINEER, "GET", f"{AT}/trash").json()["use"] == {"size": 0, "entries": 0, "whole": True}


@pytest.mark.parametrize("act", ["move", "copy", "delete"])
def test_the_root_of_a_volume_stays(ask: Ask, files: Path, act: str) -> None:
    body = {"path": "", "to": "x"} if act != "delete" else {"path": ""}
    assert ask(ENGINEER, "POST", f"{AT}/files/{act}", json=body).status_code == 409


@pytest.mark.parametrize("body", [{}, {"path": "a", "paths": ["b"]}, {"paths": []}, {"path": "../a"}])
def test_what_makes_no_sense_is_told(ask: Ask, files: Path, body: dict[str, object]) -> None:
    assert ask(ENGINEER, "POST", f"{AT}/files/delete", json=body).status_code == 422


@pytest.mark.parametrize("name", [b"new\nline", b"\xff\xfe", b"50%.txt", b"-rf", b"x" * 255])
def test_odd_names_are_moved(ask: Ask, files: Path, name: bytes) -> None:
    (files / os.fsdecode(name)).write_bytes(b"x")
    body = {"path": escaped_path(name), "to": "plain"}
    assert ask(ENGINEER, "POST", f"{AT}/files/move", json=body).status_code == 200
    assert os.listdir(files) == ["plain"]


def test_names_that_are_too_long_are_told(ask: Ask, files: Path) -> None:
    assert ask(ENGINEER, "POST", f"{AT}/files/mkdir", json={"path": "x" * 256}).status_code == 422


def test_others_see_what_is_shared_with_them_and_write_only_if_they_may(
    ask: Ask, here: World, files: Path, volume: str
) -> None:
    (files / "a").write_text("a")
    other = f"volumes/{ENGINEER}:data"
    assert ask(OTHER, "GET", f"{other}/files").status_code == 404
    assert ask(OTHER, "POST", f"{other}/files/mkdir", json={"path": "x"}).status_code == 404
    for mode, status in (("ro", 403), ("rw", 201)):
        share = {"shares": [{"to": "user", "name": OTHER, "mode": mode}]}
        assert ask(ENGINEER, "PUT", f"{AT}/shares", json=share).status_code == 200
        assert ask(OTHER, "GET", f"{other}/file?path=a").content == b"a"
        made = ask(OTHER, "POST", f"{other}/files/mkdir", json={"path": f"by-{mode}"})
        assert made.status_code == status
    ask(ENGINEER, "PATCH", AT, json={"sensitive": True})
    assert ask(OTHER, "GET", f"{other}/file?path=a").status_code in (403, 404)
    ask(ENGINEER, "PATCH", AT, json={"sensitive": False})
    ask(ENGINEER, "PUT", f"{AT}/shares", json={"shares": []})
    assert ask(OTHER, "GET", f"{other}/files").status_code == 404


def test_an_administrator_who_looks_in_is_noted(ask: Ask, here: World, files: Path) -> None:
    found = ask(ADMINISTRATOR, "GET", f"volumes/{ENGINEER}:data/files")
    assert found.status_code == 200
    log = ask(ADMINISTRATOR, "GET", f"audit?by={ADMINISTRATOR}").text
    assert f"volume:{ENGINEER}:data" in log


def test_one_s_own_directories_are_there_without_being_made(ask: Ask, here: World) -> None:
    for name, folder, inside in (
        ("personal", "volumes", "/mnt/eve"),
        ("archive", "archives", "/archives/eve"),
    ):
        assert ask(ENGINEER, "GET", f"volumes/{name}/files").json()["items"] == []
        assert ask(ENGINEER, "GET", f"volumes/{name}/trash").json()["items"] == []
        assert not (here.root / folder / ENGINEER).exists()
        assert ask(ENGINEER, "POST", f"volumes/{name}/files/mkdir", json={"path": "a"}).status_code == 201
        page = ask(ENGINEER, "GET", f"volumes/{name}/files").json()
        assert [one["name"] for one in page["items"]] == ["a"]
        assert page["inside"] == inside
        assert ask(OTHER, "GET", f"volumes/{name}/files").json()["items"] == []
    assert ask(VIEWER, "POST", "volumes/personal/files/mkdir", json={"path": "a"}).status_code == 403


def test_a_copy_goes_into_another_volume(ask: Ask, here: World, files: Path) -> None:
    (files / "model.bin").write_bytes(b"w" * 100)
    body = {"paths": ["model.bin"], "to": "", "volume": "archive"}
    assert ask(ENGINEER, "POST", f"{AT}/files/copy", json=body).status_code == 200
    assert (here.root / "archives" / ENGINEER / "model.bin").read_bytes() == b"w" * 100


def test_a_copy_beyond_the_capacity_is_refused(ask: Ask, here: World, files: Path) -> None:
    with open(files / "large", "wb") as file:
        for _ in range(65):
            file.write(os.urandom(1 << 20))
    refused = ask(ENGINEER, "POST", f"{AT}/files/copy", json={"path": "large", "to": "again"})
    assert (refused.status_code, refused.json()["type"]) == (413, "too_large")
    assert os.listdir(files) == ["large"]


def test_the_first_rows_are_shown(ask: Ask, files: Path) -> None:
    (files / "a.csv").write_text("name,loss\n" + "".join(f"run {at},0.{at}\n" for at in range(500)))
    (files / "a.jsonl").write_text('{"x": 1, "y": [1]}\n{"x": 2.5}\n')
    (files / "a.parquet").write_bytes(b"PAR1 but not really PAR1")
    shown = ask(ENGINEER, "GET", f"{AT}/preview?path=a.csv&rows=2").json()
    models.FilePreview.model_validate(shown)
    assert [(one["name"], one["type"], one["shown"]) for one in shown["columns"]] == [
        ("name", "text", True),
        ("loss", "number", True),
    ]
    assert (shown["rows"], shown["whole"]) == ([["run 0", 0.0], ["run 1", 0.1]], False)
    lines = ask(ENGINEER, "GET", f"{AT}/preview?path=a.jsonl").json()
    assert lines["rows"] == [[1, "[1]"], [2.5, None]]
    assert (lines["total"], lines["whole"]) == (2, True)
    assert ask(ENGINEER, "GET", f"{AT}/preview?path=a.parquet").status_code == 422
    assert ask(ENGINEER, "GET", f"{AT}/preview?path=a.exe").status_code == 404


def test_sound_and_film_are_played_by_ranges(ask: Ask, files: Path) -> None:
    (files / "a.wav").write_bytes(b"RIFF\x00\x00\x01\x00WAVEfmt " + bytes(100_000))
    whole = ask(ENGINEER, "GET", f"{AT}/file?path=a.wav", headers={"Range": "bytes=0-"})
    assert (whole.status_code, whole.headers["content-type"]) == (206, "audio/wav")
    part = ask(ENGINEER, "GET", f"{AT}/file?path=a.wav", headers={"Range": "bytes=50000-50009"})
    assert (part.headers["content-range"], len(part.content)) == ("bytes 50000-50009/100016", 10)
    assert part.headers["content-type"] == "audio/wav"


def test_a_link_leads_those_who_may_read_to_the_file(ask: Ask, files: Path, volume: str) -> None:
    (files / "a b").mkdir()
    (files / "a b" / "50%.txt").write_text("x")
    link = ask(ENGINEER, "GET", f"{AT}/link?path=a b/50%25.txt").json()
    models.FileLink.model_validate(link)
    home, _, rest = link["url"].partition("/volumes/")
    assert home.startswith("http")
    assert rest == f"{volume}?path=a+b&file=50%2525.txt"
    folder = ask(ENGINEER, "GET", f"{AT}/link?path=a b").json()
    assert folder["url"].endswith(f"/volumes/{volume}?path=a+b")
    assert ask(ENGINEER, "GET", f"{AT}/link").json()["url"].endswith(f"/volumes/{volume}")
    assert ask(ENGINEER, "GET", f"{AT}/link?path=nothing").status_code == 404
    assert ask(ENGINEER, "GET", "volumes/personal/link").status_code == 409
    assert ask(OTHER, "GET", f"volumes/{ENGINEER}:data/link?path=a b").status_code == 404


RUNS = b"<script>fetch('/api/v1/tokens')</script>"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.html", b"<!doctype html>"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'>"),
        ("a.xml", b"<?xml version='1.0'?><?xml-stylesheet href='x.xsl'?>"),
        ("a.xhtml", b"<html xmlns='http://www.w3.org/1999/xhtml'>"),
        ("a.pdf", b"%PDF-1.7"),
        ("a.js", b"alert(1)"),
        ("a.png", b"<html>"),
        ("a.swf", b"FWS"),
        ("image.html", b"GIF89a"),
        ("sound.html", b"ID3"),
        ("film.svg", b"\x00\x00\x00\x18ftypmp42"),
    ],
)
def test_nothing_in_a_volume_runs_on_this_origin(ask: Ask, files: Path, name: str, start: bytes) -> None:
    (files / name).write_bytes(start + RUNS)
    for headers in ({}, {"Range": "bytes=0-99"}, {"Accept": "text/html"}):
        told = ask(ENGINEER, "GET", f"{AT}/file?path={name}", headers=headers).headers
        assert told["content-type"].partition("/")[0] in ("application", "image", "audio", "video")
        assert told["content-type"] in MEDIA_TYPES
        assert not {"image/svg+xml", "application/pdf", "application/xml"} & set(MEDIA_TYPES)
        assert told["content-disposition"].startswith("attachment")
        assert told["content-security-policy"] == "default-src 'none'; sandbox"
        assert told["x-content-type-options"] == "nosniff"
