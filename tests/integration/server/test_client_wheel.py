"""The client that a server offers is a wheel that pip installs into an empty environment, and that talks to it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx

from danlu.server.system.client_wheel import ClientWheel
from tests.fakes.server import ENGINEER, World


def test_the_wheel_is_the_same_each_time_small_and_lists_what_it_holds(client: httpx.Client) -> None:
    name = client.get("/api/v1/version").json()["client"]
    moved = client.get("/client/danlu.whl")
    assert (moved.status_code, moved.headers["location"]) == (307, name)
    content = client.get(f"/client/{name}").content
    assert content == ClientWheel().read()
    assert len(content) < 4 << 20
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        names = wheel.namelist()
        record = next(one for one in names if one.endswith("/RECORD"))
        listed = [row[0] for row in csv.reader(io.StringIO(wheel.read(record).decode()))]
    assert sorted(listed) == sorted(names)
    assert not any("static" in one or "__pycache__" in one for one in names)
    assert client.get("/client/danlu-0-py3-none-any.whl").status_code == 404


def test_a_fresh_environment_installs_it_and_lists_jobs(
    client: httpx.Client, here: World, url: str, tmp_path: Path
) -> None:
    name = client.get("/api/v1/version").json()["client"]
    place = tmp_path / "fresh"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place)]
    subprocess.run([*pip, f"{url}/client/{name}"], check=True, timeout=300)
    token = here.bearer(ENGINEER)["Authorization"].removeprefix("Bearer ")
    env = {
        "PATH": "/usr/bin:/bin",
        "DANLU_URL": url,
        "DANLU_TOKEN": token,
        "DANLU_CONFIG_DIR": str(tmp_path / "config"),
        # What the client needs besides comes from where this test runs: no registry is asked.
        "PYTHONPATH": f"{place}:{Path(httpx.__file__).parents[1]}",
    }
    program = "import danlu, sys; from danlu.cli.main import main; print(danlu.__file__); sys.exit(main(['ls', '--json']))"
    said = subprocess.run(
        [sys.executable, "-s", "-c", program],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(str(place))
