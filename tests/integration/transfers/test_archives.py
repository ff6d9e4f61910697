"""Archives are unpacked whole or not at all."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from tests.fakes.web_source import Served, WebPlace
from tests.integration.transfers.conftest import Place


def tar_of(*entries: tuple[str, bytes | str | None], mode: str = "w:gz") -> bytes:
    """Files with their content, links as text, folders as None."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in entries:
            one = tarfile.TarInfo(name)
            if content is None:
                one.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                one.type, one.linkname = tarfile.SYMTYPE, content
            else:
                one.size = len(content)
            archive.addfile(one, io.BytesIO(content) if isinstance(content, bytes) else None)
    return made.getvalue()


def zip_of(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_is_unpacked(place: Place, web: WebPlace, mode: str) -> None:
    web.files["/a.tar"] = Served(
        tar_of(("a/", None), ("a/b", b"1"), ("./c", b"2"), ("a/l", "../c"), mode=mode)
    )
    run = place.done(f"{web.url}/a.tar", "data:/in/", unpack=True)
    assert place.tree() == {"in/a/b": b"1", "in/c": b"2", "in/a/l": b"../c"}
    assert run.progress().files == 3


def test_a_zip_is_unpacked_as_far_as_it_is_wished(place: Place, web: WebPlace) -> None:
    web.files["/a.zip"] = Served(zip_of(**{"train/1.png": b"1", "train/1.txt": b"2", "test/1.png": b"3"}))
    place.done(f"{web.url}/a.zip", "data:/", unpack=True, include=("*.png",), exclude=("test",))
    assert place.tree() == {"train/1.png": b"1"}


def test_archives_in_an_archive_become_folders_and_no_deeper(place: Place, web: WebPlace) -> None:
    deeper = tar_of(("c.tar", b"no archive"), mode="w")
    web.files["/a.tar"] = Served(tar_of(("n01.tar", tar_of(("1.png", b"1"), mode="w")), ("n02.tar", deeper)))
    place.done(f"{web.url}/a.tar", "data:/in/", unpack=True, nested=True)
    assert place.tree() == {"in/n01/1.png": b"1", "in/n02/c.tar": b"no archive"}


def test_an_archive_in_an_archive_keeps_to_the_same_bounds(place: Place, web: WebPlace) -> None:
    for inner, code in (
        (tar_of(("../../evil", b"1"), mode="w"), "archive_leads_out"),
        (tar_of(*((str(number), b"") for number in range(20)), mode="w"), "archive_too_many"),
        (b"no archive at all" * 100, "archive_damaged"),
    ):
        web.files["/a.tar"] = Served(tar_of(("fine", b"1"), ("n01.tar", inner)))
        wish = {"unpack": True, "nested": True, "limits": (1 << 20, 15)}
        assert place.refused(f"{web.url}/a.tar", "data:/in/", **wish) == code
    assert place.tree() == {}


def test_what_has_another_md5_is_not_unpacked(place: Place, web: WebPlace) -> None:
    web.files["/a.tar"] = Served(tar_of(("fine", b"1")))
    assert place.refused(f"{web.url}/a.tar", unpack=True, md5="0" * 32) == "wrong_checksum"
    assert place.tree() == {}


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil"])
def test_what_leads_out_of_the_folder_is_refused_whole(place: Place, web: WebPlace, name: str) -> None:
    web.files["/a.tar"] = Served(tar_of(("fine", b"1"), (name, b"2")))
    web.files["/a.zip"] = Served(zip_of(fine=b"1", **{name: b"2"}))
    assert place.refused(f"{web.url}/a.tar", "data:/in/", unpack=True) == "archive_leads_out"
    assert place.refused(f"{web.url}/a.zip", "data:/in/", unpack=True) == "archive_leads_out"
    assert place.tree() == {}


def test_a_link_that_leads_out_is_left_out_and_nothing_goes_through_it(place: Place, web: WebPlace) -> None:
    outside = place.root / "outside"
    outside.mkdir()
    web.files["/a.tar"] = Served(
        tar_of(("way", str(outside)), ("way/evil", b"1"), ("up", "../../outside"), ("up/evil", b"2"))
    )
    run = place.done(f"{web.url}/a.tar", "data:/", unpack=True)
    assert list(outside.iterdir()) == []
    assert run.progress().left_out == 2
    assert place.tree() == {"way/evil": b"1", "up/evil": b"2"}


def test_nothing_goes_through_a_link_of_the_archive_itself(place: Place, web: WebPlace) -> None:
    web.files["/a.tar"] = Served(tar_of(("real", None), ("way", "real"), ("way/file", b"1")))
    assert place.refused(f"{web.url}/a.tar", "data:/", unpack=True) == "in_the_way"


def test_bombs_are_refused_before_they_go_off(place: Place, web: WebPlace) -> None:
    web.files["/a.zip"] = Served(zip_of(zeros=bytes(8 << 20)))
    web.files["/a.tar"] = Served(tar_of(("zeros", bytes(8 << 20))))
    web.files["/many.tar"] = Served(tar_of(*((f"f{i}", b"") for i in range(50))))
    limits = (4 << 20, 40)
    for name, code in (
        ("a.zip", "archive_too_large"),
        ("a.tar", "archive_too_large"),
        ("many.tar", "archive_too_many"),
    ):
        assert place.refused(f"{web.url}/{name}", "data:/", unpack=True, limits=limits, name=name[0]) == code
    assert place.tree() == {}


def test_what_is_no_archive_or_a_broken_one_says_so(place: Place, web: WebPlace) -> None:
    web.files["/text"] = Served(b"no archive " * 100)
    whole = tar_of(("a", b"x" * 100_000), mode="w")
    web.files["/cut.tar"] = Served(whole[:50_000])
    assert place.refused(f"{web.url}/text", "data:/", unpack=True) == "no_archive"
    assert place.refused(f"{web.url}/cut.tar", "data:/", unpack=True) == "archive_damaged"
    assert place.tree() == {}


def test_unpacking_goes_on_where_it_stopped(place: Place, web: WebPlace) -> None:
    web.files["/a.tar"] = Served(tar_of(*((f"f{i}", b"%d" % i) for i in range(20))))
    place.done(f"{web.url}/a.tar", "data:/", unpack=True)
    (place.files / "f3").unlink()
    again = place.done(f"{web.url}/a.tar", "data:/", unpack=True, name="t2")
    assert (again.progress().files, again.progress().skipped) == (20, 19)
    assert (place.files / "f3").read_bytes() == b"3"
