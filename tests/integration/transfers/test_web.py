"""Files at URLs: resumed, verified, refused."""

from __future__ import annotations

import base64
import hashlib
import os
import threading

from tests.fakes.web_source import Served, WebPlace, web_place
from tests.integration.transfers.conftest import Place
from tests.live import eventually

MIB = 1 << 20


def test_a_file_comes_under_its_own_name_or_under_another(place: Place, web: WebPlace) -> None:
    web.files["/a/b.bin"] = Served(b"0123456789")
    run = place.done(f"{web.url}/a/b.bin?key=1")
    assert (run.progress().files, run.progress().bytes, run.progress().bytes_total) == (1, 10, 10)
    place.done(f"{web.url}/a/b.bin", "data:/new/folder/")
    place.done(f"{web.url}/a/b.bin", "data:/new/other")
    ten = b"0123456789"
    assert place.tree() == {"b.bin": ten, "new/folder/b.bin": ten, "new/other": ten}


def test_a_connection_that_is_cut_goes_on_where_it_stopped(place: Place, web: WebPlace) -> None:
    data = os.urandom(12 * MIB)
    web.files["/x"] = one = Served(data, cut_after=[5 * MIB, 2 * MIB])
    run = place.done(f"{web.url}/x")
    assert place.tree() == {"x": data}
    begins = [int(asked[6:-1]) for asked in one.asked[1:]]
    assert begins == [5 * MIB, 7 * MIB]
    assert run.progress().bytes == len(data)


def test_a_server_without_ranges_begins_anew(place: Place, web: WebPlace) -> None:
    data = os.urandom(6 * MIB)
    web.files["/x"] = Served(data, cut_after=[5 * MIB], ranges=False)
    run = place.done(f"{web.url}/x")
    assert place.tree() == {"x": data}
    assert run.progress().bytes == len(data)


def test_a_worker_that_was_killed_goes_on_in_the_next(place: Place, web: WebPlace) -> None:
    data = os.urandom(16 * MIB)
    gate = threading.Event()
    web.files["/x"] = one = Served(data, gate=gate, gate_at=8 * MIB)
    run = place.begin(f"{web.url}/x")
    parts = place.root / "transfers" / "t1" / "parts"
    eventually(lambda: any(part.stat().st_size >= 6 * MIB for part in parts.glob("*")))
    run.stop()
    assert place.tree() == {}
    gate.set()
    place.done(f"{web.url}/x")
    assert place.tree() == {"x": data}
    assert int(one.asked[-1][6:-1]) >= 6 * MIB


def test_a_source_that_changed_meanwhile_begins_anew_and_says_so(place: Place, web: WebPlace) -> None:
    old, new = os.urandom(8 * MIB), os.urandom(9 * MIB)
    web.files["/x"] = one = Served(old, cut_after=[5 * MIB], gate=threading.Event(), gate_at=0)
    run = place.begin(f"{web.url}/x")
    one.gate.set()  # type: ignore[union-attr]
    eventually(lambda: len(one.asked) > 0 and not one.cut_after)
    one.becomes(new)
    eventually(run.ended)
    if run.problem() is None and place.tree()["x"] == old:
        raise AssertionError("the old file came whole: nothing was cut")
    assert place.tree() == {"x": new}
    assert run.progress().changed == 1
    assert run.progress().bytes == len(new)


def test_less_than_announced_is_never_put_in_place(place: Place, web: WebPlace) -> None:
    web.files["/x"] = Served(b"half", length=10, ranges=False)
    assert place.refused(f"{web.url}/x") in ("cut_short", "wrong_size")
    assert place.tree() == {}


def test_checksums_of_the_server_and_of_the_person_are_compared(place: Place, web: WebPlace) -> None:
    data = b"content"
    md5 = base64.b64encode(hashlib.md5(data).digest()).decode()
    web.files["/fine"] = Served(data, headers={"Content-MD5": md5})
    web.files["/wrong"] = Served(b"c0ntent", headers={"Content-MD5": md5})
    place.done(f"{web.url}/fine", sha256=hashlib.sha256(data).hexdigest())
    assert place.refused(f"{web.url}/wrong", name="t2") == "wrong_checksum"
    assert place.refused(f"{web.url}/fine", "data:/again", sha256="0" * 64, name="t3") == "wrong_checksum"
    assert place.tree() == {"fine": data}


def test_what_is_the_same_is_not_transferred_again(place: Place, web: WebPlace) -> None:
    modified = "Wed, 01 Jan 2025 00:00:00 GMT"
    web.files["/x"] = one = Served(b"0123456789", modified=modified)
    place.done(f"{web.url}/x")
    again = place.done(f"{web.url}/x", name="t2")
    assert (again.progress().skipped, again.progress().files, again.progress().bytes) == (1, 1, 10)
    one.becomes(b"9876543210")
    one.modified = "Thu, 02 Jan 2025 00:00:00 GMT"
    assert place.refused(f"{web.url}/x", name="t3", existing="refuse") == "exists"
    place.done(f"{web.url}/x", name="t4")
    assert place.tree() == {"x": b"9876543210"}


