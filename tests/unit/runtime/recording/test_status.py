"""Texts as they go into a task's records."""

import json

import pytest

from danlu.ports import supervision
from danlu.runtime.recording.status import Status


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def record(**fields):
        Status("a/t", "nobody.sock").record("exited", **fields)
        (line,) = (tmp_path / supervision.STATUS_FILE).read_bytes().splitlines()
        return json.loads(line.decode())

    return record


def test_half_characters_become_replacement_characters(recorded):
    record = recorded(text="bad\udcff\ud800 丹", isolation={"lacks": ["x\udc80"]})
    assert record["text"] == "bad\ufffd\ufffd 丹"
    assert record["isolation"] == {"lacks": ["x\ufffd"]}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fetch of https://user:pass@host/x failed", "fetch of https://host/x failed"),
        ("https://token@host/a and ssh://u:p@ss@host:22/b", "https://host/a and ssh://host:22/b"),
        ("git@host:group/x and https://host/a@b", "git@host:group/x and https://host/a@b"),
    ],
)
def test_passwords_in_addresses_are_left_out(recorded, text, shown):
    assert recorded(text=text)["text"] == shown


def test_an_end_is_on_disk_however_long_that_takes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    in_the_way = tmp_path / supervision.STATUS_FILE
    in_the_way.mkdir()  # refused like on a full disk, until somebody sees to it
    waits = iter([lambda: None, in_the_way.rmdir])
    monkeypatch.setattr("danlu.runtime.recording.status.time.sleep", lambda _: next(waits)())
    Status("a/t", "nobody.sock").record_surely("exited", code=0)
    assert json.loads(in_the_way.read_bytes())["event"] == "exited"
