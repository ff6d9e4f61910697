"""A task lays traps in its folder for who reads its files: links, pipes, holes, swaps, a flood of names."""

from __future__ import annotations

import os
import resource
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.server import ENGINEER, OTHER, World, served, world
from tests.integration.server.test_logs import started, stopped
from tests.live import PATIENCE

SECRET = "the key of the house"
MANY = 60_000


class Trap:
    """The working folder of an ended task, and the address under which it is read."""

    def __init__(self, here: World, url: str) -> None:
        self.here, self.client = here, httpx.Client(base_url=f"{url}/api/v1/", timeout=PATIENCE)
        self.job = started(here, "hostile")
        stopped(here, self.job)
        self.folder = here.write_result(self.job, ENGINEER)

    def get(self, path: str, who: str = ENGINEER, **more: object) -> httpx.Response:
        headers = {**self.here.bearer(who), **more.pop("headers", {})}  # type: ignore[dict-item]
        return self.client.get(f"jobs/{self.job}/{path}", headers=headers, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trap]:
    with world(tmp_path_factory.mktemp("world")) as here, served(here.app) as url:
        made = Trap(here, url)
        yield made
        made.client.close()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text(SECRET)
    return tmp_path


def test_links_lead_nowhere(trap: Trap, secret: Path) -> None:
    (trap.folder / "file").symlink_to(secret / "secret")
    (trap.folder / "folder").symlink_to(secret)
    for path in ("file", "folder/secret", "folder"):
        assert trap.get("files/content", params={"path": path}).status_code == 404
    assert trap.get("files", params={"path": "folder"}).status_code == 404
    assert SECRET.encode() not in trap.get("files/content").content


def test_a_link_swapped_in_while_reading_is_never_followed(trap: Trap, secret: Path) -> None:
    (trap.folder / "real").mkdir()
    (trap.folder / "real" / "secret").write_text("mine")
    over = threading.Event()

    def swap() -> None:
        at = trap.folder / "turn"
        while not over.is_set():
            for target in ("real", str(secret)):
                draft = trap.folder / "draft"
                draft.symlink_to(target)
                draft.replace(at)
            at.unlink()
            os.rename(trap.folder / "real", at)
            os.rename(at, trap.folder / "real")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(150):
            found = trap.get("files/content", params={"path": "turn/secret"})
            assert found.status_code in (200, 404)
            assert SECRET not in found.text
        for _ in range(20):
            with trap.client.stream(
                "GET", f"jobs/{trap.job}/files/content", headers=trap.here.bearer(ENGINEER)
            ) as whole:
                assert SECRET.encode() not in b"".join(whole.iter_bytes())
    finally:
        over.set()
        swapper.join()


def test_pipes_and_sockets_hold_nobody_up(trap: Trap) -> None:
    os.mkfifo(trap.folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(trap.folder)
        listener.bind("socket")
        os.chdir("/")
        kinds = {one["name"]: one["kind"] for one in trap.get("files").json()["items"]}
        assert (kinds["pipe"], kinds["socket"]) == ("other", "other")
        for name in ("pipe", "socket"):
            assert trap.get("files/content", params={"path": name}).status_code == 404
        assert trap.get("files/content").status_code == 200


def test_terabytes_of_holes_are_read_in_constant_memory(trap: Trap) -> None:
    with (trap.folder / "huge").open("w") as file:
        file.truncate(4 << 40)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with trap.client.stream(
        "GET",
        f"jobs/{trap.job}/files/content",
        params={"path": "huge"},
        headers=trap.here.bearer(ENGINEER),
    ) as answer:
        assert answer.headers["content-length"] == str(4 << 40)
        for number, _ in enumerate(answer.iter_raw()):
            if number > 500:
                break
    tail = trap.get("files/content", params={"path": "huge"}, headers={"Range": "bytes=-4"})
    assert tail.content == b"\0\0\0\0"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
    (trap.folder / "huge").unlink()


def test_a_flood_of_names_is_listed_by_pages_while_others_are_answered(trap: Trap) -> None:
    flood = trap.folder / "flood"
    flood.mkdir()
    at = os.open(flood, os.O_RDONLY)
    for number in range(MANY):
        os.mknod(f"{number:07}", dir_fd=at)
    os.close(at)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    page = trap.get("files", params={"path": "flood", "limit": 2}).json()
    rest = trap.get("files", params={"path": "flood", "limit": 2, "cursor": page["next_cursor"]}).json()
    assert [one["name"] for one in page["items"] + rest["items"]] == [f"{number:07}" for number in range(4)]
    assert page["total"] == MANY
    assert trap.get("files", params={"path": "flood", "sort": "size"}).status_code == 422
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10


def test_another_person_finds_nothing_by_id_or_name(trap: Trap) -> None:
    for path in ("files", "files/content?path=out.txt"):
        assert trap.get(path, OTHER).status_code == 404
        by_name = trap.client.get(f"jobs/{ENGINEER}:hostile/{path}", headers=trap.here.bearer(OTHER))
        assert by_name.status_code == 404


def test_a_checkpoint_folder_that_is_a_link_leads_nowhere(trap: Trap, secret: Path) -> None:
    home = trap.here.root / "volumes" / ENGINEER / "checkpoints"
    home.mkdir(parents=True)
    (home / f"hostile-{trap.job}").symlink_to(secret)
    page = trap.get("files", params={"folder": "checkpoints"}).json()
    assert (page["state"], page["items"]) == ("nothing", [])
    asked = trap.get("files/content", params={"folder": "checkpoints", "path": "secret"})
    assert asked.status_code == 404


def test_html_of_a_task_cannot_run_on_our_origin(trap: Trap) -> None:
    (trap.folder / "page.html").write_text("<script>alert(1)</script>")
    answer = trap.get("files/content", params={"path": "page.html"})
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