def test_logins_are_told_to_the_first_host_alone(place: Place, web: WebPlace) -> None:
    basic = "Basic " + base64.b64encode(b"eve:s3cret").decode()
    web.files["/x"] = Served(b"1", login=basic)
    assert place.refused(f"{web.url}/x") == "login_wanted"
    assert place.refused(f"{web.url}/x", login=("eve", "wrong")) == "login_refused"
    place.done(f"{web.url}/x", login=("eve", "s3cret"))
    web.files["/t"] = Served(b"2", login="Bearer abc")
    place.done(f"{web.url}/t", login=("", "abc"))
    with web_place("127.0.0.2") as other:
        other.files["/x"] = Served(b"3", login=basic)
        web.files["/away"] = Served(b"", status=302, headers={"Location": f"{other.url}/x"})
        refused = place.refused(f"{web.url}/away", login=("eve", "s3cret"))
        assert refused == "login_refused"


def test_redirects_are_followed_within_bounds(place: Place, web: WebPlace) -> None:
    web.files["/x"] = Served(b"1")
    web.files["/once"] = Served(b"", status=302, headers={"Location": "/x"})
    web.files["/loop"] = Served(b"", status=302, headers={"Location": "/loop"})
    web.files["/file"] = Served(b"", status=302, headers={"Location": "file:///etc/passwd"})
    place.done(f"{web.url}/once", "data:/y")
    assert place.refused(f"{web.url}/loop") == "too_many_redirects"
    assert place.refused(f"{web.url}/file") == "bad_redirect"
    assert place.tree() == {"y": b"1"}


def test_this_machines_own_addresses_are_refused(place: Place, web: WebPlace) -> None:
    web.files["/x"] = Served(b"1")
    assert place.refused(f"{web.url}/x", allowed=()) == "address_refused"
    local = web.url.replace("127.0.0.1", "localhost")
    assert place.refused(f"{local}/x", allowed=()) == "address_refused"
    assert place.refused("http://169.254.169.254/latest/meta-data") == "address_refused"
    assert place.refused("http://[::ffff:127.0.0.1]:1/x", allowed=()) == "address_refused"
    with web_place("127.0.0.2") as other:
        web.files["/away"] = Served(b"", status=302, headers={"Location": f"{other.url}/x"})
        assert place.refused(f"{web.url}/away", allowed=("127.0.0.1/32",)) == "address_refused"
    assert place.tree() == {}


def test_missing_and_failing_servers_are_told_apart(place: Place, web: WebPlace) -> None:
    web.files["/gone"] = Served(b"", status=410)
    web.files["/teapot"] = Served(b"", status=418)
    assert place.refused(f"{web.url}/nothing") == "not_found_there"
    assert place.refused(f"{web.url}/gone") == "not_found_there"
    assert place.refused(f"{web.url}/teapot") == "refused_there"


def test_nothing_goes_where_a_link_leads(place: Place, web: WebPlace) -> None:
    outside = place.root / "outside"
    outside.mkdir()
    (place.files / "way").symlink_to(outside)
    (place.files / "there").symlink_to(outside / "file")
    web.files["/x"] = Served(b"1")
    assert place.refused(f"{web.url}/x", "data:/way/x") == "in_the_way"
    assert place.refused(f"{web.url}/x", "data:/there") == "in_the_way"
    assert list(outside.iterdir()) == []


def test_a_folder_that_is_swapped_for_a_link_meanwhile_leads_nowhere(place: Place, web: WebPlace) -> None:
    outside = place.root / "outside"
    outside.mkdir()
    (place.files / "in").mkdir()
    gate = threading.Event()
    web.files["/x"] = Served(os.urandom(2 * MIB), gate=gate, gate_at=MIB)
    run = place.begin(f"{web.url}/x", "data:/in/x")
    eventually(lambda: any((place.root / "transfers" / "t1" / "parts").glob("*")))
    (place.files / "in").rename(place.files / "was")
    (place.files / "in").symlink_to(outside)
    gate.set()
    eventually(run.ended)
    assert list(outside.iterdir()) == []


def test_two_workers_never_work_on_the_same_transfer(place: Place, web: WebPlace) -> None:
    gate = threading.Event()
    web.files["/x"] = Served(os.urandom(2 * MIB), gate=gate, gate_at=MIB)
    first = place.begin(f"{web.url}/x")
    eventually(lambda: any((place.root / "transfers" / "t1" / "parts").glob("*")))
    assert place.refused(f"{web.url}/x") == "busy"
    gate.set()
    eventually(first.ended)
    assert first.problem() is None
