"""A task that shares a volume lays traps and swaps things while the server changes its files; and strangers try."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from danlu.domain.volumes.volume import VolumeKind
from tests.fakes.server import ENGINEER, OTHER, World, served, world
from tests.fakes.tus import TusClient
from tests.live import PATIENCE

SECRET = "the key of the house"
ROUNDS = 120


class Volume:
    """A volume whose folder a hostile task writes too, and the address under which its owner changes it."""

    def __init__(self, here: World, url: str) -> None:
        self.here, self.client = here, httpx.Client(base_url=f"{url}/api/v1/", timeout=PATIENCE)
        made = here.services.volumes.create(
            here.caller(ENGINEER), "shared", VolumeKind.FILESYSTEM, capacity=1 << 30
        )
        self.aside = here.root / "volume-data" / made.id
        self.files = self.aside / "files"

    def ask(self, method: str, path: str, who: str = ENGINEER, **more: object) -> httpx.Response:
        at = f"volumes/{ENGINEER}:shared/{path}"
        return self.client.request(method, at, headers=self.here.bearer(who), **more)  # type: ignore[arg-type]

    def act(self, verb: str, **body: object) -> httpx.Response:
        return self.ask("POST", f"files/{verb}", json=body)

    def tus(self, who: str = ENGINEER) -> TusClient:
        return TusClient(self.client, f"volumes/{ENGINEER}:shared/uploads", self.here.bearer(who))


@pytest.fixture(scope="module")
def volume(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Volume]:
    with world(tmp_path_factory.mktemp("world")) as here, served(here.app) as url:
        made = Volume(here, url)
        yield made
        made.client.close()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    return folder


def untouched(outside: Path) -> bool:
    return os.listdir(outside) == ["secret"] and (outside / "secret").read_text() == SECRET


@contextlib.contextmanager
def swapping(files: Path, outside: Path) -> Iterator[None]:
    """`turn` is by turns a folder and a link that leads out."""
    over = threading.Event()
    (files / "real").mkdir(exist_ok=True)

    def swap() -> None:
        for number in itertools.count():
            if over.is_set():
                return
            for source, target in (("real", "turn"), ("turn", "real"), ("turn", f"made-{number}")):
                with contextlib.suppress(OSError):
                    os.rename(files / source, files / target)
            with contextlib.suppress(OSError):
                (files / "turn").symlink_to(outside)
                (files / "turn").unlink()

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        yield
    finally:
        over.set()
        swapper.join()


def deleted_from_turn(volume: Volume) -> list[str]:
    (volume.files / "turn").mkdir()
    for number in range(ROUNDS):
        (volume.files / "turn" / f"r{number}").touch()
    gone = volume.act("delete", paths=[f"turn/r{number}" for number in range(ROUNDS)])
    (volume.files / "turn").rmdir()
    return [one["id"] for one in gone.json()["items"]]


@pytest.mark.parametrize("verb", ["mkdir", "move", "copy", "delete", "upload", "restore"])
def test_nothing_leads_out_while_a_folder_is_swapped_for_a_link(
    volume: Volume, outside: Path, verb: str
) -> None:
    tus, trashed = volume.tus(), deleted_from_turn(volume) if verb == "restore" else []

    def upload(number: int) -> httpx.Response:
        return tus.begin(f"turn/up-{number}", 3, b"abc", overwrite="true")

    acts: dict[str, Callable[[int], httpx.Response]] = {
        "mkdir": lambda number: volume.act("mkdir", path=f"turn/m-{number}/deeper"),
        "move": lambda number: volume.act("move", path="turn/secret", to=f"taken-{number}"),
        "copy": lambda number: volume.act("copy", path="turn/secret", to=f"copied-{number}"),
        "delete": lambda _: volume.act("delete", path="turn/secret"),
        "upload": upload,
        "restore": lambda number: volume.ask("POST", f"trash/{trashed[number]}/restore"),
    }
    with swapping(volume.files, outside):
        statuses = {acts[verb](number).status_code for number in range(ROUNDS)}
    assert statuses <= {200, 201, 404, 409}
    assert untouched(outside)
    for one in volume.files.rglob("*"):
        assert not (one.is_file() and not one.is_symlink() and one.read_bytes() == SECRET.encode())


def test_a_link_is_never_read_through_by_any_verb(volume: Volume, outside: Path) -> None:
    (volume.files / "out").symlink_to(outside)
    (volume.files / "key").symlink_to(outside / "secret")
    assert volume.ask("GET", "file", params={"path": "key"}).status_code == 404
    assert volume.ask("GET", "file", params={"path": "out/secret"}).status_code == 404
    assert volume.ask("GET", "files", params={"path": "out"}).status_code == 404
    assert volume.ask("GET", "preview", params={"path": "out/secret"}).status_code == 404
    assert volume.act("copy", path="out/secret", to="stolen").status_code == 404
    assert volume.act("copy", path="key", to="link-itself").status_code == 200
    assert os.readlink(volume.files / "link-itself") == str(outside / "secret")
    assert volume.tus().begin("key", 3, b"abc", overwrite="true").status_code == 409
    assert volume.tus().begin("out/new", 3, b"abc").status_code in (404, 409)
    archive = volume.ask("GET", "file", params={"path": ""}).content
    assert SECRET.encode() not in archive
    assert volume.act("delete", paths=["out", "key", "link-itself"]).status_code == 200
    assert untouched(outside)


@pytest.mark.parametrize("which", ["target", "folder", "part"])
def test_what_is_swapped_for_a_link_between_two_parts_of_an_upload_leads_nowhere(
    volume: Volume, outside: Path, which: str
) -> None:
    tus, name = volume.tus(), f"between-{which}"
    (volume.files / name).mkdir()
    (volume.files / name / "secret").write_text("old")
    made = tus.begin(f"{name}/secret", 6, overwrite="true").headers["location"]
    place = made.removeprefix("/api/v1/")
    assert tus.send(place, 0, b"abc").status_code == 204
    match which:
        case "target":
            (volume.files / name / "secret").unlink()
            (volume.files / name / "secret").symlink_to(outside / "secret")
        case "folder":
            (volume.files / name / "secret").unlink()
            (volume.files / name).rmdir()
            (volume.files / name).symlink_to(outside)
        case _:  # what a task of the machine's own user could do
            for part in (volume.aside / "uploads").iterdir():
                if part.is_file() and part.read_bytes() == b"abc":
                    part.unlink()
                    part.symlink_to(outside / "secret")
    assert tus.send(place, 3, b"def").status_code in (204, 404, 409, 410)
    assert untouched(outside)
    tus.give_up(place)
    for one in (volume.files / name / "secret", volume.files / name):
        if one.is_symlink():
            one.unlink()


@pytest.mark.parametrize(
    "path", ["../secrets", "a/../../..", "/etc/passwd", "..", "%2e%2e/x", "a/%2E%2E/%2E%2E/x", "a\0b", "%00"]
)
def test_no_spelling_leads_out(volume: Volume, path: str) -> None:
    for verb in ("mkdir", "delete"):
        assert volume.act(verb, path=path).status_code == 422
    for verb in ("move", "copy"):
        assert volume.act(verb, path="x", to=path).status_code == 422
    assert volume.tus().begin(path, 1, b"x").status_code == 422


@pytest.mark.parametrize("entry", ["%2e%2e", "..%2f..%2ffiles", "0" * 29, "a.json"])
def test_entries_of_the_trash_and_uploads_are_no_paths(volume: Volume, entry: str) -> None:
    assert volume.ask("POST", f"trash/{entry}/restore").status_code in (404, 405)
    assert volume.ask("DELETE", f"trash/{entry}").status_code in (404, 405)
    assert volume.files.is_dir()


def test_a_stranger_reaches_nothing(volume: Volume) -> None:
    (volume.files / "mine").write_text("mine")
    for method, path, more in (
        ("GET", "files", {}),
        ("GET", "file?path=mine", {}),
        ("GET", "preview?path=mine", {}),
        ("GET", "trash", {}),
        ("GET", "uploads", {}),
        ("DELETE", "trash", {}),
        ("POST", "files/mkdir", {"json": {"path": "x"}}),
        ("POST", "files/delete", {"json": {"path": "mine"}}),
    ):
        assert volume.ask(method, path, OTHER, **more).status_code == 404
    assert volume.tus(OTHER).begin("x", 1, b"x").status_code == 404
    own = {"path": "mine", "to": "theirs", "volume": f"{ENGINEER}:shared"}
    here = volume.here.bearer(OTHER)
    (volume.here.root / "volumes" / OTHER).mkdir(exist_ok=True)
    (volume.here.root / "volumes" / OTHER / "mine").write_text("x")
    pushed = volume.client.post("volumes/personal/files/copy", headers=here, json=own)
    assert pushed.status_code == 404
    assert not (volume.files / "theirs").exists()


def test_a_reader_does_not_write_by_copying_into_it(volume: Volume) -> None:
    share = {"shares": [{"to": "user", "name": OTHER, "mode": "ro"}]}
    shared = volume.client.put("volumes/shared/shares", headers=volume.here.bearer(ENGINEER), json=share)
    assert shared.status_code == 200
    (volume.here.root / "volumes" / OTHER).mkdir(exist_ok=True)
    (volume.here.root / "volumes" / OTHER / "mine").write_text("x")
    body = {"path": "mine", "to": "theirs", "volume": f"{ENGINEER}:shared"}
    pushed = volume.client.post("volumes/personal/files/copy", headers=volume.here.bearer(OTHER), json=body)
    assert pushed.status_code == 403
    assert volume.tus(OTHER).begin("x", 1, b"x").status_code == 403
    assert volume.ask("DELETE", "trash", OTHER).status_code == 403


def test_pipes_and_holes_hold_nobody_up(volume: Volume) -> None:
    (volume.files / "traps").mkdir()
    os.mkfifo(volume.files / "traps" / "pipe")
    with open(volume.files / "traps" / "hole", "wb") as file:
        file.truncate(1 << 40)
    assert volume.act("copy", path="traps/pipe", to="pipe").status_code == 404
    assert volume.act("copy", path="traps", to="traps-again").status_code == 200
    assert (volume.files / "traps-again" / "hole").stat().st_blocks == 0
    assert volume.ask("GET", "preview", params={"path": "traps/pipe"}).status_code in (404, 422)
    assert volume.act("delete", paths=["traps", "traps-again"]).status_code == 200
