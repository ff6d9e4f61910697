"""A whole Danlu of an ordinary user with subordinate ids: as root's, also after restarts, and never silently less."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from danlu.ports import supervision
from danlu.sdk import Client
from tests.live import PATIENCE, LiveServer, eventually, training
from tests.ordinary import FIRST_SUBORDINATE, UID, OrdinaryUser, ordinary_user

ASK_DANLU = (
    "import os, urllib.request as way; "
    'way.build_opener(way.ProxyHandler(dict())).open(os.environ["DANLU_URL"] + "/api/v1/version").read()'
)
PASSWORD = "correct horse battery"

pytestmark = pytest.mark.timeout(300)


class OrdinaryServer(LiveServer):
    """`danlu up` of that user."""

    def __init__(self, user: OrdinaryUser) -> None:
        super().__init__(user.root, "--virtual-nodes", "1x1xA100")
        self.user = user

    def command(self, *args: str) -> list[str]:
        return self.user.command(sys.executable, "-m", "danlu.cli.main", *args)


@pytest.fixture
def server() -> Iterator[OrdinaryServer]:
    with ordinary_user() as user:
        one = OrdinaryServer(user)
        try:
            yield one
        finally:
            one.clean_up()


def owners(folder: Path) -> set[int]:
    return {os.lstat(path).st_uid for path in (folder, *folder.rglob("*"))}


def test_people_are_users_of_their_own_and_files_follow_them_however_danlu_is_started(
    server: OrdinaryServer,
) -> None:
    # First without subordinate ids: all are one user, which is said, and their files are Danlu's own.
    server.user.range = ""
    server.start()
    [node] = server.client().machines.nodes.list()
    assert node.isolation is not None
    assert (node.isolation.one_user, node.isolation.subordinate_ids) == (True, 0)
    assert "own_users_no_range" in [lack.code for lack in node.isolation.lacking]
    _run(server, "first", "echo weights > $DANLU_PERSONAL_DIR/model")
    volume = server.data / "volumes" / "admin"
    assert owners(volume) == {UID}
    server.interrupt()

    # Then with some: what is there is given to its person.
    server.user.range = f"smith:{FIRST_SUBORDINATE}:2\n"
    server.start()
    client = server.client()
    [node] = client.machines.nodes.list()
    assert node.isolation is not None
    assert (node.isolation.one_user, node.isolation.subordinate_ids) == (False, 2)
    assert "as a user per person (subordinate ids)" in (server.root / "up.log").read_text()
    _run(server, "second", f"cat $DANLU_PERSONAL_DIR/model && {sys.executable} -c '{ASK_DANLU}'")
    assert owners(volume) == {FIRST_SUBORDINATE}
    doctor = {one.code for one in client.system.doctor().weaknesses}
    assert not doctor & {"code_of_others", "code_of_tasks", "tasks_as_root"}

    # A second person's task reads nothing of the first's, and is entered, measured and ended after a restart.
    client.people.create("bob", password=PASSWORD)
    client.people.create("late", password=PASSWORD)
    bob = _as(server, "bob").submit(training("third", f"cat {volume}/model; sleep 1000"))
    eventually(lambda: client.get(bob.id).state == "running")
    server.kill()
    server.start()
    client = server.client()
    said = server.cli("exec", bob.id, "--", "sh", "-c", "id -un; id -u > $DANLU_PERSONAL_DIR/me; kill 1")
    assert said.stdout.split() == ["bob"], said.stderr
    assert owners(server.data / "volumes" / "bob") == {FIRST_SUBORDINATE + 1}
    [supervised] = [task for task in server.data.glob("runs/*/*") if supervision.is_alive(str(task))]
    client.stop(bob.id)
    eventually(lambda: client.get(bob.id).state == "stopped")
    # The server removes what its people wrote.
    client.delete(bob.id)
    eventually(lambda: not supervised.exists())

    # Whoever is beyond the range starts nothing, and is told.
    late = _as(server, "late").submit(training("fourth", "true"))
    assert client.wait(late.id, timeout=PATIENCE).state == "failed"
    told = server.cli("why", late.id).stdout
    assert "there are 2 subordinate user ids, and late would need number 3" in told
    server.interrupt()

    # Without the ids again: told, and nothing is touched.
    supervision.ask_launcher(str(server.data / "runs"), {"quit": True})
    eventually(lambda: not supervision.held(str(server.data / "runs" / supervision.LAUNCHER_LOCK)))
    server.user.range = ""
    refused = subprocess.run(
        server.command("up", "--data", str(server.data), "--port", "0"),
        env=server.env(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert refused.returncode != 0
    assert f"belongs to user {FIRST_SUBORDINATE}" in refused.stderr
    assert f"chown -R {UID}: {server.data}/volumes" in refused.stderr


def _as(server: OrdinaryServer, name: str) -> Client:
    with httpx.Client(base_url=f"{server.url}/api/v1/") as browser:
        session = browser.post("session", json={"username": name, "password": PASSWORD}).json()
        made = browser.post("tokens", json={"name": "test"}, headers={"X-CSRF-Token": session["csrf"]})
        return Client(url=server.url, token=made.json()["secret"])


def _run(server: OrdinaryServer, name: str, command: str) -> None:
    client = server.client()
    job = client.submit(training(name, command))
    done = client.wait(job.id, timeout=PATIENCE)
    assert done.state == "completed", server.cli("logs", job.id).stdout
